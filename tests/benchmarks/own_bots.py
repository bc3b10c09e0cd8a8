"""Small bots as a developer would hand them to `--bot`: plain Pipecat, and the same with the kit."""

from __future__ import annotations

from typing import Any

from pipecat.frames.frames import Frame, LLMContextFrame, LLMRunFrame
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import LLMContextAggregatorPair, LLMUserAggregatorParams
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor

from benchmarks.simulator.chat import Message
from benchmarks.simulator.live.bot import BotEdges, BotUnderTest
from benchmarks.simulator.scripted_agent import scripted_agent
from pipecat_interrupt.kit import InterruptKit
from pipecat_interrupt.kit.settings import KitSettings
from pipecat_interrupt.steering import SteeringSettings
from pipecat_interrupt.testing import ScriptedLLM, VirtualTimeError


def _model() -> ScriptedLLM:
    agent = scripted_agent("deaf")

    async def reply(messages: list[dict[str, Any]]) -> str:
        chat = [Message(str(m.get("role")), str(m.get("content"))) for m in messages]
        return (await agent.complete(chat, seed=0)).text

    return ScriptedLLM(reply)


def plain(edges: BotEdges) -> BotUnderTest:
    """Pipecat as it comes, with its default turn strategies' kin: the history is handed over."""
    context = LLMContext()
    pair = LLMContextAggregatorPair(context)
    line = [edges.input, edges.stt, pair.user(), _model(), edges.tts, edges.output, pair.assistant()]
    return BotUnderTest(processors=line, context=context)


def with_kit(edges: BotEdges) -> BotUnderTest:
    """The same bot with the kit around it."""
    kit = InterruptKit("cataract-followup", call_id="own", settings=KitSettings(steering=SteeringSettings(leads=False)))
    pair = LLMContextAggregatorPair(
        LLMContext(), user_params=LLMUserAggregatorParams(user_turn_strategies=kit.turn_strategies())
    )
    line = [edges.input, edges.stt, pair.user(), _model(), edges.tts, edges.output, pair.assistant()]
    return BotUnderTest(processors=kit.instrument(line), opening=LLMRunFrame, kit=kit)


class _Breaks(FrameProcessor):
    """Fails whenever the model is asked."""

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        await super().process_frame(frame, direction)
        if isinstance(frame, LLMContextFrame):
            raise RuntimeError("words told by the patient")
        await self.push_frame(frame, direction)


def breaks(edges: BotEdges) -> list[FrameProcessor]:
    """A bot with a fault of its own."""
    pair = LLMContextAggregatorPair(LLMContext())
    return [edges.input, edges.stt, pair.user(), _Breaks(), edges.tts, edges.output, pair.assistant()]


def never_ends(edges: BotEdges) -> list[FrameProcessor]:
    """What the virtual loop says of a call that hangs."""
    raise VirtualTimeError("nothing can ever happen any more")


def without_voice(edges: BotEdges) -> list[FrameProcessor]:
    """A pipeline that leaves an edge out."""
    return [edges.input, edges.stt, edges.output]


def no_pipeline(edges: BotEdges) -> str:
    """Something else than a bot."""
    return "bot"


async def coroutine(edges: BotEdges) -> list[FrameProcessor]:
    """A factory of the wrong kind."""
    return []


not_callable = 3


def teeth(edges: BotEdges) -> BotUnderTest:
    """Another clinic's bot, with content that no bundled cell knows; it never notices a cut."""
    said: list[str] = []

    async def reply(messages: list[dict[str, Any]]) -> str:
        del messages
        lines = (
            "Hello, this is the dentist's assistant. Would you like to ask me anything?",
            "Rinse with salt water from tomorrow on. Ring us at once if it bleeds for more than an hour."
            " Eat soft food.",
            "Thank you. Goodbye.",
        )
        said.append("")
        return lines[min(len(said), len(lines)) - 1]

    context = LLMContext()
    pair = LLMContextAggregatorPair(context)
    line = [edges.input, edges.stt, pair.user(), ScriptedLLM(reply), edges.tts, edges.output, pair.assistant()]
    return BotUnderTest(processors=line, context=context)
