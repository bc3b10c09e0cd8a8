"""The process that ``eval ledger-crash`` kills: one kept call on the ledger, reporting each step over a pipe.

Owns the driving of a call without a pipeline, for the worker and for its heir. What it reports has happened: a step is
sent before the next begins, so the parent knows what a patient would have heard when the process died.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from obligations.adapters.redis_store import RedisStore, RedisStoreConfig
from obligations.adapters.sqlite_store import SqliteStore
from obligations.answers.reader import LocalAnswerReader
from obligations.handoff import Handoff
from obligations.ledger import to_json
from obligations.pathway import load_pathway
from obligations.steering import End, Listen, Speak
from obligations.stores import KeptCall, LedgerStore
from obligations.testing import ScriptedCall

CRASH_PATHWAY = load_pathway("cataract-followup")
START_S_MAX = 60.0
MOVES_MAX = 400
PAUSE_S = 0.002
"""Between two facts of a call; hundreds of times faster than speech, so that more kills meet a write under way."""


@dataclass(frozen=True, slots=True)
class Step:
    """What a worker knew after one step.

    Parameters:
        known: Events of its ledger.
        saved: Events its store had confirmed.
        last_saved: The last confirmed event as JSON; "" when there is none.
        greeted: The greeting had been heard.
        closed: Points and questions that were closed.
        handed_off: The hand-off has just reached the sink.
        done: The call is over.
    """

    known: int
    saved: int
    last_saved: str
    greeted: bool
    closed: frozenset[str]
    handed_off: bool = False
    done: bool = False


def open_at(kind: str, where: str) -> LedgerStore:
    """Open the store both processes use."""
    return SqliteStore(Path(where)) if kind == "sqlite" else RedisStore(RedisStoreConfig(url=where))


def step_of(kept: KeptCall, *, handed_off: bool = False, done: bool = False) -> Step:
    """Say what a worker knows now."""
    ledger = kept.tracker.ledger
    saved = ledger.next_seq - kept.unsaved
    return Step(
        known=ledger.next_seq,
        saved=saved,
        last_saved=to_json(kept.tracker.events[saved - 1]) if saved else "",
        greeted="greeting" in ledger.call.phrases_heard,
        closed=frozenset(record.id for record in ledger.items.values() if record.closed),
        handed_off=handed_off,
        done=done,
    )


async def drive(kept: KeptCall, tell: Callable[[Step], None] | None = None) -> tuple[frozenset[str], str]:
    """Play a call to its end from where it stands; the patient answers "No." to everything.

    Returns:
        What was spoken (item ids, and "greeting"), and why the call ended.
    """
    call = ScriptedCall(kept.tracker)
    call.now_s, call._count = kept.resumed_at_s, len(kept.tracker.ledger.call.utterances)
    spoken: set[str] = set()
    greeting = CRASH_PATHWAY.phrases[kept.tracker.language].greeting
    for _ in range(MOVES_MAX):
        move = call.move()
        if isinstance(move, End):
            return frozenset(spoken), move.reason
        if isinstance(move, Speak):
            spoken |= {*move.item_ids, *(("greeting",) if greeting in move.text else ())}
            call.say(move.text)
        elif isinstance(move, Listen):
            call.hear("No.")
        kept.changed()
        if tell is not None:
            await asyncio.sleep(PAUSE_S)
            tell(step_of(kept))
    raise RuntimeError("the scripted call does not end")


async def _hold(connection: Connection, kind: str, where: str, call_id: str) -> None:
    kept = await KeptCall.open(
        open_at(kind, where), CRASH_PATHWAY, call_id=call_id, worker_id="first", reader=LocalAnswerReader()
    )

    class Sink:
        async def send(self, handoff: Handoff) -> None:
            connection.send(step_of(kept, handed_off=True))

    _, reason = await drive(kept, connection.send)
    await kept.finish(reason, 1000.0, [Sink()])
    connection.send(step_of(kept, done=True))
    await asyncio.sleep(START_S_MAX)


def _main(connection: Connection, kind: str, where: str, call_id: str) -> None:
    connection.send(None)
    asyncio.run(_hold(connection, kind, where, call_id))


class Worker:
    """One worker process.

    Args:
        kind: "sqlite" or "redis".
        where: File or url.
        call_id: The call it holds.
    """

    def __init__(self, kind: str, where: str, call_id: str) -> None:
        self.call_id = call_id
        context = multiprocessing.get_context("fork")
        self._here, there = context.Pipe(duplex=False)
        self._process = context.Process(target=_main, args=(there, kind, where, call_id), daemon=True)
        self._process.start()
        there.close()

    @property
    def exit_code(self) -> int | None:
        """As of `multiprocessing`: minus the signal."""
        return self._process.exitcode

    def until_done(self) -> int:
        """Let it play its whole call; how many steps it reported. It is killed then.

        Raises:
            RuntimeError: It does not end.
        """
        steps = 0
        while True:
            step = self._next()
            steps += step is not None
            if step is not None and step.done:
                self._kill([])
                return steps

    def kill_behind(self, count: int, extra_s: float) -> list[Step]:
        """Kill it without a warning, a little after so many steps; every step it had reported.

        Raises:
            RuntimeError: It does not come so far.
        """
        self._next()  # it runs
        steps = [step for _ in range(count) if (step := self._next()) is not None]
        time.sleep(extra_s)
        return self._kill(steps)

    def _next(self) -> Step | None:
        if not self._here.poll(START_S_MAX):
            raise RuntimeError("the worker stands still")
        return self._here.recv()

    def _kill(self, steps: list[Step]) -> list[Step]:
        self._process.kill()
        self._process.join(START_S_MAX)
        try:
            while self._here.poll(0):
                steps.append(self._here.recv())
        except (EOFError, OSError):
            pass
        self._here.close()
        return steps
