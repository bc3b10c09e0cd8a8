"""Draw what moving the threshold buys: ``python -m benchmarks.training.overlaps.curve --data FILE``.

Owns two committed results: the curve of the shipped judge on the test meetings (PNG and JSON), and a cross-validated
comparison over every meeting of the file, in which each meeting is judged by a model that has not seen it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.model_selection import GroupKFold

from benchmarks import provenance
from benchmarks.figures import rate
from benchmarks.training.overlaps.data import ACKNOWLEDGED, OverlapRow, read_rows
from benchmarks.training.overlaps.fit import Examples, FitSettings, examples, fit
from benchmarks.training.overlaps.judged import VIEWS, JudgedRows, curve, equal_error_rate, judge_rows, missed_at
from benchmarks.training.overlaps.noise import learn_noise
from benchmarks.training.overlaps.rules import RULES
from benchmarks.training.overlaps.split import part_of
from benchmarks.training.overlaps.train import SEED
from pipecat_interrupt.overlap.model.floor_model import Head, LinearFloorModel, load_floor_model

RESULTS = Path(__file__).resolve().parents[2] / "results" / "overlaps"
FOLDS = 5


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="overlaps JSONL")
    parser.add_argument("--noise", type=Path, help="folder of transcript pairs; default asr_errors beside the data")
    parser.add_argument("--no-folds", action="store_true", help="leave the cross-validation out (it takes minutes)")
    options = parser.parse_args()
    rows = read_rows(options.data)
    RESULTS.mkdir(parents=True, exist_ok=True)
    sha, dirty = provenance.commit()
    head: dict[str, Any] = {"commit": sha + ("+dirty" if dirty else ""), "data": options.data.name, "seed": SEED}
    test = [row for row in part_of(rows, "test") if row.scored]
    shipped = {view: judge_rows(test, view) for view in VIEWS}
    _write("curve.json", {**head, "part": "test", "views": {v: _curve_of(test, j, v) for v, j in shipped.items()}})
    _draw(test, shipped)
    if not options.no_folds:
        folded = cross_validated(rows, options.noise or options.data.parent.parent / "asr_errors")
        scored = [row for row in rows if row.scored]
        views = {view: _comparison(scored, judged, view) for view, judged in folded.items()}
        _write("cross_validated.json", {**head, "folds": FOLDS, "part": "all", "views": views})


def cross_validated(rows: Sequence[OverlapRow], noise_folder: Path) -> dict[str, JudgedRows]:
    """Judge every scored row of a file by rules and a model fitted on other meetings."""
    usable = [row for row in rows if row.scored or row.gold == ACKNOWLEDGED]
    settings, noise = FitSettings(), learn_noise(noise_folder)
    made = {head: examples(usable, head, noise, settings, SEED) for head in ("early", "whole")}
    groups = np.array([row.meeting for row in usable])
    shipped = load_floor_model()
    parts: dict[str, list[JudgedRows]] = {view: [] for view in VIEWS}
    order: list[int] = []
    for train, test in GroupKFold(FOLDS, shuffle=True, random_state=0).split(usable, groups=groups):
        early = _head(made["early"], train, settings, shipped.early.threshold)
        whole = _head(made["whole"], train, settings, shipped.whole.threshold)
        model = LinearFloorModel(early, whole)
        unseen = [int(i) for i in test if usable[i].scored]
        order += unseen
        for view in VIEWS:
            parts[view].append(judge_rows([usable[i] for i in unseen], view, {"en": model}))
    back = np.argsort(order)
    return {view: _joined(judged, back) for view, judged in parts.items()}


def _head(data: Examples, train: np.ndarray, settings: FitSettings, threshold: float) -> Head:
    """Fit one head on the rows of a fold; the operating point is the shipped one."""
    bias, weights = fit(data, settings, np.isin(data.row, train))
    return Head(bias, threshold, weights)


def _joined(parts: Sequence[JudgedRows], back: np.ndarray) -> JudgedRows:
    def put(name: str) -> np.ndarray:
        return np.concatenate([getattr(part, name) for part in parts])[back]

    return JudgedRows(put("takes"), put("yields"), put("scores"), put("decision_ms"))


def _comparison(rows: Sequence[OverlapRow], judged: JudgedRows, view: str) -> dict[str, Any]:
    """Our operating point, and beside each rule our missed yields at that rule's false yields."""
    takes = judged.takes
    out: dict[str, Any] = {"equal_error_rate": equal_error_rate(judged), "ours": _pair(takes, judged.yields)}
    for name, rule in RULES.items():
        yields = np.array([rule(row, row.decision_s if view == "streaming" else row.end_s) for row in rows])
        missed, _ = missed_at(judged, int(np.sum(yields & ~takes)))
        ours = rate("missed_yield_rate", missed, int(np.sum(takes))).model_dump(mode="json")
        theirs = _pair(takes, yields)
        apart = ours["high"] < theirs["missed_yield_rate"]["low"]
        out[name] = {**theirs, "ours_at_its_false_yield": ours, "intervals_apart": bool(apart)}
    return out


def _pair(takes: np.ndarray, yields: np.ndarray) -> dict[str, Any]:
    return {
        name: rate(name, hits, n).model_dump(mode="json")
        for name, hits, n in (
            ("false_yield_rate", int(np.sum(yields & ~takes)), int(np.sum(~takes))),
            ("missed_yield_rate", int(np.sum(~yields & takes)), int(np.sum(takes))),
        )
    }


def _curve_of(rows: Sequence[OverlapRow], judged: JudgedRows, view: str) -> dict[str, Any]:
    points = [{"false_yield_rate": round(f, 5), "missed_yield_rate": round(m, 5)} for f, m in curve(judged)]
    return {"points": points, **_comparison(rows, judged, view)}


def _draw(rows: Sequence[OverlapRow], views: dict[str, JudgedRows]) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 2, figsize=(10, 4.6), sharey=True)
    for axis, (view, judged) in zip(axes, views.items(), strict=True):
        points = curve(judged)
        axis.plot([100 * f for f, _ in points], [100 * m for _, m in points], label="ours, threshold moved")
        at = _pair(judged.takes, judged.yields)
        axis.plot(*(100 * at[n]["value"] for n in at), "o", color="tab:blue", label="ours, as shipped")
        for (name, rule), mark in zip(RULES.items(), "v^s<D", strict=True):
            yields = np.array([rule(row, row.decision_s if view == "streaming" else row.end_s) for row in rows])
            both = _pair(judged.takes, yields)
            axis.plot(*(100 * both[n]["value"] for n in both), mark, label=name)
        axis.axhline(3, linewidth=0.6, color="grey")
        axis.axvline(3, linewidth=0.6, color="grey")
        axis.set(xscale="symlog", yscale="symlog", xlim=(0, 110), ylim=(0, 110), title=f"{view} view")
        axis.set_xlabel("false yields on backchannels, %")
    axes[0].set_ylabel("missed yields on turn-takes, %")
    axes[1].legend(fontsize=8)
    figure.suptitle(f"Overlaps of the test meetings (n = {len(rows)})")
    figure.tight_layout()
    figure.savefig(RESULTS / "curve.png", dpi=110)


def _write(name: str, content: dict[str, Any]) -> None:
    (RESULTS / name).write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
