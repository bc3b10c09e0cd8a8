"""Text-to-speech doubles in every shape Pipecat knows, speaking sound whose word boundaries are exact.

Owns what the agent's voice would say and the truth about it. Each shape goes through Pipecat's own `TTSService`, so
sentence cutting, audio contexts, word timestamps and interruptions are the real ones.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np
from pipecat.frames.frames import Frame, LLMFullResponseStartFrame, StartFrame, TTSAudioRawFrame, TTSSpeakFrame
from pipecat.processors.frame_processor import FrameDirection
from pipecat.services.settings import TTSSettings
from pipecat.services.tts_service import TextAggregationMode, TTSService

from pipecat_interrupt.testing.voice import AGENT, PAUSES_S, WORD_GAP_S, Samples, Speech, SpokenWord, Voice, speech

TTSShape = Literal["inline", "streaming", "tokens", "words"]
"""inline: audio inside `run_tts`, no word times (Piper, Kokoro, OpenAI). streaming: audio arrives later, no word times
(Deepgram WS). tokens: streaming, text sent token by token (Deepgram Flux). words: streaming with word times (Cartesia,
ElevenLabs, Azure)."""

TTS_SHAPES: tuple[TTSShape, ...] = get_args(TTSShape)

AUDIO_FRAME_S = 0.2
"""Length of the audio frames the service pushes; deliberately not the transport's chunk."""


@dataclass(slots=True)
class SpokenContext:
    """Everything synthesised for one TTS context.

    Parameters:
        context_id: Pipecat's id of the context.
        words: Words with their place in the context's audio, seconds.
        parts: The audio, in order.
        complete: Whether the service was told that the context's text has ended.
        opened_by: Id of the frame that asked for it: the start of a reply, or a `TTSSpeakFrame`.
    """

    context_id: str
    words: list[SpokenWord] = field(default_factory=list)
    parts: list[Samples] = field(default_factory=list)
    complete: bool = False
    opened_by: int | None = None

    @property
    def text(self) -> str:
        """What the words say."""
        return " ".join(word.text for word in self.words)

    @property
    def samples(self) -> Samples:
        """All audio of the context; int16, mono."""
        return np.concatenate(self.parts) if self.parts else np.zeros(0, np.int16)


