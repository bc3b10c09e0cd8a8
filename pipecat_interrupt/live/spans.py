"""The call's facts as OpenTelemetry spans: under Pipecat's conversation and turn spans where they are, else alone.

Owns the way out: what is decided on the pipeline's loop (a fact's parent and its wall-clock time), a bounded queue, and
a thread on which spans are made, because ending a span may run an exporter. `span_maker` says what a span looks like.
"""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from loguru import logger
from pipecat.frames.frames import Frame
from pipecat.processors.frame_processor import FrameDirection, FrameProcessorSetup

from obligations.ledger.events import Event
from obligations.pathway import Pathway
from pipecat_interrupt.errors import MissingExtra
from pipecat_interrupt.hold.express import TALK_FRAMES, ExpressAudio
from pipecat_interrupt.journal.entries import JournalEntry
from pipecat_interrupt.live.messages import LiveText
from pipecat_interrupt.live.span_maker import SpanMaker, ToldAt
from pipecat_interrupt.live.translate import LiveTranslator

if TYPE_CHECKING:
    from opentelemetry.trace import TracerProvider

WAITING_MAX = 2000
"""Facts waiting to become spans; one more is dropped and counted."""

FLUSH_S_MAX = 2.0
"""Longest time the end of a pipeline waits for the last spans to be made."""


class SpanExport:
    """Makes spans of what the call knows. One object serves one call.

    With a kit: `InterruptKit(..., spans=SpanExport())`. Alone: `journal.add_listener(spans.on_entry)`, and
    `spans.tap()` anywhere in the pipeline if spans shall stand under Pipecat's own.

    Args:
        tracer_provider: Where spans go; None takes the one set for the process, as Pipecat's tracing does.
        text: Whether words of the call leave it; see `LiveText`. Off by default.
        waiting_max: Most facts waiting at once, >= 1.
        now_ns: The wall clock, nanoseconds since 1970.

    Raises:
        MissingExtra: opentelemetry is not installed.
        SettingsError: Unknown `text`.

    Promises: `on_entry` returns at once and never raises; a slow or failing exporter delays and loses spans, never the
    call; `lost_facts` counts what was dropped.
    """

    def __init__(
        self,
        tracer_provider: TracerProvider | None = None,
        *,
        text: LiveText = "off",
        waiting_max: int = WAITING_MAX,
        now_ns: Callable[[], int] = time.time_ns,
    ) -> None:
        if waiting_max < 1:
            raise ValueError(f"waiting_max must be at least 1, got {waiting_max}")
        try:
            from opentelemetry import trace
        except ModuleNotFoundError as error:
            raise MissingExtra("OpenTelemetry spans", "pip install 'pipecat-interrupt[tracing]'") from error
        self.translator = LiveTranslator(text)
        self.lost_facts = 0
        self._maker = SpanMaker((tracer_provider or trace.get_tracer_provider()).get_tracer("pipecat_interrupt"))
        self._now_ns = now_ns
        self._context: Any = None
        self._queue: queue.Queue[ToldAt | None] = queue.Queue(waiting_max)
        self._thread: threading.Thread | None = None
        self._closed = False

    def bind(self, pathway: Pathway | None, before: Iterable[Event] = ()) -> None:
        """Name the call's pathway, before its first entry: obligations then come with state and criticality.

        Args:
            pathway: What the call must cover.
            before: Ledger events that an earlier worker of the call has journalled; () for a new call.
        """
        self.translator.bind(pathway, before)

    def on_entry(self, entry: JournalEntry) -> None:
        """Take a journal entry; on the pipeline's loop, returns at once."""
        if self._closed:
            return
        message = self.translator.message(entry)
        if message is None:
            return
        told = ToldAt(message, self._now_ns(), *self._parents())
        try:
            self._queue.put_nowait(told)
        except queue.Full:
            self.lost_facts += 1
            return
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name=f"spans-{entry.call_id}", daemon=True)
            self._thread.start()

    def tap(self) -> SpanTap:
        """The processor that learns Pipecat's tracing context and waits for the last spans."""
        return SpanTap(self)

    def under(self, tracing_context: Any) -> None:
        """Put spans under Pipecat's: takes a `pipecat.utils.tracing.tracing_context.TracingContext`, or None."""
        self._context = tracing_context

    def close(self, timeout_s: float = FLUSH_S_MAX) -> bool:
        """Make what waits into spans and stop; idempotent. Blocks up to `timeout_s`; True when all were made."""
        if not self._closed:
            self._closed = True
            try:
                self._queue.put_nowait(None)
            except queue.Full:
                logger.warning("spans are still waiting at the end of the call and may be lost")
        if self._thread is None:
            return True
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _parents(self) -> tuple[Any, Any]:
        """Pipecat's turn and conversation contexts, as they are now; None where there is none."""
        if self._context is None:
            return None, None
        return self._context.get_turn_context(), self._context.get_conversation_context()

    def _work(self) -> None:
        while True:
            try:
                told = self._queue.get(timeout=None if not self._closed else 0.0)
            except queue.Empty:
                told = None
            if told is None:
                break
            try:
                self._maker.take(told)
            except Exception as error:
                self.lost_facts += 1
                logger.warning("a span could not be made: {}", type(error).__name__)
        self._maker.finish(self._now_ns(), self.lost_facts)


class SpanTap(ExpressAudio):
    """Hands Pipecat's tracing context over when the pipeline is set up; passes every frame on."""

    express_frames = TALK_FRAMES

    def __init__(self, spans: SpanExport) -> None:
        super().__init__(enable_direct_mode=True)
        self._spans = spans

    async def setup(self, setup: FrameProcessorSetup) -> None:
        """Learn where Pipecat's own spans are; None when it traces nothing."""
        await super().setup(setup)
        self._spans.under(setup.tracing_context)

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Pass everything on."""
        await super().process_frame(frame, direction)
        await self.push_frame(frame, direction)

    async def cleanup(self) -> None:
        """The pipeline is over: give the last spans a bounded moment."""
        if not await asyncio.to_thread(self._spans.close):
            logger.warning("the last spans were not made in time")
        await super().cleanup()
