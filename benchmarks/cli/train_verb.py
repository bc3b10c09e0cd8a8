"""``python -m benchmarks train NAME``: make a shipped model again from the rows of the checkout."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.cli.kinds import missing_extra
from benchmarks.errors import UnknownName
from benchmarks.files import output_folder

NAMES = ("safe-side",)


def train_command(
    name: Annotated[str, typer.Argument(help="The model: safe-side.")],
    into: Annotated[
        Path | None, typer.Option(callback=output_folder, help="Folder to write to; default: the package's own.")
    ] = None,
) -> None:
    """Fit a model on its committed rows and write its weights; the same packages give the same bytes."""
    if name not in NAMES:
        raise UnknownName("model to train", name, NAMES)
    try:
        from benchmarks.training.safe_side.train import TARGET, train
    except ModuleNotFoundError as error:
        raise missing_extra(error) from error
    for line in train(into or TARGET):
        sys.stdout.write(f"{line}\n")
