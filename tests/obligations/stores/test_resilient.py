"""A store that goes away in mid-call: the call goes on, and afterwards the store holds every event once, in order."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from obligations.adapters.redis_store import RedisStore, RedisStoreConfig
from obligations.stores import (
    CallClosed,
    Conflict,
    ResilienceConfig,
    ResilientStore,
    StaleToken,
    StoreAlarm,
    StoreUnavailable,
)
from tests.obligations.stores.calls import a_handoff, marks, names
from tests.obligations.stores.flaky import FlakyStore, Mood
from tests.obligations.stores.servers import kill_server, start_server

pytestmark = pytest.mark.contract

QUICK = ResilienceConfig(timeout_s=0.25, retry_first_s=0.005, retry_s_max=0.02)


class Watched:
    """A resilient store over a flaky one, with its alarms."""

    def __init__(self, folder: Path) -> None:
        self.under = FlakyStore()
        self.alarms: list[StoreAlarm] = []
        self.folder = folder
        self.store = ResilientStore(self.under, folder, alarm=self.alarms.append, config=QUICK)

    @property
    def kinds(self) -> list[str]:
        return [alarm.kind for alarm in self.alarms]

    async def back(self) -> list[str]:
        """The store is well again: wait for peace, then tell what it holds."""
        self.under.mood = "well"
        assert await self.store.reconciled(10.0)
        return names(await self.under.inner.read("call-1"))


@pytest.fixture
async def watched(tmp_path: Path) -> AsyncIterator[Watched]:
    """One for each test."""
    made = Watched(tmp_path / "spill")
    yield made
    await made.store.close()


@pytest.mark.parametrize("mood", ["down", "answers_lost", "hangs"])
async def test_an_outage_in_mid_call_loses_and_doubles_nothing(watched: Watched, mood: Mood) -> None:
    """Whether nothing happens, the answer is lost, or none ever comes."""
    store = watched.store
    token = await store.claim("call-1", "w")
    await store.append("call-1", marks(0, 2), 0, token=token)

    watched.under.mood = mood
    for seq in (2, 3, 4):
        await store.append("call-1", marks(seq, 1), seq, token=token)
    assert ["u0", "u1", "u2", "u3", "u4"] == names(await store.read("call-1"))
    assert await store.finish("call-1", a_handoff(), token=token)

    assert [f"u{n}" for n in range(5)] == await watched.back()
    assert a_handoff() == await watched.under.inner.handoff("call-1")
    assert ["store_away", "store_back"] == watched.kinds
    assert not list(watched.folder.glob("*.jsonl"))


async def test_a_call_begun_while_the_store_is_away_reaches_it_later(watched: Watched) -> None:
    """Even its claim."""
    watched.under.mood = "down"
    token = await watched.store.claim("call-1", "w")
    await watched.store.append("call-1", marks(0, 3), 0, token=token)

    assert ["u0", "u1", "u2"] == await watched.back()

    await watched.store.append("call-1", marks(3, 1), 3, token=token)
    assert ["u0", "u1", "u2", "u3"] == names(await watched.under.inner.read("call-1"))


async def test_a_store_that_restarts_empty_gets_the_whole_call_again(watched: Watched) -> None:
    """Events, claim and hand-off, though the store had confirmed and lost them."""
    token = await watched.store.claim("call-1", "w")
    await watched.store.append("call-1", marks(0, 4), 0, token=token)
    watched.under.forget_everything()

    await watched.store.append("call-1", marks(4, 1), 4, token=token)
    await watched.store.finish("call-1", a_handoff(), token=token)

    assert [f"u{n}" for n in range(5)] == await watched.back()
    assert a_handoff() == await watched.under.inner.handoff("call-1")


async def test_a_store_rolled_back_by_some_events_gets_the_rest_again(watched: Watched) -> None:
    """As after a restart from a log that was written once a second."""
    token = await watched.store.claim("call-1", "w")
    await watched.store.append("call-1", marks(0, 6), 0, token=token)
    del watched.under.inner._calls["call-1"].events[3:]

    await watched.store.append("call-1", marks(6, 1), 6, token=token)

    assert [f"u{n}" for n in range(7)] == await watched.back()


async def test_the_wait_for_a_hanging_store_is_paid_once(watched: Watched) -> None:
    """After the first time-out the call's events go straight to the spill."""
    token = await watched.store.claim("call-1", "w")
    watched.under.mood = "hangs"
    await watched.store.append("call-1", marks(0, 1), 0, token=token)
    loop = asyncio.get_running_loop()

    begin = loop.time()
    for seq in range(1, 11):
        await watched.store.append("call-1", marks(seq, 1), seq, token=token)
    spent_s = loop.time() - begin

    assert spent_s < 10 * QUICK.timeout_s
    assert 11 == len(await watched.back())


