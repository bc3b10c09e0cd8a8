"""``--base-url local:NAME``: the project's own local model server as the endpoint, for as long as a command runs.

Owns the child's life and its key, which stands in this process's environment and nowhere else.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from benchmarks.errors import CallerError, EnvironmentFault, MissingExtra
from benchmarks.simulator.build import Models

LOCAL = "local"
KEY_ENV = "BENCHMARKS_LOCAL_KEY"
CONTEXT_TOKENS = 4096
START_S_MAX = 180.0
STOP_S_MAX = 30.0


@contextmanager
def with_endpoint(models: Models) -> Iterator[Models]:
    """Start the local server when it is asked for, and give the models with its address; else give them as they are.

    ``local:qwen-1.5b`` serves those weights under that name, so that a model named in a log is the one that ran.

    Raises:
        CallerError: The address is none, or the weights are unknown or not ready; the line says how to get them.
        MissingExtra: The server's package is not installed.
        EnvironmentFault: The server did not start.
    """
    if models.base_url is not None and not models.base_url.startswith(("http://", "https://", f"{LOCAL}:")):
        raise CallerError(f"--base-url {models.base_url!r}: expected http://, https:// or local:WEIGHTS")
    kind, _, weights = (models.base_url or "").partition(":")
    if kind != LOCAL:
        yield models
        return
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="local-model", daemon=True)
    thread.start()

    def run(work: Coroutine[Any, Any, Any], bound_s: float) -> Any:
        return asyncio.run_coroutine_threadsafe(work, loop).result(bound_s)

    try:
        server = _server(weights)
        try:
            run(server.start(), START_S_MAX)
        except Exception as error:
            raise EnvironmentFault(f"the local model server did not start: {type(error).__name__}") from error
        os.environ[KEY_ENV] = server.api_key
        try:
            yield replace(models, base_url=server.base_url, key_env=KEY_ENV)
        finally:
            run(server.stop(), STOP_S_MAX)
            os.environ.pop(KEY_ENV, None)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(STOP_S_MAX)
        loop.close()


def _server(weights: str) -> Any:
    from pipecat_interrupt.local.errors import MissingExtra as NoServer
    from pipecat_interrupt.local.llm import LocalLLM, ServerSettings
    from pipecat_interrupt.weights import ensure
    from pipecat_interrupt.weights.errors import WeightsError

    if not weights:
        raise CallerError("--base-url local:NAME needs the name of the weights, such as local:smollm2-135m")
    try:
        path = ensure(weights)
        return LocalLLM(path, name=weights, settings=ServerSettings(context_tokens=CONTEXT_TOKENS))
    except WeightsError as error:
        raise CallerError(str(error).partition("\n")[0]) from error
    except NoServer as error:
        raise MissingExtra("xllamacpp", str(error).partition("\n")[0]) from error
