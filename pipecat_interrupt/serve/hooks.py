"""The webhook: a carrier asks what to do with a call, and is told to open a media stream, or that the line is busy."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Callable

from fastapi import Request, Response
from loguru import logger

from obligations.stores import LedgerStore
from pipecat_interrupt.serve.answers import CALL_ID_CHARS_MAX, CALL_ID_FIELDS, busy, connect, over, wait
from pipecat_interrupt.serve.config import Provider
from pipecat_interrupt.serve.desk import CallDesk
from pipecat_interrupt.serve.signatures import SignatureCheck
from pipecat_interrupt.serve.tokens import StreamTokens, Ticket
from pipecat_interrupt.serve.webhook import Webhook

XML = "application/xml"
AGAIN = "again"
"""Query field of the webhook a carrier asks when a stream has closed and the caller is still there."""

WAITS_MAX = 10
"""How often a caller whose stream has closed waits a second while the store cannot say whether the call is over; one
that is away for longer has the call begun anew."""

AGAIN_TRIES, AGAIN_STEP_S = 8, 0.25
"""A call that ended in order is known to be over within a second; a dead worker's is still open after two."""


class VoiceWebhook:
    """Answers a carrier's webhook.

    Args:
        desk: What all calls share.
        check: Whether a webhook is the carrier's.
        tokens: Makes the tokens of media streams.
        store: Keeps calls beyond their worker: then our name of a call is made from the carrier's, so that every worker
            knows it by the same, and the carrier asks again when a stream has closed under a caller.
        now_s: Wall clock, seconds.
    """

    def __init__(
        self,
        desk: CallDesk,
        check: SignatureCheck,
        tokens: StreamTokens,
        *,
        store: LedgerStore | None = None,
        now_s: Callable[[], float] = time.time,
    ) -> None:
        self._desk, self._check, self._tokens, self._store, self._now_s = desk, check, tokens, store, now_s

    async def answer(self, request: Request) -> Response:
        """Answer one request: 200 with XML, 403 for a stranger, 413 for a body too long, 400 for no call."""
        body = await _body(request, self._desk.config.limits.webhook_bytes_max)
        if body is None:
            return self._refuse("too_long", 413)
        webhook = Webhook(request.method, self._public_url(request), dict(request.headers), body)
        why = self._check(webhook, self._now_s())
        if why is not None:
            logger.warning("a webhook was refused: {}", why)
            return self._refuse("forged", 403)
        provider = self._desk.config.provider
        carrier_id = webhook.value(CALL_ID_FIELDS[provider])
        if not 0 < len(carrier_id) <= CALL_ID_CHARS_MAX:
            return self._refuse("no_call", 400)
        name = name_of(provider, carrier_id) if self._store is not None else None
        asked = _number(webhook.value(AGAIN)) if name is not None else 0
        if name is not None and asked:
            finished = await self._finished(name)
            if finished:
                self._count("over")
                return Response(over(), media_type=XML)
            if finished is None and asked <= WAITS_MAX:
                self._count("waiting")
                return Response(wait(provider, self._again_url(request, asked + 1)), media_type=XML)
        call = self._desk.registry.promise(provider, carrier_id, name)
        if call is None:
            logger.warning("a call was refused: {}", "draining" if self._desk.registry.draining else "full")
            self._count("busy")
            return Response(busy(provider), media_type=XML)
        self._count("answered")
        token = self._tokens.make(Ticket(call.id, carrier_id, again=asked > 0))
        logger.bind(call_id=call.id, provider=provider.value).info("call promised")
        stream_url = f"{self._desk.config.stream_base_url}/media/{token}"
        again_url = self._again_url(request, 1) if name is not None else None
        return Response(connect(provider, stream_url, again_url), media_type=XML)

    async def _finished(self, name: str) -> bool | None:
        """Whether a call has had its hand-off; waits a moment for one that is just being given.

        None: the store cannot be asked. Then the caller waits, for a call begun anew would be handed off twice; when
        the waiting is over it is begun anew all the same, for a second greeting is better than a lost call.
        """
        assert self._store is not None
        for _ in range(AGAIN_TRIES):
            try:
                if await self._store.handoff(name) is not None:
                    return True
            except Exception as error:
                logger.warning("the store could not be asked whether a call is over: {}", type(error).__name__)
                return any(call.id == name for call in self._desk.registry.finished) or None
            await asyncio.sleep(AGAIN_STEP_S)
        return False

    def _public_url(self, request: Request) -> str:
        """The address as the carrier knows it; what the request says of its host counts for nothing."""
        query = request.scope.get("query_string", b"").decode("latin-1")
        return self._desk.config.base_url + request.scope["path"] + (f"?{query}" if query else "")

    def _again_url(self, request: Request, number: int) -> str:
        return f"{self._desk.config.base_url}{request.scope['path']}?{AGAIN}={number}"

    def _refuse(self, outcome: str, status: int) -> Response:
        self._count(outcome)
        return Response(status_code=status)

    def _count(self, outcome: str) -> None:
        self._desk.metrics.webhooks.labels(outcome).inc()


def _number(value: str) -> int:
    """How often a carrier has asked again; 0 for not at all, 1 for what is no such number."""
    if not value:
        return 0
    return int(value) if value.isascii() and value.isdigit() and len(value) <= 3 else 1


def name_of(provider: Provider, carrier_id: str) -> str:
    """Make our name of a call from the carrier's: 32 hex digits, whatever the carrier's looks like."""
    return hashlib.sha256(f"{provider.value}:{carrier_id}".encode()).hexdigest()[:32]


async def _body(request: Request, bytes_max: int) -> bytes | None:
    """Read a body up to its bound; None for a longer one, whatever its header claims."""
    read = bytearray()
    async for chunk in request.stream():
        read += chunk
        if len(read) > bytes_max:
            return None
    return bytes(read)
