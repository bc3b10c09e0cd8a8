"""One cut utterance over a loopback carrier: what the carrier played, what we say was heard, what stock Pipecat says.

Owns the trial of ``eval delivery``. The pipeline, the websocket transport, the Twilio serializer and the aggregators
are Pipecat's own; voice and carrier are doubles that know the truth to the sample.
"""

from __future__ import annotations

import functools
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pipecat.frames.frames import InterruptionFrame, TTSAudioRawFrame
from pipecat.processors.frame_processor import FrameProcessor
from pipecat.serializers.twilio import TwilioFrameSerializer
from pipecat.transports.websocket.fastapi import FastAPIWebsocketParams, FastAPIWebsocketTransport

from pipecat_interrupt.carrier import CarrierPlayback, TwilioMarkSerializer
from pipecat_interrupt.carrier.loopback import LoopbackCarrier
from pipecat_interrupt.delivery import DeliveryRecorder
from pipecat_interrupt.facts import UtteranceRecord
from pipecat_interrupt.testing import (
    AGENT,
    CallParts,
    ScriptedCall,
    ScriptedTTS,
    SpokenContext,
    SpokenWord,
    TTSShape,
    play_call,
    run_virtual,
    speech,
)
from pipecat_interrupt.testing.voice import Speech

Samples = NDArray[np.int16]
Engine = Callable[[str, int], tuple[Samples, tuple[SpokenWord, ...]]]
"""Speaks one sentence at a rate: its samples and its words with their place in them."""

RATE_HZ = 8000
FIRST_AUDIO_S = 0.1
AFTER_CUT_S = 1.5
SENTENCE_PAUSE_S = 0.3
QUIET_SHARE = 0.02
SENTENCE_END = re.compile(r"[.?!][\"')]*\s*$")


@dataclass(frozen=True, slots=True)
class Line:
    """What the agent says in a trial."""

    text: str
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of one cut.

    Parameters:
        tts: Shape of the voice.
        language: Language of the text.
        jitter_s: Jitter of the line in this trial.
        heard_words: Words the carrier played to their end (the truth).
        begun_words: Words of which it played at least one sample.
        ours_words: Words in the record's delivered text.
        ours_bound_words: The record's bound.
        ours_exact: Whether the record calls its cut exact.
        stock_words: Words in stock Pipecat's history for the same cut.
        lag_s: Median lag measured from the marks; None when none came back.
        late_marks: Marks the carrier sent back for audio it had thrown away.
    """

    tts: str
    language: str
    jitter_s: float
    heard_words: int
    begun_words: int
    ours_words: int
    ours_bound_words: int
    ours_exact: bool
    stock_words: int
    lag_s: float | None
    late_marks: int


class EngineTTS(ScriptedTTS):
    """The scripted service with another voice: every sentence is spoken whole by the engine, in all four shapes."""

    def __init__(self, shape: TTSShape, engine: Engine) -> None:
        super().__init__(shape, first_audio_s=FIRST_AUDIO_S)
        self._engine = engine

    async def _add_token(self, context_id: str, token: str) -> None:
        text = self._unsaid.pop(context_id, "") + token
        if SENTENCE_END.search(text):
            await self._deliver(context_id, text)
        else:
            self._unsaid[context_id] = text

    def _synthesise(self, text: str, context_id: str, clip: Speech | None = None) -> list[TTSAudioRawFrame]:
        del clip  # the engine is asked itself: it alone knows where its words end
        context = self._by_id.get(context_id)
        if context is None:
            context = self._by_id[context_id] = SpokenContext(context_id)
            self.contexts.append(context)
        samples, words = self._engine(text.strip(), self.sample_rate)
        offset_s = sum(len(part) for part in context.parts) / self.sample_rate
        context.parts.append(samples)
        context.words += [SpokenWord(w.text, w.start_s + offset_s, w.end_s + offset_s) for w in words]
        n = round(0.2 * self.sample_rate)
        return [
            TTSAudioRawFrame(samples[i : i + n].astype("<i2").tobytes(), self.sample_rate, 1, context_id=context_id)
            for i in range(0, len(samples), n)
        ]


def scripted_engine() -> Engine:
    """Speak with the testing room's voice: word boundaries are exact by construction."""

    def speak(text: str, rate_hz: int) -> tuple[Samples, tuple[SpokenWord, ...]]:
        clip = speech(text, AGENT, rate_hz)
        return np.concatenate([clip.samples, np.zeros(round(SENTENCE_PAUSE_S * rate_hz), np.int16)]), clip.words

    return functools.lru_cache(maxsize=512)(speak)


