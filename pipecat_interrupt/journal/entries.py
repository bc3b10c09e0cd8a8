"""What can stand in a journal: one frozen model a kind, joined by ``kind``.

Owns the schema (version 1). A reader of an old journal is never broken: kinds and optional fields may be added, nothing
may be renamed or removed without a new version.
"""

from __future__ import annotations

import hashlib
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError

from pipecat_interrupt.facts import OverlapFact, UtteranceRecord
from pipecat_interrupt.one_key import repeated_key

SCHEMA_VERSION = 1
GENESIS = "0" * 64


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class CallStarted(_Frozen):
    """The call began, or goes on with another worker; everything a reader needs to know about who spoke by which rules.

    Parameters:
        goes_on_from: Ledger events the store held when another worker took the call up; None when the call began
            here. Ledger entries before this one that are numbered from there on never reached the store: they are void.
            Utterance numbers may come again behind this entry.
    """

    kind: Literal["call_started"] = "call_started"
    pathway: str | None = None
    pathway_version: str | None = None
    language: str = "en"
    system: str = "ours"
    agent_id: str = "agent"
    model_id: str = ""
    configuration_hash: str = ""
    versions: dict[str, str] = {}
    notices: tuple[str, ...] = ()
    goes_on_from: int | None = None


class NamedItem(_Frozen):
    """One obligation of the pathway.

    Parameters:
        id: As in every ledger event.
        item: "question" or "point".
        critical: Whether losing it is a hazard.
        wording: The pathway's own wording in the call's language; not words of the call.
    """

    id: str
    item: Literal["question", "point"]
    critical: bool
    wording: str


class PathwayNamed(_Frozen):
    """What the call had to cover, in the pathway's order, so that a reader of the journal needs no pathway file."""

    kind: Literal["pathway_named"] = "pathway_named"
    title: str
    items: tuple[NamedItem, ...] = ()


class UtteranceStarted(_Frozen):
    """The first audio of an agent utterance was written to the listener."""

    kind: Literal["utterance_started"] = "utterance_started"
    utterance_id: str
    intended: str


class UtteranceEnded(_Frozen):
    """One agent utterance is over: what was intended, delivered and cut."""

    kind: Literal["utterance"] = "utterance"
    record: UtteranceRecord


class OverlapJudged(_Frozen):
    """Two voices at once: the fact and the verdict on it."""

    kind: Literal["overlap"] = "overlap"
    overlap: OverlapFact


class PatientTurn(_Frozen):
    """Words of the far end as recognised, and whose they were held to be.

    Parameters:
        by_voice: A speaker gate knew the voice.
        spoken_s: When the voice had ended, on the call's clock, where the recogniser tells.
        unconfirmed: The recogniser never confirmed the words, or they came out of a stall of the line: what they say
            closes nothing before it is confirmed.
    """

    kind: Literal["patient_turn"] = "patient_turn"
    text: str
    speaker: str
    onset_utterance_id: str | None = None
    heard_chars_at_onset: int | None = None
    partial: bool = False
    by_voice: bool = False
    spoken_s: float | None = None
    unconfirmed: bool = False


class LedgerMoved(_Frozen):
    """One event of the ledger, in the ledger's own form."""

    kind: Literal["ledger"] = "ledger"
    event: dict[str, Any]


class GateVoice(_Frozen):
    """The gate's final verdict on one turn of the caller; scores and times only, no sound and no embedding.

    Parameters:
        onset_s: Start of the turn's sound, seconds on the call's clock.
        ended_s: Its end.
        voices: Voice of each stretch, in order.
        reasons: The ground of each.
        scores: Score of each, in [-1, 1]; None where nothing was scored.
        change_times_s: Where the voice changed, seconds from `onset_s`.
        speech_s: Seconds of speech.
        flips: Decisions taken back inside the turn.
        verdict_ms: From the end of the turn to its verdict, ms.
    """

    kind: Literal["gate_voice"] = "gate_voice"
    onset_s: float
    ended_s: float
    voices: tuple[str, ...]
    reasons: tuple[str, ...] = ()
    scores: tuple[float | None, ...] = ()
    change_times_s: tuple[float, ...] = ()
    speech_s: float = Field(default=0.0, ge=0)
    flips: int = Field(default=0, ge=0)
    verdict_ms: float = Field(default=0.0, ge=0)


class GateWords(_Frozen):
    """What the gate did with one voice's words.

    Parameters:
        words: The words as recognised.
        standing: How they count: primary, inferred, assumed, unsure, confirm, third_party, likely_other, agent_echo.
        action: pass, pass_marked, attribute, alert, ignore, drop_echo, ask_who.
        relevance: What third-party words are to the call; None otherwise.
        reason: The ground of the voice decision.
        handover: offered, granted or taken_back; None otherwise.
    """

    kind: Literal["gate_words"] = "gate_words"
    words: str
    standing: str
    action: str
    relevance: str | None = None
    reason: str = ""
    handover: str | None = None


