"""What was measured about one embedder: its channel means, whitening, thresholds by length, change weights.

Owns the record, its file form (JSON beside an .npz) and its look-up. Never fits one: `speaker_gate.calibrate` does.
"""

from __future__ import annotations

import json
from enum import StrEnum
from functools import lru_cache
from importlib import resources
from importlib.abc import Traversable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, model_validator

from speaker_gate.errors import EmbedderMismatch, NoCalibration, RecordUnreadable, SpeakerGateError

RECORD_VERSION = 1


class BandPair(StrEnum):
    """Which bands are compared: that of the enrolment with that of the speech."""

    WIDE = "16k"
    NARROW = "mulaw8k"
    CROSS = "16k_to_mulaw8k"


def pair_of(enrolled_narrow: bool, speech_narrow: bool) -> BandPair:
    """Pick the pair; both mixed cases are CROSS."""
    if enrolled_narrow != speech_narrow:
        return BandPair.CROSS
    return BandPair.NARROW if speech_narrow else BandPair.WIDE


class Curve(BaseModel):
    """A number that depends on seconds of speech: straight between knots, flat outside them.

    Parameters:
        seconds: Rising knots, seconds of speech.
        values: One value a knot.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    seconds: tuple[float, ...] = Field(min_length=1)
    values: tuple[float, ...]

    @model_validator(mode="after")
    def _matched(self) -> Curve:
        if len(self.seconds) != len(self.values) or list(self.seconds) != sorted(set(self.seconds)):
            raise ValueError("a curve needs rising seconds and one value for each")
        if not np.isfinite((*self.seconds, *self.values)).all():
            raise ValueError("a curve needs finite numbers")
        return self

    def at(self, seconds: float) -> float:
        """The value at a length."""
        return float(np.interp(seconds, self.seconds, self.values))


class BandCalibration(BaseModel):
    """Thresholds of one band pair, on the score (cosine after centring and whitening, in [-1, 1]).

    Parameters:
        min_seconds: Below this much speech the answer is *unsure*, whatever the score.
        reject_below: Score under which the voice is not the enrolled one, by seconds of speech.
        accept_above: Score over which it is, by seconds of speech. Never below `reject_below`.
        primary_mean: Mean score of the enrolled voice itself, by seconds.
        primary_sd: Its standard deviation, by seconds.
        other_mean: Mean score of other voices, by seconds.
        other_sd: Its standard deviation, by seconds.
        n_primary: Trials of the enrolled voice behind the fit.
        n_other: Trials of other voices behind the fit.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    min_seconds: float = Field(ge=0.3, le=5.0)
    reject_below: Curve
    accept_above: Curve
    primary_mean: Curve
    primary_sd: Curve
    other_mean: Curve
    other_sd: Curve
    n_primary: int = Field(ge=0)
    n_other: int = Field(ge=0)

    @model_validator(mode="after")
    def _ordered(self) -> BandCalibration:
        for seconds in self.reject_below.seconds:
            if self.accept_above.at(seconds) < self.reject_below.at(seconds) - 1e-9:
                raise ValueError("accept_above must not lie below reject_below")
        return self


class ChangeCalibration(BaseModel):
    """How two stretches of one turn are told to be two voices; see `speaker_gate.change`.

    Parameters:
        reliability: r(seconds): the mean score of two stretches of one voice is r(a) * r(b).
        same_sd: Standard deviation of that score.
        other_sd: Standard deviation of the score of two voices.
        suspect_below: Ratio of likelihoods (natural log) under which a split found cheaply is looked at closely.
        change_above: Change score over which a change is declared, without an enrolment.
        change_above_enrolled: The same with one.
        enrolled_weight: Weight of the enrolment's evidence about the later stretch.
        segmenter_weight: Weight of a second of a second voice heard by the segmenter.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    reliability: Curve
    same_sd: float = Field(gt=0)
    other_sd: float = Field(gt=0)
    suspect_below: float
    change_above: float
    change_above_enrolled: float
    enrolled_weight: float = Field(ge=0)
    segmenter_weight: float = Field(ge=0)


class EnrolmentCalibration(BaseModel):
    """What two windows of an enrolment must score against each other to be one voice.

    Parameters:
        consistent_above: Least mean score of each window with the rest, by seconds of a window.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    consistent_above: Curve


