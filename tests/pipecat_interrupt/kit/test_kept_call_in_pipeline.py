"""A kept call through the whole pipeline: its worker dies, another goes on; a store fails, nobody hears it."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Awaitable, Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from obligations import Event, Handoff, from_json, load_pathway
from obligations.stores import (
    CallClosed,
    HandoffNotSent,
    LedgerStore,
    MemoryStore,
    ResilienceConfig,
    ResilientStore,
    StoreAlarm,
    finish_lost,
)
from obligations.testing import PlainReader
from pipecat_interrupt.errors import SettingsError
from pipecat_interrupt.journal import read_jsonl, verify_chain
from pipecat_interrupt.journal.entries import CallStarted, LedgerMoved, Trouble
from pipecat_interrupt.kit import InterruptKit, keep_call
from pipecat_interrupt.kit.settings import KitSettings
from pipecat_interrupt.testing import run_virtual
from pipecat_interrupt.testing.call import CallParts, CallResult
from tests.obligations.stores.flaky import FlakyStore, Mood

from . import calls

pytestmark = pytest.mark.pipeline

PATHWAY = load_pathway("cataract-followup")
GREETING = PATHWAY.phrases["en"].greeting
DIES_AT_S = 50.0
"""In mid-sentence: the advice that was cut before is being returned to."""


def scripted_demo(**options: Any) -> tuple[InterruptKit, CallResult]:
    """Play the demo's call; its speech is found by script, for what is asked here is not the ear's."""
    return calls.scripted_demo(vad="text", **options)


class Inbox:
    """A sink that keeps what it gets."""

    def __init__(self, *, refuses: bool = False) -> None:
        self.got: list[Handoff] = []
        self.refuses = refuses

    async def send(self, handoff: Handoff) -> None:
        if self.refuses:
            raise HandoffNotSent("away")
        self.got.append(handoff)


def opener(store: LedgerStore, **options: Any) -> Callable[[], Awaitable[InterruptKit]]:
    """Open a kept call and its kit; kit options are `journal` and `on_handoff`."""
    kit_options = {name: options.pop(name) for name in ("journal", "on_handoff") if name in options}

    async def open_kit() -> InterruptKit:
        return InterruptKit(await keep_call(store, PATHWAY, call_id="c1", **options), **kit_options)

    return open_kit


def stored(store: MemoryStore) -> list[Event]:
    return [from_json(line) for line in store._calls["c1"].events]


def died() -> tuple[InterruptKit, MemoryStore]:
    """Give a kit whose worker died in mid-call, and what the store held then; played once."""
    kit, left = _died()
    return kit, copy.deepcopy(left)


@cache
def _died(at_s: float = DIES_AT_S, **options: Any) -> tuple[InterruptKit, MemoryStore]:
    """Play a call and give its kit and the store as it was when the worker died: what came later never happened."""
    store, left = MemoryStore(), list[MemoryStore]()

    async def die(parts: CallParts, kit: InterruptKit) -> None:
        left.append(copy.deepcopy(store))

    kit, _ = scripted_demo(open_kit=opener(store, **options), at=[(at_s, die)], duration_s=at_s + 0.1)
    return kit, left[0]


def test_another_worker_goes_on_without_a_second_greeting_and_repeats_nothing_that_was_heard() -> None:
    """Greeting and closed items stay unsaid; what was being said is said again; every critical item closes."""
    first, store = died()
    heard = {r.id: r for r in first.scribe.records}
    before = stored(store)
    inbox = Inbox()

    heir, _ = scripted_demo(open_kit=opener(store, worker_id="heir", sinks=[inbox]))

    assert heir.tracker is not None and heir.resumed and not first.resumed
    events = heir.tracker.events
    assert before == list(events[: len(before)])
    said = [record.intended for record in heir.scribe.records]
    assert said and not any(GREETING in text for text in said)
    closed_before = {e.item_id for e in events[: len(before)] if e.kind == "item_step" and e.step in ("heard", "met")}
    wordings = [PATHWAY.items[i].wording["en"] for i in closed_before if i in PATHWAY.points]
    assert wordings and not any(w in text for w in wordings for text in said)
    assert [o.id for o in heir.summary().obligations if o.critical and not o.closed] == []
    assert [handoff.end_reason for handoff in inbox.got] == ["completed"]
    assert not set(heard) & {record.id for record in heir.scribe.records}


def test_time_goes_on_from_where_the_dead_worker_stood() -> None:
    """Events, journal and records of the heir are on the call's clock, not its own pipeline's."""
    _, store = died()
    last_s = stored(store)[-1].at_s

    heir, _ = scripted_demo(open_kit=opener(store), duration_s=12.0)

    assert heir.tracker is not None
    times = [event.at_s for event in heir.tracker.events]
    assert times == sorted(times)
    assert pytest.approx(last_s) == heir.memory.entries[0].at_s
    assert all(record.ended_s is not None and record.ended_s > last_s for record in heir.scribe.records)
    assert times[-1] < last_s + 14.0


def test_one_journal_file_goes_on_in_one_chain_over_both_workers(tmp_path: Path) -> None:
    """The heir on the same machine continues the chain, and names where the ledger it continues from ended."""
    journal = tmp_path / "c1.jsonl"
    _, store = _died(journal=journal)
    kept = len(stored(store))

    heir, _ = scripted_demo(open_kit=opener(store, journal=journal), duration_s=12.0)

    entries = read_jsonl(journal)
    starts = [e.data for e in entries if isinstance(e.data, CallStarted)]
    assert len(entries) == verify_chain(entries)
    assert [None, kept] == [start.goes_on_from for start in starts]
    second = entries.index(next(e for e in entries if e.data is starts[1]))
    moved = [e.data.event["seq"] for e in entries[second:] if isinstance(e.data, LedgerMoved)]
    assert heir.tracker is not None
    assert list(range(kept, heir.tracker.ledger.next_seq)) == moved


def test_a_journal_elsewhere_holds_the_whole_ledger_again() -> None:
    """The heir on another machine has no earlier file: its journal can rebuild the ledger alone."""
    _, store = died()

    heir, _ = scripted_demo(open_kit=opener(store), duration_s=12.0)

    assert heir.tracker is not None
    moved = [e.data.event["seq"] for e in heir.memory.entries if isinstance(e.data, LedgerMoved)]
    assert list(range(heir.tracker.ledger.next_seq)) == moved


def test_the_talk_so_far_is_what_was_heard_and_replied() -> None:
    """A model on the second worker gets the patient's words and the delivered ones; the unheard tail stands nowhere."""
    first, store = died()
    assert first.tracker is not None

    heir, _ = scripted_demo(open_kit=opener(store), duration_s=0.1)
    talk = heir.talk_so_far()

    assert {"assistant", "user"} == {message["role"] for message in talk}
    assert GREETING in talk[0]["content"]
    cut = next(r for r in first.scribe.records if r.cut is not None)
    text = " ".join(message["content"] for message in talk if message["role"] == "assistant")
    assert cut.delivered.strip() in text and cut.intended.strip() not in text


