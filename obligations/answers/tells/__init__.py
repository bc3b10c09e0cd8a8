"""What people say instead of yes or no, by what is asked: "I'm bunged up solid", "Went down like a sack of spuds".

Owns the families of tells, one data file a language, and whether a clause tells that what is asked is so. A tell is an
inference: never plain, it costs one confirmation before anything closes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from obligations.coverage.flat import inside
from obligations.coverage.text import base_language

_NEVER = re.compile(r"(?!)")
_HEAD = re.compile(r"\[(\w+)\]\Z")
_SIGNS = "?!+-"
_CACHED_QUESTIONS_MAX = 512
DENIED_WITHIN_WORDS = 4
"""A denial so many words before a tell, or fewer, turns it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """One thing asked, and how people tell it.

    Parameters:
        name: The family's name.
        asks: What a question that asks for it says, flat.
        against: What a question that asks for its opposite says, flat.
        so: Words that tell it is so.
        not_so: Words that tell it is not.
    """

    name: str
    asks: re.Pattern[str]
    against: re.Pattern[str]
    so: re.Pattern[str]
    not_so: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Asked:
    """A family, and whether the question asks for it or for its opposite."""

    family: Family
    turned: bool


def load_families(name: str) -> tuple[Family, ...]:
    """Read ``NAME.txt`` beside this module.

    Raises:
        ValueError: A line stands outside a family or begins with no sign.
    """
    text = resources.files("obligations.answers.tells").joinpath(f"{name}.txt").read_text(encoding="utf-8")
    return tuple(_families(name, text))


def _families(name: str, text: str) -> Iterator[Family]:
    family = ""
    lines: dict[str, list[str]] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        head = _HEAD.match(line)
        if head is not None:
            if family:
                yield _family(family, lines)
            family = head[1]
            lines = {sign: list[str]() for sign in _SIGNS}
        elif line and not line.startswith("#"):
            if line[0] not in lines or line[1:2] != " ":
                raise ValueError(f"tells/{name}.txt:{number}: a line begins with one of '{_SIGNS}' and a blank")
            lines[line[0]].append(line[2:])
    if family:
        yield _family(family, lines)


def _family(name: str, lines: Mapping[str, list[str]]) -> Family:
    asks, against, so, not_so = (inside(*lines[sign]) if lines[sign] else _NEVER for sign in _SIGNS)
    return Family(name=name, asks=asks, against=against, so=so, not_so=not_so)


_BY_LANGUAGE: Mapping[str, tuple[Family, ...]] = {name: load_families(name) for name in ("en", "pt")}


@lru_cache(maxsize=_CACHED_QUESTIONS_MAX)
def families_asked(question_flat: str, language: str) -> tuple[Asked, ...]:
    """Give the families a flat question asks for, in the order of the file.

    The words that ask for an opposite are looked for first ("is it comfortable?" is no question of how it hurts).
    """
    out: list[Asked] = []
    for family in _BY_LANGUAGE.get(base_language(language), ()):
        if family.against.search(question_flat) is not None:
            out.append(Asked(family, turned=True))
        elif family.asks.search(question_flat) is not None:
            out.append(Asked(family, turned=False))
    return tuple(out)


def told(flat: str, asked: tuple[Asked, ...], negators: frozenset[str]) -> bool | None:
    """Say whether a flat clause tells that what was asked is so; None when it tells nothing, or both.

    Args:
        flat: The clause.
        asked: The question's families.
        negators: The language's words that negate.
    """
    verdicts: set[bool] = set()
    for one in asked:
        so, not_so = _told_by(one.family.so, flat, negators), _told_by(one.family.not_so, flat, negators)
        # "Nothing stays down" holds "stays down"; the longer words are the ones that were meant.
        found = max((f for f in (so, not_so) if f is not None), key=lambda f: f[0], default=None)
        if found is None:
            continue
        is_so = found[1] is (found is so)
        if found is not so and not found[1]:
            continue  # "not steady" tells less than it seems: it may be steady enough
        verdicts.add(is_so is not one.turned)
    return verdicts.pop() if len(verdicts) == 1 else None


def _told_by(pattern: re.Pattern[str], flat: str, negators: frozenset[str]) -> tuple[int, bool] | None:
    """The length of the longest tell and whether it stands undenied."""
    best: tuple[int, bool] | None = None
    for match in pattern.finditer(flat):
        before = flat[: match.start()].split()[-DENIED_WITHIN_WORDS:]
        denied = sum(word in negators for word in before) % 2 == 1
        if best is None or len(match.group()) > best[0]:
            best = (len(match.group()), not denied)
    return best
