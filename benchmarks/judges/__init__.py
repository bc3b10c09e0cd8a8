"""Judges of the patient-side transcript, the checks on what a system claims, and the bugs they must catch.

Owns the verdict: fail, pass or unscored. A judge sees what the patient heard and nothing else.
"""

from benchmarks.judges.protocol import Judge, Outcome, StoredVerdict, Verdict
from benchmarks.judges.rules import RuleCoverageJudge, RuleTargetQuestionJudge
from benchmarks.judges.score import judge_for, score_trial, score_trials

__all__ = [
    "Judge",
    "Outcome",
    "RuleCoverageJudge",
    "RuleTargetQuestionJudge",
    "StoredVerdict",
    "Verdict",
    "judge_for",
    "score_trial",
    "score_trials",
]
