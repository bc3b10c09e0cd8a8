"""A judge over rows: its verdicts, and its curve as the threshold moves.

Owns how one number per row (the *effective score*) stands for the whole judge, rules and model together.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from benchmarks.training.overlaps.data import OverlapRow, streaming_evidence, whole_evidence
from pipecat_interrupt.overlap.config import OverlapConfig
from pipecat_interrupt.overlap.evidence import Evidence, TextStatus
from pipecat_interrupt.overlap.judge import FloorModel, OverlapJudge

VIEWS = {"streaming": streaming_evidence, "whole": whole_evidence}
START_S = 0.2
"""Voice that a detector needs before it reports any."""


@dataclass(frozen=True, slots=True)
class JudgedRows:
    """Verdicts of one judge on one view.

    Parameters:
        takes: Gold, shape (n,), bool.
        yields: The judge's verdict at its operating point, shape (n,), bool.
        scores: Effective score, shape (n,): +inf where the rules alone yield, -inf where no score would.
        decision_ms: Wall clock of each decision, shape (n,).
    """

    takes: np.ndarray
    yields: np.ndarray
    scores: np.ndarray
    decision_ms: np.ndarray


def evidence_at(row: OverlapRow, view: str) -> Evidence:
    """The evidence of a view; an utterance of which nothing was recognised leaves its voice alone."""
    evidence = VIEWS[view](row)
    if view == "whole" and not evidence.words:
        lasted_s = max(0.0, row.end_s - START_S)
        return replace(evidence, status=TextStatus.NONE, voiced_s=lasted_s, speech_active=True)
    return evidence


def judge_rows(
    rows: Sequence[OverlapRow],
    view: str,
    models: dict[str, FloorModel] | None = None,
    threshold: float | None = None,
) -> JudgedRows:
    """Judge rows in one view with the shipped rules and the given models (the shipped ones when None)."""
    ours = OverlapJudge(OverlapConfig(floor_threshold=threshold), models)
    ready = OverlapJudge(OverlapConfig(floor_threshold=1e-9), models)
    slow = OverlapJudge(OverlapConfig(floor_threshold=1 - 1e-9), models)
    yields: list[bool] = []
    scores: list[float] = []
    spent: list[float] = []
    for row in rows:
        evidence = evidence_at(row, view)
        began = time.perf_counter()
        judged = ours.judge(evidence)
        spent.append((time.perf_counter() - began) * 1000)
        yields.append(judged.takes_floor)
        if slow.judge(evidence).takes_floor:
            scores.append(np.inf)
        elif not ready.judge(evidence).takes_floor or judged.floor_score is None:
            scores.append(-np.inf)
        else:
            scores.append(judged.floor_score)
    takes = np.array([row.takes_floor for row in rows])
    return JudgedRows(takes, np.array(yields), np.array(scores), np.array(spent))


def missed_at(judged: JudgedRows, yielded_to: int) -> tuple[int, int]:
    """Turn-takes missed when at most `yielded_to` backchannels are yielded to: (missed, backchannels yielded to)."""
    backchannels = np.sort(judged.scores[~judged.takes])[::-1]
    if yielded_to >= len(backchannels):
        return 0, len(backchannels)
    # Every threshold above this score yields to at most that many.
    border = backchannels[yielded_to]
    missed = int(np.sum(judged.scores[judged.takes] <= border))
    return missed, int(np.sum(backchannels > border))


def equal_error_rate(judged: JudgedRows) -> float:
    """The rate at which false yields and missed yields are equally frequent, in [0, 1]."""
    best, gap = 1.0, 2.0
    for border in np.unique(judged.scores):
        false_yield = float(np.mean(judged.scores[~judged.takes] >= border))
        missed = float(np.mean(judged.scores[judged.takes] < border))
        if abs(false_yield - missed) < gap:
            best, gap = (false_yield + missed) / 2, abs(false_yield - missed)
    return best


def curve(judged: JudgedRows, points_max: int = 400) -> list[tuple[float, float]]:
    """False-yield rate against missed-yield rate, from one end to the other."""
    borders = np.unique(judged.scores)
    if len(borders) > points_max:
        borders = borders[np.linspace(0, len(borders) - 1, points_max).astype(int)]
    return [
        (float(np.mean(judged.scores[~judged.takes] >= b)), float(np.mean(judged.scores[judged.takes] < b)))
        for b in borders
    ]
