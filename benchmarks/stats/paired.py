"""Tests for paired trials: the same cell, arm, agent and seed under two systems.

Owns input checks and the choice of variant; the numbers come from scipy. Never used on unpaired trials.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class PairedTest:
    """One paired test.

    Parameters:
        name: "mcnemar-exact" or "wilcoxon-signed-rank".
        statistic: McNemar: the smaller discordant count; Wilcoxon: the smaller rank sum.
        p_value: Two-sided, 0..1.
        n: Number of pairs given.
        n_informative: Pairs that differ; the test rests on these alone.
    """

    name: str
    statistic: float
    p_value: float
    n: int
    n_informative: int


def _same_length(first: Sequence[object], second: Sequence[object]) -> None:
    if len(first) != len(second) or not first:
        raise ValueError(f"need two non-empty sequences of one length, got {len(first)} and {len(second)}")


def mcnemar(first: Sequence[bool], second: Sequence[bool]) -> PairedTest:
    """Test whether two systems fail equally often on the same trials (exact binomial, two-sided).

    With no discordant pair the p-value is 1: nothing speaks for a difference.

    Raises:
        ValueError: The sequences are empty or differ in length.
    """
    from scipy.stats import binomtest  # Here, because loading it takes longer than most commands.

    _same_length(first, second)
    only_first = sum(a and not b for a, b in zip(first, second, strict=True))
    only_second = sum(b and not a for a, b in zip(first, second, strict=True))
    discordant = only_first + only_second
    smaller = min(only_first, only_second)
    p_value = 1.0 if discordant == 0 else float(binomtest(smaller, discordant, 0.5).pvalue)
    return PairedTest("mcnemar-exact", float(smaller), p_value, len(first), discordant)


def wilcoxon_signed_rank(first: Sequence[float], second: Sequence[float]) -> PairedTest:
    """Test whether paired values differ in location; zero differences are dropped (Wilcoxon's own rule).

    Exact below 51 informative pairs without ties, else the normal approximation, as scipy's ``method="auto"``.

    Raises:
        ValueError: The sequences are empty, differ in length or hold a non-finite value.
    """
    from scipy.stats import wilcoxon

    _same_length(first, second)
    difference = np.asarray(second, dtype=np.float64) - np.asarray(first, dtype=np.float64)
    if not np.isfinite(difference).all():
        raise ValueError("values must be finite")
    informative = difference[difference != 0]
    if informative.size == 0:
        return PairedTest("wilcoxon-signed-rank", 0.0, 1.0, len(first), 0)
    statistic, p_value = (float(x) for x in tuple(wilcoxon(informative))[:2])  # pyright: ignore[reportArgumentType]
    return PairedTest("wilcoxon-signed-rank", statistic, p_value, len(first), int(informative.size))
