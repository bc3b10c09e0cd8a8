"""Puts the server's parts together as one FastAPI application.

Owns the routes' places and nothing else. Other rooms mount on the application that `create_app` returns:
`app.state.registry` is the `CallRegistry`, `app.state.config` the `ServeConfig`, `app.state.drain` the `Drain`.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from fastapi import FastAPI, Response
from fastapi.responses import JSONResponse
from loguru import logger
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.routing import WebSocketRoute

from obligations.pathway import Pathway, load_pathway
from obligations.stores import HandoffSink, LedgerStore, ResilientStore, send_unsent
from pipecat_interrupt.journal import JournalSink
from pipecat_interrupt.serve.banks import ConfiguredBank
from pipecat_interrupt.serve.config import ServeConfig
from pipecat_interrupt.serve.desk import CallDesk, FolderSink, KitMaker, kit_maker
from pipecat_interrupt.serve.drain import Drain
from pipecat_interrupt.serve.hooks import VoiceWebhook
from pipecat_interrupt.serve.media import MediaEndpoint
from pipecat_interrupt.serve.metrics import Metrics
from pipecat_interrupt.serve.registry import CallRegistry
from pipecat_interrupt.serve.secrets import Secrets
from pipecat_interrupt.serve.services import ServiceBank
from pipecat_interrupt.serve.tokens import StreamTokens

LAG_STEP_S = 0.5
PROMISES_S = 5.0
"""How often broken promises are looked for."""

UNSENT_S = 60.0
"""How often hand-offs that were kept and not passed on are looked for: a dead worker's, those with parts to join."""

LAST_CALLS_S_MAX = 15.0
"""How long a server that is shut down without a drain waits for hand-offs."""


def create_app(
    config: ServeConfig,
    bank: ServiceBank | None = None,
    *,
    secrets: Secrets | None = None,
    registry: CallRegistry | None = None,
    make_kit: KitMaker | None = None,
    store: LedgerStore | None = None,
    journal_sinks: Callable[[], Sequence[JournalSink]] = tuple,
) -> FastAPI:
    """Make the application.

    Args:
        config: What to run.
        bank: Makes the services of each call; started and stopped with the application. None takes `config.speech`.
        secrets: Its secrets; those of the environment when None.
        registry: The calls; a new one when None. It must not be shared between applications.
        make_kit: Makes the kit of each call; the usual one when None.
        store: Keeps the ledgers of calls beyond this process; wrap a remote one in `ResilientStore`. Closed with the
            application.
        journal_sinks: As for `kit_maker`; unused with a `make_kit` of your own.

    Returns:
        The application, with `state.registry`, `state.config` and `state.drain`; add routes before it is served.

    Raises:
        SettingsError: A secret is missing, or too weak.
        PathwayError: The pathway cannot be read.
    """
    kept = secrets or Secrets.from_environment(os.environ)
    check = kept.signature_check(config)
    key, shared = kept.stream_key()
    tokens = StreamTokens(key, config.limits.promise_s)
    calls = registry or CallRegistry(config.limits)
    metrics = Metrics(calls)
    maker = make_kit or kit_maker(config, _pathway(config), store, journal_sinks=journal_sinks)
    services = bank or ConfiguredBank(config, kept)
    desk = CallDesk(config, kept, calls, metrics, services, maker)
    if not shared:  # another worker with the same key may be serving a call that never came here
        calls.on_unserved = desk.unserved
    media = MediaEndpoint(desk, tokens, shared=shared)
    hook = VoiceWebhook(desk, check, tokens, store=store)

    app = FastAPI(
        title="pipecat-interrupt",
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        lifespan=_lifespan(desk, store, passes_on=make_kit is None),
    )
    app.state.registry, app.state.config, app.state.drain = calls, config, Drain(calls, media)
    app.add_api_route(f"/{config.provider}/voice", hook.answer, methods=["GET", "POST"])
    app.router.routes.append(WebSocketRoute("/media/{token}", media))
    _add_health(app, calls, metrics)
    return app


def _lifespan(
    desk: CallDesk, store: LedgerStore | None, *, passes_on: bool
) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    """What happens before the first call and behind the last.

    `passes_on`: the sinks of hand-offs are known here, for no kit maker of somebody else's has its own.
    """
    calls = desk.registry

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        del app
        await desk.bank.start()
        if isinstance(store, ResilientStore):
            await store.recover()
        watches = [asyncio.ensure_future(one) for one in (_watch_loop(desk.metrics), _watch_promises(calls))]
        if store is not None and passes_on:
            watches.append(asyncio.ensure_future(_watch_unsent(store, FolderSink(desk.config.out))))
        try:
            yield
        finally:
            for watch in watches:
                watch.cancel()
            calls.draining = True
            calls.break_promises()  # nobody is listened to any more
            await asyncio.wait([asyncio.ensure_future(calls.wait_until_empty())], timeout=LAST_CALLS_S_MAX)
            await desk.written()
            await desk.bank.stop()
            if store is not None:
                await store.close()

    return lifespan


def _pathway(config: ServeConfig) -> Pathway | None:
    return load_pathway(config.pathway, config.language) if config.pathway is not None else None


def _add_health(app: FastAPI, calls: CallRegistry, metrics: Metrics) -> None:
    @app.get("/healthz")
    async def healthz() -> JSONResponse:
        return JSONResponse({"status": "alive"})

    @app.get("/readyz")
    async def readyz() -> JSONResponse:
        reason = "draining" if calls.draining else "full" if calls.full else ""
        return JSONResponse({"status": reason or "ready"}, status_code=503 if reason else 200)

    @app.get("/metrics")
    async def figures() -> Response:
        return Response(metrics.text(), media_type=CONTENT_TYPE_LATEST)


async def _watch_loop(metrics: Metrics) -> None:
    """Measure how late the event loop is: a late loop is a late yield."""
    loop = asyncio.get_running_loop()
    while True:
        due_s = loop.time() + LAG_STEP_S
        await asyncio.sleep(LAG_STEP_S)
        metrics.loop_lag_s.observe(max(0.0, loop.time() - due_s))


async def _watch_unsent(store: LedgerStore, sink: HandoffSink) -> None:
    """Pass on what was kept and not sent, with waiting parts joined; a store that is away is asked again later."""
    while True:
        try:
            await send_unsent(store, [sink])
        except Exception as error:  # the server goes on, whatever the store does
            logger.warning("hand-offs that were not passed on could not be looked for: {}", type(error).__name__)
        await asyncio.sleep(UNSENT_S)


async def _watch_promises(calls: CallRegistry) -> None:
    """Hand off calls whose media stream never came, although nobody calls any more."""
    while True:
        await asyncio.sleep(PROMISES_S)
        calls.forget_broken_promises()
