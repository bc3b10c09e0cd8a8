"""What opens a media stream and what passes into a call: tokens, start messages, the guard. No sockets."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import pytest
from fastapi import FastAPI
from hypothesis import given
from hypothesis import strategies as st

from pipecat_interrupt.serve import Limits, Provider
from pipecat_interrupt.serve.answers import busy, connect
from pipecat_interrupt.serve.config import ServeConfig
from pipecat_interrupt.serve.guard import FAULTS_MAX, Budget, Fault, GuardedReceive, sound
from pipecat_interrupt.serve.handshake import BadStart, StreamStart, read_start
from pipecat_interrupt.serve.server import PhoneServer
from pipecat_interrupt.serve.tokens import StreamTokens, Ticket
from pipecat_interrupt.testing.carrier import WIRES, CallIds

pytestmark = pytest.mark.unit

IDS = CallIds()
TICKET = Ticket("0" * 32, "CA1")


# ---- tokens


def test_a_token_opens_the_call_it_was_made_for() -> None:
    """And stands in a path as it is."""
    tokens = StreamTokens("k" * 32, 30)

    token = tokens.make(TICKET)

    assert tokens.read(token) == TICKET
    assert not set(token) - set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")


def test_a_token_of_another_key_opens_nothing() -> None:
    """A stranger's secret is not ours."""
    assert StreamTokens("k" * 32, 30).read(StreamTokens("x" * 32, 30).make(TICKET)) is None


@pytest.mark.hypothesis
@given(at=st.integers(0, 400), to=st.text(max_size=3), more=st.text(max_size=20))
def test_an_altered_token_opens_nothing_else(at: int, to: str, more: str) -> None:
    """Whatever was changed: nothing, or (base64 has idle bits) the very call it was made for, and that only once."""
    tokens = StreamTokens("k" * 32, 30)
    token = tokens.make(TICKET)
    altered = token[: at % len(token)] + to + token[at % len(token) + 1 :] + more

    assert tokens.read(altered) in (None, TICKET)


@pytest.mark.parametrize("token", ["", ".", "a.b.c", "x" * 5000, "\N{SNOWMAN}", "null", "../../etc/passwd"])
def test_garbage_opens_nothing(token: str) -> None:
    """And breaks nothing."""
    assert StreamTokens("k" * 32, 30).read(token) is None


# ---- what the carrier is told


@pytest.mark.parametrize("provider", list(Provider))
def test_the_answer_names_the_stream_and_cannot_be_broken_out_of(provider: Provider) -> None:
    """An address with quotes and brackets stays an address."""
    url = 'wss://calls.example.org/media/"><Dial>+1</Dial>&x'

    response = ElementTree.fromstring(connect(provider, url, url))

    stream = next(response.iter("Stream"))
    assert response.findtext("Redirect") == url
    assert url == (stream.text if provider is Provider.PLIVO else stream.get("url"))
    assert response.find(".//Dial") is None


@pytest.mark.parametrize(
    ("provider", "verb"), [(Provider.TWILIO, "Reject"), (Provider.TELNYX, "Reject"), (Provider.PLIVO, "Hangup")]
)
def test_a_full_server_says_busy_in_the_carriers_words(provider: Provider, verb: str) -> None:
    """The caller hears the busy tone."""
    (answer,) = ElementTree.fromstring(busy(provider))

    assert (answer.tag, answer.get("reason")) == (verb, "busy")


# ---- the start of a stream


@pytest.mark.parametrize("provider", list(Provider))
def test_each_carriers_start_is_read(provider: Provider) -> None:
    """What comes before it is waited over."""
    opening = WIRES[provider.value].opening(IDS)

    read = [read_start(provider, message) for message in opening]

    assert read == [None] * (len(opening) - 1) + [StreamStart(IDS.stream, IDS.call)]


