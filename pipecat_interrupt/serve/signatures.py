"""Whether a webhook is the carrier's: Twilio's HMAC, Telnyx's Ed25519, Plivo's third scheme.

Owns the three rules as pure functions; each makes a signature as well, for the carrier simulator and for tests. Sources
(read November 2026): Twilio "Validating requests" (X-Twilio-Signature), Telnyx "Webhook fundamentals" (Ed25519 over
`timestamp|body`, five minutes), Plivo "Signature validation" (V3, nonce). The carriers' own packages are not needed for
ten lines of HMAC in the one place strangers can reach; tests hold ours against theirs.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from collections import defaultdict
from collections.abc import Callable, Iterable
from urllib.parse import urlsplit, urlunsplit

from pipecat_interrupt.serve.webhook import Webhook

TELNYX_TOLERANCE_S = 300.0
"""How far a Telnyx timestamp may lie from now, either way."""

SignatureCheck = Callable[[Webhook, float], str | None]
"""Takes a webhook and the wall time in seconds; gives why it is refused, or None when it is the carrier's.

Promises: never raises, whatever the request holds; compares in constant time."""


def accept_all(webhook: Webhook, now_s: float) -> None:
    """Take every webhook; for a machine of one's own."""
    del webhook, now_s


# ---- Twilio


def sign_twilio(url: str, fields: Iterable[tuple[str, str]], auth_token: str) -> str:
    """Make the X-Twilio-Signature of a request."""
    values: dict[str, set[str]] = defaultdict(set)
    for name, value in fields:
        values[name].add(value)
    text = url + "".join(name + value for name in sorted(values) for value in sorted(values[name]))
    return _b64(hmac.digest(auth_token.encode(), text.encode(), hashlib.sha1))


def check_twilio(auth_token: str) -> SignatureCheck:
    """Make the check of X-Twilio-Signature."""

    def check(webhook: Webhook, now_s: float) -> str | None:
        del now_s
        given = webhook.headers.get("x-twilio-signature", "")
        fields = webhook.fields if webhook.method == "POST" else ()
        # Twilio signs the address with or without its port, depending on the product.
        made = [sign_twilio(url, fields, auth_token) for url in (webhook.url, *_other_port_forms(webhook.url))]
        return _verdict(given, made)

    return check


def _other_port_forms(url: str) -> list[str]:
    parts = urlsplit(url)
    host = f"[{parts.hostname}]" if parts.hostname and ":" in parts.hostname else parts.hostname or ""
    netloc = host if parts.port else f"{host}:{443 if parts.scheme == 'https' else 80}"
    return [urlunsplit(parts._replace(netloc=netloc))]


# ---- Telnyx


def sign_telnyx(body: bytes, timestamp_s: int, private_key: bytes) -> str:
    """Make the telnyx-signature-ed25519 of a body.

    Args:
        body: As sent.
        timestamp_s: What stands in `telnyx-timestamp`.
        private_key: 32 raw bytes.
    """
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return _b64(Ed25519PrivateKey.from_private_bytes(private_key).sign(f"{timestamp_s}|".encode() + body))


def check_telnyx(public_key: str) -> SignatureCheck:
    """Make the check of telnyx-signature-ed25519.

    Args:
        public_key: The key of the account, base64, 32 bytes.

    Raises:
        ValueError: It is no such key.
    """
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        key = Ed25519PublicKey.from_public_bytes(base64.b64decode(public_key, validate=True))
    except ValueError as error:
        raise ValueError("the Telnyx public key must be 32 bytes in base64, as Mission Control shows it") from error

    def check(webhook: Webhook, now_s: float) -> str | None:
        stamp, given = webhook.headers.get("telnyx-timestamp", ""), webhook.headers.get("telnyx-signature-ed25519", "")
        if not given or not stamp:
            return "no signature"
        if not (stamp.isascii() and stamp.isdigit() and len(stamp) <= 12):
            return "bad timestamp"
        try:
            key.verify(base64.b64decode(given, validate=True), f"{stamp}|".encode() + webhook.body)
        except (InvalidSignature, binascii.Error, ValueError):
            return "wrong signature"
        return None if abs(now_s - int(stamp)) <= TELNYX_TOLERANCE_S else "too old"

    return check


# ---- Plivo


def sign_plivo(
    method: str,
    url: str,
    fields: Iterable[tuple[str, str]],
    nonce: str,
    auth_token: str,
    query: Iterable[tuple[str, str]],
) -> str:
    """Make the X-Plivo-Signature-V3 of a request.

    Args:
        method: "GET" or "POST".
        url: The address; its query is left out and given as `query`.
        fields: The form's fields of a POST.
        nonce: X-Plivo-Signature-V3-Nonce.
        auth_token: The account's secret.
        query: The query's fields.
    """
    text, form = url.partition("?")[0], list(fields) if method == "POST" else []
    asked = "&".join(f"{name}={value}" for name, value in sorted(query))
    if asked or form:
        text += f"?{asked}"
    if asked and form:
        text += "."
    text += "".join(f"{name}{value}" for name, value in sorted(form))
    return _b64(hmac.digest(auth_token.encode(), f"{text}.{nonce}".encode(), hashlib.sha256))


def check_plivo(auth_token: str) -> SignatureCheck:
    """Make the check of X-Plivo-Signature-V3; the header may hold several, of which one must fit."""

    def check(webhook: Webhook, now_s: float) -> str | None:
        del now_s
        nonce = webhook.headers.get("x-plivo-signature-v3-nonce", "")
        given = webhook.headers.get("x-plivo-signature-v3", "")
        if not given or not nonce:
            return "no signature"
        made = [sign_plivo(webhook.method, webhook.url, webhook.fields, nonce, auth_token, webhook.query)]
        fits = [_verdict(one.strip(), made) is None for one in given.split(",")[:8]]
        return None if any(fits) else "wrong signature"

    return check


def _verdict(given: str, made: Iterable[str]) -> str | None:
    if not given:
        return "no signature"
    fits = [hmac.compare_digest(given.encode(), one.encode()) for one in made]
    return None if any(fits) else "wrong signature"


def _b64(raw: bytes) -> str:
    return base64.b64encode(raw).decode()
