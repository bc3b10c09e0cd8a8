"""A cancelled function call leaves no entry "in progress" behind.

Owns one order of frames. Pipecat sends the cancellation of a function call ahead of everything (a system frame), while
the frame that says the call is in progress waits behind the agent's audio and survives the interruption. So the
assistant aggregator hears "cancelled" first, knows of no such call, and then writes "IN_PROGRESS" for good (field case
D10). Here such a call is settled behind that frame, by a result that keeps its place in the queue: "CANCELLED".
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from pipecat.frames.frames import (
    Frame,
    FunctionCallCancelFrame,
    FunctionCallInProgressFrame,
    FunctionCallResultFrame,
    FunctionCallResultProperties,
)
from pipecat.processors.frame_processor import FrameDirection

from pipecat_interrupt.hold.express import TALK_FRAMES, ExpressAudio

CANCELLED_MAX = 256
"""Cancelled calls remembered; their frames are a few seconds apart."""


class ToolCallRepair(ExpressAudio):
    """Place it directly before the assistant aggregator.

    Promises: every frame passes, in its order; a call is settled at most once, and only where its cancellation came
    before the frame it is about.
    """

    express_frames = TALK_FRAMES

    def __init__(self) -> None:
        super().__init__(enable_direct_mode=True)
        self._begun: OrderedDict[str, None] = OrderedDict()
        self._early: OrderedDict[str, FunctionCallCancelFrame] = OrderedDict()

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Pass a frame on; settle a call whose cancellation came too early."""
        await super().process_frame(frame, direction)
        await self.push_frame(frame, direction)
        if direction is not FrameDirection.DOWNSTREAM:
            return
        if isinstance(frame, FunctionCallInProgressFrame):
            early = self._early.pop(frame.tool_call_id, None)
            if early is not None:
                await self.push_frame(_settled(frame, early))
            else:
                self._begun[frame.tool_call_id] = None
                _bound(self._begun)
        elif isinstance(frame, FunctionCallResultFrame):
            self._begun.pop(frame.tool_call_id, None)
        elif isinstance(frame, FunctionCallCancelFrame):
            if frame.tool_call_id in self._begun:
                del self._begun[frame.tool_call_id]
            else:
                self._early[frame.tool_call_id] = frame
                _bound(self._early)


def _settled(frame: FunctionCallInProgressFrame, early: FunctionCallCancelFrame) -> FunctionCallResultFrame:
    """The cancellation as a result; a cancellation frame would overtake the frame it is about once more."""
    return FunctionCallResultFrame(
        function_name=frame.function_name,
        tool_call_id=frame.tool_call_id,
        arguments=frame.arguments,
        result="CANCELLED",
        properties=FunctionCallResultProperties(run_llm=getattr(early, "run_llm", False)),
    )


def _bound(seen: OrderedDict[str, Any]) -> None:
    while len(seen) > CANCELLED_MAX:
        seen.popitem(last=False)
