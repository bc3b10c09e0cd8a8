"""The local ear as a Pipecat service. Owns its one worker thread; never blocks the event loop."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from loguru import logger
from pipecat.frames.frames import (
    ErrorFrame,
    Frame,
    InputAudioRawFrame,
    TranscriptionFrame,
    UserAudioRawFrame,
    VADUserStoppedSpeakingFrame,
)
from pipecat.processors.frame_processor import FrameDirection
from pipecat.services.settings import STTSettings
from pipecat.services.stt_service import SegmentedSTTService, STTService
from pipecat.transcriptions.language import Language
from pipecat.utils.time import time_now_iso8601
from pipecat.utils.tracing.service_decorators import traced_stt

from .whisper_ear import RATE_HZ, EarSettings, WhisperEar

TIMINGS_MAX = 1024  # segments remembered for statistics
# Final text may follow the end of speech by this much: Pipecat's default of 1 s is too short for Whisper on 2 cores.
TTFS_P99_S = 3.0

OnSegment = Callable[[str | None], Awaitable[None] | None]
"""Told the text of each finished segment, or None when it gave no text (noise, or a failed decode)."""


class Ear(Protocol):
    """Turns a stretch of speech into text; called from one worker thread only."""

    def hear(self, samples: np.ndarray, language: str | None) -> str | None:
        """Text of float32 samples (16 kHz mono), or None for no speech."""
        ...


@dataclass(frozen=True, slots=True)
class SegmentTiming:
    """How long one segment took.

    Parameters:
        audio_s: Length of the segment, pre-roll and trailing silence included.
        decode_s: From the start of the decode to its end, waiting for the worker included.
        had_text: Whether it gave text.
    """

    audio_s: float
    decode_s: float
    had_text: bool


class TunedWhisperSTT(SegmentedSTTService):
    """Whisper for live calls on a small machine.

    Differs from Pipecat's `WhisperSTTService`: greedy decoding with a thread cap, warm from the start; a segment counts
    as *final* only when no later speech of the same turn is being spoken or waits to be decoded (Pipecat marks every
    segment final, so a turn can end without its second sentence); a segment without text is reported; audio of any rate
    is brought to 16 kHz (Pipecat would read 8 kHz audio at double speed).

    If the last of several segments turns out to be noise, nothing final follows and the turn ends by its timeout
    (`ttfs_p99_latency` minus the VAD's stop time).

    Args:
        model: Folder of a CTranslate2 Whisper model. None: the default of the local profile, from the weights store.
        language: Language of the call; a region is dropped ("pt-PT" is heard as "pt"). None: the model decides.
        ear_settings: Threads, limits, hotwords.
        on_segment: Called after each segment, behind its transcript; see `OnSegment`. May be set later. An exception in
            it becomes a non-fatal error frame.
        ttfs_p99_latency: Seconds from the end of speech to the final text that 99 % of replies stay under.
        ear: A ready ear to use instead of loading `model` (tests, other engines).
        **kwargs: Passed to Pipecat's `SegmentedSTTService`.

    Raises:
        MissingExtra: faster-whisper is not installed.
        WeightsError: The default model is asked for and not ready.
    """

    def __init__(
        self,
        *,
        model: Path | None = None,
        language: Language | str | None = Language.EN,
        ear_settings: EarSettings | None = None,
        on_segment: OnSegment | None = None,
        ttfs_p99_latency: float = TTFS_P99_S,
        ear: Ear | None = None,
        **kwargs: Any,
    ) -> None:
        if ear is None:
            from pipecat_interrupt.weights import ensure

            model = model or ensure("whisper-base")
            ear = WhisperEar(model, ear_settings)
        super().__init__(
            sample_rate=RATE_HZ,
            ttfs_p99_latency=ttfs_p99_latency,
            settings=STTSettings(model=model.name if model else type(ear).__name__, language=language),
            **kwargs,
        )
        self.on_segment = on_segment
        self.timings: deque[SegmentTiming] = deque(maxlen=TIMINGS_MAX)
        self._ear = ear
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="ear")
        self._waiting = 0
        self._resampler: Any = None
        self._resampler_rate_hz = 0

    @property
    def wants_wav_segments(self) -> bool:
        """False: the model reads raw 16-bit samples."""
        return False

    def can_generate_metrics(self) -> bool:
        """True: processing time and time to the final text are measured."""
        return True

    def language_to_service_language(self, language: Language) -> str | None:
        """Whisper knows languages, not regions: "pt-PT" becomes "pt"."""
        return str(language.value).split("-")[0].lower()

    async def push_frame(self, frame: Frame, direction: FrameDirection = FrameDirection.DOWNSTREAM) -> None:
        """Push a frame; a transcript is final only if no speech of this turn is still to be heard or decoded."""
        more_to_come = self._user_speaking or self._waiting > 0
        if isinstance(frame, TranscriptionFrame) and more_to_come:
            frame.finalized = False
            await STTService.push_frame(self, frame, direction)  # past SegmentedSTTService, which would set it
            return
        await super().push_frame(frame, direction)

    async def _handle_user_stopped_speaking(self, frame: VADUserStoppedSpeakingFrame) -> None:
        """Count the segment that is queued now (the queue itself also holds the end marker of a graceful stop)."""
        if self.is_usable:
            self._waiting += 1
        await super()._handle_user_stopped_speaking(frame)

    async def process_audio_frame(self, frame: InputAudioRawFrame, direction: FrameDirection) -> None:
        """Buffer audio for the next segment, as 16 kHz mono whatever it came as."""
        if frame.sample_rate != RATE_HZ or frame.num_channels != 1:
            frame = self._as_model_input(frame)
        await super().process_audio_frame(frame, direction)

    def _as_model_input(self, frame: InputAudioRawFrame) -> InputAudioRawFrame:
        """A 16 kHz mono copy; the frame itself goes on unchanged to the rest of the pipeline."""
        pcm = frame.audio
        if frame.num_channels > 1:
            usable = len(pcm) - len(pcm) % (2 * frame.num_channels)
            channels = np.frombuffer(pcm[:usable], np.int16).reshape(-1, frame.num_channels)
            pcm = channels.mean(axis=1).astype(np.int16).tobytes()
        if frame.sample_rate != RATE_HZ:
            if self._resampler_rate_hz != frame.sample_rate:
                self._resampler = _stream_resampler(frame.sample_rate)
                self._resampler_rate_hz = frame.sample_rate
            pcm = self._resampler.resample_chunk(np.frombuffer(pcm, np.int16)).tobytes()
        if isinstance(frame, UserAudioRawFrame):
            return UserAudioRawFrame(audio=pcm, sample_rate=RATE_HZ, num_channels=1, user_id=frame.user_id)
        return InputAudioRawFrame(pcm, RATE_HZ, 1)

    @traced_stt
    async def _handle_transcription(
        self, transcript: str, is_final: bool, language: Language | str | None = None
    ) -> None:
        """Exists for tracing."""

    async def run_stt(self, audio: bytes) -> AsyncGenerator[Frame, None]:
        """Transcribe one segment and tell `on_segment`.

        Args:
            audio: 16-bit mono samples at 16 kHz.

        Yields:
            One transcript, or nothing when the segment gave no text, or a non-fatal error frame.
        """
        self._waiting = max(0, self._waiting - 1)
        await self.start_processing_metrics()
        started_s = time.monotonic()
        samples = np.frombuffer(audio[: len(audio) // 2 * 2], np.int16).astype(np.float32) / 32768.0
        language = self._settings.language
        code = str(language) if isinstance(language, str) else None
        text: str | None = None
        try:
            text = await asyncio.get_running_loop().run_in_executor(self._worker, self._ear.hear, samples, code)
        except Exception as error:  # noqa: BLE001 - an ear that fails must not end the call
            logger.warning("local ear failed: {}", type(error).__name__)
            yield ErrorFrame(error=f"local ear failed: {type(error).__name__}: {error}")
        await self.stop_processing_metrics()
        timing = SegmentTiming(len(samples) / RATE_HZ, time.monotonic() - started_s, text is not None)
        self.timings.append(timing)
        if text is not None:
            await self._handle_transcription(text, True, code)
            yield TranscriptionFrame(text, self._user_id, time_now_iso8601(), _as_language(code))
        await self._tell(text)

    async def _tell(self, text: str | None) -> None:
        if self.on_segment is None:
            return
        try:
            told = self.on_segment(text)
            if inspect.isawaitable(told):
                await told
        except Exception as error:  # noqa: BLE001 - a listener that fails must not stop the ear
            await self.push_error(f"on_segment failed: {type(error).__name__}", exception=error)

    async def cleanup(self) -> None:
        """Stop the worker without waiting for a decode nobody will read."""
        await super().cleanup()
        self._worker.shutdown(wait=False, cancel_futures=True)


def _stream_resampler(rate_hz: int) -> Any:
    """A resampler to 16 kHz that keeps at most 30 ms back, well inside the silence the VAD waits for."""
    import soxr

    return soxr.ResampleStream(rate_hz, RATE_HZ, 1, dtype="int16", quality="HQ")


def _as_language(code: str | None) -> Language | None:
    try:
        return Language(code) if code else None
    except ValueError:
        return None
