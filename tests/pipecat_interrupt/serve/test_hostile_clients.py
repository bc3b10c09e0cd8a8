"""Strangers and broken clients at the socket: nothing of a call is made for them, and nobody else notices."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import aiohttp
import pytest

from pipecat_interrupt.serve import Limits, Provider
from pipecat_interrupt.serve.secrets import Secrets
from pipecat_interrupt.testing.carrier import Busy, CallIds, LineLost, Refused, SimulatedCall, ring
from pipecat_interrupt.testing.carrier.ringing import CarrierSecrets
from tests.pipecat_interrupt.serve.phone import TWILIO_TOKEN, Phone, ScriptedBank, serving

pytestmark = [pytest.mark.contract, pytest.mark.enable_socket]


async def closed(line: SimulatedCall) -> int | None:
    """Wait until the server has closed a line; give its code."""
    await asyncio.wait_for(line.closed.wait(), 10)
    return line.close_code


async def figure(phone: Phone, line: str) -> bool:
    """Whether a line stands in the figures."""
    async with aiohttp.ClientSession() as session, session.get(f"{phone.http}/metrics") as answer:
        return line in await answer.text()


async def test_a_stream_without_a_good_token_is_refused_before_it_is_open(tmp_path: Path) -> None:
    """HTTP 403, and no call was made."""
    bank = ScriptedBank()
    async with serving(tmp_path, bank=bank) as phone:
        for token in ("", "guess", "a.b.c", "..%2f..%2fetc"):
            with pytest.raises(LineLost, match="40[34]"):
                await SimulatedCall().open(f"ws://127.0.0.1:{phone.server.port}/media/{token}")

        assert phone.registry.calls == ()
    assert bank.made == {}


async def test_a_token_opens_one_stream(tmp_path: Path) -> None:
    """Whoever copies an address comes too late."""
    async with serving(tmp_path) as phone:
        url = await phone.stream_url(CallIds())
        first = SimulatedCall()
        await first.open(url)

        with pytest.raises(LineLost, match="403"):
            await SimulatedCall().open(url)
        await first.hang_up()


async def test_a_stream_of_another_call_is_closed(tmp_path: Path) -> None:
    """The token says which call it opens."""
    async with serving(tmp_path, pathway="cataract-followup") as phone:
        line = SimulatedCall(ids=CallIds(call="CA-of-somebody-else"))
        await line.open(await phone.stream_url(CallIds()))

        assert await closed(line) == 1008
        assert phone.bank.made == {}
        over = await phone.over(CallIds().call)
    assert (tmp_path / over.id / "handoff.json").exists()


async def test_a_stream_that_never_says_its_start_is_closed_in_time(tmp_path: Path) -> None:
    """Its place is given back."""
    async with serving(tmp_path, limits=Limits(handshake_s=0.2, calls_max=1)) as phone:
        url = await phone.stream_url(CallIds())
        async with aiohttp.ClientSession() as session, session.ws_connect(url) as socket:
            message = await socket.receive(timeout=10)

        assert message.data == 1008
        assert phone.registry.calls == ()
        assert await figure(phone, 'pipecat_interrupt_streams_total{outcome="bad_start"} 1.0')


async def test_a_flood_of_garbage_closes_its_own_stream_and_leaves_a_hand_off(tmp_path: Path) -> None:
    """The call of the next patient goes on through it."""
    async with serving(tmp_path, pathway="cataract-followup") as phone:
        good, bad = await phone.call(CallIds(call="CA-good")), await phone.call(CallIds(call="CA-bad"))
        for n in range(200):
            try:
                await bad.send(["{", "[]", '{"event":"media","media":{"payload":"%"}}', b"\x00\xff"][n % 4])
            except LineLost:
                break
        assert await closed(bad) == 1008
        over = await phone.over("CA-bad")
        assert await good.agent_speaks()
        assert [call.carrier_id for call in phone.registry.calls] == ["CA-good"]
        await good.hang_up()
        assert await figure(phone, 'pipecat_interrupt_stream_faults_total{reason="no JSON"}')

    assert over.reason == "lost"
    assert (tmp_path / over.id / "handoff.json").exists()


async def test_more_messages_than_a_line_can_send_close_the_stream(tmp_path: Path) -> None:
    """A carrier sends fifty a second; this one sends as fast as it can."""
    async with serving(tmp_path, limits=Limits(messages_per_s_max=60, messages_burst_max=100)) as phone:
        line = await phone.call()
        media = json.dumps(line.wire.media(line.ids, b"\xff" * 160, 1, 0))
        with pytest.raises(LineLost):
            for _ in range(5000):
                await line.send(media)
                await asyncio.sleep(0)

        assert (await phone.over(line.ids.call)).reason == "lost"


async def test_a_message_beyond_the_bound_is_never_read(tmp_path: Path) -> None:
    """The socket is closed with "message too big", the call is handed off."""
    async with serving(tmp_path, pathway="cataract-followup", limits=Limits(message_bytes_max=4096)) as phone:
        line = await phone.call()
        await line.send("x" * 1_000_000)

        assert await closed(line) == 1009
        over = await phone.over(line.ids.call)
    assert (tmp_path / over.id / "handoff.json").exists()


async def test_a_silent_line_is_given_up(tmp_path: Path) -> None:
    """Carriers send silence as well; nothing at all is a dead peer."""
    async with serving(tmp_path, limits=Limits(idle_s=0.3)) as phone:
        url = await phone.stream_url(CallIds())
        async with aiohttp.ClientSession() as session, session.ws_connect(url) as socket:
            for message in SimulatedCall().wire.opening(CallIds()):
                await socket.send_json(message)

            over = await phone.over(CallIds().call)
    assert over.reason == "lost"


async def test_a_full_server_says_busy_and_is_not_ready(tmp_path: Path) -> None:
    """The place comes back with the hang-up."""
    async with serving(tmp_path, limits=Limits(calls_max=1)) as phone:
        line = await phone.call(CallIds(call="CA-1"))
        with pytest.raises(Busy):
            await phone.stream_url(CallIds(call="CA-2"))
        async with aiohttp.ClientSession() as session, session.get(f"{phone.http}/readyz") as ready:
            assert (ready.status, await ready.json()) == (503, {"status": "full"})
        await line.hang_up()
        await phone.over("CA-1")

        assert await phone.stream_url(CallIds(call="CA-2"))


async def test_a_webhook_needs_the_carriers_signature(tmp_path: Path) -> None:
    """Signed for the public address; a wrong token and none at all are refused."""
    secrets = Secrets.from_environment({"TWILIO_AUTH_TOKEN": TWILIO_TOKEN})
    async with serving(tmp_path, secrets=secrets, signs=CarrierSecrets(auth_token=TWILIO_TOKEN)) as phone:
        url, public = f"{phone.http}/twilio/voice", f"{phone.config.base_url}/twilio/voice"

        assert await phone.stream_url(CallIds())
        for wrong in (CarrierSecrets(), CarrierSecrets(auth_token="guess")):
            with pytest.raises(Refused, match="403"):
                await ring(url, "twilio", CallIds(), wrong, public_url=public)
        with pytest.raises(Refused, match="403"):  # signed for the address it listens on, which is not the public one
            await ring(url, "twilio", CallIds(), CarrierSecrets(auth_token=TWILIO_TOKEN))
        assert await figure(phone, 'pipecat_interrupt_webhooks_total{outcome="forged"} 3.0')


@pytest.mark.parametrize(
    ("body", "status"), [(b"x" * 70_000, 413), (b"", 400), (b"CallSid=", 400), (b"CallSid=" + b"a" * 500, 400)]
)
async def test_a_webhook_that_is_no_call_is_refused(tmp_path: Path, body: bytes, status: int) -> None:
    """Too long, or naming none."""
    async with serving(tmp_path) as phone, aiohttp.ClientSession() as session:
        async with session.post(f"{phone.http}/twilio/voice", data=body) as answer:
            assert answer.status == status
        assert phone.registry.calls == ()


async def test_only_the_configured_carrier_has_a_door(tmp_path: Path) -> None:
    """No other webhook, no documentation pages, no schema."""
    async with serving(tmp_path, provider=Provider.PLIVO) as phone, aiohttp.ClientSession() as session:
        for path in ("/twilio/voice", "/docs", "/openapi.json", "/redoc", "/media/x"):
            async with session.get(phone.http + path) as answer:
                assert answer.status == 404


async def test_an_answered_call_whose_stream_never_comes_is_handed_off_with_everything_open(tmp_path: Path) -> None:
    """The patient picked up and heard nothing: somebody must know."""
    async with serving(tmp_path, pathway="cataract-followup", limits=Limits(promise_s=0.05)) as phone:
        await phone.stream_url(CallIds())
        await asyncio.sleep(0.1)
        phone.registry.forget_broken_promises()
        over = await phone.over(CallIds().call)

    handoff = json.loads((tmp_path / over.id / "handoff.json").read_text(encoding="utf-8"))
    assert over.reason == "never_came"
    assert any(item["critical"] for item in handoff["open_items"])
