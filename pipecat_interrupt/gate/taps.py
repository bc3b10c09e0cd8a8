"""Tells the gate what the agent played: placed directly behind the transport's output."""

from __future__ import annotations

import asyncio

import numpy as np
from loguru import logger
from pipecat.frames.frames import Frame, OutputAudioRawFrame
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor

from speaker_gate import CallGate


class AgentAudioTap(FrameProcessor):
    """Passes everything on; audio that was really written is noted as the agent's own sound.

    Args:
        gate: The call's gate.
    """

    reads_caller_audio = False

    def __init__(self, gate: CallGate) -> None:
        super().__init__(enable_direct_mode=True)
        self._gate = gate
        self._until_s = 0.0

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Note agent audio on its way out."""
        await super().process_frame(frame, direction)
        if direction is FrameDirection.DOWNSTREAM and isinstance(frame, OutputAudioRawFrame):
            self._note(frame)
        await self.push_frame(frame, direction)

    def _note(self, frame: OutputAudioRawFrame) -> None:
        try:
            samples = np.frombuffer(frame.audio, dtype=np.int16)
            if frame.num_channels > 1:
                samples = samples.reshape(-1, frame.num_channels).mean(axis=1).astype(np.int16)
            start_s = max(self._until_s, asyncio.get_running_loop().time())
            self._until_s = start_s + len(samples) / frame.sample_rate
            self._gate.agent_played(start_s, samples, frame.sample_rate)
        except Exception as error:
            logger.warning("agent audio could not be noted: {}", type(error).__name__)
