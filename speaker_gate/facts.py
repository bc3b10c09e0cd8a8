"""The words of this room as values: voices, decisions, stretches, verdicts. Nothing here decides anything."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum


class Voice(StrEnum):
    """Whose voice a stretch of speech is."""

    PRIMARY = "primary"
    THIRD_PARTY = "third_party"
    AGENT_ECHO = "agent_echo"
    UNSURE = "unsure"


class Why(StrEnum):
    """The one reason behind a decision; stable, for journals and tests."""

    ABOVE_ACCEPT = "above_accept"
    BELOW_REJECT = "below_reject"
    BETWEEN_THRESHOLDS = "between_thresholds"
    TOO_SHORT = "too_short"
    NOT_EMBEDDABLE = "not_embeddable"
    IMPLAUSIBLE_RATE = "implausible_rate"
    NO_ENROLMENT = "no_enrolment"
    NO_VOICE = "no_voice"
    ONE_WINDOW_ONLY = "one_window_only"
    CHANGED_FROM_PRIMARY = "changed_from_primary"
    CHANGED_FROM_FIRST_VOICE = "changed_from_first_voice"
    SAME_BREATH = "same_breath"
    FIRST_VOICE = "first_voice"
    AGENT_VOICE = "agent_voice"
    ECHO_OF_AGENT_AUDIO = "echo_of_agent_audio"
    ECHO_OF_AGENT_WORDS = "echo_of_agent_words"
    KNOWN_OTHER = "known_other"
    UNLIKE_USUAL = "unlike_usual"
    STT_LABEL = "stt_label"
    ALLOWED_SPEAKER = "allowed_speaker"
    GATE_FAULT = "gate_fault"


@dataclass(frozen=True, slots=True)
class VoiceDecision:
    """Whose voice one stretch is, and on what ground.

    Parameters:
        voice: The decision.
        why: The ground.
        score: Score against the enrolment, in [-1, 1]; None where nothing was scored.
        seconds: Seconds of speech decided on.
    """

    voice: Voice
    why: Why
    score: float | None = None
    seconds: float = 0.0

    @property
    def decided(self) -> bool:
        """True unless the voice is unsure."""
        return self.voice is not Voice.UNSURE


@dataclass(frozen=True, slots=True)
class Stretch:
    """One voice's part of a turn.

    Parameters:
        start_s: Where it starts, in seconds from the start of the turn's audio.
        end_s: Where it ends.
        decision: Whose voice it is.
        after_change: True when it begins at a change of voice inside the turn.
    """

    start_s: float
    end_s: float
    decision: VoiceDecision
    after_change: bool = False


@dataclass(frozen=True, slots=True)
class TurnVerdict:
    """What is known of one turn so far.

    Parameters:
        stretches: The voices in order; never empty.
        speech_s: Seconds of speech heard in the turn.
        flips: How often the decision about speech already decided changed.
        second_voice_s: Seconds of a second voice by the segmenter; None without one.
        final: True once the turn has ended.
        level_dbfs: Speech level of the turn.
        vectors_made: Embeddings computed for this turn (cost).
    """

    stretches: tuple[Stretch, ...]
    speech_s: float
    flips: int = 0
    second_voice_s: float | None = None
    final: bool = False
    level_dbfs: float = -100.0
    vectors_made: int = 0

    @property
    def decision(self) -> VoiceDecision:
        """The decision about the latest stretch."""
        return self.stretches[-1].decision

    @property
    def voice(self) -> Voice:
        """The voice of the latest stretch."""
        return self.decision.voice

    @property
    def changed(self) -> bool:
        """True when more than one voice was found in the turn."""
        return len(self.stretches) > 1

    @property
    def change_times_s(self) -> tuple[float, ...]:
        """Seconds from the start of the turn's audio at which the voice changes."""
        return tuple(stretch.start_s for stretch in self.stretches[1:])

    def undecided(self, why: Why) -> TurnVerdict:
        """The same stretches with every voice unsure."""
        doubted = (replace(one, decision=replace(one.decision, voice=Voice.UNSURE, why=why)) for one in self.stretches)
        return replace(self, stretches=tuple(doubted))

    def at(self, time_s: float) -> Stretch:
        """The stretch at a time in the turn; the nearest one outside."""
        for stretch in self.stretches:
            if time_s < stretch.end_s:
                return stretch
        return self.stretches[-1]


def unknown(why: Why) -> TurnVerdict:
    """The verdict on a turn nothing is known of."""
    return TurnVerdict((Stretch(0.0, 0.0, VoiceDecision(Voice.UNSURE, why)),), 0.0)


@dataclass(frozen=True, slots=True)
class Word:
    """One recognised word with its place in the turn's audio.

    Parameters:
        text: The word as recognised.
        start_s: Seconds from the start of the turn's audio.
        end_s: End of the word.
        label: Speaker label of a diarising recogniser, None without one.
    """

    text: str
    start_s: float
    end_s: float
    label: str | None = None


@dataclass(frozen=True, slots=True)
class SpokenPart:
    """Words of one voice, in order.

    Parameters:
        text: The words joined by spaces.
        decision: Whose voice.
        start_s: Start of the first word.
        end_s: End of the last word.
        labels: Speaker labels seen among the words.
    """

    text: str
    decision: VoiceDecision
    start_s: float
    end_s: float
    labels: frozenset[str] = field(default_factory=frozenset[str])
