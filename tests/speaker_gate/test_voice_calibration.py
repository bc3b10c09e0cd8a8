"""Calibration records: curves, checks, files, look-up, and fitting one from speakers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pydantic import ValidationError

from speaker_gate.calibrate import FitSettings, fit_record
from speaker_gate.calibration import (
    BandCalibration,
    BandPair,
    CalibrationRecord,
    Curve,
    describe,
    load_record,
    shipped_record,
)
from speaker_gate.embedders import Samples, Vector
from speaker_gate.errors import EmbedderMismatch, NoCalibration, NotEnoughData
from speaker_gate.fitting.thresholds import PairScores
from speaker_gate.testing import FAKE_VOICES_HZ, FakeEmbedder, fake_record
from speaker_gate.trials import SpeakerClips, cut_speaker, equal_error_rate

pytestmark = pytest.mark.unit


def test_a_curve_is_straight_between_knots_and_flat_outside() -> None:
    """Half way between two knots is half way between their values."""
    curve = Curve(seconds=(1.0, 2.0), values=(0.2, 0.4))

    assert [0.2, 0.2, 0.3, 0.4, 0.4] == pytest.approx([curve.at(s) for s in (0.1, 1.0, 1.5, 2.0, 9.0)])


@pytest.mark.parametrize(
    ("seconds", "values"), [((1.0, 2.0), (0.1,)), ((2.0, 1.0), (0.1, 0.2)), ((1.0, 1.0), (0.1, 0.2))]
)
def test_a_curve_with_unmatched_or_unsorted_knots_is_refused(
    seconds: tuple[float, ...], values: tuple[float, ...]
) -> None:
    """Knots rise and each has a value."""
    with pytest.raises(ValidationError):
        Curve(seconds=seconds, values=values)


def test_an_accept_threshold_under_the_reject_threshold_is_refused() -> None:
    """A record in which a score is both too low and high enough cannot be made."""
    good = fake_record().pair(BandPair.WIDE).model_dump()

    with pytest.raises(ValidationError, match="accept_above"):
        BandCalibration.model_validate(good | {"accept_above": {"seconds": (1.0,), "values": (0.1,)}})


def test_a_record_survives_its_file(tmp_path: Path) -> None:
    """Saved and loaded, it places vectors and sets thresholds as before."""
    record = fake_record()
    vector = np.array([0.6, 0.8, 0, 0, 0, 0], np.float32)

    again = load_record(record.save(tmp_path))

    assert record.settings == again.settings
    assert np.allclose(record.place(vector, narrow=True), again.place(vector, narrow=True), atol=1e-3)
    assert "fake-tones" == describe(again)["embedder"]


def test_arrays_of_another_length_are_refused() -> None:
    """A record whose arrays do not fit its vectors cannot be made."""
    with pytest.raises(EmbedderMismatch):
        CalibrationRecord(fake_record().settings, np.zeros(3), np.zeros(6), np.eye(6))


def test_an_embedder_without_a_record_names_the_way_to_one() -> None:
    """Thresholds are not portable: an unknown embedder gets an error that says how to fit its own."""
    with pytest.raises(NoCalibration, match="gate calibrate"):
        shipped_record("some/other-model")


def test_the_shipped_record_is_ordered_and_says_where_it_came_from() -> None:
    """The record of the packaged embedder ships, and names its data, split and seed."""
    record = shipped_record("campplus-zh-en@92f29b94")

    assert 192 == record.settings.dim
    assert {"data", "split", "seed"} <= set(record.settings.made_from)
    for pair in BandPair:
        band = record.pair(pair)
        assert all(band.reject_below.at(s) <= band.accept_above.at(s) for s in (0.5, 1.0, 2.0, 3.0))
        assert 0.5 <= band.min_seconds <= 1.5


class NoisyVoices(FakeEmbedder):
    """A fake embedder in which many speakers differ by mixture, with a little noise of its own."""

    def embed(self, samples: Samples) -> Vector | None:
        vector = super().embed(samples)
        if vector is None:
            return None
        seed = int(abs(float(samples[:4_000].sum())) * 1e6) % (2**31)
        noisy = vector + 0.1 * np.random.default_rng(seed).standard_normal(len(vector)).astype(np.float32)
        return (noisy / np.linalg.norm(noisy)).astype(np.float32)


def mixed_speakers(count: int, seconds: float) -> list[SpeakerClips]:
    rng = np.random.default_rng(11)
    at_s = np.arange(int(seconds * 16_000)) / 16_000
    syllables = 0.52 - 0.48 * np.cos(2 * np.pi * 4 * at_s)
    speakers: list[SpeakerClips] = []
    for number in range(count):
        weights = rng.uniform(0, 1, len(FAKE_VOICES_HZ)) ** 3
        tones = sum(w * np.sin(2 * np.pi * hz * at_s) for w, hz in zip(weights, FAKE_VOICES_HZ.values(), strict=True))
        speakers.append(SpeakerClips(f"s{number:02d}", ((0.1 * tones * syllables).astype(np.float32),)))
    return speakers


def test_a_fit_sets_ordered_thresholds_that_separate_its_speakers() -> None:
    """From speakers alone come thresholds that reject few of their own and accept few of the others."""
    fit = fit_record(
        NoisyVoices(),
        mixed_speakers(14, 16.0),
        settings=FitSettings(seconds=(1.0, 2.0), composites=6),
        made_from={"data": "tones"},
    )

    scores = fit.scores[BandPair.NARROW, 2.0]
    band = fit.record.pair(BandPair.NARROW)
    assert np.mean(scores.primary < band.reject_below.at(2.0)) <= 0.02
    assert np.mean(scores.others > band.accept_above.at(2.0)) <= 0.05
    assert {"data": "tones"} == fit.record.settings.made_from
    assert set(fit.record.settings.change) == {BandPair.WIDE, BandPair.NARROW}


def test_a_fit_of_too_few_speakers_is_refused() -> None:
    """A handful of voices cannot carry a threshold."""
    with pytest.raises(NotEnoughData, match="12 are needed"):
        fit_record(FakeEmbedder(), mixed_speakers(3, 16.0), settings=FitSettings(composites=0))


def test_a_speaker_is_never_tested_on_the_enrolled_clip() -> None:
    """With several clips the windows come from the clips after the enrolment."""
    clips = tuple(
        np.full(5 * 16_000, value, np.float32) * np.sign(np.sin(np.arange(80_000))) for value in (0.1, 0.2, 0.3)
    )

    cut = cut_speaker(SpeakerClips("a", clips), narrow=False, enrol_s=5.0, seconds=(1.0,))

    assert cut is not None
    assert abs(float(np.abs(cut.enrolment).max()) - 0.1) < 0.01
    assert all(abs(float(np.abs(window).max()) - 0.1) > 0.05 for window in cut.windows[1.0])


def test_too_little_speech_or_the_wrong_band_gives_no_trial() -> None:
    """Two seconds cannot enrol, and telephone recordings have no wide band."""
    short = SpeakerClips("a", (mixed_speakers(1, 2.0)[0].clips[0],))
    phone = SpeakerClips("b", mixed_speakers(1, 12.0)[0].clips, narrow_only=True)

    assert cut_speaker(short, narrow=False) is None
    assert cut_speaker(phone, narrow=False) is None
    assert cut_speaker(phone, narrow=True) is not None


def test_the_equal_error_rate_of_separated_scores_is_zero_and_of_alike_ones_a_half() -> None:
    """Known answers at both ends."""
    apart, _ = equal_error_rate(np.array([0.8, 0.9]), np.array([0.1, 0.2]))
    alike, _ = equal_error_rate(np.arange(100.0), np.arange(100.0))

    assert 0.0 == apart
    assert 0.5 == pytest.approx(alike, abs=0.02)


def test_a_calibration_is_drawn_as_det_curves_and_histograms(tmp_path: Path) -> None:
    """Two files per fit, from scores alone."""
    pytest.importorskip("matplotlib", reason="plots need matplotlib")
    from speaker_gate.adapters.score_plots import draw

    rng = np.random.default_rng(4)
    scores = {
        (band, seconds): PairScores(rng.normal(0.6, 0.1, 60), rng.normal(0.1, 0.1, 600))
        for band in ("16k", "mulaw8k")
        for seconds in (1.0, 2.0)
    }

    drawn = draw(tmp_path / "plots", scores)

    assert ["det.png", "scores.png"] == [path.name for path in drawn]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in drawn)
