"""Rates, levels, the speech inside a stretch, a telephone line in software, and a live stream brought to 16 kHz."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from speaker_gate.audio import (
    as_mono,
    clipped_share,
    is_narrow,
    level_dbfs,
    mulaw,
    over_telephone,
    resample,
    snr_db,
    speech_of,
    to_model_rate,
)
from speaker_gate.errors import BadAudio
from speaker_gate.gatherer import TURN_SECONDS_MAX, SpeechGatherer
from speaker_gate.resampler import StreamResampler
from speaker_gate.spoil import in_room, with_echo, with_noise
from speaker_gate.testing import quiet, say

pytestmark = pytest.mark.unit


def tone(hertz: float, seconds: float, rate_hz: int) -> np.ndarray:
    return np.sin(2 * np.pi * hertz * np.arange(int(seconds * rate_hz)) / rate_hz).astype(np.float32)


def test_int16_and_stereo_become_float_mono() -> None:
    """Sixteen-bit stereo comes out as float32 mono in [-1, 1]."""
    stereo = np.array([[16384, 16384], [-32768, -32768]], dtype=np.int16)

    mono = as_mono(stereo)

    assert mono.dtype == np.float32
    assert [0.5, -1.0] == mono.tolist()


@pytest.mark.parametrize("bad", [np.zeros((2, 2, 2)), np.array(["a"])])
def test_audio_of_another_shape_or_type_is_refused(bad: np.ndarray) -> None:
    """Three dimensions, or text, is the caller's fault."""
    with pytest.raises(BadAudio):
        as_mono(bad)


@pytest.mark.parametrize("rate_hz", [8_000, 22_050, 24_000, 44_100, 48_000])
def test_a_tone_keeps_its_pitch_and_level_through_a_rate_change(rate_hz: int) -> None:
    """A 700 Hz tone is the same 700 Hz tone at 16 kHz, away from the ends."""
    made = to_model_rate(tone(700, 0.5, rate_hz), rate_hz)

    wanted = tone(700, 0.5, 16_000)
    assert 8_000 == len(made)
    assert np.abs(made[800:-800] - wanted[800:-800]).max() < 0.03


@pytest.mark.parametrize("rate_hz", [7_999, 48_001, 0])
def test_a_rate_outside_the_range_is_refused(rate_hz: int) -> None:
    """One step past either limit is refused; the limits themselves are taken."""
    with pytest.raises(BadAudio, match="sampling rate"):
        resample(np.zeros(10, np.float32), rate_hz, 16_000)


def test_nothing_resamples_to_nothing() -> None:
    """An empty stretch stays empty."""
    assert 0 == len(resample(np.zeros(0, np.float32), 8_000, 16_000))


@settings(max_examples=20, deadline=None)
@given(
    cuts=st.lists(st.integers(1, 900), min_size=1, max_size=12), rate=st.sampled_from([8_000, 24_000, 44_100, 48_000])
)
def test_a_stream_in_any_chunks_equals_the_stream_in_one(cuts: list[int], rate: int) -> None:
    """How the audio is chopped into chunks does not change what comes out."""
    sound = np.random.default_rng(3).standard_normal(sum(cuts)).astype(np.float32)
    whole = StreamResampler(rate).feed(sound, last=True)

    chopped = StreamResampler(rate)
    parts = [chopped.feed(part) for part in np.split(sound, np.cumsum(cuts)[:-1])]
    parts.append(chopped.feed(np.zeros(0, np.float32), last=True))

    assert np.allclose(np.concatenate(parts), whole, atol=1e-5)
    assert abs(len(whole) - len(sound) * 16_000 / rate) <= 1


def test_a_streamed_tone_is_as_clean_as_a_whole_one() -> None:
    """The live resampler follows the 8 kHz tone to within one part in a hundred."""
    stream = StreamResampler(8_000)
    sound = tone(500, 1.0, 8_000)

    made = np.concatenate([stream.feed(sound[:3_000]), stream.feed(sound[3_000:], last=True)])

    assert np.abs(made[400:-400] - tone(500, 1.0, 16_000)[400:-400]).max() < 0.01


def test_a_stream_refuses_an_unusable_rate() -> None:
    """The stream says so at once, not at the first chunk."""
    with pytest.raises(BadAudio):
        StreamResampler(4_000)


def test_a_telephone_line_leaves_the_voice_band_and_takes_the_rest() -> None:
    """1 kHz passes, 100 Hz and 6 kHz do not."""
    inside, below, above = (level_dbfs(over_telephone(tone(hz, 0.5, 16_000))) for hz in (1_000, 100, 6_000))

    assert inside > -4.0
    assert below < -25.0
    assert above < -25.0


