"""Words a recogniser has told and not made final yet, and how long that is waited for.

Owns the newest of them. Pure: no clock, no frames. A recogniser that dies in mid-word, or never closes a text, has
heard the caller all the same.
"""

from __future__ import annotations

from dataclasses import replace

from pipecat_interrupt.overlap.actions import Text

UNFINISHED_S = 3.0
"""How long unfinished words wait for their final text behind the last of them and the end of the voice; our choice:
more than a stream takes for it, less than a patient waits for a reply."""

UNFINISHED_S_MAX = 12.0
"""The same while a voice goes on that adds nothing to them, such as noise."""


class Unfinished:
    """The newest unfinished words. Times are seconds of one clock, never falling."""

    def __init__(self) -> None:
        self.text: Text | None = None
        self._told_s = self._ended_s = 0.0
        self._voice_on = False

    @property
    def due_s(self) -> float | None:
        """When they are taken as they are; None when there are none."""
        if self.text is None:
            return None
        if self._voice_on:
            return self._told_s + UNFINISHED_S_MAX
        return min(max(self._told_s, self._ended_s) + UNFINISHED_S, self._told_s + UNFINISHED_S_MAX)

    def voice(self, now_s: float, on: bool) -> None:
        """A voice began or ended."""
        self._voice_on = on
        if not on:
            self._ended_s = now_s

    def told(self, now_s: float, text: Text) -> None:
        """The recogniser tells words, in place of those before."""
        self.text, self._told_s = text, now_s

    def gone(self) -> None:
        """They became final, or are nobody's to keep."""
        self.text = None

    def kept(self, number: int | None = None) -> Text:
        """Take them as they are, marked; under another number where one is given. "" when there are none."""
        text, self.text = self.text, None
        if text is None:
            return Text(number or 0, "")
        return replace(text, number=text.number if number is None else number, final=True, low_certainty=True)
