"""A journal's overlaps judged again: the evidence is rebuilt from given facts, the judge is the live one.

Owns the rebuilding of evidence. What was heard of the agent at an onset, the caller's words, and the times of voice and
verdict are given; place, kind, verdict and reason are derived. Verdicts of the session itself (no text came, somebody
else opened the turn, the call ended) rest on events a journal does not keep: of these only place and kind are compared.
"""

from __future__ import annotations

from collections import deque

from obligations.ledger.events import WordingSpan
from obligations.tracker import Tracker
from pipecat_interrupt.facts import OverlapFact, UtteranceRecord
from pipecat_interrupt.kit.floor import RECENT_S, RECENT_UTTERANCES_MAX, ahead
from pipecat_interrupt.overlap.actions import Text
from pipecat_interrupt.overlap.config import OverlapConfig
from pipecat_interrupt.overlap.evidence import AgentFloor, Judgement, Speaker, TextStatus, Verdict
from pipecat_interrupt.overlap.judge import OverlapJudge
from pipecat_interrupt.overlap.state import CallMemory, OpenOverlap, evidence_of, judged_report, onset_report

FLOOR_GIVEN = frozenset({"agent silent", "no text", "call ended", "turn started elsewhere", "too many texts"})
"""Reasons the session gives by itself, without the judge."""

_FROM_NAME = {
    "primary": None,
    "inferred": None,
    "unsure": Speaker.UNSURE,
    "third_party": Speaker.THIRD_PARTY,
    "agent_echo": Speaker.AGENT_ECHO,
}


class OverlapsAgain:
    """Judges the overlaps of one journal, in its order.

    Args:
        language: BCP 47 tag of the call.
        tracker: The ledger, kept in step with the journal by the caller; None without a pathway.
    """

    def __init__(self, language: str, tracker: Tracker | None) -> None:
        self._judge = OverlapJudge(OverlapConfig(language=language))
        self._tracker = tracker
        self._intended: dict[str, str] = {}
        self._recent: deque[tuple[float, str]] = deque(maxlen=RECENT_UTTERANCES_MAX)
        self._last_heard = ""
        self._memory = CallMemory()
        self._laps: dict[float, OpenOverlap] = {}
        self._last: dict[float, OverlapFact] = {}

    @property
    def last(self) -> tuple[OverlapFact, ...]:
        """Every overlap with the last verdict that live wrote, in order of onset."""
        return tuple(self._last[onset_s] for onset_s in sorted(self._last))

    def on_record(self, at_s: float, record: UtteranceRecord) -> None:
        """Remember what was heard, for the echo check."""
        if record.delivered:
            self._recent.append((at_s, record.delivered))
            self._last_heard = record.delivered

    def judged(self, at_s: float, fact: OverlapFact) -> OverlapFact | None:
        """Judge an entry's overlap again; None where nothing in it is derived by us."""
        known = self._laps.get(fact.onset_s)
        self._last[fact.onset_s] = fact
        if known is None:
            lap = OpenOverlap(len(self._laps) + 1, fact.onset_s, self._floor(at_s, fact), fact.utterance_id, True, at_s)
            lap.before = self._memory.before(fact.onset_s)
            self._laps[fact.onset_s] = lap
            lap.speaker = _FROM_NAME[fact.speaker]
            lap.report = onset_report(lap, self._judge.table(None))
            if fact.decided_s is None:
                return lap.report.fact
            known = lap
        return self._verdict(known, fact)

    def _verdict(self, lap: OpenOverlap, fact: OverlapFact) -> OverlapFact:
        decided_s = fact.decided_s if fact.decided_s is not None else lap.voice_started_s
        lap.speaker, lap.ended_s = _FROM_NAME[fact.speaker], fact.ended_s
        lap.voice_on = fact.ended_s is None
        if fact.ended_s is not None:
            lap.voiced_s = max(0.0, fact.ended_s - lap.voice_started_s)
            lap.focus_heard = lap.focus_heard or lap.floor.focus_heard
        lap.texts = [Text(0, fact.words)] if fact.words.strip() else []
        judged = self._again(lap, fact, decided_s)
        self._memory.note(lap, decided_s)
        report = judged_report(lap, decided_s, judged, self._judge.table(None))
        lap.report = report
        return report.fact

    def _again(self, lap: OpenOverlap, fact: OverlapFact, decided_s: float) -> Judgement:
        if fact.reason in FLOOR_GIVEN or fact.reason == "key press":
            return Judgement(Verdict(fact.verdict), True, True, fact.reason)
        tries = (TextStatus.FINAL, TextStatus.INTERIM) if lap.texts else (TextStatus.NONE, TextStatus.EMPTY)
        if not lap.texts and fact.verdict == Verdict.NOISE.value:
            tries = tries[::-1]
        first = self._judge.judge(evidence_of(lap, decided_s, tries[0]))
        if first.reason == fact.reason:
            return first
        # Whether the words were final is not written down; the live verdict may rest on unfinished ones.
        second = self._judge.judge(evidence_of(lap, decided_s, tries[1]))
        return second if second.reason == fact.reason else first

    # ---- where the agent was

    def started(self, utterance_id: str, intended: str) -> None:
        """Remember what an utterance was to say."""
        self._intended[utterance_id] = intended

    def _floor(self, at_s: float, fact: OverlapFact) -> AgentFloor:
        intended = self._intended.get(fact.utterance_id or "", "")
        chars = fact.heard_chars_at_onset or 0
        heard, rest = (intended[:chars], intended[chars:]) if fact.heard_chars_at_onset is not None else ("", "")
        span = self._span(fact.utterance_id, chars)
        if fact.utterance_id is None:
            opened = focus = self._waits()
        elif span is not None:
            opened, focus = span.start <= chars, span.need_end <= chars
        else:
            opened, focus = self._tracker is None and "?" in heard + rest[:1], False
        before = [text for told_s, text in self._recent if told_s >= at_s - RECENT_S]
        recent = " ".join([*before, heard + ahead(heard, rest)]).strip()
        return AgentFloor(True, heard, rest, opened, focus, recent)

    def _waits(self) -> bool:
        if self._tracker is not None:
            return self._tracker.ledger.call.pending_question is not None
        return self._last_heard.rstrip().endswith("?")

    def _span(self, utterance_id: str | None, chars: int) -> WordingSpan | None:
        if self._tracker is None or utterance_id is None:
            return None
        known = self._tracker.ledger.call.utterances.get(utterance_id)
        questions = self._tracker.pathway.questions
        begun = [s for s in (known.spans if known is not None else ()) if s.id in questions and s.start <= chars]
        return begun[-1] if begun else None
