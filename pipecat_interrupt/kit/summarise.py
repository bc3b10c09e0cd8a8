"""Makes the `CallSummary` of a call from its records and its ledger."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from obligations.ledger.records import ItemRecord
from obligations.ledger.states import State
from obligations.tracker import Tracker
from pipecat_interrupt.facts import OverlapFact, UtteranceRecord
from pipecat_interrupt.summary import CallSummary, CutSummary, ObligationSummary, OverlapSummary, UtteranceSummary


def summarise(
    *,
    system: str,
    call_id: str,
    records: Iterable[UtteranceRecord],
    tracker: Tracker | None,
    timings: Mapping[str, float | int | None] | None = None,
) -> CallSummary:
    """Make the summary; items that never became owed in this call are left out."""
    call = tracker.ledger.call if tracker is not None else None
    flags = tuple(dict.fromkeys(flag.item_id for flag in call.red_flags)) if call is not None else ()
    certain = {flag.item_id for flag in call.red_flags if flag.certain} if call is not None else set()
    return CallSummary(
        system=system,
        call_id=call_id,
        utterances=tuple(utterance_summary(record) for record in records),
        obligations=_obligations(tracker) if tracker is not None else (),
        timings=dict(timings or {}),
        ended=(call.end_reason or "") if call is not None else "",
        red_flags=flags,
        unconfirmed_flags=tuple(item_id for item_id in flags if item_id not in certain),
    )


def utterance_summary(record: UtteranceRecord) -> UtteranceSummary:
    """Make one utterance's line of a summary."""
    cut = record.cut
    return UtteranceSummary(
        id=record.id,
        intended=record.intended,
        delivered=record.delivered,
        undelivered=record.undelivered,
        cut=None if cut is None else CutSummary(chars=cut.chars, words=cut.words, ms=cut.ms, exactness=cut.exactness),
        overlap=None if record.overlap is None else overlap_summary(record.overlap),
        started_s=record.started_s,
        ended_s=record.ended_s,
    )


def overlap_summary(fact: OverlapFact) -> OverlapSummary:
    """Make one overlap's line of a summary."""
    return OverlapSummary(
        onset_s=round(fact.onset_s, 3),
        kind=fact.kind,
        verdict=fact.verdict,
        speaker=fact.speaker,
        words=fact.words,
        trp=fact.trp,
    )


def _obligations(tracker: Tracker) -> tuple[ObligationSummary, ...]:
    reasons: dict[str, str] = {}
    if tracker.ended:
        reasons = {item.item_id: item.detail for item in tracker.handoff("", 0.0).open_items}
    return tuple(
        ObligationSummary(
            id=record.id,
            kind="question" if record.kind == "question" else "content_point",
            critical=record.critical,
            state=str(record.state),
            closed=record.closed,
            evidence=_evidence(record, tracker) if record.closed else None,
            reason=None if record.closed else reasons.get(record.id, "open while the call goes on"),
        )
        for record in tracker.ledger.items.values()
        if record.state is not State.DORMANT
    )


def _evidence(record: ItemRecord, tracker: Tracker) -> str:
    heard = "; ".join(f'{e.utterance_id}[{e.start}:{e.end}] "{e.quote}"' for e in record.evidence)
    if record.answer is not None:
        said = tracker.ledger.call.replies.get(record.answer.reply_id)
        quote = f' "{said.text}"' if said is not None else ""
        return f"{record.answer.value} ({record.answer.speaker}){quote}; asked in {heard}"
    return record.waived or heard or str(record.state)
