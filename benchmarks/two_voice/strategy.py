"""The strategy file: kinds of third-party speech, what each asks of the agent, and cases in the speakers' own words.

Owns its form. A wrong file is refused with file, place and reason; nothing is filled in silently.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from benchmarks.cells.load import read_model
from benchmarks.errors import UnknownName

HERE = Path(__file__).parent / "strategies"
Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,59}$")]
Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=2, max_length=300)]


class Timing(StrEnum):
    """When the other voice comes in: before the first one has finished its sentence, or at its end."""

    WITHIN_SENTENCE = "within_sentence"
    AFTER_COMPLETION = "after_completion"


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Kind(_Frozen):
    """What one kind of third-party speech asks of the agent.

    Parameters:
        actionable: True when its words should reach the model, attributed.
        response: What the agent should do then, one sentence; judges are told it.
    """

    actionable: bool
    response: Line


class Case(_Frozen):
    """One exchange.

    Parameters:
        kind: Name of one of the strategy's kinds.
        timing: When the third party comes in.
        primary: The patient's words; broken off with "..." where the timing is within the sentence.
        third_party: The other person's words.
    """

    kind: Name
    timing: Timing
    primary: Line
    third_party: Line

    @model_validator(mode="after")
    def _broken_off(self) -> Self:
        if (self.timing is Timing.WITHIN_SENTENCE) != self.primary.endswith("..."):
            raise ValueError("primary ends with '...' exactly where timing is within_sentence")
        return self


class Scenario(_Frozen):
    """One situation.

    Parameters:
        id: Its name, part of every file name.
        category: The family it belongs to; a folder name.
        hard_negative: The patient alone, in words that sound as if somebody else had come in.
        cases: Exchanges, at least one.
    """

    id: Name
    category: Name
    hard_negative: Line
    cases: tuple[Case, ...] = Field(min_length=1, max_length=50)


class Strategy(_Frozen):
    """A strategy file.

    Parameters:
        version: Of the form; 1.
        name: Its own name.
        language: BCP 47 tag of all lines.
        kinds: By name.
        scenarios: In order; ids are unique and every case names a known kind.
    """

    version: Literal[1]
    name: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$")]
    language: Annotated[str, StringConstraints(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$")]
    kinds: dict[Name, Kind] = Field(min_length=1)
    scenarios: tuple[Scenario, ...] = Field(min_length=1, max_length=500)

    @model_validator(mode="after")
    def _hangs_together(self) -> Self:
        ids = [scenario.id for scenario in self.scenarios]
        doubled = sorted({name for name in ids if ids.count(name) > 1})
        if doubled:
            raise ValueError(f"scenario {doubled[0]!r} stands twice")
        for scenario in self.scenarios:
            for number, case in enumerate(scenario.cases, start=1):
                if case.kind not in self.kinds:
                    known = ", ".join(sorted(self.kinds))
                    raise ValueError(f"case {number} of {scenario.id!r} names kind {case.kind!r}; kinds: {known}")
        return self

    def cases(self) -> list[tuple[str, Scenario, Case]]:
        """Every case with its id, such as "endorsement-1"."""
        return [(f"{one.id}-{n}", one, case) for one in self.scenarios for n, case in enumerate(one.cases, start=1)]


def shipped_strategies() -> dict[str, Path]:
    """The strategies that come with the benchmarks, by name."""
    return {path.stem: path for path in sorted(HERE.glob("*.yaml"))}


def load_strategy(source: str | Path) -> Strategy:
    """Read a strategy by shipped name or by file.

    Raises:
        CallerError: The file cannot be read or is wrong; names file and place.
        UnknownName: Neither a file nor a shipped name.
    """
    path = Path(source)
    if not path.is_file():
        shipped = shipped_strategies()
        if str(source) not in shipped:
            raise UnknownName("strategy", str(source), shipped)
        path = shipped[str(source)]
    return read_model(path, Strategy)
