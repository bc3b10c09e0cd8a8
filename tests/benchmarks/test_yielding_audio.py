"""What can be heard on a channel: onsets, ends by the 300 ms rule, and audio that sounded again."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.yielding.audio import Run, is_stale, onset_s, similarity, sounded, sounding, utterance_at

pytestmark = pytest.mark.unit

RATE = 8000


def noise(seconds: float, seed: int = 0, level: float = 0.1) -> np.ndarray:
    """Loud noise that is like no other seed's."""
    return np.random.default_rng(seed).normal(0, level, round(seconds * RATE))


def silence(seconds: float) -> np.ndarray:
    """Digital silence."""
    return np.zeros(round(seconds * RATE))


def channel(*parts: np.ndarray) -> np.ndarray:
    """Parts one after the other."""
    return np.concatenate(parts)


def near(seconds: float):
    """Within a frame of 5 ms."""
    return pytest.approx(seconds, abs=0.005)


def test_a_gap_of_300_ms_ends_an_utterance_and_a_shorter_one_does_not():
    """The protocol's rule, on both sides of it."""
    short = channel(silence(0.5), noise(1.0), silence(0.28), noise(0.5), silence(1.0))
    long = channel(silence(0.5), noise(1.0), silence(0.32), noise(0.5), silence(1.0))

    assert [(r.start_s, r.end_s) for r in sounding(short, RATE)] == [(near(0.5), near(2.28))]
    assert [(r.start_s, r.end_s) for r in sounding(long, RATE)] == [(near(0.5), near(1.5)), (near(1.82), near(2.32))]


def test_line_noise_is_not_sound():
    """Noise at -72 dBFS is below what counts as audible."""
    assert sounding(noise(2.0, level=10 ** (-72 / 20)), RATE) == []
    assert onset_s(noise(2.0, level=10 ** (-72 / 20)), RATE) is None


def test_an_onset_is_the_first_audible_sample():
    """Not the start of its frame."""
    assert onset_s(channel(silence(0.7013), noise(0.5)), RATE) == pytest.approx(0.7013, abs=0.001)


def test_an_onset_can_be_looked_for_later():
    """From a moment inside a run, that moment."""
    x = channel(silence(0.5), noise(1.0), silence(1.0), noise(0.5))

    assert onset_s(x, RATE, from_s=1.0) == 1.0
    assert onset_s(x, RATE, from_s=2.0) == near(2.5)
    assert onset_s(x, RATE, from_s=9.0) is None


def test_the_utterance_at_a_moment_spans_its_short_pauses():
    """A moment inside a pause of 200 ms belongs to the utterance; one before it does not."""
    x = channel(silence(0.5), noise(1.0), silence(0.2), noise(0.5))

    assert utterance_at(x, RATE, 1.6) == Run(near(0.5), near(2.2))
    assert utterance_at(x, RATE, 0.2) is None
    assert utterance_at(x, RATE, 2.5) is None


def test_int16_and_float_are_the_same_sound():
    """Either form gives the same runs."""
    x = channel(silence(0.5), noise(0.5, level=0.05), silence(0.5))

    assert sounding((x * 32768).astype(np.int16), RATE) == sounding(x.astype(np.float32), RATE)


@pytest.mark.parametrize("bad", [np.zeros((2, 10)), np.zeros(10, np.int32), np.array([0.0, np.nan])])
def test_other_forms_are_refused(bad: np.ndarray):
    """Two channels in one array, other integers, and NaN are errors."""
    with pytest.raises(ValueError, match=r"expected|finite"):
        sounding(bad, RATE)


def test_an_empty_channel_has_no_sound():
    """Nothing is heard in nothing."""
    assert sounding(np.zeros(0), RATE) == []


def test_known_audio_is_found_at_any_level_and_place():
    """Half as loud and somewhere inside."""
    piece = noise(0.4, seed=5)

    assert sounded(piece, channel(noise(1.0), 0.5 * piece, noise(1.0)), RATE)
    assert not sounded(piece, channel(noise(1.0), noise(2.0, seed=6)), RATE)
    assert not sounded(piece, silence(2.0), RATE)
    assert not sounded(piece, noise(0.2, seed=5), RATE)


def test_output_is_stale_when_it_goes_on_or_begins_again():
    """Both the rest and the beginning of the interrupted utterance are stale; a new answer is not."""
    utterance = noise(4.0, seed=7)

    assert is_stale(utterance[2 * RATE :], utterance, RATE)
    assert is_stale(utterance[:RATE], utterance, RATE)
    assert not is_stale(noise(1.0, seed=8), utterance, RATE)


@given(st.lists(st.tuples(st.floats(0.01, 0.8), st.floats(0.01, 0.8)), min_size=1, max_size=6), st.integers(0, 99))
@settings(max_examples=60, deadline=None)
def test_runs_are_in_order_and_apart_by_300_ms(parts: list[tuple[float, float]], seed: int):
    """Whatever the sounds and gaps: runs never overlap and never lie closer than the rule."""
    x = channel(*[p for i, (sound, gap) in enumerate(parts) for p in (noise(sound, seed + i), silence(gap))])

    runs = sounding(x, RATE)

    assert all(run.length_s > 0 for run in runs)
    assert all(b.start_s - a.end_s >= 0.3 for a, b in zip(runs, runs[1:], strict=False))


def test_similarity_lies_between_0_and_1():
    """The same audio is 1, its own negative is not."""
    x = noise(0.5, seed=3)

    assert similarity(x, x) == pytest.approx(1.0)
    assert similarity(x, -x) < 0.5
