"""What happened, as values: the cut, the overlap, the utterance record. Version 1 of each.

Owns the words in which the rooms talk about what was heard. It must never decide anything: the numbers come from
`delivery` and `carrier`, the verdicts from `overlap`.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

Exactness = Literal["exact", "estimated"]
"""Where a position comes from: word timings and boundaries of the audio itself, or an estimate that errs short."""

OverlapKindName = Literal["transitional_sub_unit", "recognitional", "competitive"]
"""The three kinds of overlap of the clinical-interruptions paper (seed 000, section 3.1)."""

VerdictName = Literal[
    "backchannel",
    "hesitation",
    "stop_request",
    "correction",
    "topic_shift",
    "answer",
    "question",
    "repair_request",
    "noise",
    "echo",
    "third_party",
    "undecided",
]
"""What an overlap was judged to be."""

SpeakerName = Literal["primary", "inferred", "unsure", "third_party", "agent_echo"]
"""Whose voice; *inferred* is the last decided voice of the call, taken when a reply is too short to score."""

EndReason = Literal["complete", "interruption", "end", "hang_up", "lost"]
"""How an utterance ended: heard to its end, cut by the far end, cut by a planned end of the call, cut because the line
dropped (or the pipeline was cancelled), or its audio never came."""

TimingShape = Literal["word_timings", "inline", "streaming", "none"]
"""What the voice gave to account with: timed words, audio between its sentences, audio alone, or no audio at all."""


def _plain(value: object) -> object:
    """Turn a `StrEnum` member into its plain string, so that a record is the same whoever filled it in."""
    return str(value) if isinstance(value, str) else value


_Verdict = Annotated[VerdictName, BeforeValidator(_plain)]
_Kind = Annotated[OverlapKindName, BeforeValidator(_plain)]
_Speaker = Annotated[SpeakerName, BeforeValidator(_plain)]


class _Fact(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Cut(_Fact):
    """Where the listener lost an utterance: the boundary between delivered and undelivered.

    Parameters:
        chars: Length of the delivered prefix of the written intended text, in characters.
        words: Whole words in that prefix; a character of Chinese or Japanese counts as one.
        ms: Audio of the utterance that reached the ear, in milliseconds, >= 0.
        exactness: "exact" from word timings or a sentence's own end, else "estimated".
        bound_words: How many words more than `words` may have been heard at most. The record never claims more than
            was heard beyond the published precision (docs/metrics/delivery.md); it may claim up to this many fewer.
        extent: "unknown" when there is audio or text but nothing to place the cut with; delivered is empty then.
        partial_text: The written word, number or date that was begun and not finished; "" when the cut fell between.
        partial_spoken: What was spoken of `partial_text`, as far as timings tell; never evidence that it was conveyed.
    """

    chars: int = Field(ge=0)
    words: int = Field(ge=0)
    ms: float = Field(ge=0)
    exactness: Exactness
    bound_words: int = Field(default=0, ge=0)
    extent: Literal["known", "unknown"] = "known"
    partial_text: str = ""
    partial_spoken: str = ""


class OverlapFact(_Fact):
    """Two voices at once: the fact with its time, and the verdict on it.

    Parameters:
        onset_s: Onset of the far end's voice, seconds on the call's clock.
        onset_ms_into_utterance: Audio of the agent's utterance heard at the onset, ms; None when nothing was audible.
        kind: transitional_sub_unit, recognitional, competitive; None when it could not be told.
        trp: Whether the onset lay at a transition-relevance place; None when it could not be told.
        verdict: What the overlap was judged to be.
        speaker: Whose voice it was held to be.
        words: The overlapping words as recognised; "" when there were none.
        utterance_id: The agent's utterance it fell into; None when the agent was silent.
        heard_chars_at_onset: Characters of that utterance delivered at the onset; None when nothing was audible.
        ended_s: End of the far end's voice; None when it was not seen.
        decided_s: When the verdict settled; None while undecided.
        reason: Name of the rule or model that gave the verdict: static text, never words of the call.
    """

    version: Literal[1] = 1
    onset_s: float
    onset_ms_into_utterance: float | None = Field(default=None, ge=0)
    kind: _Kind | None = None
    trp: bool | None = None
    verdict: _Verdict = "undecided"
    speaker: _Speaker = "unsure"
    words: str = ""
    utterance_id: str | None = None
    heard_chars_at_onset: int | None = Field(default=None, ge=0)
    ended_s: float | None = None
    decided_s: float | None = None
    reason: str = ""


class UtteranceRecord(_Fact):
    """One agent utterance: what was intended, what was delivered, where it was cut, by whom.

    Parameters:
        id: Unique within the call.
        intended: The written text meant to be spoken, outer white space removed; skipped blocks are not part of it.
        delivered: The prefix of `intended` that reached the ear.
        undelivered: The rest; `delivered + undelivered == intended`, character for character.
        cut: Where it was cut; None when it was heard to its end.
        overlap: The overlap that cut it; None when nobody did, or when the verdict came from elsewhere.
        llm_complete: False when the model itself was stopped, so that `intended` is only what it had written.
        started_s: When the first audio reached the output, seconds on the pipeline's clock; None when none did.
        ended_s: When the record was settled, same clock.
        protected: Whether an interruption was not allowed to drop it.
        source: "llm" for a reply of the model, "speak" for a fixed wording (`TTSSpeakFrame`).
        end_reason: How it ended.
        destination: Output destination; None is the default one.
        append_to_context: Whether it belongs into the model's history.
        shape: What the account rests on.
        generated_ms: Audio the voice produced for it, ms.
        written_ms: Audio of it written to the output, ms.
        agent_id: Who spoke.
        model_id: Which model wrote it; "" for a fixed wording or when unknown.
        configuration_hash: Which configuration ran.
        context_id: Pipecat's id of the synthesis; None when the voice never took it up.
    """

    version: Literal[1] = 1
    id: str
    intended: str
    delivered: str
    undelivered: str
    cut: Cut | None = None
    overlap: OverlapFact | None = None
    llm_complete: bool = True
    started_s: float | None = None
    ended_s: float | None = None
    protected: bool = False
    source: Literal["llm", "speak"] = "llm"
    end_reason: EndReason = "complete"
    destination: str | None = None
    append_to_context: bool = True
    shape: TimingShape = "none"
    generated_ms: float = Field(default=0.0, ge=0)
    written_ms: float = Field(default=0.0, ge=0)
    agent_id: str = "agent"
    model_id: str = ""
    configuration_hash: str = ""
    context_id: str | None = None

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        """Hold the promises: nothing outside the intended text, nothing lost, a cut that says what the texts say."""
        if self.delivered + self.undelivered != self.intended:
            raise ValueError("delivered + undelivered must equal intended, character for character")
        if self.cut is None and self.undelivered:
            raise ValueError("text was left undelivered, so the record needs its cut")
        if self.cut is not None and self.cut.chars != len(self.delivered):
            raise ValueError(f"the cut is after {self.cut.chars} characters but {len(self.delivered)} were delivered")
        if self.cut is not None and self.end_reason == "complete":
            raise ValueError("an utterance that was heard to its end has no cut")
        return self

    @property
    def heard_whole(self) -> bool:
        """Whether the listener heard all that was intended, and the model had finished writing it."""
        return not self.undelivered and self.llm_complete

    def with_overlap(self, overlap: OverlapFact | None) -> UtteranceRecord:
        """Give the same record with the overlap that cut it."""
        return self.model_copy(update={"overlap": overlap})

    @classmethod
    def split(cls, intended: str, delivered_chars: int) -> tuple[str, str]:
        """Split a written text at a character position into delivered and undelivered."""
        return intended[:delivered_chars], intended[delivered_chars:]
