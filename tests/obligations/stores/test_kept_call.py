"""A call that keeps itself: killed in mid-call it goes on elsewhere, without a second greeting, with one hand-off."""

from __future__ import annotations

import asyncio
import signal
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from obligations import End, Handoff, Listen, Speak, Tracker, load_pathway
from obligations.answers.reader import LocalAnswerReader
from obligations.errors import ReplayMismatch
from obligations.stores import (
    HandoffNotSent,
    KeptCall,
    LedgerStore,
    MemoryStore,
    ResilienceConfig,
    ResilientStore,
    StoreAlarm,
    finish_lost,
    send_unsent,
)
from obligations.testing import PlainReader, ScriptedCall
from tests.obligations.stores.calls import PATHWAY
from tests.obligations.stores.flaky import FlakyStore
from tests.obligations.stores.servers import start_server
from tests.obligations.stores.worker import open_store

pytestmark = pytest.mark.contract

CATARACT = load_pathway("cataract-followup")
GREETING = "Hello from the test clinic."
ROOT = Path(__file__).resolve().parents[3]


class Inbox:
    """A sink that keeps what it gets, or refuses."""

    def __init__(self, *, refuses: bool = False) -> None:
        self.got: list[Handoff] = []
        self.refuses = refuses

    async def send(self, handoff: Handoff) -> None:
        if self.refuses:
            raise HandoffNotSent("away")
        self.got.append(handoff)


async def open_call(store: LedgerStore, call_id: str = "call-1", **options: Any) -> KeptCall:
    return await KeptCall.open(
        store, PATHWAY, call_id=call_id, worker_id=options.pop("worker_id", "w"), reader=PlainReader(), **options
    )


def scripted(kept: KeptCall) -> ScriptedCall:
    """Drive a kept call from where it stands."""
    call = ScriptedCall(kept.tracker)
    call.now_s = kept.resumed_at_s
    call._count = 1000
    return call


async def test_what_happens_is_written_at_once_and_in_the_background() -> None:
    """`changed` returns before the store is asked; a little later the store holds every event."""
    store = MemoryStore()
    kept = await open_call(store)
    call = scripted(kept)
    for _ in range(3):
        call.speak()
        kept.changed()
        call.hear("Yes.")
        kept.changed()

    assert await kept.flush()

    assert kept.tracker.events == tuple(await store.read("call-1"))
    assert 0 == kept.unsaved


async def test_a_slow_store_means_larger_appends_not_a_queue(tmp_path: Path) -> None:
    """A hundred changes while one append is under way are one more append."""
    store = FlakyStore()
    kept = await open_call(store)
    await kept.flush()
    asked = store.asked
    call = scripted(kept)

    for n in range(100):
        call.tracker.intended(f"x{n}", "Hello.", float(n))
        kept.changed()
    await kept.flush()

    assert store.asked - asked <= 2
    assert kept.tracker.events == tuple(await store.inner.read("call-1"))


async def test_the_second_worker_goes_on_and_the_first_falls_silent() -> None:
    """No second greeting; the first worker's writes and hand-off are refused, and it sends nothing."""
    store, inbox, alarms = MemoryStore(), Inbox(), list[StoreAlarm]()
    first = await open_call(store, worker_id="a", alarm=alarms.append)
    call = scripted(first)
    greeting = call.speak()
    await first.flush()

    second = await open_call(store, worker_id="b")
    again = scripted(second)
    spoken = again.speak()
    await second.flush()
    call.speak()
    await first.flush()
    by_first = await first.finish("hangup", 9.0, [inbox])
    by_second = await second.finish("hangup", 9.0, [inbox])

    assert second.resumed and not first.resumed
    assert GREETING in greeting.text and GREETING not in spoken.text
    assert (False, True) == (by_first[1], by_second[1])
    assert [by_second[0]] == inbox.got
    assert ["taken_over", "handoff_withheld"] == [alarm.kind for alarm in alarms]


async def test_what_a_dead_worker_was_saying_counts_as_unheard() -> None:
    """Nobody knows how much of it was heard: the point stays open and is said again."""
    store = MemoryStore()
    first = await open_call(store)
    first.tracker.intended("u1", "Use the drops twice a day.", 1.0)
    first.tracker.started("u1", 1.0)
    await first.flush()

    heir = await open_call(store)

    assert [] == heir.tracker.ledger.call.in_flight
    assert "drops" in [record.id for record in heir.tracker.ledger.owed()]
    await heir.flush()
    assert heir.tracker.events == tuple(await store.read("call-1"))


async def test_a_call_of_another_version_of_the_pathway_is_not_mixed_up() -> None:
    """The caller is told, and nothing is written."""
    store = MemoryStore()
    kept = await open_call(store)
    await kept.flush()

    with pytest.raises(ReplayMismatch):
        await KeptCall.open(store, CATARACT, call_id="call-1", worker_id="w", reader=PlainReader())

    assert list(kept.tracker.events) == await store.read("call-1")


