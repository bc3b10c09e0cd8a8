"""What became of every call after the faults: read from the store, from the receiver of hand-offs and from witnesses.

Owns the invariants as checks. A call is judged by what stands written, never by what a worker says of itself.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.phone.worker import SHORT_PATHWAY
from benchmarks.phone.workers import read_lines
from obligations.answers.reader import LocalAnswerReader
from obligations.handoff import Handoff
from obligations.pathway import load_pathway
from obligations.stores import LedgerStore
from obligations.testing.orders import every_owed_item_stands_in_one_list
from obligations.tracker.tracker import Tracker


@dataclass(slots=True)
class Finding:
    """What stands written of one call.

    Parameters:
        call_id: Ours.
        claims: How often it was claimed.
        events: Ledger events in the store.
        received: Hand-offs that came, in order.
        faults: Names of the invariants that do not hold.
        detail: Why, for whoever looks into it.
    """

    call_id: str
    claims: int = 0
    events: int = 0
    received: list[Handoff] = field(default_factory=list)
    faults: set[str] = field(default_factory=set)
    detail: list[str] = field(default_factory=list)

    def fault(self, name: str, detail: str) -> None:
        """Note that an invariant does not hold."""
        self.faults.add(name)
        self.detail.append(f"{name}: {detail}")


INVARIANTS = ("no_handoff", "second_handoff", "obligation_unreported", "false_evidence", "two_owners", "event_lost")


async def findings(store: LedgerStore, out: Path, call_ids: Sequence[str]) -> list[Finding]:
    """Look into every call.

    Args:
        store: As it stands at the end.
        out: Folder of the witnesses.
        call_ids: Every call a stream was opened for.
    """
    notes, received = _witnessed(out)
    return [await _look(store, name, notes.get(name, []), received.get(name, [])) for name in call_ids]


def _witnessed(out: Path) -> tuple[dict[str, list[dict[str, Any]]], dict[str, list[Handoff]]]:
    """What was written to the store, and which hand-offs came, by call and in order of time."""
    notes: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for note in read_lines(sorted(out.glob("store-*.jsonl"))):
        notes[note["call"]].append(note)
    received: dict[str, list[Handoff]] = defaultdict(list)
    for note in sorted(read_lines(sorted(out.glob("received-*.jsonl"))), key=lambda one: one["at_s"]):
        handoff = Handoff.model_validate(note["handoff"])
        received[handoff.call_id].append(handoff)
    return notes, received


async def _look(
    store: LedgerStore, call_id: str, notes: Sequence[Mapping[str, Any]], received: list[Handoff]
) -> Finding:
    found = Finding(call_id, claims=sum(n["what"] == "claim" for n in notes), received=received)
    events = await store.read(call_id)
    found.events = len(events)
    if not received:
        found.fault("no_handoff", f"{len(events)} events, {found.claims} claims")
    contents = {handoff.model_dump_json() for handoff in received}
    if len(contents) > 1:
        found.fault("second_handoff", " / ".join(sorted({h.end_reason for h in received})))
    _owners(found, sorted((n for n in notes if n["what"] == "append"), key=lambda n: n["at_s"]), len(events))
    if events and received:
        tracker = Tracker.resume(load_pathway(SHORT_PATHWAY), events, reader=LocalAnswerReader())
        _nothing_lost(found, tracker, received[-1])
    return found


def _owners(found: Finding, appends: Sequence[Mapping[str, Any]], stored: int) -> None:
    """Confirmed writes are of one owner after another, do not overlap, and stand in the store."""
    newest, upto = 0, 0
    for note in sorted(appends, key=lambda n: (n["seq"], n["at_s"])):
        if note["token"] < newest:
            found.fault("two_owners", f"claim {note['token']} wrote behind claim {newest}")
        if note["seq"] < upto:
            found.fault("two_owners", f"event {note['seq']} was written twice")
        newest, upto = max(newest, note["token"]), max(upto, note["seq"] + note["count"])
    if upto > stored:
        found.fault("event_lost", f"{upto} confirmed, {stored} stored")


def _nothing_lost(found: Finding, tracker: Tracker, handoff: Handoff) -> None:
    """Every obligation stands in one list, and what is called heard was heard."""
    try:
        every_owed_item_stands_in_one_list(tracker, handoff)
    except AssertionError:
        found.fault("obligation_unreported", f"{handoff.end_reason}: {json.dumps(_lists(handoff))}")
    utterances = tracker.ledger.call.utterances
    for point in handoff.delivered:
        for piece in point.evidence:
            heard = utterances.get(piece.utterance_id)
            if heard is None or piece.end > heard.heard_chars or heard.text[piece.start : piece.end] != piece.quote:
                found.fault("false_evidence", f"{point.item_id} in {piece.utterance_id}")


def _lists(handoff: Handoff) -> dict[str, list[str]]:
    return {
        "answers": [a.item_id for a in handoff.answers],
        "delivered": [p.item_id for p in handoff.delivered],
        "open": [i.item_id for i in handoff.open_items],
        "set_aside": [i.item_id for i in handoff.set_aside],
    }
