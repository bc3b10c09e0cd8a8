"""``python -m benchmarks list``: what there is to run."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer
from rich.table import Table

from benchmarks.cells import load_cells
from benchmarks.cli.kinds import kind_modules, load_kind
from benchmarks.cli.tables import wide_console
from benchmarks.errors import BenchmarkError
from benchmarks.simulator.build import LEVELS
from benchmarks.simulator.scripted_agent import Policy


def _kinds() -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for name in sorted(kind_modules()):
        try:
            kind = load_kind(name)
        except (BenchmarkError, ImportError) as error:
            rows.append({"kind": name, "needs_data": None, "summary": "", "unavailable": str(error).partition("\n")[0]})
        else:
            rows.append({"kind": name, "needs_data": kind.needs_data, "summary": kind.summary, "unavailable": ""})
    return rows


def contents() -> dict[str, Any]:
    """Give everything there is to run, by name."""
    cells = [
        {
            "cell": cell.id,
            "overlap": cell.overlap.value,
            "reference": cell.reference,
            "arms": {arm.value: plan.trials for arm, plan in cell.arms.items()},
        }
        for cell in load_cells()
    ]
    return {
        "kinds": _kinds(),
        "cells": cells,
        "levels": {level: list(systems) for level, systems in LEVELS.items()},
        "scripted_agents": [policy.value for policy in Policy],
    }


def list_command(
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """List evaluation kinds, cells with their arms, systems and scripted agents."""
    found = contents()
    if as_json:
        typer.echo(json.dumps(found, ensure_ascii=False))
        return
    console = wide_console()
    kinds = Table(title="Evaluation kinds (eval KIND)", title_justify="left")
    for heading in ("kind", "data", "what it measures"):
        kinds.add_column(heading, overflow="fold")
    for row in found["kinds"]:
        data = {True: "needed", False: "none", None: "?"}[row["needs_data"]]
        kinds.add_row(row["kind"], data, row["unavailable"] or row["summary"])
    console.print(kinds)
    cells = Table(title="Cells (run --cell)", title_justify="left")
    for heading in ("cell", "overlap", "reference", "arms with the study's trials"):
        cells.add_column(heading, overflow="fold")
    for row in found["cells"]:
        cells.add_row(
            row["cell"], row["overlap"], row["reference"], ", ".join(f"{a} {n}" for a, n in row["arms"].items())
        )
    console.print(cells)
    for level, systems in found["levels"].items():
        console.print(f"level {level}: systems {', '.join(systems)}")
    console.print(f"scripted agents: {', '.join(found['scripted_agents'])}; any other name is a model at --base-url")
