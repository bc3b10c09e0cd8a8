"""Whether levels agree: the same trial at text, audio and realtime level, outcome against outcome. Pure.

Trials pair by everything in their id but the level. What is unscored, or was without opportunity, on either side is
left out of kappa and rate and counted; so is a trial the other store does not have. A disagreement is listed by its
trial. Beside the outcome, two finer things are compared: what was heard of the turn that was cut, and the ledger.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from benchmarks.figures import Figure, GroupValue, rate
from benchmarks.judges.protocol import Outcome, StoredVerdict
from benchmarks.simulator.transcript import AgentTurn
from benchmarks.simulator.trial_log import TrialLog
from benchmarks.stats import Agreement, agreement

LEFT_OUT = "left out"


@dataclass(frozen=True, slots=True)
class JudgedLevel:
    """One run's trials with their verdicts, each by the trial's id without its level.

    Parameters:
        name: What it is called in the comparison.
        outcomes: "fail", "pass", or `LEFT_OUT`.
        heard: What was heard of each turn that was cut; only trials with one.
        ledgers: What was closed, open and handed off at the end; only of systems with a ledger.
    """

    name: str
    outcomes: Mapping[str, str]
    heard: Mapping[str, Hashable] = field(default_factory=dict[str, Hashable])
    ledgers: Mapping[str, Hashable] = field(default_factory=dict[str, Hashable])


@dataclass(frozen=True, slots=True)
class LevelPair:
    """Two levels over the trials they share, in one group or over all of them.

    Parameters:
        first: One level's name.
        second: The other's.
        group: {} or {"cell": ..., "system": ..., "agent": ...}.
        agreement: Kappa and raw agreement over trials decided by both; None when there is none.
        left_out: Shared trials undecided on one side at least.
        unpaired: Trials that only one of the two has.
        heard: Trials with the same words heard of the turns that were cut, and trials cut on both sides.
        ledgers: Trials whose ledger ended the same, and trials with a ledger on both sides.
        disagreements: Trials of different outcome, as (id without level, outcome at the first, at the second).
    """

    first: str
    second: str
    group: dict[str, GroupValue]
    agreement: Agreement | None
    left_out: int
    unpaired: int
    heard: tuple[int, int]
    ledgers: tuple[int, int]
    disagreements: tuple[tuple[str, str, str], ...]

    def figures(self) -> list[Figure]:
        """Give agreement rate, kappa, the finer rates, and what was left out."""
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
            rate("same_words_at_cut_rate", *self.heard, group),
            rate("same_ledger_rate", *self.ledgers, group),
            Figure(name="left_out", value=self.left_out, n=n + self.left_out, group=group),
            Figure(name="unpaired", value=self.unpaired, n=n + self.left_out + self.unpaired, group=group),
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

    return JudgedLevel(
        name,
        {without_level(trial.trial_id): outcome(trial) for trial in trials},
        {without_level(trial.trial_id): _heard(trial) for trial in trials if trial.interrupted_on},
        {without_level(trial.trial_id): _ledger(trial) for trial in trials if trial.claims.closed is not None},
    )


def _heard(trial: TrialLog) -> tuple[str, ...]:
    cut = (trial.turns[place] for place in trial.interrupted_on)
    return tuple(turn.delivered for turn in cut if isinstance(turn, AgentTurn))


def _ledger(trial: TrialLog) -> tuple[frozenset[str], ...]:
    said = trial.claims
    return tuple(frozenset(items or ()) for items in (said.closed, said.open, said.handed_off))


def compare_levels(levels: Sequence[JudgedLevel]) -> list[LevelPair]:
    """Compare every two levels, over all shared trials and then by system, cell and agent."""
    found: list[LevelPair] = []
    for one, other in combinations(levels, 2):
        both = sorted(set(one.outcomes) | set(other.outcomes))
        found.append(_pair(one, other, {}, both))
        for system, cell, agent in sorted({_place(trial) for trial in both}):
            members = [trial for trial in both if _place(trial) == (system, cell, agent)]
            found.append(_pair(one, other, {"system": system, "cell": cell, "agent": agent}, members))
    return found


def _place(trial: str) -> tuple[str, str, str]:
    """System, cell and agent of an id without its level; an agent's name may hold slashes."""
    system, cell, _arm, _prompt, *agent, _seed, _index = trial.split("/")
    return system, cell, "/".join(agent)


def _same(one: Mapping[str, Hashable], other: Mapping[str, Hashable], trials: Sequence[str]) -> tuple[int, int]:
    both = [trial for trial in trials if trial in one and trial in other]
    return sum(one[trial] == other[trial] for trial in both), len(both)


def _pair(one: JudgedLevel, other: JudgedLevel, group: dict[str, GroupValue], trials: Sequence[str]) -> LevelPair:
    both = [(t, one.outcomes[t], other.outcomes[t]) for t in trials if t in one.outcomes and t in other.outcomes]
    decided = [(t, a, b) for t, a, b in both if LEFT_OUT not in (a, b)]
    return LevelPair(
        one.name,
        other.name,
        group,
        agreement([a for _, a, _ in decided], [b for _, _, b in decided]) if decided else None,
        len(both) - len(decided),
        len(trials) - len(both),
        _same(one.heard, other.heard, trials),
        _same(one.ledgers, other.ledgers, trials),
        tuple((t, a, b) for t, a, b in decided if a != b),
    )
