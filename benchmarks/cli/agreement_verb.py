"""``python -m benchmarks agreement``: the same trials at several levels, outcome against outcome."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.cli.options import ResultsOption
from benchmarks.cli.tables import print_figures, wide_console
from benchmarks.errors import BadOption
from benchmarks.report.levels import JudgedLevel, compare_levels, judged_level
from benchmarks.results_file import make_results, write_results
from benchmarks.simulator.store import TrialStore
from benchmarks.stats.agreement import SEED


def agreement_command(
    stores: Annotated[list[str], typer.Argument(help="Judged trial stores, each NAME=FOLDER; two or more.")],
    results: ResultsOption = None,
) -> None:
    """Say how far levels agree, trial by trial: rate, kappa, and every disagreement; exit 1 when there is one."""
    started = time.monotonic()
    levels = [_level(spec) for spec in stores]
    if len(levels) < 2:
        raise BadOption("name two stores or more, such as text=out/text audio=out/audio")
    pairs = compare_levels(levels)
    if not any(pair.agreement for pair in pairs):
        raise BadOption(
            "the stores have no decided trial in common: run the same cells, arms, agents, systems and seed"
        )
    figures = [figure for pair in pairs for figure in pair.figures()]
    console = wide_console()
    print_figures(console, "Agreement of levels", figures)
    overall = [pair for pair in pairs if not pair.group]
    for pair in overall:
        for trial, one, other in pair.disagreements:
            console.print(f"{trial}: {one} at {pair.first}, {other} at {pair.second}")
    if results is not None:
        made = make_results(
            kind="agreement",
            command=" ".join(["python -m benchmarks", *sys.argv[1:]]),
            figures=figures,
            seed=SEED,
            duration_s=time.monotonic() - started,
            notes=tuple(
                f"{trial}: {one} at {pair.first}, {other} at {pair.second}"
                for pair in overall
                for trial, one, other in pair.disagreements
            ),
        )
        write_results(results, made)
    if any(pair.disagreements for pair in overall):
        raise typer.Exit(1)


def _level(spec: str) -> JudgedLevel:
    name, equals, folder = spec.partition("=")
    if not equals or not name or not folder:
        raise BadOption(f"{spec!r}: expected NAME=FOLDER, such as text=out/simulation")
    store = TrialStore(Path(folder))
    trials, verdicts = store.trials(), store.verdicts()
    if not verdicts:
        raise BadOption(f"{folder} was never judged; run: python -m benchmarks rescore {folder}")
    return judged_level(name, trials, verdicts)
