"""A stream that sends nothing any more is ended; one that sends late is not. On virtual time, no sockets."""

from __future__ import annotations

import asyncio
import gc
import json
import weakref
from typing import Any

import pytest

from pipecat_interrupt.serve import Limits
from pipecat_interrupt.serve.guard import GuardedReceive
from pipecat_interrupt.testing import run_virtual

pytestmark = pytest.mark.unit

MARK = {"type": "websocket.receive", "text": json.dumps({"event": "mark"})}
IDLE_S = 45.0


class Line:
    """Gives a message after each of these waits, and then never again."""

    def __init__(self, *waits_s: float) -> None:
        self.waits_s = list(waits_s)

    async def __call__(self) -> dict[str, Any]:
        if not self.waits_s:
            await asyncio.Event().wait()
        await asyncio.sleep(self.waits_s.pop(0))
        return MARK


def _guard(*waits_s: float) -> GuardedReceive:
    return GuardedReceive(Line(*waits_s), Limits(idle_s=IDLE_S))


@pytest.mark.parametrize("waits_s", [(), (0.0,), (0.02,) * 200, (44.0, 44.9, 1.0, 44.9)])
def test_a_silent_stream_ends_so_long_after_its_last_message_and_no_earlier(waits_s: tuple[float, ...]) -> None:
    """The wait counts from the last message, however the timer stood when it came."""

    async def main() -> tuple[int, float, str]:
        guard, loop, passed = _guard(*waits_s), asyncio.get_running_loop(), 0
        last_s = loop.time()
        while (await guard())["type"] == "websocket.receive":
            passed, last_s = passed + 1, loop.time()
        return passed, loop.time() - last_s, guard.ended_by

    passed, silent_s, ended_by = run_virtual(main)

    assert (passed, ended_by) == (len(waits_s), "idle")
    assert silent_s == pytest.approx(IDLE_S, abs=0.01)


def test_time_that_the_call_takes_for_itself_is_not_the_lines_silence() -> None:
    """A bot that reads nothing for a minute finds what came in the meantime."""

    async def main() -> tuple[str, str]:
        guard = _guard(1.0, 1.0)
        await guard()
        await asyncio.sleep(60.0)
        return (await guard())["type"], guard.ended_by

    assert run_virtual(main) == ("websocket.receive", "")


@pytest.mark.parametrize("at_s", [1.0, IDLE_S, IDLE_S + 1e-9])
def test_who_ends_the_call_from_outside_is_heard_also_at_the_very_end_of_the_wait(at_s: float) -> None:
    """A cancellation is not swallowed as silence; nothing is left in the loop after it."""

    async def main() -> bool:
        reading = asyncio.ensure_future(_guard()())
        await asyncio.sleep(at_s)
        if reading.done():  # the silence was first
            return True
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        return reading.cancelled()

    assert run_virtual(main)


def test_the_reader_of_a_silent_stream_can_go_on_awaiting() -> None:
    """The end of a silent stream leaves no cancellation behind in the task that read it."""

    async def main() -> int:
        guard = _guard()
        assert (await guard())["type"] == "websocket.disconnect"
        await asyncio.sleep(1.0)
        task = asyncio.current_task()
        assert task is not None
        return task.cancelling()

    assert run_virtual(main) == 0


def test_a_receive_that_breaks_leaves_no_timer_behind() -> None:
    """The server's own receive fails when the socket is gone; nothing keeps the stream for the rest of the wait."""

    async def broken() -> dict[str, Any]:
        raise RuntimeError("the socket is gone")

    async def main() -> bool:
        guard = GuardedReceive(broken, Limits(idle_s=IDLE_S))
        with pytest.raises(RuntimeError, match="gone"):
            await guard()
        kept = weakref.ref(guard._idle)
        del guard
        gc.collect()
        return kept() is None

    assert run_virtual(main)


def test_a_cancellation_from_outside_behind_a_lost_race_is_still_one() -> None:
    """Silence and an outside end came at once and the end won; a reader that goes on reading is ended again."""

    async def main() -> bool:
        guard, ends = _guard(), 0

        async def reads_on() -> None:
            nonlocal ends
            for _ in range(2):
                try:
                    await guard()
                except asyncio.CancelledError:
                    ends += 1

        reading = asyncio.ensure_future(reads_on())
        loop = asyncio.get_running_loop()
        loop.call_at(loop.time() + IDLE_S, reading.cancel)  # set before the guard's own timer, so it comes first
        await asyncio.sleep(IDLE_S + 1.0)
        reading.cancel()
        await asyncio.sleep(1.0)
        return ends == 2 and guard.ended_by == ""

    assert run_virtual(main)


def test_a_message_that_comes_although_the_wait_was_over_is_passed_and_nothing_stays_cancelled() -> None:
    """A receive may finish what it was at when it is told to stop."""

    async def finishes() -> dict[str, Any]:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return MARK
        return {}

    async def main() -> tuple[dict[str, Any], int]:
        passed = await GuardedReceive(finishes, Limits(idle_s=IDLE_S))()
        task = asyncio.current_task()
        assert task is not None
        return dict(passed), task.cancelling()

    assert run_virtual(main) == (MARK, 0)


def test_a_second_reader_is_timed_though_the_first_is_done() -> None:
    """Two tasks may read one stream: whoever waits last is not left waiting for ever."""

    async def main() -> tuple[str, str]:
        gate, first = asyncio.Event(), True

        async def receive() -> dict[str, Any]:
            nonlocal first
            if first:
                first = False
                await gate.wait()
                return MARK
            await asyncio.Event().wait()
            return {}

        guard = GuardedReceive(receive, Limits(idle_s=IDLE_S))
        one, two = asyncio.ensure_future(guard()), asyncio.ensure_future(guard())
        await asyncio.sleep(1.0)
        gate.set()
        return (await one)["type"], (await asyncio.wait_for(two, 3 * IDLE_S))["type"]

    assert run_virtual(main) == ("websocket.receive", "websocket.disconnect")
