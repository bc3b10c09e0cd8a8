"""Whose voice the gate learns: the right-party check tells it, in whole calls on virtual time."""

from __future__ import annotations

import numpy as np
import pytest

from pipecat_interrupt.demo.patient import PatientCue
from pipecat_interrupt.gate import SpeakerGateProcessor
from pipecat_interrupt.testing import VirtualDelay
from pipecat_interrupt.testing.voice import Speech, SpokenWord
from speaker_gate import CallGate, GateSettings
from speaker_gate.decision import KnownVoices
from speaker_gate.embedders import Embedding
from speaker_gate.enrolment import EnrolmentStatus
from speaker_gate.testing import FakeEmbedder, fake_ears, say

from .framed import WHO, clinical, framed_call

pytestmark = pytest.mark.pipeline

SECONDS_A_WORD = 0.45


def in_voices(text: str) -> Speech:
    """The daughter says what she says of herself; everything else is the patient's."""
    words = text.split()
    samples = say("stranger" if "daughter" in text else "patient", SECONDS_A_WORD * len(words))
    times = (SpokenWord(w, i * SECONDS_A_WORD, (i + 1) * SECONDS_A_WORD) for i, w in enumerate(words))
    return Speech(text, (samples * 32_767).astype(np.int16), 16_000, tuple(times))


class WatchedGate(CallGate):
    """Remembers how it stood when the call ended: then every voice is dropped."""

    def __init__(self) -> None:
        super().__init__(fake_ears(), settings=GateSettings(check_rate=False))
        self.ended: list[tuple[EnrolmentStatus, KnownVoices]] = []

    def close(self) -> None:
        self.ended.append((self.status, self.voices.known))
        super().close()

    @property
    def at_the_end(self) -> tuple[EnrolmentStatus, bool, bool]:
        """The enrolment, whether it is the patient's voice, and whether the daughter's is known as somebody else's."""
        status, known = self.ended[0]
        patients = any(is_tone(voice, "patient") for voice in known.primary)
        return status, patients, any(is_tone(voice, "stranger") for voice in known.others)


def is_tone(voice: Embedding, name: str) -> bool:
    heard = FakeEmbedder().embed(say(name, 4.0))
    assert heard is not None
    return float(voice.vector @ heard) > 0.95


def test_the_voice_of_whoever_says_to_be_the_patient_is_confirmed() -> None:
    """The check is answered before enough speech was heard: the voice that stands later is confirmed all the same."""
    gate = WatchedGate()

    framed_call(
        PatientCue(WHO, "Yes, that is me."),
        PatientCue("short of breath", "No, I can still climb the stairs as I could before, thank you for asking."),
        gate=SpeakerGateProcessor(gate, executor=VirtualDelay(0.02)),
        voice=in_voices,
        vad="energy",
        duration_s=60.0,
    )

    assert (EnrolmentStatus.CONFIRMED, True, False) == gate.at_the_end


def test_whoever_fetches_the_patient_is_somebody_else_from_then_on() -> None:
    """The daughter answers and is learned first; once she says who she is, the patient is learned anew."""
    gate = WatchedGate()

    kit, _ = framed_call(
        PatientCue(WHO, "No, I am her daughter and I am only answering the telephone. I will get her.", times=1),
        PatientCue("i will wait", "Hello, who is there please?", delay_s=8.0),
        PatientCue(WHO, "Yes, that is me, I am the one you are calling for today, good morning."),
        PatientCue("short of breath", "No, I can still climb the stairs as I could before, thank you for asking."),
        gate=SpeakerGateProcessor(gate, executor=VirtualDelay(0.02)),
        voice=in_voices,
        vad="energy",
        duration_s=90.0,
    )

    assert clinical(kit)
    assert (EnrolmentStatus.CONFIRMED, True, True) == gate.at_the_end