def _spoilt() -> Iterator[tuple[Provider, dict[str, Any]]]:
    for provider in Provider:
        start = WIRES[provider.value].opening(IDS)[-1]
        inner = start["start"]
        form = "media_format" if provider is Provider.TELNYX else "mediaFormat"
        yield provider, {"event": "media"}
        yield provider, {"event": "start"}
        yield provider, start | {"start": []}
        yield provider, start | {"start": inner | {form: {"encoding": "audio/x-l16", "sampleRate": 8000}}}
        yield provider, start | {"start": inner | {form: {"encoding": "PCMU", "sample_rate": 16000}}}
        yield provider, start | {"start": inner | {form: "mulaw"}}
        yield Provider.TWILIO, {"event": "start", "start": {"streamSid": "x" * 5000, "callSid": "c"}}
        yield Provider.TWILIO, {"event": "start", "start": {"streamSid": "a\nb", "callSid": "c"}}
        yield Provider.TWILIO, {"event": "start", "start": {"streamSid": 1, "callSid": "c"}}


@pytest.mark.parametrize(("provider", "message"), list(_spoilt()))
def test_a_start_that_cannot_be_served_is_refused_by_name(provider: Provider, message: dict[str, Any]) -> None:
    """Another encoding, a missing id, an id with a line break."""
    with pytest.raises(BadStart):
        read_start(provider, message)


json_values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.hypothesis
@given(
    provider=st.sampled_from(list(Provider)),
    event=st.sampled_from(["start", "connected"]) | json_values,
    start=json_values,
)
def test_no_first_message_breaks_the_reader(provider: Provider, event: Any, start: Any) -> None:
    """It is read, waited over, or refused by name."""
    try:
        read = read_start(provider, {"event": event, "start": start, "stream_id": start})
    except BadStart:
        return
    assert read is None or isinstance(read, StreamStart)


# ---- the guard

MEDIA = json.dumps({"event": "media", "media": {"payload": base64.b64encode(b"\xff" * 160).decode()}})
UNSOUND = {
    "no JSON": ["", "{", "\x00", "NaN{", "[" * 20_000, b"\xff\xfe"],
    "no object": ["1", "[]", '"media"', "null", "NaN"],
    "unknown event": ["{}", '{"event": []}', '{"event": "exec"}'],
    "no audio": ['{"event": "media"}', '{"event": "media", "media": 1}', '{"event": "media", "media": {"payload": 1}}'],
    "no base64": ['{"event": "media", "media": {"payload": "%%%"}}', '{"event": "media", "media": {"payload": "AAA"}}'],
    "no digit": ['{"event": "dtmf"}', '{"event": "dtmf", "dtmf": {"digit": ["1"]}}'],
    "too long": ['{"event": "media", "media": {"payload": "' + "A" * 40_000 + '"}}'],
}


@pytest.mark.parametrize(("why", "text"), [(why, text) for why, texts in UNSOUND.items() for text in texts])
def test_an_unsound_message_is_named(why: str, text: str | bytes) -> None:
    """Each would break a serializer, or stand in a log, if it came through."""
    with pytest.raises(Fault, match=why):
        sound(text, 32_768)


@pytest.mark.hypothesis
@given(st.binary(max_size=200) | st.text(max_size=200) | json_values.map(json.dumps))
def test_no_message_breaks_the_guard(text: str | bytes) -> None:
    """It passes or it is a fault."""
    try:
        assert isinstance(sound(text, 32_768), dict)
    except Fault:
        pass


def test_a_steady_line_never_runs_out_and_a_flood_does() -> None:
    """Fifty messages a second for an hour pass; a thousand at once do not."""
    steady, flood = Budget(150, 500, 0.0), Budget(150, 500, 0.0)

    assert all(steady.spend(n / 50) for n in range(180_000))
    assert sum(flood.spend(0.0) for _ in range(1000)) == 500


