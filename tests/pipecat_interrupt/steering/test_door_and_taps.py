"""The end door and the taps: an end waits for the guard, never for ever; words and ends are noticed once."""

from __future__ import annotations

import asyncio

import pytest
from pipecat.frames.frames import CancelFrame, EndFrame, InterimTranscriptionFrame, TranscriptionFrame
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineWorker
from pipecat.workers.runner import WorkerRunner

from pipecat_interrupt.steering import CallClock, CallCloser, EndDoor, WordsTap
from pipecat_interrupt.steering.door import HOLD_END_S_MAX
from pipecat_interrupt.testing import LoopClock, run_virtual

pytestmark = pytest.mark.pipeline


async def _run(processors: list, drive, clock=None) -> float:  # noqa: ANN001
    """Run a pipeline, drive it, wait for its end; gives the virtual seconds it took."""
    worker = PipelineWorker(Pipeline(processors), clock=LoopClock(), cancel_on_idle_timeout=False, enable_rtvi=False)
    runner = WorkerRunner(handle_sigint=False)
    await runner.add_workers(worker)
    begun = asyncio.get_running_loop().time()
    running = asyncio.ensure_future(runner.run())
    await asyncio.sleep(0.1)
    await drive(worker)
    await asyncio.wait_for(running, 600)
    return asyncio.get_running_loop().time() - begun


def test_an_end_that_may_pass_passes_at_once() -> None:
    """A willing guard costs no time."""

    async def call() -> float:
        async def willing(reason: str) -> bool:
            return True

        return await _run([EndDoor(willing)], lambda w: w.queue_frame(EndFrame()))

    assert run_virtual(call) < 1.0


def test_a_held_end_goes_through_when_the_door_is_opened() -> None:
    """The guard opens the door after its say; the call ends then and not before."""

    async def call() -> float:
        async def unwilling(reason: str) -> bool:
            return False

        door = EndDoor(unwilling)

        async def drive(worker: PipelineWorker) -> None:
            await worker.queue_frame(EndFrame())
            await asyncio.sleep(5.0)
            assert door.holding
            await door.open()

        return await _run([door], drive)

    assert 5.0 <= run_virtual(call) < 6.0


def test_an_end_is_never_held_longer_than_its_bound() -> None:
    """A guard that forgets the door does not trap the patient on the line."""

    async def call() -> float:
        async def unwilling(reason: str) -> bool:
            return False

        return await _run([EndDoor(unwilling)], lambda w: w.queue_frame(EndFrame()))

    assert HOLD_END_S_MAX <= run_virtual(call) < HOLD_END_S_MAX + 2.0


def test_a_failing_guard_lets_the_call_end() -> None:
    """The safe side of a broken guard is a call that can end, with its hand-off."""

    async def call() -> float:
        async def broken(reason: str) -> bool:
            raise RuntimeError("guard")

        return await _run([EndDoor(broken)], lambda w: w.queue_frame(EndFrame()))

    assert run_virtual(call) < 1.0


def test_a_hang_up_passes_a_door_that_holds_an_end() -> None:
    """A cancel is never held, and what waited is forgotten."""

    async def call() -> tuple[float, bool]:
        async def unwilling(reason: str) -> bool:
            return False

        door = EndDoor(unwilling)

        async def drive(worker: PipelineWorker) -> None:
            await worker.queue_frame(EndFrame())
            await asyncio.sleep(1.0)
            await worker.cancel()

        return await _run([door], drive), door.holding

    seconds, holding = run_virtual(call)
    assert seconds < 5.0
    assert not holding


def test_words_wait_until_a_turn_takes_them_up() -> None:
    """Final and unfinished words stand until taken; a final text replaces the unfinished one before it."""

    async def call() -> tuple[str, str, str]:
        tap = WordsTap(CallClock())
        seen: list[str] = []

        async def drive(worker: PipelineWorker) -> None:
            await worker.queue_frame(InterimTranscriptionFrame("I have", "p", "t"))
            await worker.queue_frame(TranscriptionFrame("I have chest", "p", "t"))
            await worker.queue_frame(InterimTranscriptionFrame("pain and", "p", "t"))
            await asyncio.sleep(0.1)
            seen.append(tap.words)
            tap.taken()
            seen.append(tap.words)
            await worker.queue_frame(EndFrame())

        await _run([tap], drive)
        return seen[0], seen[1], tap.words

    assert run_virtual(call) == ("I have chest pain and", "", "")


@pytest.mark.parametrize(("frame", "expected"), [(EndFrame, "end"), (CancelFrame, "hang_up")])
def test_the_end_is_told_by_its_first_cause(frame: type, expected: str) -> None:
    """An end or a cancel is told, and the clean-up behind it adds nothing that could overwrite it."""

    async def call() -> list[str]:
        told: list[str] = []
        closer = CallCloser(lambda reason, detail: told.append(reason))

        async def drive(worker: PipelineWorker) -> None:
            await (worker.queue_frame(EndFrame()) if frame is EndFrame else worker.cancel())

        await _run([closer], drive)
        return told

    assert run_virtual(call)[0] == expected
