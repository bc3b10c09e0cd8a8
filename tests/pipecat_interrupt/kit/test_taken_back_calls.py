"""A model that leads takes an advice back in its next turn: the middleware puts it right before the call is over."""

from __future__ import annotations

import pytest
from pipecat.frames.frames import EndFrame, LLMRunFrame

from obligations import load_pathway
from pipecat_interrupt.demo.patient import PatientCue
from pipecat_interrupt.kit import InterruptKit
from pipecat_interrupt.kit.settings import KitSettings
from pipecat_interrupt.steering import SteeringSettings
from pipecat_interrupt.testing.call import CallParts

from .calls import scripted_demo

pytestmark = pytest.mark.pipeline

EYE = load_pathway("cataract-followup")
LIGHT = " ".join(item.wording["en"] for item in EYE.group("light-sensitivity").items)
ESCALATION = EYE.points["light.escalation"].wording["en"]
NOTICE = " ".join(item.wording["en"] for item in EYE.group("disclosure").items)
BACK = "There is no need to contact the hospital about it."


async def _end(parts: CallParts, kit: InterruptKit) -> None:
    await parts.worker.queue_frame(EndFrame())


def test_an_advice_taken_back_in_the_next_turn_is_put_right_within_the_call() -> None:
    """The patient hears the advice last, whole and in its own words, and the record shows what came between."""
    kit, result = scripted_demo(
        settings=KitSettings(steering=SteeringSettings(leads=False)),
        cues=(
            PatientCue("how can i help", "red_no_light", times=1),
            PatientCue("bright direct light", "cut_driving", times=1),
        ),
        replies=[f"{NOTICE} How can I help?", LIGHT, BACK, *["I see."] * 4],
        opening=LLMRunFrame,
        at=[(75.0, _end)],
        duration_s=150.0,
    )

    assert kit.tracker is not None and kit.handoff is not None
    heard = [record.delivered for record in kit.scribe.records]
    back = next(i for i, text in enumerate(heard) if BACK in text)
    told = next(point for point in kit.handoff.delivered if point.item_id == "light.escalation")
    assert any(ESCALATION in text for text in heard[back + 1 :])
    assert [BACK] == [piece.quote for piece in told.mistold]
    assert result.ended_itself
