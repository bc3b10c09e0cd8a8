"""``python -m benchmarks compare``: two results, figure by figure; rates with the interval of their difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from benchmarks.cli.tables import group_label, number, wide_console
from benchmarks.errors import BadOption
from benchmarks.figures import Figure
from benchmarks.report.kept import kept_figures
from benchmarks.report.rates import cell_rates, figures_of
from benchmarks.results_file import read_results
from benchmarks.simulator.store import TrialStore
from benchmarks.stats import newcombe_difference

HITS_TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True)
class Compared:
    """One figure in both results.

    Parameters:
        first: In the first.
        second: In the second.
        change: Second minus first, written out; rates in percentage points with Newcombe's interval.
        moved: Whether the interval of the difference leaves out zero; None where no interval applies.
    """

    first: Figure
    second: Figure
    change: str
    moved: bool | None


def hits_of(figure: Figure) -> int | None:
    """Give the numerator of a rate; None when the figure is no rate of counts."""
    if figure.value is None or figure.low is None or figure.n < 1 or not 0 <= figure.value <= 1:
        return None
    hits = figure.value * figure.n
    return round(hits) if abs(hits - round(hits)) <= HITS_TOLERANCE * figure.n else None


def _apart(first: Figure, second: Figure) -> bool | None:
    if first.low is None or first.high is None or second.low is None or second.high is None:
        return None
    return first.high < second.low or second.high < first.low


def compare_figures(first: Figure, second: Figure) -> Compared:
    """Compare one figure of two results."""
    one, other = hits_of(first), hits_of(second)
    if one is not None and other is not None:
        d = newcombe_difference(one, first.n, other, second.n)
        moved = d.low_pp > 0 or d.high_pp < 0
        return Compared(first, second, f"{d.value_pp:+.1f} pp ({d.low_pp:+.1f} .. {d.high_pp:+.1f})", moved)
    if first.value is None or second.value is None:
        return Compared(first, second, "-", None)
    apart = _apart(first, second)
    return Compared(first, second, f"{second.value - first.value:+.4g}", apart)


def read_figures(path: Path) -> Sequence[Figure]:
    """Read the figures of a results file, or of a trial store that was judged."""
    if path.is_dir():
        store = TrialStore(path)
        trials = store.trials()
        return [*figures_of(cell_rates(trials, store.verdicts())), *kept_figures(trials)]
    return read_results(path).figures


def compare_command(
    first: Annotated[Path, typer.Argument(help="Results file or trial store.")],
    second: Annotated[Path, typer.Argument(help="Results file or trial store.")],
    only_moved: Annotated[bool, typer.Option("--moved", help="Show only figures that moved.")] = False,
) -> None:
    """Say what changed from the first results to the second."""
    before = {(f.name, group_label(f.group)): f for f in read_figures(first)}
    after = {(f.name, group_label(f.group)): f for f in read_figures(second)}
    shared = [key for key in before if key in after]
    if not shared:
        raise BadOption(f"{first} and {second} have no figure in common")
    table = Table(title=f"{first} -> {second}", title_justify="left")
    for heading in ("figure", "group"):
        table.add_column(heading, overflow="fold")
    for heading in ("first", "second", "change", "moved"):
        table.add_column(heading, justify="right", no_wrap=True)
    for key in shared:
        row = compare_figures(before[key], after[key])
        if only_moved and not row.moved:
            continue
        moved = {True: "yes", False: "no", None: ""}[row.moved]
        table.add_row(*key, number(row.first.value), number(row.second.value), row.change, moved)
    console = wide_console()
    console.print(table)
    for label, only in (
        ("only in the first", before.keys() - after.keys()),
        ("only in the second", after.keys() - before.keys()),
    ):
        if only:
            named = ", ".join(sorted({name for name, _ in only}))
            console.print(f"{label}: {len(only)} figures ({named})", markup=False)
