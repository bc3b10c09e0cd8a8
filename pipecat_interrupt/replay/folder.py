"""A folder of calls: each replayed once, poisoned files set aside with a reason, an index at the end.

Owns the run: order, workers, resuming, quarantine. A run that was stopped goes on where it was; what is done is told by
the contents of the files and the settings, not by dates.
"""

from __future__ import annotations

import json
import multiprocessing
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import asdict, dataclass

from pydantic import ValidationError

from obligations.stores.errors import FileInUse
from obligations.stores.one_writer import alone_in
from pipecat_interrupt.errors import EnvironmentProblem, SettingsError
from pipecat_interrupt.replay.errors import RecordingRefused
from pipecat_interrupt.replay.index import write_index
from pipecat_interrupt.replay.inputs import CallInput
from pipecat_interrupt.replay.job import JobOutcome, ReplayPlan, read_result, replay_job
from pipecat_interrupt.replay.places import LocalPlace, Place, RemotePlace
from pipecat_interrupt.replay.result import CallResult
from pipecat_interrupt.replay.tables import TablesDone, check_tables, keep_tables

QUARANTINE_FILE = "quarantine.json"
JOBS_MAX = 64

Progress = Callable[[JobOutcome, int, int], None]
"""Told of each outcome, how many are done, and how many there are."""


PoolMaker = Callable[[int], Executor]
"""Makes workers, by their number; the same jobs may be mapped by any executor."""


@dataclass(frozen=True, slots=True)
class FolderRun:
    """What a run did.

    Parameters:
        outcomes: One a call, in order of the calls' names.
        results: Of every call that has one, in the same order.
        took_s: Wall time.
        tables: What was done with the Parquet tables.
    """

    outcomes: tuple[JobOutcome, ...]
    results: tuple[CallResult, ...]
    took_s: float
    tables: TablesDone = "none"

    def count(self, status: str) -> int:
        """How many calls ended so."""
        return sum(outcome.status == status for outcome in self.outcomes)


def replay_folder(
    calls: Sequence[CallInput],
    plan: ReplayPlan,
    *,
    jobs: int = 1,
    progress: Progress | None = None,
    pool: PoolMaker | None = None,
    parquet: bool = False,
) -> FolderRun:
    """Replay many calls and write the index.

    Args:
        calls: The calls; their ids must differ.
        plan: How.
        jobs: Processes, in [1, JOBS_MAX]; 1 works in this one, unless a `pool` is given.
        progress: Told of each outcome.
        pool: Makes the workers, by their number; None: processes of their own.
        parquet: Write the results as tables too. Without it tables of an earlier run are written anew, or removed where
            pyarrow is missing: they never say otherwise than the index beside them.

    A file that is not taken because its call has a recording or a transcript already is set aside as *doubled*.

    Promises: one poisoned file, even one that kills its worker, costs the others nothing; a second run replays only
    what changed; results do not depend on `jobs`.

    Raises:
        MissingExtra: A package is missing that every call of this form needs.
        ValueError: `jobs` is out of range.
        SettingsError: A place is in this process's memory and the work is not.
        EnvironmentProblem: A place cannot be listed, read or written, or another run writes there.
    """
    if not 1 <= jobs <= JOBS_MAX:
        raise ValueError(f"jobs must be in [1, {JOBS_MAX}], got {jobs}")
    if parquet:
        check_tables()
    started = time.monotonic()
    _check_reach(calls, plan, alone=jobs == 1 and pool is None)
    with _alone_at(plan.place):
        ordered = tuple(_all(calls, plan, jobs, progress, pool))
        _write_quarantine(ordered, plan)
        results = tuple(_results(ordered, plan.place))
        write_index(results, ordered, plan.place)
        tables = keep_tables(results, plan.place, wanted=parquet)
    return FolderRun(ordered, results, time.monotonic() - started, tables)


@contextmanager
def _alone_at(place: Place) -> Generator[None]:
    """Keep other runs from a place: two would mix the files of a call, and each other's index."""
    if isinstance(place, RemotePlace):
        with place.alone():
            yield
        return
    if not isinstance(place, LocalPlace):
        yield
        return
    place.root.mkdir(parents=True, exist_ok=True)
    try:
        with alone_in(place.root):
            yield
    except FileInUse as error:
        raise EnvironmentProblem(
            f"{place}: another replay writes there ({error.who}). Wait for its end, or name another --out"
        ) from None


def _all(
    calls: Sequence[CallInput], plan: ReplayPlan, jobs: int, progress: Progress | None, pool: PoolMaker | None
) -> Iterator[JobOutcome]:
    """Do every call, then give the outcomes in order of the calls."""
    poisoned = _known_poison(plan)
    outcomes: dict[str, JobOutcome] = {}
    work: list[CallInput] = []
    for call in calls:
        known = _misnamed(call) or (None if plan.fresh else _still_poisoned(call, poisoned))
        if known is None:
            work.append(call)
        else:
            outcomes[call.call_id] = known
            _tell(progress, known, len(outcomes), len(calls))
    for outcome in _inline(work, plan) if jobs == 1 and pool is None else _pooled(work, plan, jobs, pool or processes):
        outcomes[outcome.call_id] = outcome
        _tell(progress, outcome, len(outcomes), len(calls))
    yield from (outcomes[call.call_id] for call in calls)
    yield from _doubled(calls)


