"""The board's facts from Redis: the journals of every worker's calls, one stream a call.

Owns the finding and following of streams. A line that is no journal entry costs its call that line and nothing else; a
server that is away costs the board news until it is back.
"""

from __future__ import annotations

import asyncio
from typing import Any

from loguru import logger
from pydantic import ValidationError

from pipecat_interrupt.board.hub import Board
from pipecat_interrupt.errors import MissingExtra
from pipecat_interrupt.journal import JournalEntry
from pipecat_interrupt.journal.addresses import check_redis
from pipecat_interrupt.journal.databases import SOCKET_S_MAX, STREAM_PREFIX

STREAMS_MAX = 2000
READ_MAX = 500
"""Entries read of one stream at one poll; the rest comes with the next."""

FIND_EVERY = 4
"""Polls between two searches for new streams."""


class RedisFeed:
    """Journals that workers write to Redis (`RedisStreamSink`, or `serve` with `PIPECAT_INTERRUPT_JOURNAL`).

    Calls that have ended when the board first sees them are passed over: it shows calls, not archives.

    Args:
        url: Such as `redis://127.0.0.1:6379/0`.
        poll_s: How often the streams are read.

    Raises:
        MissingExtra: The redis package is not installed.
        SettingsError: It is no address of a Redis server.
    """

    def __init__(self, url: str, poll_s: float = 0.5) -> None:
        try:
            from redis.asyncio import Redis
        except ModuleNotFoundError as error:
            raise MissingExtra("the board's feed from Redis", "pip install 'pipecat-interrupt[redis]'") from error
        check_redis(url)
        self._client: Any = Redis.from_url(
            url, socket_timeout=SOCKET_S_MAX, socket_connect_timeout=SOCKET_S_MAX, decode_responses=True
        )
        self._poll_s = poll_s
        self._last: dict[str, str] = {}
        self._passed: set[str] = set()
        self._away = False
        self._polls = 0

    async def run(self, board: Board) -> None:
        """Poll until cancelled."""
        try:
            while True:
                try:
                    find = self._polls % FIND_EVERY == 0
                    if find:
                        await self._find()
                    await self._read(board)
                    if self._away and find:  # where no stream is known, reading asks nothing
                        logger.info("the board reads its journals in Redis again")
                        self._away = False
                except Exception as error:  # the vendor's errors, and whatever a foreign stream holds
                    if not self._away:
                        logger.error(
                            "the board cannot read its journals in Redis ({}); it goes on trying: check that the server"
                            " runs and the address is right",
                            type(error).__name__,
                        )
                    self._away = True
                self._polls += 1
                await asyncio.sleep(self._poll_s)
        finally:
            await self._client.aclose()

    async def _find(self) -> None:
        """Look for streams; those that are gone are forgotten, so that neither set grows without end."""
        found: set[str] = set()
        async for key in self._client.scan_iter(match=f"{STREAM_PREFIX}*", count=1000, _type="stream"):
            found.add(key)
            if len(found) >= STREAMS_MAX:
                break
        self._last = {key: last for key, last in self._last.items() if key in found}
        self._passed &= found
        for key in found - self._last.keys() - self._passed:
            if await self._has_ended(key):
                self._passed.add(key)
            else:
                self._last[key] = "0-0"

    async def _has_ended(self, key: str) -> bool:
        rows = await self._client.xrevrange(key, count=1)
        entry = _entry(rows[0][1]) if rows else None
        return entry is not None and entry.data.kind == "call_ended"

    async def _read(self, board: Board) -> None:
        if not self._last:
            return
        for key, rows in await self._client.xread(self._last, count=READ_MAX):
            for stream_id, fields in rows:
                self._last[key] = stream_id
                entry = _entry(fields)
                if entry is None:
                    logger.error("a line of a journal in Redis could not be read; the call's other lines are shown")
                else:
                    board.take(entry)


def _entry(fields: dict[str, str]) -> JournalEntry | None:
    try:
        return JournalEntry.from_line(fields.get("line", ""))
    except ValidationError:
        return None
