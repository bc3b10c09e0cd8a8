"""What one processor costs one frame: CPU and latency of a hop, and of the parts that stand around the transport.

Owns the frame-by-frame half of ``eval cost``. It runs on a real loop: a virtual one would hide the latency.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pipecat.frames.frames import Frame, InputAudioRawFrame, OutputAudioRawFrame, TTSAudioRawFrame
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor
from pipecat.workers.runner import WorkerRunner

from pipecat_interrupt.hold import AckTap, ExpressAudio, WordsInAudioOrder
from pipecat_interrupt.testing import ListenerOutput

RATE_HZ = 16_000
FRAME_BYTES = 640
"""20 ms."""

HOPS = 10
BURST = 20
"""Frames pushed before the loop gets a turn."""

PACED_FRAMES = 100


class Pass(FrameProcessor):
    """Passes everything on, queued or direct."""

    def __init__(self, *, direct: bool = False) -> None:
        super().__init__(enable_direct_mode=direct)

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Pass it on."""
        await super().process_frame(frame, direction)
        await self.push_frame(frame, direction)


class Short(ExpressAudio):
    """A direct part that lets the caller's audio take the short way."""

    def __init__(self) -> None:
        super().__init__(enable_direct_mode=True)

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Pass it on."""
        await super().process_frame(frame, direction)
        await self.push_frame(frame, direction)


class Sink(FrameProcessor):
    """Counts audio and, for stamped frames, how long they took."""

    def __init__(self, seconds: float) -> None:
        super().__init__(enable_direct_mode=True)
        self.done = asyncio.Event()
        self.latencies_us: list[float] = []
        self._left_s = seconds

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Count it."""
        await super().process_frame(frame, direction)
        if isinstance(frame, InputAudioRawFrame | TTSAudioRawFrame):
            self._left_s -= frame.num_frames / frame.sample_rate
            if "sent" in frame.metadata:
                self.latencies_us.append(1e6 * (time.perf_counter() - frame.metadata["sent"]))
            if self._left_s < 0.05:
                self.done.set()
        await self.push_frame(frame, direction)


class Instant(ListenerOutput):
    """An output that takes no time, so that only the processing is measured."""

    async def write_audio_frame(self, frame: OutputAudioRawFrame) -> bool:
        """Take it."""
        return True


@dataclass(frozen=True, slots=True)
class Hop:
    """What a hop costs: CPU and latency a frame, microseconds."""

    mode: str
    frame: str
    cpu_us: float
    latency_us: float


def _frame(kind: str) -> Frame:
    if kind == "input":
        return InputAudioRawFrame(bytes(FRAME_BYTES), RATE_HZ, 1)
    return TTSAudioRawFrame(bytes(FRAME_BYTES), RATE_HZ, 1, context_id="c")


async def _drive(chain: Sequence[FrameProcessor], kind: str, frames: int, *, paced: bool) -> tuple[float, list[float]]:
    """Push frames through a chain; return CPU a frame and the latencies, microseconds."""
    sink = Sink(frames * 0.02)
    worker = PipelineWorker(
        Pipeline([*chain, sink]),
        params=PipelineParams(audio_in_sample_rate=RATE_HZ, audio_out_sample_rate=RATE_HZ),
        cancel_on_idle_timeout=False,
        enable_rtvi=False,
        enable_turn_tracking=False,
    )
    started = asyncio.Event()

    @worker.event_handler("on_pipeline_started")
    async def _(_worker: PipelineWorker, _frame: Frame) -> None:
        started.set()

    runner = WorkerRunner(handle_sigint=False)
    await runner.add_workers(worker)
    pipeline = asyncio.ensure_future(runner.run())
    await started.wait()
    await asyncio.sleep(0.1)
    cpu_s = time.process_time()
    for number in range(frames):
        frame = _frame(kind)
        if paced:
            frame.metadata["sent"] = time.perf_counter()
        await chain[0].queue_frame(frame)
        if paced:
            await asyncio.sleep(0.005)
        elif number % BURST == 0:
            await asyncio.sleep(0)
    await asyncio.wait_for(sink.done.wait(), 60.0)
    cpu_us = 1e6 * (time.process_time() - cpu_s) / frames
    await worker.cancel()
    await pipeline
    return cpu_us, sink.latencies_us


def _median_cpu_us(make: Callable[[], Sequence[FrameProcessor]], kind: str, frames: int, repeats: int) -> float:
    return statistics.median(asyncio.run(_drive(make(), kind, frames, paced=False))[0] for _ in range(repeats))


def _latency_us(make: Callable[[], Sequence[FrameProcessor]], kind: str) -> float:
    return statistics.median(asyncio.run(_drive(make(), kind, PACED_FRAMES, paced=True))[1])


def measure_hops(frames: int, repeats: int) -> list[Hop]:
    """Measure a pass-through hop, queued, direct and express, for the caller's audio and for the agent's."""
    found: list[Hop] = []
    for kind in ("input", "tts"):
        base_cpu = _median_cpu_us(lambda: [Pass()], kind, frames, repeats)
        base_latency = _latency_us(lambda: [Pass()], kind)
        for mode in ("queued", "direct", "express") if kind == "input" else ("queued", "direct"):

            def chain(mode: str = mode) -> list[FrameProcessor]:
                return [Pass(), *(Short() if mode == "express" else Pass(direct=mode == "direct") for _ in range(HOPS))]

            cpu = (_median_cpu_us(chain, kind, frames, repeats) - base_cpu) / HOPS
            latency = (_latency_us(chain, kind) - base_latency) / HOPS
            found.append(Hop(mode, kind, cpu, latency))
    return found


def measure_output_parts(frames: int, repeats: int) -> dict[str, float]:
    """Measure CPU microseconds a 20 ms TTS frame of the transport alone and with the hold's parts around it."""

    def stock() -> list[FrameProcessor]:
        return [Pass(), Instant()]

    def ours() -> list[FrameProcessor]:
        output = Instant()
        gate = WordsInAudioOrder(output=output)
        return [Pass(), gate, output, AckTap(gate)]

    return {
        "transport": _median_cpu_us(stock, "tts", frames, repeats),
        "transport_with_hold_parts": _median_cpu_us(ours, "tts", frames, repeats),
    }
