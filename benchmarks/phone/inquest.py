"""What became of every call after the faults: read from the store, from the receiver of hand-offs and from witnesses.

Owns the invariants as checks. A call is judged by what stands written, never by what a worker says of itself.
"""

from __future__ import annotations

import contextlib
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.phone.worker import SHORT_PATHWAY
from benchmarks.phone.workers import read_lines
from obligations.answers.reader import LocalAnswerReader
from obligations.errors import ObligationsError
from obligations.handoff import Handoff
from obligations.ledger import Event
from obligations.ledger.events import Evidence, from_json
from obligations.ledger.states import State
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
        standing: The one that a receiver is left with who keeps one a call and goes by its version.
        faults: Names of the invariants that do not hold.
        detail: Why, for whoever looks into it.
    """

    call_id: str
    claims: int = 0
    events: int = 0
    received: list[Handoff] = field(default_factory=list)
    standing: Handoff | None = None
    faults: set[str] = field(default_factory=set)
    detail: list[str] = field(default_factory=list)

    def fault(self, name: str, detail: str) -> None:
        """Note that an invariant does not hold."""
        self.faults.add(name)
        self.detail.append(f"{name}: {detail}")

    @property
    def replaced(self) -> bool:
        """A receiver got two that differ: the later one has a higher version, or the call is at fault."""
        return len({handoff.model_dump_json() for handoff in self.received}) > 1


INVARIANTS = (
    "no_handoff",
    "not_one_standing",
    "obligation_unreported",
    "false_evidence",
    "two_owners",
    "event_lost",
)


async def findings(store: LedgerStore, out: Path, call_ids: Sequence[str]) -> list[Finding]:
    """Look into every call.

    Args:
        store: As it stands at the end.
        out: Folder of the witnesses.
        call_ids: Every call a stream was opened for.
    """
    notes, received = _witnessed(out)
    return [await _look(store, out, name, notes.get(name, []), received.get(name, [])) for name in call_ids]


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
    store: LedgerStore, out: Path, call_id: str, notes: Sequence[Mapping[str, Any]], received: list[Handoff]
) -> Finding:
    found = Finding(call_id, claims=sum(n["what"] == "claim" for n in notes), received=received)
    events = await store.read(call_id)
    found.events = len(events)
    if not received:
        found.fault("no_handoff", f"{len(events)} events, {found.claims} claims")
    else:
        found.standing = max(enumerate(received), key=lambda one: (one[1].version, one[0]))[1]
        _one_stands(found, found.standing, await store.handoff(call_id))
    _owners(found, sorted((n for n in notes if n["what"] == "append"), key=lambda n: n["at_s"]), len(events))
    if events and found.standing is not None:
        trackers = [_tracker(events)]
        if found.standing.parts > 1:
            trackers += _begun_anew(out / "calls" / call_id / "journal.jsonl")
        _nothing_lost(found, trackers, found.standing)
    return found


def _one_stands(found: Finding, standing: Handoff, stored: Handoff | None) -> None:
    """Of one version there is one hand-off, the highest is the store's, and holds what every other one held."""
    settled = [handoff for handoff in found.received if handoff.version > 0]
    if len({h.model_dump_json() for h in settled}) > len({h.version for h in settled}):
        found.fault("not_one_standing", "two of one version differ: " + _ends(found))
    if stored != standing:
        found.fault("not_one_standing", "the store holds another: " + _ends(found))
    for earlier in found.received:
        gone = _closed(earlier) - _closed(standing) - {i.item_id for i in standing.open_items if i.doubtful_value}
        gone |= {flag.item_id for flag in earlier.red_flags} - {flag.item_id for flag in standing.red_flags}
        if gone:
            found.fault("not_one_standing", f"{sorted(gone)} went with a version that was replaced: {_ends(found)}")


def _ends(found: Finding) -> str:
    return " / ".join(f"{handoff.version} {handoff.end_reason}" for handoff in found.received)


def _closed(handoff: Handoff) -> set[str]:
    return {answer.item_id for answer in handoff.answers} | {point.item_id for point in handoff.delivered}


def _tracker(events: Sequence[Event]) -> Tracker:
    return Tracker.resume(load_pathway(SHORT_PATHWAY), events, reader=LocalAnswerReader())


def _begun_anew(journal: Path) -> list[Tracker]:
    """The ledgers of the parts of a call that were begun anew: what was heard in them stands in the journal only.

    Where two workers wrote at once their lines stand between each other, and that part proves nothing.
    """
    parts: list[list[Event]] = []
    for line in read_lines([journal]) if journal.exists() else []:
        if line.get("data", {}).get("kind") != "ledger":
            continue
        event = from_json(json.dumps(line["data"]["event"]))
        if event.seq == 0:
            parts.append([])
        if parts and event.seq == len(parts[-1]):
            parts[-1].append(event)
    trackers: list[Tracker] = []
    for part in parts:
        with contextlib.suppress(ObligationsError):
            trackers.append(_tracker(part))
    return trackers


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


def _nothing_lost(found: Finding, trackers: Sequence[Tracker], handoff: Handoff) -> None:
    """Every obligation stands in one list, and what is called heard was heard in some part of the call."""
    listed = [item_id for ids in _lists(handoff).values() for item_id in ids]
    unreported = len(listed) > len(set(listed))
    if handoff.parts == 1:
        try:
            every_owed_item_stands_in_one_list(trackers[0], handoff)
        except AssertionError:
            unreported = True
    else:
        owed = {r.id for t in trackers for r in t.ledger.items.values() if r.state is not State.DORMANT}
        unreported |= not owed <= set(listed)
    if unreported:
        found.fault("obligation_unreported", f"{handoff.end_reason}: {json.dumps(_lists(handoff))}")
    for point in handoff.delivered:
        for piece in point.evidence:
            if not any(_was_heard(tracker, piece) for tracker in trackers):
                found.fault("false_evidence", f"{point.item_id} in {piece.utterance_id}")


def _was_heard(tracker: Tracker, piece: Evidence) -> bool:
    heard = tracker.ledger.call.utterances.get(piece.utterance_id)
    return heard is not None and piece.end <= heard.heard_chars and heard.text[piece.start : piece.end] == piece.quote


def _lists(handoff: Handoff) -> dict[str, list[str]]:
    return {
        "answers": [a.item_id for a in handoff.answers],
        "delivered": [p.item_id for p in handoff.delivered],
        "open": [i.item_id for i in handoff.open_items],
        "set_aside": [i.item_id for i in handoff.set_aside],
    }
