"""Counts over many replayed calls: loss rates per pathway, and the overlap table of seed 000, Appendix A.

Owns the arithmetic of the index. Nothing is pooled over pathways.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from statistics import NormalDist
from typing import get_args

from pydantic import BaseModel, ConfigDict

from pipecat_interrupt.replay.result import CallResult, PhaseName

KINDS = ("transitional_sub_unit", "recognitional", "competitive", "none")
"""Rows of the table: the three kinds, and overlaps that are none of them (at the end of a turn, noise, echo)."""

PHASES: tuple[PhaseName, ...] = get_args(PhaseName)


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Rate(_Model):
    """A rate with its Wilson 95 % interval; `value` is None when n is 0."""

    hits: int
    n: int
    value: float | None
    low: float | None
    high: float | None


class ItemRates(_Model):
    """One obligation over all calls in which it was owed."""

    id: str
    critical: bool
    closed: int
    unanswered: int
    lost: Rate
    unclear: Rate


class PathwayRates(_Model):
    """One pathway.

    Parameters:
        calls: Calls replayed with it.
        calls_lost_critical: Calls in which at least one critical obligation was lost.
        calls_unclear_critical: Calls in which at least one critical obligation is unclear: somebody has to listen.
        items_lost: Lost obligations of those that could be told: unclear ones are in neither number.
        items_unclear: Unclear obligations of all that were owed.
        items: Each obligation.
    """

    pathway: str
    calls: int
    calls_lost_critical: Rate
    calls_unclear_critical: Rate
    items_lost: Rate
    items_unclear: Rate
    items: tuple[ItemRates, ...]


class OverlapTable(_Model):
    """The distribution of overlaps.

    Parameters:
        counts: kind -> phase -> number, every cell present.
        verdicts: verdict -> number.
        calls: Calls looked at.
        calls_with: Calls with at least one overlap of the three kinds.
        agent_overlaps: Times the agent came in over the far end.
    """

    counts: dict[str, dict[str, int]]
    verdicts: dict[str, int]
    calls: int
    calls_with: Rate
    agent_overlaps: int

    def total(self, kind: str | None = None, phase: str | None = None) -> int:
        """Sum over the table, or over one row or column."""
        return sum(
            count
            for own_kind, row in self.counts.items()
            for own_phase, count in row.items()
            if kind in (None, own_kind) and phase in (None, own_phase)
        )


def rate(hits: int, n: int) -> Rate:
    """Make a rate with its Wilson score interval (95 %, no continuity correction)."""
    if n == 0:
        return Rate(hits=0, n=0, value=None, low=None, high=None)
    z = NormalDist().inv_cdf(0.975)
    p = hits / n
    centre, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    low = 0.0 if hits == 0 else max(0.0, (centre - half) / scale)
    high = 1.0 if hits == n else min(1.0, (centre + half) / scale)
    return Rate(hits=hits, n=n, value=p, low=low, high=high)


def pathway_rates(calls: Iterable[CallResult]) -> tuple[PathwayRates, ...]:
    """Give the loss rates of each pathway, by its name."""
    by_pathway: dict[str, list[CallResult]] = {}
    for call in calls:
        if call.pathway is not None:
            by_pathway.setdefault(f"{call.pathway} {call.pathway_version}", []).append(call)
    return tuple(_rates(name, by_pathway[name]) for name in sorted(by_pathway))


def overlap_table(calls: Iterable[CallResult]) -> OverlapTable:
    """Count overlaps by kind and conversational phase."""
    every = list(calls)
    cells: Counter[tuple[str, str]] = Counter()
    verdicts: Counter[str] = Counter()
    for call in every:
        cells.update((row.kind or "none", row.phase) for row in call.overlaps)
        verdicts.update(row.verdict for row in call.overlaps)
    counts = {kind: {phase: cells[kind, phase] for phase in PHASES} for kind in KINDS}
    having = sum(any(row.kind for row in call.overlaps) for call in every)
    return OverlapTable(
        counts=counts,
        verdicts=dict(sorted(verdicts.items())),
        calls=len(every),
        calls_with=rate(having, len(every)),
        agent_overlaps=sum(len(call.agent_overlaps) for call in every),
    )


def _rates(name: str, calls: list[CallResult]) -> PathwayRates:
    rows = [row for call in calls for row in call.obligations]
    every = Counter(row.outcome for row in rows)
    items: list[ItemRates] = []
    for item_id in dict.fromkeys(row.id for row in rows):
        own = [row for row in rows if row.id == item_id]
        outcomes = Counter(row.outcome for row in own)
        items.append(
            ItemRates(
                id=item_id,
                critical=own[0].critical,
                closed=outcomes["closed"],
                unanswered=outcomes["unanswered"],
                lost=rate(outcomes["lost"], len(own) - outcomes["unclear"]),
                unclear=rate(outcomes["unclear"], len(own)),
            )
        )
    return PathwayRates(
        pathway=name,
        calls=len(calls),
        calls_lost_critical=rate(sum(bool(call.lost_critical) for call in calls), len(calls)),
        calls_unclear_critical=rate(sum(bool(call.unclear_critical) for call in calls), len(calls)),
        items_lost=rate(every["lost"], len(rows) - every["unclear"]),
        items_unclear=rate(every["unclear"], len(rows)),
        items=tuple(items),
    )
