"""Words that are themselves in doubt close nothing: they are confirmed once, and a licence does not help them."""

from __future__ import annotations

import pytest

from obligations import ReplySpeaker, Tracker, load_pathway
from obligations.answers.reader import LocalAnswerReader
from obligations.ledger.states import State
from obligations.testing import ScriptedCall

pytestmark = pytest.mark.unit

PATHWAY = load_pathway("cataract-followup")


def asked(question: str, **tracker: object) -> ScriptedCall:
    """A call whose agent has just put a question; every one before it was answered no."""
    call = ScriptedCall(Tracker(PATHWAY, call_id="c", reader=LocalAnswerReader(), **tracker))
    while question not in (move := call.speak()).item_ids:
        if "?" in move.text:
            call.hear("No.")
    return call


def test_an_unconfirmed_no_is_asked_once_more_and_the_second_closes() -> None:
    """First doubted, then answered by plain words."""
    call = asked("pain")

    call.hear("No.", unconfirmed=True)
    after = call.tracker.ledger.items["pain"]
    move = call.speak()

    assert (after.closed, after.doubted.value if after.doubted else None) == (False, "no")
    assert (move.purpose, move.item_ids) == ("confirm", ("pain",))
    call.hear("No.")
    assert call.tracker.ledger.items["pain"].state is State.ANSWERED


def test_an_unconfirmed_yes_raises_the_red_flag_as_uncertain() -> None:
    """Nobody waits for the confirmation to tell the team."""
    call = asked("pain")

    call.hear("Yes.", unconfirmed=True)

    assert [("pain", False)] == [(f.item_id, f.certain) for f in call.tracker.ledger.call.red_flags]
    assert not call.tracker.ledger.items["pain"].closed


def test_a_correction_in_unconfirmed_words_opens_the_answer_and_replaces_nothing() -> None:
    """Pain is told of behind a denial of it: owed again, flagged as uncertain."""
    call = asked("pain")
    call.hear("No.")
    call.speak()

    call.hear("Wait, I do have pain in my eye.", unconfirmed=True)

    pain = call.tracker.ledger.items["pain"]
    assert not pain.closed
    assert [("pain", False)] == [(f.item_id, f.certain) for f in call.tracker.ledger.call.red_flags]


def test_no_licence_makes_unconfirmed_words_plain() -> None:
    """A licence is about how words are read; these may not be the patient's words to this question."""
    call = asked("pain", licences=[LocalAnswerReader().name])

    call.hear("No.", unconfirmed=True)

    assert not call.tracker.ledger.items["pain"].closed


def test_an_unconfirmed_refusal_to_answer_is_asked_again() -> None:
    """Nothing is set aside on words that may not have been said."""
    call = asked("pain")

    call.hear("I'd rather not say.", unconfirmed=True)

    assert not call.tracker.ledger.items["pain"].closed
    assert call.speak().item_ids == ("pain",)


def test_an_unconfirmed_refusal_of_an_advice_sets_nothing_aside() -> None:
    """The rest of the advice is said next, as after any cut; plain words would have kept it unsaid for the hand-off."""
    call = asked("redness")
    call.hear("No. Is it normal that bright light bothers me?")
    call.speak(until="If you have severe")

    call.hear("I don't want to hear that.", unconfirmed=True, onset_during="u3")

    assert "light.escalation" in call.speak().item_ids


def test_an_unconfirmed_yes_takes_nobodys_report_for_the_patients_word() -> None:
    """The husband says no for her, and what she says to it is in doubt."""
    call = asked("pain")
    call.hear("No, she has no pain.", speaker=ReplySpeaker.THIRD_PARTY, label="S")
    call.speak()

    call.hear("That's right.", unconfirmed=True)

    assert not call.tracker.ledger.items["pain"].closed
