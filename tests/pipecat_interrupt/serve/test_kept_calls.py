"""Calls that outlive their worker: one ledger for all workers, one name of a call, one hand-off."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from obligations.answers.reader import LocalAnswerReader
from obligations.handoff import Handoff
from obligations.ledger import Event
from obligations.pathway import load_pathway
from obligations.stores import FencingToken, MemoryStore
from obligations.stores.errors import StoreUnavailable
from obligations.tracker import Tracker
from pipecat_interrupt.kit import keep_call
from pipecat_interrupt.serve import Limits, Provider
from pipecat_interrupt.serve.desk import write_handoff
from pipecat_interrupt.serve.hooks import WAITS_MAX, name_of
from pipecat_interrupt.serve.secrets import Secrets
from pipecat_interrupt.testing.carrier import AskAgain, Busy, CallIds, CarrierSecrets, SimulatedCall
from tests.pipecat_interrupt.serve.phone import TWILIO_TOKEN, serving

pytestmark = [pytest.mark.contract, pytest.mark.enable_socket]

CATARACT = "cataract-followup"
IDS = CallIds(call="CA-kept")


async def test_a_call_that_comes_back_on_another_worker_goes_on_and_is_handed_off_once(tmp_path: Path) -> None:
    """The first worker still holds a dead line; the second claims the call and gives the one hand-off."""
    store = MemoryStore()
    async with (
        serving(tmp_path / "a", pathway=CATARACT, store=store, limits=Limits(cancel_s=1)) as first,
        serving(tmp_path / "b", pathway=CATARACT, store=store) as second,
    ):
        stale = await first.call(IDS)
        assert await stale.agent_speaks()
        line = await second.call(IDS)
        assert await line.agent_speaks()
        kits = [phone.registry.calls[0].kit for phone in (first, second)]
        await stale.hang_up()
        await first.over(IDS.call)
        await line.hang_up()
        over = await second.over(IDS.call)

    name = name_of(Provider.TWILIO, IDS.call)
    assert over.id == name
    assert [kit is not None and kit.resumed for kit in kits] == [False, True]
    assert not (tmp_path / "a" / name / "handoff.json").exists()
    written = json.loads((tmp_path / "b" / name / "handoff.json").read_text(encoding="utf-8"))
    assert written["call_id"] == name
    assert await store.handoff(name) is not None


async def test_a_stream_may_open_on_a_worker_that_did_not_promise_it(tmp_path: Path) -> None:
    """One secret, two workers behind one address: the token says which call it is."""
    shared = {"TWILIO_AUTH_TOKEN": TWILIO_TOKEN, "PIPECAT_INTERRUPT_STREAM_SECRET": "s" * 40}
    secrets, signs = Secrets.from_environment(shared), CarrierSecrets(auth_token=TWILIO_TOKEN)
    async with (
        serving(tmp_path / "a", pathway=CATARACT, secrets=secrets, signs=signs) as first,
        serving(tmp_path / "b", pathway=CATARACT, secrets=secrets, signs=signs) as second,
    ):
        address = await first.stream_url(IDS)

        line = SimulatedCall("twilio", IDS)
        await line.open(address.replace(str(first.server.port), str(second.server.port), 1))
        assert await line.agent_speaks()
        await line.hang_up()
        over = await second.over(IDS.call)

    assert (tmp_path / "b" / over.id / "handoff.json").exists()
    assert not (tmp_path / "a" / over.id / "handoff.json").exists()


@pytest.mark.parametrize("provider", list(Provider))
async def test_when_a_stream_closes_under_a_caller_the_carrier_asks_again_and_the_call_goes_on(
    provider: Provider, tmp_path: Path
) -> None:
    """A worker that died left the call open: another stream is opened, and the ledger is gone on with."""
    store = MemoryStore()
    async with serving(tmp_path, pathway=CATARACT, provider=provider, store=store) as phone:
        await keep_call(store, CATARACT, call_id=name_of(provider, IDS.call), worker_id="dead")
        line = SimulatedCall(provider.value, IDS)
        await line.open(await phone.stream_url(IDS, "?again=1"))
        assert await line.agent_speaks()
        kit = phone.registry.calls[0].kit
        await line.hang_up()
        await phone.over(IDS.call)

        assert kit is not None
        assert kit.resumed
        with pytest.raises(Busy):  # the call has had its hand-off: the carrier is told to hang up
            await phone.stream_url(IDS, "?again=1")
        assert phone.registry.calls == ()


class AwayStore(MemoryStore):
    """A store that can be away."""

    away = False

    def _ask(self) -> None:
        if self.away:
            raise StoreUnavailable("away")

    async def claim(self, call_id: str, worker_id: str) -> FencingToken:
        self._ask()
        return await super().claim(call_id, worker_id)

    async def read(self, call_id: str) -> list[Event]:
        self._ask()
        return await super().read(call_id)

    async def handoff(self, call_id: str) -> Handoff | None:
        self._ask()
        return await super().handoff(call_id)


@pytest.mark.parametrize("provider", list(Provider))
async def test_a_caller_who_comes_back_waits_for_a_store_that_is_away_and_the_call_goes_on(
    provider: Provider, tmp_path: Path
) -> None:
    """Begun anew the call would be handed off twice; a store that stays away has it begun anew all the same."""
    store = AwayStore()
    async with serving(tmp_path, pathway=CATARACT, provider=provider, store=store) as phone:
        await keep_call(store, CATARACT, call_id=name_of(provider, IDS.call), worker_id="dead")
        store.away = True
        with pytest.raises(AskAgain, match="1 s") as asked:
            await phone.stream_url(IDS, "?again=1")
        assert asked.value.url.endswith(f"/{provider.value}/voice?again=2")
        assert phone.registry.calls == ()
        assert (await phone.stream_url(IDS, f"?again={WAITS_MAX + 1}")).startswith("ws://")  # enough waited

        store.away = False
        line = SimulatedCall(provider.value, IDS)
        await line.open(await phone.stream_url(IDS, "?again=2"))
        assert await line.agent_speaks()
        kit = phone.registry.calls[0].kit
        await line.hang_up()
        await phone.over(IDS.call)

    assert kit is not None
    assert kit.resumed


async def test_a_call_that_comes_back_is_taken_up_when_the_store_answers_not_before(tmp_path: Path) -> None:
    """The store goes away between webhook and stream: the call waits for it, and is not begun anew."""
    store = AwayStore()
    async with serving(tmp_path, pathway=CATARACT, store=store) as phone:
        await keep_call(store, CATARACT, call_id=name_of(Provider.TWILIO, IDS.call), worker_id="dead")
        address = await phone.stream_url(IDS, "?again=1")
        store.away = True
        line = SimulatedCall("twilio", IDS)
        await line.open(address)
        await line.wait(0.3)
        assert phone.registry.calls[0].kit is None

        store.away = False
        assert await line.agent_speaks()
        kit = phone.registry.calls[0].kit
        await line.hang_up()
        await phone.over(IDS.call)

    assert kit is not None
    assert kit.resumed


async def test_a_hand_off_that_no_worker_passed_on_is_written_with_its_parts_joined(tmp_path: Path) -> None:
    """A server that starts looks for them; a part of a call that was begun anew is in what it writes."""
    store, pathway = MemoryStore(), load_pathway(CATARACT)
    told = Tracker(pathway, call_id="c", reader=LocalAnswerReader()).handoff("crash", 1.0)
    token = await store.claim("c", "dead")
    await store.finish("c", told.model_copy(update={"version": int(token)}), token=token)
    await store.add_part("c", told.model_copy(update={"end_reason": "hang_up", "requests": ("person",)}))

    async with serving(tmp_path, pathway=CATARACT, store=store), asyncio.timeout(10.0):
        while await store.unsent():  # noqa: ASYNC110 - a store tells nobody
            await asyncio.sleep(0.02)

    written = Handoff.model_validate_json((tmp_path / "c" / "handoff.json").read_bytes())
    assert ("hang_up", ("person",), 2) == (written.end_reason, written.requests, written.parts)
    assert written == await store.handoff("c") and written.version > token


def test_a_replaced_hand_off_never_comes_back_over_the_one_that_replaced_it(tmp_path: Path) -> None:
    """Whatever order two workers write into one folder in."""
    made = Tracker(load_pathway(CATARACT), call_id="c", reader=LocalAnswerReader()).handoff("lost", 1.0)
    later = made.model_copy(update={"version": 2, "end_reason": "hang_up"})

    for handoff in (made, later, made, made.model_copy(update={"version": 1})):
        write_handoff(tmp_path, handoff)

    assert later == Handoff.model_validate_json((tmp_path / "handoff.json").read_bytes())
    assert "hang up" in (tmp_path / "handoff.md").read_text(encoding="utf-8")
