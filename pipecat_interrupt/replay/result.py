"""What a replay of one call found, as one frozen document: what every command prints and every page is drawn from.

Owns the schema (version 1) and the words *asked*, *answered*, *lost*, *unclear* of a replay. Derived from facts and
ledger, never the other way round.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from pipecat_interrupt.summary import CallSummary

PhaseName = Literal["history_taking", "faq", "summary", "other"]
"""Conversational phases of seed 000, Appendix A; *other* is what a pathway holds no words for."""

Outcome = Literal["closed", "unanswered", "lost", "unclear"]
"""closed: met, answered, declined or waived. unanswered: the question was heard, no answer counts. lost: the words that
are owed did not reach the ear whole. unclear: they were spoken about in words that the recogniser garbled; a person has
to listen. Neither conveyed nor lost, and as open as a lost one."""


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class NoteRow(_Model):
    """Something a reader must know of the file."""

    code: str
    text: str
    at_s: float | None = None


class OverlapRow(_Model):
    """One overlap of the far end over the agent.

    Parameters:
        phase: Where in the conversation the agent was.
        takes_floor: Whether it was judged to take the floor; None where a journal does not say.
    """

    onset_s: float
    ended_s: float | None
    kind: str | None
    trp: bool | None
    verdict: str
    speaker: str
    words: str
    reason: str
    utterance_id: str | None
    takes_floor: bool | None
    phase: PhaseName


class AgentOverlapRow(_Model):
    """The agent came in while the far end spoke: a fact that seed 000's kinds do not name."""

    onset_s: float
    end_s: float
    utterance_id: str


class ObligationRow(_Model):
    """One obligation at the end.

    Parameters:
        outcome: See `Outcome`.
        begun: Some of its words were heard.
        value: The answer, if there is one.
        detail: Why it is open, in the hand-off's words; "" when closed.
        listen_at_s: Where a person has to listen, seconds on the recording; only of an unclear one.
    """

    id: str
    group: str
    kind: Literal["question", "content_point"]
    critical: bool
    state: str
    outcome: Outcome
    begun: bool
    value: str | None = None
    detail: str = ""
    listen_at_s: float | None = None


class DifferenceRow(_Model):
    """A derived fact that a journal's replay gives otherwise than live did."""

    what: str
    where: str
    live: str
    again: str


class CallResult(_Model):
    """A replayed call.

    Parameters:
        sources: Names of the files it was made from.
        inputs_sha256: Over their contents, in order.
        settings: Digest of the replay's settings.
        recogniser: What made the words; "" when a transcript was given.
        agent_s: Seconds of the agent's utterances.
        far_s: Seconds of the far end's stretches.
        compared: Facts compared with live, by kind; {} unless a journal was replayed.
    """

    form: Literal["pipecat-interrupt-replay"] = "pipecat-interrupt-replay"
    version: Literal[1] = 1
    call_id: str
    sources: tuple[str, ...]
    inputs_sha256: str = ""
    settings: str = ""
    recogniser: str = ""
    pathway: str | None = None
    pathway_version: str | None = None
    language: str
    duration_s: float
    agent_s: float
    far_s: float
    ended: str
    notes: tuple[NoteRow, ...] = ()
    overlaps: tuple[OverlapRow, ...] = ()
    agent_overlaps: tuple[AgentOverlapRow, ...] = ()
    obligations: tuple[ObligationRow, ...] = ()
    compared: dict[str, int] = {}
    differences: tuple[DifferenceRow, ...] = ()
    summary: CallSummary

    @property
    def lost(self) -> tuple[ObligationRow, ...]:
        """Obligations whose words did not reach the ear whole."""
        return tuple(row for row in self.obligations if row.outcome == "lost")

    @property
    def lost_critical(self) -> tuple[str, ...]:
        """Ids of the lost ones that are critical."""
        return tuple(row.id for row in self.lost if row.critical)

    @property
    def unclear(self) -> tuple[ObligationRow, ...]:
        """Obligations that the recogniser's words tell too little of: somebody has to listen."""
        return tuple(row for row in self.obligations if row.outcome == "unclear")

    @property
    def unclear_critical(self) -> tuple[str, ...]:
        """Ids of the unclear ones that are critical."""
        return tuple(row.id for row in self.unclear if row.critical)


def replay_schema() -> dict[str, Any]:
    """Give the JSON Schema of a replayed call."""
    return CallResult.model_json_schema()
