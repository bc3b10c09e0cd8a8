"""Frames of the gate. None is a `TextFrame`: the assistant aggregator and the voice would take those for speech."""

from __future__ import annotations

from dataclasses import dataclass, field

from pipecat.frames.frames import DataFrame, InterimTranscriptionFrame, TranscriptionFrame

from pipecat_interrupt.overlap.evidence import Speaker
from speaker_gate import CallGate, Ruling, Standing

SPEAKER_KEY = "pipecat_interrupt.speaker"
"""Frame metadata of a transcript the gate let pass: primary, inferred, assumed or unsure."""

SCORE_KEY = "pipecat_interrupt.speaker_score"
"""Frame metadata: the score behind it, absent where nothing was scored."""


@dataclass
class ThirdPartySpeechFrame(DataFrame):
    """Words that are not the patient's: attributed, ignored, or the agent's own come back.

    Parameters:
        text: The words as recognised.
        action: What was done with them (attribute, alert, ignore, drop_echo).
        relevance: What they are to the call; "" when nobody read them.
        speaker: third_party, likely_other or agent_echo.
        user_id: As in the transcript.
        timestamp: As in the transcript.
        note: What the model was told; "" when nothing.
        age_s: How long ago the voice had ended, where the recogniser hears whole segments; None when that is not known.
    """

    text: str
    action: str
    relevance: str = ""
    speaker: str = "third_party"
    user_id: str = ""
    timestamp: str = ""
    note: str = ""
    age_s: float | None = None
    interruptible: bool = field(default=False, init=False)


def unruled(frame: InterimTranscriptionFrame, speaker: Speaker | None, gate: CallGate) -> InterimTranscriptionFrame:
    """Mark unfinished words that pass with whose they are as far as anyone can tell: none may ever rule on them.

    Args:
        frame: The words.
        speaker: Whose voice speaks; None while that is not known.
        gate: Tells whether it has a voice to compare theirs with.
    """
    standing = Standing.UNSURE if gate.voices.enroller.stands else Standing.ASSUMED
    frame.metadata[SPEAKER_KEY] = (Standing.PRIMARY if speaker is Speaker.PRIMARY else standing).value
    return frame


def as_patients(frame: TranscriptionFrame, ruling: Ruling, *, whole: bool) -> TranscriptionFrame:
    """The transcript as the patient's, marked with how it counts; a part of it when another voice had the rest."""
    made = frame
    if not whole:
        made = TranscriptionFrame(ruling.part.text, frame.user_id, frame.timestamp, frame.language, frame.result)
        made.interruptible = False
    standing = Standing.UNSURE if ruling.standing is Standing.CONFIRM else ruling.standing
    made.metadata[SPEAKER_KEY] = standing.value
    if ruling.part.decision.score is not None:
        made.metadata[SCORE_KEY] = round(ruling.part.decision.score, 4)
    return made


def speaker_of(ruling: Ruling) -> str:
    """Whose voice words are that do not pass as the patient's: third_party, likely_other or agent_echo."""
    known = ruling.standing in (Standing.LIKELY_OTHER, Standing.AGENT_ECHO)
    return ruling.standing.value if known else Standing.THIRD_PARTY.value
