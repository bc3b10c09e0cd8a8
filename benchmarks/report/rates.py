"""Turns trials and verdicts into rates: one a cell, arm, prompt, agent, system and level, never pooled.

Owns what enters a rate: eligible trials with a verdict. Unscored and no-opportunity trials are counted beside it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from benchmarks.cells import Arm, PromptVariant
from benchmarks.figures import Figure, GroupValue
from benchmarks.judges.protocol import Outcome, StoredVerdict
from benchmarks.simulator.trial_log import TrialLog
from benchmarks.stats import Difference, Interval, PairedTest, mcnemar, newcombe_difference, wilson


class RateKey(NamedTuple):
    """What a rate is of."""

    level: str
    system: str
    cell: str
    prompt: str
    agent: str
    arm: str

    def group(self) -> dict[str, GroupValue]:
        """Give the key as a figure's breakdown."""
        return dict(self._asdict())


@dataclass(frozen=True, slots=True)
class CellRate:
    """The fail rate of one arm of one cell.

    Parameters:
        key: What it is of.
        fails: Trials judged fail.
        n: Eligible trials with a verdict of fail or pass.
        unscored: Eligible trials the judge could not decide.
        no_opportunity: Trials in which nothing was cut.
        calls_s: Median length of a call on the system's clock; None for a transcript.
    """

    key: RateKey
    fails: int
    n: int
    unscored: int
    no_opportunity: int
    calls_s: float | None

    @property
    def rate(self) -> float | None:
        """Fails over n, 0..1; None without a decided trial."""
        return self.fails / self.n if self.n else None

    @property
    def interval(self) -> Interval | None:
        """Wilson 95 % interval."""
        return wilson(self.fails, self.n) if self.n else None


def key_of(trial: TrialLog) -> RateKey:
    """Say which rate a trial enters."""
    return RateKey(trial.level, trial.system, trial.cell, str(trial.prompt), trial.agent, trial.arm.value)


def cell_rates(trials: Sequence[TrialLog], verdicts: Sequence[StoredVerdict]) -> list[CellRate]:
    """Give one rate a key, in the order of the keys; a trial without a verdict counts as unscored."""
    outcomes = {verdict.trial_id: verdict.outcome for verdict in verdicts}
    grouped: dict[RateKey, list[TrialLog]] = defaultdict(list)
    for trial in trials:
        grouped[key_of(trial)].append(trial)
    return [_rate(key, grouped[key], outcomes) for key in sorted(grouped)]


def _rate(key: RateKey, trials: Sequence[TrialLog], outcomes: dict[str, Outcome]) -> CellRate:
    eligible = [trial for trial in trials if trial.eligible]
    found = [outcomes.get(trial.trial_id, Outcome.UNSCORED) for trial in eligible]
    lengths = sorted(trial.duration_s for trial in trials if trial.duration_s is not None)
    return CellRate(
        key=key,
        fails=found.count(Outcome.FAIL),
        n=len(found) - found.count(Outcome.UNSCORED),
        unscored=found.count(Outcome.UNSCORED),
        no_opportunity=len(trials) - len(eligible),
        calls_s=lengths[len(lengths) // 2] if lengths else None,
    )


@dataclass(frozen=True, slots=True)
class Delta:
    """A change of fail rate, second minus first.

    Parameters:
        first: The rate it starts from.
        second: The rate it ends at.
        difference: In percentage points, with Newcombe's interval; None when either has no decided trial.
        paired: McNemar's test where the trials pair, else None.
    """

    first: CellRate
    second: CellRate
    difference: Difference | None
    paired: PairedTest | None = None


def _difference(first: CellRate, second: CellRate) -> Difference | None:
    return newcombe_difference(first.fails, first.n, second.fails, second.n) if first.n and second.n else None


def arm_deltas(rates: Sequence[CellRate], first: Arm, second: Arm) -> list[Delta]:
    """Give the change between two arms of the same cell, prompt, agent and system."""
    by_key = {rate.key: rate for rate in rates}
    deltas: list[Delta] = []
    for key, rate in by_key.items():
        if key.arm != second.value:
            continue
        before = by_key.get(key._replace(arm=first.value))
        if before is not None:
            deltas.append(Delta(before, rate, _difference(before, rate)))
    return deltas


def prompt_deltas(rates: Sequence[CellRate], standard: PromptVariant) -> list[Delta]:
    """Give the change from the standard prompt to every other one, in the same cell, arm, agent and system."""
    by_key = {rate.key: rate for rate in rates}
    pairs = [(by_key.get(key._replace(prompt=standard.value)), rate) for key, rate in by_key.items()]
    return [
        Delta(before, rate, _difference(before, rate))
        for before, rate in pairs
        if before is not None and rate.key.prompt != standard.value
    ]


def system_deltas(
    trials: Sequence[TrialLog], verdicts: Sequence[StoredVerdict], first: str, second: str
) -> list[Delta]:
    """Give the change between two systems on the same trials, with McNemar's test over those both decided."""
    outcomes = {v.trial_id: v.outcome for v in verdicts if v.outcome is not Outcome.UNSCORED}
    rates = {rate.key: rate for rate in cell_rates(trials, verdicts)}
    failed: dict[RateKey, dict[int, bool]] = defaultdict(dict)
    for trial in trials:
        if trial.eligible and trial.trial_id in outcomes:
            failed[key_of(trial)][trial.seed] = outcomes[trial.trial_id] is Outcome.FAIL
    deltas: list[Delta] = []
    for key, rate in rates.items():
        before = rates.get(key._replace(system=first))
        if key.system != second or before is None:
            continue
        one, other = failed[before.key], failed[key]
        shared = sorted(set(one) & set(other))
        test = mcnemar([one[s] for s in shared], [other[s] for s in shared]) if shared else None
        deltas.append(Delta(before, rate, _difference(before, rate), test))
    return deltas


def figures_of(rates: Sequence[CellRate]) -> list[Figure]:
    """Give the rates and their counts as figures."""
    figures: list[Figure] = []
    for rate in rates:
        interval = rate.interval
        figures.append(
            Figure(
                name="fail_rate",
                value=rate.rate,
                low=interval.low if interval else None,
                high=interval.high if interval else None,
                n=rate.n,
                group=rate.key.group(),
            )
        )
        for name, count in (("unscored", rate.unscored), ("no_opportunity", rate.no_opportunity)):
            if count:
                figures.append(Figure(name=name, value=float(count), n=rate.n + count, group=rate.key.group()))
    return figures
