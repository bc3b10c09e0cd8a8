"""The agent's side of a replay: each utterance becomes a record and moves the ledger by what was heard of it.

Owns records and the matchers' say. What a step means is the tracker's; what a text conveys is the matchers'.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from obligations.coverage.ensemble import EnsembleMatcher
from obligations.coverage.own_wording import OwnWordingMatcher
from obligations.coverage.protocol import Coverage, CoverageVerdict
from obligations.ledger.states import State
from obligations.tracker import Delivery, Tracker
from pipecat_interrupt.facts import Cut, OverlapFact, UtteranceRecord
from pipecat_interrupt.replay.person import PersonSide
from pipecat_interrupt.replay.settings import ReplaySettings
from pipecat_interrupt.replay.utterances import Spoken
from pipecat_interrupt.replay.values import Note

REPLAY_AGENT = "recorded"
"""Agent id of records made by a replay."""


class AgentSide:
    """The agent's utterances of one recording.

    Args:
        spoken: The utterances, in order.
        tracker: The ledger; None without a pathway.
        settings: Which matchers read.
        person: Finds the questions, where a person asks; None for a voice agent.
    """

    def __init__(
        self, spoken: list[Spoken], tracker: Tracker | None, settings: ReplaySettings, person: PersonSide | None = None
    ) -> None:
        self.spoken, self.records = spoken, list[UtteranceRecord]()
        self._tracker, self._settings, self._person = tracker, settings, person
        self._own, self._ensemble = OwnWordingMatcher(), EnsembleMatcher()

    def starts(self, index: int, at_s: float) -> None:
        """An utterance begins to sound."""
        if self._tracker is not None:
            text = self.spoken[index].intended
            asked = self._person.asked(text, self._tracker) if self._person is not None else None
            self._tracker.intended(self.spoken[index].id, text, at_s, asked=asked)
            self._tracker.started(self.spoken[index].id, at_s)

    def ends(self, index: int, at_s: float, cut_by: Callable[[Spoken], OverlapFact | None]) -> None:
        """An utterance is over; `cut_by` gives the far end's overlap in it, if there was one."""
        utterance = self.spoken[index]
        cutter = None if utterance.complete else cut_by(utterance)
        self.records.append(record_of(utterance, cutter))
        if self._tracker is None:
            return
        self._read(utterance, at_s)
        self._tracker.delivered(
            Delivery(
                utterance_id=utterance.id,
                delivered_chars=utterance.said_chars,
                complete=utterance.complete,
                interrupted=cutter is not None,
                exactness="exact" if utterance.exact and not utterance.inferred else "estimated",
                margin_chars=utterance.margin_chars,
            ),
            at_s,
        )

    def name_cuts(self, last_word_on: Callable[[Spoken], OverlapFact | None]) -> None:
        """Give each cut record the final word on the overlap that cut it."""
        by_id = {utterance.id: utterance for utterance in self.spoken}
        for number, record in enumerate(self.records):
            if record.overlap is not None:
                self.records[number] = record.with_overlap(last_word_on(by_id[record.id]))

    def notes(self) -> tuple[Note, ...]:
        """What a reader must know of the texts."""
        inferred = sum(utterance.inferred for utterance in self.spoken)
        if not inferred:
            return ()
        return (
            Note(
                "intended_inferred",
                f"{inferred} utterances broke off in the pathway's own wording: its rest counts as intended",
            ),
        )

    def _read(self, utterance: Spoken, at_s: float) -> None:
        """Let the matchers read the content points that no exact wording was found of."""
        tracker = self._tracker
        if tracker is None:
            return
        known = tracker.ledger.call.utterances.get(utterance.id)
        spanned = {span.id for span in (known.spans if known is not None else ())}
        for point_id in tracker.pathway.points:
            record = tracker.ledger.items[point_id]
            if point_id in spanned or record.closed:
                continue
            coverage = self._coverage(tracker, point_id, utterance.intended, owed=record.state is not State.DORMANT)
            if coverage is not None:
                tracker.judged(utterance.id, point_id, coverage, at_s)

    def _coverage(self, tracker: Tracker, point_id: str, text: str, *, owed: bool) -> Coverage | None:
        """What is not owed is heard by its own whole wording alone: a likeness must not make it owed."""
        point = tracker.pathway.point_text(point_id, tracker.language)
        if not owed or (self._settings.matcher == "own-wording" and not point.verbatim):
            found = self._own.judge(point, text)
        else:
            found = _at_once(self._ensemble.match(point, text))
        wanted = (CoverageVerdict.CONVEYED, CoverageVerdict.PARTIAL) if owed else (CoverageVerdict.CONVEYED,)
        return found if found.verdict in wanted else None


def record_of(utterance: Spoken, cutter: OverlapFact | None) -> UtteranceRecord:
    """Make the record of an utterance; one whose end nobody knows is complete as far as its text goes, and says so."""
    delivered, undelivered = UtteranceRecord.split(utterance.intended, utterance.said_chars)
    exactness = "exact" if utterance.exact and not utterance.inferred else "estimated"
    cut = None
    if undelivered.strip():
        cut = Cut(
            chars=len(delivered),
            words=len(delivered.split()),
            ms=round(1000 * (utterance.end_s - utterance.start_s), 3),
            exactness=exactness,
        )
    else:
        delivered, undelivered = utterance.intended, ""
    broken = cut is not None or utterance.rest_unknown
    return UtteranceRecord(
        id=utterance.id,
        intended=utterance.intended,
        delivered=delivered,
        undelivered=undelivered,
        cut=cut,
        overlap=cutter if broken else None,
        llm_complete=not utterance.rest_unknown,
        started_s=utterance.start_s,
        ended_s=utterance.end_s,
        end_reason="complete" if cut is None else "interruption" if cutter is not None else "end",
        shape="word_timings" if utterance.exact else "none",
        generated_ms=round(1000 * (utterance.end_s - utterance.start_s), 3),
        written_ms=round(1000 * (utterance.end_s - utterance.start_s), 3),
        agent_id=REPLAY_AGENT,
    )


def _at_once(match: Coroutine[Any, Any, Coverage]) -> Coverage:
    """Run a matcher that waits for nothing: the local ensemble has no judge."""
    try:
        match.send(None)
    except StopIteration as done:
        return done.value
    match.close()
    raise RuntimeError("a local matcher waited for something outside")
