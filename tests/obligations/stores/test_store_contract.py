"""What every store promises, on memory, SQLite and a real Redis-protocol server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from obligations import Tracker
from obligations.errors import IllegalStep
from obligations.stores import (
    CallClosed,
    Conflict,
    FencingToken,
    LedgerStore,
    ResilientStore,
    StaleToken,
    StoreErasure,
    StoreRolledBack,
)
from obligations.testing import PlainReader
from tests.obligations.stores.calls import PATHWAY, a_call, a_handoff, marks, names

pytestmark = pytest.mark.contract


async def test_events_come_back_as_they_were_appended(store: LedgerStore) -> None:
    """A real ledger, written a turn at a time, replays to an equal one."""
    call = a_call()
    token = await store.claim("call-1", "w")
    saved = 0
    for turn in (call.speak, lambda: call.hear("Yes, a bit."), call.speak, lambda: call.hear("Yes.")):
        turn()
        await store.append("call-1", call.tracker.ledger.events_since(saved), saved, token=token)
        saved = call.tracker.ledger.next_seq

    events = await store.read("call-1")

    assert tuple(events) == call.tracker.events
    rebuilt = Tracker.resume(PATHWAY, events, reader=PlainReader())
    assert rebuilt.ledger.digest() == call.tracker.ledger.digest()


async def test_a_wrong_sequence_number_is_refused_and_nothing_is_written(store: LedgerStore) -> None:
    """Too early and too late alike; the error names both numbers."""
    token = await store.claim("call-1", "w")
    await store.append("call-1", marks(0, 3), 0, token=token)

    for expected in (0, 2, 4):
        with pytest.raises(Conflict) as refused:
            await store.append("call-1", marks(expected, 2, "wrong"), expected, token=token)
        assert (expected, 3) == (refused.value.expected_seq, refused.value.stored_seq)

    assert ["u0", "u1", "u2"] == names(await store.read("call-1"))


async def test_the_second_claim_ends_the_first(store: LedgerStore) -> None:
    """Two workers never own one call: the first can neither append nor finish."""
    first = await store.claim("call-1", "a")
    await store.append("call-1", marks(0, 1), 0, token=first)

    second = await store.claim("call-1", "b")

    assert second > first
    with pytest.raises(StaleToken):
        await store.append("call-1", marks(1, 1, "zombie"), 1, token=first)
    with pytest.raises(StaleToken):
        await store.finish("call-1", a_handoff(), token=first)
    await store.append("call-1", marks(1, 1), 1, token=second)
    assert ["u0", "u1"] == names(await store.read("call-1"))
    assert await store.handoff("call-1") is None


async def test_a_worker_that_claims_twice_fences_its_former_self(store: LedgerStore) -> None:
    """A restart under the same name is another worker."""
    first = await store.claim("call-1", "a")
    await store.claim("call-1", "a")

    with pytest.raises(StaleToken):
        await store.append("call-1", marks(0, 1), 0, token=first)

    assert [] == await store.read("call-1")


async def test_a_claim_the_store_does_not_know_means_it_lost_data(store: LedgerStore) -> None:
    """A token above the store's own was granted by a store that held more than this one."""
    if isinstance(store, ResilientStore):
        pytest.skip("mends this instead of raising it: see test_resilient.py")
    token = await store.claim("call-1", "a")

    with pytest.raises(StoreRolledBack):
        await store.append("call-1", marks(0, 1), 0, token=FencingToken(token + 1))
    with pytest.raises(StoreRolledBack):
        await store.append("call-2", marks(0, 1), 0, token=token)

    assert [] == await store.read("call-1") == await store.read("call-2")


async def test_a_call_nobody_claimed_takes_nothing(store: LedgerStore) -> None:
    """No token is not a token: neither events nor a hand-off can be written without a claim."""
    with pytest.raises(StaleToken):
        await store.append("call-1", marks(0, 1), 0, token=FencingToken(0))
    with pytest.raises(StaleToken):
        await store.finish("call-1", a_handoff(), token=FencingToken(0))

    assert ([], None) == (await store.read("call-1"), await store.handoff("call-1"))


async def test_of_ten_claims_at_once_one_owns_the_call(store: LedgerStore) -> None:
    """The tokens differ; only the highest can write."""
    tokens = await asyncio.gather(*(store.claim("call-1", f"w{n}") for n in range(10)))

    done = await asyncio.gather(
        *(store.append("call-1", marks(0, 1, f"w{t}-"), 0, token=t) for t in tokens), return_exceptions=True
    )

    assert 10 == len(set(tokens))
    assert 1 == sum(result is None for result in done)
    assert [f"w{max(tokens)}-0"] == names(await store.read("call-1"))


