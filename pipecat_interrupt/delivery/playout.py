"""From audio written to audio heard: the seam between our process and the listener's ear.

Owns the `Playout` protocol and its plain answer, a fixed lag. `carrier` gives the answer of a telephone carrier's
playback marks. Whatever answers errs short.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from pipecat_interrupt.delivery.account import Account

LAG_S_MAX = 10.0


@dataclass(frozen=True, slots=True)
class Heard:
    """Audio of one utterance at the ear.

    Parameters:
        low_s: Heard for certain, seconds, as far as the source can tell.
        high_s: Heard at most; equal to `low_s` when the source is exact.
        final: Whether no more of it will be heard.
    """

    low_s: float
    high_s: float
    final: bool = False


class Playout(Protocol):
    """Something that knows how far the listener is behind the output.

    Promises:
        Synchronous, never raises, `low_s` never grows past what was written, and nothing that was cleared is counted.
    """

    def heard(self, account: Account, now_s: float) -> Heard:
        """Say how much of an utterance has been heard."""
        ...


class FixedLag:
    """The listener is a fixed time behind: 0 for a transport that writes as it plays, 1 s for a buffer of 1 s.

    Args:
        lag_s: Seconds from written to heard, in [0, 10].
    """

    def __init__(self, lag_s: float = 0.0) -> None:
        if not 0 <= lag_s <= LAG_S_MAX:
            raise ValueError(f"playout_lag_s is {lag_s}; it must lie between 0 and {LAG_S_MAX} seconds")
        self.lag_s = lag_s

    def heard(self, account: Account, now_s: float) -> Heard:
        """Take what had been written one lag ago."""
        seconds = account.written_at(now_s - self.lag_s) if self.lag_s > 0 else account.written_s
        drained = account.written_done_s is not None and now_s >= account.written_done_s + self.lag_s
        return Heard(seconds, seconds, final=drained)
