"""The board on the phone server: one application, one loop, the calls of that process."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest

from pipecat_interrupt.board import TOKEN_ENV
from pipecat_interrupt.cli.serve import _put_board
from pipecat_interrupt.kit import InterruptKit
from pipecat_interrupt.serve import Provider, ServeConfig, create_app
from pipecat_interrupt.serve.secrets import Secrets
from tests.pipecat_interrupt.board.serving import TOKEN
from tests.pipecat_interrupt.serve.phone import ScriptedBank

pytestmark = pytest.mark.contract


def _config(out: Path) -> ServeConfig:
    return ServeConfig(pathway="cataract-followup", out=out, unsigned=True)


async def test_a_call_of_the_server_stands_on_its_board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the token set, `serve` shows the call while it runs and says how it ended."""
    monkeypatch.setenv(TOKEN_ENV, TOKEN)
    config, bank = _config(tmp_path), ScriptedBank()
    app = create_app(config, bank, secrets=Secrets())
    _put_board(app, config)
    registry = app.state.registry
    headers = {"Authorization": f"Bearer {TOKEN}"}

    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://board", headers=headers) as client,
    ):
        await asyncio.sleep(0)
        call = registry.promise(Provider.TWILIO, "carrier-1")
        registry.begin(call.id)
        registry.attach(call, InterruptKit("cataract-followup", call_id=call.id))
        await asyncio.sleep(0.01)
        running = (await client.get("/board/")).text
        registry.over(call, "hang_up")
        await asyncio.sleep(0.01)
        ended = (await client.get("/board/")).text
        refused = await client.get("/board/", headers={"Authorization": "Bearer wrong"})

    assert bank.started == 1  # the server's own start still happened
    assert "Follow-up after a cataract operation" in running and "in progress" in running
    assert "ended: hang_up" in ended
    assert refused.status_code == 401


async def test_without_a_token_there_is_no_board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not an open one, and not one with a token of its own making."""
    monkeypatch.delenv(TOKEN_ENV, raising=False)
    app = create_app(_config(tmp_path), ScriptedBank(), secrets=Secrets())

    _put_board(app, _config(tmp_path))

    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://board") as client:
        assert (await client.get("/board/login")).status_code == 404
