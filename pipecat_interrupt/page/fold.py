"""Folds a journal, entry by entry, into what a page shows: the same fold for a finished call and for a live one.

Owns the reading of the journal for display. Never raises on an entry it does not understand, never decides anything.
Bounded where asked: of a call with more lines than `lines_max` the oldest are dropped and counted.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pipecat_interrupt.facts import OverlapFact, UtteranceRecord
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
    PathwayNamed,
    PatientTurn,
    Trouble,
    UtteranceEnded,
    UtteranceStarted,
)
from pipecat_interrupt.page.ledger_view import LedgerReader
from pipecat_interrupt.page.view import (
    AgentLine,
    CallView,
    CutMark,
    Decision,
    Line,
    OverlapMark,
    PatientLine,
)
from pipecat_interrupt.page.words import place_words

TOOK_THE_FLOOR = frozenset({"stop_request", "correction", "topic_shift", "answer", "question", "repair_request"})
RULING_WINDOW_S = 5.0
"""The gate's ruling and the words it was on stand this close together."""

ONSET_WINDOW_S = 15.0
"""A turn's sound is looked for this far before its words were known."""

_ACTIONS = {
    "pass": "passed as the patient's",
    "pass_marked": "passed, marked as uncertain",
    "attribute": "attributed to somebody else",
    "alert": "passed on as an alert",
    "ignore": "kept from the model",
    "drop_echo": "dropped as the agent's own echo",
    "ask_who": "held until the patient says whose word it is",
}


_GROUNDS = {
    "above_accept": "score above the acceptance threshold",
    "below_reject": "score below the rejection threshold",
    "between_thresholds": "score between the thresholds",
    "too_short": "too short to score",
}


