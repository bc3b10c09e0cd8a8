"""Which trials a run consists of, in a fixed order; pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.cells import Arm, Cell, is_bundled, load_cell, prompt_name
from benchmarks.errors import BadOption
from benchmarks.simulator.trial import trial_seed

TRIALS_MAX = 500_000
"""Most trials of one run; its list is held in memory."""


@dataclass(frozen=True, slots=True)
class PlannedTrial:
    """One trial to run, by names; small enough to send to another process.

    Parameters:
        cell: The cell's name, or the path of a cell file.
        arm: The arm.
        agent: The agent's name.
        system: The system's name.
        level: How real it is.
        prompt: The agent prompt: a variant, or the path of a file with one.
        index: Its number within the arm.
        seed: Its seed.
    """

    cell: str
    arm: Arm
    agent: str
    system: str
    level: str
    prompt: str
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
    prompts: Sequence[str] | None
    trials: int | None
    seed: int

    def own_cells(self) -> list[Cell]:
        """Give the cells of one's own that are in the plan."""
        return [cell for cell in map(load_cell, self.cells) if not is_bundled(cell)]

    def planned(self) -> list[PlannedTrial]:
        """List the trials; all systems and agents of one index stand together, so that a partial run is balanced.

        What is named twice is run once.

        Raises:
            BadOption: None of the cells has any of the arms, or more than `TRIALS_MAX` trials are asked for.
        """
        self._check_size()
        listed: list[tuple[int, PlannedTrial]] = []
        cells = {load_cell(name).id: name for name in reversed(self.cells)}
        prompts = None if self.prompts is None else list({prompt_name(p): p for p in self.prompts}.values())
        for name in reversed(cells.values()):
            cell = load_cell(name)
            for arm in (a for a in dict.fromkeys(self.arms) if a in cell.arms):
                count = self.trials or cell.arms[arm].trials
                for prompt in prompts or [cell.arms[arm].prompt]:
                    for index in range(count):
                        seed = trial_seed(self.seed, cell.id, index)
                        listed += [
                            (index, PlannedTrial(name, arm, agent, system, self.level, prompt, index, seed))
                            for agent in dict.fromkeys(self.agents)
                            for system in dict.fromkeys(self.systems)
                        ]
        if not listed:
            asked = ", ".join(dict.fromkeys(self.arms))
            have = "; ".join(f"{load_cell(name).id} has {', '.join(load_cell(name).arms)}" for name in self.cells)
            raise BadOption(f"no cell named has an arm called {asked}: {have}")
        return [trial for _, trial in sorted(listed, key=lambda pair: pair[0])]

    def _check_size(self) -> None:
        """Refuse what would fill the memory before the first trial runs."""
        arms = sum(arm in load_cell(name).arms for name in set(self.cells) for arm in set(self.arms))
        rows = arms * len(set(self.agents)) * len(set(self.systems)) * len(set(self.prompts or [""]))
        total = rows * (self.trials or 1)
        if total > TRIALS_MAX:
            raise BadOption(
                f"--trials {self.trials}: {total} trials in all, and a run has at most {TRIALS_MAX};"
                f" ask for {TRIALS_MAX // rows} or less, or for fewer cells, arms, agents and systems"
            )
