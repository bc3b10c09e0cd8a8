"""`pipecat-interrupt journal verify|show|export|reconcile`: read a call's journal, bring a spilled one home."""

from __future__ import annotations

from contextlib import closing
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.text import Text

from pipecat_interrupt.cli.targets import check_target

if TYPE_CHECKING:
    from pipecat_interrupt.journal import JournalEntry

journal_app = typer.Typer(no_args_is_help=True, help="Read and check journals.", pretty_exceptions_enable=False)
File = Annotated[Path, typer.Argument(help="A JSONL journal.", exists=True, dir_okay=False)]


class Form(StrEnum):
    """Forms a journal can be exported to."""

    CSV = "csv"
    PARQUET = "parquet"
    JSONL = "jsonl"


class Redact(StrEnum):
    """Whose words are taken out."""

    NONE = "none"
    PATIENT_WORDS = "patient_words"
    ALL_WORDS = "all_words"


NO_END = 3
"""Exit code of `verify` for an intact chain in which the end of the call is missing."""


PARQUET_MAGIC = b"PAR1"
"""How a Parquet file begins."""


def _entries(journal: Path) -> list[JournalEntry]:
    """Read a journal; one without an entry is no journal, whatever is to be done with it."""
    from pipecat_interrupt.journal import ChainError, read_jsonl

    entries = read_jsonl(journal)
    if not entries:
        raise ChainError(
            f"{journal.name}: empty, and a journal begins with call_started; check that it is the right file"
        )
    return entries


@journal_app.command("verify")
def verify_command(
    journal: File,
    still_open: Annotated[bool, typer.Option("--open", help="The call may still go on: no end is asked for.")] = False,
) -> None:
    """Check numbering and hash chain.

    Exits 1 at the first entry that is missing, moved or altered, and 3 when the chain is intact and the end of the call
    is not there: its process died, or the tail was cut off, and nobody can tell which.
    """
    from pipecat_interrupt.journal import verify_chain
    from pipecat_interrupt.journal.verify import has_end, notes_on

    entries = _entries(journal)
    count = verify_chain(entries, journal.name)
    typer.echo(f"{journal.name}: {count} entries, chain intact")
    for note in notes_on(journal, entries):
        typer.echo(f"note: {note}")
    if not still_open and not has_end(entries):
        raise typer.Exit(NO_END)


@journal_app.command("reconcile")
def reconcile_command(
    spill: Annotated[Path, typer.Argument(help="A spill file (*.journal-spill.jsonl).", exists=True, dir_okay=False)],
    sqlite: Annotated[Path | None, typer.Option(help="SQLite journal to bring it to.")] = None,
    redis: Annotated[str | None, typer.Option(help="URL of the Redis journal to bring it to.")] = None,
) -> None:
    """Bring spilled entries to the journal they were meant for; the file is removed when all are there."""
    from pipecat_interrupt.errors import InterruptError, SettingsError
    from pipecat_interrupt.journal import reconcile
    from pipecat_interrupt.journal.databases import RedisStreamSink, SqliteSink

    if (sqlite is None) == (redis is None):
        raise SettingsError("name one journal to bring the spill to: --sqlite PATH or --redis URL")
    try:
        with closing(SqliteSink(sqlite) if sqlite is not None else RedisStreamSink(str(redis))) as sink:
            count = reconcile(spill, sink)
    except InterruptError:
        raise
    except Exception as error:  # a database's own errors are as many as databases
        where = "the SQLite journal" if sqlite is not None else "the Redis journal"
        raise SettingsError(f"{where} took nothing ({type(error).__name__}); {spill.name} stays as it was") from error
    typer.echo(f"{spill.name}: {count} entries brought home, file removed")


@journal_app.command("show")
def show_command(journal: File) -> None:
    """Show what happened, one line an entry; exits 1 when the chain is broken, and says where."""
    from pipecat_interrupt.journal import verify_chain

    console = Console()
    entries = _entries(journal)
    for entry in entries:
        data = entry.data.model_dump(mode="json", exclude={"kind"}, exclude_defaults=True)
        console.print(Text(f"{entry.at_s:8.2f} s  {entry.data.kind:18} {data}"), soft_wrap=True)
    verify_chain(entries, journal.name)


@journal_app.command("export")
def export_command(
    journal: File,
    out: Annotated[Path, typer.Option(help="File to write.")],
    form: Annotated[Form, typer.Option(help="Which form.")] = Form.CSV,
    redact: Annotated[Redact, typer.Option(help="Take words out first.")] = Redact.NONE,
) -> None:
    """Write a journal as CSV, Parquet or JSONL, with words taken out where asked.

    An earlier CSV or Parquet export is replaced; a JSONL export is a journal too and is not, nor is any other file.
    """
    from pipecat_interrupt.journal import verify_chain
    from pipecat_interrupt.journal.export import COLUMNS, redacted, to_csv, write_parquet

    heads = {Form.CSV: ",".join(COLUMNS).encode() + b"\n", Form.PARQUET: PARQUET_MAGIC, Form.JSONL: b"\n"}
    check_target(out, journal, earlier=lambda head: head.startswith(heads[form]))
    entries = _entries(journal)
    verify_chain(entries, journal.name)
    if redact is not Redact.NONE:
        entries = redacted(entries, redact.value)
    if form is Form.PARQUET:
        write_parquet(entries, out)
    elif form is Form.CSV:
        out.write_text(to_csv(entries), encoding="utf-8")
    else:
        out.write_text("".join(e.model_dump_json() + "\n" for e in entries), encoding="utf-8")
    typer.echo(f"{out}: {len(entries)} entries")
