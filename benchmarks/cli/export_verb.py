"""``python -m benchmarks export``: the cells as scenario files for Pipecat's own evaluation tool."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from benchmarks.cells import Arm, cell_ids
from benchmarks.files import output_folder
from benchmarks.simulator.pipecat_eval import Modality, write_scenarios


def export_command(
    folder: Annotated[Path, typer.Argument(callback=output_folder, help="Where the files go.")] = Path(
        "out/pipecat-eval"
    ),
    cell: Annotated[list[str] | None, typer.Option(help="Cell, or a cell file of your own; repeatable.")] = None,
    arm: Annotated[list[Arm] | None, typer.Option(help="Arm; repeatable.")] = None,
    modality: Annotated[Modality, typer.Option(help="How turns are delivered and judged.")] = "audio",
) -> None:
    """Write the cells for `pipecat eval run`: one file a cell, one scenario an arm."""
    for path in write_scenarios(folder, cell or cell_ids(), arm or list(Arm), modality):
        Console().print(str(path), markup=False, soft_wrap=True)
