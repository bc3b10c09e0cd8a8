"""The fact of an overlap: where it fell in the agent's utterance, and which of the three kinds it is.

Owns the rules; each is written against seed 000 section 3.1 ("Clinical voice agents ... interruption"):

- A *TRP* is a structural point at which another may legitimately begin: here, the onset falls at the end of a unit,
  or at most `TRP_WORDS_MAX` words into the next one, because a listener reacts to the end they have heard (the seed's
  own example: the agent's "[but a:nd" is already under way). A unit ends at . ? ! ; : or before a conjunction after a
  comma.
- *transitional sub-unit*: at a TRP with a unit still to come. A turn of one unit has none ("only fires on multi-unit
  agent turns").
- *recognitional*: before a TRP, and the speaker responds to what the agent is in the middle of (an answer, an assent).
- *competitive*: before a TRP, and the speaker redirects, corrects, asks or stops.
- Between turns, or over the last words of the last unit (*terminal*), the seed counts none of the three: `None`. Over a
  question whose focus has not been heard nothing is terminal: its last words are the question.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pipecat_interrupt.overlap.evidence import AgentFloor, OverlapKind, Verdict
from pipecat_interrupt.overlap.languages import LanguageTable
from pipecat_interrupt.overlap.tokens import tokens

TRP_WORDS_MAX = 2
"""Words into a next unit that still count as its beginning: own choice, about the 0.5 s in which listeners react."""

TERMINAL_WORDS_MAX = 2
"""Words left of the last unit from which an overlap is terminal: own choice, the mirror of `TRP_WORDS_MAX`."""

_UNIT_END = re.compile(r"[.?!;:…。？！]+[\"'»”)]*(?=\s|$)|(?<=[。？！])")
_RESPONSES = frozenset({Verdict.ANSWER, Verdict.BACKCHANNEL, Verdict.HESITATION})
_NO_OVERLAP = frozenset({Verdict.NOISE, Verdict.ECHO})


@dataclass(frozen=True, slots=True)
class Place:
    """Where an onset fell.

    Parameters:
        trp: At a place where another may begin.
        terminal: Over the last words of the last unit, or after them.
        units_to_come: A further unit, begun or not, is still to be heard.
    """

    trp: bool
    terminal: bool
    units_to_come: bool


def place_of(floor: AgentFloor, table: LanguageTable | None = None) -> Place:
    """Say where in the agent's utterance an onset fell.

    Args:
        floor: What was delivered and what remained at the onset. With neither text known the place counts as the
            interior.
        table: Language table for the conjunctions that begin a unit; None uses punctuation alone.
    """
    said, left = floor.delivered_text.rstrip(), floor.remaining_text.strip()
    left_words = len(tokens(left))
    since = _words_since_unit_end(said, left, table)
    said_anything = bool(tokens(said))
    at_end = said_anything and since is not None and since <= TRP_WORDS_MAX
    last_unit = not _ends(left.rstrip(".?!;:…\"'»” "), table)
    known = said_anything or left_words > 0
    answerable = not floor.question_open or floor.focus_heard
    terminal = known and answerable and last_unit and left_words <= TERMINAL_WORDS_MAX
    return Place(trp=at_end or terminal, terminal=terminal, units_to_come=left_words > 0 and not terminal)


def kind_of(place: Place, verdict: Verdict, takes_floor: bool = False) -> OverlapKind | None:
    """Give the kind of an overlap, once its verdict is known; None when it is none of the three."""
    if verdict in _NO_OVERLAP or place.terminal:
        return None
    if place.trp and place.units_to_come:
        return OverlapKind.TRANSITIONAL_SUB_UNIT
    if verdict in _RESPONSES and not (verdict is Verdict.HESITATION and takes_floor):
        return OverlapKind.RECOGNITIONAL
    return OverlapKind.COMPETITIVE


def kind_at_onset(place: Place, floor: AgentFloor) -> OverlapKind | None:
    """Give the kind as far as the place alone tells it: in mid-question a response is likelier than a contest."""
    return kind_of(place, Verdict.ANSWER if floor.question_open else Verdict.UNDECIDED)


def _ends(text: str, table: LanguageTable | None) -> list[int]:
    """Offsets at which a unit ends."""
    ends = [match.end() for match in _UNIT_END.finditer(text)]
    if table is not None:
        ends += [
            m.end()
            for m in re.finditer(r",(?=\s+(\S+))", text)
            if (tokens(m.group(1)) or ("",))[0] in table.conjunctions
        ]
    return sorted(ends)


def _words_since_unit_end(said: str, left: str, table: LanguageTable | None) -> int | None:
    """Words delivered after the last unit end; None when no unit has ended yet."""
    following = (said + " " + " ".join(left.split()[:1])).rstrip() if left else said
    ends = [end for end in _ends(following, table) if end <= len(said)]
    if not ends:
        return None
    return len(tokens(said[ends[-1] :]))
