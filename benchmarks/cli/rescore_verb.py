"""``python -m benchmarks rescore``: judge stored trials again; no agent and no simulator runs."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.cli.options import GateOption, PlantedOption, PricesOption, ReportOption, ResultsOption
from benchmarks.cli.scoring import finish_store, print_outcome
from benchmarks.cli.tables import wide_console
from benchmarks.prices import load_prices
from benchmarks.simulator.build import Models
from benchmarks.simulator.local_models import with_endpoint
from benchmarks.simulator.store import TrialStore


def rescore_command(
    store: Annotated[Path, typer.Argument(help="Folder of the trial store.")],
    judge_model: Annotated[str | None, typer.Option(help="Model of both judges; default: rules, no model.")] = None,
    base_url: Annotated[str | None, typer.Option(help="Endpoint of the judge, or local:WEIGHTS.")] = None,
    key_env: Annotated[str, typer.Option(help="Environment variable that holds its key.")] = "OPENAI_API_KEY",
    planted_bugs: PlantedOption = False,
    report: ReportOption = None,
    results: ResultsOption = None,
    prices: PricesOption = None,
    gate: GateOption = None,
) -> None:
    """Replace the verdicts of a store and print its rates."""
    started, table = time.monotonic(), load_prices(prices)
    trials = TrialStore(store)
    with with_endpoint(Models(base_url=base_url, key_env=key_env, judge=judge_model)) as models:
        summary = asyncio.run(finish_store(trials, models, planted_bugs=planted_bugs, prices=table))
    print_outcome(wide_console(), trials, None, summary, time.monotonic() - started)
    command = f"python -m benchmarks rescore {store}"
    if summary.write_and_gate(trials, report=report, results=results, gates=gate or [], command=command):
        raise typer.Exit(1)
