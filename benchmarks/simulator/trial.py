"""Runs one trial: one cell, one arm, one agent, one system, one seed."""

from __future__ import annotations

import hashlib
from typing import Any

from benchmarks.cells import Arm, Cell, agent_prompt, prompt_name
from benchmarks.errors import UnknownName
from benchmarks.simulator.chat import ChatModel, Meter, Usage, metered
from benchmarks.simulator.patient import SimulatedPatient
from benchmarks.simulator.seeds import derive_seed
from benchmarks.simulator.stages import Stages, scripted_stages
from benchmarks.simulator.system import Call, CallBounds, CallRecord, Claims, System
from benchmarks.simulator.transcript import AgentTurn
from benchmarks.simulator.trial_log import StoredClaims, TrialLog


def trial_seed(seed: int, cell: str, index: int) -> int:
    """Give a trial's seed; it leaves out arm, system, agent and prompt, so that their trials pair."""
    return derive_seed(seed, cell, index)


def trial_id(cell: str, arm: Arm, agent: str, conductor: tuple[str, str], prompt: str, index: int, seed: int) -> str:
    """Give a trial's id; `conductor` is the level and the system's name."""
    return "/".join([*conductor, cell, arm.value, str(prompt), agent, f"{seed:016x}", str(index)])


async def run_trial(
    cell: Cell,
    arm: Arm,
    agent: ChatModel,
    system: System,
    seed: int,
    *,
    index: int = 0,
    prompt: str | None = None,
    stages: Stages | None = None,
    bounds: CallBounds | None = None,
) -> TrialLog:
    """Run one trial.

    Args:
        cell: The cell.
        arm: One of the cell's arms.
        agent: The agent under test.
        system: What conducts the call.
        seed: The trial's seed (`trial_seed`).
        index: Number of the trial within its arm.
        prompt: The agent prompt, a variant or a file; the arm's own by default.
        stages: The simulator's stages; rules by default.
        bounds: Where the call is ended by force.

    Raises:
        UnknownName: The cell has no such arm.
        EnvironmentFault: A model could not be reached.
    """
    if arm not in cell.arms:
        raise UnknownName(f"arm of cell {cell.id}", arm, cell.arms)
    chosen = prompt or cell.arms[arm].prompt
    text, variant = agent_prompt(chosen), prompt_name(chosen)
    patient = SimulatedPatient(cell, arm, stages or scripted_stages(), seed)
    call = Call(agent, text, patient, bounds or CallBounds(), seed)
    with metered() as meter:
        record = await system.converse(call)
    return TrialLog(
        trial_id=trial_id(cell.id, arm, agent.name, (system.level, system.name), variant, index, seed),
        cell=cell.id,
        arm=arm,
        phase=cell.phase,
        overlap=cell.overlap if arm.interrupts else None,
        system=system.name,
        level=system.level,
        agent=agent.name,
        prompt=variant,
        prompt_hash=hashlib.sha256(text.encode()).hexdigest(),
        index=index,
        seed=seed,
        turns=record.turns,
        interruptions=patient.interruptions,
        interrupted_on=_interrupted_on(record),
        end=record.end,
        claims=_stored(record.claims),
        **_cost(record.usage, patient.usage, meter),
        duration_s=record.duration_s,
        notes=record.notes,
    )


def _cost(agent: Usage, simulator: Usage, meter: Meter) -> dict[str, Any]:
    both = agent + simulator
    return {
        "agent_calls": agent.calls,
        "prompt_tokens": both.prompt_tokens,
        "completion_tokens": both.completion_tokens,
        "models": meter.asked(),
    }


def _interrupted_on(record: CallRecord) -> tuple[int, ...]:
    return tuple(i for i, t in enumerate(record.turns) if isinstance(t, AgentTurn) and t.planned_cut_chars is not None)


def _stored(claims: Claims) -> StoredClaims:
    return StoredClaims(closed=claims.closed, open=claims.open, handed_off=claims.handed_off)