async def test_there_is_one_hand_off_while_the_store_is_away(watched: Watched) -> None:
    """True once, False again, and nothing may follow."""
    token = await watched.store.claim("call-1", "w")
    watched.under.mood = "down"

    done = [await watched.store.finish("call-1", a_handoff(), token=token) for _ in range(2)]

    assert [True, False] == done
    with pytest.raises(CallClosed):
        await watched.store.append("call-1", marks(0, 1), 0, token=token)
    assert (["call-1"], []) == (await watched.store.unsent(), await watched.store.open_calls())
    await watched.back()
    assert not await watched.store.finish("call-1", a_handoff(), token=token)


async def test_sent_is_remembered_until_the_store_can_be_told(watched: Watched) -> None:
    """The hand-off is not passed on again when the store is back."""
    token = await watched.store.claim("call-1", "w")
    watched.under.mood = "down"
    await watched.store.finish("call-1", a_handoff(), token=token)
    await watched.store.mark_sent("call-1")

    assert [] == await watched.store.unsent()

    await watched.back()
    assert [] == await watched.under.inner.unsent()


async def test_a_dead_process_leaves_its_spill_to_the_next(watched: Watched, tmp_path: Path) -> None:
    """Killed while the store was away: the next process of this worker offers what it finds, torn last line or not."""
    token = await watched.store.claim("call-1", "w")
    await watched.store.append("call-1", marks(0, 2), 0, token=token)
    watched.under.mood = "down"
    await watched.store.append("call-1", marks(2, 2), 2, token=token)
    await watched.store.close()  # nothing was reconciled
    (file,) = watched.folder.glob("*.jsonl")
    with file.open("a", encoding="utf-8") as torn:
        torn.write('{"kind":"started","v":1,"se')

    watched.under.mood = "well"
    heir = ResilientStore(watched.under, watched.folder, config=QUICK)
    assert ["call-1"] == await heir.recover()
    assert await heir.reconciled(10.0)

    assert ["u0", "u1", "u2", "u3"] == names(await watched.under.inner.read("call-1"))
    assert not list(watched.folder.glob("*.jsonl"))
    await heir.close()


async def test_a_call_taken_over_meanwhile_is_left_to_its_new_owner(watched: Watched) -> None:
    """What was kept here does not overwrite the other worker's call; it stays in a file, and the alarm says so."""
    token = await watched.store.claim("call-1", "a")
    await watched.store.append("call-1", marks(0, 1), 0, token=token)
    watched.under.mood = "down"
    await watched.store.append("call-1", marks(1, 1, "zombie"), 1, token=token)
    other = await watched.under.inner.claim("call-1", "b")
    await watched.under.inner.append("call-1", marks(1, 1), 1, token=other)

    assert ["u0", "u1"] == await watched.back()

    assert "diverged" in watched.kinds
    assert 1 == len(list(watched.folder.glob("*.unreconciled.jsonl")))
    with pytest.raises(StaleToken):
        await watched.store.append("call-1", marks(2, 1), 2, token=token)


async def test_a_claim_elsewhere_is_enough_to_stop_reconciling(watched: Watched) -> None:
    """Also when the new owner has written nothing yet: the token is stale."""
    token = await watched.store.claim("call-1", "a")
    watched.under.mood = "down"
    await watched.store.append("call-1", marks(0, 1, "zombie"), 0, token=token)
    await watched.under.inner.claim("call-1", "b")

    assert [] == await watched.back()

    assert "taken_over" in watched.kinds


async def test_a_wrong_number_of_the_caller_is_still_refused(watched: Watched) -> None:
    """While the store is well and while it is away."""
    token = await watched.store.claim("call-1", "w")
    await watched.store.append("call-1", marks(0, 2), 0, token=token)
    for mood in ("well", "down"):
        watched.under.mood = mood
        with pytest.raises(Conflict):
            await watched.store.append("call-1", marks(1, 1), 1, token=token)

    assert ["u0", "u1"] == await watched.back()


async def test_a_call_unknown_here_cannot_be_read_while_the_store_is_away(watched: Watched) -> None:
    """An empty answer would greet a patient twice: it is an error instead."""
    watched.under.mood = "down"

    with pytest.raises(StoreUnavailable):
        await watched.store.read("somebody-elses")


