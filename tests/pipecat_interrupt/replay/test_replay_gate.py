"""Speakers gated on a recording: another's voice neither interrupts nor answers, and the patient is not locked out."""

from __future__ import annotations

import numpy as np
import pytest

from obligations.pathway import load_pathway
from pipecat_interrupt.replay.engine import Replayed, replay_timeline
from pipecat_interrupt.replay.found import obligation_rows
from pipecat_interrupt.replay.values import RATE_HZ, Piece, Samples, Timeline
from speaker_gate import CallGate, GateSettings
from speaker_gate.testing import fake_ears, say

from .calls import WORD_S, piece

pytestmark = pytest.mark.unit

REDNESS = "Have you noticed any redness in your eye?"
PAIN = "Do you have any pain in your eye?"
STORY = (
    "well I had the operation last week and since then I have been at home"
    " and I am resting most of the day as I was told"
)


def _with_voices(agent: list[Piece], far: list[tuple[str, Piece]], seconds: float) -> Timeline:
    sound: Samples = np.zeros(int(seconds * RATE_HZ), dtype=np.int16)
    for voice, said in far:
        clip = (say(voice, len(said.words) * WORD_S) * 32767).astype(np.int16)
        low = int(said.start_s * RATE_HZ)
        sound[low : low + len(clip)] = clip[: len(sound) - low]
    return Timeline("c", tuple(agent), tuple(p for _, p in far), seconds, "en", far_audio=sound)


def _replayed(agent: list[Piece], far: list[tuple[str, Piece]], seconds: float = 40.0) -> Replayed:
    gate = CallGate(fake_ears(), settings=GateSettings(check_rate=False))
    return replay_timeline(_with_voices(agent, far, seconds), load_pathway("cataract-followup"), gate=gate)


def test_somebody_elses_voice_over_the_agent_is_a_third_partys() -> None:
    """Once the patient is enrolled, another voice takes no floor and answers nothing."""
    agent = [
        piece(12.0, REDNESS),
        piece(18.0, PAIN),
        piece(30.0, "I will now explain what happens at the clinic on Monday."),
    ]
    far = [
        ("patient", piece(0.0, STORY)),
        ("patient", piece(15.0, "No it is not red at all thank you")),
        ("television", piece(30.9, "and now the weather for tomorrow in the north")),
    ]

    done = _replayed(agent, far)

    assert [(r.fact.verdict, r.fact.speaker, r.takes_floor) for r in done.reports] == [
        ("third_party", "third_party", False)
    ]
    rows = {row.id: row.state for row in obligation_rows(done.tracker)}
    assert rows["redness"] == "answered"
    assert rows["pain"] == "asked"


def test_without_sound_the_gate_is_left_out_and_nobody_is_locked_out() -> None:
    """A transcript alone has no voices to score: every word counts as the patient's."""
    gate = CallGate(fake_ears(), settings=GateSettings(check_rate=False))
    timeline = Timeline("c", (piece(0.0, REDNESS),), (piece(4.0, "No."),), 6.0, "en")

    done = replay_timeline(timeline, load_pathway("cataract-followup"), gate=gate)

    assert next(r.state for r in obligation_rows(done.tracker) if r.id == "redness") == "answered"


def test_a_gate_that_fails_lets_the_words_pass_and_says_so() -> None:
    """The patient's words are never lost to a broken model."""

    class Broken(CallGate):
        def begin_turn(self, *args: object, **more: object) -> object:  # pyright: ignore[reportIncompatibleMethodOverride]
            raise RuntimeError

    timeline = _with_voices([piece(0.0, REDNESS)], [("patient", piece(4.0, "No."))], 8.0)

    done = replay_timeline(timeline, load_pathway("cataract-followup"), gate=Broken(fake_ears()))

    assert [line.text for line in done.lines if line.counted] == ["No."]
    assert [note.code for note in done.notes] == ["gate_failed"]
