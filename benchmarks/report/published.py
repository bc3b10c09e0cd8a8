"""The published reference numbers, with their intervals made again from the printed counts."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from benchmarks.cells.load import read_model
from benchmarks.cells.models import Arm, Phase, PromptVariant
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


class PrintedDifference(BaseModel):
    """A difference of two arms that the paper prints without the counts of both.

    Parameters:
        cell: The cell.
        first: The arm it starts from.
        second: The arm it ends at.
        prompt: The agent prompt.
        pp: Second minus first, percentage points as printed, in the order of the agents.
        where: Table or figure that prints it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    cell: str
    first: Arm
    second: Arm
    prompt: PromptVariant
    pp: tuple[float, ...]
    where: str


class PrintedAgreement(BaseModel):
    """How far two raters of the study agreed.

    Parameters:
        phase: Whose pack.
        raters: Who.
        kappa: Cohen's kappa.
        low: Lower end of its 95 % bootstrap interval.
        high: Upper end.
        agreed: Dialogues of one label.
        n: Dialogues.
        where: Table that prints it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    phase: Phase
    raters: str
    kappa: float
    low: float
    high: float
    agreed: int
    n: int
    where: str


class Published(BaseModel):
    """All published rows.

    Parameters:
        source: The paper.
        agents: Its agents.
        rows: Its numbers.
        differences: Differences of arms that have no row.
        agreement: Kappas of its annotators and judges.
        realism: What it says of the realism of its interruptions.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: str
    agents: tuple[str, ...]
    rows: tuple[PublishedRow, ...]
    differences: tuple[PrintedDifference, ...] = ()
    agreement: tuple[PrintedAgreement, ...] = ()
    realism: str = ""

    def row(self, cell: str, arm: str, prompt: str) -> PublishedRow | None:
        """Give the counts of an arm; None where none are printed."""
        return next((r for r in self.rows if (r.cell, r.arm, r.prompt) == (cell, arm, prompt)), None)

    def rates(self, cell: str, arm: str, prompt: str) -> list[str] | None:
        """Give an arm's fail rates as the paper words them, an agent each."""
        row = self.row(cell, arm, prompt)
        return None if row is None else [f"{100 * fails / row.n:.1f} %" for fails in row.fails]

    def change(self, cell: str, first: tuple[str, str], second: tuple[str, str]) -> list[str] | None:
        """Give the change between two arms of a cell, an agent each, in percentage points; None where none is printed.

        Args:
            cell: The cell.
            first: Arm and prompt it starts from.
            second: Arm and prompt it ends at.
        """
        one, other = self.row(cell, *first), self.row(cell, *second)
        if one is not None and other is not None:
            pairs = zip(one.fails, other.fails, strict=True)
            return [f"{100 * (b / other.n - a / one.n):+.1f} pp" for a, b in pairs]
        for known in self.differences:
            if (known.cell, (known.first, known.prompt), (known.second, known.prompt)) == (cell, first, second):
                return [f"{pp:+g} pp" for pp in known.pp]
        return None


@cache
def load_published() -> Published:
    """Read the bundled numbers."""
    return read_model(Path(__file__).parent / "published.yaml", Published)
