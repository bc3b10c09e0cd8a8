"""Fit the two heads of the English floor model: plain logistic regression on named features.

Owns how examples are made and weighed. Each row gives a clean example, one as a noisy recogniser would have written it,
one without word times, and (early head) ones at other moments.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from benchmarks.training.overlaps.data import OverlapRow, streaming_evidence, whole_evidence, without_times
from benchmarks.training.overlaps.noise import RecogniserNoise, noisy, whisper_spelling
from pipecat_interrupt.overlap.evidence import Evidence
from pipecat_interrupt.overlap.model.features import features
from pipecat_interrupt.overlap.model.floor_model import Head, view_of

EvidenceOf = Callable[[OverlapRow], Evidence]
HEADS: dict[str, EvidenceOf] = {"early": streaming_evidence, "whole": whole_evidence}


@dataclass(frozen=True, slots=True)
class FitSettings:
    """Settings of a fit, chosen by cross-validation on the train and dev meetings (docs/metrics/overlaps.md).

    Parameters:
        inverse_l2: Inverse strength of the L2 penalty.
        noisy_weight: Weight of the noisy copy of a row.
        untimed_weight: Weight of the copy without word times.
        moment_weight: Weight of each copy at another moment (early head).
        moments_s: Those moments, seconds after the first word's end.
        acknowledged_weight: Weight of acknowledgements and acceptances ("oh okay"), which the figures leave out, as
            backchannels: in a call they listen too.
        rows_min: Examples a feature must occur in.
        false_yield_rate: Share of backchannels that may be yielded to: fixes the operating point.
    """

    inverse_l2: float = 0.2
    noisy_weight: float = 0.5
    untimed_weight: float = 0.3
    moment_weight: float = 0.15
    moments_s: tuple[float, ...] = (0.15, 0.8)
    acknowledged_weight: float = 0.3
    rows_min: int = 5
    false_yield_rate: float = 0.03


@dataclass(frozen=True, slots=True)
class Examples:
    """Named features with labels, weights and the row each comes from."""

    found: list[dict[str, float]]
    takes: np.ndarray
    weights: np.ndarray
    row: np.ndarray


def examples(
    rows: Sequence[OverlapRow], head: str, noise: RecogniserNoise | None, settings: FitSettings, seed: int
) -> Examples:
    """Make the training examples of one head; index 0 of each row is its clean example."""
    rng = random.Random(seed)
    evidence_of = HEADS[head]
    found: list[dict[str, float]] = []
    takes: list[bool] = []
    weights: list[float] = []
    origin: list[int] = []

    def add(index: int, row: OverlapRow, evidence: Evidence, weight: float) -> None:
        found.append(features(view_of(evidence)))
        takes.append(row.takes_floor)
        weights.append(weight if row.scored else weight * settings.acknowledged_weight)
        origin.append(index)

    for index, row in enumerate(rows):
        clean = evidence_of(row)
        add(index, row, clean, 1.0)
        add(index, row, without_times(clean), settings.untimed_weight)
        if noise is not None:
            heard = noisy(row, whisper_spelling(noise.perturb(row.words, rng), rng))
            if heard.words or head == "early":
                add(index, row, evidence_of(heard), settings.noisy_weight)
        if head == "early":
            for moment_s in settings.moments_s:
                add(index, row, streaming_evidence(row, moment_s), settings.moment_weight)
    return Examples(found, np.array(takes), np.array(weights), np.array(origin))


def fit(data: Examples, settings: FitSettings, chosen: np.ndarray | None = None) -> tuple[float, dict[str, float]]:
    """Fit bias and weights on the chosen examples (a mask; all when None)."""
    mask = np.ones(len(data.found), bool) if chosen is None else chosen
    vectoriser = DictVectorizer()
    matrix = csr_matrix(vectoriser.fit_transform([f for f, wanted in zip(data.found, mask, strict=True) if wanted]))
    counts = matrix.getnnz(axis=0)
    kept = np.flatnonzero(np.asarray(counts) >= settings.rows_min)
    names = np.asarray(vectoriser.get_feature_names_out())[kept]
    model = LogisticRegression(C=settings.inverse_l2, max_iter=3000, solver="liblinear", random_state=0)
    model.fit(matrix[:, kept], data.takes[mask], sample_weight=data.weights[mask])
    bias = float(np.ravel(model.intercept_)[0])
    return bias, dict(zip(map(str, names), map(float, model.coef_[0]), strict=True))


def out_of_fold(
    rows: Sequence[OverlapRow], data: Examples, settings: FitSettings, folds: int = 5, seed: int = 0
) -> np.ndarray:
    """Score each row's clean example by a model that has not seen its meeting."""
    groups = np.array([row.meeting for row in rows])
    first = np.array([int(np.argmax(data.row == index)) for index in range(len(rows))])
    scores = np.zeros(len(rows))
    for train, test in GroupKFold(folds, shuffle=True, random_state=seed).split(rows, groups=groups):
        bias, weights = fit(data, settings, np.isin(data.row, train))
        head = Head(bias, 0.5, weights)
        for index in test:
            scores[index] = head.log_odds(data.found[first[index]])
    return scores


def threshold_at(scores: np.ndarray, takes: np.ndarray, false_yield_rate: float) -> float:
    """Score at or above which at most this share of backchannels is yielded to."""
    backchannels = np.sort(scores[~takes])
    allowed = int(np.floor(false_yield_rate * len(backchannels)))
    return float(np.nextafter(backchannels[len(backchannels) - allowed - 1], np.inf))
