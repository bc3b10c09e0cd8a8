"""A run's results as three Parquet tables: calls, overlaps, obligations. One row each, in order of the calls' names.

Owns the columns, and that tables never outlive the results they were made of. The same results make the same bytes.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Literal

from pipecat_interrupt.errors import MissingExtra
from pipecat_interrupt.replay.places import Place
from pipecat_interrupt.replay.result import CallResult

TABLES = ("calls.parquet", "overlaps.parquet", "obligations.parquet")
_OURS: dict[str, bytes] = dict(zip(TABLES, (b"inputs_sha256", b"takes_floor", b"listen_at_s"), strict=True))
"""A column that no table of anybody else's of the same name has; names stand in the file as they are."""

TablesDone = Literal["none", "written", "rewritten", "removed"]
TablesWriter = Callable[[Sequence[CallResult], Place], None]


def check_tables() -> None:
    """Ask for what the tables need, before calls are replayed for them.

    Raises:
        MissingExtra: pyarrow is not installed.
    """
    try:
        import pyarrow.parquet  # noqa: F401  # pyright: ignore[reportUnusedImport]
    except ImportError as error:
        raise MissingExtra("--parquet", "pip install 'pipecat-interrupt[parquet]'") from error


def write_tables(results: Sequence[CallResult], out: Place) -> None:
    """Write the tables beside the index. `words` of overlaps are the patient's: keep them as the recordings.

    Raises:
        MissingExtra: pyarrow is not installed.
    """
    check_tables()
    import pyarrow as pa
    import pyarrow.parquet as pq

    text, number, count, flag = pa.string(), pa.float64(), pa.int64(), pa.bool_()
    names = pa.list_(text)
    call = [("call_id", text)]
    schemas = (
        pa.schema(
            [
                *call,
                *((name, text) for name in ("inputs_sha256", "settings", "recogniser", "pathway", "pathway_version")),
                ("language", text),
                *((name, number) for name in ("duration_s", "agent_s", "far_s")),
                ("ended", text),
                ("overlaps", count),
                ("lost_critical", names),
                ("unclear_critical", names),
                ("notes", names),
                ("differences", count),
            ]
        ),
        pa.schema(
            [
                *call,
                *((name, number) for name in ("onset_s", "ended_s")),
                *((name, text) for name in ("kind", "verdict", "speaker", "words", "reason", "utterance_id", "phase")),
                *((name, flag) for name in ("trp", "takes_floor")),
            ]
        ),
        pa.schema(
            [
                *call,
                *((name, text) for name in ("id", "group", "kind", "state", "outcome", "value", "detail")),
                *((name, flag) for name in ("critical", "begun")),
                ("listen_at_s", number),
            ]
        ),
    )
    rows = (
        [_call_row(result) for result in results],
        [{"call_id": r.call_id, **row.model_dump(mode="json")} for r in results for row in r.overlaps],
        [{"call_id": r.call_id, **row.model_dump(mode="json")} for r in results for row in r.obligations],
    )
    for name, schema, table in zip(TABLES, schemas, rows, strict=True):
        raw = io.BytesIO()
        pq.write_table(pa.Table.from_pylist([_plain(row, schema.names) for row in table], schema=schema), raw)
        out.write(name, raw.getvalue())


def _call_row(result: CallResult) -> dict[str, Any]:
    kept = result.model_dump(mode="json")
    return {
        **kept,
        "overlaps": len(result.overlaps),
        "lost_critical": list(result.lost_critical),
        "unclear_critical": list(result.unclear_critical),
        "notes": [note.code for note in result.notes],
        "differences": len(result.differences),
    }


def _plain(row: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {name: row.get(name) for name in names}


def keep_tables(
    results: Sequence[CallResult], out: Place, *, wanted: bool, write: TablesWriter = write_tables
) -> TablesDone:
    """Write the tables where they are wanted, and let none of an earlier run stand that no longer fits.

    Args:
        results: Of this run.
        out: Where they go. Files of the same names that are no tables of ours stay as they are, unless `wanted`.
        wanted: The tables were asked for.
        write: Writes them.

    Returns:
        "rewritten" and "removed" tell of tables that were there and were not asked for; the second where pyarrow is
        missing.

    Raises:
        MissingExtra: They are wanted, and pyarrow is not installed.
        EnvironmentProblem: The place cannot be read or written.
    """
    if wanted:
        write(results, out)
        return "written"
    found = [name for name in TABLES if _is_ours(name, out)]
    if not found:
        return "none"
    if len(found) == len(TABLES):
        with suppress(MissingExtra):
            write(results, out)
            return "rewritten"
    for name in found:
        out.remove(name)
    return "removed"


def _is_ours(name: str, out: Place) -> bool:
    raw = out.read(name)
    return raw is not None and raw.startswith(b"PAR1") and b"call_id" in raw and _OURS[name] in raw
