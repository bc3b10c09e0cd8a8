"""A store in one SQLite file: the embedded default, for one machine and any number of its processes.

Owns the file, its tables and the one thread that talks to it. Every write is one transaction, on disk before it
returns (WAL, full synchronisation).
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from obligations.handoff.models import Handoff
from obligations.ledger.events import Event, from_json, to_json
from obligations.stores.errors import CallClosed, Conflict, StoreUnavailable
from obligations.stores.protocol import FencingToken, StoreErasure, check_append, check_call_id, check_token

SCHEMA_VERSION = 2
BUSY_S_MAX = 5.0

_TABLES = """
CREATE TABLE IF NOT EXISTS calls (
    call_id TEXT PRIMARY KEY,
    token INTEGER NOT NULL,
    worker_id TEXT NOT NULL,
    handoff TEXT,
    sent INTEGER NOT NULL DEFAULT 0,
    erased INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS events (
    call_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    event TEXT NOT NULL,
    PRIMARY KEY (call_id, seq)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS parts (
    place INTEGER PRIMARY KEY,
    call_id TEXT NOT NULL,
    part TEXT NOT NULL,
    UNIQUE (call_id, part)
);
"""

_T = TypeVar("_T")


class SqliteStore:
    """A `LedgerStore` in a file.

    Promises: a cancelled call still runs to its end on the store's thread, so the next one finds a whole file; a second
    process waits at most `BUSY_S_MAX` seconds for the first. What is erased is overwritten in the file.

    Args:
        path: The file; made with its folders at the first use.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="ledger-sqlite")
        self._connection: sqlite3.Connection | None = None
        self._closed = False

    async def claim(self, call_id: str, worker_id: str) -> FencingToken:
        """Take a call over."""
        check_call_id(call_id)

        def work(db: sqlite3.Connection) -> FencingToken:
            if _row(db, call_id)[3]:
                raise CallClosed("erased")
            db.execute(
                "INSERT INTO calls (call_id, token, worker_id) VALUES (?, 1, ?)"
                " ON CONFLICT (call_id) DO UPDATE SET token = token + 1, worker_id = excluded.worker_id",
                (call_id, worker_id),
            )
            return FencingToken(_row(db, call_id)[0])

        return await self._run(work)

    async def append(self, call_id: str, events: Sequence[Event], expected_seq: int, *, token: FencingToken) -> None:
        """Add events."""
        check_append(call_id, events, expected_seq)
        lines = [(call_id, event.seq, to_json(event)) for event in events]

        def work(db: sqlite3.Connection) -> None:
            if _owned(db, call_id, token):
                raise CallClosed("finished")
            stored = _count(db, call_id)
            if stored != expected_seq:
                raise Conflict(expected_seq, stored)
            db.executemany("INSERT INTO events (call_id, seq, event) VALUES (?, ?, ?)", lines)

        await self._run(work)

    async def read(self, call_id: str) -> list[Event]:
        """Give every event in order."""

        def work(db: sqlite3.Connection) -> list[Event]:
            rows = db.execute("SELECT event FROM events WHERE call_id = ? ORDER BY seq", (call_id,))
            return [from_json(line) for (line,) in rows]

        return await self._run(work)

    async def finish(self, call_id: str, handoff: Handoff, *, token: FencingToken) -> bool:
        """Keep the one hand-off."""
        text = handoff.model_dump_json()

        def work(db: sqlite3.Connection) -> bool:
            if _row(db, call_id)[1] is not None:
                return False
            _owned(db, call_id, token)
            db.execute("UPDATE calls SET handoff = ? WHERE call_id = ?", (text, call_id))
            return True

        return await self._run(work)

    async def handoff(self, call_id: str) -> Handoff | None:
        """Give the hand-off of a finished call."""

        def work(db: sqlite3.Connection) -> Handoff | None:
            text = _row(db, call_id)[1]
            return Handoff.model_validate_json(text) if text is not None else None

        return await self._run(work)

    async def add_part(self, call_id: str, part: Handoff) -> None:
        """Keep a part until it is joined."""
        check_call_id(call_id)
        text = part.model_dump_json()

        def work(db: sqlite3.Connection) -> None:
            if _row(db, call_id)[3]:
                raise CallClosed("erased")
            db.execute(
                "INSERT INTO calls (call_id, token, worker_id) VALUES (?, 0, '')"
                " ON CONFLICT (call_id) DO UPDATE SET sent = 0",
                (call_id,),
            )
            db.execute("INSERT OR IGNORE INTO parts (call_id, part) VALUES (?, ?)", (call_id, text))

        await self._run(work)

    async def parts(self, call_id: str) -> list[Handoff]:
        """Give the parts that wait."""

        def work(db: sqlite3.Connection) -> list[Handoff]:
            rows = db.execute("SELECT part FROM parts WHERE call_id = ? ORDER BY place", (call_id,))
            return [Handoff.model_validate_json(text) for (text,) in rows]

        return await self._run(work)

    async def replace(self, call_id: str, handoff: Handoff, joined: int, *, token: FencingToken) -> None:
        """Put a joined hand-off in the place of the one that stands."""
        text = handoff.model_dump_json()

        def work(db: sqlite3.Connection) -> None:
            if not _owned(db, call_id, token):
                raise CallClosed("not finished")
            db.execute("UPDATE calls SET handoff = ?, sent = 0 WHERE call_id = ?", (text, call_id))
            db.execute(
                "DELETE FROM parts WHERE place IN (SELECT place FROM parts WHERE call_id = ? ORDER BY place LIMIT ?)",
                (call_id, joined),
            )

        await self._run(work)

    async def open_calls(self) -> list[str]:
        """Name the calls that are not finished."""
        return await self._names("handoff IS NULL AND NOT erased")

    async def unsent(self) -> list[str]:
        """Name the finished calls whose hand-off was not sent."""
        return await self._names("handoff IS NOT NULL AND NOT sent")

    async def mark_sent(self, call_id: str, version: int | None = None) -> None:
        """Note that the hand-off reached its receiver."""
        now = max(1, int(time.time()))  # "sent" is when; 0 is never

        def work(db: sqlite3.Connection) -> None:
            text = _row(db, call_id)[1]
            waiting = db.execute("SELECT 1 FROM parts WHERE call_id = ?", (call_id,)).fetchone()
            if text is None or waiting or version not in (None, Handoff.model_validate_json(text).version):
                return
            db.execute(
                "UPDATE calls SET sent = ? WHERE call_id = ? AND handoff IS NOT NULL AND NOT sent", (now, call_id)
            )

        await self._run(work)

    async def sent_before(self, unix_s: float) -> list[str]:
        """Name the calls whose hand-off was sent before a moment, Unix seconds; erased calls not."""
        return await self._names(f"handoff IS NOT NULL AND sent > 0 AND sent < {float(unix_s)!r} AND NOT erased")

    async def erase(self, call_id: str) -> StoreErasure:
        """Remove all that was kept of a call, from the file and from its log; the call's name stays, to refuse it."""

        def work(db: sqlite3.Connection) -> StoreErasure:
            done = StoreErasure(events=_count(db, call_id), handoff=_row(db, call_id)[1] is not None)
            db.execute("DELETE FROM events WHERE call_id = ?", (call_id,))
            db.execute("DELETE FROM parts WHERE call_id = ?", (call_id,))
            db.execute("UPDATE calls SET handoff = NULL, worker_id = '', erased = 1 WHERE call_id = ?", (call_id,))
            return done

        done = await self._run(work)
        await self._run(lambda db: db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall(), transaction=False)
        return done

    async def close(self) -> None:
        """Finish what runs, then close the file; idempotent."""
        if self._closed:
            return
        self._closed = True

        def work() -> None:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

        await asyncio.shield(asyncio.get_running_loop().run_in_executor(self._thread, work))
        self._thread.shutdown(wait=False)

    async def _names(self, where: str) -> list[str]:
        def work(db: sqlite3.Connection) -> list[str]:
            return [name for (name,) in db.execute(f"SELECT call_id FROM calls WHERE {where} ORDER BY call_id")]

        return await self._run(work)

    async def _run(self, work: Callable[[sqlite3.Connection], _T], *, transaction: bool = True) -> _T:
        if self._closed:
            raise StoreUnavailable("the store is closed")
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._transact, work, transaction)

    def _transact(self, work: Callable[[sqlite3.Connection], _T], transaction: bool) -> _T:
        try:
            if self._connection is None:
                self._connection = self._connect()
            db = self._connection
            if not transaction:
                return work(db)
            db.execute("BEGIN IMMEDIATE")
            try:
                result = work(db)
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise
            return result
        except (sqlite3.Error, OSError) as error:
            self._forget()
            raise StoreUnavailable(f"SQLite: {type(error).__name__}") from error

    def _connect(self) -> sqlite3.Connection:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        db = sqlite3.connect(self.path, timeout=BUSY_S_MAX, isolation_level=None)
        try:
            _write_ahead(db)
            db.execute("PRAGMA synchronous = FULL")
            db.execute("PRAGMA secure_delete = ON")
            version = db.execute("PRAGMA user_version").fetchone()[0]
            if version > SCHEMA_VERSION:
                raise StoreUnavailable(f"the file was written by a later version (schema {version})")
            db.executescript(_TABLES)
            db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        except BaseException:
            db.close()
            raise
        return db

    def _forget(self) -> None:
        """Drop a connection that failed: the next use opens the file anew, as after a full disk or a replaced file."""
        if self._connection is not None:
            with contextlib.suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None


def _row(db: sqlite3.Connection, call_id: str) -> tuple[int, str | None, bool, bool]:
    """Give token, hand-off, sent, erased of a call; token 0 for an unknown one."""
    row = db.execute("SELECT token, handoff, sent, erased FROM calls WHERE call_id = ?", (call_id,)).fetchone()
    return (row[0], row[1], bool(row[2]), bool(row[3])) if row else (0, None, False, False)


def _count(db: sqlite3.Connection, call_id: str) -> int:
    return int(db.execute("SELECT COALESCE(MAX(seq) + 1, 0) FROM events WHERE call_id = ?", (call_id,)).fetchone()[0])


def _owned(db: sqlite3.Connection, call_id: str, token: FencingToken) -> bool:
    """Say whether a call is finished; raise unless `token` owns it."""
    current, handoff, _, erased = _row(db, call_id)
    if erased:
        raise CallClosed("erased")
    check_token(token, current)
    return handoff is not None


def _write_ahead(db: sqlite3.Connection) -> None:
    """Switch to write-ahead logging; while several connections open a new file SQLite refuses at once, so try again."""
    until_s = time.monotonic() + BUSY_S_MAX
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError:
            if time.monotonic() > until_s:
                raise
            time.sleep(0.02)
