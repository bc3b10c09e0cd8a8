"""Typed facts about what was said and heard: frozen, versioned, the seam between the parts."""

from pipecat_interrupt.facts.models import (
    Cut,
    EndReason,
    Exactness,
    OverlapFact,
    OverlapKindName,
    SpeakerName,
    TimingShape,
    UtteranceRecord,
    VerdictName,
)

__all__ = [
    "Cut",
    "EndReason",
    "Exactness",
    "OverlapFact",
    "OverlapKindName",
    "SpeakerName",
    "TimingShape",
    "UtteranceRecord",
    "VerdictName",
]
