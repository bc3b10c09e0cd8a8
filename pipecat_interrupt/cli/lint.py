"""`pipecat-interrupt lint FILE...`: arguments of Pipecat's that a bot's source passes in vain."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def lint_command(
    files: Annotated[list[Path], typer.Argument(help="Source files of a bot; parsed, never run.", exists=True)],
) -> None:
    """Name Pipecat arguments that are silently ignored (docs/lint.md); exits 1 when there are some.

    `kit.lint(pipeline)` in the bot itself says more: it sees the pipeline as well.
    """
    from pipecat_interrupt.lint import lint_source

    found = [finding for path in files for finding in lint_source(path)]
    for finding in found:
        typer.echo(str(finding))
    if found:
        raise typer.Exit(1)
    typer.echo(f"{len(files)} file{'s' if len(files) != 1 else ''}, nothing ignored")