async def test_nothing_looks_erased_that_is_not(watched: Watched) -> None:
    """Erasing raises while the store is away, and removes the local files all the same."""
    token = await watched.store.claim("call-1", "w")
    watched.under.mood = "down"
    await watched.store.append("call-1", marks(0, 1), 0, token=token)

    with pytest.raises(StoreUnavailable):
        await watched.store.erase("call-1")
    assert not list(watched.folder.iterdir())

    watched.under.mood = "well"
    await watched.store.erase("call-1")
    assert await watched.store.reconciled(10.0)
    assert [] == await watched.store.read("call-1")


async def test_a_full_disk_is_an_alarm_and_the_call_stays_in_memory(tmp_path: Path) -> None:
    """Store and spill fail together: still nothing raises, and nothing is lost while the process lives."""
    (tmp_path / "spill").write_text("a file where the folder should be", encoding="utf-8")
    watched = Watched(tmp_path / "spill")
    token = await watched.store.claim("call-1", "w")
    watched.under.mood = "down"
    await watched.store.append("call-1", marks(0, 2), 0, token=token)

    assert "spill_failed" in watched.kinds
    assert ["u0", "u1"] == await watched.back()
    await watched.store.close()


async def test_a_failing_listener_of_alarms_harms_nobody(tmp_path: Path) -> None:
    """Its exception is logged, the call goes on."""

    def broken(alarm: StoreAlarm) -> None:
        raise RuntimeError("pager")

    under = FlakyStore()
    store = ResilientStore(under, tmp_path, alarm=broken, config=QUICK)
    token = await store.claim("call-1", "w")
    under.mood = "down"

    await store.append("call-1", marks(0, 1), 0, token=token)

    under.mood = "well"
    assert await store.reconciled(10.0)
    await store.close()


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("append"), st.integers(1, 4)),
        st.tuples(st.sampled_from(["down", "answers_lost", "well", "forget", "wait", "claim"]), st.just(0)),
    ),
    max_size=20,
)


async def _play(folder: Path, steps: list[tuple[str, int]]) -> None:
    watched = Watched(folder)
    token = await watched.store.claim("call-1", "w")
    seq = 0
    for step, count in steps:
        if step == "append":
            await watched.store.append("call-1", marks(seq, count), seq, token=token)
            seq += count
        elif step == "forget":
            watched.under.forget_everything()
        elif step == "wait":
            await asyncio.sleep(0.01)
        elif step == "claim":
            token = await watched.store.claim("call-1", "w")
        else:
            watched.under.mood = step  # type: ignore[assignment]  # one of the moods
    watched.under.mood = "well"
    assert await watched.store.finish("call-1", a_handoff(), token=token)
    assert [f"u{n}" for n in range(seq)] == await watched.back()
    assert a_handoff() == await watched.under.inner.handoff("call-1")
    await watched.store.close()


@given(steps=STEPS)
@settings(max_examples=40, deadline=None)
def test_no_order_of_outages_loses_an_event(tmp_path_factory: pytest.TempPathFactory, steps: Any) -> None:
    """Down, deaf, rolled back to nothing, claimed anew, in any order: the call arrives whole and once."""
    asyncio.run(_play(tmp_path_factory.mktemp("spill"), steps))


@pytest.mark.parametrize("appendonly", [True, False], ids=["server keeps its data", "server loses everything"])
async def test_a_real_server_killed_in_mid_call_and_started_again(tmp_path: Path, appendonly: bool) -> None:
    """With and without its data: every event once, in order, and one hand-off."""
    server = start_server(tmp_path / "server", appendonly=appendonly)
    alarms: list[StoreAlarm] = []
    under = RedisStore(RedisStoreConfig(url=server.connection_url, timeout_s=1.0))
    store = ResilientStore(under, tmp_path / "spill", alarm=alarms.append)
    token = await store.claim("call-1", "w")
    await store.append("call-1", marks(0, 5), 0, token=token)

    port = kill_server(server)
    for seq in range(5, 10):
        await store.append("call-1", marks(seq, 1), seq, token=token)
    first = await store.finish("call-1", a_handoff(), token=token)
    again = start_server(tmp_path / "server", port=port, appendonly=appendonly)

    try:
        assert await store.reconciled(15.0)
        assert [f"u{n}" for n in range(10)] == names(await under.read("call-1"))
        assert (a_handoff(), True) == (await under.handoff("call-1"), first)
        assert not await under.finish("call-1", a_handoff(), token=await under.claim("call-1", "late"))
        assert ["store_away", "store_back"] == [alarm.kind for alarm in alarms]
    finally:
        await store.close()
        again.stop()
