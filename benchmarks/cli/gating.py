"""Broken gates on standard error, the same way for every verb that has `--gate`."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from benchmarks.figures import Figure
from benchmarks.report.gate import failed_gates, parse_gate


def tell_broken(gates: Sequence[str] | None, figures: Sequence[Figure], others: Sequence[str] = ()) -> bool:
    """Print every gate that does not hold, one line a figure, and say whether there was one.

    Args:
        gates: As they were written.
        figures: What they are about.
        others: Lines of what else counts as a broken gate.
    """
    broken = [*failed_gates([parse_gate(text) for text in gates or ()], figures), *others]
    for line in broken:
        Console(stderr=True).print(f"gate broken: {line}", markup=False, soft_wrap=True)
    return bool(broken)
