"""Somebody else takes the telephone without a speaker gate: whole calls on virtual time."""

from __future__ import annotations

import pytest

from obligations.answers.protocol import ReplySpeaker
from pipecat_interrupt.demo.patient import PatientCue
from pipecat_interrupt.steering import WordsTap

from .framed import framed_call, heard

pytestmark = pytest.mark.pipeline

WHO = "Am I speaking with the patient now?"
WIFE = PatientCue("redness in your eye", "He's asleep, this is his wife. No redness.", times=1)
NO = [PatientCue(words, "No.") for words in ("pain in your eye", "blurry", "dots or threads", "flashing lights")]


def test_the_wife_closes_nothing_and_is_asked_once_for_the_patient() -> None:
    """The pathway leads: every question keeps her report and stands in the hand-off as hers alone."""
    kit, _ = framed_call(WIFE, *NO, pathway="cataract-followup")

    assert kit.handoff is not None
    assert 1 == heard(kit).count(WHO)
    assert {"third_party_only"} == {item.reason for item in kit.handoff.open_items}
    assert 5 == len(kit.handoff.open_items)


def test_a_model_that_leads_is_not_asked_while_it_is_open_who_speaks() -> None:
    """The middleware asks for the patient before the model can put its next question to her."""
    question = "Have you noticed any redness in your eye?"
    model = iter([question, "Do you have any pain in your eye?", *["I see."] * 9])
    kit, _ = framed_call(
        WIFE,
        PatientCue("speaking with the patient now", "Yes, it's me."),
        PatientCue("redness in your eye", "No."),
        pathway="cataract-followup",
        model="deaf",
        replies=lambda _: next(model),
        duration_s=60.0,
    )

    spoken = [record.delivered for record in kit.scribe.records]
    assert [question, WHO] == [spoken[0], spoken[1][-len(WHO) :]]
    assert kit.tracker is not None
    replies = kit.tracker.ledger.call.replies.values()
    assert [ReplySpeaker.THIRD_PARTY, ReplySpeaker.PRIMARY] == [reply.speaker for reply in replies][:2]


def test_words_count_as_known_by_voice_only_where_the_gate_said_so() -> None:
    """Without a gate, and where it only held the voice to be theirs, nothing is known of it."""
    tap = WordsTap.__new__(WordsTap)
    known = []
    for speakers in (set[str](), {""}, {"primary"}, {"primary", "assumed"}):
        tap._speakers = speakers
        known.append(tap.by_voice)

    assert [False, False, True, False] == known
