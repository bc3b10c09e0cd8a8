"""Two workers at one call, in every order hypothesis thinks of: no event is lost, doubled or moved."""

from __future__ import annotations

import asyncio
import tempfile
import uuid
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from obligations.adapters.redis_store import RedisStore, RedisStoreConfig
from obligations.adapters.sqlite_store import SqliteStore
from obligations.stores import CallClosed, Conflict, FencingToken, LedgerStore, MemoryStore, StaleToken, StoreRolledBack
from tests.obligations.stores.calls import a_handoff, marks, names

pytestmark = pytest.mark.contract

STEPS = st.lists(
    st.tuples(
        st.integers(0, 1),
        st.sampled_from(["claim", "append", "append", "append", "stale_append", "read", "finish"]),
        st.integers(0, 3),
    ),
    max_size=25,
)


async def _play(store: LedgerStore, steps: list[tuple[int, str, int]]) -> None:
    """Drive two workers and a model of the truth side by side."""
    truth: list[str] = []
    owner, finished = -1, 0
    tokens = [FencingToken(0), FencingToken(0)]
    known = [0, 0]
    for turn, (worker, step, count) in enumerate(steps):
        if step == "claim":
            tokens[worker], owner = await store.claim("c", f"w{worker}"), worker
        elif step == "read":
            events = names(await store.read("c"))
            assert truth == events
            known[worker] = len(events)
        elif step == "finish":
            try:
                finished += await store.finish("c", a_handoff("c"), token=tokens[worker])
            except (StaleToken, StoreRolledBack):
                assert owner != worker
        else:
            seq = known[worker] if step == "append" else max(0, known[worker] - 1)
            batch = marks(seq, count, f"w{worker}t{turn}-")
            try:
                await store.append("c", batch, seq, token=tokens[worker])
            except (StaleToken, StoreRolledBack):
                assert owner != worker
            except CallClosed:
                assert finished == 1
            except Conflict as refused:
                assert refused.stored_seq == len(truth) != seq
            else:
                assert owner == worker and seq == len(truth) and not finished
                truth += names(batch)
                known[worker] = len(truth)
    assert truth == names(await store.read("c"))
    assert finished <= 1


async def _on_sqlite(steps: list[tuple[int, str, int]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "s.sqlite")
        await _play(store, steps)
        await store.close()


async def _on_redis(url: str, steps: list[tuple[int, str, int]]) -> None:
    store = RedisStore(RedisStoreConfig(url=url, prefix=uuid.uuid4().hex))
    await _play(store, steps)
    await store.close()


@given(STEPS)
@settings(max_examples=150, deadline=None)
def test_in_memory(steps: list[tuple[int, str, int]]) -> None:
    """Truth and store agree after every order of claims, appends, reads and finishes."""
    asyncio.run(_play(MemoryStore(), steps))


@given(STEPS)
@settings(max_examples=30, deadline=None)
def test_in_sqlite(steps: list[tuple[int, str, int]]) -> None:
    """The same in a file."""
    asyncio.run(_on_sqlite(steps))


@given(steps=STEPS)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_in_redis(server: Any, steps: list[tuple[int, str, int]]) -> None:
    """The same on a real server."""
    asyncio.run(_on_redis(server.connection_url, steps))
