"""The webhook against a real HTTP server on this machine: well, slow, failing, dead, refusing."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from pydantic import ValidationError

from obligations import Handoff
from obligations.adapters.webhook import WebhookConfig, WebhookSink, sign, verify_signature
from obligations.errors import CallerError, MissingExtra
from obligations.stores import HandoffNotSent, HandoffSink
from tests.obligations.stores.calls import a_handoff

pytestmark = pytest.mark.contract

pytest.importorskip("httpx", reason="the webhook extra is not installed")

SECRET = "a secret of sixteen characters and more"
NOW_S = 1_800_000_000.0


@dataclass
class Receiver:
    """A small HTTP server: answers with the next of `answers` (the last one for ever), keeps what it got."""

    answers: list[bytes] = field(default_factory=lambda: [b"HTTP/1.1 204 No Content\r\n\r\n"])
    delay_s: float = 0.0
    requests: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    server: asyncio.Server | None = None

    async def start(self) -> None:
        self.server = await asyncio.start_server(self._serve, "127.0.0.1", 0)

    @property
    def url(self) -> str:
        assert self.server is not None
        return f"http://127.0.0.1:{self.server.sockets[0].getsockname()[1]}/handoff"

    async def stop(self) -> None:
        if self.server is not None:
            self.server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:] if line)}
            body = await reader.readexactly(int(headers["content-length"]))
            self.requests.append((headers, body))
            answer = self.answers[min(len(self.requests), len(self.answers)) - 1]
            await asyncio.sleep(self.delay_s)
            writer.write(answer.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n", 1))
            await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


def answer(status: int, *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status} X", "Content-Length: 0", *headers]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    """A server that takes everything, until a test says otherwise."""
    made = Receiver()
    await made.start()
    yield made
    await made.stop()


@pytest.fixture
async def make_sink(receiver: Receiver) -> AsyncIterator[Callable[..., WebhookSink]]:
    """Makes sinks that do not really pause; the pauses asked for are in `sink.pauses`."""
    made: list[WebhookSink] = []

    def make(url: str | None = None, **settings: Any) -> WebhookSink:
        pauses: list[float] = []

        async def sleep(seconds: float) -> None:
            pauses.append(seconds)

        sink = WebhookSink(
            WebhookConfig(url=url or receiver.url, secret_env="TEST_SECRET", **settings),
            environ={"TEST_SECRET": SECRET},
            clock=lambda: NOW_S,
            sleep=sleep,
        )
        sink.pauses = pauses  # type: ignore[attr-defined]  # for the test's eyes
        made.append(sink)
        return sink

    yield make
    for sink in made:
        await sink.close()


async def test_the_hand_off_arrives_signed_and_whole(receiver: Receiver, make_sink: Callable[..., WebhookSink]) -> None:
    """The body is the hand-off's JSON, the signature fits it, the key is the call's id."""
    sink: HandoffSink = make_sink()

    await sink.send(a_handoff("call 7/ä"))

    ((headers, body),) = receiver.requests
    assert a_handoff("call 7/ä") == Handoff.model_validate_json(body)
    assert "call%207%2F%C3%A4" == headers["idempotency-key"]
    assert verify_signature(SECRET.encode(), headers, body, now_s=NOW_S + 5)
    assert SECRET not in str(headers)


async def test_a_server_that_fails_twice_gets_it_the_third_time(
    receiver: Receiver, make_sink: Callable[..., WebhookSink]
) -> None:
    """Same body, same key; the pauses grow and are jittered."""
    receiver.answers = [answer(500), answer(503), answer(200)]
    sink = make_sink(backoff_first_s=1.0)

    await sink.send(a_handoff())

    assert 3 == len(receiver.requests)
    assert 1 == len({(headers["idempotency-key"], body) for headers, body in receiver.requests})
    first, second = sink.pauses  # type: ignore[attr-defined]
    assert 0.5 <= first <= 1.0 <= second <= 2.0


async def test_a_server_that_always_fails_is_given_up_within_the_bound(
    receiver: Receiver, make_sink: Callable[..., WebhookSink]
) -> None:
    """Exactly `attempts_max` requests, and an error that is not a refusal: it may be offered again."""
    receiver.answers = [answer(500)]
    sink = make_sink(attempts_max=4)

    with pytest.raises(HandoffNotSent) as failed:
        await sink.send(a_handoff())

    assert (4, 3, False) == (len(receiver.requests), len(sink.pauses), failed.value.refused)  # type: ignore[attr-defined]


@pytest.mark.parametrize("status", [301, 302, 400, 401, 403, 404, 410, 413, 422, 501])
async def test_a_refusal_is_not_repeated(
    receiver: Receiver, make_sink: Callable[..., WebhookSink], status: int
) -> None:
    """A receiver that understood and said no is not asked again, and no redirect is followed."""
    receiver.answers = [answer(status, f"Location: {receiver.url}/elsewhere")]
    sink = make_sink()

    with pytest.raises(HandoffNotSent) as failed:
        await sink.send(a_handoff())

    assert (1, True) == (len(receiver.requests), failed.value.refused)


async def test_a_receiver_that_asks_for_time_gets_it_up_to_the_bound(
    receiver: Receiver, make_sink: Callable[..., WebhookSink]
) -> None:
    """Retry-After is heeded, but never longer than our own longest pause; a date is passed over."""
    receiver.answers = [
        answer(429, "Retry-After: 2"),
        answer(503, "Retry-After: 9999"),
        answer(503, "Retry-After: Wed, 21 Oct 2026 07:28:00 GMT"),
        answer(200),
    ]
    sink = make_sink(backoff_first_s=0.1, backoff_s_max=5.0)

    await sink.send(a_handoff())

    asked, capped, own = sink.pauses  # type: ignore[attr-defined]
    assert (2.0, 5.0) == (asked, capped) and own < 0.5


async def test_a_slow_server_costs_the_time_out_and_no_more(
    receiver: Receiver, make_sink: Callable[..., WebhookSink]
) -> None:
    """Each attempt is bounded, so all of them are."""
    receiver.delay_s = 30.0
    sink = make_sink(timeout_s=0.1, attempts_max=3)
    loop = asyncio.get_running_loop()

    begin = loop.time()
    with pytest.raises(HandoffNotSent, match="3 attempts"):
        await sink.send(a_handoff())

    assert 0.3 <= loop.time() - begin < 3.0


async def test_all_attempts_together_are_bounded(receiver: Receiver, make_sink: Callable[..., WebhookSink]) -> None:
    """`total_s_max` ends it in the middle of an attempt."""
    receiver.delay_s = 30.0
    sink = make_sink(timeout_s=20.0, total_s_max=0.2)
    loop = asyncio.get_running_loop()

    begin = loop.time()
    with pytest.raises(HandoffNotSent, match=r"within 0\.2 s"):
        await sink.send(a_handoff())

    assert loop.time() - begin < 3.0


async def test_a_dead_server_is_not_an_exception_of_somebody_elses(
    receiver: Receiver, make_sink: Callable[..., WebhookSink]
) -> None:
    """Nobody listens at the port any more."""
    sink = make_sink(attempts_max=2)
    await receiver.stop()

    with pytest.raises(HandoffNotSent) as failed:
        await sink.send(a_handoff())

    assert not failed.value.refused


async def test_a_server_that_talks_nonsense_is_not_a_confirmation(
    receiver: Receiver, make_sink: Callable[..., WebhookSink]
) -> None:
    """Garbage, and a connection closed in mid-answer."""
    receiver.answers = [b"hello\r\n\r\n", b"HTTP/1.1 2"]
    sink = make_sink(attempts_max=2)

    with pytest.raises(HandoffNotSent):
        await sink.send(a_handoff())

    assert 2 == len(receiver.requests)


@pytest.mark.parametrize(
    "url",
    [
        "http://clinic.example/handoff",
        "ftp://clinic.example/x",
        "https://user:pass@clinic.example/x",
        "https://",
        "clinic.example",
        "http://localhost.clinic.example/x",
        "",
        "https://clinic.example/x\r\nX-Forwarded-For: 1",
        "https://clinic.example/a b",
        "https://10.0.0.7/x",
        "https://192.168.1.9/x",
        "https://172.16.0.1/x",
        "https://169.254.169.254/latest/meta-data",
        "https://[::ffff:10.0.0.7]/x",
        "https://[fe80::1]/x",
        "https://[fd00:ec2::254]/x",
        "https://100.64.0.1/x",
        "https://0.0.0.0/x",
        "https://224.0.0.1/x",
        "https://2130706433/x",
        "https://metadata.google.internal/x",
    ],
)
def test_a_place_health_data_must_not_go_is_refused(url: str) -> None:
    """Plain http to elsewhere, credentials in the url, no url at all, line breaks, addresses inside a network."""
    with pytest.raises(ValidationError):
        WebhookConfig(url=url)


@pytest.mark.parametrize(
    "url", ["https://clinic.example/x", "http://127.0.0.1:8/x", "http://[::1]/x", "http://localhost/"]
)
def test_https_and_this_machine_are_taken(url: str) -> None:
    """Http is for tests and for a proxy beside the worker."""
    assert url == WebhookConfig(url=url).url


def test_an_address_in_ones_own_network_is_taken_when_it_is_allowed() -> None:
    """The setting is named in the refusal; a cloud's metadata service is never a receiver."""
    url = "https://10.0.0.7/handoff"

    with pytest.raises(ValidationError, match="allow_private=True"):
        WebhookConfig(url=url)
    assert WebhookConfig(url=url, allow_private=True).url == url
    with pytest.raises(ValidationError, match="metadata service"):
        WebhookConfig(url="https://169.254.169.254/x", allow_private=True)


