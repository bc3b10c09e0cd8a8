"""D12 in a whole pipeline: a "Hello?" over the opening notice cuts it, and its unheard rest comes first."""

from __future__ import annotations

import pytest

from obligations.ledger import State
from pipecat_interrupt.demo.patient import PatientCue

from .framed import framed_call, heard

pytestmark = pytest.mark.pipeline

CUES = (
    PatientCue("call is recorded", "Hello?", when="during", delay_s=0.1, times=1),
    PatientCue("good time to talk", "Yes.", times=1),
)
REST = "This call is recorded for your medical record. If you do not want this, tell me at any time"


@pytest.mark.parametrize("leader", [None, "deaf"])
def test_the_rest_of_a_notice_that_was_talked_over_is_told(leader: str | None) -> None:
    """The record says where it was cut; what was heard whole before it is not said again."""
    kit, _ = framed_call(*CUES, pathway="cataract-followup", model=leader, duration_s=50.0)

    assert kit.tracker is not None
    cut = next(record for record in kit.scribe.records if "This call is recorded for" in record.intended)
    assert "This call is recorded" in cut.delivered
    assert "tell me at any time" in cut.undelivered
    assert REST in heard(kit)
    assert 1 == heard(kit).count("I am an automated assistant, not a person.")
    disclosed = {r.id: r.state for r in kit.tracker.ledger.items.values() if "disclos" in r.id or "record" in r.id}
    assert disclosed and {State.MET} == set(disclosed.values())


def test_the_patient_is_answered_and_the_notice_ends_before_any_clinical_question() -> None:
    """A short reply to the "Hello?", the rest of the notice, then the first question."""
    kit, _ = framed_call(*CUES, pathway="cataract-followup", duration_s=50.0)

    cut, back, question = kit.scribe.records[:3]
    assert cut.undelivered and not back.undelivered
    assert not back.delivered.startswith(REST) and REST in back.delivered
    assert "Have you noticed any redness in your eye?" == question.delivered
