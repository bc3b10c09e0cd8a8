"""The facts of a call, as frozen events: the only things that enter the ledger, and all it is made of.

Owns the persisted form (JSON, one object an event, `v` = schema version). Two families: *facts of the call* (what was
spoken, heard, said) and *steps of items* (what that did to one obligation). Times are seconds on the call's own
clock.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from obligations.answers.protocol import ReplySpeaker
from obligations.ledger.states import Step

SCHEMA_VERSION = 1
WORD_RULES = "word-rules"
"""Stands in a fact for the lists of words beside which a trained reader may stand."""

Seq = Annotated[int, Field(ge=0)]
Chars = Annotated[int, Field(ge=0)]
Exactness = Literal["exact", "estimated"]


class _Event(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    v: Literal[1] = 1
    seq: Seq
    at_s: float


class WordingSpan(BaseModel):
    """Where an utterance's intended text holds an item or a phrase in own wording (half-open characters).

    Parameters:
        id: Item id, or ``phrase:NAME``.
        start: First character.
        end: One past the last character of the wording.
        need_end: One past the last character that must be heard: the end of a question's focus, else `end`.
        own: The pathway's own wording; False for a question known only by its focus words.
        bent_from: Who has heard more than these characters was asked another question (a condition before it, a
            question behind it); None when the words around it leave it as it is.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    start: Chars
    end: Chars
    need_end: Chars
    own: bool = True
    bent_from: Chars | None = None


class Evidence(BaseModel):
    """The characters of one utterance that were heard and count.

    Parameters:
        utterance_id: The utterance.
        start: First character, in its intended text.
        end: One past the last character.
        quote: Those characters.
        by: "own-wording", or the ``name@version`` of a matcher.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    utterance_id: str
    start: Chars
    end: Chars
    quote: str
    by: str = "own-wording"


class CallBegan(_Event):
    """The first event: which call, and which obligations."""

    kind: Literal["call_began"] = "call_began"
    call_id: str
    pathway_id: str
    pathway_version: str
    pathway_digest: str
    language: str


class PhaseBegan(_Event):
    """A phase began; its groups' items become owed by steps that follow."""

    kind: Literal["phase_began"] = "phase_began"
    phase: Literal["opening", "main", "closing"]


class Intended(_Event):
    """A text was handed to the voice. Moves no item.

    Parameters:
        spans: The items and phrases found in it in own wording.
        counted: It counts as an attempt; False for a repetition the patient asked for.
    """

    kind: Literal["intended"] = "intended"
    utterance_id: str
    text: str
    spans: tuple[WordingSpan, ...] = ()
    counted: bool = True


class Started(_Event):
    """The first audio of an utterance was heard: an attempt at each item in it, unless the patient had asked for it."""

    kind: Literal["started"] = "started"
    utterance_id: str


class Delivered(_Event):
    """An utterance ended: so much of it was heard.

    Parameters:
        delivered_chars: Characters played, as measured.
        heard_chars: Characters that count as evidence (measured less the margin).
    """

    kind: Literal["delivered"] = "delivered"
    utterance_id: str
    delivered_chars: Chars
    heard_chars: Chars
    complete: bool
    interrupted: bool
    exactness: Exactness


class Replied(_Event):
    """Somebody said something.

    Parameters:
        speaker: Whose voice it is attributed to.
        label: A name for that voice, such as "S"; "" when there is none.
        onset_during: The utterance it began in; None when it began in silence.
        heard_chars_at_onset: How much of that utterance counts as heard at its onset; None when unknown.
        backchannel: Judged a listening sound.
        holding: The speaker keeps the floor or asks for time; the pending question stays pending.
        intents: What else the words do, such as "repeat" or "goodbye" (see `obligations.tracker.intents`).
        told: The words say more than those intents ("Yes, it hurts, I have to go").
        whose_by: What told that somebody other than the patient speaks, `WORD_RULES` or ``name@version``; "" where
            nothing of this reply did.
        unconfirmed: The words are in doubt, as in `obligations.tracker.Reply`.
    """

    kind: Literal["replied"] = "replied"
    reply_id: str
    text: str
    speaker: ReplySpeaker
    label: str = ""
    onset_during: str | None = None
    heard_chars_at_onset: Chars | None = None
    backchannel: bool = False
    holding: bool = False
    intents: tuple[str, ...] = ()
    told: bool = False
    whose_by: str = ""
    unconfirmed: bool = False


