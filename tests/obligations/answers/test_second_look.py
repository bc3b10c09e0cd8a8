"""A no closes a question only when every word beside it is known to change nothing; a yes in it is never lost."""

from __future__ import annotations

import pytest

from obligations import load_pathway
from obligations.answers.beside import spoken_instead
from obligations.answers.protocol import AnswerKind, AnswerReading, QuestionText, ReplySpeaker
from obligations.answers.reader import LocalAnswerReader

pytestmark = pytest.mark.unit

READER = LocalAnswerReader()
PATHWAYS = [load_pathway(name) for name in ("cataract-followup", "heart-failure-discharge", "hip-knee-after-surgery")]


def questions(value_type: str, language: str) -> list[QuestionText]:
    """Give every critical question of the bundled pathways whose flag is a yes, or whose value is a grade."""
    return [
        pathway.question_text(question.id, language)
        for pathway in PATHWAYS
        if language in pathway.languages
        for question in pathway.questions.values()
        if question.value_type == value_type and question.red_flag_answers
        if value_type != "yes_no" or set(question.red_flag_answers) == {"yes"}
    ]


ASKED = [(q, q.language) for language in ("en", "pt-PT") for q in questions("yes_no", language)]
ids = [f"{language}-{q.text[:30]}" for q, language in ASKED]


def read(question: QuestionText, reply: str) -> AnswerReading:
    return READER.read(question, reply, ReplySpeaker.PRIMARY)


# What a patient may call a symptom, in words that no table knows.
UNREAD = {
    "en": "sparks lightning stars specks agony blind darkness purple gushing zigzags stabby murky scorching".split(),
    "pt-PT": "faíscas relâmpagos ardor escuro roxo agonia picadas névoa cego labaredas".split(),
}
AROUND = {
    "en": ["No, {}.", "No, just {}.", "No! {}.", "No, it has gone {}.", "Nope, {} though.", "No, with the {} no."],
    "pt-PT": ["Não, {}.", "Não! {}.", "Não, está {}.", "Não, apenas {}.", "Não, com {} não."],
}


@pytest.mark.parametrize(("question", "language"), ASKED, ids=ids)
def test_a_no_beside_a_word_nobody_knows_is_never_certain(question: QuestionText, language: str) -> None:
    """One confirmation; the words may be the symptom itself."""
    for word in UNREAD[language]:
        for frame in AROUND[language]:
            reading = read(question, frame.format(word))

            assert not (reading.certain and reading.kind is AnswerKind.NO), frame.format(word)


@pytest.mark.parametrize(
    ("reply", "language"), [("No, just them.", "en"), ("No, only that.", "en"), ("Não, só isso.", "pt-PT")]
)
def test_a_no_that_lets_something_in_is_never_certain(reply: str, language: str) -> None:
    """Whatever stands for it."""
    for question in questions("yes_no", language):
        reading = read(question, reply)

        assert not (reading.certain and reading.kind is AnswerKind.NO)


PLAIN_NO = {
    "en": ["No.", "No, thank you doctor.", "No, nothing.", "No, none at all.", "No, never.", "No, not at all, love."],
    "pt-PT": ["Não.", "Não, obrigada.", "Não, nada.", "Não, nunca.", "Não, senhora doutora.", "Não, graças a Deus."],
}


@pytest.mark.parametrize(("question", "language"), ASKED, ids=ids)
def test_a_plain_no_still_closes(question: QuestionText, language: str) -> None:
    """Thanks, forms of address, fillers and denials cost no confirmation."""
    for reply in PLAIN_NO[language]:
        reading = read(question, reply)

        assert (AnswerKind.NO, True) == (reading.kind, reading.certain), reply


@pytest.mark.parametrize(
    ("question", "reply", "language", "certain"),
    [
        ("Has your vision become blurry or got worse?", "No vision.", "en", False),
        ("Has your vision become blurry or got worse?", "No, I don't see anything.", "en", False),
        ("Has your vision become blurry or got worse?", "No, no sight at all.", "en", False),
        ("Has your vision become blurry or got worse?", "No, not blurry.", "en", True),
        ("Has your vision become blurry or got worse?", "No, it's clear.", "en", True),
        ("Have you seen any flashing lights?", "No, I haven't seen any.", "en", True),
        ("A sua visão ficou turva ou piorou?", "Não, não vejo nada.", "pt-PT", False),
        ("A sua visão ficou turva ou piorou?", "Não, sem visão.", "pt-PT", False),
        ("Tem visto luzes a piscar?", "Não, não tenho visto.", "pt-PT", True),
    ],
)
def test_seeing_nothing_is_no_plain_no_where_sight_is_asked_about(
    question: str, reply: str, language: str, certain: bool
) -> None:
    """It denies flashing lights, and it does not deny a loss of sight."""
    asked = QuestionText(text=question, heard=question, language=language, red_flag_answers=("yes",))
    reading = read(asked, reply)

    assert certain is (reading.certain and reading.kind is AnswerKind.NO)


