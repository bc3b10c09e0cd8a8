"""How the server stops: no new calls, running ones finish, and in the end every one of them is handed off.

Owns the order and its bounds: `drain_s` to finish, `guard_s` to say what must be said, then the line is cut.
"""

from __future__ import annotations

import asyncio

from loguru import logger

from pipecat_interrupt.serve.call import CallRun
from pipecat_interrupt.serve.media import MediaEndpoint
from pipecat_interrupt.serve.registry import CallRegistry


class Drain:
    """Drains one server; idempotent.

    Args:
        registry: Its calls.
        media: Runs them.
    """

    def __init__(self, registry: CallRegistry, media: MediaEndpoint) -> None:
        self._registry, self._media = registry, media
        self._running: asyncio.Task[None] | None = None
        self._hurry = asyncio.Event()

    def begin(self) -> None:
        """Take no new calls from now on; the server is not ready any more."""
        self._registry.draining = True

    def hurry(self) -> None:
        """Do not wait for running calls any longer: tell them to end."""
        self._hurry.set()

    async def drain(self) -> None:
        """Wait until no call is left, within `drain_s + guard_s` and a few seconds."""
        self.begin()
        if self._running is None:
            self._running = asyncio.ensure_future(self._drain())
        await asyncio.shield(self._running)

    async def _drain(self) -> None:
        limits = self._registry.limits
        logger.info("draining: {} calls", len(self._registry.calls))
        if await self._empty_within(limits.drain_s, or_hurry=True):
            return
        await asyncio.gather(*(run.ask_to_end("drained") for run in self._runs()), return_exceptions=True)
        if await self._empty_within(limits.guard_s):
            return
        await asyncio.gather(*(run.cut("drained") for run in self._runs()), return_exceptions=True)
        if not await self._empty_within(2 * limits.cancel_s + 1.0):
            logger.error("draining ended with {} calls left behind", len(self._registry.calls))

    def _runs(self) -> list[CallRun]:
        return list(self._media.runs.values())

    async def _empty_within(self, seconds: float, *, or_hurry: bool = False) -> bool:
        empty = asyncio.ensure_future(self._registry.wait_until_empty())
        hurry = asyncio.ensure_future(self._hurry.wait() if or_hurry else asyncio.Event().wait())
        await asyncio.wait([empty, hurry], timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        for waiting in (empty, hurry):
            waiting.cancel()
        return not self._registry.calls
