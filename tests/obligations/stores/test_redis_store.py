"""What only the Redis store promises: open calls never expire, one round trip a turn, a whole pool, no vendor error."""

from __future__ import annotations

import asyncio
import sys
import uuid
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from obligations.adapters.redis_store import RedisStore, RedisStoreConfig
from obligations.errors import MissingExtra
from obligations.stores import StoreUnavailable
from tests.obligations.stores.calls import a_handoff, marks, names
from tests.obligations.stores.servers import kill_server, start_server

pytestmark = pytest.mark.contract


@pytest.fixture
def config(server: Any) -> RedisStoreConfig:
    """A small pool, so that its bound is met."""
    return RedisStoreConfig(url=server.connection_url, prefix=uuid.uuid4().hex, connections_max=3)


@pytest.fixture
async def store(config: RedisStoreConfig) -> AsyncIterator[RedisStore]:
    """A store on the shared server."""
    made = RedisStore(config)
    yield made
    await made.close()


@pytest.fixture
async def raw(server: Any) -> AsyncIterator[Any]:
    """A client that looks at the server from outside."""
    import redis.asyncio

    client = redis.asyncio.Redis.from_url(server.connection_url, decode_responses=True)
    yield client
    await client.aclose()


async def test_nothing_open_or_unsent_ever_expires(store: RedisStore, config: RedisStoreConfig, raw: Any) -> None:
    """No key of a call carries a time to live until its hand-off was passed on; then both do."""
    keys = [f"{config.prefix}:call:c", f"{config.prefix}:events:c"]
    token = await store.claim("c", "w")
    await store.append("c", marks(0, 2), 0, token=token)
    assert [-1, -1] == [await raw.ttl(key) for key in keys]

    await store.finish("c", a_handoff("c"), token=token)
    assert [-1, -1] == [await raw.ttl(key) for key in keys]

    await store.mark_sent("c")
    lives = [await raw.ttl(key) for key in keys]
    assert all(config.keep_s - 60 < life_s <= config.keep_s for life_s in lives)


async def test_an_erased_call_leaves_a_name_and_no_content(
    store: RedisStore, config: RedisStoreConfig, raw: Any
) -> None:
    """The name stays as long as a late worker might come; it holds nothing but the mark."""
    token = await store.claim("c", "w")
    await store.append("c", marks(0, 2), 0, token=token)

    await store.erase("c")

    assert {"erased": "1"} == await raw.hgetall(f"{config.prefix}:call:c")
    assert 0 == await raw.exists(f"{config.prefix}:events:c")
    assert await raw.ttl(f"{config.prefix}:call:c") > 0


@pytest.mark.parametrize("keep_s", [0, 3600, 86_399])
def test_a_time_to_live_shorter_than_any_call_is_refused(keep_s: int) -> None:
    """A day is the shortest."""
    with pytest.raises(ValidationError):
        RedisStoreConfig(url="redis://127.0.0.1:1", keep_s=keep_s)


async def test_a_turn_costs_one_round_trip(store: RedisStore, raw: Any) -> None:
    """Counted by the server: one script call, whatever the number of events."""
    token = await store.claim("c", "w")
    await store.append("c", marks(0, 1), 0, token=token)  # the script is loaded
    before = (await raw.info("commandstats"))["cmdstat_evalsha"]["calls"]

    for turn in range(10):
        await store.append("c", marks(1 + 7 * turn, 7), 1 + 7 * turn, token=token)

    after = await raw.info("commandstats")
    assert 10 == after["cmdstat_evalsha"]["calls"] - before


async def test_cancelled_commands_leave_the_pool_whole(store: RedisStore, config: RedisStoreConfig, raw: Any) -> None:
    """Three hundred callers cut off on three connections: afterwards every place is free and every answer is right."""
    token = await store.claim("c", "w")
    await store.append("c", marks(0, 4), 0, token=token)
    for cut in range(30):
        tasks = [asyncio.ensure_future(store.read("c" if n % 2 else "other")) for n in range(10)]
        await asyncio.sleep(0.0002 * (cut % 5))
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    answers = await asyncio.wait_for(asyncio.gather(*(store.read("c") for _ in range(12))), 5.0)

    assert [["u0", "u1", "u2", "u3"]] * 12 == [names(events) for events in answers]
    clients = await raw.client_list()
    assert sum(1 for c in clients if c["id"]) <= 3 + 16 + 1  # ours, the other store's pool, the watcher


async def test_a_server_that_forgot_its_scripts_is_taught_again(store: RedisStore, raw: Any) -> None:
    """A script cache emptied under a running store costs nothing but a round trip."""
    token = await store.claim("c", "w")
    await raw.script_flush()

    await store.append("c", marks(0, 1), 0, token=token)

    assert ["u0"] == names(await store.read("c"))


async def test_a_dead_server_is_unavailable_and_nothing_else(tmp_path: Path) -> None:
    """Killed under the store, every method raises our error, in time; back again, the same store works."""
    running = start_server(tmp_path, appendonly=True)
    store = RedisStore(RedisStoreConfig(url=running.connection_url, timeout_s=0.5))
    token = await store.claim("c", "w")
    await store.append("c", marks(0, 1), 0, token=token)
    port = kill_server(running)

    for attempt in (
        store.claim("c", "w"),
        store.append("c", marks(1, 1), 1, token=token),
        store.read("c"),
        store.finish("c", a_handoff("c"), token=token),
        store.open_calls(),
        store.erase("c"),
    ):
        with pytest.raises(StoreUnavailable):
            await asyncio.wait_for(attempt, 3.0)

    again = start_server(tmp_path, port=port, appendonly=True)
    try:
        await store.append("c", marks(1, 1), 1, token=token)
        assert ["u0", "u1"] == names(await store.read("c"))
    finally:
        await store.close()
        again.stop()


async def test_a_closed_store_says_so(config: RedisStoreConfig) -> None:
    """Closing twice is harmless; using it afterwards is not silent."""
    store = RedisStore(config)
    await store.close()
    await store.close()

    with pytest.raises(StoreUnavailable):
        await store.read("c")


def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message is an install line."""
    monkeypatch.setitem(sys.modules, "redis.asyncio", None)

    with pytest.raises(MissingExtra, match=r"pipecat-interrupt\[redis\]"):
        RedisStore(RedisStoreConfig(url="redis://127.0.0.1:1"))