class CallFold:
    """One call's journal, folded.

    Args:
        lines_max: Most lines kept of each sort; None for no bound.
    """

    def __init__(self, lines_max: int | None = None) -> None:
        self._lines_max = lines_max
        self._started = CallStarted()
        self._title, self._call_id, self._now_s = "", "", 0.0
        self._ended, self._over = "", False
        self._ledger = LedgerReader()
        self._agent: dict[str, AgentLine] = {}
        self._patient: list[PatientLine] = []
        self._decisions: list[Decision] = []
        self._overlaps: dict[float, OverlapFact] = {}
        self._overlap_of: dict[str, float] = {}
        self._holds: list[tuple[float, float]] = []
        self._held_since_s: float | None = None
        self._turn_starts_s: list[float] = []
        self._enrolled = ""
        self._purposes: dict[str, str] = {}
        self._dropped = 0

    @property
    def over(self) -> bool:
        """Whether the call's last entry has been taken."""
        return self._over

    @property
    def unread(self) -> int:
        """Ledger events that this version does not know."""
        return self._ledger.unread

    def take(self, entry: JournalEntry) -> None:
        """Take one entry, in order."""
        self._call_id, self._now_s = entry.call_id, max(self._now_s, entry.at_s)
        data = entry.data
        if isinstance(data, LedgerMoved):
            self._ledger.take(data.event)
        elif isinstance(data, UtteranceStarted):
            self._begin(data, entry.at_s)
        elif isinstance(data, UtteranceEnded):
            self._put_agent(self._ended_line(data.record, entry.at_s))
        elif isinstance(data, PatientTurn):
            self._patient.append(self._patient_line(data, entry.at_s))
            self._bound(self._patient)
        elif isinstance(data, OverlapJudged):
            self._overlap(data.overlap)
        elif isinstance(data, HoldChanged):
            self._hold(data, entry.at_s)
        elif isinstance(data, GateVoice):
            self._turn_starts_s = [*self._turn_starts_s[-7:], data.onset_s]
        else:
            self._rare(entry)

    def view(self) -> CallView:
        """Give what is known so far."""
        agent = [self._agent_line(line) for line in self._agent.values()]
        patient, decisions = _with_rulings(self._patient, self._decisions)
        patient = [replace(p, item_ids=self._ledger.items_of_reply(p.at_s, p.text)) for p in patient]
        lines: list[Line] = [*agent, *patient, *decisions, *self._harmless()]
        holds = tuple(self._holds)
        spoken = {line.id: place_words(line, holds) for line in agent}

        def quote_time(utterance_id: str, start: int) -> float | None:
            words = spoken.get(utterance_id, ())
            return next((w.at_s for w in words if w.end > start), None)

        begun = {(round(p.at_s, 2), p.text): line_start_s(p) for p in patient}

        def reply_time(at_s: float, text: str) -> float:
            return begun.get((round(at_s, 2), text), at_s)

        return CallView(
            call_id=self._call_id,
            title=self._title or self._started.pathway or "Call",
            system=self._started.system,
            language=self._started.language,
            now_s=self._now_s,
            ended=self._ended,
            over=self._over,
            lines=tuple(sorted(lines, key=line_start_s)),
            obligations=self._ledger.views(quote_time, reply_time),
            red_flags=tuple(self._ledger.red_flags),
            unconfirmed_flags=tuple(self._ledger.unconfirmed_flags),
            notices=self._started.notices,
            holds=holds,
            dropped_lines=self._dropped,
        )

    # ---- entries

    def _rare(self, entry: JournalEntry) -> None:
        data = entry.data
        if isinstance(data, CallStarted):
            self._started = data
        elif isinstance(data, PathwayNamed):
            self._title = data.title
            self._ledger.name(data.items)
        elif isinstance(data, HandoffMade):
            self._ledger.handoff(data)
        elif isinstance(data, CallEnded):
            self._ended, self._over = data.reason, True
        else:
            decision = _decision(data, entry.at_s)
            if isinstance(data, GateEnrolment):
                if data.status == self._enrolled:
                    return
                self._enrolled = data.status
            if decision is not None:
                self._decisions.append(decision)
                self._bound(self._decisions)

    def _begin(self, started: UtteranceStarted, at_s: float) -> None:
        """An utterance sounds; the move that ordered it becomes its purpose instead of a line of its own."""
        for index in range(len(self._decisions) - 1, max(-1, len(self._decisions) - 9), -1):
            move = self._decisions[index]
            if move.of == "steering" and move.words and move.words == started.intended:
                self._purposes[started.utterance_id] = ": ".join(x for x in (move.title, move.detail) if x)
                del self._decisions[index]
                break
        self._put_agent(AgentLine(started.utterance_id, at_s, None, pending=started.intended))

    def _put_agent(self, line: AgentLine) -> None:
        self._agent[line.id] = line
        if self._lines_max is not None and len(self._agent) > self._lines_max:
            oldest = next(iter(self._agent))
            del self._agent[oldest]
            self._purposes.pop(oldest, None)
            self._overlap_of.pop(oldest, None)
            self._dropped += 1

    def _ended_line(self, record: UtteranceRecord, at_s: float) -> AgentLine:
        cut = None
        if record.cut is not None:
            by = None
            if record.overlap is not None:
                by = _mark(record.overlap)
                self._overlap_of[record.id] = record.overlap.onset_s
            cut = CutMark(record.cut.words, record.cut.ms, record.cut.exactness, by)
        begun = self._agent.get(record.id)
        start_s = record.started_s if record.started_s is not None else begun.at_s if begun is not None else at_s
        heard_ms = record.cut.ms if record.cut is not None else record.written_ms or None
        end_s = record.ended_s if record.ended_s is not None else at_s
        return AgentLine(record.id, start_s, end_s, record.delivered, record.undelivered, cut=cut, heard_ms=heard_ms)

    def _agent_line(self, line: AgentLine) -> AgentLine:
        """The line with the obligations in it and the last name of the overlap that cut it."""
        cut, onset_s = line.cut, self._overlap_of.get(line.id)
        fact = self._overlaps.get(onset_s) if onset_s is not None else None
        if cut is not None and fact is not None:
            cut = replace(cut, by=_mark(fact))
        return replace(line, cut=cut, item_ids=self._ledger.items_in(line.id), purpose=self._purposes.get(line.id, ""))

    def _patient_line(self, turn: PatientTurn, at_s: float) -> PatientLine:
        verdict, start_s = "", None
        if turn.onset_utterance_id is not None:
            facts = [f for f in self._overlaps.values() if f.utterance_id == turn.onset_utterance_id]
            if facts:
                verdict, start_s = facts[-1].verdict, facts[-1].onset_s
        last_s = self._patient[-1].at_s if self._patient else -1.0
        oldest_s = max(last_s, at_s - ONSET_WINDOW_S)
        if start_s is None:
            start_s = next((s for s in self._turn_starts_s if oldest_s <= s <= at_s), None)
        text = turn.text + (" ..." if turn.partial else "")
        return PatientLine(at_s, text, turn.speaker, verdict, start_s, unconfirmed=turn.unconfirmed)

    def _overlap(self, fact: OverlapFact) -> None:
        self._overlaps[fact.onset_s] = fact
        if self._lines_max is not None and len(self._overlaps) > self._lines_max:
            del self._overlaps[next(iter(self._overlaps))]
            self._dropped += 1

    def _hold(self, held: HoldChanged, at_s: float) -> None:
        if held.action == "hold":
            self._held_since_s = at_s
        elif self._held_since_s is not None:
            self._holds.append((self._held_since_s, at_s))
            self._held_since_s = None
            if self._lines_max is not None:
                del self._holds[: -self._lines_max]

    def _harmless(self) -> list[Decision]:
        """Overlaps that cut nothing and stand with no words of the patient: listening sounds, noise, echo, others."""
        cutting = set(self._overlap_of.values()) | {p.start_s for p in self._patient if p.verdict}
        return [
            _overlap_decision(fact)
            for onset_s, fact in self._overlaps.items()
            if onset_s not in cutting and not (fact.verdict == "undecided" and not fact.words and self._over)
        ]

    def _bound(self, lines: list[PatientLine] | list[Decision]) -> None:
        if self._lines_max is not None and len(lines) > self._lines_max:
            del lines[0]
            self._dropped += 1


