"""A tap that writes down what passes: frame, direction, text and loop time. It never queues, so it loses nothing."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass

from pipecat.frames.frames import Frame, InputAudioRawFrame, OutputAudioRawFrame
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor

LOG_ENTRIES_MAX = 1_000_000
"""Entries kept by one log; later ones are counted in `dropped` only."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One frame that passed.

    Parameters:
        at_s: Loop time.
        tap: Name of the log.
        kind: Class name of the frame.
        direction: "DOWNSTREAM" or "UPSTREAM".
        text: Its text, "" where it has none.
        frame: The frame itself.
    """

    at_s: float
    tap: str
    kind: str
    direction: str
    text: str
    frame: Frame


class FrameLog(FrameProcessor):
    """Direct-mode tap.

    Args:
        name: Shown in the entries.
        kinds: Frame classes to keep; None keeps all but audio.
        audio: Also keep audio frames (when `kinds` is None).
    """

    def __init__(
        self, name: str = "log", *, kinds: type[Frame] | tuple[type[Frame], ...] | None = None, audio: bool = False
    ) -> None:
        super().__init__(name=f"FrameLog-{name}", enable_direct_mode=True)
        self.entries: list[LogEntry] = []
        self.dropped = 0
        self._tap = name
        self._kinds = kinds
        self._audio = audio

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Note the frame and pass it on."""
        await super().process_frame(frame, direction)
        if self._wanted(frame):
            if len(self.entries) < LOG_ENTRIES_MAX:
                text = getattr(frame, "text", "") or ""
                now_s = asyncio.get_running_loop().time()
                entry = LogEntry(now_s, self._tap, type(frame).__name__, direction.name, str(text), frame)
                self.entries.append(entry)
            else:
                self.dropped += 1
        await self.push_frame(frame, direction)

    def of(self, *kinds: type[Frame], direction: str | None = None) -> list[LogEntry]:
        """Return the entries of some frame classes, in order."""
        return [
            entry
            for entry in self.entries
            if (not kinds or isinstance(entry.frame, kinds)) and direction in (None, entry.direction)
        ]

    def golden(self, start_s: float = 0.0) -> str:
        """Return a hash over time since `start_s`, class, direction and text: equal for equal runs.

        Frame ids and wall-clock stamps are left out; they differ between runs that are the same.
        """
        rows = [(round(e.at_s - start_s, 6), e.tap, e.kind, e.direction, e.text) for e in self.entries]
        return hashlib.sha256(repr(rows).encode()).hexdigest()[:16]

    def _wanted(self, frame: Frame) -> bool:
        if self._kinds is not None:
            return isinstance(frame, self._kinds)
        return self._audio or not isinstance(frame, (InputAudioRawFrame, OutputAudioRawFrame))
