"""The order in which things happen on a recording: what begins and ends when, earliest first.

Owns the queue of moments. At one time an end comes before a beginning, and the agent before the far end.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from enum import IntEnum


class What(IntEnum):
    """What happens; the value is the order at one time."""

    AGENT_ENDS = 0
    VOICE_STOPS = 1
    TEXT = 2
    TURN_ENDS = 3
    AGENT_STARTS = 4
    VOICE_STARTS = 5


@dataclass(order=True, slots=True)
class Moment:
    """One thing that happens.

    Parameters:
        at_s: When.
        what: What.
        index: Which utterance or stretch it is about; for `TURN_ENDS` the turn's number.
    """

    at_s: float
    what: What
    index: int
    done: bool = field(default=False, compare=False)


class Moments:
    """A queue of moments, earliest first."""

    def __init__(self) -> None:
        self._heap: list[Moment] = []

    def add(self, at_s: float, what: What, index: int) -> None:
        """Queue one moment."""
        heapq.heappush(self._heap, Moment(at_s, what, index))

    def pop(self) -> Moment | None:
        """Take the earliest moment; None when nothing is left."""
        return heapq.heappop(self._heap) if self._heap else None

    def waiting(self, *what: What) -> list[Moment]:
        """Moments of some kinds that have not come yet, earliest first."""
        return sorted(moment for moment in self._heap if moment.what in what and not moment.done)
