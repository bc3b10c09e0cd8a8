"""A server that has its process to itself does not stop its calls to look through what never goes away."""

from __future__ import annotations

import asyncio
import gc
from pathlib import Path

import pytest

from pipecat_interrupt.serve import ServeConfig, create_app
from pipecat_interrupt.serve.secrets import Secrets
from pipecat_interrupt.serve.server import PhoneServer
from tests.pipecat_interrupt.serve.phone import ScriptedBank

pytestmark = [pytest.mark.contract, pytest.mark.enable_socket]


@pytest.mark.parametrize("own", [True, False])
async def test_only_in_a_process_of_its_own_is_the_start_kept_from_the_collector(own: bool, tmp_path: Path) -> None:
    """Inside somebody else's process nothing of theirs is touched."""
    config = ServeConfig(port=0, out=tmp_path, unsigned=True)
    server = PhoneServer(create_app(config, ScriptedBank(), secrets=Secrets()), config, own_process=own)
    before = gc.get_freeze_count()
    running = asyncio.ensure_future(server.serve())
    try:
        await asyncio.wait_for(server.listening(), 20)
        kept = gc.get_freeze_count() - before
    finally:
        gc.unfreeze()
        server.should_exit = True
        await asyncio.wait_for(running, 20)

    assert own == (kept > 0)
