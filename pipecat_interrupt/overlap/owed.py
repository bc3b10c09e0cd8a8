"""Words that are still with the recogniser: a voice was heard, and nothing has come of it yet.

Owns the count of voice segments without words. Pure: no clock, no frames. An agent that closes the call in this time
would say goodbye into a question that was asked before it, on a machine or a line where recognition takes its time.
"""

from __future__ import annotations

from collections import deque

STREAMING_S_MAX = 1.5
"""Longest a streaming recogniser is waited for behind the end of a voice it has said nothing about."""

SEGMENT_S_MIN = 2.0
"""A segmented recogniser is waited for at least this long behind the last segment."""

SEGMENT_S_MAX = 10.0
"""And never longer than this: a recogniser may be dead."""

SLOWER_BY = 1.5
"""A segment may take this much longer than the slowest of the call so far."""

SLOW_S = 2.0
"""A segment that took this long makes a slow recogniser: from then on nobody speaks into its silence."""

TOLD_AFTER_S_MIN = 0.7
"""No recogniser makes words final sooner than this behind the onset of their voice."""

SEGMENTS_MAX = 16


class WordsOwed:
    """Knows whether words are owed. Times are seconds of one clock, never falling.

    Args:
        segmented: The recogniser hears whole segments, each giving one final text or none: then each end of a voice
            is owed one answer. Else any final text since the voice began is its answer.
    """

    def __init__(self, segmented: bool = False) -> None:
        self.segmented = segmented
        self.reports_all = False
        """Whether segments without words are reported, so that each text can be told its own voice."""
        self.spoken_s: float | None = None
        """When the voice of the last final text had ended; None for a stream, whose texts come as they are spoken."""
        self._ends_s: deque[float] = deque(maxlen=SEGMENTS_MAX)
        self._onsets_s: deque[float] = deque(maxlen=SEGMENTS_MAX)
        self._last_end_s = 0.0
        self._last_onsets_s: deque[float] = deque(maxlen=2)
        self._slowest_s = 0.0
        self._text_since_start = False
        self._asked_since_s: float | None = None

    def voice(self, now_s: float, on: bool, onset_s: float | None = None) -> None:
        """A voice began or ended.

        Args:
            now_s: When that was reported.
            on: It began.
            onset_s: When it began, at the latest `now_s`; None for then.
        """
        if on:
            self._text_since_start = False
            self._last_onsets_s.append(now_s if onset_s is None else onset_s)
            return
        self._last_end_s = now_s
        if self.segmented or not self._text_since_start:
            self._ends_s.append(now_s)
            self._onsets_s.append(self._last_onsets_s[-1] if self._last_onsets_s else now_s)

    def answered(self, now_s: float, *, text: bool = True) -> None:
        """A final text came, or (`text` False) the recogniser told that a segment has none."""
        self._text_since_start, self._asked_since_s = True, None
        if self._onsets_s:
            self._onsets_s.popleft()
        if not self.segmented:
            self._onsets_s.clear()
        if not self._ends_s:
            if text:  # later than the bound: of the last voice at the earliest, where every text has had one
                self.spoken_s = self._last_end_s if self.segmented and self._last_end_s else None
            return
        first, last = self._ends_s.popleft(), self._last_end_s
        self._slowest_s = max(self._slowest_s, now_s - first)
        if not self.segmented:
            self._ends_s.clear()
        elif text:
            # Where segments without words go unreported, the first end may be a cough's: the last one errs to "now".
            self.spoken_s = first if self.reports_all else last

    def onset_s(self, now_s: float) -> float | None:
        """When the first voice began that words may be of that come now; None when none was heard.

        The first of those that wait for words; else the last one, or the one before what has only now begun.
        """
        if self._onsets_s:
            return self._onsets_s[0]
        before = [onset_s for onset_s in self._last_onsets_s if now_s - onset_s >= TOLD_AFTER_S_MIN]
        return next(reversed(before), next(iter(self._last_onsets_s), None))

    @property
    def slow(self) -> bool:
        """Whether a segment of this call took longer than a turn may."""
        return self.segmented and self._slowest_s >= SLOW_S

    def owed(self, now_s: float) -> bool:
        """Whether words may still come of a voice that has ended.

        Never longer than the bounds above behind the last voice, and never longer than `SEGMENT_S_MAX` in a row:
        noise that the voice detector takes for a voice would keep the line open for ever.
        """
        bound_s = STREAMING_S_MAX
        if self.segmented:
            bound_s = min(SEGMENT_S_MAX, max(SEGMENT_S_MIN, SLOWER_BY * self._slowest_s))
        if not self._ends_s or now_s - self._last_end_s > bound_s:
            self._ends_s.clear()
            self._onsets_s.clear()
            self._asked_since_s = None
            return False
        if self._asked_since_s is None:
            self._asked_since_s = now_s
        return now_s - self._asked_since_s <= SEGMENT_S_MAX
