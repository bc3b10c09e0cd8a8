"""Yes, and somebody else: who says whose wife they are has not said that they are the patient."""

from __future__ import annotations

import pytest

from obligations.answers.protocol import AnswerKind, QuestionText, ReplySpeaker
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
