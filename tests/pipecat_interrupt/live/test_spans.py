"""Spans, taken by a real in-memory exporter: alone, under Pipecat's own, and with an exporter that hangs."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("opentelemetry.sdk", reason="opentelemetry-sdk is not installed (extra: tracing)")

from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from pipecat_interrupt.journal import JournalWriter, MemorySink
from pipecat_interrupt.journal.entries import CallStarted, MoveMade
from pipecat_interrupt.kit import InterruptKit
from pipecat_interrupt.live import SpanExport

from .live_calls import (
    QUESTION,
    WORDS,
    interrupted_and_told,
    interrupted_call,
    loop_wall,
    memory_provider,
    pathway_and_told,
)

pytestmark = pytest.mark.pipeline


def _named(spans: Sequence[ReadableSpan], name: str) -> list[ReadableSpan]:
    return [s for s in spans if s.name == f"pipecat_interrupt.{name}"]


def _said(span: ReadableSpan, name: str) -> Any:
    return (span.attributes or {}).get(f"pipecat_interrupt.{name}")


def test_a_call_alone_is_one_trace_with_its_utterances_overlaps_and_holds() -> None:
    """With any tracer provider and no tracing of Pipecat's: the call is the root, everything hangs on it."""
    _, _, spans = interrupted_and_told("off")

    (call,) = _named(spans, "call")
    cut = next(s for s in _named(spans, "utterance") if _said(s, "end_reason") == "interruption")
    overlap = next(s for s in _named(spans, "overlap") if _said(s, "verdict") == "question")
    assert call.parent is None
    assert (call.attributes or {})["pipecat_interrupt.call_id"] == "c1"
    assert {s.context.trace_id for s in spans} == {call.context.trace_id}
    assert all(s.parent is not None and s.parent.span_id == call.context.span_id for s in spans if s is not call)
    assert _said(cut, "cut_words") == 7
    assert cut.start_time < overlap.start_time < cut.end_time <= call.end_time
    assert call.start_time <= cut.start_time
    assert all(_said(h, "ended_by") for h in _named(spans, "hold"))


def test_no_word_of_the_call_stands_in_a_span_unless_asked() -> None:
    """Tracing back-ends are not where transcripts belong."""
    _, _, silent = interrupted_and_told("off")
    _, _, masked = interrupted_and_told("patient_words")

    assert not any(word in span.to_json().lower() for span in silent for word in WORDS)
    assert any("Take one tablet" in span.to_json() for span in masked)
    assert not any(QUESTION in span.to_json() for span in masked)


@pytest.fixture
def global_exporter() -> Iterator[InMemorySpanExporter]:
    """An exporter on the process-wide provider, which is the one Pipecat's own tracing uses."""
    provider = trace.get_tracer_provider()
    if not isinstance(provider, TracerProvider):
        provider = TracerProvider()
        trace.set_tracer_provider(provider)
    exporter = InMemorySpanExporter()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    yield exporter
    exporter.shutdown()


def test_spans_stand_under_pipecats_turns_and_conversation(global_exporter: InMemorySpanExporter) -> None:
    """Same trace; the call hangs on the conversation, an utterance on the turn in which it began."""
    interrupted_call(
        lambda: InterruptKit(call_id="c1", spans=SpanExport(now_ns=loop_wall())),
        enable_tracing=True,
        conversation_id="conversation-7",
    )

    spans = global_exporter.get_finished_spans()
    (conversation,) = [s for s in spans if s.name == "conversation"]
    turns = {s.context.span_id for s in spans if s.name == "turn"}
    (call,) = _named(spans, "call")
    utterances = _named(spans, "utterance")
    assert {s.context.trace_id for s in spans} == {conversation.context.trace_id}
    assert call.parent is not None
    assert call.parent.span_id == conversation.context.span_id
    assert len(utterances) == 2
    assert all(u.parent is not None and u.parent.span_id in turns for u in utterances)


def test_a_whole_pathway_call_tells_its_obligations_and_what_stays_open() -> None:
    """Ids and states only; the call's span says how it ended."""
    kit, _, spans = pathway_and_told()

    (call,) = _named(spans, "call")
    last = {_said(s, "item_id"): _said(s, "state") for s in _named(spans, "obligation")}
    assert last == {o.id: o.state for o in kit.summary().obligations}
    assert kit.handoff is not None
    assert _said(call, "handoff.complete") == kit.handoff.complete
    assert list(_said(call, "handoff.answered")) == [a.item_id for a in kit.handoff.answers]


class _Hanging(SpanExporter):
    """Answers nothing until it is told to."""

    def __init__(self) -> None:
        self.go, self.names = threading.Event(), list[str]()

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        self.go.wait(30)
        self.names += [s.name for s in spans]
        return SpanExportResult.SUCCESS


def test_an_exporter_that_hangs_holds_no_call_up_and_loses_nothing_that_fits() -> None:
    """The call runs to its end while the exporter hangs; when it answers, the spans come."""
    exporter = _Hanging()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    spans = SpanExport(provider)

    kit, _ = interrupted_call(lambda: InterruptKit(spans=spans))
    made_before = list(exporter.names)
    exporter.go.set()

    assert kit.scribe.records[0].delivered == "Take one tablet every morning with water."
    assert made_before == []
    assert spans.close(20)
    assert "pipecat_interrupt.utterance" in exporter.names
    assert "pipecat_interrupt.call" in exporter.names


def test_a_full_queue_drops_and_says_so_on_the_calls_span() -> None:
    """Bounded, counted, and the call's own span tells the number."""
    exporter = _Hanging()
    provider, memory = memory_provider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    spans = SpanExport(provider, waiting_max=3)
    writer = JournalWriter("c1", (MemorySink(),))
    writer.add_listener(spans.on_entry)

    writer.write(CallStarted(), 0.0)
    for at_s in range(1, 20):
        writer.write(MoveMade(purpose="ask"), float(at_s))
    exporter.go.set()

    assert spans.close(20)
    (call,) = _named(memory.get_finished_spans(), "call")
    assert spans.lost_facts > 0
    assert _said(call, "lost_facts") == spans.lost_facts
    assert len(_named(memory.get_finished_spans(), "move")) + spans.lost_facts == 19


def test_without_opentelemetry_all_but_spans_works_and_the_message_says_what_to_install() -> None:
    """Measured in a fresh interpreter in which opentelemetry cannot be imported."""
    code = """
import sys
sys.modules["opentelemetry"] = None
from pipecat_interrupt.kit import InterruptKit
from pipecat_interrupt.live import RtviFacts, SpanExport
from pipecat_interrupt.errors import MissingExtra
InterruptKit(rtvi=RtviFacts())
try:
    SpanExport()
except MissingExtra as error:
    print(error.install)
"""
    root = Path(__file__).resolve().parents[3]

    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=root, timeout=55, check=True
    )

    assert done.stdout.strip().endswith("pip install 'pipecat-interrupt[tracing]'")
