"""The messages a live client gets: one frozen model a kind, joined by ``data.kind``. Version 1.

Owns the published form (docs/schemas/live-message.json). As in the journal, kinds and optional fields may be added;
nothing is renamed or removed without a new version. A field that holds words of the call is None unless the exporter
was told to send them.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from pipecat_interrupt.facts import EndReason, Exactness, OverlapKindName, SpeakerName, VerdictName
from pipecat_interrupt.journal.entries import (
    CallEnded,
    GateEnrolment,
    GateVoice,
    HandoffMade,
    HoldChanged,
    Trouble,
)

MESSAGE_TYPE = "pipecat-interrupt"
MESSAGE_VERSION = 1
SCHEMA_ID = "urn:pipecat-interrupt:live-message:1"

LiveText = Literal["off", "all_words", "patient_words", "full"]
"""Whether words of the call leave it: none ("off"), masked letter by letter by the journal's redaction policy of that
name ("all_words", "patient_words": the agent's words then go out), or as they are ("full")."""


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ObligationName(_Data):
    """An obligation of the call's pathway, and its state when the call began or was taken up again."""

    item_id: str
    kind: Literal["question", "point"]
    critical: bool
    state: str = "dormant"


class CallOpened(_Data):
    """The call began, or another worker took it up; `obligations` are what its pathway may come to owe."""

    kind: Literal["call_started"] = "call_started"
    pathway: str | None = None
    pathway_version: str | None = None
    language: str = ""
    system: str = ""
    agent_id: str = ""
    model_id: str = ""
    configuration_hash: str = ""
    notices: tuple[str, ...] = ()
    goes_on_from: int | None = None
    obligations: tuple[ObligationName, ...] = ()


class UtteranceBegun(_Data):
    """An agent utterance became audible."""

    kind: Literal["utterance_started"] = "utterance_started"
    utterance_id: str
    intended: str | None = None


class UtteranceSettled(_Data):
    """An agent utterance is over: how much was intended, how much was delivered, where it was cut and by whom.

    Parameters:
        heard_whole: All that was intended was heard, and the model had finished writing it.
        cut_words: Whole words delivered; None when there was no cut.
        cut_ms: Audio of it that reached the ear, ms; None when there was no cut.
        bound_words: How many words more may have been heard at most.
        overlap_onset_s: Which overlap cut it; None when nobody did. Its later messages may name the verdict better.
        verdict: The verdict on it as known at the cut.
        overlap_kind: Its kind as known at the cut.
        speaker: Whose voice it was held to be at the cut.
    """

    kind: Literal["utterance"] = "utterance"
    utterance_id: str
    source: Literal["llm", "speak"]
    end_reason: EndReason
    heard_whole: bool
    llm_complete: bool
    protected: bool
    intended_chars: int = Field(ge=0)
    delivered_chars: int = Field(ge=0)
    cut_words: int | None = None
    cut_ms: float | None = None
    exactness: Exactness | None = None
    bound_words: int | None = None
    overlap_onset_s: float | None = None
    verdict: VerdictName | None = None
    overlap_kind: OverlapKindName | None = None
    speaker: SpeakerName | None = None
    started_s: float | None = None
    ended_s: float | None = None
    intended: str | None = None
    delivered: str | None = None
    undelivered: str | None = None


class OverlapTold(_Data):
    """Two voices at once.

    The same `onset_s` comes again when the verdict is known, and when later words name it better.
    """

    kind: Literal["overlap"] = "overlap"
    onset_s: float
    ended_s: float | None = None
    decided_s: float | None = None
    utterance_id: str | None = None
    verdict: VerdictName
    overlap_kind: OverlapKindName | None = None
    speaker: SpeakerName
    trp: bool | None = None
    words: str | None = None


class GateRuled(_Data):
    """What the gate did with one voice's words."""

    kind: Literal["gate_words"] = "gate_words"
    standing: str
    action: str
    relevance: str | None = None
    reason: str = ""
    handover: str | None = None
    words: str | None = None


class PatientSaid(_Data):
    """Words of the far end were taken up as a turn."""

    kind: Literal["patient_turn"] = "patient_turn"
    speaker: str
    partial: bool = False
    onset_utterance_id: str | None = None
    text: str | None = None


class ObligationMoved(_Data):
    """One step of one obligation.

    Parameters:
        step: What happened to it (docs/architecture.md, ledger).
        before: Its state before the step; None when the exporter knows no pathway.
        state: Its state now; None when the exporter knows no pathway.
        closed: Whether that state is a closed one.
        value: The answer: "yes" or "no"; any other value only where words may leave the call.
        speaker: Whose voice gave it.
    """

    kind: Literal["obligation"] = "obligation"
    item_id: str
    step: str
    before: str | None = None
    state: str | None = None
    closed: bool | None = None
    critical: bool | None = None
    value: str | None = None
    speaker: str | None = None
    why: str = ""


class RedFlagTold(_Data):
    """An answer, even a doubtful or reported one, is a red flag."""

    kind: Literal["red_flag"] = "red_flag"
    item_id: str
    certain: bool
    speaker: str
    value: str | None = None


class MoveTold(_Data):
    """The middleware decided what comes next."""

    kind: Literal["move"] = "move"
    purpose: str
    item_ids: tuple[str, ...] = ()
    reason: str = ""
    text: str | None = None


LiveData = Annotated[
    CallOpened
    | UtteranceBegun
    | UtteranceSettled
    | OverlapTold
    | GateVoice
    | GateRuled
    | GateEnrolment
    | PatientSaid
    | ObligationMoved
    | RedFlagTold
    | MoveTold
    | HoldChanged
    | Trouble
    | HandoffMade
    | CallEnded,
    Field(discriminator="kind"),
]


class LiveMessage(_Data):
    """One message to a live client.

    Parameters:
        type: Tells our server messages from an application's own.
        v: Version of this form.
        n: Counts the messages of a call from 0; a number left out was lost on our side.
        seq: The journal entry it was made of.
        at_s: Seconds since the call's clock started, >= 0.
        call_id: Whose call.
        text: Whether words of the call are in it, and how.
        data: What happened.
    """

    type: Literal["pipecat-interrupt"] = MESSAGE_TYPE
    v: Literal[1] = MESSAGE_VERSION
    n: int = Field(ge=0)
    seq: int = Field(ge=0)
    at_s: float = Field(ge=0)
    call_id: str
    text: LiveText = "off"
    data: LiveData

    def as_json(self) -> dict[str, Any]:
        """Give plain JSON values; fields that are None are left out."""
        return self.model_dump(mode="json", exclude_none=True)


def live_message_schema() -> dict[str, Any]:
    """Make the JSON Schema (2020-12) of one message."""
    schema = LiveMessage.model_json_schema(mode="serialization")
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["$id"] = SCHEMA_ID
    return schema
