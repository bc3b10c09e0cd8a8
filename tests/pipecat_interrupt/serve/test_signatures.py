"""Webhook signatures: the carrier's are taken, everybody else's are refused, whatever they send."""

from __future__ import annotations

import base64
import json
from urllib.parse import urlencode

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st

from pipecat_interrupt.errors import SettingsError
from pipecat_interrupt.serve import Provider, ServeConfig
from pipecat_interrupt.serve.secrets import ENVIRONMENT, Secrets
from pipecat_interrupt.serve.signatures import (
    SignatureCheck,
    check_plivo,
    check_telnyx,
    check_twilio,
    sign_plivo,
    sign_telnyx,
    sign_twilio,
)
from pipecat_interrupt.serve.webhook import Webhook

pytestmark = pytest.mark.unit

URL = "https://calls.example.org/twilio/voice"
FORM = {"CallSid": "CA1234567890ABCDE", "Caller": "+14158675310", "Digits": "1234", "To": "+18005551212"}
NOW_S = 1_800_000_000.0
TELNYX_KEY = bytes(range(32))
TELNYX_PUBLIC = base64.b64encode(
    Ed25519PrivateKey.from_private_bytes(TELNYX_KEY).public_key().public_bytes_raw()
).decode()


def webhook(headers: dict[str, str], form: dict[str, str] | None = None, url: str = URL) -> Webhook:
    return Webhook("POST", url, headers, urlencode(FORM if form is None else form).encode())


def test_our_twilio_signature_is_the_one_twilios_package_makes() -> None:
    """Made once with twilio 9.13.0 (`RequestValidator("12345").compute_signature`)."""
    form = {**FORM, "From": "+14158675310"}

    made = sign_twilio("https://mycompany.com/myapp.php?foo=1&bar=2", form.items(), "12345")

    assert made == "GvWf1cFY/Q7PnoempGyD5oXAezc="


@pytest.mark.parametrize(
    ("method", "query", "form", "expected"),
    [
        ("POST", (), True, "HzDEwQqbhFDwM3QtYue2KjRyr4Ps6fOXLOzl/vMEwmo="),
        ("POST", (("b", "2"), ("a", "1")), True, "GASOJcnjNIREr9+w9FFHzTmdrL/nPJqHJcyO+98BdpM="),
        ("GET", (("b", "2"), ("a", "1")), False, "6TOH7yPVcCVcBbEvdA3KXkUVQOECm6yw/HURMzK/WXw="),
        ("POST", (("b", "2"), ("a", "1")), False, "6TOH7yPVcCVcBbEvdA3KXkUVQOECm6yw/HURMzK/WXw="),
    ],
)
def test_our_plivo_signature_is_the_one_plivos_package_makes(
    method: str, query: tuple[tuple[str, str], ...], form: bool, expected: str
) -> None:
    """Made once with plivo 4.63.0 (`signature_v3`)."""
    fields = {
        "CallUUID": "97ceeb52-58b6-11e1-86da-77300b68f8bb",
        "From": "15550100",
        "To": "15550111",
        "Direction": "inbound",
    }
    url = "https://calls.example.org/plivo/voice" + ("?b=2&a=1" if query else "")

    assert expected == sign_plivo(method, url, fields.items() if form else (), "12345", "secret-of-plivo", query)


@pytest.mark.parametrize("signed_url", [URL, "https://calls.example.org:443/twilio/voice"])
def test_twilio_may_sign_with_or_without_the_port(signed_url: str) -> None:
    """Both are Twilio's."""
    given_signature = sign_twilio(signed_url, FORM.items(), "token")

    assert check_twilio("token")(webhook({"x-twilio-signature": given_signature}), NOW_S) is None


@pytest.mark.parametrize(
    ("headers", "form", "url", "why"),
    [
        ({}, FORM, URL, "no signature"),
        ({"x-twilio-signature": sign_twilio(URL, FORM.items(), "stranger")}, FORM, URL, "wrong signature"),
        ({"x-twilio-signature": sign_twilio(URL, FORM.items(), "token")}, FORM | {"To": "+1"}, URL, "wrong signature"),
        ({"x-twilio-signature": sign_twilio(URL, FORM.items(), "token")}, FORM, URL + "?x=1", "wrong signature"),
        ({"x-twilio-signature": "\N{SNOWMAN}"}, FORM, URL, "wrong signature"),
    ],
    ids=["none", "another key", "another form", "another address", "no text of ours"],
)
def test_what_twilio_did_not_sign_is_refused(headers: dict[str, str], form: dict[str, str], url: str, why: str) -> None:
    """Key, form and address all count."""
    assert check_twilio("token")(webhook(headers, form, url), NOW_S) == why


def telnyx(body: bytes, *, stamp: str | None = None, key: bytes = TELNYX_KEY, at_s: float = NOW_S) -> Webhook:
    headers = {"telnyx-timestamp": stamp or str(int(at_s))}
    headers["telnyx-signature-ed25519"] = sign_telnyx(body, int(at_s), key)
    return Webhook("POST", URL, headers, body)


