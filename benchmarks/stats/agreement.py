"""Agreement of two raters on the same items: Cohen's kappa with a seeded bootstrap interval.

Owns the resampling (percentile interval, items resampled with replacement). Never counts an item
that one of them did not rate.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 1_000
SEED = 20260525  # Seed 000, Tables 5 and 6, print this seed.


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two raters agree.

    Parameters:
        kappa: Cohen's kappa, -1..1; None where chance agreement is 1 (both raters gave one label throughout).
        low: Lower end of the 95 % bootstrap interval; None with `kappa`.
        high: Upper end.
        agreed: Items with equal labels.
        n: Items rated by both.
        undefined_resamples: Resamples without a kappa; left out of the percentiles and counted here.
    """

    kappa: float | None
    low: float | None
    high: float | None
    agreed: int
    n: int
    undefined_resamples: int

    @property
    def agreement_rate(self) -> float:
        """Share of items with equal labels, 0..1."""
        return self.agreed / self.n


def _coded(first: Sequence[Hashable], second: Sequence[Hashable]) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    if len(first) != len(second) or not first:
        raise ValueError(f"need two non-empty sequences of one length, got {len(first)} and {len(second)}")
    codes = {label: code for code, label in enumerate(dict.fromkeys([*first, *second]))}
    a = np.array([codes[x] for x in first], dtype=np.int64)
    b = np.array([codes[x] for x in second], dtype=np.int64)
    return a, b, len(codes)


def _kappa_of_table(table: NDArray[np.float64]) -> float | None:
    n = table.sum()
    observed = np.trace(table) / n
    expected = float(table.sum(axis=0) @ table.sum(axis=1)) / n**2
    return None if expected >= 1.0 else float((observed - expected) / (1 - expected))


def _table(a: NDArray[np.int64], b: NDArray[np.int64], labels: int) -> NDArray[np.float64]:
    return np.bincount(a * labels + b, minlength=labels**2).reshape(labels, labels).astype(np.float64)


def cohen_kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> float | None:
    """Give Cohen's kappa, unweighted; None where chance agreement is 1.

    Raises:
        ValueError: The sequences are empty or differ in length.
    """
    a, b, labels = _coded(first, second)
    return _kappa_of_table(_table(a, b, labels))


def agreement(
    first: Sequence[Hashable], second: Sequence[Hashable], *, resamples: int = RESAMPLES, seed: int = SEED
) -> Agreement:
    """Give kappa, its 95 % bootstrap interval and the raw agreement.

    Promises: the same labels and seed give the same interval on every machine (numpy PCG64, linear percentiles).

    Raises:
        ValueError: The sequences are empty or differ in length, or `resamples` is below 1.
    """
    if resamples < 1:
        raise ValueError(f"resamples must be at least 1, got {resamples}")
    a, b, labels = _coded(first, second)
    kappa = _kappa_of_table(_table(a, b, labels))
    agreed = int((a == b).sum())
    if kappa is None:
        return Agreement(None, None, None, agreed, len(a), resamples)
    rng = np.random.default_rng(seed)
    drawn: list[float] = []
    for _ in range(resamples):
        pick = rng.integers(0, len(a), len(a))
        value = _kappa_of_table(_table(a[pick], b[pick], labels))
        if value is not None:
            drawn.append(value)
    low, high = np.percentile(drawn, [2.5, 97.5]) if drawn else (kappa, kappa)
    return Agreement(kappa, float(low), float(high), agreed, len(a), resamples - len(drawn))
