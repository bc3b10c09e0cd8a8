"""How far released audio may run ahead of the ear: not at all, by credit, or by the clock.

Pure: time comes in as `now_s`. The gate asks before every chunk and tells what it released and what came back.
"""

from __future__ import annotations

from typing import Protocol

LEAD_S = 0.08
"""Default lead: two 40 ms chunks. More bought nothing in-process (docs/metrics/floor.md)."""

STALL_CHUNKS = 3
"""Chunks of time without an acknowledgement after which one chunk of credit is given anyway."""

_EPSILON_S = 1e-6


class Pacer(Protocol):
    """Decides whether the next chunk may go."""

    def outstanding_s(self, now_s: float) -> float:
        """Seconds of released audio the listener has not heard yet, as far as this pacer knows."""
        ...

    def may_release(self, duration_s: float, now_s: float) -> bool:
        """Say whether a chunk of this length may be released now."""
        ...

    def released(self, duration_s: float, now_s: float) -> None:
        """Note that it was."""
        ...

    def acknowledged(self, duration_s: float, now_s: float) -> None:
        """Note that the transport has written that much."""
        ...

    def wait_s(self, duration_s: float, now_s: float) -> float | None:
        """Say after how long to ask again without an acknowledgement; None is never."""
        ...

    def waited(self, now_s: float) -> None:
        """Note that this wait has passed without news."""
        ...

    def interrupted(self) -> None:
        """Note that what was outstanding has been thrown away."""
        ...


class NoPacer:
    """Lets everything through: the transport's own queue holds the audio (back-end *filter*)."""

    def outstanding_s(self, now_s: float) -> float:
        """Return 0: unknown here."""
        return 0.0

    def may_release(self, duration_s: float, now_s: float) -> bool:
        """Return True."""
        return True

    def released(self, duration_s: float, now_s: float) -> None:
        """Do nothing."""

    def acknowledged(self, duration_s: float, now_s: float) -> None:
        """Do nothing."""

    def wait_s(self, duration_s: float, now_s: float) -> float | None:
        """Return None."""
        return None

    def waited(self, now_s: float) -> None:
        """Do nothing."""

    def interrupted(self) -> None:
        """Do nothing."""


class CreditPacer:
    """At most `lead_s` written but not acknowledged. For transports whose writes take as long as the sound.

    Args:
        lead_s: The lead, at least one chunk.
        chunk_s: The transport's chunk.

    Promises: never stops for ever. Acknowledgements get lost (a failed write, a resampler's delay); after
    `STALL_CHUNKS` chunks of silence one chunk of credit is given and counted in `stalls`.
    """

    def __init__(self, lead_s: float = LEAD_S, chunk_s: float = 0.04) -> None:
        self.lead_s = max(lead_s, chunk_s)
        self.chunk_s = chunk_s
        self.stalls = 0
        self._outstanding_s = 0.0
        self._chunk_began_s = 0.0

    def outstanding_s(self, now_s: float) -> float:
        """Return what is released and not acknowledged, less what of the chunk in flight has sounded already."""
        sounded_s = min(self.chunk_s, max(0.0, now_s - self._chunk_began_s))
        return max(0.0, self._outstanding_s - sounded_s)

    def may_release(self, duration_s: float, now_s: float) -> bool:
        """Allow it while the lead is not used up; a chunk longer than the lead goes when nothing is outstanding."""
        return self._outstanding_s <= _EPSILON_S or self._outstanding_s + duration_s <= self.lead_s + _EPSILON_S

    def released(self, duration_s: float, now_s: float) -> None:
        """Take the credit."""
        if self._outstanding_s <= _EPSILON_S:
            self._chunk_began_s = now_s
        self._outstanding_s += duration_s

    def acknowledged(self, duration_s: float, now_s: float) -> None:
        """Give it back."""
        self._chunk_began_s = now_s
        self._outstanding_s = max(0.0, self._outstanding_s - duration_s)

    def wait_s(self, duration_s: float, now_s: float) -> float | None:
        """Return the time after which the transport counts as stalled."""
        return STALL_CHUNKS * max(self.chunk_s, duration_s) if self._outstanding_s > _EPSILON_S else None

    def waited(self, now_s: float) -> None:
        """Give one chunk of credit."""
        self.stalls += 1
        self._outstanding_s = max(0.0, self._outstanding_s - self.chunk_s)

    def interrupted(self) -> None:
        """Forget what was outstanding."""
        self._outstanding_s = 0.0


class ClockPacer:
    """Released audio ends at most `lead_s` after now. For transports that take audio faster than it sounds.

    Args:
        lead_s: The lead, at least one chunk.
        chunk_s: The transport's chunk.
    """

    def __init__(self, lead_s: float = LEAD_S, chunk_s: float = 0.04) -> None:
        self.lead_s = max(lead_s, chunk_s)
        self._play_end_s = 0.0

    def outstanding_s(self, now_s: float) -> float:
        """Return how long the released audio still sounds."""
        return max(0.0, self._play_end_s - now_s)

    def may_release(self, duration_s: float, now_s: float) -> bool:
        """Allow it while the end of the sound stays within the lead."""
        left_s = self._play_end_s - now_s
        return left_s <= _EPSILON_S or left_s + duration_s <= self.lead_s + _EPSILON_S

    def released(self, duration_s: float, now_s: float) -> None:
        """Move the end of the sound."""
        self._play_end_s = max(self._play_end_s, now_s) + duration_s

    def acknowledged(self, duration_s: float, now_s: float) -> None:
        """Ignore it: the transport takes audio before it sounds."""

    def wait_s(self, duration_s: float, now_s: float) -> float | None:
        """Return the time until the next chunk fits."""
        return max(0.0, min(self._play_end_s - now_s, self._play_end_s - now_s + duration_s - self.lead_s))

    def waited(self, now_s: float) -> None:
        """Do nothing: time itself has made room."""

    def interrupted(self) -> None:
        """Let the next sound begin at once."""
        self._play_end_s = 0.0