@pytest.mark.parametrize("allow_private", [False, True])
@pytest.mark.parametrize(
    "host",
    [
        "METADATA.google.internal.", "metadata.google.internal..", "metadata", "instance-data.ec2.internal",
        "168.63.129.16", "192.0.0.192", "100.100.100.200", "169.254.170.2", "169.254.169.254.",
        "[64:ff9b::a9fe:a9fe]", "[64:ff9b:1::a9fe:a9fe]", "[2002:a9fe:a9fe::]", "[::a9fe:a9fe]",
        "[::ffff:169.254.169.254]", "[fd00:ec2::254]", "[fd20:ce::254]", "[fe80::5efe:a9fe:a9fe]",
        "2852039166", "0xa9fea9fe", "0xA9.0xFE.0xA9.0xFE", "0251.0376.0251.0376", "169.254.43518", "169.16689662",
        "\uff11\uff16\uff19.\uff12\uff15\uff14.\uff11\uff16\uff19.\uff12\uff15\uff14",
        "169\u3002254\u3002169\u3002254", "\uff4detadata.google.internal",
    ],
)  # fmt: skip
def test_a_metadata_service_is_refused_in_every_form_a_resolver_reads(host: str, allow_private: bool) -> None:
    """Also where one's own network is allowed."""
    with pytest.raises(ValidationError, match="metadata service"):
        WebhookConfig(url=f"https://{host}/x", allow_private=allow_private)


