"""The real local models, each test skipping with a reason where a package is absent."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from difflib import SequenceMatcher
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import pytest_asyncio
from pipecat.frames.frames import (
    InputAudioRawFrame,
    TranscriptionFrame,
    TTSAudioRawFrame,
    TTSSpeakFrame,
    TTSTextFrame,
    VADUserStartedSpeakingFrame,
    VADUserStoppedSpeakingFrame,
)
from pipecat.tests.utils import SleepFrame, run_test

from pipecat_interrupt.demo.clips import load
from pipecat_interrupt.local.llm import LocalLLM
from pipecat_interrupt.local.piper_voice import PiperVoiceWithTimes
from pipecat_interrupt.local.service import ClosingOpenAILLMService
from pipecat_interrupt.local.stt import TunedWhisperSTT
from pipecat_interrupt.local.tts import TimedPiperTTS
from pipecat_interrupt.local.whisper_ear import EarSettings, WhisperEar
from pipecat_interrupt.steering import ServiceAcknowledger
from pipecat_interrupt.weights import available, ensure

pytestmark = [pytest.mark.models, pytest.mark.timeout(120)]

ADVICE = "If your eye becomes red, painful, or you see flashes of light, call the eye clinic on the same day."


def needs(weights: str, *modules: str) -> None:
    """Skip unless the weights' packages and the engine's modules are installed."""
    if absent := [m for m in modules if find_spec(m) is None]:
        pytest.skip(f"not installed: {', '.join(absent)} (extra: local)")
    if not available(weights):
        pytest.skip(f"the packages of the weights {weights!r} are not installed (requirements/models.txt)")


@pytest.fixture(scope="module")
def voice() -> PiperVoiceWithTimes:
    needs("piper-joe", "piper", "onnx", "onnxruntime", "soxr")
    return PiperVoiceWithTimes(ensure("piper-joe"))


@pytest.fixture(scope="module")
def ear() -> WhisperEar:
    needs("whisper-base", "faster_whisper")
    return WhisperEar(ensure("whisper-base"), EarSettings(warm_decodes=0))


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server() -> AsyncIterator[LocalLLM]:
    needs("smollm2-135m", "xllamacpp", "openai")
    async with LocalLLM() as llm:
        yield llm


@pytest.mark.parametrize(
    "text",
    [
        ADVICE,
        "Dr. Smith said: take 10 mg, e.g. at 4 p.m., no more than 3,000 mg/day. It gets better - really!",
        "I have told you that it is fine. You can have it.",
        "No.",
        "Line one\nand  two   spaces",
    ],
)
def test_the_words_of_the_voice_are_the_words_as_written(voice: PiperVoiceWithTimes, text: str) -> None:
    """Every word once, in order, with growing times inside its sentence, from the voice's own durations."""
    sentences = list(voice.speak(text, 16000))

    assert [w for s in sentences for w, _ in s.words] == text.split()
    assert all(s.exact for s in sentences)
    for sentence in sentences:
        starts = [t for _, t in sentence.words]
        assert starts == sorted(starts)
        assert all(0.0 <= t <= sentence.seconds for t in starts)
        assert len(sentence.pcm) == 2 * round(sentence.seconds * 16000)


@pytest.mark.parametrize(
    "text", ["你好,世界。Hello there.", "🙂", "...", "[[x]] foo", "12345678901234567890", "مرحبا", "—"]
)
def test_text_the_voice_was_not_made_for_does_not_break_it(voice: PiperVoiceWithTimes, text: str) -> None:
    """Other scripts, emoji and long numbers: some sound or a short silence, and every word accounted for."""
    sentences = list(voice.speak(text, 16000))

    assert [w for s in sentences for w, _ in s.words] == text.split()
    assert sum(s.seconds for s in sentences) > 0


