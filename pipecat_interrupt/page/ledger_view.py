"""Follows a call's obligations through the ledger events of its journal.

Owns the reading of those events for display. States come from the ledger's own table; nothing is decided here. An event
this version does not know is counted and left out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import ValidationError

from obligations.ledger.events import (
    CallBegan,
    Evidence,
    Intended,
    ItemStep,
    RedFlagRaised,
    Replied,
    Started,
    from_json,
)
from obligations.ledger.states import CLOSED, ItemKind, State, Step, next_state
from pipecat_interrupt.journal.entries import HandoffMade, NamedItem
from pipecat_interrupt.page.view import ObligationView, Proof

QuoteTime = Callable[[str, int], float | None]
"""When the characters from a position of an utterance were heard; None when unknown."""

ReplyTime = Callable[[float, str], float]
"""When a reply began, from the time at which its words were known and the words."""

REASONS = {
    "never_reached": "never reached",
    "declined": "the patient did not want it",
    "unanswered": "asked, not answered",
    "unconfirmed": "a doubtful answer was not confirmed",
    "third_party_only": "only somebody else answered",
    "guard_gave_up": "the guard gave up after its bounded tries",
    "hang_up": "the line was dropped",
    "cut": "cut",
    "not_as_required": "told otherwise than required",
    "unclear": "the recording's words are too unclear to tell",
}


@dataclass(slots=True)
class _Item:
    id: str
    kind: ItemKind | None
    critical: bool
    wording: str = ""
    state: State = State.DORMANT
    evidence: list[Evidence] = field(default_factory=list)
    replies: list[str] = field(default_factory=list)
    value: str | None = None
    speaker: str = ""
    cut_at: str | None = None
    mistold: list[Evidence] = field(default_factory=list)
    why: str = ""
    attempts: int = 0
    red_flag: bool = False


class LedgerReader:
    """Folds ledger events into what a page shows of each obligation."""

    def __init__(self) -> None:
        self._items: dict[str, _Item] = {}
        self._spans: dict[str, tuple[str, ...]] = {}
        self._counted: set[str] = set()
        self._replies: dict[str, Replied] = {}
        self._reply_items: dict[tuple[float, str], tuple[str, ...]] = {}
        self._open_reasons: dict[str, str] = {}
        self.red_flags: list[str] = []
        self.unconfirmed_flags: list[str] = []
        self.unread = 0

    def name(self, items: tuple[NamedItem, ...]) -> None:
        """Take the pathway's items, in its order."""
        for item in items:
            self._items[item.id] = _Item(item.id, item.item, item.critical, item.wording)

    def handoff(self, made: HandoffMade) -> None:
        """Take the reasons the hand-off gives."""
        self._open_reasons = {item.item_id: item.reason for item in made.open_items}

    def take(self, event: Mapping[str, Any]) -> None:
        """Take one ledger event as it stands in the journal."""
        try:
            known = from_json(json.dumps(event))
        except (ValidationError, TypeError, ValueError):
            self.unread += 1
            return
        if isinstance(known, Intended):
            self._spans[known.utterance_id] = tuple(s.id for s in known.spans if not s.id.startswith("phrase:"))
            if known.counted:
                self._counted.add(known.utterance_id)
        elif isinstance(known, Started) and known.utterance_id in self._counted:
            for item_id in self._spans.get(known.utterance_id, ()):
                self._item(item_id).attempts += 1
        elif isinstance(known, Replied):
            self._replies[known.reply_id] = known
        elif isinstance(known, ItemStep):
            self._step(known)
        elif isinstance(known, RedFlagRaised):
            self._item(known.item_id).red_flag = True
            if known.item_id not in self.red_flags:
                self.red_flags.append(known.item_id)
                self.unconfirmed_flags.append(known.item_id)
            if known.certain and known.item_id in self.unconfirmed_flags:
                self.unconfirmed_flags.remove(known.item_id)
        elif isinstance(known, CallBegan):
            pass  # what it says stands in the journal's own first entry

    def items_in(self, utterance_id: str) -> tuple[str, ...]:
        """The obligations whose wording an utterance holds."""
        return self._spans.get(utterance_id, ())

    def items_of_reply(self, at_s: float, text: str) -> tuple[str, ...]:
        """The obligations that a reply moved, found by the reply's time and words."""
        return self._reply_items.get((round(at_s, 2), text), ())

    def views(self, quote_time: QuoteTime, reply_time: ReplyTime) -> tuple[ObligationView, ...]:
        """Every item that was ever owed, in the pathway's order."""
        owed = [item for item in self._items.values() if item.state is not State.DORMANT]
        return tuple(self._view(item, quote_time, reply_time) for item in owed)

    def _item(self, item_id: str) -> _Item:
        return self._items.setdefault(item_id, _Item(item_id, None, False))

    def _step(self, event: ItemStep) -> None:
        item = self._item(event.item_id)
        # An item nobody named may be either sort; read as a question it stays open where a point would be closed.
        kinds: tuple[ItemKind, ...] = (item.kind,) if item.kind is not None else ("question", "point")
        item.state = next((s for k in kinds if (s := next_state(k, item.state, event.step)) is not None), item.state)
        if event.step in (Step.HEARD, Step.PART_HEARD):
            item.evidence.extend(event.evidence)
        if event.step in (Step.MISTOLD, Step.RETRACTED):
            item.mistold.extend(event.evidence)
        if event.step is Step.RETRACTED:
            item.evidence.clear()
        if event.step in (Step.CUT, Step.PART_HEARD):
            item.cut_at = event.cut_at
        if event.value is not None:
            item.value, item.speaker = event.value, str(event.speaker or "")
        if event.step in (Step.WAIVED, Step.DECLINED, Step.REFUSED):
            item.why = event.why
        for reply_id in (event.reply_id, event.confirmed_by):
            reply = self._replies.get(reply_id or "")
            if reply is not None and reply_id is not None:
                item.replies.append(reply_id)
                key = (round(reply.at_s, 2), reply.text)
                self._reply_items[key] = (*self._reply_items.get(key, ()), item.id)

    def _view(self, item: _Item, quote_time: QuoteTime, reply_time: ReplyTime) -> ObligationView:
        closed = item.state in CLOSED
        heard = [Proof(e.quote, quote_time(e.utterance_id, e.start), "agent", e.utterance_id) for e in item.evidence]
        said = [
            Proof(reply.text, reply_time(reply.at_s, reply.text), str(reply.speaker))
            for reply_id in dict.fromkeys(item.replies)
            if (reply := self._replies.get(reply_id)) is not None
        ]
        view = ObligationView(
            id=item.id,
            item=item.kind or "",
            critical=item.critical,
            state=str(item.state),
            closed=closed,
            wording=item.wording,
            value=item.value,
            proofs=(*heard, *said),
            note=item.why or _told_first(item) if closed else "",
            attempts=item.attempts,
            red_flag=item.red_flag,
            cut=item.cut_at is not None,
        )
        return view if closed else replace(view, reason=self._reason(item))

    def _reason(self, item: _Item) -> str:
        code = self._open_reasons.get(item.id)
        if item.mistold and code in (None, "not_as_required"):
            return f'{REASONS["not_as_required"]}: "{item.mistold[-1].quote}"'
        cut = (
            None if item.cut_at is None else f'cut at "{item.cut_at}"' if item.cut_at else "cut before a word was heard"
        )
        if code is None:
            return cut or ("asked, waiting for an answer" if item.state is State.ASKED else "open")
        told = REASONS.get(code, code.replace("_", " "))
        return cut if code == "cut" and cut else f"{told}; {cut}" if cut else told


def _told_first(item: _Item) -> str:
    """What was heard against a point that was told as required in the end."""
    return f'told otherwise before: "{item.mistold[-1].quote}"' if item.mistold else ""
