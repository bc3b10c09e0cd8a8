"""Draws DET curves and score histograms of a calibration or an evaluation. Needs matplotlib; the numbers do not."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path
from statistics import NormalDist
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from speaker_gate.errors import ExtraMissing

TICKS = (0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4)
HISTOGRAM_S = 2.0


class ScoreSet(Protocol):
    """Scores of one band and length."""

    @property
    def primary(self) -> NDArray[np.float64]:
        """Scores of the enrolled voice with itself."""
        ...

    @property
    def others(self) -> NDArray[np.float64]:
        """Scores of other voices with it."""
        ...


def draw(folder: Path, cells: Mapping[tuple[str, float], ScoreSet]) -> list[Path]:
    """Write `det.png` and `scores.png` into a folder.

    Args:
        folder: Made if needed.
        cells: Scores by band and seconds of speech.

    Returns:
        The two files.

    Raises:
        ExtraMissing: matplotlib is not installed.
    """
    try:
        importlib.import_module("matplotlib").use("Agg")
        pyplot: Any = importlib.import_module("matplotlib.pyplot")
    except ModuleNotFoundError as error:
        raise ExtraMissing("matplotlib", "pip install matplotlib") from error
    folder.mkdir(parents=True, exist_ok=True)
    _draw_det(pyplot, folder / "det.png", cells)
    _draw_histograms(pyplot, folder / "scores.png", cells)
    return [folder / "det.png", folder / "scores.png"]


def _draw_det(pyplot: Any, path: Path, cells: Mapping[tuple[str, float], ScoreSet]) -> None:
    bands = sorted({band for band, _ in cells})
    figure, axes = pyplot.subplots(1, len(bands), figsize=(5 * len(bands), 4.6), squeeze=False)
    for axis, band in zip(axes[0], bands, strict=True):
        for (of, seconds), outcome in sorted(cells.items()):
            if of == band and len(outcome.primary) and len(outcome.others):
                axis.plot(*_det(outcome), label=f"{seconds:g} s ({len(outcome.primary)})")
        ticks = [NormalDist().inv_cdf(tick) for tick in TICKS]
        axis.set(title=band, xlabel="third party accepted", ylabel="primary rejected", xticks=ticks, yticks=ticks)
        axis.set_xticklabels([f"{100 * tick:g} %" for tick in TICKS], rotation=45)
        axis.set_yticklabels([f"{100 * tick:g} %" for tick in TICKS])
        axis.set(xlim=(ticks[0], ticks[-1]), ylim=(ticks[0], ticks[-1]))
        axis.grid(alpha=0.3)
        axis.legend(title="speech (own trials)")
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    pyplot.close(figure)


def _draw_histograms(pyplot: Any, path: Path, cells: Mapping[tuple[str, float], ScoreSet]) -> None:
    chosen = [(band, seconds) for band, seconds in sorted(cells) if seconds == HISTOGRAM_S]
    figure, axes = pyplot.subplots(1, max(1, len(chosen)), figsize=(5 * max(1, len(chosen)), 3.6), squeeze=False)
    for axis, key in zip(axes[0], chosen, strict=False):
        bins = np.linspace(-0.4, 1.0, 57)
        axis.hist(cells[key].others, bins, density=True, alpha=0.6, label="other voices")
        axis.hist(cells[key].primary, bins, density=True, alpha=0.6, label="own voice")
        axis.set(title=f"{key[0]}, {key[1]:g} s", xlabel="score")
        axis.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    pyplot.close(figure)


def _det(outcome: ScoreSet) -> tuple[list[float], list[float]]:
    thresholds = np.quantile(np.concatenate([outcome.primary, outcome.others]), np.linspace(0, 1, 800))
    rejects = np.searchsorted(np.sort(outcome.primary), thresholds) / len(outcome.primary)
    accepts = 1 - np.searchsorted(np.sort(outcome.others), thresholds) / len(outcome.others)
    kept = (rejects > 0) & (accepts > 0) & (rejects < 1) & (accepts < 1)
    normal = NormalDist()
    return [normal.inv_cdf(a) for a in accepts[kept]], [normal.inv_cdf(r) for r in rejects[kept]]
