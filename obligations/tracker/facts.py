"""What the Pipecat side tells the tracker, and what it gets back.

Owns the seam's values. Times are seconds on the call's own clock; characters are positions in the text as it was
intended.
"""

from __future__ import annotations

from dataclasses import dataclass

from obligations.answers.protocol import AnswerReading, ReplySpeaker
from obligations.ledger.events import Event, Exactness


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """How much of one utterance reached the listener's ear.

    Parameters:
        utterance_id: The utterance.
        delivered_chars: Characters of its intended text that were played.
        complete: All of it was played.
        interrupted: It was cut by somebody's voice.
        exactness: Whether `delivered_chars` was measured or estimated.
        margin_chars: Characters before the cut that do not count as heard; ignored when complete.
    """

    utterance_id: str
    delivered_chars: int
    complete: bool
    interrupted: bool = False
    exactness: Exactness = "exact"
    margin_chars: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """Something somebody said.

    Parameters:
        text: The words.
        now_s: When they were complete.
        speaker: Whose voice.
        label: A name for that voice, such as "S"; "" when there is none.
        onset_during: The utterance during which it began; None when it began in silence.
        heard_chars_at_onset: Characters of that utterance heard when it began; None when unknown (then what was
            delivered of it counts).
        is_backchannel: Judged a listening sound: it moves nothing.
        spoken_s: When the voice had ended, where the recogniser tells; None when that is not known.
        by_voice: A speaker gate has known the voice; False where there is none, or where it only held it to be theirs.
        unconfirmed: The recogniser never confirmed the words, or nobody knows how old they are: what they answer is
            doubted, and confirmed once. They close nothing, set nothing aside and let nobody else answer; what they ask
            of the call (to stop, a person, goodbye) is heeded.
    """

    text: str
    now_s: float
    speaker: ReplySpeaker = ReplySpeaker.PRIMARY
    label: str = ""
    onset_during: str | None = None
    heard_chars_at_onset: int | None = None
    is_backchannel: bool = False
    spoken_s: float | None = None
    by_voice: bool = False
    unconfirmed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyOutcome:
    """What a reply did.

    Parameters:
        events: The ledger's new events.
        question_id: The question it was read against; None when none was pending.
        reading: The reader's reading; None when nothing was read.
        intents: What else the words do ("repeat", "stop", "goodbye", "person", ...).
        matched_faq: FAQ groups it asked about.
        unanswerable_question: A question outside the pathway; None when there was none.
        holding: The speaker keeps the floor or asks for time.
    """

    events: tuple[Event, ...] = ()
    question_id: str | None = None
    reading: AnswerReading | None = None
    intents: tuple[str, ...] = ()
    matched_faq: tuple[str, ...] = ()
    unanswerable_question: str | None = None
    holding: bool = False


@dataclass(frozen=True, slots=True)
class Heard:
    """A reply taken apart before anything is decided.

    Parameters:
        answer_text: The part that may answer the pending question; "" when nothing may.
        intents: Requests about the call.
        faq: FAQ groups asked about.
        unanswerable: A question outside the pathway.
        holding: Nothing but a request for time.
        agrees: Words that confirm what somebody else said.
    """

    answer_text: str = ""
    intents: tuple[str, ...] = ()
    faq: tuple[str, ...] = ()
    unanswerable: str | None = None
    holding: bool = False
    agrees: bool = False
