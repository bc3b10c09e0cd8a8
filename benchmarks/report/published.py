"""The published reference numbers, with their intervals made again from the printed counts."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from benchmarks.cells.load import read_model
from benchmarks.cells.models import Arm, PromptVariant
from benchmarks.stats import Interval, wilson


class PublishedRow(BaseModel):
    """One arm of one cell, all agents of the study.

    Parameters:
        cell: The cell.
        arm: The arm.
        prompt: The agent prompt.
        n: Trials an agent.
        fails: Fails, in the order of the agents.
        where: Table or section that prints it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    cell: str
    arm: Arm
    prompt: PromptVariant
    n: int
    fails: tuple[int, ...]
    where: str

    def intervals(self) -> list[Interval]:
        """Give the Wilson 95 % interval of every agent."""
        return [wilson(fails, self.n) for fails in self.fails]


class Published(BaseModel):
    """All published rows.

    Parameters:
        source: The paper.
        agents: Its agents.
        rows: Its numbers.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: str
    agents: tuple[str, ...]
    rows: tuple[PublishedRow, ...]


@cache
def load_published() -> Published:
    """Read the bundled numbers."""
    return read_model(Path(__file__).parent / "published.yaml", Published)
