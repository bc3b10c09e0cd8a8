"""How a carrier asks a bot's webhook what to do with a call, signature and all, and what it makes of the answer."""

from __future__ import annotations

import base64
import time
from dataclasses import dataclass
from urllib.parse import urlencode
from xml.etree import ElementTree

import aiohttp

from pipecat_interrupt.testing.carrier.wire import CallIds

RING_S_MAX = 10.0
ANSWER_CHARS_MAX = 20_000
_WHY = {
    403: ": the signature does not fit; set the carrier's secret as the bot has it, and --public-url as its own",
    404: ": nobody is asked there; the bot's path is /twilio/voice, /telnyx/voice or /plivo/voice, as it was started",
    405: ": nobody is asked there by POST; the bot's path is /twilio/voice, /telnyx/voice or /plivo/voice",
}


class Busy(ConnectionError):
    """The bot has no place for the call."""


class Refused(ConnectionError):
    """The webhook refused the request, or its answer opens no stream; the message says which."""


class AskAgain(ConnectionError):
    """The bot wants to be asked again.

    Parameters:
        seconds: After so long.
        url: At this address, as the bot knows itself.
    """

    def __init__(self, seconds: float, url: str) -> None:
        super().__init__(f"the bot wants to be asked again in {seconds:g} s")
        self.seconds, self.url = seconds, url


@dataclass(frozen=True, slots=True)
class CarrierSecrets:
    """What a carrier signs with; None leaves the signature out.

    Parameters:
        auth_token: Of Twilio or Plivo.
        telnyx_private_key: 32 raw bytes.
    """

    auth_token: str | None = None
    telnyx_private_key: bytes | None = None


async def ring(
    webhook_url: str,
    provider: str,
    ids: CallIds,
    secrets: CarrierSecrets | None = None,
    *,
    public_url: str | None = None,
) -> str:
    """Ask a webhook what to do with a call.

    Args:
        webhook_url: Where it listens.
        provider: "twilio", "telnyx" or "plivo".
        ids: The carrier's names of the call.
        secrets: What to sign with.
        public_url: The address to sign, where a proxy stands before the bot; None is `webhook_url`.

    Returns:
        The address of the media stream.

    Raises:
        Busy: There is no place for the call.
        AskAgain: The bot cannot say yet.
        Refused: Anything else.
    """
    names = {"plivo": {"CallUUID": ids.call, "Direction": "inbound", "From": "15550100", "To": "15550111"}}
    form = names.get(provider, {"CallSid": ids.call, "AccountSid": ids.account, "From": "+15550100", "To": "+15550111"})
    body = urlencode(form).encode()
    headers = sign(provider, public_url or webhook_url, form, body, secrets or CarrierSecrets())
    headers["content-type"] = "application/x-www-form-urlencoded"
    async with (
        aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=RING_S_MAX)) as session,
        session.post(webhook_url, data=body, headers=headers) as answer,
    ):
        text = (await answer.text())[:ANSWER_CHARS_MAX]
        if answer.status != 200:
            raise Refused(f"the webhook answered {answer.status}{_WHY.get(answer.status, '')}")
    waited = waiting(text)
    if waited is not None:
        raise AskAgain(*waited)
    return stream_address(text)


def sign(provider: str, url: str, form: dict[str, str], body: bytes, secrets: CarrierSecrets) -> dict[str, str]:
    """Make the header fields with which a carrier signs a request; {} without a secret."""
    from pipecat_interrupt.serve.signatures import sign_plivo, sign_telnyx, sign_twilio

    if provider == "telnyx" and secrets.telnyx_private_key is not None:
        now_s = int(time.time())
        made = sign_telnyx(body, now_s, secrets.telnyx_private_key)
        return {"telnyx-timestamp": str(now_s), "telnyx-signature-ed25519": made}
    if provider == "twilio" and secrets.auth_token is not None:
        return {"X-Twilio-Signature": sign_twilio(url, form.items(), secrets.auth_token)}
    if provider == "plivo" and secrets.auth_token is not None:
        nonce = base64.b16encode(time.time_ns().to_bytes(8)).decode()
        made = sign_plivo("POST", url, form.items(), nonce, secrets.auth_token, ())
        return {"X-Plivo-Signature-V3": made, "X-Plivo-Signature-V3-Nonce": nonce}
    return {}


def waiting(xml: str) -> tuple[float, str] | None:
    """Read how long and where an answer wants to be asked again; None for any other answer."""
    try:
        response = ElementTree.fromstring(xml)  # noqa: S314 - the answer of the bot under test
    except ElementTree.ParseError:
        return None
    first, again = next(iter(response), None), response.find("Redirect")
    if first is None or first.tag not in ("Pause", "Wait") or again is None:
        return None
    return float(first.get("length", "1")), (again.text or "").strip()


def stream_address(xml: str) -> str:
    """Read the stream's address out of an answer.

    Raises:
        Busy: The answer refuses the call.
        Refused: The answer opens no stream.
    """
    try:
        response = ElementTree.fromstring(xml)  # noqa: S314 - the answer of the bot under test
    except ElementTree.ParseError as error:
        raise Refused("the webhook's answer is no XML") from error
    if response.find("Reject") is not None or response.find("Hangup") is not None:
        raise Busy("the bot has no place for the call")
    stream = response.find(".//Stream")
    address = None if stream is None else stream.get("url") or (stream.text or "").strip()
    if not address:
        raise Refused("the webhook's answer opens no stream")
    return address
