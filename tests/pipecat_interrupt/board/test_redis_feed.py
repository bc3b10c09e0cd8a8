"""One board for the calls of all workers: their journals come through Redis."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from loguru import logger

from pipecat_interrupt.board import Board, RedisFeed
from pipecat_interrupt.board.redis_feed import FIND_EVERY
from pipecat_interrupt.cli.serve import JOURNAL_ENV, _journal_sinks
from pipecat_interrupt.errors import SettingsError
from pipecat_interrupt.journal.databases import STREAM_PREFIX, RedisStreamSink
from pipecat_interrupt.journal.entries import CallEnded
from pipecat_interrupt.kit import InterruptKit
from tests.obligations.stores.servers import kill_server, start_server

pytestmark = [pytest.mark.contract, pytest.mark.enable_socket]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Any]:
    """A server of the Redis protocol."""
    started = start_server(tmp_path / "redis")
    yield started
    started.terminate()


def url_of(server: Any) -> str:
    """Its address."""
    return f"redis://127.0.0.1:{server.port}/0"


async def until(board: Board, calls: int) -> int:
    """Wait until so many calls are shown; how many are."""
    async with asyncio.timeout(10):
        while True:
            board.catch_up()
            if len(board.keys) >= calls:
                return len(board.keys)
            await asyncio.sleep(0.02)


def worker(url: str, call_id: str) -> RedisStreamSink:
    """What a worker writes of a call that has begun."""
    sink = RedisStreamSink(url)
    for entry in InterruptKit("cataract-followup", call_id=call_id).memory.entries:
        sink.append(entry)
    return sink


async def test_calls_of_two_workers_stand_on_one_board_and_a_bad_line_costs_only_itself(server: Any) -> None:
    """Found while the board runs, followed from their beginning; a line of rubbish does not take a call off."""
    url, board = url_of(server), Board()
    await asyncio.to_thread(worker, url, "first")
    await asyncio.to_thread(worker, url, "second")
    client = server.client()
    client.xadd(STREAM_PREFIX + "second", {"line": "{torn"}, id="500-0")
    client.xadd(STREAM_PREFIX + "third", {"other": "rubbish"})
    feed = asyncio.ensure_future(RedisFeed(url, poll_s=0.02).run(board))
    try:
        assert await until(board, 2) == 2
        await asyncio.to_thread(worker, url, "late")
        assert await until(board, 3) == 3
    finally:
        feed.cancel()
        await asyncio.gather(feed, return_exceptions=True)


async def test_a_call_that_had_ended_is_passed_over_and_an_outage_is_outlived(server: Any, tmp_path: Path) -> None:
    """The board shows calls, not archives; when the server is back, so is the news."""
    url, board = url_of(server), Board()
    done = InterruptKit("cataract-followup", call_id="done")
    done.journal.write(CallEnded(reason="hang_up"), 1.0)
    sink = RedisStreamSink(url)
    for entry in done.memory.entries:
        sink.append(entry)
    await asyncio.to_thread(worker, url, "running")
    feed = asyncio.ensure_future(RedisFeed(url, poll_s=0.02).run(board))
    try:
        assert await until(board, 1) == 1
        port = kill_server(server)
        await asyncio.sleep(0.1)
        again = await asyncio.to_thread(start_server, tmp_path / "redis2", port=port)
        try:
            await asyncio.to_thread(worker, url, "after")
            assert await until(board, 2) == 2
        finally:
            await asyncio.to_thread(again.terminate)
    finally:
        feed.cancel()
        await asyncio.gather(feed, return_exceptions=True)


def test_the_phone_server_writes_journals_where_the_environment_says(
    server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sink of its own for each call; anything but a Redis address is refused in one line."""
    monkeypatch.delenv(JOURNAL_ENV, raising=False)
    assert _journal_sinks()() == []

    monkeypatch.setenv(JOURNAL_ENV, url_of(server))
    first, second = (_journal_sinks()()[0] for _ in range(2))
    first.append(InterruptKit(call_id="c").memory.entries[0])
    assert first is not second
    assert server.client().ttl(STREAM_PREFIX + "c") > 80_000

    monkeypatch.setenv(JOURNAL_ENV, "somewhere")
    with pytest.raises(SettingsError, match="redis://host"):
        _journal_sinks()


async def test_a_server_that_is_away_is_told_once_and_its_return_too(server: Any, tmp_path: Path) -> None:
    """However long it is away, with no stream known."""
    told: list[str] = []
    sink = logger.add(
        lambda message: told.append(message.record["message"]), level="INFO", filter="pipecat_interrupt.board"
    )
    feed = RedisFeed(url_of(server), poll_s=0.01)
    port = kill_server(server)
    running = asyncio.ensure_future(feed.run(Board()))
    await wait_until(lambda: feed._polls > 3 * FIND_EVERY)
    again = start_server(tmp_path / "redis", port=port)
    try:
        await wait_until(lambda: any("again" in line for line in told))
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)  # it closes its connection in this test's loop
        logger.remove(sink)
        again.stop()

    assert [False, True] == ["again" in line for line in told]


async def wait_until(reached: Callable[[], bool]) -> None:
    """Wait for it, within a bound."""
    async with asyncio.timeout(15):
        while True:
            if reached():
                return
            await asyncio.sleep(0.02)
