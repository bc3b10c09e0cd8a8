"""`pipecat-interrupt board FOLDER`: the live board over journals that bots are writing."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


def board_command(
    journals: Annotated[
        str,
        typer.Argument(help="Folder of journals (*.jsonl), searched with its sub-folders, or redis://HOST:PORT/DB."),
    ],
    host: Annotated[
        str, typer.Option(help="Address to listen on; put TLS in front of any other than this machine's.")
    ] = ("127.0.0.1"),
    port: Annotated[int, typer.Option(min=1, max=65_535, help="Port to listen on.")] = 8090,
    recent_min: Annotated[
        float, typer.Option(min=1, help="Pass over journals not written to for so many minutes.")
    ] = 10,
) -> None:
    """Show the calls in progress: open obligations, struck-through transcript, gate decisions, live.

    Needs the access token in PIPECAT_INTERRUPT_BOARD_TOKEN (at least 32 characters; `openssl rand -hex 32`). Works
    beside any bot that writes journals: `InterruptKit(..., journal=FOLDER / "call.jsonl")`, or with all workers of
    `serve` that have PIPECAT_INTERRUPT_JOURNAL=redis://...
    """
    from pipecat_interrupt.cli.targets import check_port
    from pipecat_interrupt.errors import MissingExtra, SettingsError

    url = journals if journals.startswith(("redis://", "rediss://")) else None
    if url is None and not Path(journals).is_dir():
        raise SettingsError(f"{journals}: no such folder; name the one your bots write journals into, or make it first")
    try:
        import uvicorn
        from fastapi import FastAPI
    except ModuleNotFoundError as error:
        raise MissingExtra("the board", "pip install 'pipecat-interrupt[board]'") from error

    from pipecat_interrupt.board import Board, BoardSettings, BoardToken, FolderFeed, RedisFeed, mount_board

    token = BoardToken.from_environment()
    app = FastAPI(title="board", docs_url=None, redoc_url=None, openapi_url=None)
    board = Board(BoardSettings(insecure_cookie=host in LOOPBACK))
    feed = RedisFeed(url) if url else FolderFeed(Path(journals), newer_than_s=60 * recent_min)
    mount_board(app, board, token, feed=feed)
    told = "journals in Redis" if url else journals  # an address may hold a password
    check_port(host, port)
    typer.echo(f"board of {told}: http://{host}:{port}/board/")
    uvicorn.run(app, host=host, port=port, log_level="warning", server_header=False)
