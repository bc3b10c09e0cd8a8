"""`kill -9` on a process with a whole pipeline: another process takes the caller up where it stood."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from obligations import Handoff, load_pathway
from obligations.stores import finish_lost
from obligations.testing import PlainReader
from pipecat_interrupt.kit import InterruptKit, keep_call
from tests.obligations.stores.servers import start_server
from tests.obligations.stores.worker import open_store

from .calls import scripted_demo
from .kept_worker import OutsideStore

pytestmark = [pytest.mark.contract, pytest.mark.timeout(300)]  # two processes, each with a whole pipeline

ROOT = Path(__file__).resolve().parents[3]
PATHWAY = load_pathway("cataract-followup")
DIES_AT_S = 50.0


@pytest.fixture(params=["sqlite", "redis"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, str]]:
    """Where two processes meet: a file, or a server."""
    if request.param == "sqlite":
        yield "sqlite", str(tmp_path / "ledger.sqlite")
        return
    server = start_server(tmp_path / "server")
    yield "redis", server.connection_url
    server.stop()


def test_a_worker_killed_in_mid_sentence_loses_nothing_and_the_hand_off_is_given_once(place: tuple[str, str]) -> None:
    """A real process, a real signal, a real store: every event is there, nobody is greeted twice, one hand-off."""
    command = [sys.executable, "-m", "tests.pipecat_interrupt.kit.kept_worker", *place, "call-1", str(DIES_AT_S)]
    worker = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert worker.stdout is not None
    with worker.stdout:
        said = worker.stdout.readline().split()
        worker.kill()
        assert -signal.SIGKILL == worker.wait(10)
    assert ["in", "mid-sentence"] == said[:2] and said[2] == said[3]
    got: list[Handoff] = []
    late: list[bool] = []
    store = OutsideStore(open_store(*place))

    class Inbox:
        async def send(self, handoff: Handoff) -> None:
            got.append(handoff)

    async def open_kit() -> InterruptKit:
        return InterruptKit(await keep_call(store, PATHWAY, call_id="call-1", worker_id="heir", sinks=[Inbox()]))

    async def after() -> None:
        _, first = await finish_lost(store, PATHWAY, "call-1", worker_id="late", reader=PlainReader())
        late.append(first)
        await store.close()

    heir, _ = scripted_demo(open_kit=open_kit, after=after, vad="text")

    assert heir.kept is not None and heir.kept.call.resumed_events == int(said[2])
    assert not any(PATHWAY.phrases["en"].greeting in record.intended for record in heir.scribe.records)
    assert [o.id for o in heir.summary().obligations if o.critical and not o.closed] == []
    assert ([heir.handoff], [False]) == (got, late)


def test_a_call_whose_line_went_with_its_worker_gets_one_hand_off_from_a_supervisor(tmp_path: Path) -> None:
    """Killed, and nobody calls back: what was covered and what is open stands in one hand-off, reason crash."""
    place = "sqlite", str(tmp_path / "ledger.sqlite")
    command = [sys.executable, "-m", "tests.pipecat_interrupt.kit.kept_worker", *place, "call-1", "30.0"]
    worker = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert worker.stdout is not None
    with worker.stdout:
        assert worker.stdout.readline().startswith("in mid-sentence")
        worker.kill()
        worker.wait(10)

    async def supervise() -> list[tuple[str, bool]]:
        store, results = open_store(*place), list[tuple[str, bool]]()
        for call_id in [*await store.open_calls(), "call-1"]:
            handoff, first = await finish_lost(store, PATHWAY, call_id, worker_id="s", reader=PlainReader())
            assert {"light.escalation", "pain"} <= {item.item_id for item in handoff.open_items}
            results.append((handoff.end_reason, first))
        await store.close()
        return results

    assert [("crash", True), ("crash", False)] == asyncio.run(supervise())