def test_a_telnyx_webhook_is_taken_within_five_minutes() -> None:
    """And an altered body, a stranger's key, a moved timestamp and an old one are not."""
    check, body = check_telnyx(TELNYX_PUBLIC), b"CallSid=v3%3Aabc"

    assert check(telnyx(body), NOW_S) is None
    assert check(telnyx(body), NOW_S + 299) is None
    assert check(telnyx(body), NOW_S + 301) == "too old"
    assert check(telnyx(body), NOW_S - 301) == "too old"
    assert check(telnyx(body, key=bytes(32)), NOW_S) == "wrong signature"
    assert check(telnyx(body, stamp=str(int(NOW_S) + 60)), NOW_S) == "wrong signature"
    assert check(telnyx(body, stamp="\N{ARABIC-INDIC DIGIT ONE}"), NOW_S) == "bad timestamp"
    altered = telnyx(body)
    assert check(Webhook("POST", URL, altered.headers, body + b"x"), NOW_S) == "wrong signature"
    assert check(Webhook("POST", URL, {}, body), NOW_S) == "no signature"


def test_a_plivo_header_may_hold_several_signatures() -> None:
    """One of them must fit; a list of a thousand is not read to its end."""
    url, check = "https://calls.example.org/plivo/voice", check_plivo("token")
    mine = sign_plivo("POST", url, FORM.items(), "n1", "token", ())

    def asked(signature: str, nonce: str = "n1") -> str | None:
        headers = {"x-plivo-signature-v3": signature, "x-plivo-signature-v3-nonce": nonce}
        return check(webhook(headers, url=url), NOW_S)

    assert asked(mine) is None
    assert asked(f"AAAA,{mine}") is None
    assert asked(mine, "n2") == "wrong signature"
    assert asked(",".join(["AAAA"] * 1000 + [mine])) == "wrong signature"
    assert check(webhook({}, url=url), NOW_S) == "no signature"


CHECKS: list[SignatureCheck] = [check_twilio("token"), check_plivo("token"), check_telnyx(TELNYX_PUBLIC)]
HEADER_NAMES = [
    "x-twilio-signature",
    "x-plivo-signature-v3",
    "x-plivo-signature-v3-nonce",
    "telnyx-timestamp",
    "telnyx-signature-ed25519",
]


@pytest.mark.hypothesis
@settings(max_examples=40)
@given(
    headers=st.dictionaries(st.sampled_from(HEADER_NAMES), st.text(max_size=80)),
    body=st.binary(max_size=300),
    query=st.text(max_size=40),
    method=st.sampled_from(["GET", "POST"]),
)
def test_no_request_of_a_stranger_passes_or_breaks_a_check(
    headers: dict[str, str], body: bytes, query: str, method: str
) -> None:
    """Whatever stands in it, the answer is a reason."""
    asked = Webhook(method, f"{URL}?{query}", headers, body)

    assert all(check(asked, NOW_S) for check in CHECKS)


# ---- secrets


def test_secrets_come_from_the_environment_and_are_never_shown() -> None:
    """Neither printing nor dumping them gives one away."""
    secrets = Secrets.from_environment({variable: f"value-of-{name}" for name, variable in ENVIRONMENT.items()})

    shown = repr(secrets) + str(secrets) + json.dumps(secrets.model_dump(mode="json"))

    assert secrets.value("twilio_auth_token") == "value-of-twilio_auth_token"
    assert "value-of" not in shown


@pytest.mark.parametrize("provider", list(Provider))
def test_a_server_without_its_carriers_secret_does_not_start(provider: Provider) -> None:
    """The message names the variable and the way out."""
    with pytest.raises(SettingsError, match=r"(TWILIO_AUTH_TOKEN|TELNYX_PUBLIC_KEY|PLIVO_AUTH_TOKEN).*--unsigned"):
        Secrets().signature_check(ServeConfig(provider=provider))


def test_a_telnyx_key_that_is_none_is_named() -> None:
    """Before the first call."""
    secrets = Secrets.from_environment({"TELNYX_PUBLIC_KEY": "no key"})

    with pytest.raises(SettingsError, match="TELNYX_PUBLIC_KEY.*32 bytes"):
        secrets.signature_check(ServeConfig(provider=Provider.TELNYX))


def test_unsigned_webhooks_are_for_ones_own_machine_only() -> None:
    """A public address without a signature would let anybody start calls."""
    with pytest.raises(ValueError, match="loopback"):
        ServeConfig(unsigned=True, host="0.0.0.0")


@pytest.mark.parametrize("url", ["calls.example.org", "ftp://x", "http://calls.example.org", "https://a/?b=c"])
def test_a_public_address_that_cannot_work_is_named(url: str) -> None:
    """Carriers need https."""
    with pytest.raises(ValueError, match="public_url"):
        ServeConfig(public_url=url)


def test_a_short_stream_secret_is_refused() -> None:
    """The message says how to make one."""
    with pytest.raises(SettingsError, match="openssl rand"):
        Secrets.from_environment({"PIPECAT_INTERRUPT_STREAM_SECRET": "short"}).stream_key()
