"""Writing events into the ledger in their order.

Owns sequence numbers and the opening of groups. Skips, and never forces, a step the table does not know: in a live
call nothing raises.
"""

from __future__ import annotations

from typing import Any, TypeVar

from obligations.errors import UnknownItem
from obligations.ledger.events import ConfirmAsked, Event, ItemStep, PhaseBegan
from obligations.ledger.ledger import Ledger
from obligations.ledger.records import UtteranceRecord
from obligations.ledger.states import State, Step, next_state
from obligations.pathway.answers import matches_any
from obligations.pathway.models import Group, OnAnswer, OnPhase, Phase
from obligations.tracker.verdicts import StepWanted

_E = TypeVar("_E", bound=Event)


class Writer:
    """Appends events to one ledger."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger

    def __call__(self, kind: type[_E], at_s: float, **fields: Any) -> _E:
        """Write one event and return it.

        Raises:
            IllegalStep: The ledger refuses it (a fault of the caller inside this room).
        """
        event = kind(seq=self.ledger.next_seq, at_s=at_s, **fields)
        self.ledger.apply(event)
        return event

    def step(self, item_id: str, step: Step, at_s: float, **fields: Any) -> bool:
        """Write a step of an item where the table has one; False, and nothing written, where it has none."""
        record = self.ledger.items[item_id]
        if next_state(record.kind, record.state, step) is None:
            return False
        self(ItemStep, at_s, item_id=item_id, step=step, **fields)
        return True

    def waive(self, item_id: str, why: str, at_s: float) -> None:
        """Write that an item is waived; nothing where there is no reason.

        Raises:
            UnknownItem: The pathway has no such item; nothing was written.
        """
        pathway, items = self.ledger.pathway, self.ledger.items
        if item_id not in items:
            raise UnknownItem(f"{pathway.id} has no item {item_id!r} to waive; it has {', '.join(items)}")
        if why:
            self.step(item_id, Step.WAIVED, at_s, why=why)

    def open_group(self, group: Group, at_s: float, why: str) -> None:
        """Make every dormant item of a group owed."""
        for item in group.items:
            if self.ledger.items[item.id].state is State.DORMANT:
                self.step(item.id, Step.OPENED, at_s, why=why)

    def heard(self, item_id: str, wanted: StepWanted | None, utterance: UtteranceRecord, at_s: float) -> None:
        """Write what the end of an utterance, or a verdict on it, does to one item; nothing where it does nothing."""
        if wanted is None:
            return
        if self.ledger.items[item_id].state is State.DORMANT:
            if wanted.step is Step.CUT:
                return  # nobody asked for it and nobody heard of it
            self.open_group(self.ledger.pathway.group_by_item[item_id], at_s, "spoken")
        was = self.ledger.items[item_id]
        self.step(item_id, wanted.step, at_s, evidence=wanted.evidence, cut_at=wanted.cut_at, by=wanted.by)
        if wanted.step is Step.HEARD and wanted.asks and (was.doubted is not None or was.reported is not None):
            self(ConfirmAsked, at_s, item_id=item_id, utterance_id=utterance.id)

    def begin_phase(self, phase: Phase, at_s: float) -> None:
        """Begin a phase once: its groups' items become owed."""
        if phase in self.ledger.call.phases:
            return
        self(PhaseBegan, at_s, phase=phase)
        for group in self.ledger.pathway.groups:
            if isinstance(group.trigger, OnPhase) and group.trigger.phase == phase:
                self.open_group(group, at_s, f"phase {phase}")

    def open_follow_ups(self, question_id: str, value: str, at_s: float) -> None:
        """Make the groups owed that wait for this answer."""
        for group in self.ledger.pathway.groups:
            trigger = group.trigger
            if isinstance(trigger, OnAnswer) and trigger.question == question_id and matches_any(value, trigger.values):
                self.open_group(group, at_s, f"answer to {question_id}")
