"""The synthetic voices, the caller's channel and the listener's ear."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest
from pipecat.audio.vad.silero import SileroVADAnalyzer
from pipecat.audio.vad.vad_analyzer import VADAnalyzer, VADState
from pipecat.frames.frames import OutputAudioRawFrame

from pipecat_interrupt.testing import (
    AGENT,
    PATIENT,
    THIRD_PARTY,
    EnergyVAD,
    ListenerOutput,
    ScriptedCall,
    cough,
    noise_floor,
    run_call,
    run_virtual,
    speech,
)

pytestmark = pytest.mark.pipeline


def onset_and_end_s(analyzer: VADAnalyzer, samples, rate: int) -> tuple[float | None, float | None]:
    """When a VAD first says SPEAKING and when it is QUIET for good afterwards, seconds."""

    async def main():
        analyzer.set_sample_rate(rate)
        n, onset, quiet = rate // 50, None, None
        for i in range(0, len(samples) - n + 1, n):
            state = await analyzer.analyze_audio(samples[i : i + n].tobytes())
            if state == VADState.SPEAKING and onset is None:
                onset = (i + n) / rate
            if state == VADState.QUIET and onset is not None and quiet is None:
                quiet = (i + n) / rate
            if state == VADState.SPEAKING:
                quiet = None
        return onset, quiet

    return run_virtual(main)


def padded(clip, rate):
    return np.concatenate([noise_floor(rate // 2), clip.samples, noise_floor(rate)])


def test_the_same_words_are_the_same_samples():
    """Deterministic, and different words differ."""
    assert (speech("Take one.", AGENT).samples == speech("Take one.", AGENT).samples).all()
    assert speech("Take one.", AGENT).samples.tobytes() != speech("Take two.", AGENT).samples.tobytes()


def test_word_boundaries_are_where_the_sound_is():
    """Between two words there is silence, inside them there is none for long."""
    clip = speech("Take one tablet, please.", PATIENT)

    sounding = clip.samples != 0
    for word in clip.words:
        inside = sounding[round(word.start_s * 16000) : round(word.end_s * 16000)]
        assert inside.mean() > 0.95
    for before, after in zip(clip.words, clip.words[1:], strict=False):
        assert not sounding[round(before.end_s * 16000) : round(after.start_s * 16000)].any()
        assert after.start_s - before.end_s == pytest.approx(0.18 if before.text.endswith(",") else 0.03)


@pytest.mark.parametrize("rate", [16000, 8000])
@pytest.mark.parametrize("text", ["yeah", "mm-hmm", "stop", "Yes I take it every morning"])
def test_silero_takes_the_patients_voice_for_speech(text, rate):
    """Pipecat's own VAD with its default parameters finds the onset within 0.6 s."""
    onset_s, _ = onset_and_end_s(SileroVADAnalyzer(), padded(speech(text, PATIENT, rate), rate), rate)

    assert onset_s is not None
    assert 0.5 < onset_s < 1.1


@pytest.mark.parametrize("voice", [AGENT, PATIENT, THIRD_PARTY])
def test_the_energy_vad_finds_exact_onsets_for_every_voice(voice):
    """Loud is speech: onset after start_s, end after stop_s, to a frame."""
    clip = speech("Wait.", voice)
    onset_s, quiet_s = onset_and_end_s(EnergyVAD(), padded(clip, 16000), 16000)

    assert onset_s == pytest.approx(0.5 + 0.2, abs=0.041)
    assert quiet_s == pytest.approx(0.5 + clip.duration_s + 0.2, abs=0.041)


def test_a_cough_is_loud_but_no_speech_to_silero():
    """The two doubles differ in exactly this."""
    clip = padded(cough(), 16000)

    assert onset_and_end_s(SileroVADAnalyzer(), clip, 16000) == (None, None)
    assert onset_and_end_s(EnergyVAD(start_s=0.1), clip, 16000)[0] is not None


def test_a_clip_is_on_the_channel_from_its_very_sample():
    """Placed at 1.2345 s, its first sample is sample 19752 of the call; two clips add up."""
    one, two = speech("Yes.", PATIENT), speech("No.", THIRD_PARTY)

    async def place(parts):
        parts.input.say(one, at_s=parts.started_at_s + 1.2345)
        parts.input.say(two, at_s=parts.started_at_s + 1.2345)

    result = run_call(ScriptedCall(3.0).do(place, at_s=0.5), vad="energy", opening=None)

    channel = result.stereo()[:, 0]
    n = min(len(one.samples), len(two.samples))
    assert not channel[:19752].any()
    assert (channel[19752 : 19752 + n] == one.samples[:n].astype(int) + two.samples[:n]).all()


def pieces_of(output: ListenerOutput, writes: list[tuple[float, int]]):
    """Write `count` chunks of 40 ms from a time on; return when each sounded, relative to the first write."""

    async def main():
        output._sample_rate = 16000
        loop = asyncio.get_running_loop()
        start_s = loop.time()
        for at_s, count in writes:
            await asyncio.sleep(max(0.0, start_s + at_s - loop.time()))
            for _ in range(count):
                await output.write_audio_frame(OutputAudioRawFrame(b"\x01\x00" * 640, 16000, 1))
        return [round(piece.start_s - start_s, 3) for piece in output.pieces]

    return run_virtual(main)


def test_chunks_sound_one_after_the_other():
    """Paced like a websocket: the first at once, each next when the one before ends."""
    assert pieces_of(ListenerOutput(), [(0.0, 3), (1.0, 1)]) == [0.0, 0.04, 0.08, 1.0]


def test_a_network_delay_and_a_jitter_buffer_shift_what_is_heard():
    """Jitter inside the buffer is not heard; the order of chunks is kept."""
    output = ListenerOutput(delay_s=lambda i: (0.03, 0.09, 0.0)[i % 3], jitter_buffer_s=0.1)

    assert pieces_of(output, [(0.0, 3)]) == [0.13, 0.17, 0.21]
    assert output.gaps() == []


def test_the_ear_falls_silent_only_when_it_stays_silent():
    """A gap of 0.2 s is no end under the 300 ms rule; the next end counts."""
    output = ListenerOutput()
    pieces_of(output, [(0.0, 5), (0.4, 5)])
    start_s = output.pieces[0].start_s

    assert output.silent_from(start_s + 0.1) - start_s == pytest.approx(0.6)
    assert output.silent_from(start_s + 0.1, for_s=0.15) - start_s == pytest.approx(0.2)
    assert output.silent_from(start_s + 0.25, for_s=0.1) == pytest.approx(start_s + 0.25)