async def test_there_is_exactly_one_hand_off(store: LedgerStore) -> None:
    """True once; a later worker gets False and the first hand-off stands."""
    token = await store.claim("call-1", "a")
    first = await store.finish("call-1", a_handoff(end_reason="hangup"), token=token)
    later = await store.claim("call-1", "b")

    again = [await store.finish("call-1", a_handoff(end_reason="crash"), token=t) for t in (token, later)]

    assert (True, [False, False]) == (first, again)
    kept = await store.handoff("call-1")
    assert kept == a_handoff(end_reason="hangup")


async def test_of_twenty_finishes_at_once_one_is_true(store: LedgerStore) -> None:
    """However the workers race."""
    token = await store.claim("call-1", "a")

    done = await asyncio.gather(*(store.finish("call-1", a_handoff(), token=token) for _ in range(20)))

    assert 1 == sum(done)


async def test_nothing_is_added_after_the_hand_off(store: LedgerStore) -> None:
    """A finished call takes no event."""
    token = await store.claim("call-1", "a")
    await store.append("call-1", marks(0, 1), 0, token=token)
    await store.finish("call-1", a_handoff(), token=token)

    with pytest.raises(CallClosed) as refused:
        await store.append("call-1", marks(1, 1), 1, token=token)

    assert "finished" == refused.value.how
    assert ["u0"] == names(await store.read("call-1"))


async def test_open_calls_and_unsent_hand_offs_are_named(store: LedgerStore) -> None:
    """A call is open until finished, and unsent until marked."""
    tokens = {call_id: await store.claim(call_id, "w") for call_id in ("c", "a", "b")}
    assert ["a", "b", "c"] == await store.open_calls()

    await store.finish("b", a_handoff("b"), token=tokens["b"])
    await store.finish("a", a_handoff("a"), token=tokens["a"])
    assert (["c"], ["a", "b"]) == (await store.open_calls(), await store.unsent())

    await store.mark_sent("a")
    await store.mark_sent("c")  # not finished: nothing to mark
    assert (["c"], ["b"]) == (await store.open_calls(), await store.unsent())


async def test_erasing_removes_everything_and_keeps_writers_out(store: LedgerStore) -> None:
    """What was erased is counted, gone, and cannot come back through a worker that still runs."""
    token = await store.claim("call-1", "a")
    await store.append("call-1", marks(0, 4), 0, token=token)
    other = await store.claim("call-2", "a")
    await store.append("call-2", marks(0, 1), 0, token=other)

    erased = await store.erase("call-1")

    assert StoreErasure(events=4, handoff=False) == erased
    assert [] == await store.read("call-1")
    assert ["call-2"] == await store.open_calls()
    for attempt in (
        store.append("call-1", marks(4, 1), 4, token=token),
        store.finish("call-1", a_handoff(), token=token),
        store.claim("call-1", "b"),
    ):
        with pytest.raises(CallClosed):
            await attempt
    assert ["u0"] == names(await store.read("call-2"))


async def test_erasing_a_finished_call_removes_its_hand_off(store: LedgerStore) -> None:
    """Also from the list of what is still to send."""
    token = await store.claim("call-1", "a")
    await store.finish("call-1", a_handoff(), token=token)

    erased = await store.erase("call-1")

    assert StoreErasure(events=0, handoff=True) == erased
    assert (None, []) == (await store.handoff("call-1"), await store.unsent())


async def test_erasing_an_unknown_call_is_harmless(store: LedgerStore) -> None:
    """And says that there was nothing; the name can still be used."""
    assert StoreErasure() == await store.erase("never")

    assert await store.claim("never", "a") > 0


async def test_events_that_cannot_follow_each_other_are_refused(store: LedgerStore) -> None:
    """A gap, a wrong start, too many, or a call without a name."""
    token = await store.claim("call-1", "a")

    for call_id, events, seq in (
        ("call-1", [*marks(0, 1), *marks(2, 1)], 0),
        ("call-1", marks(1, 1), 0),
        ("call-1", marks(0, 5_001), 0),
        ("", marks(0, 1), 0),
        ("x" * 257, marks(0, 1), 0),
    ):
        with pytest.raises(IllegalStep):
            await store.append(call_id, events, seq, token=token)

    assert [] == await store.read("call-1")


async def test_the_largest_append_is_taken_whole(store: LedgerStore) -> None:
    """5,000 events in one step, in order."""
    token = await store.claim("call-1", "a")

    await store.append("call-1", marks(0, 5_000), 0, token=token)

    assert [f"u{n}" for n in range(5_000)] == names(await store.read("call-1"))


async def test_odd_names_of_calls_stay_apart(store: LedgerStore) -> None:
    """A name with separators, quotes or wide characters is a name like another."""
    odd = ["a:b", "a", "b", "'; DROP TABLE calls; --", "á-ü-漢", "*", "open"]
    for call_id in odd:
        token = await store.claim(call_id, "w")
        await store.append(call_id, marks(0, 1, call_id), 0, token=token)

    assert [[f"{call_id}0"] for call_id in odd] == [names(await store.read(call_id)) for call_id in odd]


