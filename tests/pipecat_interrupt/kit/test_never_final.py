"""A recogniser that tells words and never makes any final: the call goes on, flags, and hands everything off."""

from __future__ import annotations

import pytest

from pipecat_interrupt.demo.patient import PatientCue
from pipecat_interrupt.journal.entries import MoveMade, PatientTurn
from pipecat_interrupt.kit import InterruptKit
from pipecat_interrupt.testing import ScriptedSTT
from pipecat_interrupt.testing.call import CallParts

from .framed import framed_call

pytestmark = pytest.mark.pipeline

QUESTIONS = ("redness", "pain", "blurry-vision", "floaters", "flashing-lights")
ABOUT = ("redness in", "pain in", "blurry", "floaters", "flashing")


@pytest.mark.parametrize(("word", "flagged"), [("No.", ()), ("Yes, it hurts.", QUESTIONS)])
def test_every_answer_is_doubted_confirmed_once_and_handed_off(word: str, flagged: tuple[str, ...]) -> None:
    """The patient answers into silence; every answer used to be lost, and the call ended as one nobody spoke in."""
    kit, _ = framed_call(
        *(PatientCue(about, word, times=9) for about in ABOUT),
        pathway="cataract-followup",
        vad="energy",
        stt=ScriptedSTT("streaming", delay_s=0.2, finals=False),
        duration_s=240.0,
    )

    data = [entry.data for entry in kit.memory.entries]
    asked = [(d.purpose, d.item_ids) for d in data if isinstance(d, MoveMade) and set(d.item_ids) & set(QUESTIONS)]
    assert [(purpose, (q,)) for q in QUESTIONS for purpose in ("ask", "confirm")] == asked
    assert {(word, True)} == {(d.text, d.unconfirmed) for d in data if isinstance(d, PatientTurn)}
    assert kit.handoff is not None
    assert ("completed", ()) == (kit.handoff.end_reason, kit.handoff.answers)
    assert dict.fromkeys(QUESTIONS, "unconfirmed") == {i.item_id: i.reason for i in kit.handoff.open_items}
    assert {(q, False) for q in flagged} == {(flag.item_id, flag.certain) for flag in kit.handoff.red_flags}


def test_a_recogniser_that_finds_its_voice_again_answers_as_before() -> None:
    """Only the words it never made final were in doubt."""

    async def recovers(parts: CallParts, kit: InterruptKit) -> None:
        parts.stt.finals = True

    kit, _ = framed_call(
        *(PatientCue(about, "No.", times=9) for about in ABOUT),
        pathway="cataract-followup",
        vad="energy",
        stt=ScriptedSTT("streaming", delay_s=0.2, finals=False),
        duration_s=240.0,
        at=[(30.0, recovers)],
    )

    assert kit.handoff is not None
    assert kit.handoff.complete
    assert dict.fromkeys(QUESTIONS, "no") == {a.item_id: a.value for a in kit.handoff.answers}
    turns = [e.data for e in kit.memory.entries if isinstance(e.data, PatientTurn)]
    assert [True] + [False] * 5 == [turn.unconfirmed for turn in turns]


def test_words_the_end_of_the_call_breaks_off_over_the_agent_stand_in_the_hand_off() -> None:
    """They were held back for the verdict on their overlap."""

    async def drop(parts: CallParts, kit: InterruptKit) -> None:
        await parts.worker.cancel()

    kit, _ = framed_call(
        pathway="cataract-followup",
        vad="energy",
        stt=ScriptedSTT("streaming", delay_s=0.1, finals=False),
        says=[(8.0, "Okay and")],
        duration_s=60.0,
        at=[(9.0, drop)],
    )

    assert kit.handoff is not None
    assert [("Okay and", True)] == [(words.text, words.partial) for words in kit.handoff.other_words]


@pytest.mark.parametrize("slow_s", [4.0, 7.0])
def test_a_slow_stream_is_misread_once_and_then_waited_for(slow_s: float) -> None:
    """Its final text comes when the same is being asked again: it closes nothing else; the rest is as ever."""
    kit, _ = framed_call(
        *(PatientCue(about, "No, nothing.", times=9) for about in ABOUT),
        pathway="cataract-followup",
        vad="energy",
        stt=ScriptedSTT("streaming", delay_s=0.2, final_delay_s=slow_s),
        duration_s=240.0,
    )

    turns = [e.data for e in kit.memory.entries if isinstance(e.data, PatientTurn)]
    assert [True, True] + [False] * 5 == [turn.unconfirmed for turn in turns]
    assert kit.handoff is not None
    assert dict.fromkeys(QUESTIONS, "no") == {a.item_id: a.value for a in kit.handoff.answers}
