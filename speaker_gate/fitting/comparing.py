"""How far two records of one embedder lie apart: whether a fit made again is the same fit. Pure."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from speaker_gate.calibration import BandCalibration, CalibrationRecord, ChangeCalibration, Curve
from speaker_gate.errors import EmbedderMismatch

SAME = 1e-3
"""Thresholds closer than this are the same for every decision; the arrays are stored at half precision."""

_CURVES = ("reject_below", "accept_above", "primary_mean", "primary_sd", "other_mean", "other_sd")
_CHANGE = ("suspect_below", "change_above", "change_above_enrolled", "same_sd", "other_sd")


@dataclass(frozen=True, slots=True)
class Differences:
    """Largest differences between two records.

    Parameters:
        thresholds: Of `reject_below` and `accept_above` at any length and band, in score.
        scores: Of the means and deviations behind them.
        change: Of the change thresholds, natural log of a ratio.
        min_seconds: Of the shortest decided length, seconds.
        arrays: Of the channel means and the whitening, relative to their largest entry.
        trials: Of the trials behind a band, a count.
    """

    thresholds: float
    scores: float
    change: float
    min_seconds: float
    arrays: float
    trials: int

    @property
    def same(self) -> bool:
        """True where no decision could come out otherwise."""
        return max(self.thresholds, self.change, self.min_seconds) <= SAME

    def plain(self) -> dict[str, Any]:
        """As JSON values."""
        return {**{name: round(value, 6) for name, value in asdict(self).items()}, "same": self.same}


def differences(one: CalibrationRecord, other: CalibrationRecord) -> Differences:
    """Compare two records.

    Raises:
        EmbedderMismatch: They belong to different embedders; their numbers mean different things.
    """
    if one.embedder != other.embedder:
        raise EmbedderMismatch(f"a record of {one.embedder} cannot be compared with one of {other.embedder}")
    pairs = [(one.pair(pair), other.pair(pair)) for pair in one.settings.pairs if pair in other.settings.pairs]
    curves = {name: max(_curve(getattr(a, name), getattr(b, name)) for a, b in pairs) for name in _CURVES}
    return Differences(
        thresholds=max(curves["reject_below"], curves["accept_above"]),
        scores=max(curves[name] for name in _CURVES[2:]),
        change=max(_change(one.change(narrow), other.change(narrow)) for narrow in (False, True)),
        min_seconds=max(abs(a.min_seconds - b.min_seconds) for a, b in pairs),
        arrays=_arrays(one, other),
        trials=max(_trials(a, b) for a, b in pairs),
    )


def _curve(one: Curve, other: Curve) -> float:
    return max(abs(one.at(at) - other.at(at)) for at in {*one.seconds, *other.seconds})


def _change(one: ChangeCalibration, other: ChangeCalibration) -> float:
    return max(abs(getattr(one, name) - getattr(other, name)) for name in _CHANGE)


def _trials(one: BandCalibration, other: BandCalibration) -> int:
    return max(abs(one.n_primary - other.n_primary), abs(one.n_other - other.n_other))


def _arrays(one: CalibrationRecord, other: CalibrationRecord) -> float:
    return max(
        float(np.abs(a - b).max() / max(float(np.abs(b).max()), 1e-8))
        for a, b in zip(one.arrays, other.arrays, strict=True)
    )
