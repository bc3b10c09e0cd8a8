"""Transcript frames that wait for the verdict on their words.

Owns the frames of one call by the number of their text.
"""

from __future__ import annotations

from pipecat.frames.frames import InterimTranscriptionFrame, TranscriptionFrame

from pipecat_interrupt.overlap.actions import Text
from pipecat_interrupt.overlap.late import LOW_CERTAINTY_KEY
from pipecat_interrupt.overlap.transcripts import as_final

FRAMES_MAX = 256
"""Most transcript frames kept (a session settles at 64 texts; unfinished ones make up the rest)."""

AnyTranscript = TranscriptionFrame | InterimTranscriptionFrame


class WaitingFrames:
    """Keeps frames until their words are let go or refused."""

    def __init__(self) -> None:
        self._frames: dict[int, AnyTranscript] = {}
        self._count = 0

    def keep(self, frame: AnyTranscript) -> int:
        """Keep a frame; gives the number of its text."""
        self._count += 1
        while len(self._frames) >= FRAMES_MAX:
            self._frames.pop(next(iter(self._frames)))
        self._frames[self._count] = frame
        return self._count

    def take(self, text: Text) -> AnyTranscript | None:
        """Give the frame of a text that goes on, as its words go on; None when it is gone.

        The frame of unfinished words stays: they may never become final.
        """
        frame = self._frames.pop(text.number, None) if text.final else self._frames.get(text.number)
        if frame is None:
            return None
        if text.final and isinstance(frame, InterimTranscriptionFrame):
            frame = as_final(frame)
        if text.low_certainty:
            frame.text = text.text
            frame.metadata[LOW_CERTAINTY_KEY] = True
        return frame

    def drop(self, number: int) -> AnyTranscript | None:
        """Let a frame go; None when it is gone already."""
        return self._frames.pop(number, None)
