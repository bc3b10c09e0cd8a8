"""A small honest answer reader for tests: plain words only, everything else is unclear.

Owns no cleverness. It never guesses: a reply it does not know word for word is UNCLEAR, a question back is not an
answer.
"""

from __future__ import annotations

from obligations.answers.protocol import AnswerKind, AnswerReading, QuestionText, ReplySpeaker
from obligations.pathway.words import forms_of

_YES = frozenset(
    {"yes", "yeah", "yep", "yes i have", "yes i do", "i do", "i have", "yes that is fine", "sim", "sim tenho"}
)
_NO = frozenset({"no", "nope", "no i havent", "no i dont", "none", "not at all", "no nothing", "não", "não tenho"})
_HEDGED = {"a bit": "yes", "a little": "yes", "sort of": "yes", "not really": "no", "um pouco": "yes"}
_DECLINED = frozenset({"id rather not say", "i would rather not say", "prefiro não dizer"})


class PlainReader:
    """Reads "yes", "no", numbers and a few hedges."""

    name = "plain"
    version = "1"

    def read(self, question: QuestionText, reply: str, speaker: ReplySpeaker) -> AnswerReading:
        """Read one reply against one question."""
        kind, value, certain = self._kind(question, reply)
        if speaker is ReplySpeaker.THIRD_PARTY and kind is not AnswerKind.NOT_AN_ANSWER:
            value = value or kind.value if kind in (AnswerKind.YES, AnswerKind.NO, AnswerKind.VALUE) else None
            return self._reading(AnswerKind.REPORTED_BY_THIRD_PARTY, value, certain)
        if question.heard != question.text:
            return self._reading(AnswerKind.NOT_AN_ANSWER, None, False)
        return self._reading(kind, value, certain)

    def _kind(self, question: QuestionText, reply: str) -> tuple[AnswerKind, str | None, bool]:
        words = " ".join(forms_of(reply))
        first = " ".join(forms_of(reply.split(".")[0].split(",")[0]))
        if "?" in reply:
            return AnswerKind.NOT_AN_ANSWER, None, False
        if words in _DECLINED:
            return AnswerKind.DECLINED, None, True
        if question.value_type in ("number", "scale", "duration"):
            number = next((word for word in words.split() if word.isdigit()), None)
            return (AnswerKind.VALUE, number, True) if number else (AnswerKind.UNCLEAR, None, False)
        if question.value_type in ("text", "date"):
            return (AnswerKind.VALUE, reply.strip(), True) if words else (AnswerKind.UNCLEAR, None, False)
        if words in _HEDGED:
            return (AnswerKind.YES if _HEDGED[words] == "yes" else AnswerKind.NO), None, False
        if words in _YES or (first in _YES and "right" in words):
            return AnswerKind.YES, None, True
        if words in _NO or first in _NO:
            return AnswerKind.NO, None, True
        return AnswerKind.UNCLEAR, None, False

    def _reading(self, kind: AnswerKind, value: str | None, certain: bool) -> AnswerReading:
        return AnswerReading(kind=kind, value=value, certain=certain, reader=f"{self.name}@{self.version}")
