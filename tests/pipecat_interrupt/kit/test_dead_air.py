"""A model that says nothing, fails or hangs, and a line whose end is held too long: whole calls on virtual time."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from pipecat.frames.frames import EndFrame

from pipecat_interrupt.demo.patient import PatientCue
from pipecat_interrupt.kit import InterruptKit
from pipecat_interrupt.steering.door import HOLD_END_S_MAX, LEAVE_S_MAX
from pipecat_interrupt.testing.call import CallParts, CallResult

from .framed import framed_call

pytestmark = pytest.mark.pipeline

ASKED = ("redness in your eye", "pain in your eye", "blurry", "dots or threads", "flashing lights")
NO = [PatientCue(words, "No.") for words in ASKED]


async def end(parts: CallParts, kit: InterruptKit) -> None:
    """The application ends the call."""
    await parts.worker.queue_frame(EndFrame())


async def hangs(_: Any) -> str:
    """A model that answers long after the patient has hung up."""
    await asyncio.sleep(1000.0)
    return "late"


def fails(_: Any) -> str:
    """A model whose service is down."""
    raise RuntimeError("no model today")


def a_call(replies: Any, *cues: PatientCue, end_s: float = 40.0, duration_s: float = 200.0) -> Any:
    return framed_call(
        *cues, pathway="cataract-followup", model="deaf", replies=replies, at=[(end_s, end)], duration_s=duration_s
    )


def spoken(kit: InterruptKit) -> list[str]:
    return [record.delivered for record in kit.scribe.records if record.delivered]


@pytest.mark.parametrize("model", [lambda _: None, fails, hangs], ids=["says nothing", "fails", "hangs"])
def test_the_pathway_speaks_where_the_model_does_not(model: Any) -> None:
    """The patient hears the opening and every question; the call ends by itself, with nothing open."""
    kit, result = a_call(model, *NO)

    assert result.ended_itself
    assert spoken(kit)[0].startswith("Hello, I am calling from the eye clinic")
    assert all("late" not in text for text in spoken(kit))
    assert kit.handoff is not None
    assert kit.handoff.complete


def test_a_model_that_hangs_leaves_the_line_within_its_bound() -> None:
    """Guard and end queue behind it no longer: the end comes long before the model does."""
    kit, result = a_call(hangs, end_s=3.0, duration_s=900.0)

    assert result.ended_itself
    assert result.duration_s < HOLD_END_S_MAX + LEAVE_S_MAX + 60.0
    assert kit.handoff is not None


def test_a_patient_who_answers_everything_slowly_is_asked_everything() -> None:
    """Each closed item begins the bound anew; the line closes with a goodbye."""
    slow = [PatientCue(cue.hears, cue.clip, delay_s=4.0) for cue in NO]
    kit, result = a_call(lambda _: "Hello.", *slow, end_s=0.5)

    assert kit.handoff is not None
    assert kit.handoff.complete
    assert result.duration_s > HOLD_END_S_MAX
    assert "Goodbye." == spoken(kit)[-1][-8:]


def held_out() -> tuple[InterruptKit, CallResult]:
    """Ask for the end; the patient says the same unclear thing to everything and closes nothing."""
    unclear = [PatientCue(words, "The weather is bad today.", times=9, delay_s=4.0) for words in ASKED]
    return a_call(lambda _: "Hello.", *unclear, end_s=0.5)


def test_a_hold_without_progress_ends_with_a_goodbye_and_the_hand_off_names_the_bound() -> None:
    """The line never closes in mid-sentence without a word, and who reads the hand-off knows why."""
    kit, result = held_out()

    assert result.ended_itself
    assert "Goodbye." == spoken(kit)[-1][-8:]
    assert kit.handoff is not None
    assert "hold_limit" == kit.handoff.end_reason
    assert all("could be held no longer" in item.detail for item in kit.handoff.open_items)
    assert kit.handoff.open_items
