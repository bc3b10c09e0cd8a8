"""What each carrier writes and reads on a media stream, from the carrier's side. Pure.

Sources (read November 2026): Twilio "Media Streams: WebSocket messages"; Telnyx "Stream call media over WebSocket";
Plivo "Audio streaming reference".
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

JsonObject = dict[str, Any]


@dataclass(frozen=True, slots=True)
class CallIds:
    """The carrier's names of a call.

    Parameters:
        call: Of the call.
        stream: Of its media stream.
        account: Of the account.
        parameters: Custom parameters of the stream.
    """

    call: str = "CA00000000000000000000000000000001"
    stream: str = "MZ00000000000000000000000000000001"
    account: str = "AC00000000000000000000000000000001"
    parameters: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Play:
    """The bot sent sound."""

    ulaw: bytes


@dataclass(frozen=True, slots=True)
class SetMark:
    """The bot set a mark."""

    name: str


@dataclass(frozen=True, slots=True)
class ClearBuffer:
    """The bot wants the playout buffer thrown away."""


Command = Play | SetMark | ClearBuffer


class Wire(Protocol):
    """One carrier's language.

    Promises: `read` gives None for what is no command and never raises for what a bot sends.
    """

    returns_cleared_marks: bool

    def opening(self, ids: CallIds) -> list[JsonObject]:
        """What is sent first."""
        ...

    def media(self, ids: CallIds, ulaw: bytes, number: int, at_ms: int) -> JsonObject:
        """One frame of the caller's sound; `number` counts from 1."""
        ...

    def mark_back(self, ids: CallIds, name: str) -> JsonObject:
        """A mark that was reached."""
        ...

    def dtmf(self, ids: CallIds, digit: str) -> JsonObject:
        """A key that was pressed."""
        ...

    def closing(self, ids: CallIds) -> list[JsonObject]:
        """What is sent before the line closes."""
        ...

    def read(self, message: Any) -> Command | None:
        """Read what the bot sent."""
        ...


class TwilioWire:
    """Twilio Media Streams."""

    returns_cleared_marks = True

    def opening(self, ids: CallIds) -> list[JsonObject]:
        """`connected`, then `start`."""
        start = {
            "accountSid": ids.account,
            "streamSid": ids.stream,
            "callSid": ids.call,
            "tracks": ["inbound"],
            "mediaFormat": {"encoding": "audio/x-mulaw", "sampleRate": 8000, "channels": 1},
            "customParameters": dict(ids.parameters),
        }
        return [
            {"event": "connected", "protocol": "Call", "version": "1.0.0"},
            {"event": "start", "sequenceNumber": "1", "start": start, "streamSid": ids.stream},
        ]

    def media(self, ids: CallIds, ulaw: bytes, number: int, at_ms: int) -> JsonObject:
        """A `media` message on the inbound track."""
        media = {"track": "inbound", "chunk": str(number), "timestamp": str(at_ms), "payload": _b64(ulaw)}
        return {"event": "media", "sequenceNumber": str(number + 1), "media": media, "streamSid": ids.stream}

    def mark_back(self, ids: CallIds, name: str) -> JsonObject:
        """A `mark` message."""
        return {"event": "mark", "sequenceNumber": "0", "streamSid": ids.stream, "mark": {"name": name}}

    def dtmf(self, ids: CallIds, digit: str) -> JsonObject:
        """A `dtmf` message."""
        return {"event": "dtmf", "streamSid": ids.stream, "dtmf": {"track": "inbound_track", "digit": digit}}

    def closing(self, ids: CallIds) -> list[JsonObject]:
        """`stop`."""
        return [{"event": "stop", "streamSid": ids.stream, "stop": {"accountSid": ids.account, "callSid": ids.call}}]

    def read(self, message: Any) -> Command | None:
        """`media`, `mark`, `clear`."""
        return _read(message, play="media", mark="mark", clear="clear")


