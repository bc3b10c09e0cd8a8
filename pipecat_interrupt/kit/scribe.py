"""Writes what the parts report into the journal, in the call's own time, and remembers which overlap cut what.

Owns the translation into journal entries; decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from obligations.pathway import Pathway
from pipecat_interrupt.facts import OverlapFact, UtteranceRecord
from pipecat_interrupt.gate.facts import EnrolmentFact, GateFact, RulingFact
from pipecat_interrupt.hold import HoldEvent
from pipecat_interrupt.journal import JournalWriter
from pipecat_interrupt.journal.entries import (
    GateEnrolment,
    GateVoice,
    GateWords,
    HoldChanged,
    NamedItem,
    OverlapJudged,
    PathwayNamed,
    Trouble,
    UtteranceEnded,
    UtteranceStarted,
)
from pipecat_interrupt.overlap.facts import OverlapReport
from pipecat_interrupt.steering.clock import CallClock

OVERLAPS_MAX = 4096


class Scribe:
    """Listens to recorder, overlap judgement, gate and hold.

    Args:
        journal: Where entries go.
        clock: The call's clock.
    """

    def __init__(self, journal: JournalWriter, clock: CallClock) -> None:
        self._journal, self._clock = journal, clock
        self.records: list[UtteranceRecord] = []
        self._overlaps: dict[int, OverlapReport] = {}
        self._last_taking: OverlapFact | None = None
        self.on_floor_taken: Callable[[OverlapFact, bool], None] = lambda fact, takes: None

    @property
    def overlaps(self) -> tuple[OverlapFact, ...]:
        """Every overlap with its last verdict, in order of onset."""
        return tuple(report.fact for report in self._overlaps.values())

    def on_started(self, utterance_id: str, intended: str) -> None:
        """An utterance became audible."""
        self._journal.write(UtteranceStarted(utterance_id=utterance_id, intended=intended), self._clock.now_s())

    def on_record(self, record: UtteranceRecord) -> None:
        """An utterance is settled; its times become the call's."""
        if self._clock.first_s:
            times = {name: self._clock.from_pipeline_s(getattr(record, name)) for name in ("started_s", "ended_s")}
            record = record.model_copy(update=times)
        self.records.append(record)
        self._journal.write(UtteranceEnded(record=record), self._clock.now_s())

    def on_overlap(self, report: OverlapReport) -> None:
        """An overlap was seen, judged, or named better; the record of what it cut is completed with the better name."""
        fact = self._in_call_time(report.fact)
        if len(self._overlaps) < OVERLAPS_MAX or report.overlap_id in self._overlaps:
            self._overlaps[report.overlap_id] = OverlapReport(
                report.overlap_id, report.revision, fact, report.takes_floor, report.attributed
            )
        if report.takes_floor:
            self._last_taking = fact
            self._rename(fact)
        reported_s = report.reported_s  # the moment itself, not the one at which a busy loop came to write it down
        at_s = self._clock.now_s() if reported_s is None else self._clock.from_loop_s(reported_s)
        self._journal.write(OverlapJudged(overlap=fact), at_s)
        if report.revision > 0:
            self.on_floor_taken(fact, bool(report.takes_floor))

    def on_hold(self, event: HoldEvent) -> None:
        """The agent's audio was held, resumed or dropped."""
        entry = HoldChanged(action=event.action, reason=event.reason, outstanding_ms=round(event.outstanding_ms, 1))
        self._journal.write(entry, self._clock.from_loop_s(event.at_s))

    def on_gate(self, fact: GateFact) -> None:
        """The gate decided whose voice it was, what becomes of its words, or how far the enrolment is."""
        if isinstance(fact, RulingFact):
            entry = GateWords(**fact.model_dump(exclude={"version", "at_s"}))
        elif isinstance(fact, EnrolmentFact):
            entry = GateEnrolment(**fact.model_dump(exclude={"version", "at_s"}))
        else:
            said = fact.model_dump(exclude={"version", "onset_s", "ended_s"})
            onset_s, ended_s = (self._clock.from_loop_s(s) for s in (fact.onset_s, fact.ended_s))
            entry = GateVoice(**said, onset_s=onset_s, ended_s=ended_s)
        self._journal.write(entry, self._clock.now_s())

    def name_pathway(self, pathway: Pathway, language: str) -> None:
        """Write down what the call has to cover, in the pathway's own words."""
        items = tuple(
            NamedItem(id=item.id, item=item.kind, critical=item.critical, wording=_in_language(item.wording, language))
            for item in pathway.items.values()
        )
        self._journal.write(PathwayNamed(title=_in_language(pathway.title, language), items=items), 0.0)

    def cutting_overlap(self) -> OverlapFact | None:
        """The overlap that took the floor last: what cuts an utterance now."""
        return self._last_taking

    def trouble(self, where: str, error: Exception) -> None:
        """A part of ours failed and fell to its safe side."""
        entry = Trouble(where=where, error=type(error).__name__, safe_side="the account errs short")
        self._journal.write(entry, self._clock.now_s())

    def _in_call_time(self, fact: OverlapFact) -> OverlapFact:
        times = {
            name: self._clock.from_loop_s(value)
            for name in ("onset_s", "ended_s", "decided_s")
            if (value := getattr(fact, name)) is not None
        }
        return fact.model_copy(update=times)

    def _rename(self, fact: OverlapFact) -> None:
        """Words that came after the cut name the verdict better: the records of that overlap take the new fact."""
        for index in range(len(self.records) - 1, max(-1, len(self.records) - 9), -1):
            overlap = self.records[index].overlap
            if overlap is not None and overlap.onset_s == fact.onset_s:
                self.records[index] = self.records[index].with_overlap(fact)


def _in_language(wording: Mapping[str, str], language: str) -> str:
    """The wording in a language, else in the first the pathway has."""
    return wording.get(language) or next(iter(wording.values()), "")
