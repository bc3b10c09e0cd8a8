"""The end door: first in the pipeline, it asks before an end of the call goes through.

Owns the waiting `EndFrame`. It stands before the input transport, because an end that has passed it stops the patient's
audio, and a guard that cannot be answered would talk into a dead line. A cancel (hang-up) is never held.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from loguru import logger
from pipecat.frames.frames import CancelFrame, EndFrame, Frame
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor

HOLD_END_S_MAX = 60.0
"""Longest time an end of the call is held, whatever the guard still wants to say."""

WATCH_S = 0.1
"""How often a held end looks whether the line is gone."""


class EndDoor(FrameProcessor):
    """Holds an `EndFrame` until it is let through.

    Args:
        may_pass: Asked once for each end that arrives; True lets it through at once, False holds it until `open`.

    Promises: an end is held `HOLD_END_S_MAX` at most; a failing `may_pass` lets it through; nothing but `EndFrame`s is
    ever held; a cancel of the worker during a hold ends the call at once (docs/decisions/0006).
    """

    def __init__(self, may_pass: Callable[[str], Awaitable[bool]]) -> None:
        super().__init__()
        self._may_pass = may_pass
        self._waiting: EndFrame | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._watch: asyncio.Task[None] | None = None

    @property
    def holding(self) -> bool:
        """Whether an end of the call waits here."""
        return self._waiting is not None

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Hold an end that may not pass yet; let everything else through."""
        await super().process_frame(frame, direction)
        if isinstance(frame, EndFrame) and direction is FrameDirection.DOWNSTREAM:
            if self._waiting is None and not await self._allowed(frame):
                self._waiting = frame
                self._timer = asyncio.get_running_loop().call_later(HOLD_END_S_MAX, self._too_long)
                self._watch = self.create_task(self._watch_line(), "end door's watch")
                return
        elif isinstance(frame, CancelFrame):
            self._forget()
        await self.push_frame(frame, direction)

    async def open(self) -> None:
        """Let the waiting end through; nothing happens when none waits."""
        frame = self._waiting
        self._forget()
        if frame is not None:
            await self.push_frame(frame)

    async def cleanup(self) -> None:
        """Forget a waiting end."""
        self._forget()
        await super().cleanup()

    async def _allowed(self, frame: EndFrame) -> bool:
        try:
            return await self._may_pass(str(frame.reason or ""))
        except Exception as error:
            logger.warning("the guard failed and lets the call end: {}", type(error).__name__)
            return True

    async def _watch_line(self) -> None:
        """While a worker waits for an end to pass, it takes no cancel: notice it, and bring the cancel in here."""
        while self._waiting is not None:
            if getattr(self.pipeline_worker, "_cancelled", False):
                self._watch = None
                self._forget()
                await self.push_frame(CancelFrame())
                return
            await asyncio.sleep(WATCH_S)

    def _too_long(self) -> None:
        logger.warning("an end of the call was held for its bound and is let through")
        self.create_task(self.open(), "end door")

    def _forget(self) -> None:
        self._waiting = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._watch is not None:
            self._watch.cancel()
            self._watch = None