def piper_engine() -> Engine:
    """Speak with Piper: words begin where its own durations say, and end where their sound ends.

    Raises:
        ModuleNotFoundError: An extra of the local voice is missing.
    """
    from pipecat_interrupt.local.piper_voice import PiperVoiceWithTimes
    from pipecat_interrupt.weights import ensure

    voice = PiperVoiceWithTimes(ensure("piper-joe"), 1)

    def speak(text: str, rate_hz: int) -> tuple[Samples, tuple[SpokenWord, ...]]:
        parts: list[Samples] = []
        words: list[SpokenWord] = []
        offset_s = 0.0
        for sentence in voice.speak(text, rate_hz):
            samples = np.frombuffer(sentence.pcm, "<i2").astype(np.int16)
            starts = [start for _, start in sentence.words] + [sentence.seconds]
            for (word, start), following in zip(sentence.words, starts[1:], strict=True):
                end = _sound_end(samples, rate_hz, start, following)
                words.append(SpokenWord(word, offset_s + start, offset_s + end))
            parts.append(samples)
            offset_s += len(samples) / rate_hz
        return np.concatenate(parts), tuple(words)

    return functools.lru_cache(maxsize=512)(speak)


def _sound_end(samples: Samples, rate_hz: int, start_s: float, end_s: float) -> float:
    """End a word at its last loud 10 ms when quiet follows it, else where the next word begins."""
    step = rate_hz // 100
    inside = samples[int(start_s * rate_hz) : int(end_s * rate_hz)].astype(np.float64)
    blocks = len(inside) // step
    if blocks < 6:
        return end_s
    levels = np.sqrt((inside[: blocks * step].reshape(blocks, step) ** 2).mean(axis=1))
    loud = np.flatnonzero(levels > QUIET_SHARE * float(np.abs(samples).max()))
    last = int(loud[-1]) + 1 if len(loud) else blocks
    return start_s + last * 0.01 if blocks - last >= 5 else end_s


def run_trial(line: Line, shape: TTSShape, engine: Engine, *, seed: int, buffer_s: float, jitter_s_max: float) -> Trial:
    """Say a line, cut it at a random moment of its sound, and lay the three accounts side by side.

    Args:
        line: What is said.
        shape: Shape of the voice.
        engine: How it sounds.
        seed: Seed of jitter and cut.
        buffer_s: The far end's buffer.
        jitter_s_max: The trial's jitter is drawn from 0 to this.
    """
    chance = random.Random(seed)
    jitter_s = chance.uniform(0.0, jitter_s_max)
    sentences = re.split(r"(?<=[.?!])\s+", line.text)
    length_s = sum(len(engine(s, RATE_HZ)[0]) for s in sentences) / RATE_HZ
    cut_s = FIRST_AUDIO_S + buffer_s + jitter_s / 2 + chance.uniform(0.2, length_s - 0.1)
    carrier = LoopbackCarrier(jitter_s=jitter_s, buffer_s=buffer_s, seed=seed, rate_hz=RATE_HZ)
    playback = CarrierPlayback()
    recorder = DeliveryRecorder(playout=playback, language=line.language)
    tts = EngineTTS(shape, engine)

    async def call() -> str:
        settings = TwilioFrameSerializer.InputParams(auto_hang_up=False)
        serializer = TwilioMarkSerializer("loopback", playback=playback, params=settings)
        params = FastAPIWebsocketParams(
            audio_in_enabled=True, audio_out_enabled=True, audio_out_end_silence_secs=0, serializer=serializer
        )
        transport = FastAPIWebsocketTransport(carrier.socket, params)  # pyright: ignore[reportArgumentType]  # a double

        def build(parts: CallParts) -> Sequence[FrameProcessor]:
            voice = [recorder.intended_tap(), parts.tts, recorder.generated_tap()]
            out = [transport.output(), recorder.delivered_tap(), playback.tap(recorder)]
            return [transport.input(), parts.pair.user(), parts.llm, *voice, *out, parts.pair.assistant()]

        timeline = ScriptedCall(duration_s=cut_s + AFTER_CUT_S).push(InterruptionFrame, at_s=cut_s)
        result = await play_call(
            timeline, replies=[line.text], tts=tts, vad="text", build=build, sample_rate_hz=RATE_HZ
        )
        return " ".join(str(m["content"]) for m in result.messages if m.get("role") == "assistant")

    stock = run_virtual(call)
    if len(recorder.records) != 1:
        raise RuntimeError(f"{len(recorder.records)} records for one utterance (shape {shape}, seed {seed})")
    return _judge(line, shape, jitter_s, carrier, playback, tts, recorder.records[0], stock)


def _judge(
    line: Line,
    shape: TTSShape,
    jitter_s: float,
    carrier: LoopbackCarrier,
    playback: CarrierPlayback,
    tts: EngineTTS,
    record: UtteranceRecord,
    stock: str,
) -> Trial:
    words = tts.contexts[0].words if tts.contexts else []
    played_s = len(carrier.epochs[0].played) / RATE_HZ
    return Trial(
        tts=shape,
        language=line.language,
        jitter_s=jitter_s,
        heard_words=sum(w.end_s <= played_s + 0.002 for w in words),
        begun_words=sum(w.start_s < played_s for w in words),
        ours_words=len(record.delivered.split()),
        ours_bound_words=record.cut.bound_words if record.cut else 0,
        ours_exact=record.cut is None or record.cut.exactness == "exact",
        stock_words=len(stock.split()),
        lag_s=playback.playout_lag.median_s,
        late_marks=carrier.marks_back_late,
    )
