"""The words of the policy: what third-party speech can be to the call, and the seam of a reader of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, runtime_checkable


class Relevance(StrEnum):
    """What a third party's words are to the call. The first four are those of the third-party study; the rest ours."""

    CORRECTION = "correction"
    ADDITION = "addition"
    CONSTRAINT = "constraint"
    SUGGESTION = "suggestion"
    ANSWER_FOR_PATIENT = "answer_for_patient"
    URGENT = "urgent"
    HANDOVER_OFFER = "handover_offer"
    IGNORABLE = "ignorable"

    @property
    def actionable(self) -> bool:
        """True for everything but IGNORABLE."""
        return self is not Relevance.IGNORABLE


@dataclass(frozen=True, slots=True)
class RelevanceReading:
    """One reading of one third-party utterance.

    Parameters:
        relevance: What it is.
        log_odds: Natural log of actionable against ignorable; 0 where the reader gives none.
        why: One short reason, no transcript text.
    """

    relevance: Relevance
    log_odds: float
    why: str


@runtime_checkable
class RelevanceReader(Protocol):
    """Reads what a third party said. Pass your own to change the criteria.

    Promises: pure, no clock, no network, never raises; what it cannot read is actionable rather than lost when it
    could matter for safety.
    """

    @property
    def name(self) -> str:
        """``name@version``."""
        ...

    def read(self, text: str, *, before: str, language: str) -> RelevanceReading:
        """Read one utterance.

        Args:
            text: What the third party said.
            before: What the patient or the agent said just before; may be empty.
            language: BCP 47 tag of the call.
        """
        ...
