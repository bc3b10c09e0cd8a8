"""Scores stored trials: picks the judge of the phase and gives it the patient-side transcript. Calls no agent."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.cells import Phase, load_cell
from benchmarks.judges.protocol import Judge, StoredVerdict
from benchmarks.judges.rules import RuleCoverageJudge, RuleTargetQuestionJudge
from benchmarks.simulator.chat import metered
from benchmarks.simulator.transcript import heard_transcript
from benchmarks.simulator.trial_log import TrialLog

CONCURRENT_MAX = 8


@dataclass(frozen=True, slots=True)
class Judges:
    """One judge a phase.

    Parameters:
        gathering: Judges target questions.
        provision: Judges coverage.
    """

    gathering: Judge
    provision: Judge

    def of(self, phase: Phase) -> Judge:
        """Give the judge of a phase."""
        return self.gathering if phase is Phase.GATHERING else self.provision


def rule_judges() -> Judges:
    """Give the judges that need no model."""
    return Judges(RuleTargetQuestionJudge(), RuleCoverageJudge())


def judge_for(phase: Phase) -> Judge:
    """Give the rule-based judge of a phase."""
    return rule_judges().of(phase)


async def score_trial(trial: TrialLog, judges: Judges) -> StoredVerdict:
    """Judge one stored trial by what the patient heard."""
    judge = judges.of(trial.phase)
    with metered() as meter:
        verdict = await judge.judge(load_cell(trial.cell).reference, heard_transcript(trial.turns), seed=trial.seed)
    return StoredVerdict(
        trial_id=trial.trial_id,
        judge=judge.name,
        version=judge.version,
        signature=judge.signature,
        outcome=verdict.outcome,
        reason=verdict.reason,
        items=verdict.items,
        models=meter.asked(),
    )


async def score_trials(
    trials: Sequence[TrialLog], judges: Judges, *, concurrent: int = CONCURRENT_MAX
) -> list[StoredVerdict]:
    """Judge many trials, at most `concurrent` at once; the order is kept."""
    gate = asyncio.Semaphore(concurrent)

    async def one(trial: TrialLog) -> StoredVerdict:
        async with gate:
            return await score_trial(trial, judges)

    return list(await asyncio.gather(*(one(trial) for trial in trials)))
