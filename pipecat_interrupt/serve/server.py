"""Runs the application: uvicorn with our bounds, and a stop that lets running calls finish.

Owns signals. The first SIGTERM (or Ctrl-C) begins a drain, the second tells running calls to end now, the third stops
at once. uvicorn by itself would close every media stream at the first.
"""

from __future__ import annotations

import asyncio
import gc
import socket
from types import FrameType

import uvicorn
from fastapi import FastAPI
from loguru import logger

from pipecat_interrupt.serve.config import ServeConfig
from pipecat_interrupt.serve.drain import Drain

SPARE_CONNECTIONS = 64
"""Connections beside the calls' own: webhooks, probes, a board."""

SHUTDOWN_S_MAX = 10
HEADER_BYTES_MAX = 16 * 1024
PING_S = 20.0


class PhoneServer(uvicorn.Server):
    """The server.

    Args:
        app: From `create_app`.
        config: The same settings.
        own_process: This process does nothing else. Then what is loaded by the start, some two hundred thousand
            objects, is kept out of the cyclic garbage collector's sight: looking through them stops every call at once.
    """

    def __init__(self, app: FastAPI, config: ServeConfig, *, own_process: bool = False) -> None:
        limits = config.limits
        super().__init__(
            uvicorn.Config(
                app,
                host=config.host,
                port=config.port,
                access_log=False,  # a path holds the stream's token
                log_config=None,
                server_header=False,
                proxy_headers=False,
                ws_max_size=limits.message_bytes_max,
                ws_per_message_deflate=False,
                ws_ping_interval=PING_S,
                ws_ping_timeout=max(PING_S, limits.idle_s),  # else a stalled line would be cut by its own ping
                h11_max_incomplete_event_size=HEADER_BYTES_MAX,
                limit_concurrency=2 * limits.calls_max + SPARE_CONNECTIONS,
                timeout_keep_alive=5,
                timeout_graceful_shutdown=SHUTDOWN_S_MAX,
            )
        )
        self._drain: Drain = app.state.drain
        self._stopping: asyncio.Task[None] | None = None
        self._signals = 0
        self._up = asyncio.Event()
        self._own_process = own_process

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to listen (uvicorn calls this)."""
        await super().startup(sockets)
        if self._own_process:
            gc.collect()
            gc.freeze()
        self._up.set()

    async def listening(self) -> None:
        """Wait until the server listens; `port` is known then."""
        await self._up.wait()

    @property
    def port(self) -> int:
        """The port that is listened on, once started; it differs from the settings' where that is 0."""
        return self.servers[0].sockets[0].getsockname()[1]

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """A signal came: drain, then hurry, then stop."""
        del frame
        self._signals += 1
        if self._signals == 1:
            logger.info("signal {}: taking no new calls", sig)
            asyncio.get_running_loop().call_soon_threadsafe(self._begin_stop)
        elif self._signals == 2:
            asyncio.get_running_loop().call_soon_threadsafe(self._drain.hurry)
        else:
            self.should_exit = True
            self.force_exit = True

    async def stop(self) -> None:
        """Drain and stop, as a signal would."""
        self._begin_stop()
        if self._stopping is not None:
            await self._stopping

    def _begin_stop(self) -> None:
        self._drain.begin()
        if self._stopping is None:
            self._stopping = asyncio.ensure_future(self._stop())

    async def _stop(self) -> None:
        try:
            await self._drain.drain()
        finally:
            self.should_exit = True
