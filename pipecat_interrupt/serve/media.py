"""The media endpoint: opens a stream for whoever holds a token of ours, and runs the call in it.

Owns the order in which trust is earned: token, one place for it, a start message in time that names the same call. Only
then anything of a call is made. It is a plain ASGI application, so that what a client sends passes the guard before
anything else reads it.
"""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import WebSocket
from loguru import logger
from starlette.types import Receive, Scope, Send

from pipecat_interrupt.serve.call import CallRun
from pipecat_interrupt.serve.config import Provider
from pipecat_interrupt.serve.desk import CallDesk
from pipecat_interrupt.serve.guard import GuardedReceive, Message
from pipecat_interrupt.serve.handshake import BadStart, StreamStart, read_start
from pipecat_interrupt.serve.registry import PhoneCall
from pipecat_interrupt.serve.tokens import StreamTokens, Ticket

FIRST_MESSAGES_MAX = 3
"""Messages within which a stream must have said its start; carriers need two."""

POLICY_VIOLATION = 1008
NORMAL = 1000


class MediaEndpoint:
    """The ASGI application behind `/media/{token}`.

    Args:
        desk: What all calls share.
        tokens: Reads tokens.
        shared: Whether other workers make tokens with the same key: then a call of theirs is taken over.
    """

    def __init__(self, desk: CallDesk, tokens: StreamTokens, *, shared: bool) -> None:
        self._desk, self._tokens, self._shared = desk, tokens, shared
        self.runs: dict[str, CallRun] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        connect = await receive()
        ticket = self._tokens.read(str(scope["path_params"].get("token", "")))
        call = self._admit(ticket) if connect["type"] == "websocket.connect" and ticket is not None else None
        if ticket is None or call is None:
            self._count("refused" if ticket is None else "no_place")
            await send({"type": "websocket.close", "code": POLICY_VIOLATION})  # before accept: HTTP 403
            return
        faults = self._desk.metrics.faults
        guard = GuardedReceive(receive, self._desk.config.limits, lambda reason: faults.labels(reason).inc())
        websocket = WebSocket(scope, _first(connect, guard), send)
        hostile = False
        try:
            hostile = not await self._serve(websocket, guard, ticket, call)
        finally:
            self._desk.registry.over(call, "failed")  # nothing to do where the call ended in order
            await _close(websocket, send, POLICY_VIOLATION if hostile or guard.ended_by == "hostile" else NORMAL)

    def _admit(self, ticket: Ticket) -> PhoneCall | None:
        registry = self._desk.registry
        if self._shared:
            registry.adopt(ticket.call_id, self._desk.config.provider, ticket.carrier_id)
        call = registry.begin(ticket.call_id)
        if call is not None:
            call.again = ticket.again
        return call

    async def _serve(self, websocket: WebSocket, guard: GuardedReceive, ticket: Ticket, call: PhoneCall) -> bool:
        """Shake hands and run the call; False when no hand was given."""
        await websocket.accept()
        try:
            async with asyncio.timeout(self._desk.config.limits.handshake_s):
                start = await self._handshake(websocket, ticket)
        except (BadStart, TimeoutError) as error:
            self._count("bad_start")
            logger.bind(call_id=call.id).warning("a media stream did not begin a call: {}", type(error).__name__)
            self._desk.unserved(call)
            return False
        self._count("opened")
        run = CallRun(self._desk, call, start, lambda: guard.ended_by in ("idle", "hostile"))
        self.runs[call.id] = run
        try:
            await run.run(websocket)
        finally:
            self.runs.pop(call.id, None)
        return True

    async def _handshake(self, websocket: WebSocket, ticket: Ticket) -> StreamStart:
        import json

        provider = self._desk.config.provider
        for _ in range(FIRST_MESSAGES_MAX):
            message = await websocket.receive()
            if message["type"] != "websocket.receive":
                raise BadStart("closed before its start")
            start = read_start(provider, json.loads(message.get("text") or message.get("bytes") or b"{}"))
            if start is None:
                continue
            # Telnyx names a call differently in a form and in a stream, so there the token alone must do.
            if provider is not Provider.TELNYX and start.carrier_id != ticket.carrier_id:
                raise BadStart("another call")
            return start
        raise BadStart("no start message")

    def _count(self, outcome: str) -> None:
        self._desk.metrics.streams.labels(outcome).inc()


def _first(message: Message, guard: GuardedReceive) -> Receive:
    """A receive that gives the connect message, which was read already, and then what passes the guard."""
    waiting: list[Message] = [message]

    async def receive() -> Any:
        return waiting.pop() if waiting else await guard()

    return receive


async def _close(websocket: WebSocket, send: Send, code: int) -> None:
    """Close the connection if nobody has; the client may be long gone."""
    from starlette.websockets import WebSocketState

    if websocket.application_state is not WebSocketState.CONNECTED:
        return
    try:
        await send({"type": "websocket.close", "code": code})
    except Exception as error:
        logger.debug("a media stream was closed already: {}", type(error).__name__)
