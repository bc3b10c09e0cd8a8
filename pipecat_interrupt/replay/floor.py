"""Where the agent was at a moment of a recording: the replay's answer to what `KitFloor` answers live.

Owns no state of the call. What was heard at a moment is the words that were over by then.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

from obligations.ledger.events import WordingSpan
from obligations.tracker import Tracker
from pipecat_interrupt.kit.floor import RECENT_S
from pipecat_interrupt.overlap.evidence import AgentFloor
from pipecat_interrupt.replay.utterances import Spoken

REST_NOT_KNOWN = "and more to come that nobody wrote down"
"""Stands for the rest of a broken-off utterance when its place is judged; never shown and never written down."""

FOCUS_WORDS_LEFT_MAX = 2
"""A question that is none of the pathway's has been understood when at most this many words of it are left."""

_SENTENCE = re.compile(r"[^.?!…]+[.?!…]*")


class RecordingFloor:
    """Answers for every moment of one recording.

    Args:
        spoken: The agent's utterances, in order.
        tracker: Knows which words are questions; None when there is no pathway.
    """

    def __init__(self, spoken: Sequence[Spoken], tracker: Tracker | None) -> None:
        self._spoken, self._tracker = spoken, tracker
        self._starts = [utterance.start_s for utterance in spoken]

    def utterance_at(self, at_s: float) -> Spoken | None:
        """The utterance that sounds at a time; at its very end it does not any more."""
        index = bisect_right(self._starts, at_s)
        if index and at_s < self._spoken[index - 1].end_s:
            return self._spoken[index - 1]
        return None

    def at(self, at_s: float) -> tuple[AgentFloor, str | None]:
        """Where the agent was, and in which utterance."""
        utterance = self.utterance_at(at_s)
        recent = self._recent(at_s)
        if utterance is None:
            waits = self._question_waits(at_s)
            return AgentFloor(audible=False, question_open=waits, focus_heard=waits, recent_text=recent), None
        chars = utterance.chars_at(at_s)
        rest = utterance.intended[chars:] + (f" {REST_NOT_KNOWN}" if utterance.rest_unknown else "")
        floor = AgentFloor(
            audible=True,
            delivered_text=utterance.intended[:chars],
            remaining_text=rest,
            recent_text=recent,
        )
        return replace(floor, **self._question(utterance, chars)), utterance.id

    def _question(self, utterance: Spoken, chars: int) -> dict[str, bool]:
        span = self._span(utterance.id, chars)
        if span is not None:
            return {"question_open": span.start <= chars, "focus_heard": span.need_end <= chars}
        return _by_mark(utterance.intended, chars)

    def _span(self, utterance_id: str, chars: int) -> WordingSpan | None:
        if self._tracker is None:
            return None
        known = self._tracker.ledger.call.utterances.get(utterance_id)
        questions = self._tracker.pathway.questions
        begun = [s for s in (known.spans if known else ()) if s.id in questions and s.start <= chars]
        return begun[-1] if begun else None

    def _question_waits(self, at_s: float) -> bool:
        if self._tracker is not None and self._tracker.ledger.call.pending_question is not None:
            return True
        index = bisect_right(self._starts, at_s)
        return bool(index) and self._spoken[index - 1].intended.rstrip().endswith("?")

    def _recent(self, at_s: float) -> str:
        index = bisect_right(self._starts, at_s)
        lately = [u for u in self._spoken[max(0, index - 8) : index] if u.end_s >= at_s - RECENT_S]
        return " ".join(heard for u in lately if (heard := u.intended[: u.chars_at(at_s)]))


def _by_mark(text: str, chars: int) -> dict[str, bool]:
    """A question that is none of the pathway's is known by its mark: people ask more than a pathway holds."""
    for sentence in _SENTENCE.finditer(text):
        if sentence.start() <= chars < sentence.end() or (chars == sentence.end() == len(text)):
            asks = sentence[0].rstrip().endswith("?")
            left = len(text[chars : sentence.end()].split())
            return {"question_open": asks, "focus_heard": asks and left <= FOCUS_WORDS_LEFT_MAX}
    return {"question_open": False, "focus_heard": False}
