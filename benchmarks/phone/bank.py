"""What hears, thinks and speaks in these calls: doubles that cost nothing and need no word from the caller's process.

Owns the ear. The caller is in another process, so the ear goes by how long somebody spoke: short is "No.", long is an
interruption. A slow recogniser is one whose words come late.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator
from typing import Any

from pipecat.frames.frames import Frame, TranscriptionFrame, VADUserStartedSpeakingFrame, VADUserStoppedSpeakingFrame
from pipecat.processors.frame_processor import FrameDirection
from pipecat.services.settings import STTSettings
from pipecat.services.stt_service import STTService
from pipecat.utils.time import time_now_iso8601

from pipecat_interrupt.serve.registry import PhoneCall
from pipecat_interrupt.serve.services import CallServices
from pipecat_interrupt.testing import EnergyVAD, ScriptedLLM, ScriptedTTS, Voice

SHORT = "No."
LONG = "Wait, please stop."
QUESTION = "Sorry, which one?"
"""What a long stretch is where the model leads."""

SHORT_S_MAX = 0.9
DELAY_S = 0.05
SLOW_S = 3.0
"""A recogniser under load: longer than any turn strategy waits."""

AGENT = Voice(pitch_hz=190.0, tract=1.12, letter_s=0.04)


class LengthSTT(STTService):
    """A recogniser double that tells words by the length of a stretch of speech.

    Args:
        delay_s: From the end of the speech to its transcript.
        long: What a long stretch is.
    """

    def __init__(self, delay_s: float = DELAY_S, long: str = LONG) -> None:
        super().__init__(settings=STTSettings(model="length", language=None), ttfs_p99_latency=max(0.1, DELAY_S))
        self._delay_s, self._since_s, self._long = delay_s, 0.0, long
        self._telling: set[asyncio.Task[None]] = set()

    async def run_stt(self, audio: bytes) -> AsyncGenerator[Frame | None, None]:
        """Ignore the audio."""
        del audio
        yield None

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Tell what was said when the VAD closes a segment."""
        await super().process_frame(frame, direction)
        now_s = asyncio.get_running_loop().time()
        if isinstance(frame, VADUserStartedSpeakingFrame):
            self._since_s = now_s
        elif isinstance(frame, VADUserStoppedSpeakingFrame) and self._since_s:
            task = self.create_task(self._tell(SHORT if now_s - self._since_s < SHORT_S_MAX else self._long))
            self._telling.add(task)
            task.add_done_callback(self._telling.discard)

    async def cleanup(self) -> None:
        """Drop what is still to be told."""
        for task in list(self._telling):
            await self.cancel_task(task)
        await super().cleanup()

    async def _tell(self, text: str) -> None:
        await asyncio.sleep(self._delay_s)
        frame = TranscriptionFrame(text, "caller", time_now_iso8601())
        frame.finalized = True
        await self.push_frame(frame)


class PhoneBank:
    """Services of these calls; see `ServiceBank`.

    Args:
        slow_rate: Share of calls whose recogniser is slow, in [0, 1].
        seed: Of that chance; each call's own is drawn with its carrier's name, so that it is the same on any worker.
        lines: What the language model says, in order, over and over; () for a model that says nothing.
    """

    def __init__(self, slow_rate: float = 0.0, seed: int = 0, lines: tuple[str, ...] = ()) -> None:
        self._slow_rate, self._seed, self._lines = slow_rate, seed, lines

    async def start(self) -> None:
        """Nothing to load."""

    async def stop(self) -> None:
        """Nothing to release."""

    async def services(self, call: PhoneCall) -> CallServices:
        """Make the services of one call."""
        slow = random.Random(f"{self._seed}:{call.carrier_id}").random() < self._slow_rate
        return CallServices(
            stt=LengthSTT(SLOW_S if slow else DELAY_S, QUESTION if self._lines else LONG),
            llm=ScriptedLLM(repeated(self._lines)),
            tts=ScriptedTTS("words", voice=AGENT, first_audio_s=0.02, speed=40.0),
            vad=EnergyVAD(),
        )


def repeated(lines: tuple[str, ...]) -> Any:
    """Give a script that begins again when it is through; silence for no lines."""
    if not lines:
        return ()
    count = 0

    def script(messages: list[dict[str, Any]]) -> str:
        nonlocal count
        del messages
        count += 1
        return lines[(count - 1) % len(lines)]

    return script
