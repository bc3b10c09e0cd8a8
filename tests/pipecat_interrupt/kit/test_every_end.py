"""However an application ends a call, a critical item that is open is spoken first, and only once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from pipecat.adapters.schemas.function_schema import FunctionSchema
from pipecat.adapters.schemas.tools_schema import ToolsSchema
from pipecat.frames.frames import EndFrame, EndWorkerFrame, LLMSetToolsFrame
from pipecat.processors.frame_processor import FrameDirection
from pipecat.services.llm_service import FunctionCallParams

from obligations.testing import a_pathway, a_point
from pipecat_interrupt.kit import InterruptKit
from pipecat_interrupt.testing import deaf, looping
from pipecat_interrupt.testing.call import CallParts
from pipecat_interrupt.testing.llm import Reply, Script, ToolCall

from .framed import framed_call, heard

pytestmark = pytest.mark.pipeline

ADVICE = "Call an ambulance if you have chest pain."
PATHWAY = a_pathway(a_point("ambulance", ADVICE, critical=True))
End = Callable[[CallParts], Awaitable[None]]


async def end_frame(parts: CallParts) -> None:
    await parts.worker.queue_frame(EndFrame())


async def stop_when_done(parts: CallParts) -> None:
    await parts.worker.stop_when_done()


async def end_worker(parts: CallParts) -> None:
    await parts.worker.queue_frame(EndWorkerFrame())


async def end_worker_from_inside(parts: CallParts) -> None:
    await parts.llm.push_frame(EndWorkerFrame(), FrameDirection.UPSTREAM)


async def end_worker_downstream(parts: CallParts) -> None:
    await parts.llm.push_frame(EndWorkerFrame())


ENDS: dict[str, End] = {
    "EndFrame": end_frame,
    "stop_when_done": stop_when_done,
    "EndWorkerFrame": end_worker,
    "EndWorkerFrame upstream": end_worker_from_inside,
    "EndWorkerFrame downstream": end_worker_downstream,
}


def ended(end: End, replies: Script) -> InterruptKit:
    """Let a model talk and the application end the call at six seconds."""

    async def at_six(parts: CallParts, _: InterruptKit) -> None:
        await end(parts)

    kit, result = framed_call(pathway=PATHWAY, model="deaf", replies=replies, at=[(6.0, at_six)], duration_s=90.0)
    assert result.ended_itself
    return kit


@pytest.mark.parametrize("how", ENDS)
def test_the_advice_is_heard_before_the_end(how: str) -> None:
    """The guard meets every way to end a worker, with a model that never gives the advice."""
    kit = ended(ENDS[how], deaf(["Hello from the clinic.", "Goodbye then."]))

    assert kit.handoff is not None
    assert 1 == heard(kit).count(ADVICE)
    assert () == kit.handoff.open_items


def test_a_looping_model_cannot_talk_past_the_guard() -> None:
    """A model that says the same for ever does not keep the advice from being heard."""
    kit = ended(end_frame, looping("How are you today?"))

    assert 1 == heard(kit).count(ADVICE)


def test_an_end_call_tool_ends_the_call_behind_the_advice() -> None:
    """The model's own tool asks the worker to end; what was said before it is heard, then the advice, then the end."""

    async def hang_up(params: FunctionCallParams) -> None:
        await params.result_callback({"ok": True})
        await params.llm.push_frame(EndWorkerFrame(), FrameDirection.UPSTREAM)

    async def offer(parts: CallParts, _: InterruptKit) -> None:
        parts.llm.register_function("hang_up", hang_up)
        schema = FunctionSchema(name="hang_up", description="End the call.", properties={}, required=[])
        await parts.worker.queue_frame(LLMSetToolsFrame(tools=ToolsSchema(standard_tools=[schema])))

    replies = ["Hello from the clinic.", Reply("Then goodbye.", calls=(ToolCall("hang_up"),)), "Bye."]
    kit, result = framed_call(
        pathway=PATHWAY,
        model="deaf",
        replies=replies,
        says=[(8.0, "That was all.")],
        at=[(0.0, offer)],
        duration_s=90.0,
    )

    assert result.ended_itself
    assert 1 == heard(kit).count(ADVICE)
    assert heard(kit).index("Then goodbye.") < heard(kit).index(ADVICE)


def test_a_hang_up_speaks_nothing_and_hands_off_at_once() -> None:
    """A dead line hears no guard; the advice stands in the hand-off."""

    async def hang_up(parts: CallParts, _: InterruptKit) -> None:
        await parts.worker.cancel()

    kit, _ = framed_call(
        pathway=PATHWAY, model="deaf", replies=deaf(["Hello from the clinic."]), at=[(6.0, hang_up)], duration_s=90.0
    )

    assert kit.handoff is not None
    assert ADVICE not in heard(kit)
    assert ["hang_up"] == [item.reason for item in kit.handoff.open_items]
