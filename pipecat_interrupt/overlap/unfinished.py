"""Words a recogniser has told and not made final yet, and how long that is waited for.

Owns the newest of them. Pure: no clock, no frames. A recogniser that dies in mid-word, or never closes a text, has
heard the caller all the same.
"""

from __future__ import annotations

from dataclasses import replace

from pipecat_interrupt.overlap.actions import Text
from pipecat_interrupt.overlap.owed import TOLD_AFTER_S_MIN

UNFINISHED_S = 3.0
"""How long unfinished words wait for their final text behind the last of them and the end of the voice; our choice:
more than a stream takes for it, less than a patient waits for a reply."""

UNFINISHED_S_MAX = 12.0
"""The same while a voice goes on that adds nothing to them, such as noise."""

SLOWER_BY = 1.5
"""Words may wait this much longer than the slowest final text of the call so far."""

SLOW_S_MAX = 10.0
"""But never longer than this: a recogniser may be dead."""

GIVEN_UP_S = 8.0
"""A final text that comes so soon behind words taken as they are may be theirs, and then answers what was asked before
them, not what is being asked by now. Not where a voice has begun since: then it is of that one."""


class Unfinished:
    """The newest unfinished words. Times are seconds of one clock, never falling."""

    def __init__(self) -> None:
        self.text: Text | None = None
        self._told_s = self._ended_s = self._slowest_s = 0.0
        self._given_up_s: float | None = None
        self._began_s: float | None = None
        self._voice_on = self.may_be_echo = False

    @property
    def due_s(self) -> float | None:
        """When they are taken as they are; None when there are none."""
        if self.text is None:
            return None
        if self._voice_on:
            return self._told_s + UNFINISHED_S_MAX
        wait_s = min(SLOW_S_MAX, max(UNFINISHED_S, SLOWER_BY * self._slowest_s))
        return min(max(self._told_s, self._ended_s) + wait_s, self._told_s + UNFINISHED_S_MAX)

    def voice_began(self, onset_s: float) -> None:
        """A voice goes on since `onset_s`."""
        self._voice_on, self._began_s = True, onset_s

    def voice_ended(self, now_s: float) -> None:
        """It is reported to have ended."""
        self._voice_on, self._ended_s = False, now_s

    def told(self, now_s: float, text: Text, *, may_be_echo: bool = False) -> None:
        """The recogniser tells words, in place of those before; whether they may be the agent's own is known now."""
        self.text, self._told_s, self.may_be_echo = text, now_s, may_be_echo

    def gone(self) -> None:
        """They wait at the gate, or are nobody's to keep."""
        self.text = None

    def final(self, now_s: float, text: Text) -> Text:
        """A final text has come: give it, marked where it may be of words that were taken as they are."""
        if text.low_certainty:
            return text
        given_up_s, self._given_up_s = self._given_up_s, None
        anew = self._began_s is not None and now_s - self._began_s >= TOLD_AFTER_S_MIN
        late = given_up_s is not None and now_s - given_up_s <= GIVEN_UP_S and not anew
        if late or (self.text is not None and not self._voice_on):
            self._slowest_s = max(self._slowest_s, now_s - max(self._told_s, self._ended_s))
        self.text = None
        return replace(text, low_certainty=True) if late else text

    def kept(self, number: int | None = None, given_up_s: float | None = None) -> Text:
        """Take them as they are, marked; "" when there are none.

        Args:
            number: Under another number; None for their own.
            given_up_s: Now, where the recogniser has not said that no more will come of them.
        """
        self._given_up_s, self._began_s = given_up_s, None
        text, self.text = self.text, None
        if text is None:
            return Text(number or 0, "")
        return replace(text, number=text.number if number is None else number, final=True, low_certainty=True)
