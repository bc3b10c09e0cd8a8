"""Reads the message with which a media stream says which call it is. Pure; trusts nothing that comes in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pipecat_interrupt.serve.config import Provider

ID_CHARS_MAX = 256
ENCODINGS = {
    "audio/x-mulaw": "PCMU",
    "PCMU": "PCMU",
    "PCMA": "PCMA",
}


class BadStart(ValueError):
    """A start message that opens no call; the message says what is wrong, in fixed words."""


@dataclass(frozen=True, slots=True)
class StreamStart:
    """How a media stream begins.

    Parameters:
        stream_id: The carrier's id of the stream.
        carrier_id: The carrier's id of the call.
        encoding: "PCMU", or "PCMA" (Telnyx only).
    """

    stream_id: str
    carrier_id: str
    encoding: str = "PCMU"


def read_start(provider: Provider, message: Mapping[str, Any]) -> StreamStart | None:
    """Read a start message.

    Returns:
        What it says; None for a message that comes before it (`connected`).

    Raises:
        BadStart: It is neither, or says what cannot be served.
    """
    event = message.get("event")
    if event == "connected" and provider is not Provider.PLIVO:
        return None
    if event != "start":
        raise BadStart("no start message")
    start = message.get("start")
    if not isinstance(start, Mapping):
        raise BadStart("start without its object")
    if provider is Provider.TELNYX:
        found = StreamStart(_id(message, "stream_id"), _id(start, "call_control_id"), _encoding(start, "media_format"))
    elif provider is Provider.PLIVO:
        found = StreamStart(_id(start, "streamId"), _id(start, "callId"), _encoding(start, "mediaFormat"))
    else:
        found = StreamStart(_id(start, "streamSid"), _id(start, "callSid"), _encoding(start, "mediaFormat"))
    if found.encoding == "PCMA" and provider is not Provider.TELNYX:
        raise BadStart("unknown encoding")
    return found


def _id(of: Mapping[str, Any], name: str) -> str:
    value = of.get(name)
    if (
        not isinstance(value, str)
        or not 0 < len(value) <= ID_CHARS_MAX
        or not value.isascii()
        or not value.isprintable()
    ):
        raise BadStart(f"no usable {name}")
    return value


def _encoding(start: Mapping[str, Any], name: str) -> str:
    form = start.get(name)
    if form is None:  # carriers name the format; where one does not, it is the one that was asked for
        return "PCMU"
    if not isinstance(form, Mapping):
        raise BadStart("unknown encoding")
    encoding = ENCODINGS.get(str(form.get("encoding", "PCMU"))[:32])
    rate = form.get("sampleRate", form.get("sample_rate", 8000))
    if encoding is None or isinstance(rate, bool) or str(rate) != "8000":
        raise BadStart("unknown encoding")
    return encoding
