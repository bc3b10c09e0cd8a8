"""The hand-off: what became of every obligation of one call, for people and for other systems.

Owns the published form (JSON Schema by `handoff_schema`). Every item of the pathway that was ever owed stands in
exactly one list.
"""

from __future__ import annotations

from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from obligations.answers.protocol import ReplySpeaker
from obligations.ledger.events import Evidence, Exactness

SCHEMA_ID = "urn:pipecat-interrupt:handoff:1"

OpenReason = Literal[
    "cut",
    "never_reached",
    "declined",
    "unanswered",
    "unconfirmed",
    "third_party_only",
    "guard_gave_up",
    "hang_up",
    "transferred",
    "not_as_required",
    "unclear",
]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class AnswerGiven(_Model):
    """An answered question.

    Parameters:
        value: "yes", "no" or a value.
        speaker: Whose voice gave it.
        inferred: The voice could not be told and the inferred rule was used.
        reported_by: Who said it first, when the patient only confirmed it.
        reported_quote: What they said; None when first-hand.
        quote: The reply it rests on, as transcribed.
        confirmation_quote: The reply that confirmed it; None when it needed none.
        asked: Where in which utterance the question was heard.
        by: The reader, ``name@version``.
    """

    item_id: str
    question: str
    critical: bool
    value: str
    red_flag: bool
    speaker: ReplySpeaker
    speaker_label: str = ""
    inferred: bool
    reported_by: str | None = None
    reported_quote: str | None = None
    reply_id: str
    quote: str
    confirmation_quote: str | None = None
    asked: tuple[Evidence, ...] = ()
    by: str = ""


class PointDelivered(_Model):
    """A content point that was heard, with the words that prove it.

    Parameters:
        told_again: Times it was heard whole again although nobody had asked; a model that loops shows here.
        mistold: What was heard against it before it was told as required; the listener may have kept that instead.
    """

    item_id: str
    text: str
    critical: bool
    evidence: tuple[Evidence, ...]
    exactness: Exactness
    told_again: int = Field(default=0, ge=0)
    mistold: tuple[Evidence, ...] = ()


class OpenItem(_Model):
    """An obligation that was not closed.

    Parameters:
        reason: Why, in one of the stable codes.
        detail: Why, for a reader: 'cut at "..."', "never reached", and so on.
        heard: What was heard of it.
        mistold: What was heard against it: another version, or words that took it back.
        doubtful_value: An answer that was never confirmed.
        reported_value: What somebody else said.
        reported_by: Who.
        escalation: Who must learn of it, by the pathway.
    """

    item_id: str
    kind: Literal["question", "point"]
    text: str
    critical: bool
    red_flag: bool = False
    reason: OpenReason
    detail: str
    attempts: int
    heard: tuple[Evidence, ...] = ()
    mistold: tuple[Evidence, ...] = ()
    doubtful_value: str | None = None
    reported_value: str | None = None
    reported_by: str | None = None
    escalation: str | None = None


class SetAside(_Model):
    """An item closed without an answer: the patient declined, or it was waived."""

    item_id: str
    text: str
    critical: bool
    how: Literal["declined", "waived"]
    why: str


class RedFlag(_Model):
    """A red-flag answer, however doubtful.

    Parameters:
        certain: Plain and attributed; False for a doubtful, unconfirmed or reported one.
    """

    item_id: str
    question: str
    value: str
    certain: bool
    speaker: ReplySpeaker
    speaker_label: str = ""
    quote: str
    escalation: str | None = None


class RequestMade(_Model):
    """A request about the call, in the words it was made in ("ring me tomorrow after three")."""

    name: str
    quote: str
    speaker: ReplySpeaker


class Transfer(_Model):
    """One attempt to put the call through to a person.

    Parameters:
        reason: "wants_person" or "red_flag".
        escalation: Whom, by the pathway; None for anybody of the team.
        accepted: The carrier took it. Who then spoke with the patient, this record does not know.
        detail: Why it failed; "" when it did not.
    """

    reason: str
    escalation: str | None = None
    accepted: bool
    detail: str = ""


class PatientQuestion(_Model):
    """A question the call could not answer."""

    text: str
    speaker: ReplySpeaker


class Words(_Model):
    """Words kept although nothing was made of them.

    Parameters:
        partial: They were still being said when the call ended.
    """

    text: str
    speaker: ReplySpeaker
    speaker_label: str = ""
    partial: bool = False


class Handoff(_Model):
    """What became of every obligation of one call.

    Parameters:
        complete: Nothing is open.
        answers: Questions answered.
        delivered: Content points heard.
        open_items: Everything owed and not closed, critical first.
        set_aside: Declined and waived items.
        red_flags: Red-flag answers, certain ones first.
        patient_questions: Questions the call could not answer.
        requests: Requests about the call, such as "person" or "object", in order.
        requests_made: The same, each with its first words.
        transfers: Attempts to put the call through to a person.
        other_words: Replies nothing was made of, and words cut off by the end.
        version: Rises with every hand-off of the same call: a receiver keeps one a call, and a higher version replaces
            a lower one. The fencing token it was given under; 0 where no store was there to be asked: provisional, and
            replaced by whatever comes next.
        parts: How many parts of the call it was joined from: more than 1 when the call was begun anew while its store
            was away. Utterances and replies are numbered within their part.
    """

    schema_version: Literal[1] = 1
    call_id: str
    pathway_id: str
    pathway_version: str
    pathway_title: str
    review: str
    language: str
    end_reason: str
    ended_at_s: float
    complete: bool
    red_flags: tuple[RedFlag, ...] = ()
    open_items: tuple[OpenItem, ...] = ()
    answers: tuple[AnswerGiven, ...] = ()
    delivered: tuple[PointDelivered, ...] = ()
    set_aside: tuple[SetAside, ...] = ()
    patient_questions: tuple[PatientQuestion, ...] = ()
    requests: tuple[str, ...] = ()
    requests_made: tuple[RequestMade, ...] = ()
    transfers: tuple[Transfer, ...] = ()
    other_words: tuple[Words, ...] = ()
    version: int = Field(default=0, ge=0)
    parts: int = Field(default=1, ge=1)

    @model_validator(mode="after")
    def _agrees(self) -> Self:
        if self.complete and self.open_items:
            raise ValueError(
                f"complete is true, but open_items holds {len(self.open_items)}: the file was edited or written by "
                "something else; make the hand-off again from the call's journal or store"
            )
        return self


def handoff_schema() -> dict[str, Any]:
    """Make the JSON Schema (2020-12) of a hand-off."""
    schema = Handoff.model_json_schema(mode="serialization")
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["$id"] = SCHEMA_ID
    return schema
