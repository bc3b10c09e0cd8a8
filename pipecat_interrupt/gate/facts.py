"""What the gate tells others: the voice of a turn, what was done with its words, how far the enrolment is."""

from __future__ import annotations

from typing import Literal, Protocol

from pydantic import BaseModel, ConfigDict

from speaker_gate import Ruling, TurnVerdict
from speaker_gate.enrolment import EnrolmentStep


class _Fact(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class TurnVoiceFact(_Fact):
    """The gate's verdict on one turn of the caller. No embedding, no sound: scores and times only.

    Parameters:
        onset_s: Start of the turn's sound, seconds on the pipeline's clock.
        ended_s: Its end.
        voices: Voice of each stretch, in order.
        reasons: The ground of each.
        scores: Score of each; None where nothing was scored.
        change_times_s: Where the voice changed, seconds from `onset_s`.
        speech_s: Seconds of speech.
        flips: Decisions taken back inside the turn.
        verdict_ms: From the end of the turn to its final verdict, ms.
    """

    version: Literal[1] = 1
    onset_s: float
    ended_s: float
    voices: tuple[str, ...]
    reasons: tuple[str, ...]
    scores: tuple[float | None, ...]
    change_times_s: tuple[float, ...]
    speech_s: float
    flips: int
    verdict_ms: float


class RulingFact(_Fact):
    """What was done with one voice's words.

    Parameters:
        at_s: When, on the pipeline's clock.
        words: The words as recognised; leave them out of anything that is not the call's own journal.
        standing: How they count: primary, inferred, assumed, unsure, confirm, third_party, likely_other, agent_echo.
        action: pass, pass_marked, attribute, alert, ignore, drop_echo, ask_who.
        relevance: What third-party words are to the call; None otherwise.
        reason: The ground of the voice decision.
        handover: offered, granted or taken_back; None otherwise.
    """

    version: Literal[1] = 1
    at_s: float
    words: str
    standing: str
    action: str
    relevance: str | None = None
    reason: str = ""
    handover: str | None = None


class EnrolmentFact(_Fact):
    """How far the enrolment is, after a stretch was offered.

    Parameters:
        at_s: When, on the pipeline's clock.
        status: declined, collecting, provisional, confirmed or given_up.
        seconds: Speech enrolled or collected.
        refusal: Why the stretch was not taken; None when it was.
    """

    version: Literal[1] = 1
    at_s: float
    status: str
    seconds: float
    refusal: str | None = None


GateFact = TurnVoiceFact | RulingFact | EnrolmentFact


class GateListener(Protocol):
    """Told of every fact, on the pipeline's loop. Must return at once; what it raises is logged and forgotten."""

    def on_gate(self, fact: GateFact) -> None:
        """Take one fact."""
        ...


def ruling_fact(ruling: Ruling, now_s: float) -> RulingFact:
    """Tell what became of one voice's words."""
    return RulingFact(
        at_s=now_s,
        words=ruling.part.text,
        standing=ruling.standing.value,
        action=ruling.choice.action.value,
        relevance=ruling.choice.relevance.value if ruling.choice.relevance is not None else None,
        reason=ruling.part.decision.why.value,
        handover=ruling.handover.value if ruling.handover is not None else None,
    )


def turn_voice_fact(verdict: TurnVerdict, onset_s: float, ended_s: float, now_s: float) -> TurnVoiceFact:
    """Tell the final verdict on a turn."""
    stretches = verdict.stretches
    return TurnVoiceFact(
        onset_s=onset_s,
        ended_s=ended_s,
        voices=tuple(stretch.decision.voice.value for stretch in stretches),
        reasons=tuple(stretch.decision.why.value for stretch in stretches),
        scores=tuple(stretch.decision.score for stretch in stretches),
        change_times_s=verdict.change_times_s,
        speech_s=verdict.speech_s,
        flips=verdict.flips,
        verdict_ms=1000 * max(0.0, now_s - ended_s),
    )


def enrolment_fact(step: EnrolmentStep, now_s: float) -> EnrolmentFact:
    """Tell how far the enrolment is."""
    refusal = step.refusal.value if step.refusal is not None else None
    return EnrolmentFact(at_s=now_s, status=step.status.value, seconds=step.seconds, refusal=refusal)
