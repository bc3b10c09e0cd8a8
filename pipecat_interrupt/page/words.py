"""Places the words of an utterance on the call's clock.

Owns one estimate, and says so on the page: word times are not journalled, so words share the audio that was heard in
proportion to their letters, and the stretches in which the audio was held are left out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pipecat_interrupt.page.view import AgentLine

_WORD = re.compile(r"\S+\s*|\s+")


@dataclass(frozen=True, slots=True)
class PlacedWord:
    """A word with the white space behind it.

    Parameters:
        text: As written.
        at_s: Estimated start on the call's clock.
        end: One past its last character in the delivered text.
    """

    text: str
    at_s: float
    end: int


def place_words(line: AgentLine, holds: Sequence[tuple[float, float]] = ()) -> tuple[PlacedWord, ...]:
    """Place the delivered words of a line; joined, their texts are the delivered text.

    Args:
        line: A finished utterance; one that is being spoken has no delivered text yet and gives ().
        holds: Stretches in which the agent's audio was held, ascending.
    """
    if not line.delivered or line.end_s is None:
        return ()
    inside = [(max(a, line.at_s), min(b, line.end_s)) for a, b in holds if a < line.end_s and b > line.at_s]
    audible_s = max(0.0, line.end_s - line.at_s - sum(b - a for a, b in inside))
    if line.heard_ms is not None and line.heard_ms > 0:
        audible_s = min(audible_s, line.heard_ms / 1000)
    placed: list[PlacedWord] = []
    total, position = len(line.delivered), 0
    for match in _WORD.finditer(line.delivered):
        at_s = _on_clock(line.at_s, audible_s * position / total, inside)
        position = match.end()
        placed.append(PlacedWord(match.group(), at_s, position))
    return tuple(placed)


def _on_clock(start_s: float, audio_s: float, holds: Sequence[tuple[float, float]]) -> float:
    """The call's time at which so much of an utterance's audio had sounded."""
    at_s = start_s + audio_s
    for begun_s, ended_s in holds:
        if at_s >= begun_s:
            at_s += ended_s - begun_s
    return at_s