class ItemStep(_Event):
    """Something happened to one item.

    Parameters:
        item_id: The item.
        step: Which row of the table.
        evidence: The heard words (steps `heard`, `part_heard`, `mistold` and `retracted`).
        cut_at: The last words heard before a cut (steps `cut` and `part_heard`); "" when none was heard.
        value: The answer: "yes", "no" or a value (steps `answered`, `doubted`, `reported`).
        speaker: Whose voice gave it.
        label: A name for that voice.
        reply_id: The reply it rests on.
        confirmed_by: The reply of the primary speaker that confirmed somebody else's report.
        reported_by: A name for the voice whose report was confirmed.
        by: The reader or matcher it rests on, ``name@version``.
        why: One short reason; no transcript text.
    """

    kind: Literal["item_step"] = "item_step"
    item_id: str
    step: Step
    evidence: tuple[Evidence, ...] = ()
    cut_at: str = ""
    value: str | None = None
    speaker: ReplySpeaker | None = None
    label: str = ""
    reply_id: str | None = None
    confirmed_by: str | None = None
    reported_by: str | None = None
    by: str = ""
    why: str = ""


class ConfirmAsked(_Event):
    """The one confirmation of a doubtful or reported answer was spoken."""

    kind: Literal["confirm_asked"] = "confirm_asked"
    item_id: str
    utterance_id: str


class RedFlagRaised(_Event):
    """An answer, even a doubtful or reported one, is a red flag.

    Parameters:
        item_id: The question; "emergency" for what was told unasked and no question of the pathway asks.
        value: The answer; the kind of emergency for the latter.
        reply_id: The reply it rests on; "" for the words that the end of the call cut off (`WordsLeft` before it).
        by: What raised it: `WORD_RULES` or ``name@version`` for what was told unasked; "" for an answer, whose step
            names its reader.
    """

    kind: Literal["red_flag_raised"] = "red_flag_raised"
    item_id: str
    value: str
    speaker: ReplySpeaker
    label: str = ""
    reply_id: str
    certain: bool
    by: str = ""


class FaqAsked(_Event):
    """The patient asked something the pathway answers."""

    kind: Literal["faq_asked"] = "faq_asked"
    group_id: str
    reply_id: str


class QuestionNoted(_Event):
    """Somebody asked something the pathway does not answer."""

    kind: Literal["question_noted"] = "question_noted"
    text: str
    reply_id: str
    speaker: ReplySpeaker


class SignalGiven(_Event):
    """Something outside decided a precondition, such as a voicemail detector."""

    kind: Literal["signal_given"] = "signal_given"
    precondition_id: str
    holds: bool


class SignalAwaited(_Event):
    """The agent says nothing until something outside has decided this precondition, or until a time.

    Parameters:
        until_s: On the call's clock; then the agent speaks, and every other precondition still holds it.
    """

    kind: Literal["signal_awaited"] = "signal_awaited"
    precondition_id: str
    until_s: float


class PartyChanged(_Event):
    """Another person came to the telephone; what the one before was told in the opening is told again.

    Parameters:
        reply_id: The first words of the new one.
    """

    kind: Literal["party_changed"] = "party_changed"
    reply_id: str


class KeyPressed(_Event):
    """A telephone key was pressed where words are expected; which one is not kept, as it may be part of a number."""

    kind: Literal["key_pressed"] = "key_pressed"


class TransferTried(_Event):
    """The call was to be put through to a person.

    Parameters:
        reason: "wants_person" or "red_flag".
        escalation: Who was asked for, by the pathway; None for anybody of the team.
        accepted: The carrier took it.
        detail: Why it did not, in a few words; no transcript text.
    """

    kind: Literal["transfer_tried"] = "transfer_tried"
    reason: Literal["wants_person", "red_flag"]
    escalation: str | None = None
    accepted: bool
    detail: str = ""


class GuardTried(_Event):
    """The guard held the end of the call to speak these items."""

    kind: Literal["guard_tried"] = "guard_tried"
    reason: Literal["agent_goodbye", "patient_goodbye", "end_frame", "end_tool"]
    item_ids: tuple[str, ...]


class WordsLeft(_Event):
    """Words the patient had begun when the call ended; never a whole reply.

    Parameters:
        question_id: The question they may have begun to answer; None when none was pending.
    """

    kind: Literal["words_left"] = "words_left"
    text: str
    speaker: ReplySpeaker
    question_id: str | None = None


class CallEnded(_Event):
    """The last event."""

    kind: Literal["call_ended"] = "call_ended"
    reason: str


Event = (
    CallBegan
    | PhaseBegan
    | Intended
    | Started
    | Delivered
    | Replied
    | ItemStep
    | ConfirmAsked
    | RedFlagRaised
    | FaqAsked
    | QuestionNoted
    | SignalGiven
    | SignalAwaited
    | PartyChanged
    | KeyPressed
    | TransferTried
    | GuardTried
    | WordsLeft
    | CallEnded
)

_ADAPTER: TypeAdapter[Event] = TypeAdapter(Annotated[Event, Field(discriminator="kind")])


def to_json(event: Event) -> str:
    """Write one event as a single-line JSON object."""
    return event.model_dump_json(exclude_defaults=False)


def from_json(text: str | bytes) -> Event:
    """Read one event back.

    Raises:
        pydantic.ValidationError: Not an event of this schema version.
    """
    return _ADAPTER.validate_json(text)
