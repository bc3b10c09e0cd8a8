"""What can stand in a journal: one frozen model a kind, joined by ``kind``.

Owns the schema (version 1). A reader of an old journal is never broken: kinds and optional fields may be added, nothing
may be renamed or removed without a new version.
"""

from __future__ import annotations

import hashlib
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from pipecat_interrupt.facts import OverlapFact, UtteranceRecord

SCHEMA_VERSION = 1
GENESIS = "0" * 64


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class CallStarted(_Frozen):
    """The call began; everything a reader needs to know about who spoke by which rules."""

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
    """Words of the far end as recognised, and whose they were held to be."""

    kind: Literal["patient_turn"] = "patient_turn"
    text: str
    speaker: str
    onset_utterance_id: str | None = None
    heard_chars_at_onset: int | None = None
    partial: bool = False


class LedgerMoved(_Frozen):
    """One event of the ledger, in the ledger's own form."""

    kind: Literal["ledger"] = "ledger"
    event: dict[str, Any]


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


class CallEnded(_Frozen):
    """The call is over and the hand-off was written."""

    kind: Literal["call_ended"] = "call_ended"
    reason: str
    handoff_sha256: str = ""
    open_items: tuple[str, ...] = ()


Payload = Annotated[
    CallStarted
    | UtteranceStarted
    | UtteranceEnded
    | OverlapJudged
    | PatientTurn
    | LedgerMoved
    | MoveMade
    | NoteGiven
    | HoldChanged
    | Trouble
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

    @classmethod
    def sealed(cls, *, seq: int, at_s: float, call_id: str, data: BaseModel, previous: str) -> JournalEntry:
        """Make an entry with its digest filled in."""
        bare = cls(seq=seq, at_s=round(at_s, 6), call_id=call_id, data=data, previous=previous)  # pyright: ignore[reportArgumentType] - pydantic checks the union
        return bare.model_copy(update={"digest": bare.computed_digest()})


def entry_schema() -> dict[str, Any]:
    """Give the JSON Schema of one journal line."""
    return TypeAdapter(JournalEntry).json_schema()
