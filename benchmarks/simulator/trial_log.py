"""The record of one trial: everything of seed 000 section 3.3, and what is needed to score it again without a model.

Owns the stored form. Verdicts are stored beside it, never in it.
"""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from benchmarks.cells.models import PROMPT_NAME, Arm, OverlapKind, Phase
from benchmarks.simulator.chat import Asked
from benchmarks.simulator.system import EndReason
from benchmarks.simulator.transcript import AgentTurn, PatientTurn

Count = Annotated[int, Field(ge=0)]
PIPELINE_ERRORS = "pipeline errors:"  # Note of a trial in which the bot under test reported errors of its own.
StoredTurn = Annotated[AgentTurn | PatientTurn, Field(union_mode="left_to_right")]


class StoredClaims(BaseModel):
    """What the system said of its obligations; see `system.Claims`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    closed: tuple[str, ...] | None = None
    open: tuple[str, ...] | None = None
    handed_off: tuple[str, ...] | None = None


class TrialLog(BaseModel):
    """One trial.

    Parameters:
        trial_id: Made of the fields below up to `index`; the same trial has the same id in every run.
        cell: The cell.
        arm: The arm.
        phase: The cell's phase.
        overlap: The interruption type; None in the baseline.
        system: What conducted the call.
        level: How real it was.
        agent: The agent's identity.
        prompt: The agent prompt: a variant, or the name of a file of one's own.
        prompt_hash: SHA-256 of the agent prompt's text.
        index: Number of the trial within its arm, from 0.
        seed: The trial's seed; equal across arms, systems, agents and prompts, so that trials pair.
        turns: Every turn, agent turns with intended, delivered and cut.
        interruptions: Interruptions that happened.
        interrupted_on: Index in `turns` of each interrupted agent turn.
        end: How the call ended.
        claims: What the system said of its obligations.
        agent_calls: Completions the agent needed.
        prompt_tokens: Tokens read by agent and simulator models.
        completion_tokens: Tokens written by them.
        models: What each model behind an endpoint was asked for, agent and simulator; none when all are scripted.
        duration_s: Seconds on the system's clock; None for a transcript.
        notes: Faults and remarks, no transcript text.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    trial_id: str
    cell: str
    arm: Arm
    phase: Phase
    overlap: OverlapKind | None
    system: str
    level: str
    agent: str
    prompt: Annotated[str, Field(pattern=PROMPT_NAME)]
    prompt_hash: str
    index: Count
    seed: int
    turns: tuple[StoredTurn, ...]
    interruptions: Count
    interrupted_on: tuple[Count, ...]
    end: EndReason
    claims: StoredClaims = StoredClaims()
    agent_calls: Count = 0
    prompt_tokens: Count = 0
    completion_tokens: Count = 0
    models: tuple[Asked, ...] = ()
    duration_s: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    notes: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _cuts_are_turns(self) -> Self:
        if any(place >= len(self.turns) for place in self.interrupted_on):
            raise ValueError(f"interrupted_on names a turn past the last of {len(self.turns)}")
        return self

    @property
    def eligible(self) -> bool:
        """Whether the trial enters its arm's rate: every baseline, and every trial in which the interruption happened.

        In the gathering cells this is the study's yield filter: the agent attempted the target and was cut on it. A
        trial in which nothing was cut is counted apart as without opportunity, in every cell (field case D20).
        """
        return not self.arm.interrupts or self.interruptions > 0
