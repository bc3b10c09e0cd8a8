"""`pipecat-interrupt replay`: recordings, transcripts and journals through the live classifiers and ledger."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from pipecat_interrupt.replay.folder import FolderRun
    from pipecat_interrupt.replay.job import JobOutcome

EXIT_REFUSED = 1
TABLES_TOLD = {
    "rewritten": "the Parquet tables of an earlier run were written anew, of this run's calls",
    "removed": "the Parquet tables of an earlier run were removed: they no longer fit; --parquet writes them anew",
}
"""What was done to tables that were not asked for."""
WHO_ASKS = "Who works through the pathway: auto takes a person where a transcript says doctor or nurse."


class AgentChannel(StrEnum):
    """Where the agent is on a recording."""

    AUTO = "auto"
    LEFT = "left"
    RIGHT = "right"


class GateChoice(StrEnum):
    """Which speaker models tell voices apart."""

    NONE = "none"
    ONNX = "onnx"
    PYANNOTE = "pyannote"


class Engine(StrEnum):
    """What does the work."""

    LOCAL = "local"
    RAY = "ray"


class AgentIs(StrEnum):
    """Who works through the pathway."""

    AUTO = "auto"
    SOFTWARE = "software"
    PERSON = "person"


class Matcher(StrEnum):
    """What reads content points."""

    ENSEMBLE = "ensemble"
    OWN_WORDING = "own-wording"


def replay_command(
    path: Annotated[
        str,
        typer.Argument(
            help="CALL.wav, CALL.json, .TextGrid, .vtt, a journal, or a folder; here, or s3://... and such."
        ),
    ],
    pathway: Annotated[str | None, typer.Option(help="A bundled pathway's name, or a YAML file.")] = None,
    out: Annotated[str, typer.Option(help="Folder for the results; here, or s3://... and such.")] = "out/replay",
    language: Annotated[str | None, typer.Option(help="Language of the call, such as en or pt-PT.")] = None,
    agent_channel: Annotated[AgentChannel, typer.Option(help="The agent's channel.")] = AgentChannel.AUTO,
    agent_label: Annotated[list[str] | None, typer.Option(help="The agent's name in transcripts; repeatable.")] = None,
    agent_is: Annotated[AgentIs, typer.Option(help=WHO_ASKS)] = AgentIs.AUTO,
    stt: Annotated[bool, typer.Option(help="Transcribe recordings that have no transcript.")] = True,
    model: Annotated[Path | None, typer.Option(help="Folder of a CTranslate2 Whisper model.")] = None,
    gate: Annotated[GateChoice, typer.Option(help="Tell voices apart with these speaker models.")] = GateChoice.NONE,
    matcher: Annotated[Matcher, typer.Option(help="What reads content points.")] = Matcher.ENSEMBLE,
    jobs: Annotated[int, typer.Option(min=1, max=64, help="Processes.")] = 1,
    engine: Annotated[
        Engine,
        typer.Option(help="Processes of this machine, or Ray: the cluster at RAY_ADDRESS, else one started here."),
    ] = Engine.LOCAL,
    parquet: Annotated[bool, typer.Option(help="Also write calls, overlaps and obligations as Parquet.")] = False,
    fresh: Annotated[bool, typer.Option(help="Replay again what is done already.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the index as one JSON object.")] = False,
) -> None:
    """Replay recorded calls: overlaps typed, delivered against intended, obligations asked, answered and lost.

    Exits 1 when a file was refused; the others are done all the same.
    """
    from pipecat_interrupt.replay.folder import replay_folder
    from pipecat_interrupt.replay.index import INDEX_FILE
    from pipecat_interrupt.replay.inputs import calls_at
    from pipecat_interrupt.replay.job import ReplayPlan
    from pipecat_interrupt.replay.settings import ReplaySettings

    labels = {"agent_labels": tuple(label.lower() for label in agent_label)} if agent_label else {}
    chosen = {"agent_channel": agent_channel.value, "agent_is": agent_is.value, "matcher": matcher.value}
    settings = ReplaySettings.model_validate({"language": language, **chosen, **labels})
    _check_model(model)
    plan = ReplayPlan(out, pathway, settings, stt=stt, model=model, gate=gate.value, fresh=fresh)
    plan.digest()  # a pathway that cannot be read is told before anything else is done
    calls = calls_at(path, settings, leave_out=out)
    pool = None
    if engine is Engine.RAY:
        from pipecat_interrupt.replay.ray_pool import RayPool as pool
    run = replay_folder(calls, plan, jobs=jobs, progress=None if as_json else _progress, pool=pool, parquet=parquet)
    if run.tables in TABLES_TOLD:
        typer.echo(TABLES_TOLD[run.tables], err=True)
    if as_json:
        sys.stdout.write(plan.place.text(INDEX_FILE) or "")
    else:
        _tell(run, out)
    if run.count("refused"):
        raise typer.Exit(EXIT_REFUSED)


def _check_model(model: Path | None) -> None:
    """Refuse a model that is not there before any call is touched.

    Raises:
        SettingsError: The folder is none of a CTranslate2 model.
    """
    from pipecat_interrupt.errors import SettingsError

    if model is not None and not (model / "model.bin").is_file():
        raise SettingsError(
            f"--model {model}: no CTranslate2 model (model.bin) is in it; without --model the local profile's is taken"
        )


def _progress(outcome: JobOutcome, done: int, of: int) -> None:
    typer.echo(
        f"[{done}/{of}] {outcome.status:7} {outcome.call_id}{': ' + outcome.why if outcome.why else ''}", err=True
    )


def _tell(run: FolderRun, out: str) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console()
    table = Table(title="Replayed calls")
    for column in ("call", "seconds", "overlaps", "lost and critical", "unclear and critical", "unanswered", "to know"):
        table.add_column(column, overflow="fold")
    for result in run.results:
        notes = ", ".join(dict.fromkeys(note.code for note in result.notes))
        unanswered = sum(row.outcome == "unanswered" for row in result.obligations)
        table.add_row(
            Text(result.call_id),
            f"{result.duration_s:.0f}",
            str(len(result.overlaps)),
            Text(", ".join(result.lost_critical)),
            Text(", ".join(result.unclear_critical)),
            str(unanswered),
            notes,
        )
    console.print(table)
    for outcome in run.outcomes:
        if outcome.status == "refused":
            console.print(Text(f"set aside: {', '.join(outcome.sources)}: {outcome.why} [{outcome.code}]"))
    told = f"{run.count('done')} replayed, {run.count('kept')} kept, {run.count('refused')} set aside"
    console.print(Text(f"{told} in {run.took_s:.1f} s: {out}/index.html"))