def view_of(entries: Iterable[JournalEntry]) -> CallView:
    """Fold a whole journal."""
    fold = CallFold()
    for entry in entries:
        fold.take(entry)
    return fold.view()


def line_start_s(line: Line) -> float:
    """When a line began, as far as that is known."""
    if isinstance(line, PatientLine) and line.start_s is not None:
        return line.start_s
    return line.at_s


def _with_rulings(patient: list[PatientLine], decisions: list[Decision]) -> tuple[list[PatientLine], list[Decision]]:
    """Let the gate's ruling on words that stand in the transcript stand with them, instead of on a line of its own."""
    rulings: dict[str, list[Decision]] = {}
    for decision in decisions:
        if decision.of == "gate" and decision.words:
            rulings.setdefault(decision.words, []).append(decision)
    found: list[PatientLine] = []
    taken: set[int] = set()
    for line in patient:
        near = [r for r in rulings.get(line.text, ()) if abs(r.at_s - line.at_s) <= RULING_WINDOW_S]
        if near:
            taken.add(id(near[0]))
            line = replace(line, voice="; ".join(x for x in (near[0].title, near[0].detail) if x))
        found.append(line)
    return found, [d for d in decisions if id(d) not in taken]


def _mark(fact: OverlapFact) -> OverlapMark:
    return OverlapMark(fact.onset_s, fact.verdict, fact.speaker, fact.kind, fact.words, fact.reason)


def _overlap_decision(fact: OverlapFact) -> Decision:
    took = fact.verdict in TOOK_THE_FLOOR
    if fact.verdict == "undecided":
        title = "voices at once, not yet judged" if fact.decided_s is None else "voices at once, undecided"
    else:
        title = f"{_plain(fact.verdict)}: " + ("took the floor" if took else "the agent went on")
    detail = ", ".join(x for x in (f"{_plain(fact.speaker)} voice", _plain(fact.kind or ""), fact.reason) if x)
    return Decision(fact.onset_s, "overlap", title, detail, fact.words)


def _decision(data: object, at_s: float) -> Decision | None:
    if isinstance(data, GateWords):
        relevance = "" if data.relevance is None else f", {_plain(data.relevance)}"
        title = f"{_plain(data.standing)} voice: {_ACTIONS.get(data.action, _plain(data.action))}"
        handover = f"handover {_plain(data.handover)}" if data.handover is not None else ""
        detail = "; ".join(x for x in (_GROUNDS.get(data.reason, _plain(data.reason)) + relevance, handover) if x)
        return Decision(at_s, "gate", title, detail, data.words)
    if isinstance(data, GateEnrolment):
        refused = f"a stretch was refused: {_plain(data.refusal)}" if data.refusal else ""
        return Decision(at_s, "gate", f"enrolment {_plain(data.status)} ({data.seconds:.1f} s)", refused)
    if isinstance(data, MoveMade):
        return Decision(at_s, "steering", _plain(data.purpose), data.reason, data.text, data.item_ids)
    if isinstance(data, Trouble):
        return Decision(at_s, "trouble", f"{data.where} failed ({data.error})", data.safe_side)
    return None


def _plain(name: str) -> str:
    return name.replace("_", " ")
