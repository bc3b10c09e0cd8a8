"""Sound of the caller that comes late and all at once, as behind a stall of the network or of this process.

Owns when words may be older than they look. Pure: no clock, no frames. A recogniser dates such words by their arrival,
so a "No." of half a minute ago would answer the question that is being put by now.
"""

from __future__ import annotations

GAP_S = 1.0
"""A line that was silent this long, sound and silence both, had stalled; a carrier sends a packet every 20 ms."""

REPAID_S = 0.5
"""So much sound faster than time behind a stall is a backlog; less is jitter, or a line that dropped what it owed."""

STEP_S = 0.1
"""Repayment is looked at in steps of this."""

REPAY_S_MAX = 3.0
"""A line that has repaid nothing for this long owes nothing any more."""

STALE_S = 5.0
"""How long behind the last late sound its words may still come; our choice: a second of detection, the rest for the
recogniser."""


class Backlog:
    """Knows whether words at hand may be of late sound. Times are seconds of one clock, never falling."""

    def __init__(self) -> None:
        self._last_s: float | None = None
        self._lag_s = 0.0
        self._peak_s = self._low_s = self._moved_s = 0.0
        self._catching_up = False
        self._until_s: float | None = None

    def push(self, seconds: float, now_s: float) -> None:
        """Sound has come.

        Args:
            seconds: Length of it, 0 or more.
            now_s: When.
        """
        last_s, self._last_s = self._last_s, now_s
        if last_s is None:
            return
        behind_s = now_s - last_s - seconds  # below 0: faster than time
        self._lag_s += behind_s
        if behind_s > GAP_S:
            self._catching_up, self._moved_s = True, now_s
            self._peak_s = self._low_s = self._lag_s
        elif self._catching_up:
            if self._lag_s < self._low_s - STEP_S:  # jitter comes back to where it was, a backlog goes on
                self._low_s, self._moved_s = self._lag_s, now_s
                if self._peak_s - self._low_s >= REPAID_S:
                    self._until_s = now_s + STALE_S
            elif now_s - self._moved_s > REPAY_S_MAX:
                self._catching_up = False

    def stale(self, now_s: float) -> bool:
        """Whether words that come now may have been spoken long ago."""
        return self._until_s is not None and now_s <= self._until_s
