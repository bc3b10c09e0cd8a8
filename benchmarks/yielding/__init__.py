"""The yield protocol of seed 002: does the agent yield when asked, and go on when not? English and pt-PT.

Owns scenarios, the frozen manifest and the scoring of two-channel recordings.
"""

from benchmarks.yielding.manifest import (
    Conditions,
    Manifest,
    Outcome,
    PlannedYieldTrial,
    YieldResult,
    check_frozen,
    freeze,
    read_manifest,
    redacted,
    write_manifest,
)
from benchmarks.yielding.models import IntendedAction, Scenario, ScenarioClass, ScenarioSet, languages, load_scenarios
from benchmarks.yielding.score import Recording, score_yield_trial
from benchmarks.yielding.summary import figures_of

__all__ = [
    "Conditions",
    "IntendedAction",
    "Manifest",
    "Outcome",
    "PlannedYieldTrial",
    "Recording",
    "Scenario",
    "ScenarioClass",
    "ScenarioSet",
    "YieldResult",
    "check_frozen",
    "figures_of",
    "freeze",
    "languages",
    "load_scenarios",
    "read_manifest",
    "redacted",
    "score_yield_trial",
    "write_manifest",
]
