"""What a carrier is told when it asks what to do with a call: connect it to a media stream, or say "busy".

Owns the XML of each carrier. Sources (read November 2026): Twilio TwiML `<Connect><Stream>`, `<Reject>`; Telnyx TeXML
`<Connect><Stream>`, `<Reject>`; Plivo XML `<Stream>`, `<Hangup>`; `<Redirect>` and `<Hangup>` of all three, `<Pause>`
(Plivo `<Wait>`).
"""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement, tostring

from pipecat_interrupt.serve.config import Provider

CALL_ID_FIELDS = {Provider.TWILIO: "CallSid", Provider.TELNYX: "CallSid", Provider.PLIVO: "CallUUID"}
"""The form field in which each carrier names the call."""

CALL_ID_CHARS_MAX = 128
WAIT_S = 1
"""Seconds a carrier waits before it asks again; the smallest that all three take."""


def connect(provider: Provider, stream_url: str, again_url: str | None = None) -> str:
    """Make the answer that opens a two-way media stream, mu-law at 8 kHz.

    Args:
        provider: The carrier.
        stream_url: Where the stream goes.
        again_url: The webhook that is asked when the stream has closed and the caller is still there: a worker died,
            or the call is over. None ends the call then.
    """
    response = Element("Response")
    if provider is Provider.PLIVO:
        stream = SubElement(
            response,
            "Stream",
            bidirectional="true",
            keepCallAlive="true",
            audioTrack="inbound",
            contentType="audio/x-mulaw;rate=8000",
        )
        stream.text = stream_url
        _ask_again(response, again_url)
        return _text(response)
    options = {"url": stream_url}
    if provider is Provider.TELNYX:
        options |= {"track": "inbound_track", "codec": "PCMU", "bidirectionalMode": "rtp", "bidirectionalCodec": "PCMU"}
    SubElement(SubElement(response, "Connect"), "Stream", options)
    _ask_again(response, again_url)
    return _text(response)


def wait(provider: Provider, again_url: str) -> str:
    """Make the answer that keeps a caller on the line for a second and has the webhook asked again."""
    response = Element("Response")
    SubElement(response, "Wait" if provider is Provider.PLIVO else "Pause", length=str(WAIT_S))
    _ask_again(response, again_url)
    return _text(response)


def over() -> str:
    """Make the answer that ends a call; all three carriers spell it alike."""
    response = Element("Response")
    SubElement(response, "Hangup")
    return _text(response)


def busy(provider: Provider) -> str:
    """Make the answer that refuses a call, so that the caller hears the busy tone and may try again."""
    response = Element("Response")
    SubElement(response, "Hangup" if provider is Provider.PLIVO else "Reject", reason="busy")
    return _text(response)


def _ask_again(response: Element, again_url: str | None) -> None:
    if again_url is not None:
        SubElement(response, "Redirect", method="POST").text = again_url


def _text(response: Element) -> str:
    return '<?xml version="1.0" encoding="UTF-8"?>' + tostring(response, encoding="unicode")
