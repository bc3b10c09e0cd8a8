"""The end door: first in the pipeline, it asks before an end of the call goes through.

Owns the waiting `EndFrame`. It stands before the input transport, because an end that has passed it stops the patient's
audio, and a guard that cannot be answered would talk into a dead line. A cancel (hang-up) is never held.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from loguru import logger
from pipecat.frames.frames import CancelFrame, EndFrame, Frame, InterruptionFrame
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor

HOLD_END_S_MAX = 60.0
"""Longest time an end of the call is held without an item being closed, whatever the guard still wants to say."""

HOLD_ALL_S_MAX = 240.0
"""Longest time an end is held for a patient who answers everything. Our choice: the guard's holds, answered slowly."""

LEAVE_S_MAX = 25.0
"""After either bound: time to let somebody finish and to take leave. Our choice: a question, its reply, a sentence."""

END_S_MAX = 10.0
"""An end that was forced through is followed by a cancel after this: a stage that hangs would keep the line."""

HOLD_LIMIT = "hold_limit"
"""End reason of a call whose end could be held no longer."""

WATCH_S = 0.1
"""How often a held end looks whether the line is gone, or the time up."""


class EndDoor(FrameProcessor):
    """Holds an `EndFrame` until it is let through.

    Args:
        may_pass: Asked once for each end that arrives; True lets it through at once, False holds it until `open`.
        progress: Gives a number that changes when the call got on; while it does the bound begins anew.
        time_up: Told once that the end may be held no longer; None lets it through at once.

    Promises: an end is held `HOLD_END_S_MAX` behind the last progress, `HOLD_ALL_S_MAX` in all, and `LEAVE_S_MAX` more
    for the last words; then whatever is stuck in the pipeline is interrupted, the end goes through, and a cancel
    follows it; a failing `may_pass` lets it through; nothing but `EndFrame`s is held; a cancel of the worker during
    a hold, or while an end is stuck in a part behind the door, ends the call at once (docs/decisions/0006).
    """

    def __init__(
        self,
        may_pass: Callable[[str], Awaitable[bool]],
        *,
        progress: Callable[[], int] = lambda: 0,
        time_up: Callable[[], None] | None = None,
    ) -> None:
        super().__init__()
        self._may_pass, self._progress, self._time_up = may_pass, progress, time_up
        self._waiting: EndFrame | None = None
        self._watch: asyncio.Task[None] | None = None
        self._forced: asyncio.TimerHandle | None = None
        self._passing: asyncio.Task[None] | None = None

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
                self._watch = self.create_task(self._watch_hold(), "end door's watch")
                return
            self._see_through()
        elif isinstance(frame, CancelFrame):
            self._forget()
        await self.push_frame(frame, direction)

    async def open(self) -> None:
        """Let the waiting end through; nothing happens when none waits."""
        frame = self._waiting
        self._forget()
        if frame is not None:
            self._see_through()
            await self.push_frame(frame)

    async def cleanup(self) -> None:
        """Forget a waiting end."""
        self._forget()
        if self._passing is not None:
            self._passing.cancel()
        if self._forced is not None:
            self._forced.cancel()
        await super().cleanup()

    async def _allowed(self, frame: EndFrame) -> bool:
        try:
            return await self._may_pass(str(frame.reason or ""))
        except Exception as error:
            logger.warning("the guard failed and lets the call end: {}", type(error).__name__)
            return True

    async def _watch_hold(self) -> None:
        """Look after a held end: the line may be gone, the call may get on, the time may be up."""
        clock = asyncio.get_running_loop()
        begun_s = since_s = clock.time()
        told_s: float | None = None
        reached = self._reached()
        while self._waiting is not None:
            # While a worker waits for an end to pass, it takes no cancel: bring the cancel in here.
            if getattr(self.pipeline_worker, "_cancelled", False):
                self._watch = None
                self._forget()
                await self.push_frame(CancelFrame())
                return
            now_s, before = clock.time(), reached
            if (reached := self._reached()) != before:
                since_s = now_s
            if told_s is None and (now_s - since_s >= HOLD_END_S_MAX or now_s - begun_s >= HOLD_ALL_S_MAX):
                told_s = now_s if self._tell() else now_s - LEAVE_S_MAX
            if told_s is not None and now_s - told_s >= LEAVE_S_MAX:
                self._watch = None
                await self._force()
                return
            await asyncio.sleep(WATCH_S)

    def _see_through(self) -> None:
        """Look after an end that was let through, until the pipeline is taken down."""
        if self._passing is None:
            self._passing = self.create_task(self._watch_passing(), "end door's watch behind an end")

    async def _watch_passing(self) -> None:
        """While an end is stuck in a part the worker takes no cancel, and would hang for ever: bring it in here."""
        while True:
            await asyncio.sleep(WATCH_S)
            if getattr(self.pipeline_worker, "_cancelled", False):
                break
        self._passing = None
        await self.push_frame(CancelFrame())

    def _reached(self) -> int:
        try:
            return self._progress()
        except Exception as error:
            logger.warning("nobody knows whether the call gets on: {}", type(error).__name__)
            return 0

    def _tell(self) -> bool:
        """Say that the time is up; tell whether somebody will take leave."""
        logger.warning("an end of the call was held for its bound and is let through")
        if self._time_up is None:
            return False
        try:
            self._time_up()
        except Exception as error:
            logger.warning("nobody takes leave: {}", type(error).__name__)
            return False
        return True

    async def _force(self) -> None:
        """Let the end through past whatever hangs, and cancel behind it."""
        self._forced = asyncio.get_running_loop().call_later(END_S_MAX, self._cancel)
        await self.push_frame(InterruptionFrame())
        await self.open()

    def _cancel(self) -> None:
        logger.warning("an end of the call did not come through and is followed by a cancel")
        self.create_task(self.push_frame(CancelFrame()), "end door")

    def _forget(self) -> None:
        self._waiting = None
        if self._watch is not None:
            self._watch.cancel()
            self._watch = None
