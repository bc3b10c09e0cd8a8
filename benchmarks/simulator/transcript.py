"""The call as its participants have it: what the patient heard, what the agent meant to say.

Owns the difference between the two. Judges get `heard_transcript` and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field


class Speaker(StrEnum):
    """Who speaks a turn."""

    AGENT = "agent"
    PATIENT = "patient"


class AgentTurn(BaseModel):
    """One agent utterance.

    Parameters:
        speaker: Always the agent.
        intended: The whole text, before any cut.
        delivered: What sounded at the patient's ear: the truth of the run, a word-boundary prefix of `intended`.
        cut_chars: Length of `delivered` when it was cut, else None.
        cut_words: Words of `delivered` when it was cut, else None.
        planned_cut_chars: Where the simulator wanted the cut; later delivery shows how late the agent stopped.
        placement_source: Who placed the cut: "model", "rule" or "fallback"; "" when not interrupted.
        claimed_delivered: What the system's own record says was delivered; None when it keeps none.
        yield_latency_s: Onset to the last audible sample; None when not interrupted, not stopped, or without time.
        closes_call: Whether the agent ended the call with this turn.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    speaker: Speaker = Speaker.AGENT
    intended: str
    delivered: str
    cut_chars: int | None = Field(default=None, ge=0)
    cut_words: int | None = Field(default=None, ge=0)
    planned_cut_chars: int | None = Field(default=None, ge=0)
    placement_source: str = ""
    claimed_delivered: str | None = None
    yield_latency_s: float | None = None
    closes_call: bool = False

    @property
    def was_cut(self) -> bool:
        """Whether the patient heard less than was intended."""
        return self.cut_chars is not None

    @property
    def heard(self) -> str:
        """What the patient heard."""
        return self.delivered


class PatientTurn(BaseModel):
    """One patient turn.

    Parameters:
        speaker: Always the patient.
        text: The words.
        interrupts: Whether it began while the agent was speaking.
        source: "normal", or the turn mode of an interruption: "directive", "free", "hard_coded".
        hangs_up: Whether the patient says goodbye: the agent has one more turn, then the line is dead.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    speaker: Speaker = Speaker.PATIENT
    text: str
    interrupts: bool = False
    source: str = "normal"
    hangs_up: bool = False

    @property
    def heard(self) -> str:
        """The words."""
        return self.text


Turn = AgentTurn | PatientTurn


class HeardTurn(BaseModel):
    """One turn of the patient-side transcript.

    Parameters:
        speaker: Who spoke.
        text: What sounded at the patient's ear.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    speaker: Speaker
    text: str


def heard_transcript(turns: Sequence[Turn]) -> tuple[HeardTurn, ...]:
    """Give the patient-side transcript: fragments stand as they were heard, nothing marks a cut."""
    return tuple(HeardTurn(speaker=turn.speaker, text=turn.heard) for turn in turns if turn.heard.strip())


def write_transcript(turns: Sequence[HeardTurn]) -> str:
    """Write a patient-side transcript as text, one turn a line."""
    return "\n".join(f"{turn.speaker.value.capitalize()}: {turn.text}" for turn in turns)
