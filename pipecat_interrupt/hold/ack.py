"""The tap directly behind the output transport: what passes here has been written.

Owns nothing but the counting of it. Direct mode: an interruption cannot overtake what it saw.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

from pipecat.frames.frames import (
    BotStoppedSpeakingFrame,
    EndFrame,
    Frame,
    TTSAudioRawFrame,
    TTSStoppedFrame,
    TTSTextFrame,
)
from pipecat.processors.frame_processor import FrameDirection

from pipecat_interrupt.hold.express import TALK_FRAMES, ExpressAudio
from pipecat_interrupt.hold.frames import HoldKeepAliveFrame, ProtectedEndFrame
from pipecat_interrupt.hold.gate import HoldGate


class CutWatcher(Protocol):
    """Knows which protected utterance is being thrown away inside the transport."""

    @property
    def cut_context_id(self) -> str | None:
        """Its context, None when nothing is."""
        ...

    def on_protected_end(self, context_id: str) -> None:
        """The end of a protected utterance has come out of the transport."""
        ...


class AckTap(ExpressAudio):
    """Stands directly behind the output transport and reports to the gate before it.

    Args:
        gate: The gate.
        watcher: Who waits for the end of cut utterances; None nobody.
        destination: The transport destination that is counted.
    """

    express_frames = TALK_FRAMES - {BotStoppedSpeakingFrame, TTSStoppedFrame, TTSTextFrame}
    glanced_frames = frozenset({TTSAudioRawFrame})

    def __init__(self, gate: HoldGate, *, watcher: CutWatcher | None = None, destination: str | None = None) -> None:
        super().__init__(enable_direct_mode=True)
        self._gate = gate
        self._watcher = watcher
        self._destination = destination
        self.on_written: Callable[[bytes, int, float], None] | None = None

    def glance(self, frame: Frame, direction: FrameDirection) -> None:
        """Count written audio that goes by on the short way."""
        if direction == FrameDirection.DOWNSTREAM:
            self._consumes(frame)

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Count written audio; keep the hold's own frames and the words of cut utterances to itself."""
        await super().process_frame(frame, direction)
        if direction == FrameDirection.DOWNSTREAM and self._consumes(frame):
            return
        await self.push_frame(frame, direction)

    def _consumes(self, frame: Frame) -> bool:
        if isinstance(frame, TTSAudioRawFrame):
            if frame.transport_destination == self._destination:
                self._written(frame)
        elif isinstance(frame, HoldKeepAliveFrame):
            return True
        elif isinstance(frame, ProtectedEndFrame):
            if self._watcher is not None:
                self._watcher.on_protected_end(frame.context_id)
            return True
        elif isinstance(frame, TTSTextFrame):
            return self._watcher is not None and frame.context_id == self._watcher.cut_context_id is not None
        elif isinstance(frame, TTSStoppedFrame):
            if frame.context_id:
                self._gate.flights.forget(frame.context_id)
        elif isinstance(frame, BotStoppedSpeakingFrame):
            self._gate.flights.stopped()
        elif isinstance(frame, EndFrame):
            self._gate.owner.on_end()
        return False

    def _written(self, frame: TTSAudioRawFrame) -> None:
        seconds = frame.num_frames / frame.sample_rate
        now_s = asyncio.get_running_loop().time()
        if self.on_written is not None and frame.num_channels == 1:
            self.on_written(frame.audio, frame.sample_rate, now_s)
        self._gate.pacer.acknowledged(seconds, now_s)
        self._gate.flights.written(seconds, protected=not frame.interruptible)
        if len(self._gate.order):
            self._gate.wake()
