"""How one step changes one item.

Owns the change of an `ItemRecord`: the state by the table of `states`, the attributes by the step. Pure: a new
record, or `IllegalStep`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from obligations.answers.protocol import ReplySpeaker
from obligations.errors import IllegalStep
from obligations.ledger.events import ItemStep
from obligations.ledger.records import GivenAnswer, ItemRecord
from obligations.ledger.states import Step, next_state

# Evidence kept for one item; older pieces stay in the event list. Our choice: a first telling and every bundled retry
# fit.
EVIDENCE_MAX = 12


def advance(record: ItemRecord, event: ItemStep, *, turn: int, agent_turn: int) -> ItemRecord:
    """Take one step.

    Raises:
        IllegalStep: The table has no such row, or the step lacks what it rests on.
    """
    state = next_state(record.kind, record.state, event.step)
    if state is None:
        raise IllegalStep(f"{record.kind} {record.id} cannot be {event.step} when {record.state}")
    lack = _lack(record, event)
    if lack:
        raise IllegalStep(f"{record.kind} {record.id} cannot be {event.step} without {lack}")
    if event.step is Step.RENEWED:
        fresh = ItemRecord(id=record.id, kind=record.kind, critical=record.critical, red_flag=record.red_flag)
        return replace(fresh, state=state, opened_turn=turn, opened_agent_turn=agent_turn)
    return replace(record, state=state, **_changes(record, event, turn, agent_turn))


def _lack(record: ItemRecord, event: ItemStep) -> str:
    step = event.step
    if step in (Step.HEARD, Step.MISTOLD, Step.RETRACTED) and not event.evidence:
        return "the words that were heard"
    if step in (Step.ANSWERED, Step.DOUBTED, Step.REPORTED):
        if event.value is None or event.speaker is None or event.reply_id is None:
            return "a value, its speaker and its reply"
    if step is Step.ANSWERED and event.confirmed_by is None and event.speaker not in MAY_ANSWER:
        return "the primary speaker's own word"
    if step is Step.DOUBTED and record.closed and event.speaker not in MAY_ANSWER:
        return "the primary speaker's own word"
    if step in (Step.WAIVED, Step.RENEWED) and not event.why:
        return "a reason"
    if step in (Step.DECLINED, Step.REFUSED, Step.UNANSWERED) and event.reply_id is None:
        return "the reply"
    return ""


# Unsure voices and third parties never answer for the patient: only the primary speaker, or the inferred rule.
MAY_ANSWER = frozenset({ReplySpeaker.PRIMARY, ReplySpeaker.INFERRED})


def _changes(record: ItemRecord, event: ItemStep, turn: int, agent_turn: int) -> Mapping[str, Any]:
    match event.step:
        case Step.OPENED:
            return {"opened_turn": turn, "opened_agent_turn": agent_turn}
        case Step.HEARD:
            return {"evidence": _kept(record, event), "cut_at": None}
        case Step.PART_HEARD:
            return {"evidence": _kept(record, event), **_cut(record, event)}
        case Step.CUT:
            return _cut(record, event)
        case Step.MISTOLD:
            return {"mistold": _mistold(record, event), "mistold_agent_turn": agent_turn}
        case Step.RETRACTED:  # what was heard before counts no more
            turned = {"mistold": _mistold(record, event), "mistold_agent_turn": agent_turn}
            return {"evidence": (), "retractions": record.retractions + 1, **turned}
        case Step.DOUBTED if record.closed:  # taken back in the patient's own words: owed again, one confirmation
            return {"doubted": _answer(event), "answer": None, "refused": False, "confirmations": 0}
        case Step.DOUBTED:
            return {"doubted": _answer(event)}
        case Step.REPORTED:
            return {"reported": _answer(event)}
        case Step.UNANSWERED:
            return {"unanswered": record.unanswered + 1}
        case Step.ANSWERED:
            return {"answer": _answer(event)}
        case Step.REFUSED | Step.DECLINED:
            return {"refused": True}
        case Step.WAIVED:
            return {"waived": event.why}
        case Step.RENEWED:
            return {}


def _cut(record: ItemRecord, event: ItemStep) -> Mapping[str, Any]:
    """Count a cut, and keep the words before the one that let most of the item be heard.

    The last of equals; of cuts that let nothing of it be heard the first, which stood where it was first missed.
    """
    heard = sum(piece.end - piece.start for piece in event.evidence)
    again = heard == record.best_cut_chars and event.cut_at != "" and (heard > 0 or not record.best_cut)
    better = heard > record.best_cut_chars or again
    best = {"best_cut": event.cut_at, "best_cut_chars": heard} if better else {}
    return {"cut_at": event.cut_at, "cuts": record.cuts + 1, **best}


def _kept(record: ItemRecord, event: ItemStep) -> tuple[Any, ...]:
    return (*record.evidence, *event.evidence)[-EVIDENCE_MAX:]


def _mistold(record: ItemRecord, event: ItemStep) -> tuple[Any, ...]:
    return (*record.mistold, *event.evidence)[-EVIDENCE_MAX:]


def _answer(event: ItemStep) -> GivenAnswer:
    assert event.value is not None and event.speaker is not None
    return GivenAnswer(
        value=event.value,
        speaker=event.speaker,
        label=event.label,
        reply_id=event.reply_id or "",
        by=event.by,
        reported_by=event.reported_by,
        confirmed_by=event.confirmed_by,
    )