class TelnyxWire:
    """Telnyx media streaming in RTP mode."""

    returns_cleared_marks = True

    def opening(self, ids: CallIds) -> list[JsonObject]:
        """`connected`, then `start`."""
        start = {
            "user_id": ids.account,
            "call_control_id": ids.call,
            "media_format": {"encoding": "PCMU", "sample_rate": 8000, "channels": 1},
            "custom_parameters": dict(ids.parameters),
        }
        return [
            {"event": "connected", "version": "1.0.0"},
            {"event": "start", "sequence_number": "1", "stream_id": ids.stream, "start": start},
        ]

    def media(self, ids: CallIds, ulaw: bytes, number: int, at_ms: int) -> JsonObject:
        """A `media` message on the inbound track."""
        media = {"track": "inbound", "chunk": str(number), "timestamp": str(at_ms), "payload": _b64(ulaw)}
        return {"event": "media", "sequence_number": str(number + 1), "stream_id": ids.stream, "media": media}

    def mark_back(self, ids: CallIds, name: str) -> JsonObject:
        """A `mark` message."""
        return {"event": "mark", "stream_id": ids.stream, "mark": {"name": name}}

    def dtmf(self, ids: CallIds, digit: str) -> JsonObject:
        """A `dtmf` message."""
        return {"event": "dtmf", "stream_id": ids.stream, "dtmf": {"digit": digit}}

    def closing(self, ids: CallIds) -> list[JsonObject]:
        """`stop`."""
        return [{"event": "stop", "stream_id": ids.stream, "stop": {"call_control_id": ids.call}}]

    def read(self, message: Any) -> Command | None:
        """`media`, `mark`, `clear`."""
        return _read(message, play="media", mark="mark", clear="clear")


class PlivoWire:
    """Plivo audio streaming."""

    returns_cleared_marks = False

    def opening(self, ids: CallIds) -> list[JsonObject]:
        """`start` alone."""
        start = {
            "callId": ids.call,
            "streamId": ids.stream,
            "accountId": ids.account,
            "tracks": ["inbound"],
            "mediaFormat": {"encoding": "audio/x-mulaw", "sampleRate": 8000},
        }
        extra = ";".join(f"{name}={value}" for name, value in ids.parameters.items())
        return [{"event": "start", "sequenceNumber": 1, "start": start, "extra_headers": extra}]

    def media(self, ids: CallIds, ulaw: bytes, number: int, at_ms: int) -> JsonObject:
        """A `media` message on the inbound track."""
        media = {"track": "inbound", "timestamp": str(at_ms), "chunk": number, "payload": _b64(ulaw)}
        return {"event": "media", "sequenceNumber": number + 1, "streamId": ids.stream, "media": media}

    def mark_back(self, ids: CallIds, name: str) -> JsonObject:
        """A `playedStream` message."""
        return {"event": "playedStream", "streamId": ids.stream, "name": name}

    def dtmf(self, ids: CallIds, digit: str) -> JsonObject:
        """A `dtmf` message."""
        return {"event": "dtmf", "streamId": ids.stream, "dtmf": {"track": "inbound", "digit": digit}}

    def closing(self, ids: CallIds) -> list[JsonObject]:
        """Nothing: the socket closes."""
        return []

    def read(self, message: Any) -> Command | None:
        """`playAudio`, `checkpoint`, `clearAudio`."""
        return _read(message, play="playAudio", mark="checkpoint", clear="clearAudio")


WIRES: Mapping[str, Wire] = {"twilio": TwilioWire(), "telnyx": TelnyxWire(), "plivo": PlivoWire()}
"""Each carrier's language by its name."""


def _read(message: Any, *, play: str, mark: str, clear: str) -> Command | None:
    if not isinstance(message, Mapping):
        return None
    event = message.get("event")
    if event == play:
        media = message.get("media")
        payload = media.get("payload") if isinstance(media, Mapping) else None
        try:
            return Play(base64.b64decode(payload, validate=True)) if isinstance(payload, str) else None
        except binascii.Error:
            return None
    if event == mark:
        named = message.get("mark")
        name = named.get("name") if isinstance(named, Mapping) else message.get("name")
        return SetMark(name) if isinstance(name, str) else None
    return ClearBuffer() if event == clear else None


def _b64(raw: bytes) -> str:
    return base64.b64encode(raw).decode()
