"""A bound is no number, before it or behind it."""

from __future__ import annotations

import pytest

from obligations.answers.protocol import AnswerReading, QuestionText, ReplySpeaker
from obligations.answers.reader import LocalAnswerReader

pytestmark = pytest.mark.unit

PILLOWS = {"en": "How many pillows do you sleep on?", "pt-PT": "Com quantas almofadas dorme?"}


def read(reply: str, lang: str) -> AnswerReading:
    """Read one reply to the question about pillows."""
    asked = QuestionText(text=PILLOWS[lang], heard=PILLOWS[lang], language=lang, value_type="number")
    return LocalAnswerReader().read(asked, reply, ReplySpeaker.PRIMARY)


@pytest.mark.parametrize(
    ("lang", "reply"),
    [
        ("en", "At most two."),
        ("en", "Two at most."),
        ("en", "Two pillows at the very least."),
        ("en", "Two or more."),
        ("pt-PT", "No máximo duas."),
        ("pt-PT", "Duas no máximo."),
        ("pt-PT", "Duas almofadas pelo menos."),
        ("pt-PT", "Duas ou mais."),
    ],
)
def test_a_bound_is_asked_again(lang: str, reply: str) -> None:
    """Nobody knows the number from it."""
    reading = read(reply, lang)

    assert ("unclear", None) == (reading.kind.value, reading.value)


@pytest.mark.parametrize(("lang", "reply"), [("en", "Two."), ("en", "Two, at night."), ("pt-PT", "Duas.")])
def test_a_plain_number_is_a_value(lang: str, reply: str) -> None:
    """What is not a bound limits nothing."""
    assert "2" == read(reply, lang).value


@pytest.mark.parametrize(("lang", "reply"), [("en", "Two, more or less."), ("pt-PT", "Duas, mais ou menos.")])
def test_about_so_many_is_a_doubtful_value(lang: str, reply: str) -> None:
    """An approximation is confirmed once, not taken for a bound."""
    reading = read(reply, lang)

    assert ("2", False) == (reading.value, reading.certain)
