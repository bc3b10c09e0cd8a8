"""From facts and ledger to the document: rows of overlaps and obligations, and the phase each overlap fell into.

Owns the translation; computes no verdict.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from obligations.handoff import Handoff
from obligations.handoff.models import OpenItem
from obligations.ledger.records import ItemRecord
from obligations.ledger.states import State
from obligations.pathway.models import OnFaq, OnPhase, Pathway
from obligations.tracker import Tracker
from pipecat_interrupt.facts import OverlapFact
from pipecat_interrupt.kit.summarise import summarise
from pipecat_interrupt.overlap.evidence import FLOOR_LEAVING, FLOOR_TAKING
from pipecat_interrupt.replay.again import Again
from pipecat_interrupt.replay.engine import Replayed
from pipecat_interrupt.replay.result import (
    AgentOverlapRow,
    CallResult,
    DifferenceRow,
    NoteRow,
    ObligationRow,
    Outcome,
    OverlapRow,
    PhaseName,
)
from pipecat_interrupt.replay.simultaneous import Interval, together
from pipecat_interrupt.replay.unclear import Garbled
from pipecat_interrupt.replay.values import Note, Timeline, split_at_pauses
from pipecat_interrupt.summary import CallSummary

UNSPOKEN = frozenset({"cut", "never_reached", "hang_up", "transferred"})
"""Reasons that say no more than that an item's words were not heard."""

CLOSING_PHRASES = frozenset(
    {"phrase:goodbye", "phrase:farewell", "phrase:guard", "phrase:return_point", "phrase:correction"}
)


def result_of(
    replayed: Replayed, *, sources: Sequence[str] = (), recogniser: str = "", settings: str = ""
) -> CallResult:
    """Make the document of a replayed recording or transcript."""
    timeline, tracker = replayed.timeline, replayed.tracker
    spoken = [(utterance.start_s, utterance.end_s) for utterance in replayed.spoken]
    far = far_intervals(timeline)
    rows = tuple(_row(r.fact, r.takes_floor, tracker) for r in replayed.reports)
    agent_over = tuple(
        AgentOverlapRow(
            onset_s=round(pair.start_s, 3),
            end_s=round(pair.end_s, 3),
            utterance_id=replayed.spoken[pair.agent_index].id,
        )
        for pair in together(spoken, far)
        if pair.second == "agent"
    )
    return CallResult(
        call_id=timeline.call_id,
        sources=tuple(sources),
        settings=settings,
        recogniser=recogniser,
        pathway=tracker.pathway.id if tracker is not None else None,
        pathway_version=tracker.pathway.version if tracker is not None else None,
        language=replayed.language,
        duration_s=round(timeline.duration_s, 3),
        agent_s=round(sum(b - a for a, b in spoken), 3),
        far_s=round(sum(b - a for a, b in far), 3),
        ended=timeline.ended,
        notes=_notes(replayed.notes),
        overlaps=rows,
        agent_overlaps=agent_over,
        obligations=obligation_rows(tracker, replayed.garbled),
        summary=_listening(
            summarise(system="recorded", call_id=timeline.call_id, records=replayed.records, tracker=tracker),
            replayed.garbled,
        ),
    )


def result_again(again: Again, timeline: Timeline, *, sources: Sequence[str] = (), settings: str = "") -> CallResult:
    """Make the document of a replayed journal."""
    tracker = again.tracker
    agent = [(piece.start_s, piece.end_s) for piece in timeline.agent]
    far = far_intervals(timeline)
    notes = list(timeline.notes)
    if again.differences:
        told = f"{len(again.differences)} of {sum(again.compared.values())} derived facts differ from live"
        notes.append(Note("differs_from_live", told))
    return CallResult(
        call_id=again.call_id,
        sources=tuple(sources),
        settings=settings,
        pathway=tracker.pathway.id if tracker is not None else None,
        pathway_version=tracker.pathway.version if tracker is not None else None,
        language=tracker.language if tracker is not None else timeline.language or "en",
        duration_s=round(timeline.duration_s, 3),
        agent_s=round(sum(b - a for a, b in agent), 3),
        far_s=round(sum(b - a for a, b in far), 3),
        ended=timeline.ended,
        notes=_notes(notes),
        overlaps=tuple(_row(fact, _takes(fact), tracker) for fact in again.overlaps),
        obligations=obligation_rows(tracker),
        compared=dict(again.compared),
        differences=tuple(
            DifferenceRow(what=d.what, where=d.where, live=d.live, again=d.again) for d in again.differences
        ),
        summary=summarise(system="journal", call_id=again.call_id, records=again.records, tracker=tracker),
    )


