"""A recogniser double: it knows what is said and when, and tells it the way real services do.

Owns transcripts only; which audio carries the words is the input transport's business.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any, Literal

from pipecat.frames.frames import (
    Frame,
    InterimTranscriptionFrame,
    StartFrame,
    TranscriptionFrame,
    VADUserStartedSpeakingFrame,
    VADUserStoppedSpeakingFrame,
)
from pipecat.processors.frame_processor import FrameDirection
from pipecat.services.settings import STTSettings
from pipecat.services.stt_service import STTService
from pipecat.utils.time import time_now_iso8601

from pipecat_interrupt.testing.voice import Speech

STTMode = Literal["segmented", "streaming"]
"""segmented: one final transcript after each VAD segment (Whisper). streaming: interim transcripts as words end and a
final one at the end of each utterance, whatever the VAD says (Deepgram)."""


@dataclass(frozen=True, slots=True)
class HeardWord:
    """A word at the recogniser's input: its text, loop times, speaker, and which utterance it belongs to."""

    text: str
    start_s: float
    end_s: float
    user_id: str
    utterance: int


class ScriptedSTT(STTService):
    """A recogniser double.

    Args:
        mode: See `STTMode`.
        delay_s: segmented: VAD stop to transcript. streaming: word end to interim transcript.
        final_delay_s: streaming: end of the utterance to its final transcript.
        interims: Whether the streaming mode sends interim transcripts.
        finals: Whether the streaming mode ever makes a text final; a recogniser that dies does not. May be set later.
        emit_vad: Push VAD frames itself, for pipelines without audio; `vad_delay_s` after each onset and end.
        vad_delay_s: See `emit_vad`.
        kwargs: Further `STTService` arguments, for example `ttfs_p99_latency`.
    """

    def __init__(
        self,
        mode: STTMode = "segmented",
        *,
        delay_s: float = 0.25,
        final_delay_s: float = 0.3,
        interims: bool = True,
        finals: bool = True,
        emit_vad: bool = False,
        vad_delay_s: float = 0.2,
        **kwargs: Any,
    ) -> None:
        kwargs.setdefault("settings", STTSettings(model="scripted", language=None))
        kwargs.setdefault("ttfs_p99_latency", max(0.1, delay_s if mode == "segmented" else final_delay_s))
        super().__init__(**kwargs)
        self.mode: STTMode = mode
        self.segments = mode == "segmented"
        self.words: list[HeardWord] = []
        self._delay_s = delay_s
        self._final_delay_s = final_delay_s
        self._interims = interims
        self.finals = finals
        self._emit_vad = emit_vad
        self._vad_delay_s = vad_delay_s
        self._told = 0
        self._utterances = 0
        self._started = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._speaking = 0

    def hear(self, speech: Speech, *, at_s: float, user_id: str = "user", text: str | None = None) -> None:
        """Tell the recogniser that a clip sounds from a loop time on.

        Args:
            speech: The clip; a clip without words (a cough) gives no transcript.
            at_s: Loop time of its first sample, now or later.
            user_id: Speaker label of the transcripts.
            text: What is recognised instead of the clip's own words (misrecognition, hallucination); its words share
                the clip's time evenly.
        """
        self._utterances += 1
        spans = [(word.text, word.start_s, word.end_s) for word in speech.words]
        if text is not None:
            tokens = text.split()
            each_s = speech.duration_s / max(1, len(tokens))
            spans = [(token, i * each_s, (i + 1) * each_s) for i, token in enumerate(tokens)]
        heard = [HeardWord(word, at_s + a, at_s + b, user_id, self._utterances) for word, a, b in spans]
        self.words += heard
        self.words.sort(key=lambda word: word.end_s)
        if self._emit_vad:
            self._spawn(self._vad(at_s, at_s + speech.duration_s))
        if self.mode == "streaming" and heard:
            self._spawn(self._stream(heard))

    async def run_stt(self, audio: bytes) -> AsyncGenerator[Frame | None, None]:
        """Ignore the audio."""
        yield None

    async def start(self, frame: StartFrame) -> None:
        """Accept work."""
        await super().start(frame)
        self._started = True

    async def cleanup(self) -> None:
        """Drop what is still to be told."""
        for task in list(self._tasks):
            await self.cancel_task(task)
        await super().cleanup()

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Transcribe a segment when the VAD closes it."""
        await super().process_frame(frame, direction)
        if self.mode == "segmented" and isinstance(frame, VADUserStoppedSpeakingFrame):
            self._close_segment()

    def _close_segment(self) -> None:
        now_s = asyncio.get_running_loop().time()
        segment: list[HeardWord] = []
        while self._told < len(self.words) and self.words[self._told].end_s <= now_s:
            segment.append(self.words[self._told])
            self._told += 1
        if segment:
            self._spawn(self._tell_segment(segment))

    async def _tell_segment(self, segment: list[HeardWord]) -> None:
        await asyncio.sleep(self._delay_s)
        await self.push_frame(_final(segment))

    async def _stream(self, words: list[HeardWord]) -> None:
        loop = asyncio.get_running_loop()
        for count, word in enumerate(words, start=1):
            await asyncio.sleep(max(0.0, word.end_s + self._delay_s - loop.time()))
            if self._interims and (count < len(words) or not self.finals):
                text = " ".join(w.text for w in words[:count])
                await self.push_frame(InterimTranscriptionFrame(text, word.user_id, time_now_iso8601()))
        await asyncio.sleep(max(0.0, words[-1].end_s + self._final_delay_s - loop.time()))
        if self.finals:
            await self.push_frame(_final(words))

    async def _vad(self, start_s: float, end_s: float) -> None:
        """Play the VAD for one utterance; overlapping utterances make one segment."""
        loop = asyncio.get_running_loop()
        await asyncio.sleep(max(0.0, start_s + self._vad_delay_s - loop.time()))
        self._speaking += 1
        if self._speaking == 1:
            await self._both(VADUserStartedSpeakingFrame(start_secs=self._vad_delay_s))
        await asyncio.sleep(max(0.0, end_s + self._vad_delay_s - loop.time()))
        self._speaking -= 1
        if self._speaking == 0:
            await self._both(VADUserStoppedSpeakingFrame(stop_secs=self._vad_delay_s))
            if self.mode == "segmented":
                self._close_segment()

    async def _both(self, frame: Frame) -> None:
        await self.push_frame(frame, FrameDirection.DOWNSTREAM)

    def _spawn(self, work: Any) -> None:
        task = self.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _final(words: list[HeardWord]) -> TranscriptionFrame:
    text = " ".join(word.text for word in words)
    frame = TranscriptionFrame(text, words[-1].user_id, time_now_iso8601())
    frame.finalized = True
    return frame
