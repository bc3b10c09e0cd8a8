"""What is said in leaving, or cut off by the end, is read first; facts that contradict each other close nothing."""

from __future__ import annotations

import pytest

from obligations import ReplySpeaker, State, Tracker, load_pathway
from obligations.answers.reader import LocalAnswerReader
from obligations.steering.moves import End, Speak
from obligations.testing import ScriptedCall
from obligations.tracker.facts import Delivery, Reply

pytestmark = pytest.mark.unit

REDNESS = {"en": "Have you noticed any redness in your eye?", "pt-PT": "Notou alguma vermelhidão no olho?"}
PAIN = {"en": "Do you have any pain in your eye?", "pt-PT": "Tem alguma dor no olho?"}


def a_call(language: str = "en", said: str | None = None) -> ScriptedCall:
    tracker = Tracker(load_pathway("cataract-followup"), call_id="c", reader=LocalAnswerReader(), language=language)
    call = ScriptedCall(tracker)
    call.speak()
    call.say(said or REDNESS[language])
    return call


def ends_after(call: ScriptedCall) -> list[Speak]:
    """Let the patient fall silent: what is still spoken before the end."""
    spoken: list[Speak] = []
    for _ in range(40):
        move = call.move()
        if isinstance(move, End):
            return spoken
        if isinstance(move, Speak):
            spoken.append(call.speak())
        else:
            call.now_s = move.until_s
    raise AssertionError("the call does not end")


@pytest.mark.parametrize(
    ("language", "reply"),
    [
        ("en", "Yes, and my sight went this morning, got to go, bye."),
        ("en", "Yes, goodbye."),
        ("en", "yes it is terribly red bye"),
        ("en", "Yes, it hurts terribly, I have to go now."),
        ("en", "I have to go, but yes, it is red."),
        ("en", "Yes. Anyway, goodbye."),
        ("pt-PT", "Sim, adeus."),
        ("pt-PT", "Sim, está muito vermelho, tenho de ir."),
        ("pt-PT", "sim está vermelho adeus"),
    ],
)
def test_a_symptom_told_with_a_goodbye_is_flagged_and_then_the_goodbye_holds(language: str, reply: str) -> None:
    call = a_call(language)

    call.hear(reply)

    assert "redness" in {flag.item_id for flag in call.tracker.ledger.call.red_flags}
    assert "goodbye" in call.tracker.ledger.call.standing
    assert "guard" == call.speak().purpose
    spoken = [speak.purpose for speak in ends_after(call)]
    assert spoken.count("guard") == ("sight" in reply)  # a second symptom is offered once too
    assert {"goodbye"} == set(spoken) - {"guard"}
    handoff = call.tracker.handoff("patient_goodbye", call.now_s)
    assert reply in [flag.quote for flag in handoff.red_flags]


@pytest.mark.parametrize(("language", "reply"), [("en", "No, goodbye."), ("pt-PT", "Não, adeus.")])
def test_a_no_told_with_a_goodbye_is_an_answer_where_the_question_was_heard(language: str, reply: str) -> None:
    heard, unheard = a_call(language), a_call(language, said="...")
    unheard.say(REDNESS[language], until=REDNESS[language][:8])

    heard.hear(reply)
    unheard.hear(reply)

    assert "no" == heard.tracker.ledger.items["redness"].answer.value
    assert unheard.tracker.ledger.items["redness"].answer is None
    assert reply in [words.text for words in unheard.tracker.handoff("patient_goodbye", 99.0).other_words]


@pytest.mark.parametrize("reply", ["Goodbye.", "Okay, thanks, bye.", "Anyway goodbye.", "Right, well, I have to go."])
def test_courtesy_and_a_goodbye_answer_nothing(reply: str) -> None:
    call = a_call()

    call.hear(reply)

    assert call.tracker.ledger.items["redness"].answer is None
    assert not call.tracker.ledger.call.red_flags
    assert () == call.tracker.handoff("patient_goodbye", 99.0).other_words


def test_a_goodbye_behind_a_question_gets_the_answer_one_offer_and_the_end() -> None:
    call = a_call()

    call.hear("No. When can I drive again? Anyway goodbye.")

    assert "driving.wait" in call.speak().item_ids
    assert "guard" == call.speak().purpose
    assert {"goodbye"} == {speak.purpose for speak in ends_after(call)}


