"""`pipecat-interrupt schema NAME`: the JSON Schema of everything we write."""

from __future__ import annotations

import json
from collections.abc import Callable
from enum import StrEnum
from typing import Annotated, Any

import typer


class SchemaName(StrEnum):
    """What has a schema."""

    CALL_SUMMARY = "call-summary"
    JOURNAL_ENTRY = "journal-entry"
    HANDOFF = "handoff"
    LIVE_MESSAGE = "live-message"
    PATHWAY = "pathway"
    CALL_FILE = "call-file"
    REPLAY = "replay"


def schema_of(name: SchemaName) -> dict[str, Any]:
    """Give a schema by name."""
    from obligations.handoff import handoff_schema
    from obligations.pathway import pathway_schema
    from pipecat_interrupt.journal import entry_schema
    from pipecat_interrupt.live import live_message_schema
    from pipecat_interrupt.replay.readers.call_file import call_schema
    from pipecat_interrupt.replay.result import replay_schema
    from pipecat_interrupt.summary import call_summary_schema

    makers: dict[SchemaName, Callable[[], dict[str, Any]]] = {
        SchemaName.CALL_SUMMARY: call_summary_schema,
        SchemaName.JOURNAL_ENTRY: entry_schema,
        SchemaName.HANDOFF: handoff_schema,
        SchemaName.LIVE_MESSAGE: live_message_schema,
        SchemaName.PATHWAY: pathway_schema,
        SchemaName.CALL_FILE: call_schema,
        SchemaName.REPLAY: replay_schema,
    }
    return makers[name]()


def as_text(name: SchemaName) -> str:
    """Give a schema as the text that stands in docs/schemas."""
    return json.dumps(schema_of(name), indent=2, ensure_ascii=False, sort_keys=True) + "\n"


def schema_command(name: Annotated[SchemaName, typer.Argument(help="Which schema.")]) -> None:
    """Print the JSON Schema of a document of ours: what calls, hand-offs, pathways and replays are written as."""
    typer.echo(as_text(name), nl=False)
