"""From a delivered prefix to the steps it takes, and from a matcher's verdict likewise.

Owns what a cut means for each item of an utterance. Pure: returns steps, applies none.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from obligations.coverage.protocol import Coverage, CoverageVerdict
from obligations.ledger.events import Evidence, WordingSpan
from obligations.ledger.records import ItemRecord, UtteranceRecord
from obligations.ledger.states import Step

# How much of the heard words a reason quotes. Our choice: enough to recognise the place.
CUT_QUOTE_CHARS_MAX = 60


@dataclass(frozen=True, slots=True)
class StepWanted:
    """One step that a fact calls for."""

    step: Step
    evidence: tuple[Evidence, ...] = ()
    cut_at: str = ""
    by: str = ""
    asks: bool = True  # heard as the pathway's question, so that it can be its one confirmation


def cut_quote(utterance: UtteranceRecord) -> str:
    """Quote the last heard words of an utterance, beginning at a word; "" when nothing was heard."""
    heard = utterance.heard.rstrip()
    if len(heard) <= CUT_QUOTE_CHARS_MAX:
        return heard
    tail = heard[-CUT_QUOTE_CHARS_MAX:]
    return tail[tail.find(" ") + 1 :] if " " in tail else tail


def step_of_span(record: ItemRecord, span: WordingSpan, utterance: UtteranceRecord) -> StepWanted | None:
    """Say what the end of an utterance does to one item in it; None when it does nothing to it (closed already)."""
    heard = utterance.heard_chars
    by = "own-wording" if span.own else "focus"
    if record.closed:
        return None
    if span.need_end <= heard:
        asks = not bent(span, heard)
        return StepWanted(Step.HEARD, (_evidence(utterance, span.start, min(span.end, heard), by),), asks=asks)
    if span.start < heard and record.kind == "point":
        return StepWanted(Step.PART_HEARD, (_evidence(utterance, span.start, heard, by),), cut_quote(utterance))
    return StepWanted(Step.CUT, (), cut_quote(utterance))


def step_of_coverage(
    record: ItemRecord, coverage: Coverage, utterance: UtteranceRecord, *, licensed: bool
) -> StepWanted | None:
    """Say what a matcher's verdict on an ended utterance does to a content point.

    Args:
        record: The point.
        coverage: The verdict on the *intended* text, with the spans that are all needed.
        utterance: The utterance it judged.
        licensed: Whether this matcher may close critical points.
    """
    if record.closed or record.kind != "point" or not coverage.spans:
        return None
    if record.critical and not licensed:
        return None
    heard = utterance.heard_chars
    spans = [span for span in coverage.spans if span.end <= len(utterance.text) and span.start < span.end]
    if coverage.verdict is CoverageVerdict.CONVEYED and spans and all(span.within(heard) for span in coverage.spans):
        pieces = tuple(_evidence(utterance, span.start, span.end, coverage.matcher) for span in spans)
        return StepWanted(Step.HEARD, pieces, by=coverage.matcher)
    begun = [span for span in spans if span.start < heard]
    if begun and coverage.verdict in (CoverageVerdict.CONVEYED, CoverageVerdict.PARTIAL):
        pieces = tuple(_evidence(utterance, s.start, min(s.end, heard), coverage.matcher) for s in begun)
        return StepWanted(Step.PART_HEARD, pieces, cut_quote(utterance), by=coverage.matcher)
    return None


def bent(span: WordingSpan, heard_chars: int) -> bool:
    """Say whether so much was heard that it was another question than the pathway's."""
    return span.bent_from is not None and span.bent_from < heard_chars


def item_spans(utterance: UtteranceRecord) -> Iterable[WordingSpan]:
    """The spans of an utterance that hold items, not phrases."""
    return (span for span in utterance.spans if not span.id.startswith("phrase:"))


def _evidence(utterance: UtteranceRecord, start: int, end: int, by: str) -> Evidence:
    return Evidence(utterance_id=utterance.id, start=start, end=end, quote=utterance.text[start:end], by=by)


@dataclass(frozen=True, slots=True)
class Pending:
    """The question a reply may answer.

    Parameters:
        record: Its record.
        utterance: The utterance that put it.
        span: Where in it.
        heard_chars: How much of the utterance was heard when the reply began.
    """

    record: ItemRecord
    utterance: UtteranceRecord
    span: WordingSpan
    heard_chars: int

    @property
    def focus_heard(self) -> bool:
        """The question counts as asked."""
        return self.span.need_end <= self.heard_chars

    @property
    def bent(self) -> bool:
        """What was heard around it made another question of it."""
        return bent(self.span, self.heard_chars)
