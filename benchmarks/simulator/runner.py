"""Runs a plan: in this process, over processes, or on Ray; skips what is stored, stores what is done.

Owns bounds: trials at once in a process, trials a chunk, faults before it gives up.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field, replace

from benchmarks.cells import load_cell, prompt_name
from benchmarks.errors import EnvironmentFault, MissingExtra
from benchmarks.simulator.build import (
    REALTIME,
    WIRE,
    Models,
    loop_runner,
    make_agent,
    make_stages,
    make_system,
    quiet_pipelines,
)
from benchmarks.simulator.chat import ChatModel
from benchmarks.simulator.plan import PlannedTrial
from benchmarks.simulator.scripted_agent import Policy
from benchmarks.simulator.store import TrialStore
from benchmarks.simulator.system import CallBounds
from benchmarks.simulator.trial import run_trial, trial_id
from benchmarks.simulator.trial_log import TrialLog

CHUNK_TRIALS = 20
FAULTS_MAX = 20
CONCURRENT_MAX = 4


@dataclass(frozen=True, slots=True)
class Fault:
    """A trial that could not be run; it is stored beside the trials, and a resumed run tries it again.

    Parameters:
        planned: The trial.
        reason: Why.
    """

    planned: PlannedTrial
    reason: str


@dataclass(slots=True)
class RunOutcome:
    """What came of a plan.

    Parameters:
        done: Trials run now.
        skipped: Trials that were stored already.
        faults: Trials that could not be run.
        call_s: Length of all calls run now, on the systems' clocks.
    """

    done: int = 0
    skipped: int = 0
    call_s: float = 0.0
    faults: list[Fault] = field(default_factory=list)


def id_of(planned: PlannedTrial) -> str:
    """Give the id the planned trial will have."""
    cell = load_cell(planned.cell)
    conductor = (planned.level, planned.system)
    return trial_id(
        cell.id, planned.arm, planned.agent, conductor, prompt_name(planned.prompt), planned.index, planned.seed
    )


async def _run_planned(planned: PlannedTrial, agent: ChatModel, models: Models, bounds: CallBounds) -> TrialLog:
    return await run_trial(
        load_cell(planned.cell),
        planned.arm,
        agent,
        make_system(planned.system, planned.level, models.bot, models.wire, models.recordings),
        planned.seed,
        index=planned.index,
        prompt=planned.prompt,
        stages=make_stages(models),
        bounds=bounds,
    )


def run_chunk(
    chunk: Sequence[PlannedTrial], models: Models, bounds: CallBounds, concurrent: int
) -> list[TrialLog | Fault]:
    """Run a few trials in this process; the same function serves the local runner, processes and Ray.

    A transcript's trials run side by side on one loop; a pipeline's trial gets a loop of its own.
    """
    if chunk and chunk[0].level != "transcript":
        quiet_pipelines()
        return [_run_alone(planned, models, bounds) for planned in chunk]

    async def all_of_them() -> list[TrialLog | Fault]:
        gate = asyncio.Semaphore(concurrent)

        async def one(planned: PlannedTrial) -> TrialLog | Fault:
            async with gate:
                try:
                    return await _run_planned(planned, make_agent(planned.agent, models), models, bounds)
                except EnvironmentFault as error:
                    return Fault(planned, str(error))

        return list(await asyncio.gather(*(one(planned) for planned in chunk)))

    return asyncio.run(all_of_them())


def _run_alone(planned: PlannedTrial, models: Models, bounds: CallBounds) -> TrialLog | Fault:
    run = loop_runner(planned.level, real_time=models.real_time)
    from pipecat_interrupt.testing import VirtualTimeError

    try:
        if planned.level == REALTIME and planned.agent in list(Policy):
            _rehearse(planned, models, bounds)
        return run(_run_planned(planned, make_agent(planned.agent, models), models, bounds))
    except EnvironmentFault as error:
        return Fault(planned, str(error))
    except VirtualTimeError as error:
        return Fault(planned, f"{id_of(planned)}: the call never ended: {error}")


def _rehearse(planned: PlannedTrial, models: Models, bounds: CallBounds) -> None:
    """Play the same trial at text level and let the voices speak what was said: two cores cannot do so in the call."""
    from benchmarks.simulator.live.local_voices import local_voices

    twin, silent = replace(planned, level="text"), replace(models, recordings=None)
    log = loop_runner("text")(_run_planned(twin, make_agent(planned.agent, models), silent, bounds))
    local_voices().rehearse(log.turns)


Mapped = Iterator[list[TrialLog | Fault]]
Work = Callable[[Sequence[PlannedTrial]], list[TrialLog | Fault]]


def _map_local(work: Work, chunks: Sequence[Sequence[PlannedTrial]], jobs: int) -> Mapped:
    if jobs <= 1:
        yield from map(work, chunks)
        return
    with ProcessPoolExecutor(max_workers=jobs) as pool:
        yield from _map_over(pool, work, chunks)


def _map_ray(work: Work, chunks: Sequence[Sequence[PlannedTrial]], jobs: int) -> Mapped:
    from pipecat_interrupt.errors import EnvironmentProblem
    from pipecat_interrupt.errors import MissingExtra as NoRay
    from pipecat_interrupt.replay.ray_pool import RayPool

    try:
        pool = RayPool(jobs)
    except NoRay:
        raise MissingExtra("ray", "pip install 'pipecat-interrupt[ray]'") from None
    except EnvironmentProblem as error:
        raise EnvironmentFault(str(error)) from error
    with pool:
        yield from _map_over(pool, work, chunks)


def _map_over(pool: Executor, work: Work, chunks: Sequence[Sequence[PlannedTrial]]) -> Mapped:
    futures = [pool.submit(work, chunk) for chunk in chunks]
    try:
        for future in as_completed(futures):
            yield future.result()
    finally:
        for future in futures:
            future.cancel()


@dataclass(frozen=True, slots=True)
class _Work:
    """`run_chunk` with its settings; a class, so that it can be sent to another process."""

    models: Models
    bounds: CallBounds
    concurrent: int

    def __call__(self, chunk: Sequence[PlannedTrial]) -> list[TrialLog | Fault]:
        return run_chunk(chunk, self.models, self.bounds, self.concurrent)


def run_plan(
    planned: Sequence[PlannedTrial],
    store: TrialStore,
    models: Models,
    *,
    bounds: CallBounds | None = None,
    jobs: int = 1,
    concurrent: int = CONCURRENT_MAX,
    use_ray: bool = False,
    on_begin: Callable[[], None] | None = None,
    on_done: Callable[[int], None] | None = None,
) -> RunOutcome:
    """Run every planned trial that the store does not hold, and store each as soon as its chunk is done.

    `on_begin` is called before the first of them; never when there is none.

    Raises:
        EnvironmentFault: More than `FAULTS_MAX` trials could not be run; what was done is stored, and so are they.
        MissingExtra: Ray was asked for and is not installed.
    """
    stored = store.trial_ids()
    todo = [trial for trial in planned if id_of(trial) not in stored]
    outcome = RunOutcome(skipped=len(planned) - len(todo))
    size = max(1, min(CHUNK_TRIALS, -(-len(todo) // (4 * max(jobs, 1)))))
    if todo and todo[0].level in (REALTIME, WIRE):
        size = 1  # minutes a trial: each is stored as soon as it is over
    chunks = [todo[i : i + size] for i in range(0, len(todo), size)]
    if todo and on_begin is not None:
        on_begin()
    work = _Work(models, bounds or CallBounds(), concurrent)
    for results in _map_ray(work, chunks, jobs) if use_ray else _map_local(work, chunks, jobs):
        for result in results:
            if isinstance(result, Fault):
                outcome.faults.append(result)
                store.append_fault(id_of(result.planned), result.reason)
            else:
                store.append(result)
                outcome.done += 1
                outcome.call_s += result.duration_s or 0.0
        if on_done is not None:
            on_done(len(results))
        if len(outcome.faults) > FAULTS_MAX:
            raise EnvironmentFault(
                f"gave up after {len(outcome.faults)} trials could not be run, the last: {outcome.faults[-1].reason}"
            )
    return outcome