@pytest.mark.parametrize(
    ("language", "reply", "item_id"),
    [
        ("en", "My eye is red.", "redness"),
        ("en", "My eye hurts.", "pain"),
        ("en", "My vision is blurry.", "blurry-vision"),
        ("en", "I have seen new floaters.", "floaters"),
        ("en", "I have seen flashing lights since this morning.", "flashing-lights"),
        ("pt-PT", "Tenho o olho vermelho.", "redness"),
        ("pt-PT", "Tenho dor no olho.", "pain"),
        ("pt-PT", "Tenho visto luzes a piscar.", "flashing-lights"),
    ],
)
def test_every_kind_of_symptom_over_the_goodbye_is_confirmed_once(language: str, reply: str, item_id: str) -> None:
    no = "No." if language == "en" else "Não."
    call = a_call(language)
    while not isinstance(move := call.move(), Speak) or move.purpose != "goodbye":
        if isinstance(move, Speak):
            call.speak()
        else:
            call.hear(no)
    uttered = call.say(move.text)
    call.hear(reply, onset_during=uttered, heard_chars_at_onset=len(move.text) - 5)

    assert item_id in {flag.item_id for flag in call.tracker.ledger.call.red_flags}
    assert item_id in call.speak().item_ids
    call.hear(no)
    assert {"goodbye"} >= {speak.purpose for speak in call.until_listening()}


@pytest.mark.parametrize(
    ("language", "begun"),
    [("en", "Yes it is really terribly red and it"), ("pt-PT", "Sim está mesmo muito vermelho e")],
)
def test_words_cut_off_by_the_line_flag_and_stand_in_the_reason(language: str, begun: str) -> None:
    call = a_call(language)
    call.tracker.hearing(begun)

    handoff = call.tracker.handoff("hang_up", call.now_s)

    assert [("redness", False, begun)] == [(f.item_id, f.certain, f.quote) for f in handoff.red_flags]
    assert begun in next(item.detail for item in handoff.open_items if item.item_id == "redness")
    assert [(begun, True)] == [(words.text, words.partial) for words in handoff.other_words]


@pytest.mark.parametrize("begun", ["No nothing like", "And what about my"])
def test_broken_off_words_that_tell_of_nothing_raise_no_flag(begun: str) -> None:
    call = a_call()
    call.tracker.hearing(begun, ReplySpeaker.PRIMARY)

    assert () == call.tracker.handoff("hang_up", call.now_s).red_flags


@pytest.mark.parametrize("interrupted", [True, False])
@pytest.mark.parametrize("started", [True, False])
def test_no_delivered_character_is_nothing_heard_whatever_else_is_claimed(interrupted: bool, started: bool) -> None:
    tracker = Tracker(load_pathway("cataract-followup"), call_id="c", reader=LocalAnswerReader(), language="en")
    tracker.intended("u1", f"I am an automated assistant, not a person. {REDNESS['en']}", 0.0)
    if started:
        tracker.started("u1", 0.0)

    tracker.delivered(Delivery(utterance_id="u1", delivered_chars=0, complete=True, interrupted=interrupted), 1.0)

    assert State.OPEN is tracker.ledger.items["disclosure.automated"].state
    assert State.OPEN is tracker.ledger.items["redness"].state


@pytest.mark.parametrize("claimed", [10**9, 42])
def test_an_answer_to_more_than_proves_to_have_been_played_is_taken_back(claimed: int) -> None:
    tracker = Tracker(load_pathway("cataract-followup"), call_id="c", reader=LocalAnswerReader(), language="en")
    tracker.intended("u1", REDNESS["en"], 0.0)
    tracker.started("u1", 0.0)
    tracker.reply(Reply(text="No.", now_s=0.1, onset_during="u1", heard_chars_at_onset=claimed))

    tracker.delivered(Delivery(utterance_id="u1", delivered_chars=8, complete=False, interrupted=True), 2.0)

    record = tracker.ledger.items["redness"]
    assert (None, ()) == (record.answer, record.evidence)
    assert "redness" in {item.item_id for item in tracker.handoff("hangup", 3.0).open_items}