def test_a_worker_that_was_replaced_falls_silent_to_store_and_sinks_and_keeps_talking_to_its_caller() -> None:
    """Fenced off in mid-call: no frame moves, nothing more is written, no hand-off leaves, a person is told."""
    store, inbox, alarms, told = MemoryStore(), Inbox(), list[StoreAlarm](), list[Handoff]()
    stolen: list[int] = []

    async def steal(parts: CallParts, kit: InterruptKit) -> None:
        handoff, first = await finish_lost(store, PATHWAY, "c1", worker_id="supervisor", reader=PlainReader())
        assert first and handoff.end_reason == "crash"
        stolen.append(len(await store.read("c1")))

    kit, result = scripted_demo(
        open_kit=opener(store, sinks=[inbox], alarm=alarms.append, on_handoff=told.append), at=[(30.0, steal)]
    )
    _, undisturbed = _plain()

    assert result.golden() == undisturbed.golden()
    assert stolen == [len(stored(store))]
    assert ([], []) == (inbox.got, told)
    assert ["taken_over", "handoff_withheld"] == [alarm.kind for alarm in alarms]
    assert "ledger store: taken_over" in [e.data.where for e in kit.memory.entries if isinstance(e.data, Trouble)]
    assert kit.handoff is not None and kit.handoff.end_reason == "completed"


