"""``python -m benchmarks report``: one self-contained HTML page over trial stores, and gates for CI."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from benchmarks.errors import BadOption
from benchmarks.report.gate import failed_gates, parse_gate
from benchmarks.report.kept import kept_figures
from benchmarks.report.page import write_page
from benchmarks.report.rates import cell_rates, figures_of
from benchmarks.simulator.store import TrialStore


def report_command(
    stores: Annotated[list[Path], typer.Argument(help="Folders of trial stores, judged.")],
    out: Annotated[Path, typer.Option(help="Where the page goes.")] = Path("out/report.html"),
    gate: Annotated[list[str] | None, typer.Option(help="Bound that must hold, else exit 1; repeatable.")] = None,
) -> None:
    """Write the report; --gate 'fail_rate[system=ours].high<=0.02' exits 1 when an interval passes its bound."""
    gates = [parse_gate(text) for text in gate or []]
    opened = [TrialStore(folder) for folder in stores]
    trials = [trial for store in opened for trial in store.trials()]
    verdicts = [verdict for store in opened for verdict in store.verdicts()]
    if not verdicts:
        raise BadOption(f"{stores[0]} was never judged; run: python -m benchmarks rescore {stores[0]}")
    write_page(out, opened)
    console = Console()
    console.print(f"{len(trials)} trials -> {out}")
    broken = failed_gates(gates, [*figures_of(cell_rates(trials, verdicts)), *kept_figures(trials)])
    for line in broken:
        Console(stderr=True).print(f"gate broken: {line}", markup=False, soft_wrap=True)
    if broken:
        raise typer.Exit(1)
