"""A second symptom beside an answer, and a second thought right behind one, are flagged at once and confirmed once."""

from __future__ import annotations

import pytest

from obligations import Tracker, load_pathway
from obligations.answers.reader import LocalAnswerReader
from obligations.steering.moves import Speak
from obligations.testing import ScriptedCall

pytestmark = pytest.mark.unit

NO = {"en": "No.", "pt-PT": "Não."}
YES = {"en": "Yes.", "pt-PT": "Sim."}


def up_to(item_id: str, language: str) -> ScriptedCall:
    """Every question before `item_id` answered with no, and that one put."""
    tracker = Tracker(load_pathway("cataract-followup"), call_id="c", reader=LocalAnswerReader(), language=language)
    call = ScriptedCall(tracker)
    for _ in range(40):
        move = call.move()
        if not isinstance(move, Speak):
            call.hear(NO[language])
            continue
        call.speak()
        if item_id in move.item_ids:
            return call
    raise AssertionError(f"{item_id} is never put")


def flags(call: ScriptedCall) -> set[str]:
    return {flag.item_id for flag in call.tracker.ledger.call.red_flags}


def value(call: ScriptedCall, item_id: str) -> str | None:
    answer = call.tracker.ledger.items[item_id].answer
    return answer.value if answer is not None else None


@pytest.mark.parametrize(
    ("language", "reply", "told", "asked"),
    [
        ("en", "No. My vision did get worse actually.", "blurry-vision", "no"),
        ("en", "No, but my vision got worse.", "blurry-vision", "no"),
        ("en", "Yes, and my vision got worse.", "blurry-vision", "yes"),
        ("en", "Yes and yes to the floaters.", "floaters", "yes"),
        ("en", "No to this but the pain, yes.", "pain", "no"),
        ("en", "No, but I do see new floaters.", "floaters", "no"),
        ("pt-PT", "Não, mas a minha visão piorou.", "blurry-vision", "no"),
        ("pt-PT", "Sim, e a visão ficou turva.", "blurry-vision", "yes"),
        ("pt-PT", "Não, mas tenho dor no olho.", "pain", "no"),
    ],
)
def test_a_second_symptom_reopens_its_own_question_and_leaves_the_asked_one_its_clause(
    language: str, reply: str, told: str, asked: str
) -> None:
    call = up_to("flashing-lights", language)
    assert "no" == value(call, told)

    call.hear(reply)

    assert told in flags(call)
    assert ("flashing-lights" in flags(call)) == (asked == "yes")
    assert value(call, told) is None
    assert value(call, "flashing-lights") in (asked, None)
    confirmed = [speak for speak in (call.speak(),) if told in speak.item_ids]
    assert 1 == len(confirmed) and "confirm" == confirmed[0].purpose
    call.hear(YES[language])
    assert "yes" == value(call, told)
    handoff = call.tracker.handoff("hangup", call.now_s)
    quotes = [f.quote for f in handoff.red_flags] + [a.quote for a in handoff.answers]
    assert reply in [*quotes, *(words.text for words in handoff.other_words)]


@pytest.mark.parametrize(
    "reply",
    [
        "No, and no pain either.",
        "No. My vision got better.",
        "No. What if my vision gets worse?",
        "No, no floaters and no pain.",
        "No, not since the operation.",
    ],
)
def test_what_is_denied_supposed_or_better_reopens_nothing(reply: str) -> None:
    call = up_to("flashing-lights", "en")

    call.hear(reply)

    assert set() == flags(call)
    assert ["no"] * 4 == [value(call, i) for i in ("redness", "pain", "blurry-vision", "floaters")]


@pytest.mark.parametrize(
    "heard", ["Thank you.", "Thank you. Do you have any", "Thank you. Do you have any pain in your e"]
)
@pytest.mark.parametrize(
    "reply",
    [
        "Sorry, I meant yes.",
        "Wait, yes I have.",
        "Actually yes, a bit.",
        "Sorry, yes.",
        "I mean yes.",
        "No, wait, yes.",
    ],
)
def test_a_second_thought_over_the_next_question_is_taken_back_and_confirmed_once(heard: str, reply: str) -> None:
    call = up_to("redness", "en")
    call.hear("No.")
    move = call.move()
    assert isinstance(move, Speak)
    uttered = call.say(move.text, until=heard)
    call.hear(reply, onset_during=uttered, heard_chars_at_onset=len(heard))

    assert "redness" in flags(call)
    assert value(call, "redness") is None
    confirming = call.speak()
    assert ("confirm", ("redness",)) == (confirming.purpose, confirming.item_ids)
    call.hear("Yes.")
    assert "yes" == value(call, "redness")


@pytest.mark.parametrize("reply", ["Desculpe, queria dizer sim.", "Espere, sim, tenho.", "Aliás sim, um pouco."])
def test_a_second_thought_in_portuguese(reply: str) -> None:
    call = up_to("redness", "pt-PT")
    call.hear("Não.")
    move = call.move()
    assert isinstance(move, Speak)
    uttered = call.say(move.text, until="Tem alguma")
    call.hear(reply, onset_during=uttered, heard_chars_at_onset=len("Obrigado. Tem alguma"))

    assert "redness" in flags(call)
    assert value(call, "redness") is None


