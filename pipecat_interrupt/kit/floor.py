"""Where the agent is, answered from the recorder (what was heard) and the tracker (what it was about).

Owns no state. Every answer describes what the listener has heard at the moment of asking, erring short.
"""

from __future__ import annotations

import re
from collections import deque

from obligations.ledger.events import WordingSpan
from obligations.tracker import Tracker
from pipecat_interrupt.delivery import DeliveryRecorder, Position
from pipecat_interrupt.facts import UtteranceRecord
from pipecat_interrupt.hold import Hold

RECENT_S = 6.0
"""How far back the agent's own words may come back as echo: a telephone's delay and a recogniser's together."""

AHEAD_WORDS = 3
"""Words past the delivered ones that may come back too: delivery errs short, so an echo can be ahead of it."""

SENTENCE_ENDS = ".!?"
"""What ends a sentence."""

RECENT_UTTERANCES_MAX = 8

STALLED_S = 5.0
"""An utterance whose sound has not moved on for this long is no longer heard, whatever its end says."""


class KitFloor:
    """Answers the overlap judgement's questions about the agent.

    Args:
        recorder: Knows what was heard.
        language: BCP 47 tag of the call.
        tracker: Knows which words are questions; None when there is no pathway: then a question mark tells.
    """

    def __init__(self, recorder: DeliveryRecorder, language: str, tracker: Tracker | None = None) -> None:
        self._recorder, self._language, self._tracker = recorder, language, tracker
        self._recent: deque[tuple[float, str]] = deque(maxlen=RECENT_UTTERANCES_MAX)
        self._last_heard = ""
        self._moved: tuple[str, float, float] = ("", -1.0, 0.0)
        self.hold: Hold | None = None

    def on_record(self, record: UtteranceRecord) -> None:
        """Remember what was heard, for the echo check."""
        if record.delivered:
            self._recent.append((self._recorder.now_s, record.delivered))
            self._last_heard = record.delivered

    def agent_audible(self) -> bool:
        """Whether the agent can be heard now, or would be were it not held."""
        if self.hold is not None and self.hold.held:
            return True
        return self._recorder.is_audible and not self._stalled()

    def utterance_id(self) -> str | None:
        """Id of the utterance in progress."""
        position = self._recorder.position()
        return position.utterance_id if position is not None else None

    def delivered_text(self) -> str:
        """Text of the utterance in progress that was heard."""
        return self._recorder.heard_and_rest()[0]

    def remaining_text(self) -> str:
        """Text of the utterance in progress that was not heard yet."""
        return self._recorder.heard_and_rest()[1]

    def recent_text(self) -> str:
        """What the agent said in the last `RECENT_S` seconds, and up to `AHEAD_WORDS` of the sentence in progress."""
        since_s = self._recorder.now_s - RECENT_S
        heard, rest = self._recorder.heard_and_rest()
        before = [text for at_s, text in self._recent if at_s >= since_s]
        return " ".join([*before, heard + ahead(heard, rest)]).strip()

    def question_open(self) -> bool:
        """Whether a question waits for its answer or is being asked."""
        position = self._recorder.position()
        if position is None:
            return self._question_waits()
        span = self._question_span(position)
        if span is not None:
            return span.start <= position.chars
        return self._tracker is None and "?" in self.delivered_text() + self.remaining_text()[:1]

    def focus_heard(self) -> bool:
        """Whether the words that make that question answerable were heard."""
        position = self._recorder.position()
        if position is None:
            return self._question_waits()
        span = self._question_span(position)
        return span is not None and span.need_end <= position.chars

    def language(self) -> str | None:
        """The call's language."""
        return self._language

    def _stalled(self) -> bool:
        position = self._recorder.position()
        if position is None:
            return False
        utterance_id, ms, since_s = self._moved
        if (position.utterance_id, position.ms) != (utterance_id, ms):
            self._moved = (position.utterance_id, position.ms, self._recorder.now_s)
            return False
        return self._recorder.now_s - since_s > STALLED_S

    def _question_waits(self) -> bool:
        if self._tracker is not None:
            return self._tracker.ledger.call.pending_question is not None
        return self._last_heard.rstrip().endswith("?")

    def _question_span(self, position: Position) -> WordingSpan | None:
        if self._tracker is None:
            return None
        utterance = self._tracker.ledger.call.utterances.get(position.utterance_id)
        spans = utterance.spans if utterance is not None else ()
        begun = [s for s in spans if s.id in self._tracker.pathway.questions and s.start <= position.chars]
        return begun[-1] if begun else None


def ahead(heard: str, rest: str) -> str:
    """Give the next words of the sentence in progress; none past its end, which would hide an open question."""
    if not heard.strip() or heard.rstrip()[-1] in SENTENCE_ENDS:
        return ""
    found = re.match(rf"\s*(?:[^\s{SENTENCE_ENDS}]+\s*){{0,{AHEAD_WORDS}}}", rest)
    return found.group().rstrip() if found else ""