class Wire:
    """A receive that gives what it was told to."""

    def __init__(self, *texts: str) -> None:
        self.waiting = [{"type": "websocket.receive", "text": text} for text in texts]

    async def __call__(self) -> dict[str, Any]:
        return self.waiting.pop(0) if self.waiting else {"type": "websocket.disconnect", "code": 1006}


async def test_unsound_messages_are_dropped_and_the_call_goes_on() -> None:
    """A glitch of the carrier's does not end a call."""
    faults: list[str] = []
    guard = GuardedReceive(Wire("garbage", MEDIA, "[]", MEDIA), Limits(), faults.append)

    seen = [(await guard())["type"] for _ in range(3)]

    assert seen == ["websocket.receive", "websocket.receive", "websocket.disconnect"]
    assert faults == ["no JSON", "no object"]
    assert guard.ended_by == "closed"


async def test_a_stream_that_keeps_sending_garbage_is_closed() -> None:
    """After a score of faults."""
    guard = GuardedReceive(Wire(*["garbage"] * FAULTS_MAX, MEDIA), Limits())

    assert (await guard())["code"] == 1008
    assert (await guard())["type"] == "websocket.disconnect"
    assert guard.ended_by == "hostile"


async def test_more_sound_than_a_line_can_carry_is_dropped_and_then_ends_the_stream() -> None:
    """Few messages may hold much sound: they would fill the call's memory faster than anybody can speak."""
    big = json.dumps({"event": "media", "media": {"payload": base64.b64encode(b"\xff" * 24_000).decode()}})
    faults: list[str] = []
    guard = GuardedReceive(Wire(*[big] * 40), Limits(sound_burst_s=15), faults.append, now_s=lambda: 0.0)

    seen = [(await guard())["type"] for _ in range(6)]

    assert seen == ["websocket.receive"] * 5 + ["websocket.disconnect"]
    assert faults == ["too much sound"] * FAULTS_MAX
    assert guard.ended_by == "hostile"


@pytest.mark.parametrize("tracks", [1, 2])
async def test_a_line_that_catches_up_after_a_stall_loses_nothing(tracks: int) -> None:
    """Thirty seconds of sound at once, a steady minute, and the same again: a patient is not cut off for a network."""
    agent = json.dumps({"event": "media", "media": {"track": "outbound", "payload": "AAAA"}})
    now, stall, steady = [0.0], 30 * 50, 60 * 50
    wire = Wire(*([MEDIA, agent][:tracks] * (2 * (stall + steady))))
    guard = GuardedReceive(wire, Limits(), pytest.fail, now_s=lambda: now[0])

    for start_s in (30.0, 120.0):
        for n in range(stall + steady):
            now[0] = start_s + max(0.0, (n - stall) / 50)
            assert (await guard())["type"] == "websocket.receive"


def test_no_stall_that_a_call_lives_through_is_a_flood() -> None:
    """The waits of guard and server outlast half a minute, and the bounds hold what such a stall keeps back."""
    limits, app = Limits(), FastAPI()
    app.state.drain = None

    assert limits.idle_s > 30
    assert limits.sound_burst_s >= limits.idle_s
    assert limits.messages_burst_max >= 100 * limits.idle_s
    assert PhoneServer(app, ServeConfig(limits=limits)).config.ws_ping_timeout >= limits.idle_s


async def test_the_carriers_stop_is_a_hang_up_at_once() -> None:
    """Nobody waits for the socket to close."""
    guard = GuardedReceive(Wire(json.dumps({"event": "stop"}), MEDIA), Limits())

    assert (await guard())["type"] == "websocket.disconnect"
    assert guard.ended_by == "stop"


async def test_the_agents_own_track_never_reaches_the_call() -> None:
    """A stream of both tracks would let the agent interrupt itself."""
    outbound = json.dumps({"event": "media", "media": {"track": "outbound", "payload": "AAAA"}})
    guard = GuardedReceive(Wire(outbound, MEDIA), Limits())

    assert (await guard())["text"] == MEDIA
