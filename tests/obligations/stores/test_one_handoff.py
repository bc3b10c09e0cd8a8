"""A call begun anew while its store is away: its parts are joined into one hand-off, whoever comes last."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from obligations import Handoff
from obligations.stores import (
    FencingToken,
    KeptCall,
    ResilienceConfig,
    ResilientStore,
    StoreAlarm,
    StoreUnavailable,
    finish_lost,
    send_unsent,
)
from obligations.testing import PlainReader, ScriptedCall
from tests.obligations.stores.calls import PATHWAY
from tests.obligations.stores.flaky import FlakyStore

pytestmark = pytest.mark.contract

QUICK = ResilienceConfig(timeout_s=0.05, retry_first_s=0.005, retry_s_max=0.02)


class Receiver:
    """Keeps one hand-off a call, as a receiver does: a higher version replaces a lower one."""

    def __init__(self) -> None:
        self.got: list[Handoff] = []

    @property
    def standing(self) -> Handoff:
        return max(self.got, key=lambda handoff: handoff.version)

    async def send(self, handoff: Handoff) -> None:
        self.got.append(handoff)


class Clinic:
    """One store that goes away, two workers of it, one receiver."""

    def __init__(self, folder: Path) -> None:
        self.under = FlakyStore()
        self.folder = folder
        self.alarms: list[StoreAlarm] = []
        self.receiver = Receiver()
        self.a, self.b = self.worker("a"), self.worker("b")

    def worker(self, name: str) -> ResilientStore:
        return ResilientStore(self.under, self.folder / name, alarm=self.alarms.append, config=QUICK)

    async def open(self, store: Any) -> KeptCall:
        return await KeptCall.open(
            store, PATHWAY, call_id="c", worker_id="w", reader=PlainReader(), blind=True, alarm=self.alarms.append
        )

    async def supervise(self) -> None:
        """As `stores.md` says: finish what nobody serves, pass on what was not sent."""
        for call_id in await self.under.inner.open_calls():
            await finish_lost(self.under, PATHWAY, call_id, worker_id="s", reader=PlainReader(), sinks=[self.receiver])
        await send_unsent(self.under, [self.receiver])

    async def one_stands(self) -> Handoff:
        """What the receiver is left with is what the store holds, and nothing waits."""
        standing = self.receiver.standing
        assert standing == await self.under.inner.handoff("c")
        assert ([], [], []) == (
            await self.under.inner.open_calls(),
            await self.under.inner.unsent(),
            await self.under.inner.parts("c"),
        )
        versions = {handoff.version: handoff for handoff in self.receiver.got}
        assert all(versions[handoff.version] == handoff for handoff in self.receiver.got)
        return standing


@pytest.fixture
async def clinic(tmp_path: Path) -> AsyncIterator[Clinic]:
    """One for each test."""
    made = Clinic(tmp_path)
    yield made
    await made.a.close()
    await made.b.close()


async def answered_then_killed(clinic: Clinic) -> None:
    """The first worker hears the answer to the question; then it is killed, and the store goes."""
    call = await clinic.open(clinic.a)
    script = ScriptedCall(call.tracker)
    script.say("Hello. Have you had any pain?")
    script.hear("No.")
    assert await call.flush()
    clinic.under.mood = "down"


async def told_anew(clinic: Clinic, store: ResilientStore) -> KeptCall:
    """The carrier's second stream reaches a worker that cannot ask the store: it begins anew and tells the advice."""
    call = await clinic.open(store)
    assert call.blind
    ScriptedCall(call.tracker).say("Use the drops twice a day.")
    await call.flush()
    return call


def closed(handoff: Handoff) -> tuple[set[str], set[str], set[str]]:
    return (
        {answer.item_id for answer in handoff.answers},
        {point.item_id for point in handoff.delivered},
        {item.item_id for item in handoff.open_items},
    )


async def test_a_call_begun_anew_ends_behind_the_outage_and_gives_one_handoff_with_both_parts(clinic: Clinic) -> None:
    """Given once: the answer the first worker heard and the advice the second one told."""
    await answered_then_killed(clinic)
    call = await told_anew(clinic, clinic.b)
    clinic.under.mood = "well"
    assert await clinic.b.reconciled(10.0)

    handoff, ours = await call.finish("hang_up", 9.0, [clinic.receiver])
    await clinic.supervise()

    assert (True, [handoff]) == (ours, clinic.receiver.got)
    assert ({"pain"}, {"drops"}, set()) == closed(await clinic.one_stands())
    assert (2, "hang_up", True) == (handoff.parts, handoff.end_reason, handoff.complete)


async def test_a_call_that_ends_in_the_outage_is_given_at_once_and_replaced(clinic: Clinic) -> None:
    """What the second worker knows cannot wait; when the store is back a higher version holds both parts."""
    await answered_then_killed(clinic)
    call = await told_anew(clinic, clinic.b)
    await call.finish("hang_up", 9.0, [clinic.receiver])
    assert [(0, {"drops"})] == [(h.version, closed(h)[1]) for h in clinic.receiver.got]

    clinic.under.mood = "well"
    assert await clinic.b.reconciled(10.0)
    await clinic.supervise()

    standing = await clinic.one_stands()
    assert ({"pain"}, {"drops"}, set()) == closed(standing)
    assert 2 == len(clinic.receiver.got) and "hang_up" == standing.end_reason