async def test_another_worker_sees_what_the_first_wrote(make_store: Callable[[], LedgerStore]) -> None:
    """Two stores on the same data are two workers: the second reads and goes on."""
    first, second = make_store(), make_store()
    token = await first.claim("call-1", "a")
    await first.append("call-1", marks(0, 2), 0, token=token)

    taken = await second.claim("call-1", "b")
    await second.append("call-1", marks(2, 1), 2, token=taken)

    with pytest.raises(StaleToken):
        await first.append("call-1", marks(2, 1, "zombie"), 2, token=token)
    assert ["u0", "u1", "u2"] == names(await first.read("call-1"))
    await first.close()
    await second.close()


async def test_cancelled_callers_never_mix_up_two_calls(store: LedgerStore) -> None:
    """Commands cut off at every point; afterwards each call still reads its own events (pool poisoning)."""
    tokens = {f"call-{n}": await store.claim(f"call-{n}", "w") for n in range(4)}
    for call_id, token in tokens.items():
        await store.append(call_id, marks(0, 3, f"{call_id}:"), 0, token=token)

    for cut in range(60):
        tasks = [asyncio.ensure_future(store.read(call_id)) for call_id in tokens]
        for _ in range(cut % 12):
            await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for call_id in tokens:
            assert [f"{call_id}:{n}" for n in range(3)] == names(await store.read(call_id))


async def test_a_cancelled_append_is_whole_or_absent(store: LedgerStore) -> None:
    """Whatever the moment of the cut, the next worker finds all events of the turn or none."""
    for cut in range(30):
        call_id = f"call-{cut}"
        token = await store.claim(call_id, "w")
        task = asyncio.ensure_future(store.append(call_id, marks(0, 5), 0, token=token))
        for _ in range(cut % 10):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

        stored = len(await store.read(call_id))

        assert stored in (0, 5)


async def finished(store: LedgerStore, call_id: str = "call-1") -> None:
    """A call with its hand-off, given and marked as sent."""
    token = await store.claim(call_id, "a")
    await store.finish(call_id, a_handoff(call_id).model_copy(update={"version": int(token)}), token=token)
    await store.mark_sent(call_id)


async def test_a_part_waits_until_it_is_joined_and_is_kept_once(store: LedgerStore) -> None:
    """In the order they came; of a call in progress, of one that is over, and of one the store never heard of."""
    one, two = (a_handoff(end_reason=end) for end in ("lost", "hang_up"))
    await store.claim("call-1", "a")
    for part in (one, two, one):
        await store.add_part("call-1", part)
    await store.add_part("unknown", a_handoff("unknown"))

    assert [one, two] == await store.parts("call-1")
    assert ["call-1", "unknown"] == await store.open_calls()
    assert [] == await store.unsent() and [] == await store.parts("another")


async def test_a_part_of_a_finished_call_makes_it_unsent_until_it_is_replaced(store: LedgerStore) -> None:
    """The joined hand-off stands in the place of the first; only its own version is marked as sent."""
    await finished(store)
    assert [] == await store.unsent()
    part = a_handoff(end_reason="hang_up")
    await store.add_part("call-1", part)
    assert ["call-1"] == await store.unsent()
    await store.mark_sent("call-1")  # a part waits: nothing is noted
    assert ["call-1"] == await store.unsent()

    token = await store.claim("call-1", "b")
    whole = part.model_copy(update={"version": int(token)})
    await store.replace("call-1", whole, 1, token=token)

    assert (whole, []) == (await store.handoff("call-1"), await store.parts("call-1"))
    await store.mark_sent("call-1", int(token) - 1)
    assert ["call-1"] == await store.unsent()
    await store.mark_sent("call-1", int(token))
    assert [] == await store.unsent()


async def test_only_the_last_claim_replaces_and_only_what_is_finished(store: LedgerStore) -> None:
    """Two who join at once: one is refused and nothing of it is written. A call in progress has nothing to replace."""
    await finished(store)
    await store.add_part("call-1", a_handoff(end_reason="hang_up"))
    before = await store.handoff("call-1")
    early, _ = await store.claim("call-1", "b"), await store.claim("call-1", "c")

    with pytest.raises(StaleToken):
        await store.replace("call-1", a_handoff(end_reason="crash"), 1, token=early)
    assert (before, 1) == (await store.handoff("call-1"), len(await store.parts("call-1")))

    token = await store.claim("call-2", "a")
    with pytest.raises(CallClosed) as refused:
        await store.replace("call-2", a_handoff("call-2"), 0, token=token)
    assert ("not finished", None) == (refused.value.how, await store.handoff("call-2"))


async def test_erasing_takes_the_parts_and_refuses_new_ones(store: LedgerStore) -> None:
    """They hold the patient's words as well."""
    await finished(store)
    await store.add_part("call-1", a_handoff(end_reason="hang_up"))

    await store.erase("call-1")

    assert [] == await store.parts("call-1")
    with pytest.raises(CallClosed):
        await store.add_part("call-1", a_handoff())
