"""Frames of the gate. None is a `TextFrame`: the assistant aggregator and the voice would take those for speech."""

from __future__ import annotations

from dataclasses import dataclass, field

from pipecat.frames.frames import DataFrame

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
        speaker: third_party or agent_echo.
        user_id: As in the transcript.
        timestamp: As in the transcript.
        note: What the model was told; "" when nothing.
    """

    text: str
    action: str
    relevance: str = ""
    speaker: str = "third_party"
    user_id: str = ""
    timestamp: str = ""
    note: str = ""
    interruptible: bool = field(default=False, init=False)
