"""Each carrier's own spelling of marks, and Pipecat's serializers with it."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pipecat.frames.frames import InputDTMFFrame, InterruptionFrame, OutputAudioRawFrame
from pipecat.serializers.exotel import ExotelFrameSerializer
from pipecat.serializers.plivo import PlivoFrameSerializer
from pipecat.serializers.telnyx import TelnyxFrameSerializer
from pipecat.serializers.twilio import TwilioFrameSerializer

from pipecat_interrupt.carrier import (
    CarrierPlayback,
    ExotelMarks,
    ExotelMarkSerializer,
    MarkProtocol,
    PlivoMarks,
    PlivoMarkSerializer,
    TelnyxMarks,
    TelnyxMarkSerializer,
    TwilioMarks,
    TwilioMarkSerializer,
)

pytestmark = pytest.mark.unit

PROTOCOLS: list[tuple[MarkProtocol, dict[str, Any], dict[str, Any]]] = [
    (
        TwilioMarks("MZ1"),
        {"event": "mark", "streamSid": "MZ1", "mark": {"name": "u1:200"}},
        {"event": "mark", "sequenceNumber": "4", "streamSid": "MZ1", "mark": {"name": "u1:200"}},
    ),
    (TelnyxMarks(), {"event": "mark", "mark": {"name": "u1:200"}}, {"event": "mark", "mark": {"name": "u1:200"}}),
    (
        PlivoMarks("S1"),
        {"event": "checkpoint", "streamId": "S1", "name": "u1:200"},
        {"event": "playedStream", "streamId": "S1", "name": "u1:200"},
    ),
    (
        ExotelMarks("E1"),
        {"event": "mark", "stream_sid": "E1", "mark": {"name": "u1:200"}},
        {"event": "mark", "stream_sid": "E1", "mark": {"name": "u1:200"}},
    ),
]


@pytest.mark.parametrize(("protocol", "sent", "returned"), PROTOCOLS)
def test_marks_are_written_and_read_as_the_carrier_spells_them(
    protocol: MarkProtocol, sent: dict[str, Any], returned: dict[str, Any]
) -> None:
    """What goes out is the carrier's message; what comes back gives the name again, and holds the hint."""
    assert protocol.write("u1:200") == sent
    assert protocol.read(returned) == "u1:200"
    assert protocol.hint in json.dumps(returned)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["event", "mark", "name"]), inner),
    max_leaves=8,
)


@given(ANYTHING)
def test_no_message_makes_a_protocol_raise(message: Any) -> None:
    """The far end may send anything."""
    for protocol, _, _ in PROTOCOLS:
        assert protocol.read(message) is None or isinstance(protocol.read(message), str)


class Heard(CarrierPlayback):
    """Notes the marks that came back; says whether a clear may go out."""

    def __init__(self, *, clear: bool = True) -> None:
        super().__init__()
        self.names: list[str] = []
        self.clear = clear

    def mark_came_back(self, name: str) -> None:
        self.names.append(name)

    def clear_wanted(self) -> bool:
        return self.clear


def made(playback: CarrierPlayback) -> list[Any]:
    return [
        TwilioMarkSerializer("MZ1", playback=playback, params=TwilioFrameSerializer.InputParams(auto_hang_up=False)),
        TelnyxMarkSerializer(
            "T1",
            playback=playback,
            outbound_encoding="PCMU",
            inbound_encoding="PCMU",
            params=TelnyxFrameSerializer.InputParams(auto_hang_up=False),
        ),
        PlivoMarkSerializer("S1", playback=playback, params=PlivoFrameSerializer.InputParams(auto_hang_up=False)),
        ExotelMarkSerializer("E1", playback=playback),
    ]


async def test_every_serializer_reads_its_marks_and_stays_its_parent() -> None:
    """Marks go to the playback; audio, keys and interruptions go Pipecat's own way."""
    returned = [message for _, _, message in PROTOCOLS]
    parents = [TwilioFrameSerializer, TelnyxFrameSerializer, PlivoFrameSerializer, ExotelFrameSerializer]
    for serializer, parent, message, (protocol, _, _) in zip(
        made(playback := Heard()), parents, returned, PROTOCOLS, strict=True
    ):
        assert isinstance(serializer, parent)
        assert await serializer.deserialize(json.dumps(message)) is None
        assert await serializer.deserialize(json.dumps(message).encode()) is None
        assert type(playback.protocol) is not None
        key = await serializer.deserialize(json.dumps({"event": "dtmf", "dtmf": {"digit": "5"}}))
        assert isinstance(key, InputDTMFFrame)
        assert await serializer.deserialize(f"{{{protocol.hint} broken") is None
        audio = await serializer.serialize(OutputAudioRawFrame(bytes(640), 8000, 1))
        assert base64.b64decode(json.loads(audio)["media"]["payload"])
        assert "clear" in json.loads(await serializer.serialize(InterruptionFrame()))["event"]
    assert playback.names == ["u1:200"] * 8


async def test_protected_speech_keeps_the_carriers_buffer() -> None:
    """A clear would throw its last second away; none is sent while it plays."""
    for serializer in made(Heard(clear=False)):
        assert await serializer.serialize(InterruptionFrame()) is None


async def test_long_messages_are_not_searched_for_marks() -> None:
    """Audio comes fifty times a second; it is parsed once, by Pipecat."""
    playback = Heard()
    (serializer, *_) = made(playback)
    message = {"event": "mark", "mark": {"name": "x"}, "pad": "a" * 3000}

    assert await serializer.deserialize(json.dumps(message)) is None
    assert playback.names == []
