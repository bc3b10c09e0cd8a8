"""What the ledger knows: of each item, of each utterance, of the call.

Owns the shape of the folded state. Item records are values (replaced, never changed); the call's record is changed
only by `fold`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from obligations.answers.protocol import ReplySpeaker
from obligations.ledger.events import Evidence, Exactness, RedFlagRaised, Replied, TransferTried, WordingSpan, WordsLeft
from obligations.ledger.states import CLOSED, ItemKind, State


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenAnswer:
    """An answer as it was given.

    Parameters:
        value: "yes", "no" or a value.
        speaker: Whose voice gave it; INFERRED when voice could not tell.
        label: A name for that voice; "" when none.
        reply_id: The reply it rests on.
        by: The reader, ``name@version``.
        reported_by: Whose report it was before the primary speaker confirmed it; None when first-hand.
        confirmed_by: The reply that confirmed it; None when it needed none.
    """

    value: str
    speaker: ReplySpeaker
    label: str = ""
    reply_id: str = ""
    by: str = ""
    reported_by: str | None = None
    confirmed_by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemRecord:
    """Everything known of one obligation.

    Parameters:
        state: Where it stands.
        opened_turn: Patient turn at which it became owed; -1 while dormant.
        opened_agent_turn: Agent turn at which it became owed; -1 while dormant.
        attempts: Times its words were spoken audibly, repetitions on request not counted.
        intents: Times its words were handed to the voice.
        last_attempt_turn: Patient turn of the last attempt; -1 for none.
        last_intent_agent_turn: Agent turn at which its words were last handed to the voice; -1 for never.
        cut_at: Last words heard before its last cut; None when it was never cut.
        told_again: Times it was heard whole again although nobody had asked.
        cuts: Times it was cut.
        best_cut: Last words heard before the cut that left most of it heard.
        best_cut_chars: How much of it that was; -1 for never cut.
        evidence: What was heard of it and counts.
        mistold: What was heard against it: another version of it, or words that took it back. Kept when it is met.
        mistold_agent_turn: Agent turn of the last of these; -1 for never.
        retractions: Times it was met and then taken back.
        reported: A third party's answer awaiting the primary speaker.
        doubted: A doubtful answer awaiting the one confirmation.
        confirmations: Confirmations asked (0 or 1).
        answer: The answer; None until answered.
        unanswered: Replies that were no answer.
        refused: The patient does not want to hear or be asked it.
        red_flag: A red-flag answer was given, however doubtful.
        guard_tries: Times the guard held the call for it.
        waived: Why it was waived; "" when it was not.
    """

    id: str
    kind: ItemKind
    critical: bool
    state: State = State.DORMANT
    opened_turn: int = -1
    opened_agent_turn: int = -1
    attempts: int = 0
    intents: int = 0
    last_attempt_turn: int = -1
    last_intent_agent_turn: int = -1
    cut_at: str | None = None
    evidence: tuple[Evidence, ...] = ()
    mistold: tuple[Evidence, ...] = ()
    mistold_agent_turn: int = -1
    retractions: int = 0
    reported: GivenAnswer | None = None
    doubted: GivenAnswer | None = None
    confirmations: int = 0
    told_again: int = 0
    cuts: int = 0
    best_cut: str = ""
    best_cut_chars: int = -1
    answer: GivenAnswer | None = None
    unanswered: int = 0
    refused: bool = False
    red_flag: bool = False
    guard_tries: int = 0
    waived: str = ""

    @property
    def closed(self) -> bool:
        """Met, answered, declined or waived."""
        return self.state in CLOSED

    @property
    def owed(self) -> bool:
        """Neither dormant nor closed."""
        return self.state is not State.DORMANT and self.state not in CLOSED

    @property
    def misled(self) -> bool:
        """Owed, and the last thing heard of it was something else than it asks for."""
        return self.owed and bool(self.mistold)


@dataclass(slots=True, kw_only=True)
class UtteranceRecord:
    """One utterance of the agent.

    Parameters:
        text: What was intended.
        heard_chars: How much counts as heard so far.
        started: Its first audio was heard.
        started_at_s: When; None when that is not known.
        ended: Its `Delivered` has come.
        counted: Its beginning counts as an attempt; False for a repetition the patient asked for.
    """

    id: str
    text: str
    spans: tuple[WordingSpan, ...]
    intended_at_s: float
    counted: bool = True
    started: bool = False
    started_at_s: float | None = None
    ended: bool = False
    ended_at_s: float | None = None
    heard_chars: int = 0
    delivered_chars: int = 0
    complete: bool = False
    interrupted: bool = False
    exactness: Exactness = "exact"

    @property
    def heard(self) -> str:
        """The words that count as heard."""
        return self.text[: self.heard_chars]


@dataclass(frozen=True, slots=True)
class NotedQuestion:
    """A question the pathway does not answer."""

    text: str
    reply_id: str
    speaker: ReplySpeaker


@dataclass(slots=True, kw_only=True)
class CallRecord:
    """Everything known of the call as a whole.

    Parameters:
        turn: Replies so far, listening sounds not counted.
        agent_turns: Utterances ended so far in which anything was heard.
        in_flight: Utterances handed to the voice and not yet ended, in order.
        last_utterance: The utterance that ended last.
        last_heard: The utterance that ended last and of which anything was heard.
        waiting: A reply is expected: a question was put, or the agent was cut.
        waiting_since_s: Since when.
        silent_prompts: Utterances in a row without any reply between them, while one was expected.
        pending_question: The question put last, whose answer the next reply may be; None when something else was said
            since.
        pending_utterance: The utterance that put it.
        faq_due: FAQ groups asked and not yet spoken to, in order of asking.
        faq_replies: The replies that asked about an FAQ group.
        note_due: A question outside the pathway waits for the "I can't answer that" line.
        intents_due: Intents of the last reply the agent has not reacted to.
        phrases_heard: Phrases heard whole, such as "greeting".
        phrases_tried: How often each phrase was handed to the voice.
        intents: Every intent ever heard, with its first reply; the first in plain words where there is one.
        standing: The intents that still hold: a "go on" takes a stop or a goodbye back.
        signals: Preconditions decided from outside.
        awaited: Preconditions whose decision the agent waits for in silence, and until when.
        told_again: Points of the last utterance that had been heard before, and that nobody had asked for.
        key_due: A key was pressed and the agent has not spoken since. keys: how often that was so.
        party_changes: Times another person came to the telephone.
        who_due: Somebody has said not to be the patient, or may have handed the telephone over since, and was not asked
            whether the patient is on it now.
        transfers: Attempts to put the call through to a person.
    """

    call_id: str = ""
    language: str = ""
    phases: set[str] = field(default_factory=set[str])
    turn: int = 0
    agent_turns: int = 0
    utterances: dict[str, UtteranceRecord] = field(default_factory=dict[str, UtteranceRecord])
    in_flight: list[str] = field(default_factory=list[str])
    last_utterance: str | None = None
    last_heard: str | None = None
    replies: dict[str, Replied] = field(default_factory=dict[str, Replied])
    last_reply: str | None = None
    reacted: bool = True
    waiting: bool = False
    waiting_since_s: float = 0.0
    silent_prompts: int = 0
    pending_question: str | None = None
    pending_utterance: str | None = None
    faq_due: list[str] = field(default_factory=list[str])
    faq_replies: set[str] = field(default_factory=set[str])
    note_due: bool = False
    intents_due: tuple[str, ...] = ()
    intents: dict[str, str] = field(default_factory=dict[str, str])
    standing: set[str] = field(default_factory=set[str])
    phrases_heard: set[str] = field(default_factory=set[str])
    phrases_tried: dict[str, int] = field(default_factory=dict[str, int])
    red_flags: list[RedFlagRaised] = field(default_factory=list[RedFlagRaised])
    noted: list[NotedQuestion] = field(default_factory=list[NotedQuestion])
    signals: dict[str, bool] = field(default_factory=dict[str, bool])
    awaited: dict[str, float] = field(default_factory=dict[str, float])
    told_again: tuple[str, ...] = ()
    key_due: bool = False
    keys: int = 0
    party_changes: int = 0
    who_due: bool = False
    transfers: list[TransferTried] = field(default_factory=list[TransferTried])
    guard_reasons: list[str] = field(default_factory=list[str])
    words_left: list[WordsLeft] = field(default_factory=list[WordsLeft])
    end_reason: str | None = None
    ended_at_s: float = 0.0

    @property
    def transferred(self) -> bool:
        """A person has the call."""
        return any(tried.accepted for tried in self.transfers)

    @property
    def ended(self) -> bool:
        """The last event has come."""
        return self.end_reason is not None
