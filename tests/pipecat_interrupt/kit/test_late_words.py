"""A recogniser that is very late: words that come after their turn are one reply, and are never a second one."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from pipecat.frames.frames import LLMMessagesAppendFrame

from pipecat_interrupt.demo.patient import PatientCue
from pipecat_interrupt.journal.entries import MoveMade, PatientTurn
from pipecat_interrupt.kit import InterruptKit
from pipecat_interrupt.testing import ScriptedSTT
from pipecat_interrupt.testing.call import CallParts

from .calls import scripted_demo
from .framed import framed_call

pytestmark = pytest.mark.pipeline


def test_words_joined_to_a_closed_turn_for_the_model_answer_nothing_a_second_time() -> None:
    """Six seconds late: the question about light stands in one turn, though the model's history gets it joined on."""
    cues = (PatientCue("redness in your eye", "red_no_light"), PatientCue("pain in your eye", "pain_no"))
    late = ScriptedSTT(delay_s=6.0, ttfs_p99_latency=3.0)

    kit, _ = scripted_demo(cues=cues, stt=late, duration_s=75.0)

    turns = [entry.data.text for entry in kit.memory.entries if isinstance(entry.data, PatientTurn)]
    assert turns[:3] == ["No, it isn't red.", "But is it normal that bright light bothers me?", "No, no pain."]


class BusySTT(ScriptedSTT):
    """One worker: a segment waits for the one before it, as on a machine that is busy."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._one_at_a_time = asyncio.Lock()

    async def _tell_segment(self, segment: Any) -> None:
        async with self._one_at_a_time:
            await super()._tell_segment(segment)


SHORT = Path(__file__).resolve().parents[1] / "demo" / "short.yaml"


def test_the_agent_takes_no_leave_while_words_are_with_the_recogniser() -> None:
    """A denial and a question in one breath; the denial is there four seconds before the question is.

    The denial answers the last question of the call: without a look at what is still to come, the agent says goodbye,
    ends the call, and hands the advice off that the question asks for.
    """

    async def short() -> InterruptKit:
        return InterruptKit(SHORT, call_id="c1")

    cues = (PatientCue("redness in your eye", "red_no_light"),)
    kit, _ = scripted_demo(cues=cues, open_kit=short, stt=BusySTT(delay_s=4.0, ttfs_p99_latency=1.0), duration_s=60.0)

    moves = [entry.data for entry in kit.memory.entries if isinstance(entry.data, MoveMade)]
    assert [m.purpose for m in moves].index("convey") < [m.purpose for m in moves].index("goodbye")
    assert kit.handoff is not None
    assert kit.handoff.complete


def test_an_answer_ten_seconds_late_is_not_given_to_the_next_question() -> None:
    """The patient says yes to pain alone; the words come when blurry vision is being asked about."""
    cues = (
        PatientCue("any pain in your eye", "Yes.", times=9),
        *(PatientCue(about, "No.", times=9) for about in ("redness", "vision become blurry", "floaters", "flashing")),
    )
    late = ScriptedSTT(delay_s=10.0, ttfs_p99_latency=1.0)

    kit, _ = framed_call(*cues, pathway="cataract-followup", stt=late, vad="energy", duration_s=400.0)

    assert kit.handoff is not None
    answers = {answer.item_id: answer.value for answer in kit.handoff.answers}
    assert "yes" == answers["pain"]
    assert {"no"} == {value for item, value in answers.items() if item != "pain"}
    assert ["pain"] == [flag.item_id for flag in kit.handoff.red_flags]


def test_a_typed_answer_is_of_now_however_long_ago_somebody_spoke() -> None:
    """The application puts a user message into the history: the age of the last spoken words is not its age."""

    async def type_no(parts: CallParts, kit: InterruptKit) -> None:
        await parts.worker.queue_frame(LLMMessagesAppendFrame([{"role": "user", "content": "No."}], run_llm=True))

    cues = (PatientCue("redness in your eye", "flashes_no"),)

    kit, _ = scripted_demo(cues=cues, at=[(36.0, type_no)], stt=ScriptedSTT("segmented"), duration_s=45.0)

    turns = [entry.data for entry in kit.memory.entries if isinstance(entry.data, PatientTurn)]
    assert [True, False] == [turn.spoken_s is not None for turn in turns[:2]]
    assert kit.tracker is not None
    assert ["answered", "answered"] == [kit.tracker.ledger.items[item].state.value for item in ("redness", "pain")]