def _misnamed(call: CallInput) -> JobOutcome | None:
    """Set aside a call with a file whose name is no text: neither index nor quarantine could hold it."""
    names = tuple(_as_text(path.name) for path in call.files)
    bad = next((name for name, path in zip(names, call.files, strict=True) if name != path.name), None)
    if bad is None:
        return None
    why = f"the name of {bad} is not UTF-8; rename the file"
    return JobOutcome(_as_text(call.call_id), names, "refused", "unreadable", why)


def _as_text(name: str) -> str:
    """A file's name with bytes that are no UTF-8 written out."""
    return name.encode(errors="backslashreplace").decode()


def _doubled(calls: Sequence[CallInput]) -> Iterator[JobOutcome]:
    for call in calls:
        for path in call.doubled:
            kept = ", ".join(_as_text(file.name) for file in call.files)
            why = f"its call has {kept}; a call has one recording and one transcript: give this one another name"
            name = _as_text(f"{call.call_id}{path.suffix.lower()}")
            yield JobOutcome(name, (_as_text(path.name),), "refused", "doubled", why)


def _tell(progress: Progress | None, outcome: JobOutcome, done: int, of: int) -> None:
    if progress is not None:
        progress(outcome, done, of)


def _inline(work: Sequence[CallInput], plan: ReplayPlan) -> Iterator[JobOutcome]:
    for call in work:
        yield replay_job(call, plan)


def processes(jobs: int) -> Executor:
    """Make workers that share nothing with this process, so that a decoder's fault cannot reach it."""
    return ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"))


def _pooled(work: Sequence[CallInput], plan: ReplayPlan, jobs: int, make: PoolMaker) -> Iterator[JobOutcome]:
    """Map over processes; what was under way when one died is done again alone, so that the culprit is known."""
    suspects: list[CallInput] = []
    with make(jobs) as pool:
        futures: dict[Future[JobOutcome], CallInput] = {pool.submit(replay_job, call, plan): call for call in work}
        for future in as_completed(futures):
            try:
                yield future.result()
            except BrokenProcessPool:
                suspects.append(futures[future])
    for call in suspects:
        yield _alone(call, plan, make)


def _alone(call: CallInput, plan: ReplayPlan, make: PoolMaker) -> JobOutcome:
    try:
        with make(1) as pool:
            return pool.submit(replay_job, call, plan).result()
    except BrokenProcessPool:
        names = tuple(path.name for path in call.files)
        why = "its worker died while it was replayed (memory, or a fault in a decoder)"
        with call.here() as local:
            return JobOutcome(call.call_id, names, "refused", "worker_died", why, local.sha256())


def _results(outcomes: Sequence[JobOutcome], out: Place) -> Iterator[CallResult]:
    for outcome in outcomes:
        if outcome.status != "refused":
            yield read_result(out, outcome.call_id)


def _check_reach(calls: Sequence[CallInput], plan: ReplayPlan, *, alone: bool) -> None:
    """Refuse places that other processes cannot see, where other processes are to do the work."""
    places = {str(plan.out), *(call.root for call in calls)}
    mine = sorted(where for where in places if where.startswith("memory://"))
    if mine and not alone:
        raise SettingsError(f"{mine[0]} is in this process's memory, so its workers cannot see it: use one job")


def _known_poison(plan: ReplayPlan) -> dict[str, JobOutcome]:
    """What an earlier run of the same settings set aside, by its files' contents."""
    try:
        kept = json.loads(plan.place.text(QUARANTINE_FILE) or "")
        if kept["settings"] != plan.digest():
            return {}
        rows = [JobOutcome(**{**row, "sources": tuple(row["sources"])}) for row in kept["files"]]
    except (OSError, ValueError, KeyError, TypeError, ValidationError):
        return {}
    return {row.inputs_sha256: row for row in rows if row.inputs_sha256 and row.code not in ("failed", "worker_died")}


def _still_poisoned(call: CallInput, poisoned: dict[str, JobOutcome]) -> JobOutcome | None:
    if not any(row.call_id == call.call_id for row in poisoned.values()):
        return None
    try:
        with call.here() as local:
            known = poisoned.get(local.sha256())
    except (OSError, RecordingRefused):
        return None
    return known if known is not None and known.call_id == call.call_id else None


def _write_quarantine(outcomes: Sequence[JobOutcome], plan: ReplayPlan) -> None:
    rows = [asdict(outcome) for outcome in outcomes if outcome.status == "refused"]
    if not rows:
        plan.place.remove(QUARANTINE_FILE)
        return
    text = json.dumps({"settings": plan.digest(), "files": rows}, indent=1, ensure_ascii=False) + "\n"
    plan.place.write(QUARANTINE_FILE, text.encode())
