"""Who is speaking when the voice alone cannot tell: the rule for short and unsure replies. Pure, one table.

"No." lasts 0.4 s and closes a checklist question; no voice print decides on it. The rule: with nothing that speaks
for another person, such a reply takes the last decided voice of the call and is marked *inferred*; otherwise one
confirmation is asked, never two.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from speaker_gate.facts import Voice, VoiceDecision, Why

LEVEL_JUMP_DB = 10.0
"""A reply this much quieter or louder than the patient's usual speech speaks for another person."""

SECOND_VOICE_S = 0.25
"""A second voice heard by the segmenter for at least this long speaks for another person."""


class Standing(StrEnum):
    """How much a reply may count as the patient's.

    LIKELY_OTHER: not sure, but likelier another person's than the patient's, and said over the agent: it is told to the
    model as such and never left out.
    """

    PRIMARY = "primary"
    INFERRED = "inferred"
    ASSUMED = "assumed"
    THIRD_PARTY = "third_party"
    LIKELY_OTHER = "likely_other"
    AGENT_ECHO = "agent_echo"
    CONFIRM = "confirm"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class ReplyContext:
    """What is known around one reply.

    Parameters:
        last_decided: Voice of the last decided stretch of the call; None when there was none.
        enrolled: True when the patient's voice is enrolled.
        label_for_another: True when the recogniser's label speaks for another person.
        second_voice_s: Seconds of a second voice by the segmenter.
        level_jump_db: Level of the reply minus the patient's usual level; None when unknown.
        others_heard: True when somebody else has spoken since the patient's last decided speech.
        leans_to_another: True when an undecided score is likelier for another person than for the patient.
        likely_other: True where that is so on enough speech to say so.
        aside: True for words over the agent that ask for nothing it must stop for: nobody waits for them.
        confirmation_asked: True when this item's speaker was already asked for once.
    """

    last_decided: Voice | None
    enrolled: bool
    label_for_another: bool = False
    second_voice_s: float = 0.0
    level_jump_db: float | None = None
    others_heard: bool = False
    leans_to_another: bool = False
    likely_other: bool = False
    aside: bool = False
    confirmation_asked: bool = False

    @property
    def speaks_for_another(self) -> bool:
        """True when anything but the voice print points to another person."""
        jump = self.level_jump_db is not None and abs(self.level_jump_db) >= LEVEL_JUMP_DB
        heard = self.second_voice_s >= SECOND_VOICE_S or self.others_heard
        return self.label_for_another or heard or jump or self.leans_to_another


DECIDED = {
    Voice.PRIMARY: Standing.PRIMARY,
    Voice.THIRD_PARTY: Standing.THIRD_PARTY,
    Voice.AGENT_ECHO: Standing.AGENT_ECHO,
}


def standing_of(decision: VoiceDecision, context: ReplyContext) -> Standing:
    """Say how a reply counts.

    Returns:
        PRIMARY or THIRD_PARTY where the voice decided (a voice merely assumed counts as ASSUMED); LIKELY_OTHER for an
        aside that is likely another's; ASSUMED where nobody is enrolled and nothing speaks for another; INFERRED where
        the last decided voice was the patient's and nothing speaks for another; CONFIRM where one question must be
        asked; UNSURE where it was already asked.
    """
    if decision.why is Why.FIRST_VOICE:
        return Standing.ASSUMED
    if context.aside and context.likely_other and decision.voice in (Voice.PRIMARY, Voice.UNSURE):
        return Standing.LIKELY_OTHER
    if decision.decided:
        return DECIDED[decision.voice]
    if context.speaks_for_another:
        return Standing.UNSURE if context.confirmation_asked else Standing.CONFIRM
    if not context.enrolled:
        return Standing.ASSUMED
    if context.last_decided is Voice.PRIMARY:
        return Standing.INFERRED
    return Standing.UNSURE if context.confirmation_asked else Standing.CONFIRM
