"""The tuned ear as a Pipecat service, with a double for the model."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from pipecat.frames.frames import (
    ErrorFrame,
    Frame,
    InputAudioRawFrame,
    STTMetadataFrame,
    TranscriptionFrame,
    VADUserStartedSpeakingFrame,
    VADUserStoppedSpeakingFrame,
)
from pipecat.tests.utils import SleepFrame, run_test
from pipecat.transcriptions.language import Language

from pipecat_interrupt.local.stt import TunedWhisperSTT

pytestmark = pytest.mark.pipeline


class FakeEar:
    """Says the scripted texts one after the other; None is no speech, an exception is raised."""

    def __init__(self, *texts: str | None | Exception, gate: threading.Event | None = None) -> None:
        self.texts = list(texts)
        self.heard: list[tuple[int, float, str | None]] = []
        self.gate = gate

    def hear(self, samples: np.ndarray, language: str | None) -> str | None:
        if self.gate is not None:
            assert self.gate.wait(10)
        self.heard.append((len(samples), float(np.abs(samples).max(initial=0.0)), language))
        text = self.texts.pop(0)
        if isinstance(text, Exception):
            raise text
        return text


def tone(seconds: float, rate_hz: int, channels: int = 1) -> list[InputAudioRawFrame]:
    t = np.arange(int(seconds * rate_hz)) / rate_hz
    pcm = (np.sin(2 * np.pi * 300 * t) * 8000).astype(np.int16)
    step = rate_hz // 50
    frames = [np.repeat(pcm[i : i + step], channels).tobytes() for i in range(0, len(pcm), step)]
    return [InputAudioRawFrame(audio, rate_hz, channels) for audio in frames]


def utterance(seconds: float = 0.4, rate_hz: int = 16000, channels: int = 1) -> list[Frame]:
    return [VADUserStartedSpeakingFrame(), *tone(seconds, rate_hz, channels), VADUserStoppedSpeakingFrame()]


def transcripts(frames: list[Frame] | tuple[Frame, ...]) -> list[TranscriptionFrame]:
    return [f for f in frames if isinstance(f, TranscriptionFrame)]


async def test_the_only_segment_of_a_turn_is_final() -> None:
    """The turn can end at once."""
    ear = FakeEar("No, no pain.")
    down, _ = await run_test(TunedWhisperSTT(ear=ear), frames_to_send=[*utterance(), SleepFrame(0.2)])

    assert [(t.text, t.finalized) for t in transcripts(down)] == [("No, no pain.", True)]


async def test_text_is_not_final_while_the_patient_speaks_again() -> None:
    """Two sentences with a pause: the first transcript arrives during the second sentence and must not end the turn."""
    gate = threading.Event()
    ear = FakeEar("No, it is not red.", "But is light bad?", gate=gate)
    stt = TunedWhisperSTT(ear=ear, on_segment=lambda _: None)
    threading.Timer(0.3, gate.set).start()

    down, _ = await run_test(
        stt,
        frames_to_send=[
            *utterance(),
            VADUserStartedSpeakingFrame(),
            SleepFrame(0.6),
            *utterance()[1:],
            SleepFrame(0.3),
        ],
    )

    assert [(t.text, t.finalized) for t in transcripts(down)] == [
        ("No, it is not red.", False),
        ("But is light bad?", True),
    ]


async def test_text_is_not_final_while_a_later_segment_waits() -> None:
    """Both sentences are over, the second waits for the model: only its text is the last."""
    gate = threading.Event()
    ear = FakeEar("One.", "Two.", gate=gate)
    threading.Timer(0.3, gate.set).start()

    down, _ = await run_test(TunedWhisperSTT(ear=ear), frames_to_send=[*utterance(), *utterance(), SleepFrame(0.8)])

    assert [(t.text, t.finalized) for t in transcripts(down)] == [("One.", False), ("Two.", True)]


async def test_the_last_text_of_an_ending_call_is_final() -> None:
    """A graceful end waits for the segment being decoded; its text is the last, whatever waits in the queue."""
    gate = threading.Event()
    threading.Timer(0.3, gate.set).start()

    down, _ = await run_test(TunedWhisperSTT(ear=FakeEar("Goodbye.", gate=gate)), frames_to_send=utterance())

    assert [(t.text, t.finalized) for t in transcripts(down)] == [("Goodbye.", True)]


async def test_a_segment_without_text_is_reported_and_gives_no_frame() -> None:
    """A held voice must learn that the noise was nothing, or it waits for a text that never comes."""
    told: list[str | None] = []
    down, _ = await run_test(
        TunedWhisperSTT(ear=FakeEar(None, "Okay."), on_segment=told.append),
        frames_to_send=[*utterance(), SleepFrame(0.2), *utterance(), SleepFrame(0.2)],
    )

    assert told == [None, "Okay."]
    assert [t.text for t in transcripts(down)] == ["Okay."]


async def test_a_listener_may_be_a_coroutine_and_may_fail() -> None:
    """An exception in it becomes a non-fatal error; the next segment is heard."""
    told: list[str | None] = []

    async def listener(text: str | None) -> None:
        told.append(text)
        if len(told) == 1:
            raise ValueError("listener is broken")

    down, up = await run_test(
        TunedWhisperSTT(ear=FakeEar("One.", "Two."), on_segment=listener),
        frames_to_send=[*utterance(), SleepFrame(0.2), *utterance(), SleepFrame(0.2)],
    )

    errors = [f for f in (*down, *up) if isinstance(f, ErrorFrame)]
    assert told == ["One.", "Two."]
    assert [t.text for t in transcripts(down)] == ["One.", "Two."]
    assert errors and not any(e.fatal for e in errors)


async def test_a_failing_model_is_a_non_fatal_error_and_counts_as_no_text() -> None:
    """The call goes on, and a hold that waits for this text is released."""
    told: list[str | None] = []
    down, up = await run_test(
        TunedWhisperSTT(ear=FakeEar(RuntimeError("out of memory"), "Yes."), on_segment=told.append),
        frames_to_send=[*utterance(), SleepFrame(0.2), *utterance(), SleepFrame(0.2)],
    )

    errors = [f for f in (*down, *up) if isinstance(f, ErrorFrame)]
    assert told == [None, "Yes."]
    assert [e.error for e in errors] == ["local ear failed: RuntimeError: out of memory"]
    assert not errors[0].fatal


@pytest.mark.parametrize(("rate_hz", "channels"), [(8000, 1), (16000, 1), (16000, 2), (48000, 1)])
async def test_audio_of_any_rate_reaches_the_model_at_16_khz(rate_hz: int, channels: int) -> None:
    """A 2 s segment is 2 s for the model too: the pre-roll and the trailing half second included, within 0.1 s."""
    ear = FakeEar("Yes.")
    down, _ = await run_test(
        TunedWhisperSTT(ear=ear), frames_to_send=[*utterance(2.0, rate_hz, channels), SleepFrame(0.3)]
    )

    samples, peak, _ = ear.heard[0]
    assert samples / 16000 == pytest.approx(2.5, abs=0.1)
    assert peak == pytest.approx(8000 / 32768, abs=0.05)
    passed = [f for f in down if isinstance(f, InputAudioRawFrame)]
    assert {f.sample_rate for f in passed} == {rate_hz}


async def test_a_region_is_dropped_from_the_language() -> None:
    """Whisper knows "pt", not "pt-PT"; the transcript says which."""
    ear = FakeEar("Não, está bem.")
    down, _ = await run_test(
        TunedWhisperSTT(ear=ear, language=Language.PT_PT), frames_to_send=[*utterance(), SleepFrame(0.2)]
    )

    assert ear.heard[0][2] == "pt"
    assert transcripts(down)[0].language == Language.PT


async def test_turn_strategies_are_told_a_latency_whisper_can_keep() -> None:
    """Pipecat's default of 1 s ends turns without their text on a small machine."""
    down, _ = await run_test(TunedWhisperSTT(ear=FakeEar("Yes.")), frames_to_send=[*utterance(), SleepFrame(0.2)])

    assert [f.ttfs_p99_latency for f in down if isinstance(f, STTMetadataFrame)] == [3.0]


async def test_segment_timings_are_kept_and_bounded() -> None:
    """The demo reports them; a long call does not grow them for ever."""
    stt = TunedWhisperSTT(ear=FakeEar("Yes.", None))
    await run_test(stt, frames_to_send=[*utterance(1.0), SleepFrame(0.2), *utterance(), SleepFrame(0.2)])

    assert [t.had_text for t in stt.timings] == [True, False]
    assert stt.timings[0].audio_s == pytest.approx(1.5)
    assert stt.timings.maxlen == 1024
