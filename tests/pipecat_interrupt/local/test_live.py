"""The live transports know when the machine did not keep up."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest
from pipecat.frames.frames import TTSAudioRawFrame, TTSStartedFrame, TTSStoppedFrame
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.workers.runner import WorkerRunner

from pipecat_interrupt.local.live import LiveOutput, PatientInput
from pipecat_interrupt.local.threads import CALM_ENV, calm_threads
from pipecat_interrupt.testing.virtual_time import LoopClock, run_virtual

pytestmark = pytest.mark.pipeline

RATE_HZ = 16000


def audio(seconds: float) -> TTSAudioRawFrame:
    return TTSAudioRawFrame(np.full(int(seconds * RATE_HZ), 100, np.int16).tobytes(), RATE_HZ, 1, context_id="c")


def run(steps: object) -> tuple[PatientInput, LiveOutput]:
    """Run a pipeline of the two transports on virtual time while `steps(worker, input)` plays."""

    async def main() -> tuple[PatientInput, LiveOutput]:
        source, sink = PatientInput(), LiveOutput()
        worker = PipelineWorker(
            Pipeline([source, sink]),
            params=PipelineParams(audio_in_sample_rate=RATE_HZ, audio_out_sample_rate=RATE_HZ),
            clock=LoopClock(),
            cancel_on_idle_timeout=False,
            enable_rtvi=False,
        )
        started = asyncio.Event()

        @worker.event_handler("on_pipeline_started")
        async def _started(*_: object) -> None:
            started.set()

        runner = WorkerRunner(handle_sigint=False)
        await runner.add_workers(worker)
        running = asyncio.create_task(runner.run())
        await started.wait()
        await steps(worker, source)  # type: ignore[operator]  # a coroutine function
        await worker.cancel()
        await running
        return source, sink

    return run_virtual(main)


def test_a_punctual_microphone_has_no_late_frame() -> None:
    """Fifty frames a second, none late."""

    async def steps(worker: PipelineWorker, source: PatientInput) -> None:
        await asyncio.sleep(1.0)

    source, _ = run(steps)

    assert source.late == []
    assert 50 <= source.frames <= 52
    assert source.worst_late_s < 0.001


def test_a_stall_shows_as_late_frames_with_their_delay() -> None:
    """A machine that stood still for 0.1 s: the frames due in that time are late, the first by most."""

    async def steps(worker: PipelineWorker, source: PatientInput) -> None:
        await asyncio.sleep(0.5)
        source.started_at_s -= 0.1  # the same as a loop that was blocked for 0.1 s
        await asyncio.sleep(0.5)

    source, _ = run(steps)

    assert len(source.late) == 4
    assert 0.08 < source.worst_late_s <= 0.1001
    assert [f.late_s for f in source.late] == sorted((f.late_s for f in source.late), reverse=True)
    source.restart_statistics()
    assert (source.late, source.worst_late_s) == ([], 0.0)


def test_audio_that_was_not_ready_in_time_is_an_underrun() -> None:
    """A gap inside an utterance that nothing explains."""

    async def steps(worker: PipelineWorker, source: PatientInput) -> None:
        await worker.queue_frames([TTSStartedFrame(context_id="c"), audio(0.4)])
        await asyncio.sleep(0.9)
        await worker.queue_frames([audio(0.4), TTSStoppedFrame(context_id="c")])
        await asyncio.sleep(1.0)

    _, sink = run(steps)

    gaps = sink.underruns()
    assert [round(g.length_s, 1) for g in gaps] == [0.5]
    assert sink.underruns(held=[(gaps[0].start_s - 0.05, gaps[0].start_s + 0.4)]) == []


def test_silence_between_two_utterances_is_no_underrun() -> None:
    """The agent had finished."""

    async def steps(worker: PipelineWorker, source: PatientInput) -> None:
        for _ in range(2):
            await worker.queue_frames([TTSStartedFrame(context_id="c"), audio(0.4), TTSStoppedFrame(context_id="c")])
            await asyncio.sleep(1.5)

    _, sink = run(steps)

    assert len(sink.gaps()) == 1
    assert sink.underruns() == []


def test_calm_threads_sets_what_is_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waiting threads sleep, hubs are out of reach; a user's own value stays."""
    for name in (*CALM_ENV, "OMP_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OMP_NUM_THREADS", "7")

    calm_threads(2)

    import os

    assert {n: os.environ[n] for n in CALM_ENV} == {
        "OMP_WAIT_POLICY": "passive",
        "GOMP_SPINCOUNT": "0",
        "KMP_BLOCKTIME": "0",
        "HF_HUB_OFFLINE": "1",
    }
    assert os.environ["OMP_NUM_THREADS"] == "7"
    for name in CALM_ENV:
        monkeypatch.delenv(name)
