"""Sound of the caller that comes late, and then faster than time, as behind a stall of the network or of this process.

Owns when words may be older than they look. Pure: no clock, no frames. A recogniser dates such words by their arrival,
so a "No." of half a minute ago would answer the question that is being put by now.
"""

from __future__ import annotations

GAP_S = 1.0
"""Sound that has fallen so far behind, in one gap or in many, has stalled; a carrier sends a packet every 20 ms."""

FORGIVEN = 0.05
"""Of each second so much of what a line has fallen behind is taken for sound that was lost on the way."""

REPAID_S = 0.5
"""So much sound faster than time behind a stall is a backlog; less is jitter, or a line that dropped what it owed."""

STEP_S = 0.1
"""Repayment is looked at in steps of this."""

REPAY_S_MAX = 3.0
"""A line that has repaid nothing for this long owes nothing any more."""

STALE_S = 5.0
"""How long behind the last late sound its words may still come where no voice detector tells whose they are; our
choice: a second of detection, the rest for the recogniser."""

OLD_S_MAX = 12.0
"""The same for words of a voice known to have begun in that sound; a little more than a slow recogniser takes."""

DETECTED_S = 0.5
DETECTED_PER_S = 0.1
"""A voice that begins so long behind the last late sound, and so much more for each second of it, is not of it: voice
detection reads the backlog as fast as the machine can, and dates voices by when it has read them."""


class Backlog:
    """Knows whether words at hand may be of late sound. Times are seconds of one clock, never falling."""

    def __init__(self) -> None:
        self._last_s: float | None = None
        self._lag_s = 0.0
        self._base_s = self._peak_s = self._low_s = self._moved_s = 0.0
        self._catching_up = False
        self._late_s: float | None = None
        self._repaid_s = 0.0

    def push(self, seconds: float, now_s: float) -> None:
        """Sound has come.

        Args:
            seconds: Length of it, 0 or more.
            now_s: When.
        """
        last_s, self._last_s = self._last_s, now_s
        if last_s is None:
            return
        self._lag_s += now_s - last_s - seconds
        if self._lag_s > self._low_s + GAP_S:
            self._base_s = self._base_s if self._catching_up else self._low_s
            self._catching_up, self._moved_s = True, now_s
            self._peak_s = self._low_s = self._lag_s
        elif not self._catching_up:
            self._low_s = min(self._lag_s, self._low_s + FORGIVEN * (now_s - last_s))
        elif self._lag_s < self._low_s - STEP_S:  # jitter comes back to where it was, a backlog goes on
            self._low_s, self._moved_s = self._lag_s, now_s
            if self._peak_s - self._low_s >= REPAID_S:
                self._late_s, self._repaid_s = now_s, self._peak_s - self._low_s
            self._catching_up = self._lag_s > self._base_s + STEP_S  # repaid: more is sound of another kind
        elif now_s - self._moved_s > REPAY_S_MAX:
            self._catching_up, self._low_s = False, self._lag_s

    def stale(self, now_s: float, onset_s: float | None = None) -> bool:
        """Whether words that come now may have been spoken long ago.

        Args:
            now_s: When they come.
            onset_s: When the voice they may be of was found to begin; None where none was.
        """
        if self._late_s is None:
            return False
        if onset_s is None:
            return now_s <= self._late_s + STALE_S
        of_then = onset_s <= self._late_s + DETECTED_S + DETECTED_PER_S * self._repaid_s
        return of_then and now_s <= self._late_s + OLD_S_MAX
