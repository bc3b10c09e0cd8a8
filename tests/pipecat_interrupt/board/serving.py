"""A board on a real server of this machine, for tests that need a stream or a browser."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

import uvicorn
from fastapi import FastAPI

from pipecat_interrupt.board import Board, BoardToken, mount_board

TOKEN = "t0ken-" + "x" * 30
START_S_MAX = 10.0


@contextlib.contextmanager
def served(board: Board) -> Iterator[str]:
    """Serve a board on a free loopback port; gives its address."""
    app = FastAPI()
    mount_board(app, board, BoardToken(TOKEN))
    config = uvicorn.Config(
        app, host="127.0.0.1", port=0, log_level="error", lifespan="on", timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    started = threading.Event()

    async def tell_started() -> None:
        started.set()

    server.config.callback_notify = tell_started
    server.config.timeout_notify = 0
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        assert started.wait(START_S_MAX), "the server did not start"
        (socket,) = server.servers[0].sockets
        yield f"http://127.0.0.1:{socket.getsockname()[1]}/board/"
    finally:
        server.should_exit = True
        thread.join(START_S_MAX)
