"""``python -m benchmarks report``: one self-contained HTML page over trial stores, and gates for CI."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from benchmarks.annotation.folder import read_folder
from benchmarks.cli.gating import tell_broken
from benchmarks.cli.options import GateOption, PricesOption
from benchmarks.errors import BadOption
from benchmarks.files import output_file
from benchmarks.prices import costs_of, load_prices
from benchmarks.report.kept import kept_figures
from benchmarks.report.page import write_page
from benchmarks.report.rates import cell_rates, figures_of
from benchmarks.simulator.store import TrialStore


def report_command(
    stores: Annotated[list[Path], typer.Argument(help="Folders of trial stores, judged.")],
    out: Annotated[Path, typer.Option(callback=output_file, help="Where the page goes.")] = Path("out/report.html"),
    annotation: Annotated[
        Path | None, typer.Option(help="Folder of annotated packs: their agreement and realism go on the page.")
    ] = None,
    prices: PricesOption = None,
    gate: GateOption = None,
) -> None:
    """Write the report; --gate 'fail_rate[system=ours].high<=0.02' exits 1 when an interval passes its bound."""
    table = load_prices(prices)
    opened = [TrialStore(folder) for folder in stores]
    trials = [trial for store in opened for trial in store.trials()]
    verdicts = [verdict for store in opened for verdict in store.verdicts()]
    if not verdicts:
        raise BadOption(f"{stores[0]} was never judged; run: python -m benchmarks rescore {stores[0]}")
    costs = costs_of(trials, verdicts, table)
    write_page(out, opened, costs, read_folder(annotation, verdicts) if annotation is not None else ())
    console = Console()
    console.print(f"{len(trials)} trials -> {out}")
    if costs is not None:
        console.print(costs.told(), markup=False, soft_wrap=True)
    paid = costs.figures(trials) if costs is not None else []
    if tell_broken(gate, [*figures_of(cell_rates(trials, verdicts)), *kept_figures(trials), *paid]):
        raise typer.Exit(1)
