"""The seam every answer reader fits: one question as heard, one reply, one reading.

Owns the words of a reading. Never moves the ledger.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, runtime_checkable


class AnswerKind(StrEnum):
    """What a reply does to the pending question; yes and no refer to the question's positive form."""

    YES = "yes"
    NO = "no"
    VALUE = "value"
    DECLINED = "declined"
    UNCLEAR = "unclear"
    NOT_AN_ANSWER = "not_an_answer"
    REPORTED_BY_THIRD_PARTY = "reported_by_third_party"


class ReplySpeaker(StrEnum):
    """Whose voice the reply is attributed to; UNSURE and INFERRED are kept apart from a voice decision."""

    PRIMARY = "primary"
    INFERRED = "inferred"
    UNSURE = "unsure"
    THIRD_PARTY = "third_party"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionText:
    """What a reader may know of the pending question.

    Parameters:
        text: The full question, in the language of the call.
        heard: The part of it that was delivered before the reply began; equal to `text` when all was heard.
        language: BCP 47 tag.
        value_type: "yes_no", "number", "text", "scale", "date" or "duration".
        red_flag_answers: Answers that raise a red flag, such as ("yes",).
    """

    text: str
    heard: str
    language: str
    value_type: str = "yes_no"
    red_flag_answers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerReading:
    """One reader's reading of one reply.

    Parameters:
        kind: What the reply does to the question.
        value: The value for VALUE (as spoken, normalised), else None.
        certain: Plain enough to close the question without a confirmation.
        reader: ``name@version``.
        why: One short reason; no transcript text.
        suspects: The red-flag answer the words may hold all the same ("yes" beside a no): it raises an uncertain flag,
            asks for one confirmation, and closes nothing; None where there is none.
        unsettled: What stands beside a doubtful no may say something else ("No, it's all black", "No thanks"): it
            confirms no doubted no, in the same words or in others ("No, it's all wavy").
    """

    kind: AnswerKind
    reader: str
    value: str | None = None
    certain: bool = False
    why: str = ""
    suspects: str | None = None
    unsettled: bool = False


@runtime_checkable
class AnswerReader(Protocol):
    """Reads a reply against the question that was heard.

    Promises: pure, no clock, no network; anything it cannot read is UNCLEAR, never a guess.
    """

    @property
    def name(self) -> str:
        """The stable name."""
        ...

    @property
    def version(self) -> str:
        """Changes whenever any reading could change."""
        ...

    def read(self, question: QuestionText, reply: str, speaker: ReplySpeaker) -> AnswerReading:
        """Read one reply against one question."""
        ...
