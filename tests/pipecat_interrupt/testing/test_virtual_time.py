"""The loop whose time is a number: it jumps, it waits for threads, and it says so when nothing can happen."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from pipecat_interrupt.testing import LoopClock, VirtualLoop, VirtualTimeError, run_virtual, stdlib_time

pytestmark = pytest.mark.unit


def test_an_hour_of_sleep_takes_no_time():
    """Virtual time passes an hour, the clock on the wall less than two seconds."""
    real_s = time.monotonic()

    async def main():
        loop = asyncio.get_running_loop()
        start_s = loop.time()
        await asyncio.sleep(3600)
        return loop.time() - start_s

    assert run_virtual(main) == pytest.approx(3600.0)
    assert time.monotonic() - real_s < 2.0


def test_timers_fire_in_order_at_their_exact_times():
    """Sleeps, timeouts and call_later share one time line."""

    async def main():
        loop = asyncio.get_running_loop()
        start_s, seen = loop.time(), []
        loop.call_later(0.3, lambda: seen.append(("later", round(loop.time() - start_s, 6))))

        async def nap(name, seconds):
            await asyncio.sleep(seconds)
            seen.append((name, round(loop.time() - start_s, 6)))

        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.gather(nap("b", 0.2), nap("a", 0.1), nap("never", 9.0)), 0.5)
        return seen, round(loop.time() - start_s, 6)

    assert run_virtual(main) == ([("a", 0.1), ("b", 0.2), ("later", 0.3)], 0.5)


@pytest.mark.parametrize("inline", [True, False])
def test_time_stands_still_while_an_executor_works(inline):
    """A job that takes real time takes no virtual time, inline or in a thread."""

    async def main():
        loop = asyncio.get_running_loop()
        start_s = loop.time()
        waiting = asyncio.ensure_future(asyncio.sleep(5.0))
        answer = await asyncio.to_thread(lambda: (threading.Event().wait(0.02), 42)[1])
        return answer, loop.time() - start_s, waiting.cancel()

    assert run_virtual(main, inline=inline) == (42, 0.0, True)


def test_an_executor_job_that_raises_raises_at_the_await():
    """The error goes to whoever waits for the job."""

    async def main():
        def bad():
            raise ValueError("mine")

        with pytest.raises(ValueError, match="mine"):
            await asyncio.to_thread(bad)
        return True

    assert run_virtual(main)


def test_external_holds_time_for_an_answer_from_outside():
    """Without it the timeout fires at once; with it the answer comes and no virtual time has passed."""

    async def ask(guarded):
        loop = asyncio.get_running_loop()
        answer = loop.create_future()

        def work():
            threading.Event().wait(0.02)
            loop.call_soon_threadsafe(lambda: answer.done() or answer.set_result("yes"))

        threading.Thread(target=work).start()
        start_s = loop.time()
        if not guarded:
            try:
                return await asyncio.wait_for(answer, 5.0), loop.time() - start_s
            except TimeoutError:
                with loop.external():
                    await asyncio.to_thread(threading.Event().wait, 0.05)
                return "timeout", loop.time() - start_s
        with loop.external():
            return await asyncio.wait_for(answer, 5.0), loop.time() - start_s

    assert run_virtual(lambda: ask(False)) == ("timeout", 5.0)
    assert run_virtual(lambda: ask(True)) == ("yes", 0.0)


def test_a_wait_that_nothing_can_end_is_an_error_not_a_hang():
    """No timer, no thread, no socket: the loop says so."""

    async def main():
        await asyncio.get_running_loop().create_future()

    with pytest.raises(VirtualTimeError, match="nothing can ever happen"):
        run_virtual(main)


def test_an_endless_run_is_an_error_not_a_hang():
    """A loop of sleeps passes the limit."""

    async def main():
        while True:  # noqa: ASYNC110  # the endless loop is the point
            await asyncio.sleep(1.0)

    with pytest.raises(VirtualTimeError, match="limit"):
        run_virtual(main, limit_s=100.0)


def test_the_standard_library_shows_virtual_time_and_gets_its_own_back():
    """Inside, time.time and friends follow the loop; outside, they are what they were, also after an error."""
    before = time.time, time.monotonic, time.perf_counter_ns
    loop = VirtualLoop(50.0)

    with pytest.raises(RuntimeError), stdlib_time(loop, epoch_s=1000.0):
        seen = time.time(), time.monotonic(), time.perf_counter(), time.monotonic_ns(), time.time_ns()
        raise RuntimeError

    loop.close()
    assert seen == (1050.0, 50.0, 50.0, 50_000_000_000, 1_050_000_000_000)
    assert (time.time, time.monotonic, time.perf_counter_ns) == before


def test_the_pipeline_clock_is_never_zero_once_started():
    """Pipecat reads a pts of 0 as none."""

    async def main():
        clock = LoopClock()
        before = clock.get_time()
        clock.start()
        at_start = clock.get_time()
        await asyncio.sleep(1.5)
        return before, at_start, clock.get_time()

    assert run_virtual(main) == (0, 1, 1_500_000_001)