@cache
def _plain(duration_s: float = 150.0) -> tuple[InterruptKit, CallResult]:
    """The same call without a store; played once."""
    return scripted_demo(duration_s=duration_s)


@pytest.mark.parametrize("mood", ["down", "hangs", "answers_lost"])
def test_a_store_that_fails_in_mid_call_moves_no_frame_and_is_reconciled(mood: Mood, tmp_path: Path) -> None:
    """Down, hanging or answering into the void for 25 s: the same frames, and a whole store behind them."""
    under, inbox, alarms = FlakyStore(), Inbox(), list[StoreAlarm]()
    stores, spilled = list[ResilientStore](), list[bool]()

    async def open_kit() -> InterruptKit:
        stores.append(ResilientStore(under, tmp_path, config=ResilienceConfig(retry_first_s=0.2), alarm=alarms.append))
        return await opener(stores[0], sinks=[inbox])()

    async def fail(parts: CallParts, kit: InterruptKit) -> None:
        under.mood = mood

    async def mend(parts: CallParts, kit: InterruptKit) -> None:
        spilled.append(stores[0].away)
        under.mood = "well"

    kit, result = scripted_demo(open_kit=open_kit, at=[(5.0, fail), (30.0, mend)], duration_s=40.0)

    assert kit.tracker is not None
    assert result.golden() == _plain(40.0)[1].golden()
    assert list(kit.tracker.events) == stored(under.inner)
    assert [kit.handoff] == inbox.got
    assert under.inner._calls["c1"].sent and not list(tmp_path.glob("*.jsonl"))
    assert [True] == spilled
    assert {"store_away", "store_back"} == {alarm.kind for alarm in alarms}


def test_the_store_still_being_away_at_the_end_leaves_the_hand_off_given_and_spilled(tmp_path: Path) -> None:
    """The hand-off leaves within a second of the end although the store never comes back; the spill holds the call."""
    under, times = FlakyStore(), dict[str, float]()

    class Timed(Inbox):
        async def send(self, handoff: Handoff) -> None:
            await super().send(handoff)
            times["sent"] = _now_s()

    inbox = Timed()

    async def fail(parts: CallParts, kit: InterruptKit) -> None:
        under.mood = "hangs"
        times["over"] = _now_s() + 2.0

    kit, _ = scripted_demo(
        open_kit=opener(ResilientStore(under, tmp_path), sinks=[inbox]), at=[(10.0, fail)], duration_s=12.0
    )

    assert [kit.handoff] == inbox.got and inbox.got[0].end_reason == "hang_up"
    assert times["sent"] - times["over"] < 1.0
    assert list(tmp_path.glob("*.jsonl"))


def _now_s() -> float:
    return asyncio.get_running_loop().time()


@pytest.mark.parametrize("mood", ["down", "hangs"])
@pytest.mark.parametrize("resilient", [True, False])
def test_a_call_begins_although_the_store_is_away(mood: Mood, resilient: bool, tmp_path: Path) -> None:
    """The caller is greeted, a person is told; the store has the whole call once it is back."""
    under, inbox, alarms = FlakyStore(), Inbox(), list[StoreAlarm]()
    under.mood = mood

    async def mend(parts: CallParts, kit: InterruptKit) -> None:
        under.mood = "well"

    async def open_kit() -> InterruptKit:
        store = ResilientStore(under, tmp_path, config=ResilienceConfig(retry_first_s=0.2)) if resilient else under
        return await opener(store, sinks=[inbox], alarm=alarms.append)()

    kit, _ = scripted_demo(open_kit=open_kit, at=[(2.0, mend)], duration_s=25.0)

    assert GREETING in kit.scribe.records[0].intended
    assert "begun_blind" == alarms[0].kind
    assert "ledger store: begun_blind" in [e.data.where for e in kit.memory.entries if isinstance(e.data, Trouble)]
    assert kit.tracker is not None and list(kit.tracker.events) == stored(under.inner)
    assert [kit.handoff] == inbox.got


