"""The agent hears itself: by its sound, and by its words. Field case D17."""

from __future__ import annotations

import numpy as np
import pytest

from speaker_gate.audio import over_telephone, to_model_rate
from speaker_gate.echo import DELAY_S_MAX, NO_ECHO, find_echo, text_is_echo
from speaker_gate.tape import PlayedTape
from speaker_gate.testing import quiet

pytestmark = pytest.mark.unit


def speechlike(seconds: float, seed: int) -> np.ndarray:
    """Noise in syllables: broad like speech, and never the same twice."""
    rng = np.random.default_rng(seed)
    at_s = np.arange(int(seconds * 16_000)) / 16_000
    return (0.1 * rng.standard_normal(len(at_s)) * (0.55 - 0.45 * np.cos(2 * np.pi * 4 * at_s))).astype(np.float32)


def caller_side(played: np.ndarray, heard_s: float, gain_db: float, delay_s: float) -> np.ndarray:
    """What the caller's line carries in the last `heard_s` seconds: the agent's sound, quieter and late."""
    delay, size = int(delay_s * 16_000), int(heard_s * 16_000)
    end = len(played) - delay
    return played[end - size : end] * 10 ** (gain_db / 20)


@pytest.mark.parametrize("telephone", [False, True])
def test_the_agents_sound_at_minus_18_db_and_180_ms_late_is_found(telephone: bool) -> None:
    """Level, delay and share are told; a telephone line on the way back changes nothing."""
    played = speechlike(2.6, 1)
    heard = caller_side(played, 2.0, -18.0, 0.18)
    if telephone:
        heard = to_model_rate(over_telephone(heard), 8_000)[: len(heard)]

    finding = find_echo(heard, played)

    assert finding.is_echo
    assert abs(finding.delay_s - 0.18) < 0.02
    assert abs(finding.gain_db + 18.0) < 2.0


def test_a_person_speaking_over_the_agent_is_not_its_echo() -> None:
    """With the patient at normal level the echo explains little of the sound."""
    played = speechlike(2.6, 1)
    heard = caller_side(played, 2.0, -18.0, 0.18) + speechlike(2.0, 2)

    assert not find_echo(heard, played).is_echo


def test_unrelated_sound_is_no_echo() -> None:
    """Two signals that have nothing to do with each other explain nothing of each other."""
    assert find_echo(speechlike(2.0, 3), speechlike(2.6, 4)).share < 0.2


@pytest.mark.parametrize(
    ("heard", "played"),
    [
        (quiet(2.0), speechlike(2.6, 1)),
        (speechlike(2.0, 1), quiet(2.6)),
        (speechlike(0.1, 1), speechlike(2.6, 1)),
        (speechlike(2.0, 1), speechlike(1.0, 1)),
    ],
)
def test_silence_or_too_little_of_either_is_no_echo(heard: np.ndarray, played: np.ndarray) -> None:
    """Nothing to compare with is no finding, not an error."""
    assert NO_ECHO == find_echo(heard, played)


QUESTION = "Do you have pain when you breathe?"


@pytest.mark.parametrize(
    ("heard", "said", "echo"),
    [
        ("you have pain when you breathe", QUESTION, True),
        ("Do you have pain when you breathe?", QUESTION, True),
        ("pain when I breathe, yes", QUESTION, False),
        ("you breathe", QUESTION, False),
        ("yes", QUESTION, False),
        ("I have pain when I cough", QUESTION, False),
        ("tem dores quando respira", "Tem dores quando respira?", True),
        ("tenho dores quando respiro sim", "Tem dores quando respira?", False),
        ("you have pain when you breathe", "", False),
    ],
)
def test_the_agents_words_in_their_order_are_an_echo_and_an_answer_that_picks_them_up_is_not(
    heard: str, said: str, echo: bool
) -> None:
    """D17: the same run of words is dropped; words shared by an answer are kept."""
    assert echo is text_is_echo(heard, said)


def test_the_tape_gives_what_played_when_and_silence_elsewhere() -> None:
    """Sound is found by the call's time; what is older than half a minute is gone."""
    tape = PlayedTape()
    tape.add(10.0, np.ones(16_000, np.float32))

    between = tape.between(9.5, 10.5)
    assert (0.0, 1.0) == (float(between[:7_900].max()), float(between[8_100:].min()))
    assert tape.played_in(10.9, 12.0)
    assert not tape.played_in(11.1, 12.0)
    tape.add(50.0, np.ones(1_600, np.float32))
    assert 0.0 == float(tape.between(10.0, 11.0).max())
    assert 1_600 == len(tape.latest(10.0))
    assert 0 == len(PlayedTape().latest(1.0))
    assert DELAY_S_MAX < 1.0