async def test_a_part_that_only_a_dead_workers_disk_holds_is_joined_when_it_starts_again(clinic: Clinic) -> None:
    """The hand-off was given in the outage, the worker killed; the joined one replaces what the supervisor gave."""
    await answered_then_killed(clinic)
    call = await told_anew(clinic, clinic.b)
    await call.finish("hang_up", 9.0, [clinic.receiver])
    await clinic.b.close()  # killed before the store came back
    clinic.under.mood = "well"
    await clinic.supervise()
    assert ["pain"] == [a.item_id for a in clinic.receiver.standing.answers]

    heir = clinic.worker("b")
    assert ["c"] == await heir.recover()
    assert await heir.reconciled(10.0)
    await clinic.supervise()

    assert ({"pain"}, {"drops"}, set()) == closed(await clinic.one_stands())
    await heir.close()


async def test_a_handoff_that_left_before_the_store_knew_of_it_is_replaced_by_the_heirs(clinic: Clinic) -> None:
    """Killed between the receiver and the store: the line is taken up again, and the later version replaces it."""
    call = await clinic.open(clinic.a)
    script = ScriptedCall(call.tracker)
    script.say("Hello. Have you had any pain?")
    assert await call.flush()
    clinic.under.mood = "down"
    script.hear("No.")
    await call.finish("lost", 5.0, [clinic.receiver])
    await clinic.a.close()
    clinic.under.mood = "well"

    heir = await clinic.open(clinic.b)
    again = ScriptedCall(heir.tracker)
    again.now_s, again._count = heir.resumed_at_s, 1000
    again.say("Use the drops twice a day.")
    await heir.finish("hang_up", 9.0, [clinic.receiver])
    late = clinic.worker("a")
    await late.recover()
    assert await late.reconciled(10.0)
    await clinic.supervise()

    versions = [handoff.version for handoff in clinic.receiver.got]
    assert versions == sorted(versions)
    assert ({"pain"}, {"drops"}, set()) == closed(await clinic.one_stands())
    await late.close()


async def test_a_call_begun_blind_with_nothing_before_it_gives_one_handoff(clinic: Clinic) -> None:
    """An outage at the beginning is not a second part."""
    clinic.under.mood = "down"
    call = await told_anew(clinic, clinic.b)
    clinic.under.mood = "well"
    assert await clinic.b.reconciled(10.0)

    await call.finish("hang_up", 9.0, [clinic.receiver])
    await clinic.supervise()

    assert 1 == len(clinic.receiver.got)
    assert 1 == (await clinic.one_stands()).parts


async def test_without_the_resilient_wrapper_a_part_is_joined_too(clinic: Clinic) -> None:
    """A bare store that comes back in mid-call holds another beginning: both are in the one hand-off."""
    await answered_then_killed(clinic)
    call = await KeptCall.open(
        clinic.under, PATHWAY, call_id="c", worker_id="w", reader=PlainReader(), blind=True, alarm=clinic.alarms.append
    )
    ScriptedCall(call.tracker).say("Use the drops twice a day.")
    clinic.under.mood = "well"

    await call.finish("hang_up", 9.0, [clinic.receiver])
    await clinic.supervise()

    assert 1 == len(clinic.receiver.got)
    assert ({"pain"}, {"drops"}, set()) == closed(await clinic.one_stands())


class DeafToClaims(FlakyStore):
    """Answers everything but claims, as a slow server may."""

    deaf = True

    async def claim(self, call_id: str, worker_id: str) -> FencingToken:
        if self.deaf:
            raise StoreUnavailable("no answer in time")
        return await super().claim(call_id, worker_id)


async def test_a_claim_that_was_granted_late_is_the_hand_offs_version_and_one_never_granted_is_none(
    clinic: Clinic, tmp_path: Path
) -> None:
    """Never the number a worker gave itself meanwhile: that is another worker's first one too."""
    clinic.under = DeafToClaims()
    for _ in range(3):
        await clinic.under.inner.claim("c", "others before")
    late, never = clinic.worker("late"), clinic.worker("never")
    call, other = (
        await clinic.open(late),
        await KeptCall.open(never, PATHWAY, call_id="other", worker_id="w", reader=PlainReader()),
    )

    handoff, _ = await other.finish("hang_up", 1.0, [])
    clinic.under.deaf = False
    assert await late.reconciled(10.0)
    settled, _ = await call.finish("hang_up", 9.0, [clinic.receiver])

    assert (0, 4) == (handoff.version, settled.version)
    await late.close()
    await never.close()


async def test_an_erased_call_takes_no_part(clinic: Clinic) -> None:
    """Erased while a part of it was on its way: nothing of it comes back."""
    await answered_then_killed(clinic)
    call = await told_anew(clinic, clinic.b)
    clinic.under.mood = "well"
    await clinic.under.erase("c")

    await clinic.b.reconciled(10.0)
    await call.finish("hang_up", 9.0, [clinic.receiver])
    await clinic.supervise()

    assert ([], None) == (await clinic.under.read("c"), await clinic.under.handoff("c"))
    assert [] == await clinic.under.parts("c")
