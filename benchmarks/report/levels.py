"""Whether levels agree: the same trial at text, audio and realtime level, outcome against outcome. Pure.

Trials pair by everything in their id but the level. What is unscored, or was without opportunity, on either side is
left out of kappa and rate and counted; a disagreement is listed by its trial.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from benchmarks.figures import Figure, GroupValue, rate
from benchmarks.judges.protocol import Outcome, StoredVerdict
from benchmarks.simulator.trial_log import TrialLog
from benchmarks.stats import Agreement, agreement

LEFT_OUT = "left out"


@dataclass(frozen=True, slots=True)
class JudgedLevel:
    """One run's trials with their verdicts.

    Parameters:
        name: What it is called in the comparison.
        outcomes: "fail", "pass", or `LEFT_OUT`, by the trial's id without its level.
    """

    name: str
    outcomes: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class LevelPair:
    """Two levels over the trials they share, in one cell or over all of them.

    Parameters:
        first: One level's name.
        second: The other's.
        group: {} or {"cell": ..., "system": ...}.
        agreement: Kappa and raw agreement over trials decided by both; None when there is none.
        left_out: Shared trials undecided on one side at least.
        disagreements: Their trials, as (id without level, outcome at the first, at the second).
    """

    first: str
    second: str
    group: dict[str, GroupValue]
    agreement: Agreement | None
    left_out: int
    disagreements: tuple[tuple[str, str, str], ...]

    def figures(self) -> list[Figure]:
        """Give agreement rate, kappa and what was left out."""
        a = self.agreement
        group = {**self.group, "levels": f"{self.first}, {self.second}"}
        n = 0 if a is None else a.n
        return [
            rate("agreement_rate", 0 if a is None else a.agreed, n, group),
            Figure(
                name="kappa",
                value=None if a is None else a.kappa,
                low=None if a is None else a.low,
                high=None if a is None else a.high,
                n=n,
                group=group,
            ),
            Figure(name="left_out", value=self.left_out, n=n + self.left_out, group=group),
        ]


def without_level(trial_id: str) -> str:
    """Give what the same trial is called at every level."""
    return trial_id.partition("/")[2]


def judged_level(name: str, trials: Sequence[TrialLog], verdicts: Sequence[StoredVerdict]) -> JudgedLevel:
    """Sort a store's trials by outcome; what cannot be compared is `LEFT_OUT`."""
    said = {verdict.trial_id: verdict.outcome for verdict in verdicts}

    def outcome(trial: TrialLog) -> str:
        verdict = said.get(trial.trial_id, Outcome.UNSCORED)
        return verdict.value if trial.eligible and verdict is not Outcome.UNSCORED else LEFT_OUT

    return JudgedLevel(name, {without_level(trial.trial_id): outcome(trial) for trial in trials})


def compare_levels(levels: Sequence[JudgedLevel]) -> list[LevelPair]:
    """Compare every two levels, over all shared trials and then by system and cell."""
    found: list[LevelPair] = []
    for one, other in combinations(levels, 2):
        shared = sorted(set(one.outcomes) & set(other.outcomes))
        found.append(_pair(one, other, {}, shared))
        for system, cell in sorted({_place(trial) for trial in shared}):
            members = [trial for trial in shared if _place(trial) == (system, cell)]
            found.append(_pair(one, other, {"system": system, "cell": cell}, members))
    return found


def _place(trial: str) -> tuple[str, str]:
    system, cell, *_ = trial.split("/")
    return system, cell


def _pair(one: JudgedLevel, other: JudgedLevel, group: dict[str, GroupValue], shared: Sequence[str]) -> LevelPair:
    both = [(t, one.outcomes[t], other.outcomes[t]) for t in shared]
    decided = [(t, a, b) for t, a, b in both if LEFT_OUT not in (a, b)]
    return LevelPair(
        one.name,
        other.name,
        group,
        agreement([a for _, a, _ in decided], [b for _, _, b in decided]) if decided else None,
        len(both) - len(decided),
        tuple((t, a, b) for t, a, b in decided if a != b),
    )
