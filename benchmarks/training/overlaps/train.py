"""Train, choose the operating point, write the weights: ``python -m benchmarks.training.overlaps.train --data FILE``.

Only the train and dev meetings of `split.json` are looked at. Writes ``floor_en.json`` into the package.
"""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.training.overlaps.data import ACKNOWLEDGED, read_rows
from benchmarks.training.overlaps.fit import FitSettings, examples, fit, out_of_fold, threshold_at
from benchmarks.training.overlaps.noise import learn_noise
from benchmarks.training.overlaps.split import part_of
from pipecat_interrupt.overlap.model import floor_model
from pipecat_interrupt.overlap.model.features import FEATURES_VERSION

SEED = 20261130
WEIGHT_MIN = 0.01
"""Weights smaller than this are left out of the file."""

WEIGHTS_PATH = Path(floor_model.__file__).with_name(floor_model.WEIGHTS_FILE)


def train(data: Path, noise_folder: Path, settings: FitSettings) -> dict[str, Any]:
    """Fit both heads and give the content of the weights file."""
    rows = [row for row in part_of(read_rows(data), "fit") if row.scored or row.gold == ACKNOWLEDGED]
    takes = np.array([row.takes_floor for row in rows])
    scored = np.array([row.scored for row in rows])
    noise = learn_noise(noise_folder)
    out: dict[str, Any] = {"features_version": FEATURES_VERSION, "language": "en"}
    for head in ("early", "whole"):
        made = examples(rows, head, noise, settings, SEED)
        scores = out_of_fold(rows, made, settings)
        cut = threshold_at(scores[scored], takes[scored], settings.false_yield_rate)
        missed = float(np.mean(scores[scored & takes] < cut))
        yielded = float(np.mean(scores[scored & ~takes] >= cut))
        print(f"{head}: {len(made.found)} examples, out of fold false yield {yielded:.4f} missed {missed:.4f}")
        bias, weights = fit(made, settings)
        kept = {name: round(w, 3) for name, w in sorted(weights.items()) if abs(w) >= WEIGHT_MIN}
        out[head] = {"bias": round(bias, 4), "threshold": round(1 / (1 + math.exp(-cut)), 5), "weights": kept}
    return out


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="overlaps JSONL")
    parser.add_argument("--noise", type=Path, help="folder of transcript pairs; default asr_errors beside the data")
    options = parser.parse_args()
    noise = options.noise or options.data.parent.parent / "asr_errors"
    content = train(options.data, noise, FitSettings())
    body = json.dumps(content, ensure_ascii=False, indent=0, sort_keys=True)
    WEIGHTS_PATH.write_text(body + "\n", encoding="utf-8")
    print(f"{WEIGHTS_PATH.name}: {len(body)} bytes")


if __name__ == "__main__":
    main()
