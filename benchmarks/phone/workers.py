"""A worker process seen from outside: started, asked for its figures, killed or stopped."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from benchmarks.errors import EnvironmentFault
from benchmarks.phone.worker import Orders
from benchmarks.provenance import ROOT

START_S_MAX = 60.0
STOP_S_MAX = 30.0


class Worker:
    """One worker process.

    Args:
        orders: What it is to do.
    """

    def __init__(self, orders: Orders) -> None:
        self.orders = orders
        self._process: subprocess.Popen[str] | None = None
        self.port = 0

    async def start(self) -> None:
        """Start it and wait until it listens; a worker that was killed starts again on its port.

        Raises:
            EnvironmentFault: It does not come up.
        """
        orders = replace(self.orders, port=self.port or self.orders.port)
        environment = {**os.environ, "OMP_NUM_THREADS": "1"}
        self._process = await asyncio.to_thread(
            subprocess.Popen,
            [sys.executable, "-m", "benchmarks.phone.worker", json.dumps(asdict(orders))],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            async with asyncio.timeout(START_S_MAX):
                line = await asyncio.to_thread(self._process.stdout.readline)  # pyright: ignore[reportOptionalMemberAccess]
            self.port = int(json.loads(line)["port"])
        except (TimeoutError, ValueError) as error:
            self.kill()
            raise EnvironmentFault(f"worker {self.orders.name} did not come up; its error stands above") from error

    @property
    def http(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int:
        """Its process."""
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        """Kill it without a warning."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(STOP_S_MAX)
            if self._process.stdout is not None:
                self._process.stdout.close()

    async def stop(self) -> None:
        """Stop it as a supervisor does; kill it when it does not come down."""
        if self._process is None or self._process.poll() is not None:
            return
        self._process.send_signal(signal.SIGTERM)
        try:
            await asyncio.to_thread(self._process.wait, STOP_S_MAX)
        except subprocess.TimeoutExpired:
            pass
        self.kill()

    @property
    def cpu_s(self) -> float:
        """CPU seconds it used so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def samples(self) -> list[dict[str, Any]]:
        """Every sample of its figures so far; a last line cut off by a kill is left out."""
        return read_lines([Path(self.orders.out) / f"samples-{self.orders.name}.jsonl"])


def read_lines(files: Sequence[Path]) -> list[dict[str, Any]]:
    """Read JSON lines; one that a kill cut off is left out."""
    out: list[dict[str, Any]] = []
    for file in files:
        for line in file.read_text(encoding="utf-8").splitlines():
            try:
                out.append(json.loads(line))
            except json.JSONDecodeError:
                continue
    return out
