"""A local language model behind an OpenAI-compatible address. Owns the child process, its key and its end.

Use it with Pipecat's own service:
`OpenAILLMService(base_url=llm.base_url, api_key=llm.api_key, settings=OpenAILLMService.Settings(model=llm.model))`.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from .errors import MissingExtra, ServerFailed
from .threads import CALM_ENV

CHILD = Path(__file__).with_name("llm_child.py")
WATCH_S = 0.5
STDERR_TAIL_CHARS = 2000
WARM_TIMEOUT_S = 60.0


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """How the child runs.

    Parameters:
        threads: Threads of one inference, >= 1.
        niceness: Added to the parent's, 0..19: voice and ear go first.
        context_tokens: Room for prompt and reply together, over all slots.
        slots: Prompts kept warm side by side; two prompt families with one slot evict each other.
        start_timeout_s: Longest wait for the model to load (a cold disk takes seconds).
        stop_grace_s: Wait after each of "please end" and "end", before "kill".
    """

    threads: int = 2
    niceness: int = 5
    context_tokens: int = 2048
    slots: int = 1
    start_timeout_s: float = 90.0
    stop_grace_s: float = 2.0


class LocalLLM:
    """One language model in a child process.

    The child listens on a free loopback port, asks for a random key, and ends with its parent however that ends. When
    it dies by itself, `alive` turns False, `failure` says why, and `on_exit` is told once; callers then fall to their
    safe side (`acknowledged`: the pathway's own line).

    Args:
        model: A GGUF file. None: the default of the local profile, from the weights store.
        name: Model id that requests must name.
        settings: See `ServerSettings`.
        on_exit: Told the reason when the child ends without being asked to.
        program: Command to run instead of our child program (tests, another server); it must speak its protocol.

    Raises:
        MissingExtra: xllamacpp is not installed.
        WeightsError: The default model is asked for and not ready.
    """

    def __init__(
        self,
        model: Path | None = None,
        *,
        name: str = "local",
        settings: ServerSettings | None = None,
        on_exit: Callable[[str], None] | None = None,
        program: Sequence[str] | None = None,
    ) -> None:
        if program is None and find_spec("xllamacpp") is None:
            raise MissingExtra("xllamacpp")
        if model is None:
            from pipecat_interrupt.weights import ensure

            model = ensure("smollm2-135m")
        self._path = model
        self._program = list(program or (sys.executable, str(CHILD)))
        self.model = name
        self.api_key = secrets.token_hex(16)
        self._settings = settings or ServerSettings()
        self._on_exit = on_exit
        self._child: subprocess.Popen[str] | None = None
        self._stderr: IO[bytes] | None = None
        self._url: str | None = None
        self._watch: asyncio.Task[None] | None = None
        self.failure: str | None = None

    @property
    def base_url(self) -> str:
        """Address for an OpenAI client, ending in `/v1`.

        Raises:
            ServerFailed: Not started.
        """
        if self._url is None:
            raise ServerFailed("the language-model server is not started")
        return f"{self._url}/v1"

    @property
    def alive(self) -> bool:
        """Whether the child runs."""
        return self._child is not None and self._child.poll() is None

    @property
    def pid(self) -> int | None:
        """Process id of the child, while it exists."""
        return self._child.pid if self._child is not None else None

    async def start(self) -> None:
        """Start the child and wait until the model answers.

        Raises:
            ServerFailed: It ended, or was not ready within `start_timeout_s`; nothing is left running.
        """
        if self._child is not None:
            return
        self.failure = None
        config = {
            "model": str(self._path),
            "name": self.model,
            "api_key": self.api_key,
            "threads": max(1, self._settings.threads),
            "niceness": self._settings.niceness,
            "context_tokens": self._settings.context_tokens,
            "slots": self._settings.slots,
        }
        self._stderr = tempfile.TemporaryFile()
        child = subprocess.Popen(  # noqa: ASYNC220 - returns at once; the wait below is off the loop
            self._program,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            text=True,
            env={**os.environ, **CALM_ENV, "OMP_NUM_THREADS": str(config["threads"])},
        )
        self._child = child
        try:
            line = await asyncio.wait_for(
                asyncio.to_thread(_ask, child, json.dumps(config)), self._settings.start_timeout_s
            )
            if not line:
                tail = self._stderr_tail()
                raise ServerFailed(f"the language-model server ended while loading (code {child.poll()})", tail)
            self._url = str(json.loads(line)["url"]).rstrip("/")
        except TimeoutError:
            tail = self._stderr_tail()
            await self.stop()
            raise ServerFailed(
                f"the language-model server was not ready within {self._settings.start_timeout_s:g} s", tail
            ) from None
        except BaseException:
            await self.stop()
            raise
        self._watch = asyncio.create_task(self._watch_child(child))

    async def warm(self, messages: Sequence[Mapping[str, Any]]) -> float:
        """Put a prompt's beginning into the model's cache, so that the first reply of the call does not pay for it.

        Args:
            messages: The same first messages that the call will send.

        Returns:
            Seconds it took.

        Raises:
            ServerFailed: The server did not answer; the call can go on without the warm start.
        """
        from openai import AsyncOpenAI, OpenAIError

        started_s = time.monotonic()
        try:
            async with AsyncOpenAI(
                base_url=self.base_url, api_key=self.api_key, max_retries=0, timeout=WARM_TIMEOUT_S
            ) as client:
                body: Any = list(messages)
                await client.chat.completions.create(model=self.model, messages=body, max_tokens=1, temperature=0.0)
        except OpenAIError as error:
            raise ServerFailed(f"the language-model server did not answer: {type(error).__name__}") from error
        return time.monotonic() - started_s

    async def stop(self) -> None:
        """End the child: close its input, then ask, then kill; safe to call twice and from any state."""
        child, self._child, self._url = self._child, None, None
        if self._watch is not None:
            self._watch.cancel()
            self._watch = None
        if child is not None:
            await asyncio.shield(asyncio.to_thread(_end, child, self._settings.stop_grace_s))
        if self._stderr is not None:
            self._stderr.close()
            self._stderr = None

    async def __aenter__(self) -> LocalLLM:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    async def _watch_child(self, child: subprocess.Popen[str]) -> None:
        while child.poll() is None:  # noqa: ASYNC110 - a process has no event to wait for without a thread
            await asyncio.sleep(WATCH_S)
        self.failure = f"the language-model server ended by itself (code {child.returncode})"
        if self._on_exit is not None:
            self._on_exit(self.failure)

    def _stderr_tail(self) -> str:
        if self._stderr is None:
            return ""
        size = self._stderr.seek(0, os.SEEK_END)
        self._stderr.seek(max(0, size - STDERR_TAIL_CHARS))
        return self._stderr.read().decode(errors="replace").strip()


def _ask(child: subprocess.Popen[str], config: str) -> str:
    """Hand the child its configuration and wait for its address; "" when it ended instead."""
    assert child.stdin is not None and child.stdout is not None
    try:
        child.stdin.write(config + "\n")
        child.stdin.flush()
        line = child.stdout.readline()
    except (BrokenPipeError, ValueError):
        line = ""
    if not line:
        try:
            child.wait(timeout=5)
        except subprocess.TimeoutExpired:
            pass
    return line


def _end(child: subprocess.Popen[str], grace_s: float) -> None:
    for ask in (_close_input, subprocess.Popen.terminate, subprocess.Popen.kill):
        if child.poll() is None:
            ask(child)
        try:
            child.wait(timeout=grace_s)
            break
        except subprocess.TimeoutExpired:
            continue
    for pipe in (child.stdin, child.stdout):
        if pipe is not None:
            try:
                pipe.close()
            except OSError:  # the child is gone and something was still unwritten
                pass


def _close_input(child: subprocess.Popen[str]) -> None:
    if child.stdin is not None:
        try:
            child.stdin.close()
        except OSError:
            pass
