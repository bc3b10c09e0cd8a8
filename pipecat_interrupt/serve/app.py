"""Puts the server's parts together as one FastAPI application.

Owns the routes' places and nothing else. Other rooms mount on the application that `create_app` returns:
`app.state.registry` is the `CallRegistry`, `app.state.config` the `ServeConfig`.
"""

from __future__ import annotations

from fastapi import FastAPI
from fastapi.responses import JSONResponse

from pipecat_interrupt.serve.config import ServeConfig
from pipecat_interrupt.serve.registry import CallRegistry


def create_app(config: ServeConfig, *, registry: CallRegistry | None = None) -> FastAPI:
    """Make the application.

    Args:
        config: What to run.
        registry: The calls; a new one when None. It must not be shared between applications.

    Returns:
        The application, with `state.registry` and `state.config`; add routes to it before it is served.
    """
    app = FastAPI(title="pipecat-interrupt", docs_url=None, redoc_url=None, openapi_url=None)
    calls = registry or CallRegistry(config.limits)
    app.state.registry, app.state.config = calls, config

    @app.get("/healthz")
    async def healthz() -> JSONResponse:
        return JSONResponse({"status": "alive"})

    @app.get("/readyz")
    async def readyz() -> JSONResponse:
        reason = "draining" if calls.draining else "full" if calls.full else ""
        return JSONResponse({"status": reason or "ready"}, status_code=503 if reason else 200)

    return app