class RecordSettings(BaseModel):
    """Everything of a record that is not an array.

    Parameters:
        embedder: Name of the embedder it belongs to.
        dim: Length of its vectors.
        version: Form of the record.
        pairs: Thresholds by band pair.
        change: Change weights by band ("16k", "mulaw8k").
        enrolment: Consistency by band ("16k", "mulaw8k").
        made_from: Data, split, seed, versions: how to make it again.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    embedder: str
    dim: int
    version: int = RECORD_VERSION
    pairs: dict[BandPair, BandCalibration]
    change: dict[BandPair, ChangeCalibration]
    enrolment: dict[BandPair, EnrolmentCalibration]
    made_from: dict[str, str | int | float]


class CalibrationRecord:
    """One embedder's record: settings and the arrays that bring its vectors onto one scale.

    Args:
        settings: Everything that is not an array.
        mean_wide: Mean vector of 16 kHz speech, float32, shape (dim,).
        mean_narrow: Mean vector of telephone speech, float32, shape (dim,).
        whitening: Within-voice whitening, float32, shape (dim, dim).

    Raises:
        EmbedderMismatch: An array does not fit `settings.dim`.
    """

    def __init__(
        self,
        settings: RecordSettings,
        mean_wide: NDArray[np.float32],
        mean_narrow: NDArray[np.float32],
        whitening: NDArray[np.float32],
    ) -> None:
        dim = settings.dim
        if mean_wide.shape != (dim,) or mean_narrow.shape != (dim,) or whitening.shape != (dim, dim):
            raise EmbedderMismatch(f"record arrays do not fit vectors of length {dim}")
        if not all(np.isfinite(array).all() for array in (mean_wide, mean_narrow, whitening)):
            raise RecordUnreadable("record arrays hold numbers that are not finite")
        self.settings = settings
        self._mean_wide = mean_wide.astype(np.float32)
        self._mean_narrow = mean_narrow.astype(np.float32)
        self._whitening = whitening.astype(np.float32)

    @property
    def embedder(self) -> str:
        """Name of the embedder it belongs to."""
        return self.settings.embedder

    @property
    def arrays(self) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
        """Mean of wide speech, mean of telephone speech, whitening."""
        return self._mean_wide, self._mean_narrow, self._whitening

    def pair(self, pair: BandPair) -> BandCalibration:
        """Thresholds of one band pair."""
        return self.settings.pairs[pair]

    def change(self, narrow: bool) -> ChangeCalibration:
        """Change weights of one band."""
        return self.settings.change[BandPair.NARROW if narrow else BandPair.WIDE]

    def consistent_above(self, narrow: bool, seconds: float) -> float:
        """Least mean score between windows of one voice, for windows of that many seconds."""
        band = self.settings.enrolment[BandPair.NARROW if narrow else BandPair.WIDE]
        return band.consistent_above.at(seconds)

    def place(self, vector: NDArray[np.float32], narrow: bool) -> NDArray[np.float32]:
        """Centre a vector on its channel, whiten it and scale it to unit length: scores are cosines of these.

        Raises:
            EmbedderMismatch: The vector has another length than the record's.
        """
        if vector.shape != (self.settings.dim,):
            raise EmbedderMismatch(f"vector of shape {vector.shape} does not fit record of dim {self.settings.dim}")
        centred = vector - (self._mean_narrow if narrow else self._mean_wide)
        centred = centred / max(float(np.linalg.norm(centred)), 1e-8)
        placed = self._whitening @ centred
        return (placed / max(float(np.linalg.norm(placed)), 1e-8)).astype(np.float32)

    def save(self, folder: Path) -> Path:
        """Write `<embedder>.json` and `<embedder>.npz` (half precision); returns the JSON's path."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{_stem(self.embedder)}.json"
        path.write_text(self.settings.model_dump_json(indent=1) + "\n", encoding="utf-8")
        np.savez_compressed(
            path.with_suffix(".npz"),
            mean_wide=self._mean_wide.astype(np.float16),
            mean_narrow=self._mean_narrow.astype(np.float16),
            whitening=self._whitening.astype(np.float16),
        )
        return path


def read_record(path: Path | Traversable, arrays: Path | Traversable) -> CalibrationRecord:
    """Read a record from its two files.

    Raises:
        RecordUnreadable: A file is missing, damaged or no record; names it and the fix.
        EmbedderMismatch: The arrays do not fit the settings.
    """
    try:
        settings = RecordSettings.model_validate_json(path.read_text(encoding="utf-8"))
        with arrays.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            return CalibrationRecord(
                settings,
                stored["mean_wide"].astype(np.float32),
                stored["mean_narrow"].astype(np.float32),
                stored["whitening"].astype(np.float32),
            )
    except SpeakerGateError:
        raise
    except Exception as error:  # a damaged file fails in json, pydantic, zip or numpy, each with kinds of its own
        raise RecordUnreadable(
            f"cannot read the calibration record {path.name} with {arrays.name} beside it ({type(error).__name__}); "
            "fit it again with `pipecat-interrupt gate calibrate --data DIR`"
        ) from error


@lru_cache(maxsize=8)
def shipped_record(embedder: str) -> CalibrationRecord:
    """Look up the record that ships for an embedder.

    Raises:
        NoCalibration: None ships; thresholds of another embedder would be meaningless.
    """
    folder = resources.files("speaker_gate") / "data"
    path = folder / f"{_stem(embedder)}.json"
    if not path.is_file():
        raise NoCalibration(
            f"no calibration record ships for {embedder!r}; fit one with `pipecat-interrupt gate calibrate --data DIR` "
            "and pass it as record="
        )
    return read_record(path, folder / f"{_stem(embedder)}.npz")


def load_record(path: Path) -> CalibrationRecord:
    """Read a record written by `CalibrationRecord.save` (the .npz lies beside the JSON); raises as `read_record`."""
    return read_record(path, path.with_suffix(".npz"))


def describe(record: CalibrationRecord) -> dict[str, Any]:
    """The record's settings as plain JSON values, for a journal or a report."""
    return json.loads(record.settings.model_dump_json())


def _stem(embedder: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in embedder)
