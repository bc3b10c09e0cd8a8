"""The timed voice as a Pipecat service, with a double for the model."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from pipecat.frames.frames import (
    AggregatedTextFrame,
    ErrorFrame,
    Frame,
    InterruptionFrame,
    TTSAudioRawFrame,
    TTSSpeakFrame,
    TTSStoppedFrame,
    TTSTextFrame,
)
from pipecat.processors.frame_processor import FrameDirection
from pipecat.tests.utils import SleepFrame, run_test

from pipecat_interrupt.local.piper_voice import SpokenSentence
from pipecat_interrupt.local.tts import CONTEXTS_MAX, TimedPiperTTS

pytestmark = pytest.mark.pipeline

WORD_S = 0.25


class FakeVoice:
    """Every word takes 0.25 s; sentences end at full stops; records what it was asked."""

    def __init__(self, *, fails_at: int | None = None, gate: threading.Event | None = None) -> None:
        self.rates_hz: list[int] = []
        self.spoken = 0
        self.warm = False
        self._fails_at = fails_at
        self._gate = gate

    def warm_up(self) -> None:
        self.warm = True

    def speak(self, text: str, rate_hz: int) -> Iterator[SpokenSentence]:
        self.rates_hz.append(rate_hz)
        sentences = [s.strip() + "." for s in text.split(".") if s.strip()]
        for sentence in sentences:
            if self.spoken == self._fails_at:
                raise RuntimeError("the model is broken")
            if self._gate is not None and self.spoken:
                assert self._gate.wait(10)
            self.spoken += 1
            words = tuple((w, i * WORD_S) for i, w in enumerate(sentence.split()))
            seconds = WORD_S * len(words)
            yield SpokenSentence(bytes(2 * int(seconds * rate_hz)), seconds, words, exact=True)


def words_of(frames: list[Frame] | tuple[Frame, ...]) -> list[TTSTextFrame]:
    return [f for f in frames if isinstance(f, TTSTextFrame)]


async def test_every_written_word_comes_as_a_frame_of_its_own_in_order() -> None:
    """Words as written, times growing from the start of the context's audio, running on over sentences."""
    voice = FakeVoice()
    down, _ = await run_test(
        TimedPiperTTS(engine=voice, sample_rate=16000),
        frames_to_send=[TTSSpeakFrame("Call us at 5 p.m. today. Do not wait."), SleepFrame(0.3)],
    )

    words = words_of(down)
    starts_s = [(w.pts - words[0].pts) / 1e9 for w in words if w.pts is not None and words[0].pts is not None]
    assert [w.text for w in words] == ["Call", "us", "at", "5", "p.", "m.", "today.", "Do", "not", "wait."]
    assert starts_s == pytest.approx([0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.25])
    assert voice.warm