def test_the_durations_of_the_voice_add_up_to_its_audio(voice: PiperVoiceWithTimes) -> None:
    """The times are exact, not estimated: the samples of all phonemes are the samples of the sentence."""
    chunks = list(voice._voice.synthesize(ADVICE, include_alignments=True))

    assert [int(c.phoneme_id_samples.sum()) for c in chunks] == [len(c.audio_int16_array) for c in chunks]


def _letters(text: str) -> str:
    return "".join(ch for ch in text.lower() if ch.isalpha())


def _words_heard(heard: str, words: list[str]) -> int:
    """How many of the words were in the sound: the beginning of the text that is most like what the ear made of it.

    The voice draws each sentence anew, and the ear misspells one in seven ("flesh as a blight"): the spelling is the
    ear's matter, how far the sound went is what the times of the words are about.
    """

    def likeness(count: int) -> float:
        return SequenceMatcher(None, _letters(heard), _letters(" ".join(words[:count])), autojunk=False).ratio()

    return max(range(len(words) + 1), key=likeness)


@pytest.mark.parametrize("cut_before", ["painful,", "or", "call", "clinic"])
def test_an_independent_ear_hears_the_words_where_the_voice_says_they_are(
    voice: PiperVoiceWithTimes, ear: WhisperEar, cut_before: str
) -> None:
    """Cut the audio where a word starts: the ear hears the words before it, give or take one at the very edge."""
    (sentence,) = voice.speak(ADVICE, 16000)
    samples = np.frombuffer(sentence.pcm, np.int16).astype(np.float32) / 32768
    words = [w for w, _ in sentence.words]
    before = words.index(cut_before)

    cut_at = int(sentence.words[before][1] * 16000)
    heard = ear.hear(np.pad(samples[:cut_at], (8000, 16000)), "en") or ""

    assert abs(_words_heard(heard, words) - before) <= 1, heard


async def test_the_voice_speaks_in_a_pipeline_with_a_frame_a_word(voice: PiperVoiceWithTimes) -> None:
    """The whole service with the real model: words, times, audio."""
    down, _ = await run_test(
        TimedPiperTTS(engine=voice, sample_rate=16000), frames_to_send=[TTSSpeakFrame(ADVICE), SleepFrame(3.0)]
    )

    words = [f for f in down if isinstance(f, TTSTextFrame)]
    pts = [f.pts or 0 for f in words]
    seconds = sum(len(f.audio) for f in down if isinstance(f, TTSAudioRawFrame)) / 32000
    assert [f.text for f in words] == ADVICE.split()
    assert pts == sorted(pts)
    assert 3.5 < seconds < 8.0
    assert (pts[-1] - pts[0]) / 1e9 < seconds


@pytest.mark.parametrize("rate_hz", [16000, 8000])
async def test_the_ear_hears_a_patient_clip_in_a_pipeline(ear: WhisperEar, rate_hz: int) -> None:
    """A denial with a question behind it, at both rates of a call."""
    import soxr

    samples = load("red_no_light")
    samples = samples if rate_hz == 16000 else soxr.resample(samples, 16000, rate_hz)
    step = rate_hz // 50
    frames = [InputAudioRawFrame(samples[i : i + step].tobytes(), rate_hz, 1) for i in range(0, len(samples), step)]
    pause = [InputAudioRawFrame(bytes(2 * step), rate_hz, 1)] * 10
    told: list[str | None] = []
    stt = TunedWhisperSTT(ear=ear, on_segment=told.append)

    down, _ = await run_test(
        stt,
        frames_to_send=[
            *pause,
            VADUserStartedSpeakingFrame(),
            *frames,
            *pause,
            VADUserStoppedSpeakingFrame(),
            SleepFrame(4.0),
        ],
    )

    (transcript,) = [f for f in down if isinstance(f, TranscriptionFrame)]
    plain = transcript.text.lower().replace(",", "").replace(".", "")
    assert plain == "no it isn't red but is it normal that bright light bothers me?"
    assert transcript.finalized
    assert told == [transcript.text]


