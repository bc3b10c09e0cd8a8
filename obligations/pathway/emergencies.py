"""What people say, without being asked, when something is dangerously wrong: the table of words, and reading by it.

Owns the form of an entry. Words apart by blanks must follow each other, without regard to case, accents and
apostrophes; ``a|b`` is either, ``a|b?`` may be left out or come up to three times, ``dark*`` is any word that begins
so, ``_`` is up to three words of any kind but denials, ``^`` and ``$`` are the beginning and the end of a clause. A
clause that denies them, or tells of long ago, is none.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from obligations.pathway.phrases import DATA
from obligations.pathway.words import forms_of
from obligations.pathway.yaml_lines import read_yaml

EMERGENCY = "emergency"
"""Stands for an item in a red flag about what no question of the pathway asks."""

EMERGENCIES_FILE = "emergencies.yaml"
# So far before them a word denies the words of an entry. Our choice: "I don't think I am having ...".
_DENIES_WORDS_MAX = 5
# What ends a clause in writing: "No, I can't see" denies nothing.
_CLAUSE = re.compile(r"[.,;:!?…–—()\n]+")
_GAP = "_"
# "My face isn't swollen": a gap reaches over no denial, in any language.
_ANY = r"(?:(?!(?:no|not|never|without|\w+snt|arent|havent|dont|didnt|werent|nao|nunca|nem|sem) )\w+ ){0,3}?"
# The "is" and "has" of "my sight's gone"; pronouns keep theirs ("its" is a form of the table).
_HAS = re.compile(r"\b(?!(?:it|he|she|there|that|this|what|who|here|where|let)['’])(\w+)['’]s\b", re.IGNORECASE)
_HAS_FORMS = frozenset({"is", "has"})
_FORM = r"[\w'’-]+\*?"
_ENTRY = re.compile(rf"(?:\^ )?{_FORM}(?:\|{_FORM})*\??(?: {_FORM}(?:\|{_FORM})*\??)*(?: \$)?")


@dataclass(frozen=True, slots=True)
class Emergencies:
    """How emergencies sound in one language.

    Parameters:
        kinds: Kind, such as "loss-of-sight", to the pattern of its entries.
        denies: Words that deny what follows them.
        breaks: Words behind which an earlier denial no longer reaches.
        unless: Matches a clause that tells of another time, of somebody long ago, or only asks.
    """

    kinds: Mapping[str, re.Pattern[str]]
    denies: frozenset[str]
    breaks: frozenset[str]
    unless: re.Pattern[str]

    def told(self, text: str) -> tuple[str, ...]:
        """Name the kinds a reply tells of, in the order of the table."""
        standing = self._standing(text)
        return tuple(kind for kind, pattern in self.kinds.items() if self._says(standing, pattern))

    def tells_as(self, text: str, entries: Iterable[str]) -> bool:
        """Say whether a reply says one of the entries of a pathway (`Question.told_as`)."""
        named = tuple(entries)  # most questions name none, and every reply is held against every question
        return bool(named) and self._says(self._standing(text), pattern_of(named))

    def _standing(self, text: str) -> tuple[str, ...]:
        """The clauses of a text that tell of here and now."""
        return tuple(clause for clause in clauses_of(text) if self.unless.search(clause) is None)

    def _says(self, standing: Iterable[str], pattern: re.Pattern[str]) -> bool:
        """Say whether a clause holds the words of a pattern and does not take them back."""
        return any(
            not self._denied(clause[: hit.start()], hit[0]) for clause in standing for hit in pattern.finditer(clause)
        )

    def _denied(self, before: str, said: str) -> bool:
        if said.split()[0] in self.denies:
            return False  # "no no I can't see": what is said begins with a denial of its own
        for word in reversed(before.split()[-_DENIES_WORDS_MAX:]):
            if word in self.denies:
                return True
            if word in self.breaks and not _thinks(before):
                return False  # "no I am ..." without its comma denies nothing; "I do not think I am ..." does
        return False


def emergencies(language: str) -> Emergencies:
    """The table of a language; one that recognises nothing when there is none."""
    return _tables().get(language) or _tables().get(language.split("-")[0]) or _NONE


def emergency_kinds() -> frozenset[str]:
    """Every kind of the table."""
    return frozenset(kind for table in _tables().values() for kind in table.kinds)


def is_entry(entry: str) -> bool:
    """Say whether a text has the form of an entry, with at least one word that may not be left out."""
    words = [token for token in entry.split() if token not in "^$"]
    must = any(word != _GAP and not word.endswith("?") for word in words)
    return _ENTRY.fullmatch(" ".join(entry.split())) is not None and must


@cache
def pattern_of(entries: tuple[str, ...]) -> re.Pattern[str]:
    """Join entries into one pattern over a plain clause; of none, one that matches nothing."""
    return re.compile("|".join(f"(?:{_entry(entry)})" for entry in entries) or r"(?!)")


def _entry(entry: str) -> str:
    tokens = _plain(entry, keep="|*?^$ ").split()
    begins, ends = tokens[:1] == ["^"], tokens[-1:] == ["$"]
    words = tokens[begins : len(tokens) - ends]
    parts = [_word(word) for word in words]
    return (r"^" if begins else r"\b") + "".join(parts) + ("$" if ends else "")


def _word(token: str) -> str:
    """One word of an entry, with the blank behind it (clauses end in one)."""
    if token == _GAP:
        return _ANY
    said = token.rstrip("?").split("|")
    if not _HAS_FORMS.isdisjoint(said):
        said.append("s")  # "everything's black": `clauses_of` cuts it off
    forms = "|".join(form.replace("*", r"\w*") for form in said)
    return rf"(?:(?:{forms}) ){{0,3}}" if token.endswith("?") else rf"(?:{forms}) "


@lru_cache(maxsize=1024)
def clauses_of(text: str) -> tuple[str, ...]:
    """The clauses of a text in plain form, each with a blank behind its last word."""
    found = (_plain(" ".join(forms_of(clause))) for clause in _CLAUSE.split(_HAS.sub(r"\1 s", text)))
    return tuple(f"{clause} " for clause in found if clause)


def _plain(text: str, keep: str = " ") -> str:
    bare = "".join(s for s in unicodedata.normalize("NFD", text.casefold()) if not unicodedata.combining(s))
    return "".join(sign for sign in bare if sign.isalnum() or sign == "_" or sign in keep).strip()


_THINKS = re.compile(r"\b(?:think|believe|say|said|mean|feel like|acho|penso|creio|disse)\b")


def _thinks(before: str) -> bool:
    """Whether a denial was of thinking or saying so, which reaches over "I": "I don't think I am having ..."."""
    return _THINKS.search(" ".join(before.split()[-_DENIES_WORDS_MAX:])) is not None


_NONE = Emergencies({}, frozenset(), frozenset(), re.compile(r"(?!)"))


@cache
def _tables() -> dict[str, Emergencies]:
    data: dict[str, dict[str, Any]] = read_yaml((DATA / EMERGENCIES_FILE).read_text(encoding="utf-8"))[0]
    return {
        language: Emergencies(
            kinds={kind: pattern_of(tuple(entries)) for kind, entries in table["kinds"].items()},
            denies=frozenset(_plain(str(word)) for word in table["denies"]),
            breaks=frozenset(_plain(str(word)) for word in table["breaks"]),
            unless=pattern_of(tuple(table["unless"])),
        )
        for language, table in data.items()
    }
