"""The agent's own sound coming back, told from a caller by correlation; no model, no words."""

from __future__ import annotations

import asyncio
import random

import numpy as np
import pytest

from pipecat_interrupt.hold.reference import ECHO_SCORE, KEEP_SCORE, EchoReference, _Line, correlation
from pipecat_interrupt.overlap.evidence import Speaker
from pipecat_interrupt.testing import AGENT, PATIENT, noise_floor, run_virtual, speech

pytestmark = pytest.mark.unit

LINE = "After the operation please keep the shield on while you sleep and do not rub the eye."
CALLER = "Wait a moment please, I have a question about the shield."


def mu_law(x):
    squeezed = np.sign(x) * np.log1p(255 * np.abs(x).clip(0, 1)) / np.log(256)
    steps = np.round((squeezed + 1) / 2 * 255) / 255 * 2 - 1
    return np.sign(steps) * (np.power(256.0, np.abs(steps)) - 1) / 255


def echo_of(agent, rate, *, delay_s, gain=0.4, reverb_s=0.0, seed=0):
    rng = np.random.default_rng(seed)
    tail = rng.standard_normal(max(1, round(reverb_s * rate))) * np.exp(
        -6.9 * np.linspace(0, 1, max(1, round(reverb_s * rate)))
    )
    room = np.concatenate([[1.0], 0.7 * tail / np.sqrt((tail**2).sum())]) if reverb_s else np.ones(1)
    back = np.convolve(agent.astype(float) / 32768, room)[: len(agent)] * gain
    delayed = np.concatenate([np.zeros(round(delay_s * rate)), back])[: len(agent)]
    noisy = delayed + noise_floor(len(agent), level_dbfs=-60.0, seed=seed).astype(float) / 32768
    return (mu_law(noisy) * 32767).astype(np.int16)


def asked(agent, caller, *, rate=16000, caller_rate=None, jitter_s=0.0, inner=None, every_s=0.02):
    """Run both channels past the reference in 20 ms frames; return what it said after each, with the time."""
    caller_rate = caller_rate or rate

    async def main():
        reference = EchoReference(inner)
        loop = asyncio.get_running_loop()
        rng = np.random.default_rng(1)
        start_s, said = loop.time(), []
        for i in range(round(min(len(agent) / rate, len(caller) / caller_rate) / 0.02)):
            await asyncio.sleep(every_s)
            a, b = round(0.02 * rate), round(0.02 * caller_rate)
            slip_s = rng.uniform(0, jitter_s) if jitter_s else 0.0
            reference.sent(agent[i * a : (i + 1) * a].tobytes(), rate, loop.time() + slip_s)
            reference.caught(caller[i * b : (i + 1) * b].tobytes(), caller_rate, loop.time())
            said.append((round(loop.time() - start_s, 2), reference.attribution()))
        return said, reference

    return run_virtual(main)


def share(said, speaker, start_s, end_s):
    inside = [s for t, s in said if start_s <= t < end_s]
    return sum(s is speaker for s in inside) / len(inside)


@pytest.mark.parametrize(
    ("delay_s", "reverb_s", "jitter_s"), [(0.05, 0.0, 0.0), (0.3, 0.0, 0.005), (0.6, 0.0, 0.0), (0.2, 0.3, 0.005)]
)
def test_the_agents_own_sound_is_known_whatever_its_way(delay_s, reverb_s, jitter_s):
    """Delay, room and mu-law do not hide it; it is known within half a second of its onset."""
    agent = speech(LINE, AGENT).samples
    said, _ = asked(agent, echo_of(agent, 16000, delay_s=delay_s, reverb_s=reverb_s), jitter_s=jitter_s)

    first_s = next(t for t, s in said if s is Speaker.AGENT_ECHO)
    assert first_s <= delay_s + 0.5
    assert share(said, Speaker.AGENT_ECHO, first_s, 3.5) > 0.9


def test_a_caller_over_the_agent_is_never_taken_for_an_echo():
    """Another voice at the same level says nothing of the kind, at any moment."""
    said, reference = asked(speech(LINE, AGENT).samples, speech(CALLER, PATIENT).samples)

    assert {s for _, s in said} == {None}
    assert reference.score is None or reference.score < KEEP_SCORE


def test_a_caller_with_the_agents_own_kind_of_voice_is_told_from_it():
    """Pitch and timbre alike, other words: not an echo."""
    said, _ = asked(speech(LINE, AGENT).samples, speech(CALLER, AGENT).samples)

    assert Speaker.AGENT_ECHO not in {s for _, s in said}


def test_a_caller_who_takes_over_from_an_echo_is_unsure_not_echo():
    """The echo stops, a voice goes on: the floor is free to be taken."""
    agent = speech(LINE, AGENT).samples
    caller = echo_of(agent, 16000, delay_s=0.2)
    voice = speech(CALLER, PATIENT).samples
    caller[32000 : 32000 + len(voice)] = voice[: len(caller) - 32000]
    said, _ = asked(agent, caller)

    assert share(said, Speaker.AGENT_ECHO, 1.0, 2.0) == 1.0
    assert Speaker.UNSURE in [s for t, s in said if 2.1 < t < 2.6]
    assert share(said, Speaker.AGENT_ECHO, 2.6, 3.4) == 0.0


def test_a_caller_louder_than_the_echo_is_let_out_of_it():
    """Both sound at once, the caller by 6 dB: within 0.6 s the voice is no longer taken for the echo alone."""
    agent = speech(LINE, AGENT).samples
    echo = echo_of(agent, 16000, delay_s=0.2)
    voice = speech(CALLER, PATIENT).samples.astype(float)
    voice *= 2 * np.sqrt(np.mean(echo[16000:].astype(float) ** 2) / np.mean(voice**2))
    both = echo.astype(float)
    both[24000 : 24000 + len(voice)] += voice[: len(both) - 24000]
    said, _ = asked(agent, both.astype(np.int16))

    assert share(said, Speaker.AGENT_ECHO, 1.0, 1.5) == 1.0
    assert Speaker.UNSURE in [s for t, s in said if 1.5 < t < 2.1]


