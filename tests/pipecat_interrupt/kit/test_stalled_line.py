"""A line that stalls and then brings everything at once: old words do not answer the question of now for good."""

from __future__ import annotations

import asyncio

import pytest

from obligations import load_pathway
from pipecat_interrupt.demo.patient import PatientCue
from pipecat_interrupt.journal.entries import LedgerMoved, MoveMade, PatientTurn
from pipecat_interrupt.kit import InterruptKit
from pipecat_interrupt.replay.again import replay_journal
from pipecat_interrupt.testing import ScriptedSTT, speech
from pipecat_interrupt.testing.call import CallParts
from pipecat_interrupt.testing.transports import PlacedClip

from .framed import framed_call

pytestmark = pytest.mark.pipeline

STALL_S = 39.8
"""Long enough for redness to be asked three times into the silence, and for pain to be asked."""


@pytest.mark.parametrize("word", ["No.", "Yes."])
def test_an_answer_out_of_a_stall_is_confirmed_before_it_closes_another_question(word: str) -> None:
    """The patient answered redness; the words come when pain has been asked about."""

    async def stall(parts: CallParts, kit: InterruptKit) -> None:
        parts.input.started_at_s += STALL_S  # the pump sleeps so long, and then catches up
        await asyncio.sleep(0.1)
        parts.input.started_at_s -= STALL_S
        await asyncio.sleep(5.0)
        answer = speech(word)
        parts.input.clips.append(PlacedClip(asyncio.get_running_loop().time(), answer))
        await asyncio.sleep(STALL_S - 5.1)
        parts.stt.hear(answer, at_s=asyncio.get_running_loop().time(), user_id="patient")

    cues = [PatientCue(about, "No.", times=9) for about in ("yes or no", "become blurry", "floaters", "flashing")]
    heard = ScriptedSTT("streaming", delay_s=0.3)
    kit, _ = framed_call(
        *cues, pathway="cataract-followup", vad="energy", stt=heard, duration_s=140.0, at=[(18.0, stall)]
    )

    data = [entry.data for entry in kit.memory.entries]
    turns = [d for d in data if isinstance(d, PatientTurn)]
    assert [(word, True), ("No.", False)] == [(turn.text, turn.unconfirmed) for turn in turns[:2]]
    moves = [(d.purpose, d.item_ids) for d in data if isinstance(d, MoveMade)]
    assert moves.index(("ask", ("pain",))) + 1 == moves.index(("confirm", ("pain",)))
    assert kit.handoff is not None
    assert "no" == {a.item_id: a.value for a in kit.handoff.answers}["pain"]
    assert [False] * (word == "Yes.") == [flag.certain for flag in kit.handoff.red_flags]
    assert "redness" in {item.item_id for item in kit.handoff.open_items}
    again = replay_journal(list(kit.memory.entries), load_pathway("cataract-followup"))
    assert again.tracker is not None
    assert kit.handoff.answers == again.tracker.handoff("completed", 200.0).answers


def test_a_report_out_of_a_stall_is_in_doubt_and_one_behind_it_is_not() -> None:
    """What somebody else said half a minute ago may answer another question, and they may be let answer it."""

    async def stall(parts: CallParts, kit: InterruptKit) -> None:
        parts.input.started_at_s += 5.0
        await asyncio.sleep(0.1)
        parts.input.started_at_s -= 5.0
        await asyncio.sleep(5.5)
        kit.words.on_report("No, she has no redness.", None)
        await asyncio.sleep(8.0)
        kit.words.on_report("No, she has no pain.", None)

    kit, _ = framed_call(pathway="cataract-followup", vad="energy", duration_s=40.0, at=[(18.0, stall)])

    turns = [entry.data for entry in kit.memory.entries if isinstance(entry.data, PatientTurn)]
    assert [True, False] == [turn.unconfirmed for turn in turns]
    replies = [e.data.event for e in kit.memory.entries if isinstance(e.data, LedgerMoved)]
    assert [True, False] == [event["unconfirmed"] for event in replies if event["kind"] == "replied"]


def test_an_answer_given_on_time_behind_a_stall_is_not_asked_again() -> None:
    """Its voice began when everything late had come; only what was said into the stall is in doubt."""

    async def stall(parts: CallParts, kit: InterruptKit) -> None:
        parts.input.started_at_s += 3.0
        await asyncio.sleep(0.1)
        parts.input.started_at_s -= 3.0

    cues = [PatientCue(about, "No.", times=9) for about in ("redness in", "pain in", "blurry", "floaters", "flashing")]
    heard = ScriptedSTT("streaming", delay_s=0.3)
    kit, _ = framed_call(
        *cues, pathway="cataract-followup", vad="energy", stt=heard, duration_s=90.0, at=[(17.0, stall)]
    )

    data = [entry.data for entry in kit.memory.entries]
    assert [False] * 5 == [d.unconfirmed for d in data if isinstance(d, PatientTurn)]
    assert "confirm" not in {d.purpose for d in data if isinstance(d, MoveMade)}
    assert kit.handoff is not None
    assert kit.handoff.complete
