"""Journal sinks in databases: SQLite on this machine, a Redis stream for many.

Owns the two tables' shape: one row or stream entry a journal line, keyed by call and sequence number, so that writing a
line twice changes nothing. Another entry under the same key is the journal of another worker that had the call: it is
refused, never passed over and never written over. Both run on the writer's thread, never on the pipeline's loop.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pipecat_interrupt.errors import JournalConflict, MissingExtra
from pipecat_interrupt.journal.addresses import check_redis
from pipecat_interrupt.journal.entries import JournalEntry

_TABLE = """
CREATE TABLE IF NOT EXISTS journal (
  call_id TEXT NOT NULL, seq INTEGER NOT NULL, at_s REAL NOT NULL, kind TEXT NOT NULL, line TEXT NOT NULL,
  PRIMARY KEY (call_id, seq)
) WITHOUT ROWID
"""
BUSY_S_MAX = 5.0
STREAM_PREFIX = "pipecat-interrupt:journal:"
SOCKET_S_MAX = 2.0


class SqliteSink:
    """Keeps journals of many calls in one SQLite file; readable while calls run (write-ahead log).

    Args:
        path: The file; parent folders are made.
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._db = sqlite3.connect(path, timeout=BUSY_S_MAX, check_same_thread=False, isolation_level=None)
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=FULL")
        self._db.execute(_TABLE)

    def append(self, entry: JournalEntry) -> None:
        """Keep one entry; it survives a crash of process and machine when this returns.

        Raises:
            JournalConflict: Another entry stands under its call and number.
            sqlite3.Error: It could not be kept.
        """
        row = (entry.call_id, entry.seq, entry.at_s, entry.data.kind, entry.model_dump_json())
        if self._db.execute("INSERT OR IGNORE INTO journal VALUES (?, ?, ?, ?, ?)", row).rowcount:
            return
        found = self._db.execute("SELECT line FROM journal WHERE call_id = ? AND seq = ?", (entry.call_id, entry.seq))
        if not all(_is_same(line, entry) for (line,) in found):
            raise JournalConflict("the SQLite journal", entry.seq)

    def read(self, call_id: str) -> list[JournalEntry]:
        """Give a call's entries in order; [] for an unknown call."""
        rows = self._db.execute("SELECT line FROM journal WHERE call_id = ? ORDER BY seq", (call_id,))
        return [JournalEntry.from_line(line) for (line,) in rows]

    def erase(self, call_id: str) -> int:
        """Erase a call's journal; gives how many entries there were."""
        return self._db.execute("DELETE FROM journal WHERE call_id = ?", (call_id,)).rowcount

    def close(self) -> None:
        """Close the file; idempotent."""
        self._db.close()


class RedisStreamSink:
    """Appends to one Redis stream a call; the stream id is ``seq + 1``, so a line written twice is refused and ignored.

    Args:
        url: Such as "redis://127.0.0.1:6379/0".
        ttl_s: Erased after this long without a new entry, seconds; None keeps it.

    Raises:
        MissingExtra: The redis package is not installed.
        SettingsError: It is no address of a Redis server.
    """

    def __init__(self, url: str, *, ttl_s: int | None = None) -> None:
        try:
            import redis
        except ModuleNotFoundError as error:
            raise MissingExtra("the Redis journal", "pip install 'pipecat-interrupt[redis]'") from error
        check_redis(url)
        self._client: Any = redis.Redis.from_url(
            url, socket_timeout=SOCKET_S_MAX, socket_connect_timeout=SOCKET_S_MAX, decode_responses=True
        )
        self._ttl_s = ttl_s
        self._response_error = redis.ResponseError

    def append(self, entry: JournalEntry) -> None:
        """Append one entry.

        Raises:
            JournalConflict: Another entry stands under its call and number.
            redis.RedisError: The server cannot be reached or refuses.
        """
        key, stream_id = STREAM_PREFIX + entry.call_id, f"{entry.seq + 1}-0"
        try:
            self._client.xadd(key, {"line": entry.model_dump_json()}, id=stream_id)
        except self._response_error as error:
            if "equal or smaller" not in str(error) or not (found := self._client.xrange(key, stream_id, stream_id)):
                raise  # refused although it is not there: a later entry came first, and this one is still owed
            if not all(_is_same(fields.get("line", ""), entry) for _, fields in found):
                raise JournalConflict("the Redis journal", entry.seq) from None
        if self._ttl_s is not None:
            self._client.expire(key, self._ttl_s)

    def read(self, call_id: str) -> list[JournalEntry]:
        """Give a call's entries in order; [] for an unknown call."""
        found = self._client.xrange(STREAM_PREFIX + call_id)
        return [JournalEntry.from_line(fields["line"]) for _, fields in found]

    def erase(self, call_id: str) -> int:
        """Erase a call's journal; gives how many entries there were."""
        count = int(self._client.xlen(STREAM_PREFIX + call_id))
        self._client.delete(STREAM_PREFIX + call_id)
        return count

    def close(self) -> None:
        """Give the connection back."""
        self._client.close()


def _is_same(line: str, entry: JournalEntry) -> bool:
    """Whether a kept line is this entry; by digest, as another version of ours may write the same entry otherwise."""
    try:
        return JournalEntry.from_line(line).digest == entry.digest
    except ValidationError:
        return False