def test_mulaw_keeps_a_signal_to_within_its_steps() -> None:
    """Mu-law is a companding code: its error grows with the level and stays under 3 % of it."""
    sound = tone(300, 0.1, 8_000)

    assert np.abs(mulaw(sound) - sound).max() < 0.03


@pytest.mark.parametrize(
    ("source_rate_hz", "sound", "narrow"),
    [
        (8_000, tone(1_000, 0.5, 16_000), True),
        (16_000, tone(1_000, 0.5, 16_000), True),
        (16_000, tone(1_000, 0.5, 16_000) + 0.1 * tone(6_000, 0.5, 16_000), False),
        (48_000, 0.1 * np.random.default_rng(0).standard_normal(8_000).astype(np.float32), False),
    ],
)
def test_the_band_is_read_from_the_rate_else_from_the_sound(
    source_rate_hz: int, sound: np.ndarray, narrow: bool
) -> None:
    """Telephone sound delivered at a wide rate is still telephone sound."""
    assert narrow is is_narrow(sound, source_rate_hz)


def test_speech_is_taken_out_of_its_pauses() -> None:
    """One second of voice between two of silence gives about one second of speech, with its place."""
    stretch = np.concatenate([quiet(1.0), say("patient", 1.0), quiet(1.0)])

    speech = speech_of(stretch)

    assert 0.9 < speech.seconds < 1.2
    assert 0.9 < speech.at(0.0) < 1.1
    assert 1.4 < speech.at(0.5) < 1.6


@pytest.mark.parametrize("sound", [quiet(1.0), quiet(0.0), np.full(16_000, np.nan, np.float32)])
def test_silence_emptiness_and_nan_hold_no_speech(sound: np.ndarray) -> None:
    """What is not speech gives no speech, and no error."""
    assert 0.0 == speech_of(sound).seconds


def test_a_growing_turn_never_moves_speech_it_already_took() -> None:
    """What was joined once stays where it is, however the turn goes on."""
    gatherer = SpeechGatherer()
    before = np.zeros(0, np.float32)
    for part in (say("patient", 0.7), quiet(0.4), say("daughter", 0.5, -45.0), quiet(0.3), say("patient", 0.9)):
        gatherer.hear(part)
        joined = gatherer.take_in().samples
        assert np.array_equal(before, joined[: len(before)])
        before = joined

    assert len(gatherer.take_in(final=True).samples) >= len(before)


def test_an_endless_turn_is_bounded() -> None:
    """Audio past a minute is no longer added."""
    gatherer = SpeechGatherer()
    for _ in range(70):
        gatherer.hear(quiet(1.0))

    assert TURN_SECONDS_MAX == gatherer.heard_s


def test_levels_and_clipping_are_measured_on_full_scale() -> None:
    """A full-scale square wave is at 0 dBFS and all clipped; silence is at the floor."""
    square = np.sign(tone(100, 0.2, 16_000)).astype(np.float32)

    assert abs(level_dbfs(square)) < 0.2
    assert clipped_share(square) > 0.9
    assert -100.0 == level_dbfs(quiet(0.1))
    assert -100.0 == level_dbfs(quiet(0.0))
    assert 0.0 == clipped_share(quiet(0.0))


def test_noise_is_added_at_the_ratio_asked_for() -> None:
    """Ten decibels means ten decibels, measured on the speech."""
    speech, noise = say("patient", 2.0), np.random.default_rng(1).standard_normal(9_000).astype(np.float32)

    spoilt = with_noise(speech, noise, 10.0, seed=4)

    assert abs((level_dbfs(speech) - level_dbfs(spoilt - speech)) - 10.0) < 1.0
    assert np.array_equal(speech, with_noise(speech, quiet(1.0), 10.0, seed=4))
    assert snr_db(spoilt) < snr_db(speech)


def test_echo_and_room_keep_the_length_and_the_start() -> None:
    """An echo begins after its delay; a room adds only what follows."""
    speech = say("patient", 1.0)

    echoed, roomy = with_echo(speech, say("agent", 0.5), -18.0, 0.18), in_room(speech, 0.3, seed=1)

    assert len(speech) == len(echoed) == len(roomy)
    assert np.array_equal(speech[:2_800], echoed[:2_800])
    assert not np.array_equal(speech[2_900:], echoed[2_900:])
