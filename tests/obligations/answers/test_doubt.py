"""Yes, and somebody else: who says whose wife they are has not said that they are the patient."""

from __future__ import annotations

import pytest

from obligations.answers.protocol import AnswerKind, AnswerReading, QuestionText, ReplySpeaker
from obligations.answers.reader import LocalAnswerReader

pytestmark = pytest.mark.unit

IS_THAT_YOU = {"en": "Is that you?", "pt-PT": "É o próprio?"}


@pytest.mark.parametrize(
    ("reply", "lang", "patient"),
    [
        ("Yes, his wife speaking.", "en", False),
        ("Yes, I'm the patient's mother.", "en", False),
        ("Yes, on behalf of my mother.", "en", False),
        ("Sim, é a minha mãe.", "pt-PT", False),
        ("Yes, this is Mary.", "en", True),
        ("Sim, sou eu.", "pt-PT", True),
    ],
)
def test_kin_on_the_line_is_not_the_patient(reply: str, lang: str, patient: bool) -> None:
    """A yes with somebody else's name in it is asked about again, never taken for the patient's."""
    asked = IS_THAT_YOU[lang]
    reading = LocalAnswerReader().read(
        QuestionText(text=asked, heard=asked, language=lang), reply, ReplySpeaker.PRIMARY
    )

    assert (reading.kind is AnswerKind.YES) is patient, reading


STRETCH = [
    ("en", "Have you had any flashes of light?"),
    ("en", "Have you noticed any redness in your eye since the operation?"),
    ("en", "Did you have any pain over the last week?"),
    ("pt-PT", "Teve dores no olho desde a operação?"),
    ("pt-PT", "Tem notado vermelhidão no olho?"),
]
NOW = {
    "en": ["Not now.", "No, not today.", "Not at the moment.", "Not right now, no.", "No, not now, no."],
    "pt": ["Agora não.", "Hoje não.", "Neste momento não, não."],
}
NO_MORE = {"en": ["Not any more.", "No longer, no.", "No, not any more."], "pt": ["Já não.", "Não, já não."]}


def read(question: str, reply: str, language: str) -> AnswerReading:
    asked = QuestionText(text=question, heard=question, language=language, red_flag_answers=("yes",))
    return LocalAnswerReader().read(asked, reply, ReplySpeaker.PRIMARY)


@pytest.mark.parametrize(("language", "question"), STRETCH)
def test_a_no_for_now_is_no_answer_where_a_stretch_of_time_was_asked(language: str, question: str) -> None:
    """Nor would it be one confirmed: what was yesterday, nobody said. "Not any more" says that there was something."""
    base = language.split("-")[0]

    for reply in NOW[base]:
        assert AnswerKind.UNCLEAR is read(question, reply, language).kind, reply
    for reply in NO_MORE[base]:
        reading = read(question, reply, language)
        assert (AnswerKind.YES, False) == (reading.kind, reading.certain), reply
    plain = read(question, {"en": "No.", "pt": "Não."}[base], language)
    assert (AnswerKind.NO, True) == (plain.kind, plain.certain)


def test_a_no_for_now_answers_a_question_about_now() -> None:
    """The pain of today is all that was asked."""
    reading = read("Do you have any pain right now?", "Not now.", "en")

    assert AnswerKind.NO is reading.kind
