"""Words that are themselves in doubt close nothing: they are confirmed once, and a licence does not help them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from obligations import ReplySpeaker, Tracker, load_pathway
from obligations.answers.reader import LocalAnswerReader
from obligations.ledger.events import WordingSpan
from obligations.ledger.states import State
from obligations.steering import End, Listen, Release, Speak
from obligations.testing import ScriptedCall
from obligations.testing.orders import REPLIES

pytestmark = pytest.mark.unit

PATHWAY, CHECKED = load_pathway("cataract-followup"), load_pathway("heart-failure-discharge")


def asked(question: str, licences: Sequence[str] = ()) -> ScriptedCall:
    """A call whose agent has just put a question; every one before it was answered no."""
    call = ScriptedCall(Tracker(PATHWAY, call_id="c", reader=LocalAnswerReader(), licences=licences))
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


@pytest.mark.parametrize("word", ["No.", "Yes."])
def test_two_unconfirmed_answers_make_no_certain_one(word: str) -> None:
    """Both may come out of one stall of the line; asked once, the question is handed off as not confirmed."""
    call = asked("pain", licences=[LocalAnswerReader().name])
    call.hear(word, unconfirmed=True)
    call.speak()

    call.hear(word, unconfirmed=True)

    pain = call.tracker.ledger.items["pain"]
    assert (False, 1) == (pain.closed, pain.confirmations)
    assert call.speak().item_ids != ("pain",)
    assert (
        "unconfirmed" == {i.item_id: i.reason for i in call.tracker.handoff("hang_up", call.now_s).open_items}["pain"]
    )


def test_an_unconfirmed_yes_right_behind_a_plain_no_takes_it_back_and_replaces_nothing() -> None:
    """Before the agent has said another word."""
    call = asked("pain")
    call.hear("No.")

    call.hear("Yes.", unconfirmed=True)

    assert not call.tracker.ledger.items["pain"].closed
    assert [("pain", False)] == [(f.item_id, f.certain) for f in call.tracker.ledger.call.red_flags]
    move = call.speak()
    assert ("confirm", ("pain",)) == (move.purpose, move.item_ids)


@pytest.mark.parametrize(
    ("unconfirmed", "closed"), [((True, False), False), ((False, True), False), ((False, False), True)]
)
def test_unconfirmed_words_let_nobody_answer_for_the_patient_and_answer_for_nobody(
    unconfirmed: tuple[bool, bool], closed: bool
) -> None:
    """Her "you can ask my husband", and his answer: both in plain words, or it stays his report."""
    call = asked("pain")
    call.hear("You can ask my husband, he'll answer for me.", unconfirmed=unconfirmed[0])
    call.speak()

    call.hear("No, she has no pain.", speaker=ReplySpeaker.THIRD_PARTY, label="S", unconfirmed=unconfirmed[1])

    assert closed is call.tracker.ledger.items["pain"].closed


def test_a_plain_word_that_lets_somebody_answer_counts_behind_one_in_doubt() -> None:
    """The first word for it is not the one that counts."""
    call = asked("pain")
    call.hear("You can ask my husband, he'll answer for me.", unconfirmed=True)
    call.speak()
    call.hear("You can ask my husband, he'll answer for me.")
    call.speak()

    call.hear("No, she has no pain.", speaker=ReplySpeaker.THIRD_PARTY, label="S")

    assert call.tracker.ledger.items["pain"].closed


@pytest.mark.parametrize("says", ["Yes.", "Yes, this is him.", "It's me, I'm awake now."])
def test_unconfirmed_words_bring_no_patient_to_the_telephone(says: str) -> None:
    """His wife is on the line; who it is by now is asked again, and plain words tell."""
    call = asked("redness")
    call.hear("He's asleep, this is his wife.")
    assert "Am I speaking with the patient now?" in call.speak().text

    call.hear(says, unconfirmed=True)

    assert 0 == call.tracker.ledger.call.party_changes
    assert "Am I speaking with the patient now?" in call.speak().text
    call.hear(says)
    assert 1 == call.tracker.ledger.call.party_changes


def test_nobody_comes_on_an_unconfirmed_word_that_they_are_here() -> None:
    """What is said next is still a report; the question who speaks is asked instead."""
    call = asked("redness")
    call.hear("He's asleep, this is his wife.")
    call.speak()

    call.hear("Here he is.", unconfirmed=True)

    assert 0 == call.tracker.ledger.call.party_changes
    assert "Am I speaking with the patient now?" in call.speak().text


def test_no_call_ends_on_an_unconfirmed_no_to_fetching_the_patient() -> None:
    """A "no" of half a minute ago may have been meant for something else."""
    call = ScriptedCall(Tracker(load_pathway("heart-failure-discharge"), call_id="c", reader=LocalAnswerReader()))
    call.until_listening()
    call.hear("No, I'm her husband.")
    assert "fetch" in {span.id.removeprefix("phrase:") for span in _spans(call)}

    call.hear("No.", unconfirmed=True)

    assert not {"absent", "bereaved"} & call.tracker.ledger.call.standing
    assert not isinstance(call.move(), End)


def _spans(call: ScriptedCall) -> list[WordingSpan]:
    call.until_listening()
    return [span for utterance in call.tracker.ledger.call.utterances.values() for span in utterance.spans]


def test_an_unconfirmed_evasion_is_none() -> None:
    """The guard still asks at the end what nobody has plainly passed over."""
    call = asked("pain")

    call.hear("Well, you know how it is.", unconfirmed=True)

    assert 0 == call.tracker.ledger.items["pain"].unanswered


def test_an_unconfirmed_goodbye_turns_down_no_offer() -> None:
    """The second of two goodbyes out of a stall came before the offer that it seems to answer."""
    call = asked("pain")
    call.hear("I have to go, bye.", unconfirmed=True)
    offer = call.tracker.may_end("patient_goodbye", call.now_s)
    assert isinstance(offer, Speak)
    call.say(offer.text)

    call.hear("Goodbye.", unconfirmed=True)

    verdict = call.tracker.may_end("patient_goodbye", call.now_s)
    assert not isinstance(verdict, Release) or verdict.why != "offer_declined"


@pytest.mark.parametrize("pathway", ["cataract-followup", "heart-failure-discharge"])
@pytest.mark.parametrize("word", ["No.", "Yes.", "I'd rather not say.", "What?", "Can I drive?", "Goodbye.", "Hello?"])
def test_a_call_of_nothing_but_unconfirmed_words_ends_and_hands_everything_off(word: str, pathway: str) -> None:
    """A recogniser that never makes anything final: each question once and its confirmation, then the end."""
    loaded = load_pathway(pathway)
    call = ScriptedCall(Tracker(loaded, call_id="c", reader=LocalAnswerReader()))
    replies = 0
    while not isinstance(move := call.move(), End):
        assert replies < 60
        if isinstance(move, Speak):
            call.say(move.text)
        elif isinstance(move, Listen) and call.tracker.ledger.call.waiting:
            replies += 1
            call.hear(word, unconfirmed=True)
        else:
            assert isinstance(move, Listen) and move.until_s is not None
            call.now_s = max(call.now_s, move.until_s)

    handoff = call.tracker.handoff(move.reason, call.now_s)
    questions = {q for q in loaded.questions if call.tracker.ledger.items[q].state is not State.DORMANT}
    assert () == handoff.answers
    assert questions <= {item.item_id for item in handoff.open_items}
    assert not any(flag.certain for flag in handoff.red_flags)


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_no_order_of_unconfirmed_words_closes_a_question_or_takes_anything_for_certain(data: st.DataObject) -> None:
    """Whoever says them, to whatever is being put, in whichever state the call is, after any plain words before."""
    pathway = data.draw(st.sampled_from([PATHWAY, CHECKED]))
    call = ScriptedCall(Tracker(pathway, call_id="c", reader=LocalAnswerReader(), licences=[LocalAnswerReader().name]))
    words = st.sampled_from([*REPLIES, "You can ask my husband.", "It's me.", "This is his wife.", "Here he is."])
    for step in range(data.draw(st.integers(1, 12))):
        for _ in range(data.draw(st.integers(0, 2))):
            if isinstance(move := call.move(), Speak):
                call.say(move.text)
            elif isinstance(move, Listen) and move.until_s is not None:
                call.now_s = max(call.now_s, move.until_s)
        plain = step < 3 and data.draw(st.booleans())
        speaker = data.draw(st.sampled_from(ReplySpeaker))
        before = _settled(call)
        call.hear(data.draw(words), speaker=speaker, unconfirmed=not plain)
        if not plain:
            assert _settled(call) <= before


def _settled(call: ScriptedCall) -> set[tuple[str, str]]:
    """What stands as answered, declined, set aside, certain or come to the telephone."""
    ledger = call.tracker.ledger
    questions = [record for record in ledger.items.values() if record.kind == "question"]
    told = {(r.id, f"{r.state} {r.answer.value if r.answer else ''}") for r in questions if r.closed}
    aside = {(record.id, "refused") for record in ledger.items.values() if record.refused}
    flags = {(flag.item_id, "certain") for flag in ledger.call.red_flags if flag.certain}
    return told | aside | flags
