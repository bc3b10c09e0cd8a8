"""A fit that can be made again: the split that says on whom, and how far two records lie apart."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from speaker_gate.adapters.fit_split import FitSplit, chosen, read_noise, read_split
from speaker_gate.calibration import BandPair, CalibrationRecord, shipped_record
from speaker_gate.errors import CallerError, EmbedderMismatch, NotEnoughData
from speaker_gate.fitting.comparing import differences
from speaker_gate.spoil import fit_spoilers
from speaker_gate.testing import fake_record, say

pytestmark = pytest.mark.unit

COMMITTED = Path(__file__).resolve().parents[2] / "benchmarks" / "training" / "voices" / "split.json"


def test_the_committed_split_is_the_one_of_the_shipped_record() -> None:
    """As many speakers as the record says, and noises of its own."""
    split = read_split(COMMITTED)

    assert shipped_record("campplus-zh-en@92f29b94").settings.made_from["speakers"] == len(split.speakers)
    assert split.noise


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[", "not JSON"),
        ("[]", "fit_speakers"),
        ("{}", "list of names"),
        ('{"fit_speakers": []}', "list of names"),
        ('{"fit_speakers": "1688"}', "list of names"),
        ('{"fit_speakers": ["a", 7]}', "list of names"),
        ('{"fit_speakers": ["a"], "fit_noise": {}}', "fit_noise"),
    ],
)
def test_a_split_that_is_none_is_refused_by_name(tmp_path: Path, text: str, says: str) -> None:
    """What is wrong, and in which file."""
    path = tmp_path / "mine.json"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(CallerError, match=says) as refused:
        read_split(path)

    assert "mine.json" in str(refused.value)


def test_a_split_whose_speakers_are_not_there_is_refused_and_names_some() -> None:
    """Another fit would come of it without a word."""
    split = FitSplit(("a", "b", "c", "d", "e"))

    with pytest.raises(NotEnoughData, match=r"4 of its 5 speakers .*\(b, c, d, \.\.\.\)"):
        chosen(split, ["a", "x"], Path("mine.json"))


def test_a_split_names_its_noises_and_all_are_taken_without_one(tmp_path: Path) -> None:
    """A noise that is not there is named."""
    soundfile = pytest.importorskip("soundfile")
    for name in ("horn", "music"):
        soundfile.write(tmp_path / f"{name}.wav", np.zeros(1_600), 16_000)

    alone, both = read_noise(tmp_path, FitSplit(("a",), ("horn",))), read_noise(tmp_path)

    assert (1_600, 3_200) == (len(alone), len(both))
    with pytest.raises(NotEnoughData, match="no recording siren"):
        read_noise(tmp_path, FitSplit(("a",), ("siren",)))


def test_a_record_differs_from_itself_by_nothing() -> None:
    """And says so in plain values."""
    found = differences(fake_record(), fake_record())

    assert found.same
    assert 0.0 == json.loads(json.dumps(found.plain()))["thresholds"]


def moved(by: float) -> CalibrationRecord:
    """The fake record with one accept threshold raised."""
    record = fake_record()
    band = record.pair(BandPair.NARROW)
    curve = band.accept_above.model_copy(update={"values": tuple(value + by for value in band.accept_above.values)})
    pairs = {**record.settings.pairs, BandPair.NARROW: band.model_copy(update={"accept_above": curve})}
    return CalibrationRecord(record.settings.model_copy(update={"pairs": pairs}), *record.arrays)


@pytest.mark.parametrize(("by", "same"), [(0.0005, True), (0.02, False)])
def test_a_threshold_that_lies_elsewhere_is_told_by_how_much(by: float, same: bool) -> None:
    """Rounding is no difference, two hundredths are."""
    found = differences(moved(by), fake_record())

    assert found.thresholds == pytest.approx(by)
    assert found.same is same


def test_records_of_two_embedders_are_not_compared() -> None:
    """Their scores mean different things."""
    other = fake_record()
    settings = other.settings.model_copy(update={"embedder": "another"})

    with pytest.raises(EmbedderMismatch, match="another"):
        differences(CalibrationRecord(settings, *other.arrays), fake_record())


def test_the_own_voice_is_spoiled_as_in_the_shipped_fit_and_alike_each_time() -> None:
    """A room by default, noise where there is some, neither where none is wanted."""
    noise = np.random.default_rng(2).normal(0, 0.1, 16_000).astype(np.float32)
    speech = say("patient", 1.0)

    both = fit_spoilers(noise)

    assert ["noise", "room"] == list(both)
    assert [] == list(fit_spoilers(None, room_s=0.0))
    for spoil in both.values():
        assert np.array_equal(spoil(speech), spoil(speech))
        assert not np.array_equal(spoil(speech), speech)