class GateEnrolment(_Frozen):
    """How far the enrolment of the primary speaker is.

    Parameters:
        status: declined, collecting, provisional, confirmed or given_up.
        seconds: Speech enrolled or collected, seconds.
        refusal: Why a stretch was not taken; None when it was.
    """

    kind: Literal["gate_enrolment"] = "gate_enrolment"
    status: str
    seconds: float = Field(ge=0)
    refusal: str | None = None


class MoveMade(_Frozen):
    """The middleware decided what comes next."""

    kind: Literal["move"] = "move"
    purpose: str
    item_ids: tuple[str, ...] = ()
    text: str = ""
    reason: str = ""


class NoteGiven(_Frozen):
    """The model was told what was cut and what is open."""

    kind: Literal["note"] = "note"
    text: str


class HoldChanged(_Frozen):
    """The agent's audio was held, resumed or dropped."""

    kind: Literal["hold"] = "hold"
    action: str
    reason: str
    outstanding_ms: float = 0.0


class Trouble(_Frozen):
    """Something of ours failed and fell to its safe side; no transcript text."""

    kind: Literal["trouble"] = "trouble"
    where: str
    error: str
    safe_side: str


class OpenObligation(_Frozen):
    """One obligation that the call leaves open; no transcript text."""

    item_id: str
    kind: Literal["question", "point"]
    critical: bool
    red_flag: bool = False
    reason: str
    attempts: int = Field(default=0, ge=0)
    escalation: str | None = None


class HandoffMade(_Frozen):
    """What became of every obligation, by id; the hand-off itself, with its words, is a document of its own.

    Parameters:
        end_reason: Why the call ended.
        complete: Nothing is open.
        open_items: What is open and why, red flags first, then critical items.
        answered: Questions answered.
        delivered: Points that were heard.
        set_aside: Declined or waived.
        red_flags: Red-flag answers, however doubtful.
        requests: Requests about the call, such as "person".
    """

    kind: Literal["handoff"] = "handoff"
    end_reason: str
    complete: bool
    open_items: tuple[OpenObligation, ...] = ()
    answered: tuple[str, ...] = ()
    delivered: tuple[str, ...] = ()
    set_aside: tuple[str, ...] = ()
    red_flags: tuple[str, ...] = ()
    requests: tuple[str, ...] = ()


class CallEnded(_Frozen):
    """The call is over and the hand-off was written."""

    kind: Literal["call_ended"] = "call_ended"
    reason: str
    handoff_sha256: str = ""
    open_items: tuple[str, ...] = ()


Payload = Annotated[
    CallStarted
    | PathwayNamed
    | UtteranceStarted
    | UtteranceEnded
    | OverlapJudged
    | PatientTurn
    | LedgerMoved
    | MoveMade
    | NoteGiven
    | HoldChanged
    | GateVoice
    | GateWords
    | GateEnrolment
    | Trouble
    | HandoffMade
    | CallEnded,
    Field(discriminator="kind"),
]


class JournalEntry(_Frozen):
    """One line of a journal.

    Parameters:
        v: Schema version.
        seq: Position in the call's journal, from 0, without gaps.
        at_s: Seconds since the call's clock started, >= 0.
        call_id: Whose call.
        data: The typed payload.
        previous: Digest of the entry before, 64 hex digits; `GENESIS` for the first.
        digest: SHA-256 over every field above in canonical JSON.
    """

    v: Literal[1] = SCHEMA_VERSION
    seq: int = Field(ge=0)
    at_s: float = Field(ge=0)
    call_id: str
    data: Payload
    previous: str
    digest: str = ""

    def computed_digest(self) -> str:
        """Compute what `digest` must be."""
        body = self.model_dump_json(exclude={"digest"})
        return hashlib.sha256(body.encode()).hexdigest()

    def written_digest(self) -> str:
        """Compute the digest over the fields that stood in the line this entry was read from.

        A journal written before an optional field existed was sealed without it; its chain must hold all the same.
        """
        body = self.model_dump_json(exclude={"digest"}, exclude_unset=True)
        return hashlib.sha256(body.encode()).hexdigest()

    @classmethod
    def from_line(cls, line: str | bytes) -> JournalEntry:
        """Read one line of a journal.

        Raises:
            ValidationError: It is not an entry, or a key stands twice in one of its objects: the digest covers only
                the second, and the first could say anything.
        """
        entry, twice = cls.model_validate_json(line), repeated_key(line)
        if twice is not None:
            kind = PydanticCustomError("repeated_key", "the key stands twice in one object")
            raise ValidationError.from_exception_data(
                cls.__name__, [InitErrorDetails(type=kind, loc=(twice,), input=None)]
            )
        return entry

    @classmethod
    def sealed(cls, *, seq: int, at_s: float, call_id: str, data: BaseModel, previous: str) -> JournalEntry:
        """Make an entry with its digest filled in."""
        bare = cls(seq=seq, at_s=round(at_s, 6), call_id=call_id, data=data, previous=previous)  # pyright: ignore[reportArgumentType] - pydantic checks the union
        return bare.model_copy(update={"digest": bare.computed_digest()})


def entry_schema() -> dict[str, Any]:
    """Give the JSON Schema of one journal line."""
    return TypeAdapter(JournalEntry).json_schema()