def test_where_it_could_as_well_answer_the_running_question_both_are_flagged() -> None:
    call = up_to("redness", "en")
    call.hear("No.")
    move = call.move()
    assert isinstance(move, Speak)
    uttered = call.say(move.text)
    call.hear("Actually yes, a bit.", onset_during=uttered, heard_chars_at_onset=len(move.text) - 1)

    assert {"redness", "pain"} == flags(call)
    assert (None, None) == (value(call, "redness"), value(call, "pain"))


def test_a_plain_answer_after_the_question_is_no_second_thought() -> None:
    call = up_to("pain", "en")

    call.hear("Actually yes, a bit.")

    assert "no" == value(call, "redness")
    assert {"pain"} <= flags(call)


SPLIT = [
    ("en", "flashing-lights", "And my eye hurts.", "pain"),
    ("en", "blurry-vision", "Mind you, my eye is red.", "redness"),
    ("en", "blurry-vision", "And it's gone a bit red.", "redness"),
    ("en", "blurry-vision", "Oh, and my vision got worse this week.", "blurry-vision"),
    ("en", "flashing-lights", "Oh, and my vision got worse this week.", "blurry-vision"),
    ("en", "flashing-lights", "But there is some pain.", "pain"),
    ("pt-PT", "flashing-lights", "E dói-me o olho.", "pain"),
    ("pt-PT", "flashing-lights", "Mas tenho alguma dor.", "pain"),
    ("pt-PT", "flashing-lights", "O olho está vermelho.", "redness"),
]


@pytest.mark.parametrize(("language", "asked", "second", "told"), SPLIT)
@pytest.mark.parametrize("split", [True, False], ids=["as two replies", "as one"])
def test_a_symptom_a_breath_behind_a_no_is_flagged_at_once_and_confirmed_once(
    language: str, asked: str, second: str, told: str, split: bool
) -> None:
    """However a recogniser cuts it."""
    call = up_to(asked, language)
    for said in (NO[language], second) if split else (f"{NO[language]} {second}",):
        call.hear(said)

    assert told in flags(call)
    assert value(call, told) is None
    put = list[str]()
    for _ in range(30):
        move = call.move()
        if not isinstance(move, Speak):
            call.hear(NO[language])
        elif move.purpose in ("goodbye", "farewell"):
            break
        else:
            put += move.item_ids if move.purpose == "confirm" else ()
            call.speak()
    assert 1 == put.count(told)


@pytest.mark.parametrize("second", ["And no pain either.", "My vision got better.", "It's not blurry.", "Thank you."])
def test_what_denies_or_is_well_behind_a_no_changes_nothing(second: str) -> None:
    call = up_to("blurry-vision", "en")
    call.hear("No.")
    call.hear(second)

    assert set() == flags(call)
    assert ["no"] * 3 == [value(call, i) for i in ("redness", "pain", "blurry-vision")]


@pytest.mark.parametrize(
    ("language", "reply"),
    [
        ("en", "I'd rather not say it hurts, but it does."),
        ("en", "I don't want to answer, it hurts too much."),
        ("en", "Skip it. Well, it hurts a bit."),
        ("en", "I don't want to answer it hurts too much"),
        ("pt-PT", "Não quero responder, dói-me muito."),
        ("pt-PT", "Prefiro não falar disso, mas dói."),
    ],
)
def test_a_symptom_beside_a_refusal_is_flagged_and_confirmed_once(language: str, reply: str) -> None:
    call = up_to("pain", language)
    call.hear(reply)

    assert "pain" in flags(call)
    assert "declined" != call.tracker.ledger.items["pain"].state.value
    asked = call.speak()
    assert ("confirm", ("pain",)) == (asked.purpose, asked.item_ids)
    call.hear(YES[language])
    assert "yes" == value(call, "pain")


@pytest.mark.parametrize(
    ("language", "reply"),
    [
        ("en", "I'd rather not say."),
        ("en", "Skip that question please."),
        ("en", "I'd rather not answer that one, thank you."),
        ("en", "Pass."),
        ("pt-PT", "Prefiro não dizer."),
        ("pt-PT", "Não quero falar sobre isso."),
    ],
)
def test_a_plain_refusal_is_one(language: str, reply: str) -> None:
    call = up_to("pain", language)
    call.hear(reply)

    assert set() == flags(call)
    assert "declined" == call.tracker.ledger.items["pain"].state.value


def test_to_pass_out_is_no_refusal() -> None:
    call = up_to("pain", "en")
    call.hear("I'll pass out if I stand up.")

    assert {"emergency"} == {flag.split(".")[0] for flag in flags(call)}
    assert "declined" != call.tracker.ledger.items["pain"].state.value