BOTH = {
    "en": ["No, I mean yes.", "No. Actually yes.", "No, yes.", "Yes. No. Yes.", "Yes no.", "No yes.", "No and yes."]
    + [
        "Oh no, not again! Yes, terribly.",
        "Yes. No.",
        "Yeah, no.",
        "No... well, yeah.",
        "No, sorry, yes.",
        "No to this but the pain, yes.",
    ],
    "pt-PT": ["Não, sim.", "Não. Sim.", "Sim. Não.", "Sim, não.", "Não, quer dizer, sim.", "Não e sim."]
    + ["Ai não, outra vez não! Sim, muito.", "Não. Aliás, sim."],
}


@pytest.mark.parametrize(("question", "language"), ASKED, ids=ids)
def test_a_yes_and_a_no_in_one_reply_raise_the_flag_and_close_nothing(question: QuestionText, language: str) -> None:
    """In any order: the flag is raised at once, and the question confirmed."""
    for reply in BOTH[language]:
        reading = read(question, reply)

        assert not reading.certain, reply
        assert "yes" in (reading.suspects, reading.kind.value), reply


@pytest.mark.parametrize(
    ("reply", "language"),
    [
        ("I can't say yes to that.", "en"),
        ("I would not say yes.", "en"),
        ("Not yes.", "en"),
        ("Do I say yes or no?", "en"),
        ("Yes, go on.", "en"),
        ("Não posso dizer que sim.", "pt-PT"),
        ("Digo sim ou não?", "pt-PT"),
    ],
)
def test_a_yes_that_is_denied_asked_or_meant_for_the_line_suspects_nothing(reply: str, language: str) -> None:
    """Only a yes that is said counts."""
    for question in questions("yes_no", language):
        assert read(question, reply).suspects is None


@pytest.mark.parametrize(
    ("reply", "language"),
    [
        ("Yes, in the other eye.", "en"),
        ("Yes, but in my good eye.", "en"),
        ("Sim, no outro olho.", "pt-PT"),
        ("Sim, mas no olho bom.", "pt-PT"),
    ],
)
def test_a_yes_of_another_place_is_not_certain(reply: str, language: str) -> None:
    """It is flagged and confirmed, and stands for nothing until then."""
    for question in questions("yes_no", language):
        reading = read(question, reply)

        assert not reading.certain
        assert "yes" in (reading.kind.value, reading.suspects)


@pytest.mark.parametrize(("reply", "language"), [("No {} no.", "en"), ("Não {} não.", "pt-PT")])
def test_a_no_said_before_and_after_is_no_double_negative(reply: str, language: str) -> None:
    """It denies pain twice ("No pain no")."""
    named = {"en": ("Do you have any pain in your eye?", "pain"), "pt-PT": ("Tem alguma dor no olho?", "tenho dor")}
    text, word = named[language]
    question = QuestionText(text=text, heard=text, language=language, red_flag_answers=("yes",))

    assert AnswerKind.NO is read(question, reply.format(word)).kind


@pytest.mark.parametrize(
    ("reply", "language"),
    [
        ("No, can you repeat?", "en"),
        ("No, could you say that again?", "en"),
        ("Não, pode repetir?", "pt-PT"),
    ],
)
def test_a_no_before_a_request_to_repeat_is_no_answer(reply: str, language: str) -> None:
    """Who has not understood the question has not denied it."""
    for question in questions("yes_no", language):
        reading = read(question, reply)

        assert (AnswerKind.NOT_AN_ANSWER, None) == (reading.kind, reading.suspects)


SCALES = [q for language in ("en", "pt-PT") for q in questions("scale", language)]
COUNTED = {
    "en": ["Two tablets a day.", "Three hours.", "Eight drops.", "Half.", "A quarter.", "Two days ago."],
    "pt-PT": ["Dois comprimidos por dia.", "Três horas.", "Oito gotas.", "Metade.", "Há dois dias."],
}
GRADES = {
    "en": {"Seven.": "7", "Seven out of ten.": "7", "Seven today.": "7"},
    "pt-PT": {"Sete.": "7", "Sete em dez.": "7"},
}


@pytest.mark.parametrize("question", SCALES, ids=[q.text[:30] for q in SCALES])
def test_a_number_of_something_else_is_no_grade(question: QuestionText) -> None:
    """Nor is a fraction by itself; a number alone, or out of ten, is."""
    for reply in COUNTED[question.language]:
        assert read(question, reply).kind in {AnswerKind.UNCLEAR, AnswerKind.NOT_AN_ANSWER}, reply
    for reply, value in GRADES[question.language].items():
        reading = read(question, reply)

        assert (AnswerKind.VALUE, value, True) == (reading.kind, reading.value, reading.certain), reply


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("Sim, dói muito.", "en", "pt-PT"),
        ("Não percebo inglês.", "en", "pt-PT"),
        ("Yes, it hurts.", "pt-PT", "en"),
        ("I can't see.", "pt-PT", "en"),
        ("No.", "pt-PT", None),
        ("No.", "en", None),
        ("Yes, my eye is muito red.", "en", None),
        ("Sim.", "pt-PT", None),
        ("Tak, boli.", "en", None),
    ],
)
def test_another_language_is_known_by_its_own_words_only(text: str, language: str, expected: str | None) -> None:
    """A word of the call's language settles that it is that one."""
    assert expected == spoken_instead(text, language, ("en", "pt-PT"))
