"""Fits one head of the safe-side model, and scores rows by folds that leave a whole author out.

Owns the numbers of the fit. The same rows, versions and seed give the same weights, digit for digit.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from benchmarks.training.safe_side.data import SafeSideRow, advice_of, as_recognised, point_of
from obligations.safe_side import Head, Kind, SafeSideModel
from obligations.safe_side.model import WEIGHT_UNIT, features_of

SEED = 20260525
# Strength of the fit: leave-one-author-out scores were flat from 0.03 to 1, best here (docs/experiments in the card).
STRENGTH = 0.1
# Smaller weights are left out of the file.
SMALLEST = 0.03
# Share of a kind's hard negatives that the model alone may raise, found out of fold. See the card for each reason.
FALSE_SHARE: dict[Kind, float] = {"emergency": 0.06, "introduction": 0.06, "loosened": 0.08}


def fit(rows: Sequence[SafeSideRow], kind: Kind, lang: str, threshold: float = 0.0) -> Head:
    """Fit on rows of one kind and language, each as written and as a recogniser without punctuation writes it."""
    texts = [(row, text) for row in rows for text in (row.text, as_recognised(row.text))]
    if kind != "loosened":
        texts += _said_beside(rows)
    found = [_features(kind, text, lang, row.advice) for row, text in texts]
    names = sorted({name for features in found for name in features})
    at = {name: i for i, name in enumerate(names)}
    indices = [at[name] for features in found for name in sorted(features)]
    indptr = np.cumsum([0, *(len(features) for features in found)])
    x = csr_matrix((np.ones(len(indices)), indices, indptr), shape=(len(found), len(names)))
    y = np.array([row.label for row, _ in texts])
    model = LogisticRegression(
        C=STRENGTH, solver="liblinear", class_weight="balanced", max_iter=5000, tol=1e-4, random_state=SEED
    )
    model.fit(x, y)
    weights = {
        name: round(float(w) / WEIGHT_UNIT) * WEIGHT_UNIT
        for name, w in zip(names, np.asarray(model.coef_)[0], strict=True)
        if abs(w) >= SMALLEST
    }
    return Head(round(float(np.asarray(model.intercept_)[0]), 2), threshold, weights)


@lru_cache(maxsize=65536)
def _features(kind: Kind, text: str, lang: str, advice: str) -> frozenset[str]:
    return features_of(kind, text, lang, advice_of(advice, lang))


def _said_beside(rows: Sequence[SafeSideRow]) -> list[tuple[SafeSideRow, str]]:
    """Join each row to ordinary words before or behind it: people say much beside what matters, and much of nothing.

    The words are of the same author, so that a fold without an author has none of theirs.
    """
    plain = dict[str, list[str]]()
    for row in rows:
        if not row.label:
            plain.setdefault(row.author, []).append(row.text)
    out = list[tuple[SafeSideRow, str]]()
    for row in rows:
        draw = random.Random(f"{SEED} {row.text}")
        other = draw.choice(plain[row.author])
        out.append((row, " ".join((row.text, other) if draw.random() < 0.5 else (other, row.text))))
    return out


def score(head: Head, rows: Sequence[SafeSideRow], kind: Kind, lang: str) -> list[float]:
    """Score rows as a call would."""
    model = SafeSideModel(lang, "fold", {kind: head})
    out = list[float]()
    for row in rows:
        point = point_of(row)
        if kind == "loosened":
            out.append(head.score(features_of(kind, row.text, lang, point)))
        else:
            out.append(model.score(kind, row.text))
    return out


def out_of_fold(rows: Sequence[SafeSideRow], kind: Kind, lang: str, more: Sequence[SafeSideRow] = ()) -> list[float]:
    """Score every row by a head that has seen nothing of its author; `more` are rows only to learn from."""
    scores = dict[int, float]()
    for author in Counter(row.author for row in rows):
        head = fit([row for row in (*rows, *more) if row.author != author], kind, lang)
        theirs = [i for i, row in enumerate(rows) if row.author == author]
        scores |= dict(zip(theirs, score(head, [rows[i] for i in theirs], kind, lang), strict=True))
    return [scores[i] for i in range(len(rows))]


def threshold_for(rows: Sequence[SafeSideRow], scores: Sequence[float], share: float) -> float:
    """The lowest score that at most this share of the negatives reaches, to two decimals."""
    negatives = sorted((s for row, s in zip(rows, scores, strict=True) if not row.label), reverse=True)
    allowed = int(share * len(negatives))
    return round(negatives[allowed] + 0.01, 2)
