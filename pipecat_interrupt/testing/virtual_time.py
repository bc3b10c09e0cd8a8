"""Virtual time for a whole Pipecat process, without touching Pipecat.

Owns the event loop whose clock is a number. It never sleeps: when nothing is runnable it jumps to the next timer,
unless a thread or an outside service is working for us, in which case virtual time stands still until it answers.
"""

from __future__ import annotations

import asyncio
import contextlib
import selectors
import time
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Executor, Future
from typing import Any, TypeVar

from pipecat.clocks.base_clock import BaseClock

T = TypeVar("T")

EXTERNAL_POLL_S = 5.0
"""How long one real wait for an outside answer may block the selector before the loop looks round again."""

VIRTUAL_LIMIT_S = 6 * 3600.0
"""Default end of the world in virtual seconds: a test that passes it is looping, not waiting."""


class VirtualTimeError(RuntimeError):
    """Virtual time cannot go on: nothing is left that could ever happen, or the run passed its limit."""


class _JumpSelector(selectors.DefaultSelector):
    """A selector that never waits for time, only for threads and sockets."""

    owner: VirtualLoop
    _watched = 0

    def register(self, *args: Any, **kwargs: Any) -> selectors.SelectorKey:
        """Watch one more file."""
        key = super().register(*args, **kwargs)
        self._watched += 1
        return key

    def unregister(self, fileobj: Any) -> selectors.SelectorKey:
        """Watch one file less."""
        key = super().unregister(fileobj)
        self._watched -= 1
        return key

    @property
    def watches_others(self) -> bool:
        """Whether anything but the loop's own wake-up socket is watched."""
        return self._watched > 1  # asked at every turn of the loop

    def select(self, timeout: float | None = None) -> list[Any]:
        """Return what is ready now; with nothing ready let the loop jump instead of waiting."""
        more_to_run = timeout is not None and timeout <= 0
        if more_to_run and not (self.owner.waits_outside or self.watches_others):
            return []  # nobody outside can have anything for us: no system call for it at every turn
        ready = super().select(0)
        if ready or more_to_run:
            return ready
        if self.owner.waits_outside:
            return super().select(EXTERNAL_POLL_S)
        if timeout is None:
            if not self.watches_others:
                raise VirtualTimeError(
                    "nothing can ever happen any more: no timer, no thread, no socket. A future is awaited that nobody"
                    " sets; if a thread of your own would set it, wrap the await in `with loop.external():`"
                )
            return super().select(EXTERNAL_POLL_S)
        self.owner.jump()
        return ready


