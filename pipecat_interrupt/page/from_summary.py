"""Makes a `CallView` from a `CallSummary`, for callers that have no journal."""

from __future__ import annotations

from collections.abc import Sequence

from pipecat_interrupt.page.fold import line_start_s
from pipecat_interrupt.page.view import AgentLine, CallView, CutMark, Line, ObligationView, OverlapMark, PatientLine
from pipecat_interrupt.summary import CallSummary, OverlapSummary, UtteranceSummary


def view_of_summary(summary: CallSummary, title: str, lines: Sequence[PatientLine] = ()) -> CallView:
    """Draw what a summary says; evidence stands as one sentence, without times.

    Args:
        summary: The call.
        title: Such as the pathway's title.
        lines: The far end's words, in any order.
    """
    agent: list[Line] = [_agent_line(u) for u in summary.utterances]
    found = sorted([*agent, *lines], key=line_start_s)
    return CallView(
        call_id=summary.call_id,
        title=title,
        system=summary.system,
        now_s=max(
            (line.end_s or line.at_s if isinstance(line, AgentLine) else line.at_s for line in found), default=0.0
        ),
        ended=summary.ended,
        over=True,
        lines=tuple(found),
        obligations=tuple(
            ObligationView(
                id=o.id,
                item="point" if o.kind == "content_point" else o.kind,
                critical=o.critical,
                state=o.state,
                closed=o.closed,
                reason=o.reason or "",
                listen_at_s=o.listen_at_s,
                note=o.evidence or "",
                red_flag=o.id in summary.red_flags,
            )
            for o in summary.obligations
        ),
        red_flags=summary.red_flags,
        unconfirmed_flags=summary.unconfirmed_flags,
    )


def _agent_line(utterance: UtteranceSummary) -> AgentLine:
    cut = None
    if utterance.cut is not None:
        by = _mark(utterance.overlap) if utterance.overlap is not None else None
        cut = CutMark(utterance.cut.words, utterance.cut.ms, utterance.cut.exactness, by)
    at_s = utterance.started_s if utterance.started_s is not None else utterance.ended_s or 0.0
    return AgentLine(
        id=utterance.id,
        at_s=at_s,
        end_s=utterance.ended_s if utterance.ended_s is not None else at_s,
        delivered=utterance.delivered,
        undelivered=utterance.undelivered,
        cut=cut,
        heard_ms=utterance.cut.ms if utterance.cut is not None else None,
    )


def _mark(overlap: OverlapSummary) -> OverlapMark:
    return OverlapMark(overlap.onset_s, overlap.verdict, overlap.speaker, overlap.kind, overlap.words)
