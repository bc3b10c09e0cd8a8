"""From scores to a voice: one table, with *unsure* wherever the evidence does not carry a decision. Pure.

The safe side is asymmetric by design: a patient taken for somebody else is worse than a bystander let through, so the
band between the two thresholds is wide and everything in it is *unsure*.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from speaker_gate.calibration import CalibrationRecord
from speaker_gate.embedders import Embedding
from speaker_gate.facts import Voice, VoiceDecision, Why
from speaker_gate.scoring import Score, score

AGENT_LEAD = 0.05
"""Score by which speech must be closer to the agent's voice than to the patient's to be called its echo."""

OTHER_LEAD = 0.15
"""Score by which speech must be closer to a voice already known as somebody else's than to the patient's."""

BREATH_SECONDS_MIN = 0.5
"""Speech after a breath on which it may be said that the same other person goes on."""


@dataclass(frozen=True, slots=True, eq=False)
class KnownVoices:
    """The voices a call knows, in memory only.

    Parameters:
        primary: The patient's enrolments (one a band where known); empty before enrolment.
        agent: The agent's own voice; empty when it was not given.
        others: Other people heard in this call (at most `speaker_gate.voices.OTHERS_MAX`).
        allowed: People the patient has handed the call to.
    """

    primary: tuple[Embedding, ...] = ()
    agent: tuple[Embedding, ...] = ()
    others: tuple[Embedding, ...] = ()
    allowed: tuple[Embedding, ...] = ()


def best_score(window: Embedding, voices: tuple[Embedding, ...], record: CalibrationRecord) -> Score | None:
    """Score a stretch against one person: in the matching band where that is enrolled, else across bands."""
    matching = [voice for voice in voices if voice.narrow == window.narrow]
    scores = [score(window, voice, record) for voice in (matching or voices)]
    return max(scores, key=lambda found: found.value, default=None)


def decide(window: Embedding | None, known: KnownVoices, record: CalibrationRecord, *, seconds: float) -> VoiceDecision:
    """Decide whose voice one stretch is.

    Args:
        window: Embedding of the stretch; None where none could be made.
        known: The voices of this call.
        record: Calibration of the embedder.
        seconds: Seconds of speech in the stretch.

    Returns:
        A decision; *unsure* with no enrolment, no vector, too little speech or a score between the thresholds. Never
        raises on a bad number: a score that is not finite is *unsure*.
    """
    if window is None:
        return VoiceDecision(Voice.UNSURE, Why.NOT_EMBEDDABLE, None, seconds)
    against_agent = best_score(window, known.agent, record)
    against_primary = best_score(window, known.primary, record)
    if against_agent is not None and _is_agent(against_agent, against_primary, record):
        return VoiceDecision(Voice.AGENT_ECHO, Why.AGENT_VOICE, against_agent.value, seconds)
    if against_primary is None:
        return VoiceDecision(Voice.UNSURE, Why.NO_ENROLMENT, None, seconds)
    decision = by_threshold(against_primary, record)
    if decision.voice is Voice.PRIMARY:
        return decision
    if (allowed := best_score(window, known.allowed, record)) and by_threshold(allowed, record).voice is Voice.PRIMARY:
        return VoiceDecision(Voice.THIRD_PARTY, Why.ALLOWED_SPEAKER, allowed.value, seconds)
    if decision.voice is Voice.UNSURE and decision.why is Why.BETWEEN_THRESHOLDS:
        others = [found for voice in known.others if (found := best_score(window, (voice,), record)) is not None]
        closest = max(others, key=lambda found: found.value, default=None)
        if closest is not None and by_threshold(closest, record).voice is Voice.PRIMARY:
            if closest.value > against_primary.value + OTHER_LEAD:
                return VoiceDecision(Voice.THIRD_PARTY, Why.KNOWN_OTHER, against_primary.value, seconds)
    return decision


def in_one_breath(
    decision: VoiceDecision, window: Embedding | None, before: Embedding, known: KnownVoices, record: CalibrationRecord
) -> VoiceDecision:
    """Let somebody else's voice from just before a breath speak for what follows it, where that is plainly closer.

    A few words after a pause are little to go by on their own; that the same person said the words before is more. The
    patient's own few words are closer to the patient, so they keep what they were.

    Args:
        decision: What the words after the breath are by themselves.
        window: Embedding of them; None where none could be made.
        before: The other person's voice before the breath.
        known: The voices of the call.
        record: Calibration of the embedder.
    """
    if decision.voice in (Voice.THIRD_PARTY, Voice.AGENT_ECHO) or window is None:
        return decision
    to_primary, to_before = best_score(window, known.primary, record), score(window, before, record)
    if to_primary is None or window.seconds < BREATH_SECONDS_MIN or window.narrow != before.narrow:
        return decision
    if not to_before.value > to_primary.value + OTHER_LEAD:
        return decision
    return VoiceDecision(Voice.THIRD_PARTY, Why.SAME_BREATH, to_primary.value, decision.seconds)


def by_threshold(found: Score, record: CalibrationRecord) -> VoiceDecision:
    """Compare one score with the thresholds for its bands and length; PRIMARY here means "the voice compared with"."""
    band = record.pair(found.pair)
    if not math.isfinite(found.value):
        return VoiceDecision(Voice.UNSURE, Why.NOT_EMBEDDABLE, None, found.seconds)
    if found.seconds < band.min_seconds:
        return VoiceDecision(Voice.UNSURE, Why.TOO_SHORT, found.value, found.seconds)
    if found.value > band.accept_above.at(found.seconds):
        return VoiceDecision(Voice.PRIMARY, Why.ABOVE_ACCEPT, found.value, found.seconds)
    if found.value < band.reject_below.at(found.seconds):
        return VoiceDecision(Voice.THIRD_PARTY, Why.BELOW_REJECT, found.value, found.seconds)
    return VoiceDecision(Voice.UNSURE, Why.BETWEEN_THRESHOLDS, found.value, found.seconds)


def after_change(
    earlier: VoiceDecision, later: VoiceDecision, *, first_voice_is_primary: bool, unenrolled: bool
) -> VoiceDecision:
    """Let a declared change speak for a later stretch that is undecided by itself.

    A change is declared only where both sides are unlikely to be one voice; so what follows the patient's speech is
    somebody else's even where it is too short for a decision of its own.
    """
    if later.decided:
        return later
    if earlier.voice is Voice.PRIMARY and earlier.why is not Why.FIRST_VOICE:
        return replace(later, voice=Voice.THIRD_PARTY, why=Why.CHANGED_FROM_PRIMARY)
    if unenrolled and first_voice_is_primary and earlier.why is Why.FIRST_VOICE:
        return replace(later, voice=Voice.THIRD_PARTY, why=Why.CHANGED_FROM_FIRST_VOICE)
    return later


def _is_agent(agent: Score, primary: Score | None, record: CalibrationRecord) -> bool:
    if by_threshold(agent, record).voice is not Voice.PRIMARY:
        return False
    return primary is None or agent.value > primary.value + AGENT_LEAD
