"""A recogniser that is very late: words that come after their turn are one reply, and are never a second one."""

from __future__ import annotations

import pytest

from pipecat_interrupt.demo.patient import PatientCue
from pipecat_interrupt.journal.entries import PatientTurn
from pipecat_interrupt.testing import ScriptedSTT

from .calls import scripted_demo

pytestmark = pytest.mark.pipeline


def test_words_joined_to_a_closed_turn_for_the_model_answer_nothing_a_second_time() -> None:
    """Six seconds late: the question about light stands in one turn, though the model's history gets it joined on."""
    cues = (PatientCue("redness in your eye", "red_no_light"), PatientCue("pain in your eye", "pain_no"))
    late = ScriptedSTT(delay_s=6.0, ttfs_p99_latency=3.0)

    kit, _ = scripted_demo(cues=cues, stt=late, duration_s=45.0)

    turns = [entry.data.text for entry in kit.memory.entries if isinstance(entry.data, PatientTurn)]
    assert turns[:3] == ["No, it isn't red.", "But is it normal that bright light bothers me?", "No, no pain."]