def test_the_ear_makes_no_text_of_silence(ear: WhisperEar) -> None:
    """A false start of the voice detector must not become a word."""
    noise = np.random.default_rng(1).normal(0, 0.002, 16000 * 2).astype(np.float32)

    assert ear.hear(noise, "en") is None


@asynccontextmanager
async def _picker(server: LocalLLM, key: str | None = None) -> AsyncIterator[ServiceAcknowledger]:
    settings = ClosingOpenAILLMService.Settings(model=server.model, temperature=0.0)
    service = ClosingOpenAILLMService(api_key=key or server.api_key, base_url=server.base_url, settings=settings)
    yield ServiceAcknowledger(service)
    await service.close()


@pytest.mark.asyncio(loop_scope="module")
async def test_the_language_model_picks_only_approved_lines(server: LocalLLM) -> None:
    """Through Pipecat's own service: lines with quotes and accents, each reply answered with one of them."""
    lines = ("Thank you for telling me.", 'You said "no", thank you.', "Está bem.")

    async with _picker(server) as picker:
        picked = [await picker.acknowledge(r, "none", lines, "en") for r in ("No, no pain.", "When can I drive?", "")]

    assert set(picked) <= set(lines)


@pytest.mark.asyncio(loop_scope="module")
async def test_the_server_wants_its_key(server: LocalLLM) -> None:
    """Another local user cannot ride along."""
    from openai import AuthenticationError

    async with _picker(server, "guess") as picker:
        with pytest.raises(AuthenticationError):
            await picker.acknowledge("No.", "none", ("Yes.", "No."), "en")


@pytest.mark.asyncio(loop_scope="module")
async def test_a_prompt_is_warmed_once(server: LocalLLM) -> None:
    """The call's first request reads the same beginning from the cache, which is the point of warming it."""
    from openai import AsyncOpenAI

    messages = [{"role": "system", "content": "You are a nurse. " * 40}, {"role": "user", "content": "Hello?"}]

    assert await server.warm(messages) > 0
    async with AsyncOpenAI(base_url=server.base_url, api_key=server.api_key) as client:
        call: Any = {"model": server.model, "messages": messages, "max_tokens": 1}
        usage = (await client.chat.completions.create(**call)).usage

    assert usage.prompt_tokens - usage.prompt_tokens_details.cached_tokens <= 1


@pytest.mark.asyncio(loop_scope="module")
async def test_ctrl_c_leaves_the_server_to_its_parent(server: LocalLLM) -> None:
    """A terminal sends the signal to the whole group; the parent still writes its hand-off and then ends the server."""
    assert server.pid is not None

    os.kill(server.pid, signal.SIGINT)
    await asyncio.sleep(0.3)

    assert server.alive
    assert server.failure is None


PARENT = """
import asyncio, os, signal
from pipecat_interrupt.local.llm import LocalLLM

async def main():
    llm = LocalLLM()
    await llm.start()
    print(llm.pid, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""


def test_the_server_dies_with_a_parent_that_was_killed() -> None:
    """No orphan holds 200 MB after a crash of the bot."""
    needs("smollm2-135m", "xllamacpp", "openai")
    root = Path(__file__).resolve().parents[3]

    done = subprocess.run(
        [sys.executable, "-c", PARENT], capture_output=True, text=True, cwd=root, timeout=90, check=False
    )
    child = int(done.stdout.strip().splitlines()[-1])
    deadline_s = time.monotonic() + 10
    while Path(f"/proc/{child}").exists() and time.monotonic() < deadline_s:
        time.sleep(0.05)

    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)


def test_a_broken_model_file_is_said_in_one_sentence(tmp_path: Path) -> None:
    """The engine's own words go to the log, not over the screen."""
    from pipecat_interrupt.local import ServerFailed

    needs("smollm2-135m", "xllamacpp", "openai")
    (tmp_path / "broken.gguf").write_bytes(b"not a model" * 100)

    async def start() -> None:
        await LocalLLM(tmp_path / "broken.gguf").start()

    with pytest.raises(ServerFailed, match="ended while loading"):
        asyncio.run(start())
