"""Figures of the yield protocol: per system, language and scenario class, never pooled over languages."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from benchmarks.figures import Figure, GroupValue, rate
from benchmarks.stats.latency import CutIn, CutInKind, summarise_latencies
from benchmarks.yielding.manifest import Manifest, Outcome, PlannedYieldTrial, YieldResult
from benchmarks.yielding.models import ScenarioClass

Pair = tuple[PlannedYieldTrial, YieldResult]
REQUESTED = (ScenarioClass.STOP_REQUEST, ScenarioClass.CORRECTION)
TO_CONTINUE = (ScenarioClass.BACKCHANNEL, ScenarioClass.THIRD_PARTY)
KEPT_OUT = (Outcome.SETUP_FAILURE, Outcome.NEEDS_REVIEW)


def pairs_of(manifest: Manifest) -> list[Pair]:
    """Give each result with its plan, in the order of the plan."""
    results = {result.trial_id: result for result in manifest.results}
    return [(trial, results[trial.trial_id]) for trial in manifest.plan if trial.trial_id in results]


def figures_of(manifest: Manifest) -> list[Figure]:
    """Give every figure of section 5 with its breakdowns; set-up failures and open reviews are counted apart."""
    pairs = pairs_of(manifest)
    figures: list[Figure] = []
    for system in dict.fromkeys(t.system for t, _ in pairs):
        for language in dict.fromkeys(t.language for t, _ in pairs):
            inside = [p for p in pairs if (p[0].system, p[0].language) == (system, language)]
            figures += _figures(inside, {"system": system, "lang": language})
    return figures


def _figures(pairs: Sequence[Pair], group: dict[str, GroupValue]) -> list[Figure]:
    figures: list[Figure] = []
    for kind in ScenarioClass:
        chosen = [p for p in pairs if p[0].kind is kind]
        if chosen:
            figures += _of_class(kind, chosen, {**group, "class": kind.value})
            for scenario in dict.fromkeys(t.scenario for t, _ in chosen):
                named = [p for p in chosen if p[0].scenario == scenario]
                figures += _of_class(kind, named, {**group, "class": kind.value, "scenario": scenario})
    for outcome in KEPT_OUT:
        count = sum(result.outcome is outcome for _, result in pairs)
        figures.append(Figure(name=f"{outcome.value}s", value=float(count), n=len(pairs), group=group))
    return figures


def _of_class(kind: ScenarioClass, pairs: Sequence[Pair], group: dict[str, GroupValue]) -> list[Figure]:
    scored = [result for _, result in pairs if result.outcome not in KEPT_OUT]
    if kind in REQUESTED:
        return _requested(kind, scored, group)
    if kind in TO_CONTINUE:
        paused = [r for r in scored if r.outcome is Outcome.CONTINUED]
        return [
            _rate("false_yield_rate", scored, lambda r: r.outcome is Outcome.FALSE_YIELD, group),
            _rate("audible_pause_rate", paused, lambda r: r.audible_pause_s is not None, group),
        ]
    return [_rate("premature_takeover_rate", scored, lambda r: r.outcome is Outcome.PREMATURE_TAKEOVER, group)]


def _requested(kind: ScenarioClass, scored: Sequence[YieldResult], group: dict[str, GroupValue]) -> list[Figure]:
    cut_ins = [
        CutIn(CutInKind.YIELDED, latency_s=r.yield_latency_s)
        if r.outcome is Outcome.YIELDED
        else CutIn(CutInKind.NOT_YIELDED, censored_at_s=r.censored_at_s)
        for r in scored
    ]
    summary = summarise_latencies(cut_ins)
    figures = [
        _rate("successful_yield_rate", scored, lambda r: r.outcome is Outcome.YIELDED, group),
        _rate("resumed_output_rate", scored, lambda r: r.outcome is Outcome.RESUMED_OUTPUT, group),
        Figure(name="yield_latency_s_median", value=summary.median_s, n=summary.yielded, group=group),
        Figure(name="yield_latency_s_p95", value=summary.p95_s, n=summary.yielded, group=group),
        Figure(name="censored", value=float(summary.not_yielded), n=summary.eligible, group=group),
    ]
    if kind is ScenarioClass.CORRECTION:
        decided = [r for r in scored if r.recovery_correct is not None]
        figures.append(_rate("recovery_correct_rate", decided, lambda r: bool(r.recovery_correct), group))
    return figures


def _rate(
    name: str, results: Sequence[YieldResult], hit: Callable[[YieldResult], bool], group: dict[str, GroupValue]
) -> Figure:
    return rate(name, sum(map(hit, results)), len(results), group)
