"""Journals as tables, for analysts. Taking words out first is `redaction`'s.

Owns flattening: one row an entry.
"""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Iterable, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

from pipecat_interrupt.errors import MissingExtra
from pipecat_interrupt.journal.entries import JournalEntry
from pipecat_interrupt.journal.redaction import RedactionPolicy, redacted

__all__ = ["COLUMNS", "RedactionPolicy", "digest_of", "redacted", "rows", "to_csv", "write_parquet"]

COLUMNS: tuple[str, ...] = ("call_id", "seq", "at_s", "kind", "data")


def rows(entries: Iterable[JournalEntry]) -> list[dict[str, Any]]:
    """Flatten entries to one row each; `data` is the payload as JSON."""
    return [
        {
            "call_id": e.call_id,
            "seq": e.seq,
            "at_s": e.at_s,
            "kind": e.data.kind,
            "data": e.data.model_dump_json(exclude={"kind"}),
        }
        for e in entries
    ]


def to_csv(entries: Iterable[JournalEntry]) -> str:
    """Give the journal as CSV with a header line."""
    text = StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows(entries))
    return text.getvalue()


def write_parquet(entries: Sequence[JournalEntry], path: Path) -> None:
    """Write the journal as Parquet.

    Raises:
        MissingExtra: pyarrow is not installed.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ModuleNotFoundError as error:
        raise MissingExtra("Parquet", "pip install 'pipecat-interrupt[parquet]'") from error
    types: Any = [("call_id", pa.string()), ("seq", pa.int64()), ("at_s", pa.float64()), ("kind", pa.string())]
    pq.write_table(pa.Table.from_pylist(rows(entries), schema=pa.schema([*types, ("data", pa.string())])), path)


def digest_of(entries: Sequence[JournalEntry]) -> str:
    """SHA-256 over a whole journal, for a manifest."""
    return hashlib.sha256(json.dumps([e.digest for e in entries]).encode()).hexdigest()
