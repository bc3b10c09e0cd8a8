"""The inquest behind the chaos: each broken invariant is found, and a sound call has none."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks.evals.chaos import Outcome, figures_of
from benchmarks.phone.callers import draw_caller
from benchmarks.phone.faults import Toll
from benchmarks.phone.inquest import Finding, findings
from benchmarks.phone.worker import SHORT_PATHWAY
from obligations.answers.reader import LocalAnswerReader
from obligations.handoff import Handoff, PointDelivered
from obligations.pathway import load_pathway
from obligations.stores import KeptCall, MemoryStore
from obligations.testing import ScriptedCall

pytestmark = [pytest.mark.unit]


async def ended(store: MemoryStore, call_id: str) -> Handoff:
    """A call that heard its greeting and question and was hung up."""
    kept = await KeptCall.open(
        store, load_pathway(SHORT_PATHWAY), call_id=call_id, worker_id="w", reader=LocalAnswerReader()
    )
    call = ScriptedCall(kept.tracker)
    call.say("Hello. Any pain?")
    kept.changed()
    handoff, _ = await kept.finish("hang_up", call.now_s)
    return handoff


def witness(out: Path, handoffs: Sequence[Handoff], notes: Sequence[dict[str, Any]]) -> None:
    """What receivers and the store's witness wrote down."""
    lines = [{"at_s": float(n), "worker": "w", "handoff": h.model_dump(mode="json")} for n, h in enumerate(handoffs)]
    (out / "received-w.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    rows = [{"at_s": float(n), "worker": "w", "call": "c", **note} for n, note in enumerate(notes)]
    (out / "store-w.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows) + '{"cut', encoding="utf-8")


async def look(store: MemoryStore, out: Path) -> Finding:
    """Look into the one call."""
    (found,) = await findings(store, out, ["c"])
    return found


def append(token: int, seq: int, count: int) -> dict[str, Any]:
    """A confirmed write."""
    return {"what": "append", "token": token, "seq": seq, "count": count}


async def test_a_call_with_one_handoff_and_one_owner_after_another_is_sound(tmp_path: Path) -> None:
    """The same hand-off twice is no second one."""
    store = MemoryStore()
    handoff = await ended(store, "c")
    witness(tmp_path, [handoff, handoff], [append(1, 0, 2), append(2, 2, 1)])

    assert (await look(store, tmp_path)).faults == set()


async def test_two_handoffs_that_differ_and_none_at_all_are_found(tmp_path: Path) -> None:
    """Two of one version, and one that the store does not hold."""
    store = MemoryStore()
    handoff = await ended(store, "c")
    for changed in ({"end_reason": "crash"}, {"end_reason": "crash", "version": 9}):
        assert handoff.version > 0
        witness(tmp_path, [handoff, handoff.model_copy(update=changed)], [])
        assert (await look(store, tmp_path)).faults == {"not_one_standing"}

    witness(tmp_path, [], [])
    assert (await look(store, tmp_path)).faults == {"no_handoff"}


async def test_a_handoff_that_is_replaced_by_a_higher_version_is_told_apart(tmp_path: Path) -> None:
    """The receiver is left with one, the store's; what it was given before is counted, and must be held by the last."""
    store = MemoryStore()
    handoff = await ended(store, "c")
    witness(tmp_path, [handoff.model_copy(update={"version": 0, "end_reason": "crash"}), handoff], [])
    found = await look(store, tmp_path)
    assert (found.faults, found.replaced, found.standing) == (set(), True, handoff)

    point = PointDelivered(item_id="bye", text="Bye.", critical=False, evidence=(), exactness="exact")
    witness(tmp_path, [handoff.model_copy(update={"version": 0, "delivered": (point,)}), handoff], [])
    assert (await look(store, tmp_path)).faults == {"not_one_standing"}


async def test_an_obligation_that_stands_nowhere_and_words_nobody_heard_are_found(tmp_path: Path) -> None:
    """An open item left out; a point called heard in an utterance that never was."""
    store = MemoryStore()
    handoff = await ended(store, "c")
    assert handoff.open_items
    short = handoff.model_copy(update={"open_items": handoff.open_items[1:]})
    store._calls["c"].handoff = short.model_dump_json()
    witness(tmp_path, [short], [])

    assert (await look(store, tmp_path)).faults == {"obligation_unreported"}


@pytest.mark.parametrize(
    ("notes", "fault"),
    [
        ([append(2, 0, 1), append(1, 1, 1)], "two_owners"),
        ([append(1, 0, 2), append(2, 1, 1)], "two_owners"),
        ([append(1, 0, 500)], "event_lost"),
    ],
    ids=["an older claim writes behind a newer", "an event is written twice", "a confirmed event is gone"],
)
async def test_what_two_owners_and_a_forgetful_store_do_is_found(
    notes: list[dict[str, Any]], fault: str, tmp_path: Path
) -> None:
    """Told by the confirmed writes."""
    store = MemoryStore()
    witness(tmp_path, [await ended(store, "c")], notes)

    assert (await look(store, tmp_path)).faults == {fault}


def test_faults_become_rates() -> None:
    """Over the calls that were opened."""
    found = [Finding("a"), Finding("b", faults={"no_handoff"})]

    figures = {f.name: f for f in figures_of(Outcome([draw_caller(0, 1)], found, Toll(), 0)) if not f.group}

    assert (figures["no_handoff_rate"].value, figures["no_handoff_rate"].n) == (0.5, 2)
    assert figures["second_handoff_rate"].value == 0.0
