"""The three stores, each as the tests of this folder get it."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from obligations.adapters.redis_store import RedisStore, RedisStoreConfig
from obligations.adapters.sqlite_store import SqliteStore
from obligations.stores import LedgerStore, MemoryStore, ResilienceConfig, ResilientStore
from tests.obligations.stores.servers import start_server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """One server for all tests that leave it running."""
    running = start_server(tmp_path_factory.mktemp("valkey"))
    yield running
    running.stop()


@pytest.fixture(params=["memory", "sqlite", "redis", "resilient"])
def make_store(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], LedgerStore]:
    """Makes one store of each kind; every store made in one test sees the same calls."""
    if request.param == "memory":
        memory = MemoryStore()
        return lambda: memory
    if request.param == "resilient":
        under, spill = MemoryStore(), tmp_path / "spill"
        return lambda: ResilientStore(under, spill, config=ResilienceConfig(timeout_s=5.0))
    if request.param == "sqlite":
        return lambda: SqliteStore(tmp_path / "ledger.sqlite")
    running = request.getfixturevalue("server")
    prefix = uuid.uuid4().hex
    return lambda: RedisStore(RedisStoreConfig(url=running.connection_url, prefix=prefix))


@pytest.fixture
async def store(make_store: Callable[[], LedgerStore]) -> AsyncIterator[LedgerStore]:
    """One store of each kind."""
    made = make_store()
    yield made
    await made.close()
