"""One phone call from its media stream to its hand-off.

Owns a call's life: its parts are made for it, run in it, and are gone with it. Whatever fails in here, and however the
call ends, its place is given back, its hand-off is written, and no other call notices.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from fastapi import WebSocket
from loguru import logger
from pipecat.frames.frames import EndFrame
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import LLMContextAggregatorPair, LLMUserAggregatorParams
from pipecat.transports.websocket.fastapi import FastAPIWebsocketParams, FastAPIWebsocketTransport
from pipecat.workers.runner import WorkerRunner

from obligations.handoff import Handoff
from pipecat_interrupt.carrier import CarrierPlayback
from pipecat_interrupt.journal import JournalEntry
from pipecat_interrupt.journal.entries import MoveMade
from pipecat_interrupt.kit import InterruptKit
from pipecat_interrupt.serve.desk import CallDesk
from pipecat_interrupt.serve.handshake import StreamStart
from pipecat_interrupt.serve.lines import make_serializer
from pipecat_interrupt.serve.registry import PhoneCall
from pipecat_interrupt.serve.services import CallServices

RATE_HZ = 16_000
"""Rate inside the pipeline: Whisper and the gate expect it; the serializer converts from and to 8 kHz."""

HANDOFF_S_MAX = 0.7
"""How long after the line is gone the pipeline may take to close its call; then it is closed from here."""


OURS = frozenset({"drained", "too_long"})
"""Ends that the server makes."""

WRITE_S_MAX = 10.0
"""How long a call waits for its hand-off to be written before it gives its place back."""


class CallRun:
    """Runs one call.

    Args:
        desk: What all calls share.
        call: The call.
        start: What its media stream said of itself.
        line_lost: Whether the line went without the carrier saying so.
    """

    def __init__(self, desk: CallDesk, call: PhoneCall, start: StreamStart, line_lost: Callable[[], bool]) -> None:
        self._desk, self._call, self._start, self._line_lost = desk, call, start, line_lost
        self._worker: PipelineWorker | None = None
        self._written: asyncio.Future[None] | None = None
        self._reason = ""
        self._kit: InterruptKit | None = None
        self._gone = asyncio.Event()  # the line is gone: nothing is worth waiting for any more
        self._ending = asyncio.Event()  # the call decided to end itself
        self._own_end = ""  # why it did
        self._log = logger.bind(call_id=call.id, provider=call.provider.value)

    async def run(self, websocket: WebSocket) -> str:
        """Run the call to its end.

        Returns:
            How it ended; see `PhoneCall.reason`.

        Promises: raises nothing but a cancellation; however it ends, the call's hand-off is made and written first.
        """
        playback = CarrierPlayback()
        reason = "failed"
        try:
            services = await self._services()
            kit = self._kit = await self._make_kit(playback, services)
            kit.journal.add_listener(self._see_the_end)
            self._desk.registry.attach(self._call, kit)
            if services is not None:
                reason = await self._talk(websocket, kit, playback, services)
        except asyncio.CancelledError:
            reason = "lost"
            raise
        except Exception as error:
            self._log.error("a call failed: {}", type(error).__name__)
        finally:
            self._reason = self._reason or reason
            self._close()
            await asyncio.shield(self._wait_written())
            self._desk.registry.over(self._call, reason)
            self._desk.metrics.call_over(self._call, playback.playout_lag.median_s)
            self._log.info("call over: {}", reason)
        return reason

    async def ask_to_end(self, reason: str) -> None:
        """Let the call come to its end: what must be said is still said, then the line closes."""
        self._reason = self._reason or reason
        self._told_to_end(reason)
        if self._worker is not None:
            await self._worker.queue_frame(EndFrame(reason=reason))

    async def cut(self, reason: str) -> None:
        """End the call now; its hand-off is written within a second, whatever the pipeline does."""
        self._reason = self._reason or reason
        if self._gone.is_set():
            return
        self._gone.set()
        self._told_to_end(reason)
        asyncio.get_running_loop().call_later(HANDOFF_S_MAX, self._close)
        if self._worker is not None:
            await self._worker.cancel(reason=reason)

    def _told_to_end(self, reason: str) -> None:
        """The hand-off says why we ended the call; where the line went of itself, the pipeline knows how."""
        if self._kit is not None:
            self._kit.closing.told_to_end = reason if reason in OURS else ""

    def _see_the_end(self, entry: JournalEntry) -> None:
        if isinstance(entry.data, MoveMade) and entry.data.purpose == "end":
            self._own_end = entry.data.reason
            self._ending.set()

    # ---- making

    async def _services(self) -> CallServices | None:
        try:
            return await self._desk.bank.services(self._call)
        except Exception as error:
            self._log.error("the services of a call could not be made: {}", type(error).__name__)
            return None

    async def _make_kit(self, playback: CarrierPlayback, services: CallServices | None) -> InterruptKit:
        return await self._desk.make_kit(
            call=self._call,
            journal=self._desk.folder(self._call) / "journal.jsonl",
            carrier=playback,
            services=services,
            on_handoff=self._on_handoff,
        )

    def _build(
        self, websocket: WebSocket, kit: InterruptKit, playback: CarrierPlayback, services: CallServices
    ) -> PipelineWorker:
        serializer = make_serializer(self._call.provider, self._start, playback, self._desk.secrets)
        transport = FastAPIWebsocketTransport(
            websocket,
            FastAPIWebsocketParams(
                audio_in_enabled=True,
                audio_out_enabled=True,
                audio_out_end_silence_secs=self._desk.config.end_silence_s,
                add_wav_header=False,
                serializer=serializer,
            ),
        )
        pair = LLMContextAggregatorPair(
            LLMContext(),
            user_params=LLMUserAggregatorParams(
                vad_analyzer=services.vad,
                user_turn_strategies=kit.turn_strategies(services.stop),
                empty_user_turn=None,
            ),
        )
        chain = [
            transport.input(),
            services.stt,
            pair.user(),
            services.llm,
            services.tts,
            transport.output(),
            pair.assistant(),
        ]
        worker = PipelineWorker(
            Pipeline(kit.instrument(chain)),
            params=PipelineParams(audio_in_sample_rate=RATE_HZ, audio_out_sample_rate=RATE_HZ),
            # Nobody reads these observers here, and being told of every frame costs a fifth of a call.
            idle_timeout_secs=None,
            enable_turn_tracking=False,
            enable_rtvi=False,
        )

        @transport.event_handler("on_client_disconnected")
        async def _(_transport: Any, _socket: Any) -> None:
            await self.cut("lost" if self._line_lost() else "hang_up")

        @worker.event_handler("on_pipeline_started")
        async def _(_worker: Any, _frame: Any) -> None:
            kit.begin()

        return worker

    # ---- running

    async def _talk(
        self, websocket: WebSocket, kit: InterruptKit, playback: CarrierPlayback, services: CallServices
    ) -> str:
        worker = self._worker = self._build(websocket, kit, playback, services)
        runner = WorkerRunner(handle_sigint=False)
        await runner.add_workers(worker)
        self._log.info("call began")
        pipeline = asyncio.ensure_future(runner.run())
        cancel_s = self._desk.config.limits.cancel_s
        try:
            await self._within_bound(pipeline)
        finally:
            if not pipeline.done() and not self._gone.is_set():
                await asyncio.wait([asyncio.ensure_future(self.cut(self._reason or "lost"))], timeout=cancel_s)
            if not pipeline.done():
                await asyncio.wait([pipeline], timeout=cancel_s)
            if not pipeline.done():
                self._log.error("a pipeline did not come down and was left behind")
                pipeline.cancel()
        if pipeline.done() and not pipeline.cancelled() and (error := pipeline.exception()) is not None:
            self._log.error("a pipeline failed: {}", type(error).__name__)
            return "failed"
        return self._reason or "end"

    async def _within_bound(self, pipeline: asyncio.Future[None]) -> None:
        """Wait for the end of the pipeline, or of the line; a call that takes too long is told to end.

        An end that the call decided itself is bounded too: a part that is stuck, or a machine too busy, would else keep
        a patient on a line that has said goodbye.
        """
        gone, ending = (asyncio.ensure_future(event.wait()) for event in (self._gone, self._ending))
        first = asyncio.FIRST_COMPLETED
        limits = self._desk.config.limits
        try:
            await asyncio.wait([pipeline, gone, ending], timeout=limits.call_s_max, return_when=first)
            if pipeline.done() or gone.done():
                return
            if not ending.done():
                self._log.warning("a call reached its longest time and is being ended")
                await self.ask_to_end("too_long")
            await asyncio.wait([pipeline, gone], timeout=limits.guard_s, return_when=first)
            if ending.done() and not pipeline.done() and not gone.done():
                self._log.warning("a call that had ended itself did not come down and is being cut")
                await self._cut_behind_its_end()
        finally:
            gone.cancel()
            ending.cancel()

    async def _cut_behind_its_end(self) -> None:
        """Close the call as it ended, and take its line down; the hand-off says why it ended, not how it was cut."""
        self._reason = self._reason or "end"
        if self._kit is not None and self._reason not in OURS:
            self._kit.closing.over("end", self._own_end or None)
        await asyncio.wait([asyncio.ensure_future(self.cut(self._reason))], timeout=self._desk.config.limits.cancel_s)

    # ---- the end

    def _close(self) -> None:
        """The pipeline closes its call itself; where it could not, the hand-off is made here. Idempotent."""
        if self._kit is None:
            return
        try:
            self._kit.closing.over("lost" if self._reason == "failed" else self._reason)
        except Exception as error:
            self._log.error("closing a call failed: {}", type(error).__name__)

    def _on_handoff(self, handoff: Handoff) -> None:
        """Write at once and off the loop, before the pipeline has come down."""
        self._written = self._desk.write(self._call, handoff)

    async def _wait_written(self) -> None:
        try:
            async with asyncio.timeout(WRITE_S_MAX):
                if self._kit is not None and self._kit.kept is not None:
                    await self._kit.kept.settled()
                if self._written is not None:
                    await self._written
        except Exception as error:
            self._log.error("a hand-off could not be written: {}", type(error).__name__)
