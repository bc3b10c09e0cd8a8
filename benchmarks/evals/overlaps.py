"""Overlaps: is the floor yielded to those who take it, and kept from those who only listen?

Owns the figures of ``eval overlaps``: our judge beside the rules of others, in the streaming and the whole-utterance
view, and under recogniser noise. Only meetings that no part of the model was fitted on count unless asked otherwise.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np

from benchmarks.errors import BadOption, MissingData
from benchmarks.figures import EvalOptions, Figure, GroupValue, rate
from benchmarks.training.overlaps.data import FLOOR_TAKING, OverlapRow, read_rows
from benchmarks.training.overlaps.judged import VIEWS, JudgedRows, equal_error_rate, judge_rows, missed_at
from benchmarks.training.overlaps.noise import RecogniserNoise, learn_noise, noisy, whisper_spelling
from benchmarks.training.overlaps.rules import RULES
from benchmarks.training.overlaps.split import part_of

KIND = "overlaps"
NEEDS_DATA = True
DATA_HELP = "JSONL of overlaps: said, unsaid, other_words with times, gold, meeting"
OPTIONS = ("part", "noise", "threshold")
PACKAGES = ("numpy",)
PARTS = ("test", "train", "dev", "fit", "all")
NOISES = ("asr_errors", "whisper_spellings", "both")


def run(options: EvalOptions) -> list[Figure]:
    """Judge every scored row and count.

    Options: ``part`` (test; also train, dev, fit, all), ``noise`` (folder of transcript pairs; default `asr_errors`
    beside the data's folder; "off"), ``threshold`` (another operating point, in (0, 1)).

    Raises:
        BadOption: An option has no such value.
        MissingData: No row of the asked part is scored.
    """
    if options.data is None:
        raise ValueError("eval overlaps needs --data PATH")
    part = str(options.extra.get("part", "test"))
    if part not in PARTS:
        raise BadOption(f"part must be one of {', '.join(PARTS)}, got {part!r}")
    threshold = _threshold(options.extra.get("threshold"))
    rows = [row for row in part_of(read_rows(options.data), part) if row.scored]
    if not rows:
        raise MissingData(f"no scored overlap in part {part!r} of {options.data}")
    figures: list[Figure] = []
    for view in VIEWS:
        judged = judge_rows(rows, view, threshold=threshold)
        if view == "streaming":
            figures += _headline(judged)
        figures += _view_figures(rows, judged, view)
    return figures + _noise_figures(rows, options, threshold)


def _threshold(given: object) -> float | None:
    if given is None:
        return None
    value = EvalOptions(extra={"threshold": given}).number("threshold", 0.5)
    if not 0 < value < 1:
        raise BadOption(f"threshold must be in (0, 1), got {value}")
    return value


def _headline(judged: JudgedRows) -> list[Figure]:
    return [*_rates(judged.takes, judged.yields, {}), _p95(judged, {})]


def _view_figures(rows: Sequence[OverlapRow], judged: JudgedRows, view: str) -> list[Figure]:
    group: dict[str, GroupValue] = {"view": view, "rule": "ours"}
    out = [*_rates(judged.takes, judged.yields, group), _p95(judged, group)]
    out.append(Figure(name="equal_error_rate", value=equal_error_rate(judged), n=len(rows), group=group))
    for gold in sorted(FLOOR_TAKING):
        mask = np.array([row.gold == gold for row in rows])
        missed = int(np.sum(~judged.yields[mask]))
        out.append(rate("missed_yield_rate", missed, int(mask.sum()), {**group, "gold": gold}))
    takes = judged.takes
    for name, rule in RULES.items():
        yields = np.array([rule(row, row.decision_s if view == "streaming" else row.end_s) for row in rows])
        out += _rates(takes, yields, {"view": view, "rule": name})
        missed, yielded = missed_at(judged, int(np.sum(yields & ~takes)))
        at: dict[str, GroupValue] = {**group, "at_false_yield_of": name}
        out.append(rate("false_yield_rate", yielded, int(np.sum(~takes)), at))
        out.append(rate("missed_yield_rate", missed, int(np.sum(takes)), at))
    return out


def _noise_figures(rows: Sequence[OverlapRow], options: EvalOptions, threshold: float | None) -> list[Figure]:
    where = options.extra.get("noise")
    if where == "off" or options.data is None:
        return []
    folder = options.data.parent.parent / "asr_errors" if where is None else options.data.parent / str(where)
    learned = learn_noise(folder) if folder.is_dir() else None
    if learned is None and where is not None:
        raise BadOption(f"no folder of transcript pairs: {folder.name}")
    out: list[Figure] = []
    for kind in NOISES if learned is not None else ("whisper_spellings",):
        heard = [_heard(row, kind, learned, options.seed) for row in rows]
        lost = sum(not row.words for row in heard)
        for view in VIEWS:
            judged = judge_rows(heard, view, threshold=threshold)
            group: dict[str, GroupValue] = {"view": view, "rule": "ours", "noise": kind}
            out += _rates(judged.takes, judged.yields, group)
            if view == "streaming":
                out.append(rate("no_word_recognised_rate", lost, len(heard), {"noise": kind}))
            for name, rule in RULES.items():
                yields = np.array([rule(r, r.decision_s if view == "streaming" else r.end_s) for r in heard])
                out += _rates(judged.takes, yields, {"view": view, "rule": name, "noise": kind})
    return out


def _heard(row: OverlapRow, kind: str, learned: RecogniserNoise | None, seed: int) -> OverlapRow:
    rng = random.Random(f"{seed} {kind} {row.meeting} {row.onset_s} {row.other}")
    words = row.words
    if kind in ("asr_errors", "both") and learned is not None:
        words = learned.perturb(words, rng)
    if kind in ("whisper_spellings", "both"):
        words = whisper_spelling(words, rng)
    return noisy(row, words)


def _rates(takes: np.ndarray, yields: np.ndarray, group: dict[str, GroupValue]) -> list[Figure]:
    listens = ~takes
    return [
        rate("false_yield_rate", int(np.sum(yields & listens)), int(np.sum(listens)), group),
        rate("missed_yield_rate", int(np.sum(~yields & takes)), int(np.sum(takes)), group),
    ]


def _p95(judged: JudgedRows, group: dict[str, GroupValue]) -> Figure:
    value = round(float(np.percentile(judged.decision_ms, 95)), 3)
    return Figure(name="decision_ms_p95", value=value, n=len(judged.decision_ms), group=group)
