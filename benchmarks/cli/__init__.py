"""The command line of the benchmarks; one file a verb.

Owns exit codes: 0 done, 1 a gate or a check failed, 2 the command, its data or an extra is wrong, 3 the surroundings
failed, 130 interrupted.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import typer

from benchmarks.cells.own import forget
from benchmarks.cli.agreement_verb import agreement_command
from benchmarks.cli.annotate_verb import annotate
from benchmarks.cli.compare_verb import compare_command
from benchmarks.cli.eval_verb import eval_command
from benchmarks.cli.export_verb import export_command
from benchmarks.cli.judges_verb import judges_command
from benchmarks.cli.list_verb import list_command
from benchmarks.cli.plain import told_plainly
from benchmarks.cli.report_verb import report_command
from benchmarks.cli.rescore_verb import rescore_command
from benchmarks.cli.run_verb import run_command
from benchmarks.cli.stopping import ended_by_ctrl_c
from benchmarks.cli.train_verb import train_command
from benchmarks.cli.two_voice_verb import two_voice_command
from benchmarks.cli.yield_verb import yield_command
from benchmarks.errors import BadOption, BenchmarkError
from pipecat_interrupt.blank_words import blank_word

app = typer.Typer(
    name="python -m benchmarks",
    help="Claims as code: evaluations, the patient simulator and its reports.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
app.command("list")(list_command)
app.command("run")(run_command)
app.command("yield")(yield_command)
app.command("eval")(eval_command)
app.command("rescore")(rescore_command)
app.command("report")(report_command)
app.command("compare")(compare_command)
app.command("agreement")(agreement_command)
app.command("export")(export_command)
app.command("judges")(judges_command)
app.command("train")(train_command)
app.command("two-voice")(two_voice_command)
app.add_typer(annotate, name="annotate")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; what goes wrong for a known reason becomes one line and its exit code.

    Args:
        arguments: The words of the command; None takes the process's own.
    """
    try:
        if (blank := blank_word(sys.argv[1:] if arguments is None else arguments)) is not None:
            raise BadOption(blank)
        forget()
        with told_plainly(), ended_by_ctrl_c():
            app(args=arguments)
    except BenchmarkError as error:
        sys.stderr.write(f"error: {error}\n")
        sys.exit(error.exit_code)
