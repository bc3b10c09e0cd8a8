"""The frame around the content in a whole pipeline: whoever leads, and whatever the model is like."""

from __future__ import annotations

import pytest

from pipecat_interrupt.demo.patient import PatientCue
from pipecat_interrupt.errors import PipelineError
from pipecat_interrupt.kit import InterruptKit
from pipecat_interrupt.steering import CallFrame

from .framed import MODELS, WHO, a_detector, clinical, framed_call, heard

pytestmark = pytest.mark.pipeline

LEADERS = [None, *MODELS]  # the pathway, and a model of each kind
GREETING = "You have reached the voicemail of the Smiths. Please leave a message after the tone."


def accounted_for(kit: InterruptKit) -> None:
    """Every item that is owed stands in the hand-off, open, with a reason."""
    assert kit.tracker is not None and kit.handoff is not None
    assert {r.id for r in kit.tracker.ledger.items.values() if r.owed} == {i.item_id for i in kit.handoff.open_items}
    assert all(item.reason and item.detail for item in kit.handoff.open_items)


@pytest.mark.parametrize("leader", LEADERS)
class TestWhoeverLeads:
    def test_a_wrong_number_hears_nothing_clinical(self, leader: str | None) -> None:
        """The model is not asked for a word before somebody has said to be the patient."""
        kit, result = framed_call(PatientCue(WHO, "You have the wrong number."), model=leader)

        assert kit.handoff is not None
        assert "wrong_person" == kit.handoff.end_reason
        assert [] == clinical(kit)
        assert heard(kit).endswith("I will not share anything further.")
        assert result.ended_itself
        accounted_for(kit)

    def test_somebody_fetches_the_patient_and_the_call_begins_anew(self, leader: str | None) -> None:
        """The patient hears who calls and is asked; only then comes the content."""
        kit, _ = framed_call(
            PatientCue(WHO, "No, I'm her daughter. I'll get her.", times=1),
            PatientCue("i will wait", "Hello?", delay_s=8.0),
            PatientCue(WHO, "Yes."),
            model=leader,
            duration_s=70.0,
        )

        told = heard(kit)
        assert 2 == told.count("I am an automated assistant, not a person.")
        assert 2 == told.count("Are you the patient this call is for?")
        assert clinical(kit)
        assert told.index("I will wait.") < told.index("more short of breath")

    def test_a_voicemail_hears_not_one_word(self, leader: str | None) -> None:
        """Pipecat's own detector decides; the line closes in silence and everything is handed off."""
        kit, result = framed_call(
            model=leader,
            says=[(0.5, GREETING)],
            frame=lambda: CallFrame(voicemail=a_detector("voicemail")),
        )

        assert kit.handoff is not None
        assert ("voicemail", "") == (kit.handoff.end_reason, heard(kit))
        assert result.ended_itself
        accounted_for(kit)

    def test_a_machine_taken_for_a_person_hears_no_content(self, leader: str | None) -> None:
        """A wrong verdict leaves the right-party check, and the check leaves nothing clinical."""
        kit, result = framed_call(
            model=leader,
            says=[(0.5, "Hi, this is Sam. I can't come to the phone.")],
            frame=lambda: CallFrame(voicemail=a_detector("conversation")),
        )

        assert kit.handoff is not None
        assert [] == clinical(kit)
        assert result.ended_itself
        accounted_for(kit)


@pytest.mark.parametrize("leader", [None, "deaf"])
class TestEveryWayOut:
    def test_a_person_is_wanted(self, leader: str | None) -> None:
        """With nobody to put on the line, the team is told and the call ends; the model is not asked again."""
        kit, result = framed_call(PatientCue(WHO, "Yes. But I want to speak to a real person."), model=leader)

        assert kit.handoff is not None
        assert "wants_person" == kit.handoff.end_reason
        assert [] == clinical(kit)
        assert result.ended_itself
        accounted_for(kit)

    @pytest.mark.parametrize(
        ("words", "reason"),
        [
            ("I don't want to be recorded.", "objected"),
            ("It's a bad time, call me back later.", "callback_requested"),
        ],
    )
    def test_a_refusal_or_a_later_call_is_taken_at_its_word(self, leader: str | None, words: str, reason: str) -> None:
        """One sentence, the end, and every item with its reason; the words of the request stand beside it."""
        kit, result = framed_call(PatientCue(WHO, words), model=leader)

        assert kit.handoff is not None
        assert reason == kit.handoff.end_reason
        assert [words] == [made.quote for made in kit.handoff.requests_made]
        assert result.ended_itself
        accounted_for(kit)

    def test_a_silent_line_is_asked_again_and_closed(self, leader: str | None) -> None:
        """A bounded number of prompts, then the end with a hand-off."""
        kit, result = framed_call(model=leader)

        assert kit.handoff is not None
        assert "silence" == kit.handoff.end_reason
        assert 2 <= heard(kit).count("Are you the patient") <= 4
        assert [] == clinical(kit)
        assert result.ended_itself
        accounted_for(kit)

    def test_a_patient_who_falls_silent_later_is_asked_and_let_go(self, leader: str | None) -> None:
        """Nobody stays on an open line for ever, whoever led the talk."""
        kit, result = framed_call(PatientCue(WHO, "Yes."), model=leader, duration_s=240.0)

        assert kit.handoff is not None
        assert result.ended_itself
        accounted_for(kit)


class TestTheDetector:
    def test_a_person_is_greeted_after_the_verdict(self) -> None:
        """What they said first is heard too, and the call goes on."""
        kit, _ = framed_call(
            PatientCue(WHO, "Yes."),
            says=[(0.5, "Hello?")],
            frame=lambda: CallFrame(voicemail=a_detector("conversation")),
            duration_s=25.0,
        )

        assert heard(kit).startswith("Hello, I am calling from the hospital.")
        assert "breathless" in clinical(kit)

    def test_a_person_who_picks_up_and_says_nothing_is_greeted(self) -> None:
        """Pipecat's own gate would hold the greeting for ever: nothing was heard, so nothing is ever decided."""
        kit, _ = framed_call(
            PatientCue(WHO, "Yes."), frame=lambda: CallFrame(voicemail=a_detector("conversation")), duration_s=25.0
        )

        assert 5.0 <= kit.scribe.records[0].started_s < 7.0
        assert "breathless" in clinical(kit)

    def test_a_dead_classifier_leaves_the_right_party_check(self) -> None:
        """The detector then takes everybody for a person; the check still stands."""
        kit, _ = framed_call(
            says=[(0.5, GREETING)], frame=lambda: CallFrame(voicemail=a_detector(None)), duration_s=100.0
        )

        assert [] == clinical(kit)
        accounted_for(kit)

    def test_a_pathway_without_a_place_for_the_verdict_is_refused(self) -> None:
        """The message says what to add."""
        with pytest.raises(PipelineError, match="human-answered"):
            InterruptKit("cataract-followup", frame=CallFrame(voicemail=a_detector("voicemail")))
