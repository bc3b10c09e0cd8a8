"""The ledger: a fold over an append-only list of events.

Owns what is legal. An illegal step raises `IllegalStep` and changes nothing; a legal one is O(1). Nothing but
delivered text and replies moves an item: evidence that lies beyond what was heard is refused here, whoever offers it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, replace
from types import MappingProxyType
from typing import Any, cast

from pydantic import BaseModel

from obligations.errors import IllegalStep, ReplayMismatch
from obligations.ledger import events as ev
from obligations.ledger import fold
from obligations.ledger.items import MAY_ANSWER, advance
from obligations.ledger.records import CallRecord, ItemRecord, NotedQuestion, UtteranceRecord
from obligations.ledger.states import State, Step
from obligations.pathway.emergencies import EMERGENCY
from obligations.pathway.models import OnFaq, Pathway


class Ledger:
    """What one call owes, and whether it has been heard and answered.

    Promises: `apply` either takes an event whole or raises `IllegalStep` and leaves everything as it was; replaying
    `events` rebuilds an equal ledger (equal `digest`); a closed item opens again only where the table of `states` has a
    way back, with its evidence.
    """

    def __init__(self, pathway: Pathway) -> None:
        self.pathway = pathway
        self._events: list[ev.Event] = []
        self._items = {
            item.id: ItemRecord(id=item.id, kind=item.kind, critical=item.critical) for item in pathway.items.values()
        }
        self._call = CallRecord()
        self._questions = set(pathway.questions)
        self._faq_of = {
            item.id: group.id for group in pathway.groups if isinstance(group.trigger, OnFaq) for item in group.items
        }
        self._apply: dict[type[BaseModel], Callable[[Any], None]] = {
            ev.CallBegan: self._call_began,
            ev.PhaseBegan: self._phase_began,
            ev.Intended: self._intended,
            ev.Started: self._started,
            ev.Delivered: self._delivered,
            ev.Replied: self._replied,
            ev.ItemStep: self._item_step,
            ev.ConfirmAsked: self._confirm_asked,
            ev.RedFlagRaised: self._red_flag_raised,
            ev.FaqAsked: self._faq_asked,
            ev.QuestionNoted: self._question_noted,
            ev.SignalGiven: self._signal_given,
            ev.KeyPressed: self._key_pressed,
            ev.SignalAwaited: self._signal_awaited,
            ev.PartyChanged: self._party_changed,
            ev.TransferTried: self._transfer_tried,
            ev.GuardTried: self._guard_tried,
            ev.WordsLeft: self._words_left,
            ev.CallEnded: self._call_ended,
        }

    @classmethod
    def replay(cls, pathway: Pathway, events: Iterable[ev.Event]) -> Ledger:
        """Rebuild a ledger from its events.

        Raises:
            ReplayMismatch: The events belong to another pathway or another version of it.
            IllegalStep: The events are not those of a ledger.
        """
        ledger = cls(pathway)
        for event in events:
            if isinstance(event, ev.CallBegan) and event.pathway_digest != pathway.digest:
                written = f"{event.pathway_id} {event.pathway_version} ({event.pathway_digest[:8]})"
                here = f"{pathway.id} {pathway.version} ({pathway.digest[:8]})"
                raise ReplayMismatch(f"the events were written for {written}, not for {here}")
            ledger.apply(event)
        return ledger

    @property
    def events(self) -> tuple[ev.Event, ...]:
        """Every event so far, in order (a copy)."""
        return tuple(self._events)

    def events_since(self, seq: int) -> tuple[ev.Event, ...]:
        """The events from sequence number `seq` on."""
        return tuple(self._events[seq:])

    @property
    def next_seq(self) -> int:
        """The sequence number the next event must carry."""
        return len(self._events)

    @property
    def items(self) -> Mapping[str, ItemRecord]:
        """Every item's record by id, in speaking order."""
        return MappingProxyType(self._items)

    @property
    def call(self) -> CallRecord:
        """What is known of the call as a whole; read only."""
        return self._call

    def owed(self) -> tuple[ItemRecord, ...]:
        """The items that are open (owed and not closed), in speaking order."""
        return tuple(record for record in self._items.values() if record.owed)

    def digest(self) -> str:
        """SHA-256 of the whole folded state, hex: equal digests mean equal ledgers."""
        state = {"items": [asdict(r) for r in self._items.values()], "call": asdict(self._call), "n": len(self._events)}
        return hashlib.sha256(json.dumps(state, sort_keys=True, default=_plain).encode()).hexdigest()

    def apply(self, event: ev.Event) -> None:
        """Take one event.

        Raises:
            IllegalStep: It cannot follow; nothing was changed.
        """
        if event.seq != len(self._events):
            raise IllegalStep(f"event {event.seq} cannot follow {len(self._events)} events")
        if self._call.ended:
            raise IllegalStep(f"nothing can follow the end of the call (got {event.kind})")
        if isinstance(event, ev.CallBegan) != (not self._events):
            raise IllegalStep(f"call_began is the first event and no other; got {event.kind} as number {event.seq}")
        self._apply[type(event)](event)
        self._events.append(event)

    def _call_began(self, event: ev.CallBegan) -> None:
        if event.pathway_digest != self.pathway.digest:
            raise IllegalStep(f"the call was begun for another pathway than {self.pathway.id}")
        self._call.call_id, self._call.language = event.call_id, event.language

    def _phase_began(self, event: ev.PhaseBegan) -> None:
        if event.phase in self._call.phases:
            raise IllegalStep(f"phase {event.phase} has begun already")
        self._call.phases.add(event.phase)

    def _intended(self, event: ev.Intended) -> None:
        if event.utterance_id in self._call.utterances:
            raise IllegalStep(f"utterance {event.utterance_id} was intended already")
        for span in event.spans:
            if not span.start <= span.need_end <= span.end <= len(event.text):
                raise IllegalStep(f"span of {span.id} does not lie in its utterance")
            if not span.id.startswith(fold.PHRASE):
                self._known(span.id)
        fold.intended(self._call, event)
        for item_id in _item_ids(event.spans):
            record = self._items[item_id]
            agent_turn = self._call.agent_turns
            self._items[item_id] = replace(record, intents=record.intents + 1, last_intent_agent_turn=agent_turn)

    def _started(self, event: ev.Started) -> None:
        utterance = self._utterance(event.utterance_id)
        if utterance.started or utterance.ended:
            raise IllegalStep(f"utterance {event.utterance_id} has started or ended already")
        items = _item_ids(utterance.spans)
        fold.started(self._call, event, {self._faq_of[item_id] for item_id in items if item_id in self._faq_of})
        if not utterance.counted:
            return
        turn = self._call.turn
        for item_id in items:
            record = self._items[item_id]
            self._items[item_id] = replace(record, attempts=record.attempts + 1, last_attempt_turn=turn)

    def _delivered(self, event: ev.Delivered) -> None:
        utterance = self._utterance(event.utterance_id)
        if utterance.ended:
            raise IllegalStep(f"utterance {event.utterance_id} has ended already")
        if not event.heard_chars <= event.delivered_chars <= len(utterance.text):
            raise IllegalStep("heard <= delivered <= intended does not hold")
        if event.complete and event.delivered_chars != len(utterance.text):
            raise IllegalStep("an utterance is complete only when all of it was delivered")
        fold.delivered(self._call, event, self._questions)
        self._unheard(utterance)
        self._tell_again(utterance)

    def _unheard(self, utterance: UtteranceRecord) -> None:
        """Drop evidence beyond what proves to have been played: a reply had claimed to have heard more."""
        for item_id in _item_ids(utterance.spans):
            record = self._items[item_id]
            limit = utterance.heard_chars
            kept = tuple(e for e in record.evidence if e.utterance_id != utterance.id or e.end <= limit)
            if len(kept) < len(record.evidence):
                self._items[item_id] = replace(record, evidence=kept)

    def _tell_again(self, utterance: UtteranceRecord) -> None:
        """Count the points of an utterance that had been heard before; an asked-for repetition is none."""
        met = [s.id for s in utterance.spans if s.id in self._items and self._items[s.id].state is State.MET]
        whole = {s.id for s in utterance.spans if s.need_end <= utterance.heard_chars}
        again = () if fold.asked_for(self._call, utterance) else tuple(i for i in dict.fromkeys(met) if i in whole)
        self._call.told_again = again
        for item_id in again:
            self._items[item_id] = replace(self._items[item_id], told_again=self._items[item_id].told_again + 1)

    def _replied(self, event: ev.Replied) -> None:
        if event.reply_id in self._call.replies:
            raise IllegalStep(f"reply {event.reply_id} was taken already")
        if event.onset_during is not None:
            utterance = self._utterance(event.onset_during)
            if (event.heard_chars_at_onset or 0) > len(utterance.text):
                raise IllegalStep("more heard at the reply's onset than was intended")
        fold.replied(self._call, event)

    def _item_step(self, event: ev.ItemStep) -> None:
        record = self._known(event.item_id)
        for piece in event.evidence:
            utterance = self._utterance(piece.utterance_id)
            if piece.end > utterance.heard_chars:
                raise IllegalStep(f"evidence for {record.id} lies beyond what was heard")
            if utterance.text[piece.start : piece.end] != piece.quote:
                raise IllegalStep(f"evidence for {record.id} is not what was said")
            if event.step in (Step.MISTOLD, Step.RETRACTED):
                self._heard_against(record, utterance)
        for reply_id in (event.reply_id, event.confirmed_by):
            if reply_id is not None and reply_id not in self._call.replies:
                raise IllegalStep(f"no reply {reply_id} was taken")
        if event.confirmed_by is not None and self._call.replies[event.confirmed_by].speaker not in MAY_ANSWER:
            raise IllegalStep("only the primary speaker can confirm")
        after = advance(record, event, turn=self._call.turn, agent_turn=self._call.agent_turns)
        if event.step is Step.RENEWED and not (self._call.party_changes and event.item_id in self.pathway.opening):
            raise IllegalStep(f"{record.id} opens again for nobody new, or is no item of the opening")
        self._items[record.id] = after

    def _heard_against(self, record: ItemRecord, utterance: UtteranceRecord) -> None:
        """Refuse words that may not have been heard, or came before what they are to take back."""
        if not utterance.ended:
            raise IllegalStep(f"what was heard against {record.id} is known only at the end of {utterance.id}")
        told = [self._utterance(piece.utterance_id).intended_at_s for piece in record.evidence]
        if record.closed and utterance.intended_at_s < max(told, default=utterance.intended_at_s):
            raise IllegalStep(f"nothing said before {record.id} was heard takes it back")

    def _confirm_asked(self, event: ev.ConfirmAsked) -> None:
        record = self._known(event.item_id)
        self._utterance(event.utterance_id)
        if record.kind != "question":
            raise IllegalStep(f"only a question is confirmed; {record.id} is a content point")
        self._items[record.id] = replace(record, confirmations=record.confirmations + 1)

    def _red_flag_raised(self, event: ev.RedFlagRaised) -> None:
        record = self._known(event.item_id) if event.item_id != EMERGENCY else None
        broken_off = event.reply_id == "" and bool(self._call.words_left) and not event.certain
        if event.reply_id not in self._call.replies and not broken_off:
            raise IllegalStep(f"no reply {event.reply_id} was taken")
        self._call.red_flags.append(event)
        if record is not None:
            self._items[record.id] = replace(record, red_flag=True)

    def _faq_asked(self, event: ev.FaqAsked) -> None:
        if event.group_id not in self._faq_of.values():
            raise IllegalStep(f"{event.group_id} is no FAQ group")
        self._call.faq_replies.add(event.reply_id)
        if event.group_id not in self._call.faq_due:
            self._call.faq_due.append(event.group_id)

    def _question_noted(self, event: ev.QuestionNoted) -> None:
        self._call.noted.append(NotedQuestion(event.text, event.reply_id, event.speaker))
        self._call.note_due = True

    def _key_pressed(self, event: ev.KeyPressed) -> None:
        fold.key_pressed(self._call)

    def _signal_given(self, event: ev.SignalGiven) -> None:
        if all(precondition.id != event.precondition_id for precondition in self.pathway.preconditions):
            raise IllegalStep(f"{event.precondition_id} is no precondition")
        self._call.signals[event.precondition_id] = event.holds

    def _signal_awaited(self, event: ev.SignalAwaited) -> None:
        if all(precondition.id != event.precondition_id for precondition in self.pathway.preconditions):
            raise IllegalStep(f"{event.precondition_id} is no precondition")
        self._call.awaited[event.precondition_id] = event.until_s

    def _party_changed(self, event: ev.PartyChanged) -> None:
        if event.reply_id not in self._call.replies:
            raise IllegalStep(f"no reply {event.reply_id} was taken")
        fold.party_changed(self._call)

    def _transfer_tried(self, event: ev.TransferTried) -> None:
        if self._call.transferred:
            raise IllegalStep("a person has the call already")
        self._call.transfers.append(event)

    def _guard_tried(self, event: ev.GuardTried) -> None:
        records = [self._known(item_id) for item_id in event.item_ids]
        self._call.guard_reasons.append(event.reason)
        for record in records:
            self._items[record.id] = replace(record, guard_tries=record.guard_tries + 1)

    def _words_left(self, event: ev.WordsLeft) -> None:
        self._call.words_left.append(event)

    def _call_ended(self, event: ev.CallEnded) -> None:
        self._call.end_reason, self._call.ended_at_s = event.reason, event.at_s

    def _known(self, item_id: str) -> ItemRecord:
        record = self._items.get(item_id)
        if record is None:
            raise IllegalStep(f"the pathway has no item {item_id}")
        return record

    def _utterance(self, utterance_id: str) -> UtteranceRecord:
        utterance = self._call.utterances.get(utterance_id)
        if utterance is None:
            raise IllegalStep(f"no utterance {utterance_id} was intended")
        return utterance


def _item_ids(spans: Iterable[ev.WordingSpan]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(span.id for span in spans if not span.id.startswith(fold.PHRASE)))


def _plain(value: object) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if isinstance(value, set):
        return sorted(cast("set[str]", value))
    raise TypeError(f"no plain form of {type(value).__name__}")
