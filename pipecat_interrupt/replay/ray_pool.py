"""Ray as the workers of a replay: an existing cluster (`RAY_ADDRESS`), else one on this machine.

Owns the border to Ray: it is an `Executor` like any other, so what is replayed and how is decided elsewhere, and the
results are the same files.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from pipecat_interrupt.errors import EnvironmentProblem, MissingExtra

_T = TypeVar("_T")


class RayPool(Executor):
    """Workers of a Ray cluster.

    Args:
        jobs: Workers of a cluster started here; an existing cluster has its own number, one call a processor.

    Promises: a worker that dies fails its own call with `BrokenProcessPool` and no other; a cluster started here is
    stopped with the pool.

    Raises:
        MissingExtra: Ray is not installed.
        EnvironmentProblem: The cluster cannot be reached or started.
    """

    def __init__(self, jobs: int) -> None:
        try:
            import ray  # pyright: ignore[reportMissingImports]
        except ImportError as error:
            raise MissingExtra("--engine ray", "pip install 'pipecat-interrupt[ray]'") from error
        self._ray: Any = ray
        self._mine = not ray.is_initialized()
        if self._mine:
            self._start(jobs)
        # A call that killed its worker is not tried again here: the folder's runner tries it once, alone.
        self._work: Any = ray.remote(max_retries=0, num_cpus=1)(_call)

    def _start(self, jobs: int) -> None:
        address = os.environ.get("RAY_ADDRESS")
        local: dict[str, Any] = {} if address else {"num_cpus": jobs, "include_dashboard": False}
        try:
            self._ray.init(address=address, logging_level="ERROR", log_to_driver=False, **local)
        except Exception as error:
            where = f"the Ray cluster at {address}" if address else "a Ray cluster on this machine"
            raise EnvironmentProblem(f"{where} could not be used: {type(error).__name__}: {error}") from error

    def submit(self, fn: Callable[..., _T], /, *args: Any, **kwargs: Any) -> Future[_T]:
        """Give work to the cluster."""
        given: Future[_T] = self._work.remote(fn, args, kwargs).future()
        out: Future[_T] = Future()
        given.add_done_callback(lambda done: self._pass_on(done, out))
        return out

    def _pass_on(self, done: Future[_T], out: Future[_T]) -> None:
        error = done.exception()
        if error is None:
            out.set_result(done.result())
            return
        died = self._ray.exceptions.WorkerCrashedError, self._ray.exceptions.OutOfMemoryError
        out.set_exception(BrokenProcessPool(type(error).__name__) if isinstance(error, died) else error)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let go of the cluster."""
        del wait, cancel_futures
        if self._mine and self._ray.is_initialized():
            self._ray.shutdown()


def _call(fn: Callable[..., _T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> _T:
    return fn(*args, **kwargs)
