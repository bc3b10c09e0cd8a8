"""Draws one finished call as a self-contained HTML page.

Owns layout only: everything shown is computed elsewhere. Every text is escaped by the template engine; the page carries
a content security policy that forbids scripts and every outside request.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from jinja2 import Environment, PackageLoader, StrictUndefined

from pipecat_interrupt.summary import CallSummary, UtteranceSummary

PX_PER_S = 14
TICK_S = 10


@dataclass(frozen=True, slots=True)
class PatientLine:
    """What the far end said, as recognised.

    Parameters:
        at_s: When the words were known, seconds on the call's clock.
        text: The words.
        speaker: primary, inferred, unsure, third_party.
        verdict: The overlap verdict, "" when it was no overlap.
    """

    at_s: float
    text: str
    speaker: str = "primary"
    verdict: str = ""


@dataclass(frozen=True, slots=True)
class VoiceSegment:
    """A stretch of sound on the far end, for the timeline; seconds on the call's clock."""

    start_s: float
    end_s: float


@dataclass(frozen=True, slots=True)
class _Row:
    at_s: float
    utterance: UtteranceSummary | None = None
    line: PatientLine | None = None


def render_call_page(
    summary: CallSummary,
    *,
    title: str,
    lines: Sequence[PatientLine] = (),
    segments: Sequence[VoiceSegment] = (),
    handoff_markdown: str = "",
) -> str:
    """Draw the page.

    Args:
        summary: The call.
        title: Heading, such as the pathway's title.
        lines: The far end's words, in any order.
        segments: Sound on the far end, for the timeline; may be empty.
        handoff_markdown: The hand-off, shown as plain text.

    Returns:
        A complete HTML document without scripts or outside references.
    """
    rows = sorted(
        [_Row(u.started_s if u.started_s is not None else u.ended_s or 0.0, utterance=u) for u in summary.utterances]
        + [_Row(line.at_s, line=line) for line in lines],
        key=lambda row: row.at_s,
    )
    ends = (
        [u.ended_s or 0.0 for u in summary.utterances] + [s.end_s for s in segments] + [x.at_s for x in lines] + [1.0]
    )
    length_s = ceil(max(ends))
    environment = Environment(
        loader=PackageLoader("pipecat_interrupt.page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("call.html.j2").render(
        summary=summary,
        title=title,
        rows=rows,
        segments=segments,
        handoff=handoff_markdown,
        length_s=length_s,
        px=PX_PER_S,
        ticks=range(0, length_s + 1, TICK_S),
        lost=[o for o in summary.obligations if not o.closed and o.critical],
        closed_count=sum(o.closed for o in summary.obligations),
    )
