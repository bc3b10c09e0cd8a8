"""The hand-off as a signed POST to another system.

Owns the request, its signature and the retries. The receiver gets each hand-off at least once and tells repetitions by
the ``Idempotency-Key``, which is the call's id. Secrets come from the environment and are never in a setting or a log.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import os
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import quote, urlsplit

from pydantic import BaseModel, ConfigDict, Field, model_validator

from obligations.adapters.webhook_hosts import is_this_machine, why_not
from obligations.errors import CallerError, MissingExtra
from obligations.handoff.models import Handoff
from obligations.stores.errors import HandoffNotSent

if TYPE_CHECKING:
    import httpx

SIGNATURE_HEADER = "X-Handoff-Signature"
TIMESTAMP_HEADER = "X-Handoff-Timestamp"
KEY_HEADER = "Idempotency-Key"
VERSION_HEADER = "X-Handoff-Version"
SIGNATURE_VERSION = "v1"
SECRET_CHARS_MIN = 16
AGE_S_MAX = 300.0
"""How old a signed request may be for `verify_signature`; our choice."""

# The receiver may take the same request a little later.
RETRIED = frozenset({408, 425, 429, 500, 502, 503, 504})


class WebhookConfig(BaseModel):
    """Settings of the sink.

    Parameters:
        url: Where to; https to a public host, or to this machine itself, there http as well.
        allow_private: Also an address inside a network (10.*, 192.168.*, link-local, ...); for a receiver on your own.
            The address of a cloud's metadata service, in any form, is never taken.
        secret_env: Environment variable that holds the signing secret, at least `SECRET_CHARS_MIN` characters.
        timeout_s: Longest wait for one attempt, seconds.
        attempts_max: Most attempts.
        backoff_first_s: Longest pause after the first attempt, seconds; doubled each time, drawn between half and all.
        backoff_s_max: Longest such pause, seconds; also the most a Retry-After is heeded.
        total_s_max: Longest time over all attempts and pauses, seconds.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    url: str
    allow_private: bool = False
    secret_env: str = Field(default="PIPECAT_INTERRUPT_WEBHOOK_SECRET", min_length=1)
    timeout_s: float = Field(default=3.0, gt=0.0, le=60.0)
    attempts_max: int = Field(default=5, ge=1, le=20)
    backoff_first_s: float = Field(default=0.25, gt=0.0, le=60.0)
    backoff_s_max: float = Field(default=8.0, gt=0.0, le=300.0)
    total_s_max: float = Field(default=30.0, gt=0.0, le=600.0)

    @model_validator(mode="after")
    def _safe(self) -> Self:
        if any(char.isspace() or not char.isprintable() for char in self.url):
            raise ValueError("the url must hold no blanks, line breaks or control characters")
        parts = urlsplit(self.url)
        if parts.username or parts.password:
            raise ValueError("no credentials in the url: they would stand in logs")
        host = parts.hostname or ""
        if not host or not (parts.scheme == "https" or (parts.scheme == "http" and is_this_machine(host))):
            raise ValueError("the url must be https (http only to this machine): a hand-off is health data")
        found = why_not(host)
        if found is not None and (found.always or not self.allow_private):
            more = "" if found.always else "; a receiver in your own network needs allow_private=True"
            raise ValueError(f"the url's host {host} is {found.why}{more}")
        return self


