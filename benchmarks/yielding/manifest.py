"""The frozen trial manifest of the yield protocol: what will be run, in which order, and what came of it.

Owns every field that seed 002, sections 3, 4 and 6, asks for. A frozen manifest has a digest; a field of the plan that
changes afterwards breaks it. The redacted form leaves out what must not be released.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from benchmarks.errors import CallerError
from benchmarks.files import read_json, write_text
from benchmarks.simulator.seeds import derive_seed, stream
from benchmarks.yielding.models import PAUSES_S, IntendedAction, ScenarioClass, load_scenarios

PROTOCOL_VERSION = "0.1"
RUNS_PER_SCENARIO = 5


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Outcome(StrEnum):
    """What came of a trial; SETUP_FAILURE and NEEDS_REVIEW are kept and counted, never dropped."""

    YIELDED = "yielded"
    NOT_YIELDED = "not_yielded"
    RESUMED_OUTPUT = "resumed_output"
    CONTINUED = "continued"
    FALSE_YIELD = "false_yield"
    WAITED = "waited"
    PREMATURE_TAKEOVER = "premature_takeover"
    SETUP_FAILURE = "setup_failure"
    NEEDS_REVIEW = "needs_review"


class Conditions(_Frozen):
    """What section 4 asks to be recorded of a system under test.

    Parameters:
        system: "stock", "ours", or a name.
        system_version: Exact versions, such as "pipecat-ai 1.14.0".
        model: Models and versions behind it.
        prompt_hash: SHA-256 of the agent's prompt or script.
        configuration_hash: SHA-256 of its settings.
        vad: VAD and its settings.
        playback_buffer_ms: Playback buffer at the listener.
        codec: Codec of the audio path.
        device: Device, or "headless".
        operating_system: Operating system.
        transport: Transport; results of different transports are different conditions.
        region: Region of remote parts, or "none".
        test_date: When it was run; None before.
        sample_rate_hz: Sample rate of the recording.
        channel_layout: Which channel is whom.
        clock_sync: How the channels share a clock.
        measured_at: Where listener output was taken.
        noise: Added noise: source, signal-to-noise ratio and mixing, or "none".
        network: Network effects, measured or "unknown".
    """

    system: str
    system_version: str
    model: str
    prompt_hash: str
    configuration_hash: str
    vad: str
    playback_buffer_ms: float
    codec: str
    device: str
    operating_system: str
    transport: str
    region: str
    test_date: date | None = None
    sample_rate_hz: int
    channel_layout: str
    clock_sync: str
    measured_at: str
    noise: str
    network: str


class PlannedYieldTrial(_Frozen):
    """The frozen part of one trial.

    Parameters:
        trial_id: Unique in the manifest.
        order: Its place in the randomised order of its system, from 0.
        system: The system under test.
        language: Language variety.
        scenario: Scenario id.
        kind: Scenario class.
        run: Which of the repeated runs, from 0.
        speaker: Pseudonym of the voice.
        intended_action: What the agent should do, from the full context.
        seed: The trial's seed.
        planned_onset_s: Seconds after playback onset (after its end in a hesitation).
        planned_pause_s: Hesitation length; None without one.
    """

    trial_id: str
    order: int
    system: str
    language: str
    scenario: str
    kind: ScenarioClass
    run: int
    speaker: str
    intended_action: IntendedAction
    seed: int
    planned_onset_s: float
    planned_pause_s: float | None = None


class YieldResult(_Frozen):
    """What came of one trial; times are seconds from the start of its recording.

    Parameters:
        trial_id: The trial.
        outcome: What came of it.
        failure_reason: Why it failed or could not be scored; "" otherwise.
        playback_onset_s: First audible sample of the agent's utterance.
        onset_s: First audible sample of the user.
        onset_deviation_s: Measured minus planned onset.
        agent_end_s: End of the interrupted utterance at listener output.
        yield_latency_s: Onset to that end, for a successful yield alone.
        censored_at_s: Where the latency was censored, for a requested yield that failed.
        audible_pause_s: Longest gap of 300 ms or more inside an utterance that continued; None without one.
        detected_at_s: When the model or VAD reported the user, where known; never used for a latency.
        recovery_correct: Whether the next response used the corrected detail; None where not asked or not decidable.
        brief_backchannels: Agent sounds too short to be a takeover, annotated separately.
        recording_hash: SHA-256 of the two-channel recording.
    """

    trial_id: str
    outcome: Outcome
    failure_reason: str = ""
    playback_onset_s: float | None = None
    onset_s: float | None = None
    onset_deviation_s: float | None = None
    agent_end_s: float | None = None
    yield_latency_s: float | None = Field(default=None, ge=0)
    censored_at_s: float | None = Field(default=None, ge=0)
    audible_pause_s: float | None = None
    detected_at_s: float | None = None
    recovery_correct: bool | None = None
    brief_backchannels: int = 0
    recording_hash: str = ""


class Manifest(_Frozen):
    """A frozen plan, its conditions, and the results as they come.

    Parameters:
        protocol_version: Version of the protocol.
        seed: Seed of order, pauses and trials.
        conditions: One entry a system.
        plan: The frozen trials.
        plan_digest: SHA-256 over seed and plan.
        results: What came of them; empty before the run.
        deviations: Deviations from the protocol, in words.
    """

    protocol_version: str = PROTOCOL_VERSION
    seed: int
    conditions: tuple[Conditions, ...]
    plan: tuple[PlannedYieldTrial, ...]
    plan_digest: str
    results: tuple[YieldResult, ...] = ()
    deviations: tuple[str, ...] = ()


def _digest(seed: int, plan: Sequence[PlannedYieldTrial]) -> str:
    content = json.dumps([seed, [trial.model_dump(mode="json") for trial in plan]], sort_keys=True)
    return f"sha256:{hashlib.sha256(content.encode()).hexdigest()}"


def freeze(
    languages: Sequence[str], conditions: Sequence[Conditions], seed: int, runs: int = RUNS_PER_SCENARIO
) -> Manifest:
    """Plan every trial and freeze the plan: twelve scenarios a language, `runs` runs each, in random order a system.

    Hesitation lengths go round the planned three, so that each is met; all systems get the same trials in one order.
    """
    plan: list[PlannedYieldTrial] = []
    for condition in conditions:
        drafts = [
            (language, scenario, run)
            for language in languages
            for scenario in load_scenarios(language).scenarios
            for run in range(runs)
        ]
        stream(seed, "order").shuffle(drafts)
        for order, (language, scenario, run) in enumerate(drafts):
            number = [s.id for s in load_scenarios(language).scenarios].index(scenario.id)
            hesitates = scenario.kind is ScenarioClass.HESITATION
            plan.append(
                PlannedYieldTrial(
                    trial_id=f"{condition.system}/{scenario.id}/{run}",
                    order=order,
                    system=condition.system,
                    language=language,
                    scenario=scenario.id,
                    kind=scenario.kind,
                    run=run,
                    speaker=f"synthetic-{scenario.speaker}",
                    intended_action=scenario.intended_action,
                    seed=derive_seed(seed, scenario.id, run),
                    planned_onset_s=scenario.onset_s,
                    planned_pause_s=PAUSES_S[(number + run) % len(PAUSES_S)] if hesitates else None,
                )
            )
    return Manifest(seed=seed, conditions=tuple(conditions), plan=tuple(plan), plan_digest=_digest(seed, plan))


def check_frozen(manifest: Manifest) -> None:
    """Check that the plan is the one that was frozen and that each result belongs to one of its trials.

    Raises:
        CallerError: It is not.
    """
    if _digest(manifest.seed, manifest.plan) != manifest.plan_digest:
        raise CallerError("the manifest's plan was changed after it was frozen")
    planned = {trial.trial_id for trial in manifest.plan}
    results = [result.trial_id for result in manifest.results]
    if len(set(results)) != len(results) or not set(results) <= planned:
        raise CallerError("the manifest has a result twice, or one that was not planned")


def write_manifest(path: Path, manifest: Manifest) -> None:
    """Write a manifest."""
    write_text(path, manifest.model_dump_json(indent=1) + "\n")


def read_manifest(path: Path) -> Manifest:
    """Read a manifest and check that its plan is the frozen one.

    Raises:
        MissingData: It is not there.
        UnreadableRow: It is no manifest.
        CallerError: It was changed.
    """
    manifest = read_json(path, Manifest, "a manifest of the yield protocol")
    check_frozen(manifest)
    return manifest


def redacted(manifest: Manifest) -> dict[str, Any]:
    """Give the release form: no recording hashes, devices, regions or prompts' hashes; voices by pseudonym only."""
    whole = manifest.model_dump(mode="json")
    for condition in whole["conditions"]:
        for name in ("prompt_hash", "configuration_hash", "device", "region", "operating_system"):
            condition[name] = "redacted"
    for result in whole["results"]:
        result["recording_hash"] = "redacted"
    return whole
