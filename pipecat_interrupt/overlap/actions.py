"""What a session asks of the live part, and the text it works on."""

from __future__ import annotations

from dataclasses import dataclass

from pipecat_interrupt.overlap.evidence import TimedWord, Verdict
from pipecat_interrupt.overlap.facts import OverlapReport


@dataclass(frozen=True, slots=True)
class Text:
    """A transcript on its way.

    Parameters:
        number: Order of arrival within the call.
        text: Its words.
        final: False for an unfinished transcript.
        language: BCP 47 tag the recogniser gave, if any.
        words: Words with times from the overlap's onset, where the recogniser gives them.
        low_certainty: True for an unfinished transcript that the recogniser never confirmed.
    """

    number: int
    text: str
    final: bool = True
    language: str | None = None
    words: tuple[TimedWord, ...] = ()
    low_certainty: bool = False


@dataclass(frozen=True, slots=True)
class HoldAudio:
    """Hold the agent's audio."""

    reason: str


@dataclass(frozen=True, slots=True)
class ResumeAudio:
    """Let the agent go on from the same sample."""

    reason: str


@dataclass(frozen=True, slots=True)
class DropAudio:
    """Throw away what is held: somebody else has started the caller's turn."""

    reason: str


@dataclass(frozen=True, slots=True)
class StartTurn:
    """Open the user's turn; drops what is held.

    Parameters:
        reason: Why, for the log.
        by_stop_request: Whether the primary speaker asked the agent to stop: protected speech obeys only this.
    """

    reason: str
    by_stop_request: bool = False


@dataclass(frozen=True, slots=True)
class Forward:
    """Let a text go on to the aggregator; `joins_turn` when it is a late piece of the turn before."""

    text: Text
    joins_turn: bool = False


@dataclass(frozen=True, slots=True)
class Refuse:
    """Keep a text from the aggregator and the model for good."""

    text: Text
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Report:
    """Tell the listeners."""

    report: OverlapReport


Action = HoldAudio | ResumeAudio | DropAudio | StartTurn | Forward | Refuse | Report
