"""The model leads: whatever it ignores, the middleware speaks what is owed or hands it off with a reason."""

from __future__ import annotations

import pytest
from pipecat.frames.frames import EndFrame, LLMRunFrame

from obligations import load_pathway
from obligations.steering import SteeringPolicy
from pipecat_interrupt.demo.patient import PatientCue
from pipecat_interrupt.journal.entries import MoveMade, NoteGiven
from pipecat_interrupt.kit import InterruptKit
from pipecat_interrupt.kit.settings import KitSettings
from pipecat_interrupt.steering import SteeringSettings
from pipecat_interrupt.testing.call import CallParts

from .calls import scripted_demo

pytestmark = pytest.mark.pipeline

MODEL_LEADS = KitSettings(steering=SteeringSettings(leads=False))
REDNESS, PAIN = "Have you noticed any redness in your eye?", "Do you have any pain in your eye?"
NOTICE = " ".join(item.wording["en"] for item in load_pathway("cataract-followup").group("disclosure").items)
VISION = "Has your vision become blurry or got worse?"
GOODBYE = "Thank you for your time. Goodbye."
FAQ = (
    "Some sensitivity to light is normal after a cataract operation. If you have severe pain that does not go away, or"
    " you lose vision, contact the hospital at once. If it is mild, wear sunglasses and avoid bright direct light."
)
DEAF = ["Hello from the eye clinic. How can I help?", FAQ, "I see.", "I see.", "I see.", "I see.", "I see."]
CUES = (
    PatientCue("how can i help", "red_no_light"),
    PatientCue("operation if you have severe", "cut_driving", when="during", delay_s=0.0, times=1),
)


async def _end(parts: CallParts, kit: InterruptKit) -> None:
    await parts.worker.queue_frame(EndFrame())


def test_a_deaf_model_loses_no_critical_item_in_silence() -> None:
    """Everything critical that is owed is closed by delivered words or stands in the hand-off with a reason."""
    kit, result = scripted_demo(
        settings=MODEL_LEADS, cues=CUES, replies=DEAF, opening=LLMRunFrame, at=[(45.0, _end)], duration_s=150.0
    )

    assert kit.tracker is not None and kit.handoff is not None
    owed = {r.id for r in kit.tracker.ledger.items.values() if r.critical and r.owed}
    assert owed <= {item.item_id for item in kit.handoff.open_items}
    assert all(item.detail for item in kit.handoff.open_items)
    assert result.ended_itself


def test_a_deaf_model_is_told_and_then_spoken_for() -> None:
    """The note names what was cut; when the model does not come back, the own wording is spoken and heard whole."""
    kit, _ = scripted_demo(
        settings=MODEL_LEADS, cues=CUES, replies=DEAF, opening=LLMRunFrame, at=[(60.0, _end)], duration_s=150.0
    )

    notes = [e.data.text for e in kit.memory.entries if isinstance(e.data, NoteGiven)]
    moves = [e.data for e in kit.memory.entries if isinstance(e.data, MoveMade)]
    escalation = next(o for o in kit.summary().obligations if o.id == "light.escalation")
    assert any("severe pain" in note for note in notes)
    assert any("light.escalation" in move.item_ids for move in moves)
    assert escalation.state == "met"


def test_the_models_history_holds_what_was_heard_and_not_the_rest() -> None:
    """The advice that was cut off never stands in the history as if it had been said."""
    kit, result = scripted_demo(settings=MODEL_LEADS, cues=CUES, replies=DEAF, opening=LLMRunFrame, duration_s=30.0)

    cut = next(r for r in kit.scribe.records if r.cut is not None)
    said = [str(m.get("content")) for m in result.messages if m.get("role") == "assistant"]
    assert any(cut.delivered.strip() in text for text in said)
    assert not any(cut.undelivered.strip() in text for text in said)


def _agent_lines(kit: InterruptKit) -> list[str]:
    return [record.intended for record in kit.scribe.records]


def test_an_overdue_question_is_asked_alone_and_answered() -> None:
    """The model is not asked in that turn: two questions in a row would leave the first without an answer."""
    cues = (
        PatientCue("have you noticed any", "no_short", when="during", delay_s=0.0, times=1),
        PatientCue("pain in your eye", "no_short"),
        PatientCue("redness in your eye", "no_short"),
    )

    kit, _ = scripted_demo(
        settings=MODEL_LEADS,
        cues=cues,
        replies=[f"{NOTICE} {REDNESS}", PAIN, VISION],
        opening=LLMRunFrame,
        duration_s=45.0,
    )

    again = next(i for i, line in enumerate(_agent_lines(kit)) if line.endswith(f"again. {REDNESS}"))
    assert PAIN == _agent_lines(kit)[again - 1]
    assert VISION == _agent_lines(kit)[again + 1]
    assert kit.tracker is not None
    assert "no" == getattr(kit.tracker.ledger.items["redness"].answer, "value", None)


def test_after_the_guard_has_spoken_the_call_is_closed_and_the_model_asked_no_more() -> None:
    """A model that is asked again would open a subject on a line that is about to close."""
    cues = (PatientCue("how can i help", "red_no_light"), PatientCue("redness in your eye", "no_short"))

    kit, result = scripted_demo(
        settings=MODEL_LEADS,
        policy=SteeringPolicy(guard_holds_max=1),
        cues=cues,
        replies=[DEAF[0], GOODBYE, "And another thing?"],
        opening=LLMRunFrame,
        at=[(12.0, _end)],
        duration_s=90.0,
    )

    moves = [e.data for e in kit.memory.entries if isinstance(e.data, MoveMade)]
    assert ["guard", "goodbye", "release"] == [m.purpose for m in moves if m.purpose in ("guard", "release", "goodbye")]
    assert "And another thing?" not in _agent_lines(kit)
    assert _agent_lines(kit)[-1].endswith("Goodbye.")
    assert result.ended_itself


def test_a_patient_who_talks_over_the_last_goodbye_does_not_keep_the_call_from_ending() -> None:
    """Pipecat loses an end that waits behind speech when the speech is cut: the end is let go behind it."""
    cues = (
        PatientCue("how can i help", "red_no_light"),
        PatientCue("redness in your eye", "no_short"),
        PatientCue("that is everything", "okay", when="during", delay_s=0.0, times=1),
    )

    kit, result = scripted_demo(
        settings=MODEL_LEADS,
        policy=SteeringPolicy(guard_holds_max=1),
        cues=cues,
        replies=[DEAF[0], GOODBYE],
        opening=LLMRunFrame,
        at=[(12.0, _end)],
        duration_s=90.0,
    )

    assert result.ended_itself
    assert kit.handoff is not None
