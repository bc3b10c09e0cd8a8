"""The force of each sentence: stated, or only asked, announced, reported, doubted or taken back.

Owns telling a statement to the listener from a mention of the same words. A point is never conveyed by a sentence that
does not state it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from obligations.coverage.flat import flatten
from obligations.coverage.lexicon.force_en import EN
from obligations.coverage.lexicon.force_model import ForceTable
from obligations.coverage.lexicon.force_pt import PT
from obligations.coverage.text import base_language

_TABLES: Mapping[str, ForceTable] = {"en": EN, "pt": PT}
_SEGMENT = re.compile(r"[^.?!:…\n]*(?:[.:](?=\d)[^.?!:…\n]*)*[.?!:…\n]*")


class Force(StrEnum):
    """What a sentence does with its words."""

    STATED = "stated"
    CONDITION = "condition"
    ASKED = "asked"
    ANNOUNCED = "announced"
    REPORTED = "reported"
    DOUBTED = "doubted"
    RELEASED = "released"
    RETRACTED = "retracted"
    OTHERS = "others"


@dataclass(frozen=True, slots=True)
class Segment:
    """One sentence of a text.

    Parameters:
        start: First character. end: one past the last, its mark included.
        flat: Its flat words.
        mark: Its closing punctuation, "" when it was cut or never punctuated.
        force: What it does with its words.
    """

    start: int
    end: int
    flat: str
    mark: str
    force: Force


def has_force_table(language: str) -> bool:
    """Say whether sentences of this language can be told apart at all."""
    return base_language(language) in _TABLES


@lru_cache(maxsize=4096)
def segments(text: str, language: str) -> tuple[Segment, ...]:
    """Cut a text into sentences and name the force of each.

    Returns:
        The sentences in order; in a language without a table every one counts as stated.
    """
    cut = _cut(text, language)
    table = _TABLES.get(base_language(language))
    out: list[Segment] = []
    for i, (start, end, flat, mark) in enumerate(cut):
        following = text[cut[i + 1][0] : cut[i + 1][1]] if i + 1 < len(cut) else ""
        force = Force.STATED if table is None else _force(i, [c[2] for c in cut], mark, following, table)
        if table is not None and force is Force.STATED and out and out[-1].mark == ":":
            force = _inherited(out[-1], table)
            behind = cut[i + 1][2] if i + 1 < len(cut) else ""
            if force is Force.REPORTED and table.endorses.match(behind) and not table.doubts.search(behind):
                force = Force.STATED
        out.append(Segment(start, end, flat, mark, force))
    return tuple(out)


def _inherited(opening: Segment, table: ForceTable) -> Force:
    """What stands before a colon colours what follows it: a report, a doubt, or a promise for later."""
    if opening.force in {Force.REPORTED, Force.DOUBTED, Force.OTHERS, Force.RELEASED}:
        return opening.force
    if opening.force is Force.ANNOUNCED and table.later.search(opening.flat):
        return opening.force
    return Force.RELEASED if table.lifts_following.search(opening.flat) else Force.STATED


def _cut(text: str, language: str) -> list[tuple[int, int, str, str]]:
    out: list[tuple[int, int, str, str]] = []
    for match in _SEGMENT.finditer(_mask_abbreviations(text)):
        start, end = match.start(), match.end()
        flat = flatten(text[start:end], language)
        if flat:
            mark = (
                "?" if "?" in text[start:end][-3:] else text[end - 1 : end] if not text[end - 1 : end].isalnum() else ""
            )
            out.append((start, end, flat, mark.strip()))
    return out


def _mask_abbreviations(text: str) -> str:
    """Hide the full stops of "a.m.", "Dr." and the like, keeping every offset."""
    masked = re.sub(r"\b([ap])\.\s?m\.", lambda m: m.group().replace(".", "_"), text, flags=re.IGNORECASE)
    return re.sub(r"\b(Dr|Dra|Mr|Mrs|Ms|Sr|Sra|St|approx|e\.g|i\.e|n\.º)\.", lambda m: m.group()[:-1] + "_", masked)


def _force(i: int, flats: Sequence[str], mark: str, raw_following: str, table: ForceTable) -> Force:
    flat = flats[i]
    following = flats[i + 1] if i + 1 < len(flats) else ""
    if table.retracts.match(following) or table.retracted.search(flat):
        return Force.RETRACTED
    if table.announces.search(flat):
        return Force.ANNOUNCED
    asked = _question_force(flat, mark, _Next(following, raw_following), table)
    if asked is not None and asked is not Force.CONDITION:
        return asked
    if table.reports.search(flat):
        rest = table.reports.split(flat, maxsplit=1)[-1]
        endorsed = table.endorses.match(following) is not None or table.endorsed_within.search(rest) is not None
        doubted = table.doubts.search(following) is not None or table.doubts.search(flat) is not None
        return Force.STATED if endorsed and not doubted else Force.REPORTED
    if table.doubts.search(flat) or table.doubts_following.match(following):
        return Force.DOUBTED
    if table.others.search(flat):
        return Force.OTHERS
    return asked or Force.STATED


def _question_force(flat: str, mark: str, following: _Next, table: ForceTable) -> Force | None:
    """Say what a question mark, or a question's opening, makes of a sentence; None when neither is there.

    A closing "okay?" leaves a statement standing; an elliptical question ("Missed one?") only sets a condition.
    """
    if mark != "?":
        if mark == "" and table.asks.match(flat) and table.asks_strict.match(flat):
            return Force.STATED if _answered(following, table) else Force.ASKED
        return None
    trimmed = table.tag.sub("", flat).strip()
    if trimmed != flat and not table.asks_strict.match(trimmed):
        return None
    if _answered(following, table):
        return Force.STATED
    if table.asks.match(flat) or table.asks_inside.search(flat) or table.marks_all:
        return Force.ASKED
    return Force.CONDITION


@dataclass(frozen=True, slots=True)
class _Next:
    """The sentence after a question: its flat words and its written form."""

    flat: str
    raw: str


def _answered(following: _Next, table: ForceTable) -> bool:
    """Whether a question is answered yes at once: a yes word, or a bare "you can" that stops there."""
    return table.answers_yes.match(following.flat) is not None or table.echo_yes.match(following.raw) is not None


def unstated_around(before: str, after: str, following: str, language: str, *, asked: bool) -> Force | None:
    """Say what the words around a known wording do to it, or None when it stands stated.

    Args:
        before: Flat words of its sentence before it.
        after: Flat words of its sentence behind it.
        following: Flat words of the next sentence.
        language: BCP 47 tag.
        asked: Whether the sentence ends in a question mark.
    """
    table = _TABLES.get(base_language(language))
    if table is None:
        return None
    if table.releases.search(before):
        return Force.RELEASED
    if table.retracts.match(after) or table.retracts.match(following) or table.retracted.search(after):
        return Force.RETRACTED
    if table.announces.search(before):
        return Force.ANNOUNCED
    if table.reports.search(before):
        endorsed = table.endorses.match(following) is not None or table.endorsed_within.search(after) is not None
        return None if endorsed and not table.doubts.search(following) else Force.REPORTED
    if table.doubts.search(before) or table.doubts.search(after):
        return Force.DOUBTED
    if table.others.search(before):
        return Force.OTHERS
    if table.asks_strict.match(before) or (asked and before and table.asks.match(before)):
        return None if _answered(_Next(following, following), table) else Force.ASKED
    if asked and not after and table.asks_inside.search(before):
        return Force.ASKED
    return None


def closing_tag(flat: str, language: str) -> bool:
    """Say whether flat words are only a tag that asks for a nod ("okay", "is that clear")."""
    table = _TABLES.get(base_language(language))
    return table is not None and table.tag.sub("", " " + flat).strip() == ""
