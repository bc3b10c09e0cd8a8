"""Joins the verbs of `pipecat-interrupt` and turns expected failures into one clear message without a traceback.

Owns exit codes: 0 done, 1 the thing asked for failed, 2 the call was wrong, 130 interrupted. One command has one more:
`journal verify` gives 3 for a chain that is intact and lacks the end of the call.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer
from loguru import logger
from rich.console import Console

from pipecat_interrupt.blank_words import blank_word
from pipecat_interrupt.cli.board import board_command
from pipecat_interrupt.cli.call import call_command
from pipecat_interrupt.cli.demo import demo_command
from pipecat_interrupt.cli.gate import app as gate_app
from pipecat_interrupt.cli.journal import journal_app
from pipecat_interrupt.cli.kept import erase_command, handoff_command, retain_command
from pipecat_interrupt.cli.lint import lint_command
from pipecat_interrupt.cli.log_level import log_level
from pipecat_interrupt.cli.page import page_command
from pipecat_interrupt.cli.pathway import pathway_app
from pipecat_interrupt.cli.replay import replay_command
from pipecat_interrupt.cli.schema import schema_command
from pipecat_interrupt.cli.serve import serve_command
from pipecat_interrupt.plain_errors import plain_os_error
from pipecat_interrupt.weights.command import models_command

app = typer.Typer(
    name="pipecat-interrupt",
    help="What was really heard, what is still owed, and whose voice may change it.",
    no_args_is_help=True,
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback()
def _options(version: Annotated[bool, typer.Option("--version", help="Say the versions and leave.")] = False) -> None:
    if version:
        from importlib.metadata import version as of

        typer.echo(f"pipecat-interrupt {of('pipecat-interrupt')} (pipecat-ai {of('pipecat-ai')})")
        raise typer.Exit


app.command("board")(board_command)
app.command("demo")(demo_command)
app.command("erase")(erase_command)
app.command("handoff")(handoff_command)
app.command("models")(models_command)
app.command("page")(page_command)
app.command("lint")(lint_command)
app.command("retain")(retain_command)
app.command("replay")(replay_command)
app.command("schema")(schema_command)
app.command("serve")(serve_command)
app.command("call-simulator")(call_command)
app.add_typer(gate_app, name="gate")
app.add_typer(journal_app, name="journal")
app.add_typer(pathway_app, name="pathway")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line.

    Args:
        arguments: The words of the command; None takes the process's own.
    """
    logger.remove()
    err = Console(stderr=True)
    if (told := blank_word(sys.argv[1:] if arguments is None else arguments)) is not None:
        err.print(told, style="red", markup=False, highlight=False, soft_wrap=True)
        raise SystemExit(2)
    try:
        logger.add(sys.stderr, level=log_level("ERROR"))
        app(args=arguments)
    except KeyboardInterrupt:
        err.print("Interrupted.", style="yellow")
        raise SystemExit(130) from None
    except SystemExit as left:  # Typer makes one of a Ctrl-C, without a word
        if isinstance(getattr(left.__context__, "__cause__", None), KeyboardInterrupt):
            err.print("Interrupted.", style="yellow")
        raise
    except Exception as error:
        if not _expected(error):
            raise
        told = plain_os_error(error) if isinstance(error, OSError) else str(error)
        err.print(told, style="red", markup=False, highlight=False, soft_wrap=True)
        raise SystemExit(1) from error


def _expected(error: Exception) -> bool:
    """Whether an error is one of ours, made to be read by people."""
    from obligations.errors import ObligationsError
    from pipecat_interrupt.errors import InterruptError
    from pipecat_interrupt.journal import ChainError
    from pipecat_interrupt.local.errors import LocalModelError
    from pipecat_interrupt.weights.errors import WeightsError

    return isinstance(error, InterruptError | LocalModelError | WeightsError | ObligationsError | ChainError | OSError)
