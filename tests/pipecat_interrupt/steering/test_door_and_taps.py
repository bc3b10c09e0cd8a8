"""The end door and the taps: an end waits for the guard, never for ever; words and ends are noticed once."""

from __future__ import annotations

import asyncio

import pytest
from pipecat.frames.frames import (
    CancelFrame,
    EndFrame,
    Frame,
    InterimTranscriptionFrame,
    TextFrame,
    TranscriptionFrame,
)
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineWorker
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor
from pipecat.workers.runner import WorkerRunner

from pipecat_interrupt.steering import CallClock, CallCloser, EndDoor, WordsTap
from pipecat_interrupt.steering.door import END_S_MAX, HOLD_ALL_S_MAX, HOLD_END_S_MAX, LEAVE_S_MAX
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


def test_progress_begins_the_bound_anew_within_a_hard_one() -> None:
    """A call that gets on is held longer, and never past the limit in all."""

    async def call() -> float:
        async def unwilling(reason: str) -> bool:
            return False

        clock = asyncio.get_running_loop()
        door = EndDoor(unwilling, progress=lambda: int(clock.time() // 50))
        return await _run([door], lambda w: w.queue_frame(EndFrame()))

    assert HOLD_ALL_S_MAX <= run_virtual(call) < HOLD_ALL_S_MAX + 2.0


def test_whoever_takes_leave_gets_a_bounded_time_for_it() -> None:
    """The bound is told once; a guard that does nothing with it holds nobody longer, nor does one that fails."""

    async def call(time_up) -> float:  # noqa: ANN001
        async def unwilling(reason: str) -> bool:
            return False

        return await _run([EndDoor(unwilling, time_up=time_up)], lambda w: w.queue_frame(EndFrame()))

    told: list[str] = []
    idle = run_virtual(lambda: call(lambda: told.append("up")))
    failing = run_virtual(lambda: call(lambda: 1 / 0))

    assert ["up"] == told
    assert HOLD_END_S_MAX + LEAVE_S_MAX <= idle < HOLD_END_S_MAX + LEAVE_S_MAX + 2.0
    assert failing < HOLD_END_S_MAX + 2.0


class _Hangs(FrameProcessor):
    """A stage that hangs on text, and on an end as well when it is stubborn."""

    def __init__(self, stubborn: bool) -> None:
        super().__init__()
        self._stubborn = stubborn

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        await super().process_frame(frame, direction)
        if isinstance(frame, TextFrame) or (self._stubborn and isinstance(frame, EndFrame)):
            await asyncio.sleep(1000.0)
        await self.push_frame(frame, direction)


@pytest.mark.parametrize("stubborn", [False, True])
def test_a_stage_that_hangs_does_not_keep_the_line(stubborn: bool) -> None:
    """The forced end interrupts what hangs; where that is not enough a cancel ends the call."""

    async def call() -> float:
        async def unwilling(reason: str) -> bool:
            return False

        async def drive(worker: PipelineWorker) -> None:
            await worker.queue_frame(TextFrame("for ever"))
            await worker.queue_frame(EndFrame())

        return await _run([EndDoor(unwilling), _Hangs(stubborn)], drive)

    assert run_virtual(call) < HOLD_END_S_MAX + END_S_MAX + 5.0


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


@pytest.mark.parametrize("opened", [False, True])
def test_a_cancel_frees_a_line_whose_end_is_stuck_behind_the_door(opened: bool) -> None:
    """The end was let through, at once or later, and a part does not pass it on: a cancel ends the call."""

    async def call() -> float:
        async def guard(reason: str) -> bool:
            return not opened

        door = EndDoor(guard)

        async def drive(worker: PipelineWorker) -> None:
            await worker.queue_frame(EndFrame())
            await asyncio.sleep(1.0)
            await door.open()
            await asyncio.sleep(1.0)
            await worker.cancel()

        return await _run([door, _Hangs(stubborn=True)], drive)

    assert run_virtual(call) < 5.0


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