def test_a_reconnect_while_the_store_is_away_still_gives_its_hand_off(tmp_path: Path) -> None:
    """Greeted anew, for nobody can say what the dead worker had covered; the one hand-off holds both parts."""
    _, left = died()
    under, inbox, alarms = FlakyStore(), Inbox(), list[StoreAlarm]()
    under.inner, under.mood = left, "down"
    before = stored(left)

    async def mend(parts: CallParts, kit: InterruptKit) -> None:
        under.mood = "well"

    async def open_kit() -> InterruptKit:
        config = ResilienceConfig(retry_first_s=0.2)
        store = ResilientStore(under, tmp_path, config=config, alarm=alarms.append)
        return await opener(store, sinks=[inbox], alarm=alarms.append)()

    kit, _ = scripted_demo(open_kit=open_kit, at=[(5.0, mend)], duration_s=25.0)

    assert [kit.handoff] == inbox.got
    assert before == stored(under.inner)[: len(before)]
    assert inbox.got == [Handoff.model_validate_json(under.inner._calls["c1"].handoff or "")]
    assert inbox.got[0].version > 0  # the second part heard nothing that the first had not
    assert {"begun_blind", "diverged"} <= {alarm.kind for alarm in alarms}
    assert list(tmp_path.glob("*.unreconciled.jsonl"))


def test_a_sink_that_refuses_leaves_the_hand_off_unsent_in_the_store() -> None:
    """It waits there for `send_unsent`; the call ends all the same."""
    store, told = MemoryStore(), list[Handoff]()

    kit, _ = scripted_demo(open_kit=opener(store, sinks=[Inbox(refuses=True)], on_handoff=told.append), duration_s=8.0)

    assert [kit.handoff] == told
    assert not store._calls["c1"].sent and store._calls["c1"].handoff is not None


def test_a_call_that_had_its_hand_off_is_not_opened_again() -> None:
    """The caller of `keep_call` is told to open a new one, before a pipeline is built."""
    store = MemoryStore()
    scripted_demo(open_kit=opener(store), duration_s=5.0)

    with pytest.raises(CallClosed):
        run_virtual(lambda: keep_call(store, PATHWAY, call_id="c1"))


def test_what_a_kept_call_was_opened_with_is_not_said_twice() -> None:
    """A kit that is told another call id, policy or setting than its kept call refuses."""

    async def main() -> None:
        kept = await keep_call(MemoryStore(), PATHWAY, call_id="c1")
        with pytest.raises(SettingsError, match="call_id"):
            InterruptKit(kept, call_id="c2")
        with pytest.raises(SettingsError, match="reader"):
            InterruptKit(kept, reader=PlainReader())
        with pytest.raises(SettingsError, match="settings"):
            InterruptKit(kept, settings=KitSettings(system="stock"))

    run_virtual(main)


def test_a_call_in_another_language_goes_on_in_it() -> None:
    """The heir's default language does not change the language the call was begun in."""

    async def main() -> tuple[str, str]:
        store = MemoryStore()
        kept = await keep_call(store, PATHWAY, call_id="c1", settings=KitSettings(language="pt-PT"))
        kept.changed()
        await kept.call.flush()
        heir = await keep_call(store, PATHWAY, call_id="c1")
        return heir.settings.language, InterruptKit(heir).language

    assert ("pt-PT", "pt-PT") == run_virtual(main)
