"""Right-censored yield latencies: who had a chance to yield, who did, and how fast.

Owns the rule that a trial without an opportunity enters no rate and no latency, and that a latency is never negative.
A trial that did not yield is a failure, censored at the window's end; it is never turned into a slow success.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from benchmarks.stats.intervals import Interval, wilson

WINDOW_S = 2.0  # Seed 002 section 5: the predefined observation window.


class CutInKind(StrEnum):
    """What a cut-in met."""

    YIELDED = "yielded"
    NOT_YIELDED = "not_yielded"
    NO_OPPORTUNITY = "no_opportunity"


@dataclass(frozen=True, slots=True)
class CutIn:
    """One cut-in, classified.

    Parameters:
        kind: What it met.
        latency_s: Onset to the end of the agent's utterance, >= 0; only for YIELDED.
        censored_at_s: Seconds after the onset up to which no yield was seen, >= 0; only for NOT_YIELDED.
        reason: Why there was no opportunity, else "".
    """

    kind: CutInKind
    latency_s: float | None = None
    censored_at_s: float | None = None
    reason: str = ""

    def __post_init__(self) -> None:
        given = {CutInKind.YIELDED: self.latency_s, CutInKind.NOT_YIELDED: self.censored_at_s}.get(self.kind)
        other = self.censored_at_s if self.kind is CutInKind.YIELDED else self.latency_s
        if other is not None or (given is None) is not (self.kind is CutInKind.NO_OPPORTUNITY):
            raise ValueError(f"a {self.kind} cut-in has the wrong times: {self.latency_s}, {self.censored_at_s}")
        if given is not None and given < 0:
            raise ValueError(f"a latency is never negative, got {given}")


def classify_cut_in(
    onset_s: float | None,
    agent_start_s: float | None,
    agent_end_s: float | None,
    *,
    completed: bool,
    window_s: float = WINDOW_S,
) -> CutIn:
    """Say what one cut-in met, from times on one clock at the listener's side.

    Args:
        onset_s: First audible sample of the cut-in; None when it never sounded.
        agent_start_s: First audible sample of the agent's utterance; None when there was none.
        agent_end_s: Its last audible sample; None when it was still sounding at the end of the recording.
        completed: Whether the agent said the whole intended utterance; then nobody yielded, however soon it ended.
        window_s: The observation window after the onset.

    Raises:
        ValueError: The window is not positive, or the utterance ends before it starts.
    """
    if window_s <= 0:
        raise ValueError(f"window_s must be positive, got {window_s}")
    if onset_s is None:
        return CutIn(CutInKind.NO_OPPORTUNITY, reason="the cut-in never sounded")
    if agent_start_s is None or agent_start_s == agent_end_s:
        return CutIn(CutInKind.NO_OPPORTUNITY, reason="the agent said nothing")
    if agent_end_s is not None and agent_end_s < agent_start_s:
        raise ValueError(f"the utterance ends ({agent_end_s}) before it starts ({agent_start_s})")
    if onset_s < agent_start_s:
        return CutIn(CutInKind.NO_OPPORTUNITY, reason="the cut-in came before the agent began")
    if agent_end_s is not None and onset_s >= agent_end_s:
        return CutIn(CutInKind.NO_OPPORTUNITY, reason="the agent had already finished")
    if agent_end_s is None or agent_end_s - onset_s > window_s:
        return CutIn(CutInKind.NOT_YIELDED, censored_at_s=window_s)
    if completed:
        return CutIn(CutInKind.NOT_YIELDED, censored_at_s=agent_end_s - onset_s)
    return CutIn(CutInKind.YIELDED, latency_s=agent_end_s - onset_s)


@dataclass(frozen=True, slots=True)
class LatencySummary:
    """A set of cut-ins, summed up.

    Parameters:
        yielded: Number that yielded within the window.
        not_yielded: Number that did not (right-censored).
        no_opportunity: Number that had no chance to; in no rate.
        interval: Wilson 95 % interval of the yield rate; None without an eligible cut-in.
        median_s: Median latency among those that yielded; None without one.
        p95_s: 95th percentile among those that yielded; descriptive, unstable with few trials.
        censored_median_s: Kaplan-Meier median over all eligible cut-ins; None where fewer than half ever yield.
    """

    yielded: int
    not_yielded: int
    no_opportunity: int
    interval: Interval | None
    median_s: float | None
    p95_s: float | None
    censored_median_s: float | None

    @property
    def eligible(self) -> int:
        """Cut-ins that enter the rate."""
        return self.yielded + self.not_yielded

    @property
    def yield_rate(self) -> float | None:
        """Yielded over eligible, 0..1; None without an eligible cut-in."""
        return self.yielded / self.eligible if self.eligible else None


def summarise_latencies(cut_ins: Iterable[CutIn]) -> LatencySummary:
    """Sum up classified cut-ins; the order does not matter."""
    listed = list(cut_ins)
    latencies = sorted(c.latency_s for c in listed if c.latency_s is not None)
    censored = sorted(c.censored_at_s for c in listed if c.censored_at_s is not None)
    missed = sum(c.kind is CutInKind.NO_OPPORTUNITY for c in listed)
    eligible = len(latencies) + len(censored)
    return LatencySummary(
        yielded=len(latencies),
        not_yielded=len(censored),
        no_opportunity=missed,
        interval=wilson(len(latencies), eligible) if eligible else None,
        median_s=float(np.median(latencies)) if latencies else None,
        p95_s=float(np.percentile(latencies, 95)) if latencies else None,
        censored_median_s=_kaplan_meier_median(latencies, censored),
    )


def _kaplan_meier_median(latencies: list[float], censored: list[float]) -> float | None:
    """Give the first time at which half of the eligible have yielded, censoring accounted for."""
    still_speaking = 1.0
    for moment in sorted(set(latencies)):
        at_risk = sum(t >= moment for t in latencies) + sum(t >= moment for t in censored)
        still_speaking *= 1 - latencies.count(moment) / at_risk
        if still_speaking <= 0.5 + 1e-12:
            return moment
    return None
