"""The agent's local voice as a Pipecat service with word timestamps.

Owns its one worker thread and the time offset of each open audio context. Never blocks the event loop.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Protocol

from loguru import logger
from pipecat.frames.frames import ErrorFrame, Frame, TTSAudioRawFrame
from pipecat.services.settings import TTSSettings
from pipecat.services.tts_service import TTSService
from pipecat.utils.tracing.service_decorators import traced_tts

from .piper_voice import PiperVoiceWithTimes, SpokenSentence

FRAME_S = 0.2
# Pipecat gives a voice 3 s between two frames, then calls its utterance over although its audio still comes. A sentence
# on a busy machine takes longer.
PATIENCE_S = 30.0
CONTEXTS_MAX = 64  # offsets kept at once; a call has one or two contexts open


class TimedVoice(Protocol):
    """A voice that gives sentences with word starts; called from one worker thread only."""

    def speak(self, text: str, rate_hz: int) -> Iterator[SpokenSentence]:
        """Yield the sentences of `text` in order, at `rate_hz`."""
        ...

    def warm_up(self) -> None:
        """Make the first `speak` as fast as the later ones."""
        ...


class TimedPiperTTS(TTSService):
    """Piper with one `TTSTextFrame` a word, timed by the voice's own durations.

    Pipecat's own `PiperTTSService` gives one text frame for a whole sentence, so nobody can say which words of a cut
    sentence were heard. This one behaves like Pipecat's services with word timestamps: words as written, in order,
    times from the start of the context's audio. Audio comes at the transport's rate, whole sentences resampled at once.

    An interruption drops the sentence being synthesised (the worker finishes it unheard: at most one sentence of work).
    A failure becomes a non-fatal error frame, and the text that was not spoken is not reported as spoken.

    Args:
        voice: The `.onnx` file of a Piper voice. None: the default voice of the local profile, from the weights store.
        sample_rate: Output rate in Hz. None: the transport's output rate.
        threads: Threads of one synthesis. One is enough for real time and leaves the other core to the rest.
        engine: A ready voice to use instead of loading `voice` (tests, other engines).
        **kwargs: Passed to Pipecat's `TTSService`.

    Raises:
        MissingExtra: piper-tts, onnx or onnxruntime is not installed.
        WeightsError: The default voice is asked for and not ready.
    """

    def __init__(
        self,
        *,
        voice: Path | None = None,
        sample_rate: int | None = None,
        threads: int = 1,
        engine: TimedVoice | None = None,
        **kwargs: Any,
    ) -> None:
        if engine is None:
            from pipecat_interrupt.weights import ensure

            voice = voice or ensure("piper-joe")
            engine = PiperVoiceWithTimes(voice, threads)
        name = voice.stem if voice else type(engine).__name__
        super().__init__(
            push_text_frames=False,
            push_start_frame=True,
            push_stop_frames=True,
            sample_rate=sample_rate,
            stop_frame_timeout_s=kwargs.pop("stop_frame_timeout_s", PATIENCE_S),
            settings=TTSSettings(model="piper", voice=name, language=None),
            **kwargs,
        )
        self._engine = engine
        self._offsets_s: dict[str, float] = {}
        self._failed: set[str] = set()
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="voice")
        self._engine.warm_up()

    def can_generate_metrics(self) -> bool:
        """True: time to first byte and usage are measured."""
        return True

    @traced_tts
    async def run_tts(self, text: str, context_id: str) -> AsyncGenerator[Frame | None, None]:
        """Speak `text`: per sentence its timed words, then its audio in frames of 0.2 s.

        Args:
            text: Any text; see `PiperVoiceWithTimes.speak`.
            context_id: The audio context the sentences belong to; times run on over its sentences.
        """
        await self.start_tts_usage_metrics(text)
        try:
            sentences = self._engine.speak(text, self.sample_rate)
            while (sentence := await self._in_worker(sentences)) is not None:
                offset_s = self._advance(context_id, sentence.seconds)
                timed = [(word, offset_s + start_s) for word, start_s in sentence.words]
                await self.add_word_timestamps(timed, context_id)
                step = 2 * int(self.sample_rate * FRAME_S)
                for i in range(0, len(sentence.pcm), step):
                    yield TTSAudioRawFrame(sentence.pcm[i : i + step], self.sample_rate, 1, context_id=context_id)
        except Exception as error:  # noqa: BLE001 - a voice that fails must not end the call
            logger.warning("local voice failed: {}", type(error).__name__)
            self._failed.add(context_id)
            yield ErrorFrame(error=f"local voice failed: {type(error).__name__}: {error}")

    async def _in_worker(self, sentences: Iterator[SpokenSentence]) -> SpokenSentence | None:
        return await asyncio.get_running_loop().run_in_executor(self._worker, lambda: next(sentences, None))

    def _advance(self, context_id: str, seconds: float) -> float:
        """Where this sentence begins in its context, in seconds; moves the mark behind it."""
        offset_s = self._offsets_s.pop(context_id, 0.0)
        while len(self._offsets_s) >= CONTEXTS_MAX:
            self._offsets_s.pop(next(iter(self._offsets_s)))
        self._offsets_s[context_id] = offset_s + seconds
        return offset_s

    async def _apply_force_complete(self, context_id: str) -> None:
        """Keep text that was never spoken from being pushed as if it were.

        At the end of a context Pipecat pushes whatever text has no word times yet, trusting that its audio was heard.
        After a failure there is no such audio.
        """
        if context_id in self._failed:
            self._aggregated_frame_sequencer.clear(keep_contexts=set(self._tts_contexts) - {context_id})
            return
        await super()._apply_force_complete(context_id)

    def _forget(self, context_id: str) -> None:
        self._offsets_s.pop(context_id, None)
        self._failed.discard(context_id)

    async def on_audio_context_interrupted(self, context_id: str) -> None:
        """Forget what belongs to a context that was cut."""
        self._forget(context_id)
        await super().on_audio_context_interrupted(context_id)

    async def on_audio_context_completed(self, context_id: str) -> None:
        """Forget what belongs to a context that has ended (or timed out: a re-created one starts at zero)."""
        self._forget(context_id)
        await super().on_audio_context_completed(context_id)

    async def cleanup(self) -> None:
        """Stop the worker without waiting for a sentence nobody will hear."""
        await super().cleanup()
        self._worker.shutdown(wait=False, cancel_futures=True)
        self._offsets_s.clear()
        self._failed.clear()