class ScriptedTTS(TTSService):
    """A TTS service double.

    Args:
        shape: See `TTSShape`.
        voice: How it sounds.
        first_audio_s: Time from text to first audio.
        speed: Synthesis speed as a multiple of real time; streaming shapes deliver at this pace.
        sample_rate_hz: None takes the pipeline's output rate, which is what a bot should do; set it to test resampling.
        speak: Another voice in place of the built-in sound: makes a clip of a text at a rate, in a thread of its own.
            For calls on the machine's clock only, and for every shape but inline.
        settings: Pipecat settings.
        kwargs: Further `TTSService` arguments, for example `text_transforms`.
    """

    reads_caller_audio = False

    def __init__(
        self,
        shape: TTSShape = "inline",
        *,
        voice: Voice = AGENT,
        first_audio_s: float = 0.1,
        speed: float = 10.0,
        sample_rate_hz: int | None = None,
        speak: Callable[[str, int], Speech] | None = None,
        **kwargs: Any,
    ) -> None:
        if shape not in TTS_SHAPES:
            raise ValueError(f"unknown TTS shape {shape!r}; one of {', '.join(TTS_SHAPES)}")
        if speak is not None and shape == "inline":
            raise ValueError("another voice needs a streaming shape: inline would block the loop")
        tokens = shape == "tokens"
        kwargs.setdefault("settings", TTSSettings(model="scripted", voice="scripted", language=None))
        kwargs.setdefault("push_text_frames", shape != "words")
        super().__init__(
            push_start_frame=True,
            push_stop_frames=True,
            sample_rate=sample_rate_hz,
            text_aggregation_mode=TextAggregationMode.TOKEN if tokens else TextAggregationMode.SENTENCE,
            **kwargs,
        )
        self.shape: TTSShape = shape
        self.contexts: list[SpokenContext] = []
        self._voice = voice
        self._speak = speak
        self._first_audio_s = first_audio_s
        self._speed = speed
        self.opened: dict[str, int | None] = {}
        """Which frame asked for a context, by the context's id: also for contexts no sound was made for."""

        self._opening: int | None = None
        self._by_id: dict[str, SpokenContext] = {}
        self._dropped: set[str] = set()
        self._unsaid: dict[str, str] = {}
        self._requests: asyncio.Queue[tuple[str, str | None]] = asyncio.Queue()
        self._receiver: asyncio.Task[None] | None = None

    async def start(self, frame: StartFrame) -> None:
        """Start the receive task of the streaming shapes."""
        await super().start(frame)
        if self.shape != "inline" and self._receiver is None:
            self._receiver = self.create_task(self._receive())

    async def cleanup(self) -> None:
        """Stop the receive task."""
        if self._receiver is not None:
            await self.cancel_task(self._receiver)
            self._receiver = None
        await super().cleanup()

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Note what is to be spoken next, then do what every service does."""
        if isinstance(frame, LLMFullResponseStartFrame | TTSSpeakFrame):
            self._opening = frame.id
        await super().process_frame(frame, direction)

    async def on_turn_context_created(self, context_id: str) -> None:
        """Note whose context it is."""
        self.opened[context_id] = self._opening
        await super().on_turn_context_created(context_id)

    def can_generate_metrics(self) -> bool:
        """Report metrics like a real service."""
        return True

    async def run_tts(self, text: str, context_id: str) -> AsyncGenerator[Frame | None, None]:
        """Synthesise inside the call (inline) or send the text off (all other shapes)."""
        self.opened.setdefault(context_id, self._opening)
        if self.shape != "inline":
            await self._requests.put((context_id, text))
            yield None
            return
        await asyncio.sleep(self._first_audio_s)
        for frame in self._synthesise(text, context_id):
            yield frame

    async def flush_audio(self, context_id: str | None = None) -> None:
        """Tell the far end that a context's text is complete."""
        if context_id and context_id in self._by_id:
            self._by_id[context_id].complete = True
        if self.shape != "inline" and context_id:
            await self._requests.put((context_id, None))

    async def on_audio_context_interrupted(self, context_id: str) -> None:
        """Forget an interrupted context: nothing more of it is sent."""
        self._dropped.add(context_id)
        self._unsaid.pop(context_id, None)

    async def _receive(self) -> None:
        while True:
            context_id, text = await self._requests.get()
            if context_id in self._dropped:
                continue
            if text is None:
                await self._finish(context_id)
            elif self.shape == "tokens":
                await self._add_token(context_id, text)
            else:
                await self._deliver(context_id, text)

    async def _add_token(self, context_id: str, token: str) -> None:
        """Collect tokens into words: a word is known when white space follows it."""
        text = self._unsaid.pop(context_id, "") + token
        head, space, tail = text.rpartition(" ")
        self._unsaid[context_id] = tail
        if space and head.strip():
            await self._deliver(context_id, head)

    async def _finish(self, context_id: str) -> None:
        rest = self._unsaid.pop(context_id, "")
        if rest.strip():
            await self._deliver(context_id, rest)
        if context_id not in self._dropped and self.audio_context_available(context_id):
            await self.remove_audio_context(context_id)

    async def _deliver(self, context_id: str, text: str) -> None:
        if context_id not in self._by_id:
            await asyncio.sleep(self._first_audio_s)
        known = len(self._by_id[context_id].words) if context_id in self._by_id else 0
        clip = None if self._speak is None else await asyncio.to_thread(self._speak, text, self.sample_rate)
        if clip is not None and context_id in self._dropped:
            return
        frames = self._synthesise(text, context_id, clip)
        if self.shape == "words":
            times = [(word.text, word.start_s) for word in self._by_id[context_id].words[known:]]
            await self.add_word_timestamps(times, context_id)
        for frame in frames:
            if context_id in self._dropped:
                return
            await self.append_to_audio_context(context_id, frame)
            await asyncio.sleep(frame.num_frames / frame.sample_rate / self._speed)

    def _synthesise(self, text: str, context_id: str, clip: Speech | None = None) -> list[TTSAudioRawFrame]:
        """Speak a text into a context, or take the clip that was made of it, and note the truth about it."""
        context = self._by_id.get(context_id)
        if context is None:
            context = self._by_id[context_id] = SpokenContext(context_id, opened_by=self.opened.get(context_id))
            self.contexts.append(context)
        rate = self.sample_rate
        start = sum(len(part) for part in context.parts)
        clip = clip or speech(text, self._voice, rate)
        last = clip.text.split()[-1][-1] if clip.words else "."
        samples = np.concatenate([clip.samples, np.zeros(round(PAUSES_S.get(last, WORD_GAP_S) * rate), np.int16)])
        samples = marked(samples, len(self.contexts), len(context.parts))
        context.parts.append(samples)
        offset_s = start / rate
        context.words += [SpokenWord(w.text, w.start_s + offset_s, w.end_s + offset_s) for w in clip.words]
        n = round(AUDIO_FRAME_S * rate)
        return [
            TTSAudioRawFrame(samples[i : i + n].astype("<i2").tobytes(), rate, 1, context_id=context_id)
            for i in range(0, len(samples), n)
        ]


def marked(samples: Samples, context: int, part: int) -> Samples:
    """Give a clip a fingerprint in its lowest bit, so that the same words said twice can be told apart at the ear.

    Silence stays silence.

    Args:
        samples: int16, shape (n,).
        context: Number of the context it belongs to.
        part: Number of the clip in its context.
    """
    bits = np.random.default_rng((context, part)).integers(0, 2, len(samples), dtype=np.int16)
    return np.where(samples == 0, samples, samples ^ bits)
