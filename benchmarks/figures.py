"""The one form of a published figure: name, value, 95 % interval, n and group.

Owns the JSON object of ``python -m benchmarks eval KIND --json``; evaluation modules only fill it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from benchmarks.errors import BadOption
from benchmarks.stats.intervals import wilson

GroupValue = str | float | int | bool


class Figure(BaseModel):
    """One measured figure.

    Parameters:
        name: Stable name of the figure, units last.
        value: The measured value; None when nothing was eligible.
        low: Lower end of the 95 % interval; None where no interval applies.
        high: Upper end of the 95 % interval.
        n: Number of eligible trials behind `value`.
        group: {} for the overall figure, else the breakdown.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    name: str
    value: float | None
    low: float | None = None
    high: float | None = None
    n: int
    group: dict[str, GroupValue] = {}


def rate(name: str, hits: int, n: int, group: Mapping[str, GroupValue] | None = None) -> Figure:
    """Make a rate with its Wilson 95 % interval; n = 0 gives a figure without a value."""
    if n == 0:
        return Figure(name=name, value=None, n=0, group=dict(group or {}))
    interval = wilson(hits, n)
    return Figure(name=name, value=hits / n, low=interval.low, high=interval.high, n=n, group=dict(group or {}))


@dataclass(frozen=True, slots=True)
class EvalOptions:
    """What one evaluation run was asked for.

    Parameters:
        data: The data path, or None.
        seed: Seed of everything random in the run.
        extra: Further ``--name value`` options of the kind, such as {"matcher": "own-wording"}.
    """

    data: Path | None = None
    seed: int = 20260525
    extra: dict[str, Any] = field(default_factory=dict)

    def whole(self, name: str, default: int, least: int = 1) -> int:
        """Give a setting that is a whole number.

        Raises:
            BadOption: It is something else, or below `least`.
        """
        value = self.extra.get(name, default)
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise BadOption(f"--option {name}={value}: expected a whole number, {least} or more")
        return value

    def number(self, name: str, default: float, least: float = 0.0) -> float:
        """Give a setting that is a number.

        Raises:
            BadOption: It is something else, or below `least`.
        """
        value = self.extra.get(name, default)
        if not isinstance(value, (int, float)) or isinstance(value, bool) or not least <= value < float("inf"):
            raise BadOption(f"--option {name}={value}: expected a number, {least:g} or more")
        return float(value)