class VirtualDelay(Executor):
    """An executor whose jobs take a set time on virtual time: what a model costs, measured elsewhere.

    Args:
        delay_s: From the start of a job to its result, >= 0.
    """

    def __init__(self, delay_s: float) -> None:
        self.delay_s = max(0.0, delay_s)

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Run at once, for code that does not go through the loop."""
        done: Future[T] = Future()
        done.set_result(fn(*args, **kwargs))
        return done


class VirtualLoop(asyncio.SelectorEventLoop):
    """An asyncio loop on virtual time.

    Args:
        start_s: First value of `time()`.
        inline: True runs executor jobs (VAD, smart turn, `asyncio.to_thread`) on the loop's own thread, at once, which
            fixes the order of completion and makes runs bit-identical. A job that waits for the loop itself would
            deadlock: use False for such code; time then stands still while a thread works.
        limit_s: Virtual seconds after `start_s` at which the run is declared endless.

    Promises: all asyncio timeouts, sleeps and `call_later` are virtual; `time()` never goes back; code that awaits a
    real answer (socket, child process) must do so inside `external()`, or its timeouts fire at once.

    Source: determinism and speed, docs/testing.md.
    """

    def __init__(self, start_s: float = 1000.0, *, inline: bool = True, limit_s: float = VIRTUAL_LIMIT_S) -> None:
        self._virtual_now_s = start_s
        self._end_s = start_s + limit_s
        self._waiting = 0
        self.jumps = 0
        self.inline = inline
        selector = _JumpSelector()
        selector.owner = self
        super().__init__(selector)

    @property
    def waits_outside(self) -> bool:
        """Whether a thread or an outside service is working for us, so that time must stand still."""
        return self._waiting > 0

    def time(self) -> float:
        """Return virtual seconds."""
        return self._virtual_now_s

    def jump(self) -> None:
        """Move to the next timer."""
        scheduled = self._scheduled  # type: ignore[attr-defined]  # asyncio's timer heap; no public way to read it
        if not scheduled:
            return
        self._virtual_now_s = max(self._virtual_now_s, scheduled[0]._when)
        self.jumps += 1
        if self._virtual_now_s > self._end_s:
            raise VirtualTimeError(f"virtual time passed its limit ({self._end_s:.0f} s): the run does not end")

    def run_in_executor(self, executor: Any, func: Callable[..., T], *args: Any) -> asyncio.Future[T]:  # type: ignore[override]  # same call, narrower return
        """Run a job while virtual time stands still; `VirtualDelay` as the executor gives the job a virtual length."""
        if self.inline:
            return self._at_once(executor.delay_s if isinstance(executor, VirtualDelay) else 0.0, func, *args)
        future = super().run_in_executor(executor, func, *args)
        self._waiting += 1
        future.add_done_callback(self._job_done)
        return future

    def _at_once(self, delay_s: float, func: Callable[..., T], *args: Any) -> asyncio.Future[T]:
        """Run a job now, on what there is now, and give its result `delay_s` later."""
        done: asyncio.Future[T] = self.create_future()
        try:
            result = func(*args)
        except BaseException as error:  # noqa: BLE001  # handed to whoever awaits it
            done.set_exception(error)
            return done
        if delay_s > 0:
            self.call_later(delay_s, lambda: None if done.done() else done.set_result(result))
        else:
            done.set_result(result)
        return done

    async def shutdown_default_executor(self, *args: Any, **kwargs: Any) -> None:
        """Wait for the threads for real."""
        with self.external():
            await super().shutdown_default_executor(*args, **kwargs)

    @contextlib.contextmanager
    def external(self) -> Iterator[None]:
        """Hold virtual time still while something outside the loop (server, socket, own thread) answers."""
        self._waiting += 1
        try:
            yield
        finally:
            self._waiting -= 1

    def _job_done(self, _: object) -> None:
        self._waiting -= 1


class LoopClock(BaseClock):
    """Pipecat's clock on the running loop's time: `PipelineWorker(clock=LoopClock())`.

    Works on any loop. On a `VirtualLoop` word timestamps and the transport's timed frames follow virtual time.
    """

    def __init__(self) -> None:
        self._start_s: float | None = None
        self._now_s: Callable[[], float] = lambda: 0.0

    def start(self) -> None:
        """Take the loop's present time as zero."""
        self._now_s = asyncio.get_running_loop().time
        self._start_s = self._now_s()

    def get_time(self) -> int:
        """Return nanoseconds since `start`, 0 before it and never 0 after it (Pipecat reads pts 0 as "no pts")."""
        if self._start_s is None:
            return 0
        return round((self._now_s() - self._start_s) * 1e9) + 1


@contextlib.contextmanager
def stdlib_time(loop: asyncio.AbstractEventLoop, *, epoch_s: float = 1_800_000_000.0) -> Iterator[None]:
    """Point `time.time`, `monotonic` and `perf_counter` (and their `_ns` forms) at the loop for a while.

    Pipecat reads them through the module, so its speaking periods, idle timers, VAD stamps and metrics become virtual
    with no Pipecat name touched. Process-wide: never in a process that also serves live calls.

    Args:
        loop: The loop whose `time()` to show.
        epoch_s: What `time.time()` shows at loop time 0.
    """
    now_s = loop.time
    fakes: dict[str, Callable[[], float | int]] = {
        "time": lambda: epoch_s + now_s(),
        "monotonic": now_s,
        "perf_counter": now_s,
        "time_ns": lambda: int((epoch_s + now_s()) * 1e9),
        "monotonic_ns": lambda: int(now_s() * 1e9),
        "perf_counter_ns": lambda: int(now_s() * 1e9),
    }
    real = {name: getattr(time, name) for name in fakes}
    try:
        for name, fake in fakes.items():
            setattr(time, name, fake)
        yield
    finally:
        for name, function in real.items():
            setattr(time, name, function)


def run_virtual(
    main: Callable[[], Awaitable[T]],
    *,
    patch_time: bool = True,
    start_s: float = 1000.0,
    inline: bool = True,
    limit_s: float = VIRTUAL_LIMIT_S,
) -> T:
    """Run a coroutine function on its own virtual loop and return its result.

    Args:
        main: Called inside the loop; build the pipeline in it.
        patch_time: Also show virtual time through `stdlib_time`; needed for Pipecat's speaking and idle timers.
        start_s: First loop time.
        inline: See `VirtualLoop`.
        limit_s: See `VirtualLoop`.

    Raises:
        VirtualTimeError: Nothing can ever happen any more, or the run passed `limit_s`.
    """
    loop = VirtualLoop(start_s, inline=inline, limit_s=limit_s)

    async def body() -> T:
        return await main()

    with contextlib.ExitStack() as stack:
        if patch_time:
            stack.enter_context(stdlib_time(loop))
        runner = stack.enter_context(asyncio.Runner(loop_factory=lambda: loop))
        return runner.run(body())
