"""Runs one stretch of sound through a call's gate as it would arrive, and says whether the voice changed.

Shared by the voices, meetings and third-party evaluations.
"""

from __future__ import annotations

from speaker_gate.audio import over_telephone
from speaker_gate.embedders import MODEL_RATE_HZ, Samples
from speaker_gate.facts import TurnVerdict
from speaker_gate.gate import CallGate, GateSettings
from speaker_gate.turn import Ears

STEP_S = 0.5
CHUNK_S = 0.02
TELEPHONE_RATE_HZ = 8_000


def gate_for(ears: Ears, *, language: str = "en") -> CallGate:
    """A gate that knows nobody yet: the first voice of a turn counts as the patient's."""
    settings = GateSettings(language=language, before_enrolment="first_voice", check_rate=False, learn_others=False)
    return CallGate(ears, settings=settings)


def enrolled_gate(ears: Ears, speech: Samples, narrow: bool, *, language: str = "en") -> CallGate:
    """A gate that knows the patient from `speech` (16 kHz, speech only, already in the call's band)."""
    gate = gate_for(ears, language=language)
    gate.voices.enroller.enrol_reference(speech, narrow, narrow)
    return gate


def stream(gate: CallGate, sound: Samples, *, narrow: bool, at_s: float = 0.0) -> TurnVerdict:
    """Send one turn in 20 ms chunks, with a decision every half second, as a live call would.

    Args:
        gate: The call's gate.
        sound: float32, 16 kHz, before any telephone line.
        narrow: True sends it over an 8 kHz mu-law line.
        at_s: The call's time at its start.
    """
    rate_hz = TELEPHONE_RATE_HZ if narrow else MODEL_RATE_HZ
    samples = over_telephone(sound) if narrow else sound
    gate.begin_turn(at_s, rate_hz)
    size, step = int(CHUNK_S * rate_hz), int(STEP_S * rate_hz)
    for at in range(0, len(samples), size):
        gate.hear(samples[at : at + size])
        if at and at % step < size:
            gate.update()
    return gate.end_turn(at_s + len(samples) / rate_hz)