async def test_finishing_twice_gives_the_first_result() -> None:
    """One hand-off, sent once."""
    store, inbox = MemoryStore(), Inbox()
    kept = await open_call(store)

    results = [await kept.finish(reason, 5.0, [inbox]) for reason in ("hangup", "crash")]

    assert results[0] == results[1] and results[0][0].end_reason == "hangup"
    assert 1 == len(inbox.got)
    assert [] == await store.unsent()


async def test_a_hand_off_that_could_not_be_sent_is_sent_later() -> None:
    """It waits in the store; whoever runs `send_unsent` passes it on, once."""
    store, alarms, inbox = MemoryStore(), list[StoreAlarm](), Inbox()
    kept = await open_call(store, alarm=alarms.append)
    handoff, _ = await kept.finish("hangup", 5.0, [Inbox(refuses=True)])
    assert ["handoff_not_sent"] == [alarm.kind for alarm in alarms]

    sent = [await send_unsent(store, [inbox]), await send_unsent(store, [inbox])]

    assert [["call-1"], []] == sent
    assert [handoff] == inbox.got


async def test_a_call_whose_line_went_with_its_worker_gets_its_hand_off() -> None:
    """A supervisor finishes what is open: reason "crash", every open item named."""
    store, inbox = MemoryStore(), Inbox()
    kept = await open_call(store)
    scripted(kept).speak()
    await kept.flush()

    (lost,) = await store.open_calls()
    handoff, first = await finish_lost(store, PATHWAY, lost, worker_id="s", reader=PlainReader(), sinks=[inbox])

    assert (True, "crash", [handoff]) == (first, handoff.end_reason, inbox.got)
    assert ["pain", "drops"] == [item.item_id for item in handoff.open_items]
    assert [] == await store.open_calls()


async def test_a_worker_that_dies_between_the_last_event_and_the_hand_off() -> None:
    """The heir writes the hand-off the first one would have written."""
    store = MemoryStore()
    first = await open_call(store)
    would_be = first.tracker.handoff("patient_ended", 7.0)
    await first.flush()

    handoff, is_first = await finish_lost(store, PATHWAY, "call-1", worker_id="s", reader=PlainReader())

    assert (would_be, True) == (handoff.model_copy(update={"version": 0}), is_first)
    assert handoff.version > 0


@pytest.mark.parametrize("mood", ["down", "hangs"])
async def test_the_hand_off_is_there_in_time_though_the_store_is_not(tmp_path: Path, mood: Any) -> None:
    """Within a second of the end, with a store that is gone or that never answers."""
    under, inbox = FlakyStore(), Inbox()
    store = ResilientStore(under, tmp_path, config=ResilienceConfig(retry_first_s=0.01))
    kept = await open_call(store)
    scripted(kept).speak()
    under.mood = mood
    loop = asyncio.get_running_loop()

    begin = loop.time()
    handoff, first = await kept.finish("hangup", 5.0, [inbox])
    spent_s = loop.time() - begin

    assert spent_s < 1.0
    assert (True, [handoff]) == (first, inbox.got)
    under.mood = "well"
    assert await store.reconciled(10.0)
    assert kept.tracker.events == tuple(await under.inner.read("call-1"))
    assert ([], handoff) == (await under.inner.unsent(), await under.inner.handoff("call-1"))
    await store.close()


async def test_a_bare_store_that_fails_never_raises_into_the_call() -> None:
    """Without the resilient wrapper the ledger itself is the buffer: the next change writes what is missing."""
    store, alarms = FlakyStore(), list[StoreAlarm]()
    kept = await open_call(store, alarm=alarms.append)
    await kept.flush()
    store.mood = "down"
    call = scripted(kept)
    call.speak()
    assert not await kept.flush()

    store.mood = "well"
    call.hear("Yes.")
    kept.changed()

    assert await kept.flush()
    assert kept.tracker.events == tuple(await store.inner.read("call-1"))
    assert ["store_refused"] == [alarm.kind for alarm in alarms]


async def test_an_answer_that_was_lost_is_not_taken_for_another_worker() -> None:
    """A bare store that wrote and could not say so: compared, found to be ours, gone on with; the hand-off is sent."""
    store, alarms, inbox = FlakyStore(), list[StoreAlarm](), Inbox()
    kept = await open_call(store, alarm=alarms.append)
    call = scripted(kept)
    store.mood = "answers_lost"
    call.speak()
    await kept.flush()
    store.mood = "well"
    call.hear("Yes.")

    handoff, first = await kept.finish("hangup", 9.0, [inbox])

    assert (True, False, [handoff]) == (first, kept.lost, inbox.got)
    assert kept.tracker.events == tuple(await store.inner.read("call-1"))
    assert {"store_refused"} == {alarm.kind for alarm in alarms}


