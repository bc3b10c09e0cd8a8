"""Intervals for a rate and for the difference of two rates.

Owns the Wilson score interval and Newcombe's hybrid score interval. Never pools rates of different cells.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist


@dataclass(frozen=True, slots=True, order=True)
class Interval:
    """A closed interval of rates.

    Parameters:
        low: Lower end, 0..1.
        high: Upper end, 0..1, not below `low`.
    """

    low: float
    high: float

    def as_percent(self, digits: int = 1) -> str:
        """Write it as the study does, such as ``88.6-100.0 %``."""
        return f"{100 * self.low:.{digits}f}-{100 * self.high:.{digits}f} %"


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference of two rates, second minus first, in percentage points.

    Parameters:
        value_pp: The difference, -100..100.
        low_pp: Lower end of its interval.
        high_pp: Upper end of its interval.
    """

    value_pp: float
    low_pp: float
    high_pp: float


def _check(hits: int, n: int) -> None:
    if n < 1 or not 0 <= hits <= n:
        raise ValueError(f"need 0 <= hits <= n and n >= 1, got hits={hits}, n={n}")


def wilson(hits: int, n: int, level: float = 0.95) -> Interval:
    """Give the Wilson score interval of a rate, without continuity correction.

    Args:
        hits: Number of trials with the outcome, 0..n.
        n: Number of eligible trials, at least 1; unscored and no-opportunity trials are not among them.
        level: Confidence level, 0..1.

    Raises:
        ValueError: `hits` or `n` is out of range.

    Source: seed 000 uses the same interval throughout (30/30 -> 88.6-100.0 %).
    """
    _check(hits, n)
    z = NormalDist().inv_cdf(0.5 + level / 2)
    p = hits / n
    centre = p + z * z / (2 * n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    low = 0.0 if hits == 0 else (centre - half) / scale
    high = 1.0 if hits == n else (centre + half) / scale
    return Interval(max(0.0, low), min(1.0, high))


def newcombe_difference(hits_1: int, n_1: int, hits_2: int, n_2: int, level: float = 0.95) -> Difference:
    """Give the second rate minus the first with Newcombe's hybrid score interval, for unpaired groups.

    Raises:
        ValueError: Counts are out of range.
    """
    _check(hits_1, n_1)
    _check(hits_2, n_2)
    p1, p2 = hits_1 / n_1, hits_2 / n_2
    first, second = wilson(hits_1, n_1, level), wilson(hits_2, n_2, level)
    delta = p2 - p1
    low = delta - math.hypot(p2 - second.low, first.high - p1)
    high = delta + math.hypot(second.high - p2, p1 - first.low)
    return Difference(100 * delta, 100 * low, 100 * high)
