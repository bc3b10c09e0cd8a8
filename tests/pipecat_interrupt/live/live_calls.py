"""Calls on doubles with the exits a test gives its kit; the two everybody reads are played once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import pytest

pytest.importorskip("opentelemetry.sdk", reason="opentelemetry-sdk is not installed (extra: tracing)")

from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from pipecat.processors.aggregators.llm_response_universal import LLMUserAggregatorParams

from pipecat_interrupt.kit import InterruptKit
from pipecat_interrupt.live import LiveText, RtviFacts, SpanExport
from pipecat_interrupt.testing import ScriptedCall, play_call, run_virtual
from pipecat_interrupt.testing.call import CallResult
from tests.pipecat_interrupt.kit.calls import scripted_demo

ANSWER = "Take one tablet every morning with water. Do not drink alcohol while you take it."
QUESTION = "Sorry, wait, how big are they?"
WORDS = ("tablet", "alcohol", "morning", "sorry", "big", "centimetre")
"""Words of the call that must not be found where none may go out."""


def interrupted_call(make_kit: Callable[[], InterruptKit], **worker_options: Any) -> tuple[InterruptKit, CallResult]:
    """Let a patient cut the agent off at the word "water"; `make_kit` runs inside the loop."""

    async def main() -> tuple[InterruptKit, CallResult]:
        kit = make_kit()
        script = ScriptedCall(11.0).patient("How do I take these?", at_s=0.5).patient(QUESTION, on_heard="water")
        result = await play_call(
            script,
            replies=[ANSWER, "About a centimetre."],
            tts="words",
            vad="energy",
            opening=None,
            user_params=lambda _: LLMUserAggregatorParams(user_turn_strategies=kit.turn_strategies()),
            instrument=kit.instrument,
            worker_options=worker_options,
        )
        return kit, result

    return run_virtual(main)


def server_messages(result: CallResult) -> list[dict[str, Any]]:
    """Our messages as the client at the end of the transport got them."""
    got = [m for m in result.parts.output.messages if m.get("label") == "rtvi-ai" and m.get("type") == "server-message"]
    return [m["data"] for m in got if m["data"].get("type") == "pipecat-interrupt"]


Told = tuple[InterruptKit, CallResult, Sequence[ReadableSpan]]
EPOCH_S = 1_790_000_000


def loop_wall() -> Callable[[], int]:
    """A wall clock that runs with the virtual loop it is made in."""
    loop = asyncio.get_running_loop()
    return lambda: round(1e9 * (EPOCH_S + loop.time()))


def memory_provider() -> tuple[TracerProvider, InMemorySpanExporter]:
    """A provider of one's own, and what comes out of it."""
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    return provider, exporter


@cache
def interrupted_and_told(text: LiveText) -> Told:
    """The interrupted call, told both ways with one text policy."""
    provider, exporter = memory_provider()

    def make() -> InterruptKit:
        spans = SpanExport(provider, text=text, now_ns=loop_wall())
        return InterruptKit(call_id="c1", rtvi=RtviFacts(text=text), spans=spans)

    kit, result = interrupted_call(make, enable_rtvi=True)
    return kit, result, exporter.get_finished_spans()


@cache
def pathway_and_told() -> Told:
    """A whole pathway call to its planned end, told both ways without words."""
    provider, exporter = memory_provider()
    options = {"enable_rtvi": True}
    kit, result = scripted_demo("ours", rtvi=RtviFacts(), spans=SpanExport(provider), worker_options=options)
    return kit, result, exporter.get_finished_spans()