async def test_a_store_that_holds_another_call_under_this_name_is_left_alone() -> None:
    """Diverged: nothing is overwritten, a person is told, the hand-off still comes."""
    store, alarms, inbox = MemoryStore(), list[StoreAlarm](), Inbox()
    kept = await open_call(store, alarm=alarms.append)
    await kept.flush()
    store._calls["call-1"].events[-1:] = store._calls["call-1"].events[:2]
    scripted(kept).speak()

    await kept.flush()
    _, first = await kept.finish("hangup", 9.0, [inbox])

    assert (True, 1) == (first, len(inbox.got))
    assert ["diverged"] == [alarm.kind for alarm in alarms]


async def test_a_bare_store_that_hangs_does_not_hold_the_hand_off_up() -> None:
    """Within a second, without the resilient wrapper too; the store is still being asked behind it."""
    store, inbox = FlakyStore(), Inbox()
    kept = await open_call(store)
    await kept.flush()
    store.mood = "hangs"
    loop = asyncio.get_running_loop()

    begin = loop.time()
    handoff, first = await asyncio.wait_for(kept.finish("hangup", 9.0, []), 5.0)
    spent_s = loop.time() - begin

    assert spent_s < 1.0 and first and handoff.end_reason == "hangup"
    assert inbox.got == [] and kept._closing is not None
    kept._closing.cancel()


@pytest.fixture(params=["sqlite", "redis"])
async def place(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[tuple[str, str]]:
    """Where two processes meet: a file, or a server."""
    if request.param == "sqlite":
        yield "sqlite", str(tmp_path / "ledger.sqlite")
        return
    server = start_server(tmp_path / "server")
    yield "redis", server.connection_url
    server.stop()


async def _start_worker(place: tuple[str, str], call_id: str, utterances: int) -> asyncio.subprocess.Process:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.obligations.stores.worker", *place, call_id, str(utterances),
        cwd=ROOT, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    assert b"in mid-sentence\n" == await asyncio.wait_for(process.stdout.readline(), 45.0)
    return process


def _play_to_the_end(call: ScriptedCall) -> End:
    for _ in range(400):
        move = call.move()
        if isinstance(move, End):
            return move
        if isinstance(move, Speak):
            call.say(move.text)
        elif isinstance(move, Listen):
            call.hear("No, none of that.")
    raise AssertionError("the call does not end")


async def test_kill_9_in_mid_call_and_another_process_goes_on(place: tuple[str, str]) -> None:
    """A real worker process, killed in mid-sentence: nothing lost, no second greeting, one hand-off within a second."""
    process = await _start_worker(place, "call-1", 5)
    process.kill()
    assert -signal.SIGKILL == await asyncio.wait_for(process.wait(), 10.0)
    store, inbox = open_store(*place), Inbox()
    before = await store.read("call-1")

    heir = await KeptCall.open(store, CATARACT, call_id="call-1", worker_id="heir", reader=LocalAnswerReader())
    call = scripted(heir)
    end = _play_to_the_end(call)
    heir.changed()
    begin_s = time.monotonic()
    handoff, first = await heir.finish(end.reason, call.now_s, [inbox])
    spent_s = time.monotonic() - begin_s

    assert (True, True, [handoff]) == (heir.resumed, first, inbox.got)
    assert spent_s < 1.0
    events = await store.read("call-1")
    assert before == events[: len(before)] and tuple(events) == heir.tracker.events
    greeting = CATARACT.phrases["en"].greeting
    said = [event.text for event in events if event.kind == "intended"]
    assert 1 == sum(greeting in text for text in said)
    assert not await store.finish("call-1", handoff, token=await store.claim("call-1", "late"))
    await store.close()


async def test_a_worker_that_was_only_asleep_cannot_finish_the_call_too(place: tuple[str, str]) -> None:
    """Stopped, taken for dead, replaced, and woken again: its hand-off is refused."""
    process = await _start_worker(place, "call-2", 3)
    process.send_signal(signal.SIGSTOP)
    store = open_store(*place)
    handoff, first = await finish_lost(store, CATARACT, "call-2", worker_id="heir", reader=LocalAnswerReader())

    process.send_signal(signal.SIGCONT)
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(b"go on\n")
    await process.stdin.drain()
    line = await asyncio.wait_for(process.stdout.readline(), 20.0)
    process.kill()
    await process.wait()

    assert first
    assert b"finished hangup first=False lost=True\n" == line
    assert handoff == await store.handoff("call-2")
    await store.close()


async def test_a_resumed_tracker_equals_the_one_that_died() -> None:
    """Replayed from the store, the ledger is the same to the last bit."""
    store = MemoryStore()
    kept = await open_call(store)
    call = scripted(kept)
    call.speak()
    call.hear("Yes.")
    await kept.flush()

    rebuilt = Tracker.resume(PATHWAY, await store.read("call-1"), reader=PlainReader())

    assert kept.tracker.ledger.digest() == rebuilt.ledger.digest()
