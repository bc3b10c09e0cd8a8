"""One simulated patient for one trial: decides whether, where and with what to interrupt.

Owns the trial's draws and its count of interruptions. A system asks it twice an utterance: before playing (`plan_cut`)
and when it is the patient's turn (`reply`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from benchmarks.cells import Arm, Cell
from benchmarks.simulator.chat import Usage
from benchmarks.simulator.placement import Cut
from benchmarks.simulator.seeds import derive_seed
from benchmarks.simulator.stages import Stages
from benchmarks.simulator.transcript import HeardTurn, PatientTurn

_GOODBYE = re.compile(r"\b(good ?bye|bye)\b", flags=re.IGNORECASE)


class Patient(Protocol):
    """What a system may ask of the patient."""

    async def plan_cut(self, intended: str) -> Cut | None:
        """Say where the patient will start to speak in this utterance; None lets it play out."""
        ...

    async def reply(self, heard: Sequence[HeardTurn]) -> PatientTurn:
        """Speak: the interrupting turn when a cut is pending, else a cooperative turn."""
        ...


class SimulatedPatient:
    """The three-stage patient of seed 000.

    Args:
        cell: The cell it plays.
        arm: The arm; in the baseline it never interrupts.
        stages: The three stages, rules or models.
        seed: The trial's seed; every stage draws from its own named stream.

    Promises: at most ``cell.interruptions_max`` interruptions; the same seed and the same utterances give the same
    turns.
    """

    def __init__(self, cell: Cell, arm: Arm, stages: Stages, seed: int) -> None:
        self._cell = cell
        self._plan = cell.arms[arm].turn
        self._stages = stages
        self._seed = seed
        self._utterances = 0
        self._replies = 0
        self._pending: Cut | None = None
        self.interruptions = 0
        self.usage = Usage()

    async def plan_cut(self, intended: str) -> Cut | None:
        """Run stages one and two on one agent utterance."""
        self._pending = None
        self._utterances += 1
        if self._plan is None or self.interruptions >= self._cell.interruptions_max:
            return None
        fires, usage = await self._stages.fire.fires(self._cell, intended, self._stage_seed("fire"))
        self.usage = self.usage + usage
        if not fires:
            return None
        cut, usage = await self._stages.placement.place(self._cell, intended, self._stage_seed("placement"))
        self.usage = self.usage + usage
        self._pending = cut
        return cut

    async def reply(self, heard: Sequence[HeardTurn]) -> PatientTurn:
        """Run stage three, or speak a normal turn."""
        self._replies += 1
        seed = derive_seed(self._seed, "turn", self._replies)
        if self._pending is not None and self._plan is not None:
            self._pending = None
            self.interruptions += 1
            text, usage = await self._stages.turn.interrupt(self._cell, self._plan, heard, seed)
            self.usage = self.usage + usage
            return PatientTurn(text=text, interrupts=True, source=self._plan.mode.value)
        text, usage = await self._stages.turn.normal(self._cell, heard, seed)
        self.usage = self.usage + usage
        return PatientTurn(text=text, hangs_up=bool(_GOODBYE.search(text)))

    def _stage_seed(self, stage: str) -> int:
        return derive_seed(self._seed, stage, self._utterances)
