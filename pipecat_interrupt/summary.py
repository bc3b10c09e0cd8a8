"""One call in one object: what every command prints with ``--json`` and every page is drawn from.

Owns `CallSummary` and its JSON Schema. It is derived from records and ledger, never the other way round.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class CutSummary(_Frozen):
    """Where an utterance was cut.

    Parameters:
        chars: Characters of the written intended text that were delivered.
        words: Whole words delivered.
        ms: Milliseconds of the utterance's audio that were delivered.
        exactness: "exact" from word timings, "estimated" where the bound errs short.
    """

    chars: int = Field(ge=0)
    words: int = Field(ge=0)
    ms: float = Field(ge=0)
    exactness: Literal["exact", "estimated"]


class OverlapSummary(_Frozen):
    """Who cut in, when and how.

    Parameters:
        onset_s: Onset of the overlapping voice, seconds on the call's clock.
        kind: transitional_sub_unit, recognitional, competitive, or None where it could not be told.
        verdict: What it was judged to be.
        speaker: Whose voice: primary, inferred, unsure, third_party, agent_echo.
        words: The overlapping words as recognised; "" when there were none.
        trp: Whether the onset lay at a transition-relevance place.
    """

    onset_s: float
    kind: str | None = None
    verdict: str
    speaker: str
    words: str = ""
    trp: bool | None = None


class UtteranceSummary(_Frozen):
    """One agent utterance."""

    id: str
    intended: str
    delivered: str
    undelivered: str
    cut: CutSummary | None = None
    overlap: OverlapSummary | None = None
    started_s: float | None = None
    ended_s: float | None = None


class ObligationSummary(_Frozen):
    """One thing the call had to cover.

    Parameters:
        kind: "question" or "content_point".
        state: The ledger's state.
        closed: met, answered, declined or waived.
        evidence: What closed it, in words a person can check; None while open.
        reason: Why it is open; None when closed.
        listen_at_s: Where a person has to listen, because a recording's words are too unclear; None otherwise.
    """

    id: str
    kind: str
    critical: bool
    state: str
    closed: bool
    evidence: str | None = None
    reason: str | None = None
    listen_at_s: float | None = None


class CallSummary(_Frozen):
    """A whole call.

    Parameters:
        system: "ours", "stock", or what the caller named it.
        timings: Measured figures of the run, each with its unit in its name.
        red_flags: Items an answer raised a red flag on.
        unconfirmed_flags: Those of them that nothing certain was said to.
    """

    system: str
    call_id: str
    utterances: tuple[UtteranceSummary, ...]
    obligations: tuple[ObligationSummary, ...]
    timings: dict[str, float | int | None] = {}
    ended: str = ""
    red_flags: tuple[str, ...] = ()
    unconfirmed_flags: tuple[str, ...] = ()


def call_summary_schema() -> dict[str, Any]:
    """Give the JSON Schema of `CallSummary`."""
    return CallSummary.model_json_schema()
