"""Journal entries in, messages out: which facts a live client is told, and which words it may see.

Owns the choice and the text policy. Keeps of a call only the state of each obligation, by the ledger's own table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, get_args

from pydantic import BaseModel

from obligations.ledger.events import Event, ItemStep
from obligations.ledger.states import CLOSED, State, Step, next_state
from obligations.pathway import Pathway
from pipecat_interrupt.errors import SettingsError
from pipecat_interrupt.journal.entries import (
    CallEnded,
    CallStarted,
    GateEnrolment,
    GateVoice,
    GateWords,
    HandoffMade,
    HoldChanged,
    JournalEntry,
    LedgerMoved,
    MoveMade,
    OverlapJudged,
    PatientTurn,
    Trouble,
    UtteranceEnded,
    UtteranceStarted,
)
from pipecat_interrupt.journal.redaction import PLAIN_VALUES, without_words
from pipecat_interrupt.live import messages as m

AS_THEY_ARE = (GateVoice, GateEnrolment, HoldChanged, Trouble, HandoffMade, CallEnded)
"""Entries without words: the message says exactly what the journal says."""


class LiveTranslator:
    """Makes messages of one call's journal entries.

    Args:
        text: Whether words of the call leave it; see `LiveText`.
        pathway: Gives obligations their kind, state and criticality; None tells steps only.

    Raises:
        SettingsError: Unknown `text`.
    """

    def __init__(self, text: m.LiveText = "off", pathway: Pathway | None = None) -> None:
        if text not in get_args(m.LiveText):
            known = ", ".join(repr(name) for name in get_args(m.LiveText))
            raise SettingsError(f"text={text!r} is unknown; use one of {known}")
        self.text: m.LiveText = text
        self.pathway = pathway
        self._count = 0
        self._states: dict[str, State] = {}
        self._makers: dict[type[BaseModel], Callable[[Any], BaseModel | None]] = {
            CallStarted: self._call_started,
            UtteranceStarted: lambda d: m.UtteranceBegun(utterance_id=d.utterance_id, intended=self._words(d.intended)),
            UtteranceEnded: self._utterance,
            OverlapJudged: self._overlap,
            GateWords: self._gate_words,
            PatientTurn: self._patient_turn,
            LedgerMoved: self._ledger,
            MoveMade: self._move,
        }

    def bind(self, pathway: Pathway | None, before: Iterable[Event] = ()) -> None:
        """Name the call's pathway, and the ledger's events that an earlier worker of the call has journalled."""
        self.pathway = pathway
        self._states = {}
        for event in before:
            if isinstance(event, ItemStep):
                self._advance(event.item_id, event.step)

    def message(self, entry: JournalEntry) -> m.LiveMessage | None:
        """Make the message of an entry; None for entries that a client is not told of.

        Those are notes to the model, and ledger events that repeat what another message says.
        """
        if self.text in ("all_words", "patient_words"):
            entry = without_words(entry, self.text)
        if isinstance(entry.data, AS_THEY_ARE):
            data: BaseModel | None = entry.data
        else:
            maker = self._makers.get(type(entry.data))
            data = maker(entry.data) if maker is not None else None
        if data is None:
            return None
        message = m.LiveMessage(
            n=self._count,
            seq=entry.seq,
            at_s=entry.at_s,
            call_id=entry.call_id,
            text=self.text,
            data=data,  # pyright: ignore[reportArgumentType] - pydantic checks the union
        )
        self._count += 1
        return message

    # ---- one kind each

    def _call_started(self, d: CallStarted) -> m.CallOpened:
        items = self.pathway.items.values() if self.pathway is not None else ()
        names = tuple(
            m.ObligationName(
                item_id=i.id, kind=i.kind, critical=i.critical, state=self._states.get(i.id, State.DORMANT)
            )
            for i in items
        )
        return m.CallOpened(**_shared(d, m.CallOpened), obligations=names)

    def _utterance(self, d: UtteranceEnded) -> m.UtteranceSettled:
        r = d.record
        cut, overlap = r.cut, r.overlap
        return m.UtteranceSettled(
            utterance_id=r.id,
            source=r.source,
            end_reason=r.end_reason,
            heard_whole=r.heard_whole,
            llm_complete=r.llm_complete,
            protected=r.protected,
            intended_chars=len(r.intended),
            delivered_chars=len(r.delivered),
            cut_words=cut.words if cut is not None else None,
            cut_ms=cut.ms if cut is not None else None,
            exactness=cut.exactness if cut is not None else None,
            bound_words=cut.bound_words if cut is not None else None,
            overlap_onset_s=overlap.onset_s if overlap is not None else None,
            verdict=overlap.verdict if overlap is not None else None,
            overlap_kind=overlap.kind if overlap is not None else None,
            speaker=overlap.speaker if overlap is not None else None,
            started_s=r.started_s,
            ended_s=r.ended_s,
            intended=self._words(r.intended),
            delivered=self._words(r.delivered),
            undelivered=self._words(r.undelivered),
        )

    def _overlap(self, d: OverlapJudged) -> m.OverlapTold:
        o = d.overlap
        return m.OverlapTold(
            onset_s=o.onset_s,
            ended_s=o.ended_s,
            decided_s=o.decided_s,
            utterance_id=o.utterance_id,
            verdict=o.verdict,
            overlap_kind=o.kind,
            speaker=o.speaker,
            trp=o.trp,
            words=self._words(o.words),
        )

    def _gate_words(self, d: GateWords) -> m.GateRuled:
        return m.GateRuled(**{**_shared(d, m.GateRuled), "words": self._words(d.words)})

    def _patient_turn(self, d: PatientTurn) -> m.PatientSaid:
        return m.PatientSaid(
            speaker=d.speaker,
            partial=d.partial,
            onset_utterance_id=d.onset_utterance_id,
            text=self._words(d.text),
        )

    def _move(self, d: MoveMade) -> m.MoveTold:
        return m.MoveTold(purpose=d.purpose, item_ids=d.item_ids, reason=d.reason, text=self._words(d.text))

    def _ledger(self, d: LedgerMoved) -> BaseModel | None:
        event = d.event
        if event.get("kind") == "red_flag_raised":
            return m.RedFlagTold(
                item_id=event["item_id"],
                certain=event["certain"],
                speaker=event["speaker"],
                value=self._value(event.get("value")),
            )
        return self._step(event) if event.get("kind") == "item_step" else None

    def _step(self, event: dict[str, Any]) -> m.ObligationMoved:
        item_id = event["item_id"]
        item = self.pathway.items.get(item_id) if self.pathway is not None else None
        before, after = self._advance(item_id, Step(event["step"])) if item is not None else (None, None)
        return m.ObligationMoved(
            item_id=item_id,
            step=event["step"],
            before=before,
            state=after,
            closed=after in CLOSED if after is not None else None,
            critical=item.critical if item is not None else None,
            value=self._value(event.get("value")),
            speaker=event.get("speaker"),
            why=event.get("why", ""),
        )

    def _advance(self, item_id: str, step: Step) -> tuple[State | None, State | None]:
        """Take a step by the ledger's table; (None, None) when steps before it were not seen: nothing is guessed."""
        item = self.pathway.items.get(item_id) if self.pathway is not None else None
        before = self._states.get(item_id, State.DORMANT)
        after = next_state(item.kind, before, step) if item is not None else None
        if after is None:
            return None, None
        self._states[item_id] = after
        return before, after

    # ---- words

    def _words(self, text: str) -> str | None:
        return None if self.text == "off" else text

    def _value(self, value: str | None) -> str | None:
        return value if self.text != "off" or value in PLAIN_VALUES else None


def _shared(entry: BaseModel, message: type[BaseModel]) -> dict[str, Any]:
    """Give the fields that an entry and a message have in common: the journal may gain fields that are not told."""
    return {name: getattr(entry, name) for name in message.model_fields if name in type(entry).model_fields}
