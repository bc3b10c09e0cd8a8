"""What the live part asks of its neighbours. Each is a small Protocol; a default or a fake stands beside it.

Owns no state beyond the simple defaults. The hold is `pipecat_interrupt.hold.protocol.Hold`.
"""

from __future__ import annotations

from typing import Protocol

from pipecat_interrupt.overlap.evidence import Speaker


class FloorContext(Protocol):
    """Where the agent is. Asked on the pipeline's loop; every answer must come at once.

    Promises: an answer describes what the listener has heard at the moment of asking, erring short.
    """

    def agent_audible(self) -> bool:
        """Whether the agent can be heard now (held audio counts: the agent is in mid-utterance)."""
        ...

    def utterance_id(self) -> str | None:
        """Id of the utterance in progress; None when nobody tracks it."""
        ...

    def delivered_text(self) -> str:
        """Text of the utterance in progress that has been heard."""
        ...

    def remaining_text(self) -> str:
        """Text of the utterance in progress that has not been heard, as far as it is written."""
        ...

    def recent_text(self) -> str:
        """What the agent said in the last seconds, newest last (for the echo check)."""
        ...

    def question_open(self) -> bool:
        """Whether a question waits for its answer or is being asked."""
        ...

    def focus_heard(self) -> bool:
        """Whether the words that make that question answerable have been heard."""
        ...

    def language(self) -> str | None:
        """BCP 47 tag of the call, None when unknown."""
        ...


class SpeakerEvidence(Protocol):
    """Whose voice is speaking. Optional: without a gate every voice counts as the primary speaker's."""

    def attribution(self) -> Speaker | None:
        """The gate's newest word on the voice that speaks now, or has just spoken.

        None from the onset of a new voice until the gate has scored that voice: what it said of an earlier one must not
        be repeated.
        """
        ...


class UnknownFloor:
    """A floor nobody tracks: the agent counts as audible between Pipecat's bot-speaking frames, no more is known."""

    def __init__(self) -> None:
        """Make a floor with a silent agent."""
        self.speaking = False

    def agent_audible(self) -> bool:
        """Whether the bot-speaking frames say so."""
        return self.speaking

    def utterance_id(self) -> str | None:
        """Unknown."""
        return None

    def delivered_text(self) -> str:
        """Unknown."""
        return ""

    def remaining_text(self) -> str:
        """Unknown."""
        return ""

    def recent_text(self) -> str:
        """Unknown: no echo is recognised by its words."""
        return ""

    def question_open(self) -> bool:
        """Unknown counts as no."""
        return False

    def focus_heard(self) -> bool:
        """Unknown counts as no."""
        return False

    def language(self) -> str | None:
        """Unknown."""
        return None


class NoHold:
    """For pipelines without a hold: the agent goes on speaking until the verdict."""

    held = False

    def hold(self, reason: str, budget_s: float = 0.0) -> bool:
        """Refuse."""
        return False

    def resume(self, reason: str) -> None:
        """Do nothing."""

    def drop(self, reason: str = "interruption") -> None:
        """Do nothing."""
