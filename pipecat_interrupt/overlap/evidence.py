"""What is known about one overlap at one moment: values only, no Pipecat, no clock.

Owns the words of overlap judgement (evidence in, fact and verdict out). It must never decide anything: rules live in
`judge`, `kinds` and `echo`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar


class Speaker(StrEnum):
    """Whose voice the overlapping speech is; `None` elsewhere means that nobody asked."""

    PRIMARY = "primary"
    THIRD_PARTY = "third_party"
    AGENT_ECHO = "agent_echo"
    UNSURE = "unsure"


class TextStatus(StrEnum):
    """How far the recogniser has come with this overlap."""

    NONE = "none"
    """Nothing yet: more may come."""
    INTERIM = "interim"
    """Words that may still change or grow."""
    FINAL = "final"
    """The words of a closed segment."""
    EMPTY = "empty"
    """A closed segment that gave no words."""


class Verdict(StrEnum):
    """What the overlap was. Only `takes_floor` of the `Judgement` says whether the agent must yield."""

    BACKCHANNEL = "backchannel"
    HESITATION = "hesitation"
    STOP_REQUEST = "stop_request"
    CORRECTION = "correction"
    TOPIC_SHIFT = "topic_shift"
    ANSWER = "answer"
    QUESTION = "question"
    REPAIR_REQUEST = "repair_request"
    NOISE = "noise"
    ECHO = "echo"
    THIRD_PARTY = "third_party"
    UNDECIDED = "undecided"


class OverlapKind(StrEnum):
    """The three kinds of overlap of seed 000 section 3.1."""

    TRANSITIONAL_SUB_UNIT = "transitional_sub_unit"
    RECOGNITIONAL = "recognitional"
    COMPETITIVE = "competitive"


@dataclass(frozen=True, slots=True)
class TimedWord:
    """One recognised word.

    Parameters:
        text: The word as the recogniser wrote it.
        start_s: Seconds from the overlap's onset to its start; None when the recogniser gives no times.
        end_s: Seconds from the onset to its end; a word is known only from then on.
    """

    text: str
    start_s: float | None = None
    end_s: float | None = None


@dataclass(frozen=True, slots=True)
class AgentFloor:
    """Where the agent was in its utterance.

    Parameters:
        audible: Whether the agent could be heard when the overlap began.
        delivered_text: Text of the current utterance heard so far.
        remaining_text: Text of the current utterance not yet heard; what the model has not written yet is unknown.
        question_open: Whether a question of the agent waits for an answer, or is being asked.
        focus_heard: Whether the words that make this question answerable have been heard.
        recent_text: What the agent said lately, newest last, for the echo check (this utterance and just before).
    """

    audible: bool = True
    delivered_text: str = ""
    remaining_text: str = ""
    question_open: bool = False
    focus_heard: bool = False
    recent_text: str = ""


@dataclass(frozen=True, slots=True)
class CallerBefore:
    """The same caller's overlap before this one: who has just listened will listen again.

    Parameters:
        since_s: Seconds from its end to this onset, >= 0.
        listened: Whether its words did nothing but listen.
        recent: How many overlaps of theirs began in the `WINDOW_S` before this onset.
    """

    WINDOW_S: ClassVar[float] = 15.0

    since_s: float
    listened: bool
    recent: int = 1


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that is known about an overlap at one moment.

    Parameters:
        words: Words so far, in order.
        status: How far the recogniser has come.
        since_onset_s: Seconds since the overlap's onset, >= 0.
        voiced_s: Seconds of voice in the overlap so far; None when nothing measured it.
        speech_active: Whether the voice still goes on.
        floor: Where the agent was when the overlap began.
        speaker: Whose voice it is; None when no gate is present.
        key_pressed: A telephone key ("1", "*"), else None.
        language: BCP 47 tag of the words ("en", "pt-PT"); None when unknown.
        before: The caller's overlap before this one; None when there was none or nobody counts.
    """

    words: tuple[TimedWord, ...] = ()
    status: TextStatus = TextStatus.NONE
    since_onset_s: float = 0.0
    voiced_s: float | None = None
    speech_active: bool = False
    floor: AgentFloor = AgentFloor()
    speaker: Speaker | None = None
    key_pressed: str | None = None
    language: str | None = None
    before: CallerBefore | None = None

    @property
    def text(self) -> str:
        """The words so far, joined by blanks."""
        return " ".join(word.text for word in self.words)


def words_of(text: str) -> tuple[TimedWord, ...]:
    """Split a transcript without times into words."""
    return tuple(TimedWord(part) for part in text.split())


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on an overlap, as far as it can be given.

    Parameters:
        verdict: What the overlap was.
        takes_floor: Whether the agent must yield.
        settled: False while more evidence may still change it; the caller waits then, within its own bounds.
        reason: Name of the rule or model that spoke, for the log: static text, never the words themselves.
        floor_score: The model's probability in [0, 1] that the floor is taken; None when no model was asked.
    """

    verdict: Verdict
    takes_floor: bool
    settled: bool
    reason: str
    floor_score: float | None = None


FLOOR_TAKING = frozenset(
    {
        Verdict.STOP_REQUEST,
        Verdict.CORRECTION,
        Verdict.TOPIC_SHIFT,
        Verdict.ANSWER,
        Verdict.QUESTION,
        Verdict.REPAIR_REQUEST,
    }
)
"""Verdicts that always take the floor."""

FLOOR_LEAVING = frozenset({Verdict.BACKCHANNEL, Verdict.NOISE, Verdict.ECHO, Verdict.THIRD_PARTY})
"""Verdicts that never take the floor. Hesitation and undecided depend on what else is known."""