def obligation_rows(
    tracker: Tracker | None, garbled: Mapping[str, Garbled] = MappingProxyType({})
) -> tuple[ObligationRow, ...]:
    """Give every obligation that was owed, in speaking order; `garbled` are those whose words are too unclear."""
    if tracker is None:
        return ()
    details = {item.item_id: item.detail for item in tracker.handoff("", 0.0).open_items} if tracker.ended else {}
    return tuple(
        ObligationRow(
            id=record.id,
            group=tracker.pathway.group_by_item[record.id].id,
            kind="question" if record.kind == "question" else "content_point",
            critical=record.critical,
            state=str(record.state),
            outcome=_outcome(record, garbled),
            begun=_begun(record),
            value=record.answer.value if record.answer is not None else None,
            detail=garbled[record.id].why if record.id in garbled else details.get(record.id, ""),
            listen_at_s=round(garbled[record.id].at_s, 3) if record.id in garbled else None,
        )
        for record in tracker.ledger.items.values()
        if record.state is not State.DORMANT
    )


def handoff_of(replayed: Replayed) -> Handoff | None:
    """Give the hand-off of a replayed call; None without a pathway.

    An unclear item stays open and says where to listen. What the patient or a third party said of it stays the reason.
    """
    if replayed.tracker is None:
        return None
    handoff = replayed.tracker.handoff("", 0.0)
    return handoff.model_copy(
        update={"open_items": tuple(_listened(item, replayed.garbled.get(item.item_id)) for item in handoff.open_items)}
    )


def _listened(item: OpenItem, garbled: Garbled | None) -> OpenItem:
    if garbled is None:
        return item
    if item.reason in UNSPOKEN:
        return item.model_copy(update={"reason": "unclear", "detail": garbled.why})
    return item.model_copy(update={"detail": f"{item.detail}; {garbled.why}"})


def _listening(summary: CallSummary, garbled: Mapping[str, Garbled]) -> CallSummary:
    """The summary with the same words, and the moment, for every unclear item."""
    rows = tuple(
        row.model_copy(update={"reason": garbled[row.id].why, "listen_at_s": round(garbled[row.id].at_s, 3)})
        if row.id in garbled
        else row
        for row in summary.obligations
    )
    return summary.model_copy(update={"obligations": rows})


def _outcome(record: ItemRecord, garbled: Mapping[str, Garbled]) -> Outcome:
    if record.closed:
        return "closed"
    if record.id in garbled:
        return "unclear"
    return "unanswered" if record.state is State.ASKED else "lost"


def phase_of(pathway: Pathway, item_id: str) -> PhaseName:
    """Say in which conversational phase an item stands, as seed 000's Appendix A parts a call."""
    group = pathway.group_by_item[item_id]
    if isinstance(group.trigger, OnFaq):
        return "faq"
    if isinstance(group.trigger, OnPhase) and group.trigger.phase == "closing":
        return "summary"
    return "history_taking" if item_id in pathway.questions else "other"


def far_intervals(timeline: Timeline, pause_s: float = 0.4) -> list[Interval]:
    """The far end's stretches of voice."""
    words = sorted((w for piece in timeline.far for w in piece.words), key=lambda w: (w.start_s, w.end_s))
    return [(part[0].start_s, max(w.end_s for w in part)) for part in split_at_pauses(words, pause_s)]


def _phase(fact: OverlapFact, tracker: Tracker | None) -> PhaseName:
    """The phase of the item the agent was at, or had come to last, when the overlap began."""
    if tracker is None or fact.utterance_id is None:
        return "other"
    known = tracker.ledger.call.utterances.get(fact.utterance_id)
    if known is None or not known.spans:
        return "other"
    chars = fact.heard_chars_at_onset or 0
    begun = [span for span in known.spans if span.start <= chars] or [known.spans[0]]
    item = begun[-1].id
    if item.startswith("phrase:"):
        return "summary" if item in CLOSING_PHRASES else "other"
    return phase_of(tracker.pathway, item)


def _row(fact: OverlapFact, takes: bool | None, tracker: Tracker | None) -> OverlapRow:
    return OverlapRow(
        onset_s=round(fact.onset_s, 3),
        ended_s=None if fact.ended_s is None else round(fact.ended_s, 3),
        kind=fact.kind,
        trp=fact.trp,
        verdict=fact.verdict,
        speaker=fact.speaker,
        words=fact.words,
        reason=fact.reason,
        utterance_id=fact.utterance_id,
        takes_floor=takes,
        phase=_phase(fact, tracker),
    )


def _takes(fact: OverlapFact) -> bool | None:
    if fact.verdict in FLOOR_TAKING:
        return True
    return False if fact.verdict in FLOOR_LEAVING else None


def _begun(record: ItemRecord) -> bool:
    return record.closed or record.attempts > 0 or bool(record.evidence) or record.cut_at is not None


def _notes(notes: Sequence[Note]) -> tuple[NoteRow, ...]:
    return tuple(NoteRow(code=note.code, text=note.text, at_s=note.at_s) for note in notes)
