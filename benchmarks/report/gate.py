"""Gates for continuous integration: a bound on an interval's end, checked against every figure it names.

A gate is written ``NAME[key=value,...].END OP BOUND``, such as ``fail_rate[system=ours].high<=0.02``.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks.errors import BadOption
from benchmarks.figures import Figure

_GATE = re.compile(
    r"^\s*(\w+)\s*(?:\[([^\]]*)\])?\s*\.\s*(value|low|high|n)\s*(<=|>=|<|>)\s*(-?(?:\d+\.?\d*|\.\d+))\s*$"
)
_OPERATORS: dict[str, Callable[[float, float], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}


@dataclass(frozen=True, slots=True)
class Gate:
    """One bound.

    Parameters:
        text: As it was written.
        name: The figure's name.
        where: Breakdown a figure must have to be meant.
        end: "value", "low", "high" or "n".
        operator: "<=", ">=", "<" or ">".
        bound: The bound.
    """

    text: str
    name: str
    where: dict[str, str]
    end: str
    operator: str
    bound: float

    def means(self, figure: Figure) -> bool:
        """Say whether this gate is about a figure."""
        return figure.name == self.name and all(str(figure.group.get(k)) == v for k, v in self.where.items())

    def holds(self, figure: Figure) -> bool:
        """Say whether a figure keeps the bound; a figure without that end does not."""
        value = getattr(figure, self.end)
        return value is not None and _OPERATORS[self.operator](float(value), self.bound)


def parse_gate(text: str) -> Gate:
    """Read a gate.

    Raises:
        BadOption: It is not written as a gate.
    """
    found = _GATE.match(text)
    if found is None:
        raise BadOption(f"gate {text!r}: expected NAME[key=value,...].high<=BOUND")
    name, where, end, sign, bound = found.groups()
    pairs = [part.partition("=") for part in (where or "").split(",") if part.strip()]
    if any(not equals for _, equals, _ in pairs):
        raise BadOption(f"gate {text!r}: expected key=value in [{where}]")
    return Gate(text.strip(), name, {k.strip(): v.strip() for k, _, v in pairs}, end, sign, float(bound))


def _told(figure: Figure, end: str) -> str:
    value = getattr(figure, end)
    where = ", ".join(f"{key}={value}" for key, value in figure.group.items()) or "overall"
    return f"{'not there' if value is None else format(value, '.4g')} (n={figure.n}) at {where}"


def failed_gates(gates: Sequence[Gate], figures: Sequence[Figure]) -> list[str]:
    """Name every gate that does not hold, one line a figure; a gate that means no figure fails as well."""
    lines: list[str] = []
    for gate in gates:
        meant = [figure for figure in figures if gate.means(figure)]
        if not meant:
            lines.append(f"{gate.text}: no such figure")
        broken = [figure for figure in meant if not gate.holds(figure)]
        lines += [f"{gate.text}: {gate.end} is {_told(figure, gate.end)}" for figure in broken]
    return lines
