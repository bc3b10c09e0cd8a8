"""Trains the safe-side model on every development row and writes the weights: ``python -m benchmarks train safe-side``.

Owns the weights files. The held-out rows are never looked at here.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy
import scipy
import sklearn

import obligations.safe_side.model as safe_side
from benchmarks.files import write_text
from benchmarks.training.safe_side.data import AUTHORS, LANGS, ROWS, SafeSideRow, beside, development_rows, of
from benchmarks.training.safe_side.fit import FALSE_SHARE, SEED, SMALLEST, STRENGTH, fit, out_of_fold, threshold_for
from obligations.coverage.text import base_language
from obligations.safe_side import KINDS, Head, Kind
from obligations.safe_side.features import FEATURES_VERSION, WORDS_FILE
from obligations.safe_side.model import WEIGHT_UNIT

VERSION = "1"
TARGET = Path(safe_side.__file__).parent


def train(target: Path = TARGET) -> Iterator[str]:
    """Fit every head, write one file a language into `target`, and tell a line about each head."""
    rows = development_rows()
    for lang in LANGS:
        base = base_language(lang)
        heads = dict[str, Any]()
        for kind in KINDS:
            head, note = _head(rows, kind, lang)
            heads[kind] = {
                "bias": head.bias,
                "threshold": head.threshold,
                "made_from": note,
                "weights": {name: round(w / WEIGHT_UNIT) for name, w in sorted(head.weights.items())},
            }
            yield f"{lang} {kind}: {note['rows']} rows, {len(head.weights)} weights, threshold {head.threshold}"
        content = {
            "language": base,
            "version": VERSION,
            "features_version": FEATURES_VERSION,
            "made_by": "python -m benchmarks train safe-side",
            "seed": SEED,
            "strength": STRENGTH,
            "smallest_weight": SMALLEST,
            "packages": {p.__name__: p.__version__ for p in (numpy, scipy, sklearn)},
            "data_digest": digest_of([*(ROWS / f"{a}.jsonl" for a in AUTHORS), TARGET / WORDS_FILE]),
            "heads": heads,
        }
        path = target / f"{base}.json"
        write_text(path, json.dumps(content, ensure_ascii=False, indent=0) + "\n")
        yield f"{path.name}: {path.stat().st_size} bytes, {digest_of([path])}"


def digest_of(paths: Sequence[Path]) -> str:
    """SHA-256 over the bytes of files, in their order."""
    found = hashlib.sha256()
    for path in paths:
        found.update(path.read_bytes())
    return f"sha256:{found.hexdigest()}"


def _head(rows: Sequence[SafeSideRow], kind: Kind, lang: str) -> tuple[Head, dict[str, float | int]]:
    """Fit one head; its threshold is found out of fold."""
    mine, more = of(rows, kind, lang), beside(rows, kind, lang)
    scores = out_of_fold(mine, kind, lang, more)
    threshold = threshold_for(mine, scores, FALSE_SHARE[kind])
    note = {
        "rows": len(mine) + len(more),
        "positives": sum(row.label for row in mine),
        "false_share": FALSE_SHARE[kind],
        "out_of_fold_recall": _share(mine, scores, threshold, 1),
        "out_of_fold_false": _share(mine, scores, threshold, 0),
    }
    return fit([*mine, *more], kind, lang, threshold), note


def _share(rows: Sequence[SafeSideRow], scores: Sequence[float], threshold: float, label: int) -> float:
    found = [score >= threshold for row, score in zip(rows, scores, strict=True) if row.label == label]
    return round(sum(found) / len(found), 4)
