"""Kinds of reply that a first reading of unseen rows got wrong: each by examples of our own."""

from __future__ import annotations

import pytest

from obligations.answers.figures import in_figures
from obligations.answers.protocol import AnswerKind, AnswerReading, QuestionText, ReplySpeaker
from obligations.answers.reader import LocalAnswerReader

pytestmark = pytest.mark.unit

SICK = "Have you been sick since the weekend?"
PAIN = "Do you have any pain in your knee?"
SORES = "Are there any cuts or blisters on your hands?"
TAKEN = "Did you take your tablets yesterday?"
SCALE = "From nought to ten, how bad is the pain?"
SUGAR = "What was your blood sugar this morning?"
UNITS = "How many units of insulin did you take?"
LISTED = "Is the scar red, hot or sore?"


def read(question: str, reply: str, *, heard: str | None = None, flag: str = "yes") -> AnswerReading:
    asked = QuestionText(text=question, heard=heard or question, language="en", red_flag_answers=(flag,))
    return LocalAnswerReader().read(asked, reply, ReplySpeaker.PRIMARY)


@pytest.mark.parametrize("reply", ["I... it's...", "Well, um, it's, you know...", "There's..."])
def test_words_left_in_the_air_answer_nothing(reply: str) -> None:
    assert AnswerKind.NOT_AN_ANSWER is read(PAIN, reply).kind


def test_a_topic_set_before_its_no_is_denied() -> None:
    assert AnswerKind.NO is read(PAIN, "Pain, no. It's the stairs that get me.").kind


@pytest.mark.parametrize("reply", ["Got a couple on my thumb.", "Just the one, by the nail."])
def test_naming_some_is_a_yes_to_any(reply: str) -> None:
    assert (AnswerKind.YES, False) == ((r := read(SORES, reply)).kind, r.certain)


@pytest.mark.parametrize("reply", ["Don't mind him, nurse, I haven't had any.", "She's right, none at all."])
def test_vouching_for_another_leaves_the_answer(reply: str) -> None:
    assert AnswerKind.NO is read(PAIN, reply).kind


def test_a_yes_to_a_part_of_a_list_stands_and_a_no_does_not() -> None:
    heard = "Is the scar red, hot"

    assert AnswerKind.YES is read(LISTED, "Yes.", heard=heard).kind
    assert AnswerKind.UNCLEAR is read(LISTED, "No.", heard=heard).kind


def test_a_doubled_denial_is_a_no_with_the_flag_suspected() -> None:
    reading = read(PAIN, "I ain't had no pain.")

    assert (AnswerKind.NO, False, "yes") == (reading.kind, reading.certain, reading.suspects)


def test_what_underlines_a_double_negative_takes_nothing_back() -> None:
    assert AnswerKind.YES is read(TAKEN, "I've never not taken them, not in ten years.", flag="no").kind


def test_an_unread_correction_of_a_good_thing_stays_open() -> None:
    """That it was Friday must not turn a no into the good answer."""
    assert (
        AnswerKind.UNCLEAR
        is read("Has your dressing been changed today?", "No. I tell a lie, it was Friday.", flag="no").kind
    )


@pytest.mark.parametrize(
    ("question", "reply", "value"),
    [
        (SUGAR, "Six point one. No, hang on, I tell a lie, sixteen point one.", "16.1"),
        (UNITS, "A dozen.", "12"),
        (UNITS, "Twenty-two, at nine o'clock.", "22"),
        ("How many litres do you drink?", "A litre and a quarter.", "1.25"),
        ("What is your temperature?", "Thirty-eight four.", "38.4"),
        ("What was the top number of your blood pressure?", "One thirty-five over eighty.", "135"),
        ("How many puffs have you had?", "Three at breakfast, three at noon, so six.", "6"),
    ],
)
def test_values_as_people_say_them(question: str, reply: str, value: str) -> None:
    reading = read(question, reply)

    assert (AnswerKind.VALUE, value) == (reading.kind, reading.value)


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        (SCALE, "I'm eighty-three in June, you know."),
        (SCALE, "Half of it, or all of it."),
        (SUGAR, "I had two slices of toast."),
        (SCALE, "A hundred!"),
    ],
)
def test_a_number_about_something_else_or_off_the_scale_is_no_value(question: str, reply: str) -> None:
    assert read(question, reply).kind in {AnswerKind.NOT_AN_ANSWER, AnswerKind.UNCLEAR}


def test_amounts_in_words_are_written_in_figures() -> None:
    assert ("6 pills", "0,5 litro") == (in_figures("half a dozen pills", "en"), in_figures("meio litro", "pt"))


@pytest.mark.parametrize(
    "reply",
    [
        "That's between me and my priest.",
        "You'll get nothing out of me.",
        "I was brought up not to speak of such things.",
    ],
)
def test_ways_of_refusing(reply: str) -> None:
    assert AnswerKind.DECLINED is read(SICK, reply).kind
