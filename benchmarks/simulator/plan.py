"""Which trials a run consists of, in a fixed order; pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.cells import Arm, PromptVariant, load_cell
from benchmarks.simulator.trial import trial_seed


@dataclass(frozen=True, slots=True)
class PlannedTrial:
    """One trial to run, by names; small enough to send to another process.

    Parameters:
        cell: The cell's name, or the path of a cell file.
        arm: The arm.
        agent: The agent's name.
        system: The system's name.
        level: How real it is.
        prompt: The agent prompt.
        index: Its number within the arm.
        seed: Its seed.
    """

    cell: str
    arm: Arm
    agent: str
    system: str
    level: str
    prompt: PromptVariant
    index: int
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A matrix of trials.

    Parameters:
        cells: Cell names or files.
        arms: Arms; a cell without one of them leaves it out.
        agents: Agent names.
        systems: System names.
        level: How real they are.
        prompts: Agent prompts; None takes each arm's own.
        trials: Trials an arm; None takes the study's number.
        seed: The run's seed.
    """

    cells: Sequence[str]
    arms: Sequence[Arm]
    agents: Sequence[str]
    systems: Sequence[str]
    level: str
    prompts: Sequence[PromptVariant] | None
    trials: int | None
    seed: int

    def planned(self) -> list[PlannedTrial]:
        """List the trials; all systems and agents of one index stand together, so that a partial run is balanced."""
        listed: list[tuple[int, PlannedTrial]] = []
        for name in self.cells:
            cell = load_cell(name)
            for arm in (a for a in self.arms if a in cell.arms):
                count = self.trials or cell.arms[arm].trials
                for prompt in self.prompts or [cell.arms[arm].prompt]:
                    for index in range(count):
                        seed = trial_seed(self.seed, cell.id, index)
                        listed += [
                            (index, PlannedTrial(name, arm, agent, system, self.level, prompt, index, seed))
                            for agent in self.agents
                            for system in self.systems
                        ]
        return [trial for _, trial in sorted(listed, key=lambda pair: pair[0])]