async def test_audio_comes_at_the_rate_of_the_transport_and_is_all_there() -> None:
    """2.5 s of speech are 40,000 samples at 16 kHz, in frames of at most 0.2 s."""
    down, _ = await run_test(
        TimedPiperTTS(engine=FakeVoice(), sample_rate=16000),
        frames_to_send=[TTSSpeakFrame("One two three four five. One two three four five."), SleepFrame(0.3)],
    )

    audio = [f for f in down if isinstance(f, TTSAudioRawFrame)]
    assert sum(len(f.audio) // 2 for f in audio) == 40_000
    assert {f.sample_rate for f in audio} == {16000}
    assert max(len(f.audio) // 2 for f in audio) == 3_200
    assert any(isinstance(f, TTSStoppedFrame) for f in down)


async def test_a_second_utterance_starts_its_times_anew() -> None:
    """Offsets belong to a context; when it has ended nothing of it is kept."""
    tts = TimedPiperTTS(engine=FakeVoice(), sample_rate=16000)
    down, _ = await run_test(
        tts,
        frames_to_send=[TTSSpeakFrame("One two."), SleepFrame(0.3), TTSSpeakFrame("Three four."), SleepFrame(0.3)],
    )

    words = words_of(down)
    pts = [w.pts or 0 for w in words]
    assert [w.text for w in words] == ["One", "two.", "Three", "four."]
    assert (pts[3] - pts[2]) / 1e9 == pytest.approx(0.25)
    assert tts._offsets_s == {}


async def test_a_voice_that_fails_is_a_non_fatal_error_and_the_next_utterance_is_spoken() -> None:
    """The call goes on; the words of the text are not in the message, and are not reported as spoken."""

    class FailsOnce(FakeVoice):
        def speak(self, text: str, rate_hz: int) -> Iterator[SpokenSentence]:
            if "Secret" in text:
                raise RuntimeError("the model is broken")
            return super().speak(text, rate_hz)

    down, up = await run_test(
        TimedPiperTTS(engine=FailsOnce(), sample_rate=16000, stop_frame_timeout_s=0.2),
        frames_to_send=[
            TTSSpeakFrame("Secret words."),
            SleepFrame(0.3),
            TTSSpeakFrame("Now it works."),
            SleepFrame(0.3),
        ],
    )

    errors = [f for f in (*down, *up) if isinstance(f, ErrorFrame)]
    assert errors and not any(e.fatal for e in errors)
    assert not any("Secret" in e.error for e in errors)
    assert [w.text for w in words_of(down)] == ["Now", "it", "works."]


async def test_a_failure_in_the_second_sentence_leaves_only_the_first_as_spoken() -> None:
    """Pipecat would push the unspoken rest of the text as if it had been heard."""
    down, _ = await run_test(
        TimedPiperTTS(engine=FakeVoice(fails_at=1), sample_rate=16000, stop_frame_timeout_s=0.2),
        frames_to_send=[TTSSpeakFrame("You may drive on. Never drive at night."), SleepFrame(0.6)],
    )

    assert [w.text for w in words_of(down)] == ["You", "may", "drive", "on."]


async def test_an_interruption_drops_what_was_not_yet_spoken_and_forgets_the_context() -> None:
    """The sentence in the worker finishes unheard; nothing of it reaches the pipeline."""
    gate = threading.Event()
    voice = FakeVoice(gate=gate)

    class Opening(TimedPiperTTS):
        """Lets the worker go on once the interruption has been dealt with, however busy the machine is."""

        async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
            await super().process_frame(frame, direction)
            if isinstance(frame, InterruptionFrame):
                gate.set()

    tts = Opening(engine=voice, sample_rate=16000)
    down, _ = await run_test(
        tts,
        frames_to_send=[
            TTSSpeakFrame("First sentence. Second sentence. Third sentence."),
            SleepFrame(0.6),
            InterruptionFrame(),
            SleepFrame(0.5),
        ],
    )

    said = [w.text for w in words_of(down)]
    assert said == ["First", "sentence."]
    assert voice.spoken == 2
    assert tts._offsets_s == {}


async def test_offsets_are_bounded() -> None:
    """Contexts that never report their end cannot fill the memory."""
    tts = TimedPiperTTS(engine=FakeVoice(), sample_rate=16000)
    for i in range(CONTEXTS_MAX + 20):
        tts._advance(f"context-{i}", 1.0)

    assert len(tts._offsets_s) == CONTEXTS_MAX
    await tts.cleanup()


async def test_the_whole_text_is_announced_before_its_words() -> None:
    """As with Pipecat's own word-timestamp services, the intended text is on record first."""
    down, _ = await run_test(
        TimedPiperTTS(engine=FakeVoice(), sample_rate=16000),
        frames_to_send=[TTSSpeakFrame("One two."), SleepFrame(0.2)],
    )

    kinds = [type(f) for f in down if isinstance(f, AggregatedTextFrame)]
    assert kinds[0] is AggregatedTextFrame
    assert kinds.count(TTSTextFrame) == 2