class WebhookSink:
    """A `HandoffSink` that posts JSON.

    Promises: `send` returns after a 2xx and raises `HandoffNotSent` otherwise, within `total_s_max`; redirects are not
    followed; the body is the hand-off's JSON, byte for byte what was signed.

    Args:
        config: Its settings.
        client: An `httpx.AsyncClient` to use, closed by whoever made it; None makes one.
        environ: Where the secret is read, once.
        clock: Wall clock, Unix seconds, for the signature.
        sleep: Waits; tests pass their own.
        rng: Jitter.

    Raises:
        CallerError: The secret is missing or too short; the message names the variable.
        MissingExtra: The httpx package is not installed.
    """

    def __init__(
        self,
        config: WebhookConfig,
        *,
        client: httpx.AsyncClient | None = None,
        environ: Mapping[str, str] = os.environ,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        rng: random.Random | None = None,
    ) -> None:
        self.config = config
        secret = environ.get(config.secret_env, "")
        if len(secret) < SECRET_CHARS_MIN:
            raise CallerError(f"set {config.secret_env} to a secret of at least {SECRET_CHARS_MIN} characters")
        self._secret = secret.encode()
        self._own_client = client is None
        self._client: Any = client if client is not None else _make_client(config)
        self._clock, self._sleep, self._rng = clock, sleep, rng or random.Random()

    async def send(self, handoff: Handoff) -> None:
        """Post one hand-off, again and again within the bounds.

        Raises:
            HandoffNotSent: It was not confirmed; `refused` when the receiver will not take it at all.
        """
        body = handoff.model_dump_json().encode()
        try:
            async with asyncio.timeout(self.config.total_s_max):
                await self._send(body, handoff)
        except TimeoutError:
            raise HandoffNotSent(f"no confirmation within {self.config.total_s_max:g} s") from None

    async def close(self) -> None:
        """Close the client this sink made."""
        if self._own_client:
            await self._client.aclose()

    async def _send(self, body: bytes, handoff: Handoff) -> None:
        why = ""
        for attempt in range(self.config.attempts_max):
            status, why, wait_s = await self._post(body, handoff)
            if status is not None and 200 <= status < 300:
                return
            if status is not None and status not in RETRIED:
                raise HandoffNotSent(f"the receiver refused: {why}", refused=True)
            if attempt + 1 < self.config.attempts_max:
                await self._sleep(max(self._pause_s(attempt), wait_s))
        raise HandoffNotSent(f"no confirmation in {self.config.attempts_max} attempts: {why}")

    async def _post(self, body: bytes, handoff: Handoff) -> tuple[int | None, str, float]:
        """Try once: the status, or None when there was no answer; why; and how long the receiver asks to wait."""
        import httpx

        try:
            async with asyncio.timeout(self.config.timeout_s):
                answer = await self._client.post(
                    self.config.url, content=body, headers=self._headers(body, handoff), follow_redirects=False
                )
        except (httpx.HTTPError, httpx.StreamError, OSError, TimeoutError) as error:
            return None, type(error).__name__, 0.0
        return answer.status_code, f"status {answer.status_code}", self._asked_wait_s(answer.headers)

    def _headers(self, body: bytes, handoff: Handoff) -> dict[str, str]:
        stamp = str(int(self._clock()))
        return {
            "Content-Type": "application/json",
            KEY_HEADER: quote(handoff.call_id, safe=""),
            VERSION_HEADER: str(handoff.version),
            TIMESTAMP_HEADER: stamp,
            SIGNATURE_HEADER: sign(self._secret, stamp, body),
        }

    def _pause_s(self, attempt: int) -> float:
        longest = min(self.config.backoff_first_s * 2**attempt, self.config.backoff_s_max)
        return longest * self._rng.uniform(0.5, 1.0)

    def _asked_wait_s(self, headers: Mapping[str, str]) -> float:
        try:
            return min(max(0.0, float(headers.get("Retry-After", "0"))), self.config.backoff_s_max)
        except ValueError:  # a date, or nonsense: our own pause will do
            return 0.0


def sign(secret: bytes, timestamp: str, body: bytes) -> str:
    """Give the signature of a request: ``v1=`` and the hex HMAC-SHA256 of ``timestamp.body``."""
    return f"{SIGNATURE_VERSION}={hmac.new(secret, timestamp.encode() + b'.' + body, hashlib.sha256).hexdigest()}"


def verify_signature(
    secret: bytes, headers: Mapping[str, str], body: bytes, *, now_s: float, age_s_max: float = AGE_S_MAX
) -> bool:
    """Say, on the receiver's side, whether a request is genuine and fresh.

    Args:
        secret: The shared secret.
        headers: The request's headers; their names in any case.
        body: The body as it came, before any parsing.
        now_s: Unix time.
        age_s_max: Oldest (or most premature) timestamp taken, seconds.

    Returns:
        False for a missing, wrong or stale signature; never raises for what a stranger sends.
    """
    given = {name.lower(): value for name, value in headers.items()}
    stamp, signature = given.get(TIMESTAMP_HEADER.lower(), ""), given.get(SIGNATURE_HEADER.lower(), "")
    if not (stamp.isascii() and stamp.isdigit() and len(stamp) <= 12) or abs(now_s - int(stamp)) > age_s_max:
        return False
    return hmac.compare_digest(sign(secret, stamp, body).encode(), signature.encode("utf-8", "replace"))


def _make_client(config: WebhookConfig) -> Any:
    try:
        import httpx
    except ImportError:
        raise MissingExtra("httpx", "webhook") from None
    return httpx.AsyncClient(timeout=config.timeout_s, follow_redirects=False)