@pytest.mark.parametrize(
    "host",
    ["2130706433", "0x7f000001", "127.1", "010.0.0.7", "10.0.7", "0x0a.0.0.7", "1.2.3.4.5", "169.254.169.%32%35%34"],
)
def test_an_address_in_an_odd_form_is_refused_whatever_it_stands_for(host: str) -> None:
    """Two readers of the same url may not read it alike; the message names the usual form."""
    with pytest.raises(ValidationError, match="four decimal numbers"):
        WebhookConfig(url=f"https://{host}/x", allow_private=True)


@pytest.mark.parametrize("host", ["[64:ff9b::a00:7]", "[2002:a00:7::]", "[::ffff:10.0.0.7]", "10.0.0.7."])
def test_a_private_address_inside_another_needs_the_same_leave(host: str) -> None:
    """NAT64, 6to4 and mapped addresses lead into one's own network too."""
    with pytest.raises(ValidationError, match="allow_private=True"):
        WebhookConfig(url=f"https://{host}/x")
    assert WebhookConfig(url=f"https://{host}/x", allow_private=True)


@pytest.mark.parametrize(
    "host", ["clinic.example.", "m\u00fcnchen.example", "1.1.1.1", "[2606:4700::1111]", "3com.example"]
)
def test_a_public_name_or_address_is_taken(host: str) -> None:
    """The check holds off no receiver that is one."""
    assert WebhookConfig(url=f"https://{host}/x")


@pytest.mark.parametrize("environ", [{}, {"TEST_SECRET": ""}, {"TEST_SECRET": "fifteen letters"}])
def test_without_a_secret_nothing_is_sent(environ: dict[str, str]) -> None:
    """The message names the variable and not what is in it."""
    with pytest.raises(CallerError, match="TEST_SECRET") as refused:
        WebhookSink(WebhookConfig(url="https://clinic.example", secret_env="TEST_SECRET"), environ=environ)

    assert "fifteen" not in str(refused.value)


def test_a_forged_or_stale_request_does_not_verify() -> None:
    """Another secret, another body, an old or a future time, a missing or odd header."""
    body, stamp = b'{"call_id":"c"}', str(int(NOW_S))
    good = {"X-Handoff-Timestamp": stamp, "x-handoff-signature": sign(b"k" * 16, stamp, body)}
    assert verify_signature(b"k" * 16, good, body, now_s=NOW_S)

    forged = [
        (b"x" * 16, good, body, NOW_S),
        (b"k" * 16, good, body + b" ", NOW_S),
        (b"k" * 16, good, body, NOW_S + 301),
        (b"k" * 16, good, body, NOW_S - 301),
        (b"k" * 16, {**good, "X-Handoff-Timestamp": str(int(NOW_S) + 1)}, body, NOW_S),
        (b"k" * 16, {}, body, NOW_S),
        (b"k" * 16, {"X-Handoff-Timestamp": stamp, "X-Handoff-Signature": "v1=ü\ud800"}, body, NOW_S),
        (b"k" * 16, {**good, "X-Handoff-Timestamp": "9" * 5000}, body, NOW_S),
        (b"k" * 16, {**good, "X-Handoff-Timestamp": "-1"}, body, NOW_S),
    ]

    assert [False] * len(forged) == [verify_signature(s, h, b, now_s=now) for s, h, b, now in forged]


def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message is an install line."""
    monkeypatch.setitem(sys.modules, "httpx", None)

    with pytest.raises(MissingExtra, match=r"pipecat-interrupt\[webhook\]"):
        WebhookSink(WebhookConfig(url="https://clinic.example", secret_env="S"), environ={"S": SECRET})
