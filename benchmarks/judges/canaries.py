"""Canaries: trials whose verdict is known, scored beside every run to show that judge and scoring path still work."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.cells import Arm, PromptVariant, load_cell
from benchmarks.cells.load import read_yaml
from benchmarks.judges.protocol import Outcome, StoredVerdict
from benchmarks.judges.score import Judges, score_trial
from benchmarks.simulator.system import EndReason
from benchmarks.simulator.transcript import AgentTurn, PatientTurn, Turn
from benchmarks.simulator.trial_log import TrialLog


@dataclass(frozen=True, slots=True)
class Canary:
    """One known trial.

    Parameters:
        name: What it shows.
        trial: The trial.
        gold: The right verdict.
    """

    name: str
    trial: TrialLog
    gold: Outcome


def _turn(raw: dict[str, str]) -> Turn:
    if "patient" in raw:
        return PatientTurn(text=raw["patient"])
    intended = raw["agent"]
    heard = raw.get("heard", intended)
    if heard == intended:
        return AgentTurn(intended=intended, delivered=intended)
    return AgentTurn(intended=intended, delivered=heard, cut_chars=len(heard), cut_words=len(heard.split()))


def _canary(raw: dict[str, Any], number: int) -> Canary:
    cell = load_cell(raw["cell"])
    trial = TrialLog(
        trial_id=f"canary/{number}",
        cell=cell.id,
        arm=Arm.BASELINE,
        phase=cell.phase,
        overlap=None,
        system="canary",
        level="transcript",
        agent="canary",
        prompt=PromptVariant.STANDARD,
        prompt_hash="",
        index=number,
        seed=number,
        turns=tuple(_turn(turn) for turn in raw["turns"]),
        interruptions=0,
        interrupted_on=(),
        end=EndReason.AGENT_CLOSED,
    )
    return Canary(raw["name"], trial, Outcome(raw["gold"]))


@cache
def load_canaries() -> tuple[Canary, ...]:
    """Read the bundled canaries."""
    raw = read_yaml(Path(__file__).parent / "canaries.yaml")
    return tuple(_canary(entry, number) for number, entry in enumerate(raw))


Scorer = Callable[[TrialLog, Judges], Awaitable[StoredVerdict]]


async def failed_canaries(judges: Judges, score: Scorer = score_trial, *, decided_only: bool = False) -> list[str]:
    """Score every canary and name those with another verdict than the known one.

    Args:
        judges: The judges to try.
        score: The scoring path to try.
        decided_only: Leave out canaries whose known verdict is unscored: a model judge may decide those.
    """
    failed: list[str] = []
    for canary in load_canaries():
        if decided_only and canary.gold is Outcome.UNSCORED:
            continue
        if (await score(canary.trial, judges)).outcome is not canary.gold:
            failed.append(canary.name)
    return failed