def test_the_end_of_an_echo_is_not_a_new_voice():
    """When the line falls quiet nobody has taken over."""
    agent = speech(LINE, AGENT).samples
    caller = echo_of(agent, 16000, delay_s=0.2)
    caller[32000:] = noise_floor(len(caller) - 32000)
    said, _ = asked(agent, caller)

    assert Speaker.UNSURE not in {s for _, s in said}


def test_an_echo_of_long_ago_says_nothing_about_who_speaks_now():
    """Words that come well after the last echo are somebody's, too quiet as they may be."""
    agent = np.concatenate([speech(LINE, AGENT).samples, np.zeros(80000, np.int16)])
    caller = echo_of(agent, 16000, delay_s=0.2)
    caller[32000:] = noise_floor(len(caller) - 32000, level_dbfs=-70.0)
    said, _ = asked(agent, caller)

    assert share(said, Speaker.AGENT_ECHO, 2.2, 3.9) == 1.0
    assert share(said, Speaker.AGENT_ECHO, 4.5, 9.0) == 0.0


def test_a_silent_agent_has_no_echo():
    """With nothing sent there is nothing to compare."""
    caller = speech(CALLER, PATIENT).samples
    said, reference = asked(np.zeros(len(caller), np.int16), caller)

    assert {s for _, s in said} == {None}
    assert reference.score is None


@pytest.mark.parametrize(("agent_rate", "caller_rate"), [(24000, 8000), (8000, 16000), (22050, 16000), (48000, 48000)])
def test_the_channels_may_run_at_different_rates(agent_rate, caller_rate):
    """Both are brought to 8 kHz for the comparison."""
    agent = speech(LINE, AGENT, agent_rate).samples
    at = np.arange(round(len(agent) * caller_rate / agent_rate)) * agent_rate / caller_rate
    line = np.interp(at, np.arange(len(agent)), agent).astype(np.int16)
    said, _ = asked(agent, echo_of(line, caller_rate, delay_s=0.2), rate=agent_rate, caller_rate=caller_rate)

    assert share(said, Speaker.AGENT_ECHO, 1.0, 3.5) > 0.9


def test_a_gate_behind_it_is_asked_when_it_is_no_echo():
    """The two kinds of evidence work together; the echo goes first."""

    class Gate:
        def attribution(self):
            return Speaker.THIRD_PARTY

    agent = speech(LINE, AGENT).samples
    echo, _ = asked(agent, echo_of(agent, 16000, delay_s=0.2), inner=Gate())
    other, _ = asked(agent, speech(CALLER, PATIENT).samples, inner=Gate())

    assert share(echo, Speaker.AGENT_ECHO, 1.0, 3.5) > 0.9
    assert {s for _, s in other} == {Speaker.THIRD_PARTY}


def test_an_hour_is_forgotten():
    """Memory is bounded by the window and the longest way."""
    reference = EchoReference()
    for i in range(5000):
        reference.sent(bytes(640), 16000, 0.02 * i)
        reference.caught(bytes(640), 16000, 0.02 * i)

    assert reference._sent._length < 3 * 8000
    assert reference._caught._length < 1 * 8000


def test_correlation_is_one_for_a_delayed_copy_and_small_for_noise():
    """The measure itself, between 0 and 1."""
    rng = np.random.default_rng(0)
    said = rng.standard_normal(8000).astype(np.float32)
    other = rng.standard_normal(2400).astype(np.float32)

    assert correlation(0.1 * said[3000:5400], said) == pytest.approx(1.0, abs=1e-3)
    assert correlation(other, said) < 0.15
    assert correlation(np.zeros(2400, np.float32), said) == 0.0
    assert 0 < KEEP_SCORE < ECHO_SCORE < 1


@pytest.mark.parametrize(
    ("rate_hz", "bytes_"), [(8000, 320), (16_000, 640), (24_000, 961), (44_100, 882), (22_050, 882)]
)
def test_a_channel_is_the_same_however_often_it_is_asked_for(rate_hz: int, bytes_: int) -> None:
    """Pieces brought to the rate one by one or together; odd bytes and rates that do not divide are no exception."""
    pcm = np.random.default_rng(7).integers(-9000, 9000, 60_000).astype("<i2").tobytes()
    often, once = _Line(1.0), _Line(1.0)

    for n in range(40):
        for line in (often, once):
            line.add(pcm[n * bytes_ : (n + 1) * bytes_], rate_hz, 0.02 * n)
        often.between(0.0, 0.5)

    end_s = once.end_s
    a, b = often.between(end_s - 0.5, end_s), once.between(end_s - 0.5, end_s)
    assert a.any()
    assert np.abs(a - b).max() < (1e-6 if rate_hz % 8000 == 0 else 0.2)


@pytest.mark.parametrize("rate_hz", [8000, 11_025, 16_000, 22_050, 24_000, 44_100, 48_000])
def test_a_channel_has_as_many_samples_as_its_pieces(rate_hz: int) -> None:
    """In pieces of any length, asked for at any time: one sample more would move all that is older."""
    rng, line = random.Random(rate_hz), _Line(5.0)

    for at in range(400):
        n = rng.choice([rng.randint(1, 60), rate_hz // 50, rate_hz // 50 + 1])
        line.add(bytes(2 * n + rng.choice([0, 0, 1])), rate_hz, 0.02 * at)
        if rng.random() < 0.1 and line._length:
            assert len(line._samples()) == line._length
    assert line._length
