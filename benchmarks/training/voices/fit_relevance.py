"""Fits the weights that read third-party speech: `python -m benchmarks.training.voices.fit_relevance [--write]`.

The training texts beside this file were written for this project, in the 26 scenarios of the third-party study, with
that study's public demo texts in sight: a figure on those demo texts is therefore optimistic. Cross-validated figures
leave out whole scenarios' sentences by fold, not whole scenarios.
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold

from benchmarks.training.voices.scenarios import kind_of
from speaker_gate.policy.cues import features_of
from speaker_gate.policy.kinds import Relevance
from speaker_gate.policy.reader import ACTIONABLE_KINDS, CueRelevanceReader, RelevanceWeights

HERE = Path(__file__).parent
TARGET = Path(__file__).resolve().parents[3] / "speaker_gate" / "data"
SMALLEST_WEIGHT = 0.02
STRENGTH = 0.4
KIND_STRENGTH = 0.5
MIN_ROWS = 3
VERSIONS = {"en": "2", "pt": "1"}


def rows_of(base: str) -> list[tuple[str, str, str]]:
    """Read (scenario, before, text) rows of one base language."""
    lines = (HERE / f"relevance_{base}.tsv").read_text(encoding="utf-8").splitlines()
    return [(parts[0], parts[1], parts[2]) for line in lines if len(parts := line.split("\t")) == 3]


def as_recognised(text: str) -> str:
    """The same words as a recogniser without punctuation gives them."""
    return re.sub(r"[^\w\s'-]", "", text).lower()


def fit(
    rows: list[tuple[str, str, str]], base: str, version: str, note: dict[str, str | int | float]
) -> RelevanceWeights:
    """Fit the actionable model on all rows and the kind model on the actionable ones."""
    rows = rows + [(scenario, before, as_recognised(text)) for scenario, before, text in rows]
    features = [features_of(text, before, base) for _, before, text in rows]
    seen: dict[str, int] = {}
    for row in features:
        for feature in row:
            seen[feature] = seen.get(feature, 0) + 1
    kept = [{f: 1.0 for f in row if seen[f] >= MIN_ROWS} for row in features]
    kinds = [kind_of(scenario) for scenario, _, _ in rows]
    table = DictVectorizer()
    x = table.fit_transform(kept)
    names = table.get_feature_names_out()
    main = LogisticRegression(C=STRENGTH, max_iter=3000, class_weight="balanced")
    main.fit(x, np.array([kind.actionable for kind in kinds]))
    chosen = [index for index, kind in enumerate(kinds) if kind in ACTIONABLE_KINDS]
    second = LogisticRegression(C=KIND_STRENGTH, max_iter=3000, class_weight="balanced")
    second.fit(x[chosen], np.array([kinds[index].value for index in chosen]))
    by_kind = {
        Relevance(kind): {"": round(float(np.asarray(second.intercept_)[row]), 3)}
        | _weights(names, np.asarray(second.coef_)[row])
        for row, kind in enumerate(second.classes_)
    }
    return RelevanceWeights(
        version=version,
        bias=round(float(np.asarray(main.intercept_)[0]), 3),
        actionable=_weights(names, np.asarray(main.coef_)[0]),
        kinds=by_kind,
        made_from=note,
    )


def _weights(names: np.ndarray, values: np.ndarray) -> dict[str, float]:
    return {
        str(name): round(float(value), 3)
        for name, value in zip(names, values, strict=True)
        if abs(value) >= SMALLEST_WEIGHT
    }


def crossed(rows: list[tuple[str, str, str]], base: str) -> tuple[float, float]:
    """Ten-fold accuracy of actionable against ignorable, and of the kind among the actionable."""
    truth = np.array([kind_of(scenario).actionable for scenario, _, _ in rows])
    right: list[bool] = []
    kinds: list[bool] = []
    for train, test in StratifiedKFold(10, shuffle=True, random_state=7).split(truth, truth):
        weights = fit([rows[index] for index in train], base, "fold", {})
        reader = CueRelevanceReader(weights={base: weights})
        for index in test:
            scenario, before, text = rows[index]
            read = reader.read(text, before=before, language=base).relevance
            right.append(read.actionable == bool(truth[index]))
            if truth[index] and read.actionable:
                kinds.append(read is kind_of(scenario))
    return float(np.mean(right)), float(np.mean(kinds))


def held_out(base: str, reader: CueRelevanceReader) -> tuple[int, int, int, int] | None:
    """Read lines that no weights were fitted on: (actionable missed, of, ignorable passed, of); None without a file."""
    lines = [
        line
        for path in sorted(HERE.glob(f"relevance_heldout*_{base}.tsv"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    rows = [parts for line in lines if len(parts := line.split("\t")) == 3]
    if not rows:
        return None
    gold = [kind_of(scenario).actionable for scenario, _, _ in rows]
    read = [reader.read(text, before=before, language=base).relevance.actionable for _, before, text in rows]
    missed = sum(true and not got for true, got in zip(gold, read, strict=True))
    passed = sum(got and not true for true, got in zip(gold, read, strict=True))
    return missed, sum(gold), passed, len(gold) - sum(gold)


def main() -> None:
    """Fit both languages, say the cross-validated figures, and with --write replace the shipped weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    for base in ("en", "pt"):
        rows = rows_of(base)
        accuracy, kinds = crossed(rows, base)
        print(f"{base}: {len(rows)} rows, ten-fold accuracy {accuracy:.3f}, kind among actionable {kinds:.3f}")
        if (found := held_out(base, CueRelevanceReader())) is not None:
            print(f"shipped weights, held-out lines: missed {found[0]} of {found[1]}, passed {found[2]} of {found[3]}")
        note: dict[str, str | int | float] = {
            "texts": f"benchmarks/training/voices/relevance_{base}.tsv",
            "rows": len(rows),
            "ten_fold_accuracy": round(accuracy, 4),
            "ten_fold_kind_accuracy": round(kinds, 4),
        }
        if options.write:
            weights = fit(rows, base, VERSIONS[base], note)
            path = TARGET / f"relevance_{base}.json"
            made = json.loads(weights.model_dump_json())
            path.write_text(json.dumps(made, ensure_ascii=False, indent=0, sort_keys=True) + "\n", encoding="utf-8")
            print(path.name, path.stat().st_size)


if __name__ == "__main__":
    main()
