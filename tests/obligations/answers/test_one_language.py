"""A word that means another thing in the other language is read in the language of the call only."""

from __future__ import annotations

import pytest

from obligations.answers.protocol import AnswerReading, QuestionText, ReplySpeaker
from obligations.answers.reader import LocalAnswerReader

pytestmark = pytest.mark.unit

OFTEN = "Com que frequência teve dores: nenhuma vez, vários dias, quase todos os dias?"


def read(question: str, reply: str, *, lang: str = "pt-PT", value_type: str = "yes_no") -> AnswerReading:
    """Read one reply to a question heard whole."""
    asked = QuestionText(text=question, heard=question, language=lang, value_type=value_type)
    return LocalAnswerReader().read(asked, reply, ReplySpeaker.PRIMARY)


def told(reading: AnswerReading) -> tuple[str, str | None]:
    """The kind and the value of a reading."""
    return reading.kind.value, reading.value


@pytest.mark.parametrize(
    "reply", ["No máximo oitenta.", "No mínimo oitenta.", "Setenta e nove, no sábado eram oitenta."]
)
def test_in_the_is_no_correction_of_a_number(reply: str) -> None:
    """Portuguese "no" is "in the": a bound stays a bound, and last Saturday's number corrects nothing."""
    assert ("unclear", None) == told(read("Quantos quilos pesa?", reply, value_type="number"))


def test_a_portuguese_no_takes_the_number_before_it_back() -> None:
    """Portuguese "não" is both "no" and "not": behind a comma it corrects, before a number it denies."""
    corrected = read("Quantos comprimidos toma?", "Três, não, quatro.", value_type="number")

    assert (("value", "4"), False) == (told(corrected), corrected.certain)
    assert "4" != read("Quantos comprimidos toma?", "Três, não quatro.", value_type="number").value


@pytest.mark.parametrize("season", ["no inverno", "na primavera"])
def test_in_the_replaces_no_choice(season: str) -> None:
    """Two choices without a correction between are no answer, whatever season stands there."""
    assert ("unclear", None) == told(read(OFTEN, f"Vários dias {season}, quase todos os dias.", value_type="text"))


@pytest.mark.parametrize("place", ["no peito", "na perna"])
def test_in_the_denies_nothing_and_asks_for_no_absence(place: str) -> None:
    """The chest is asked about and denied like the leg."""
    both = read(f"Tem dor {place}?", f"Não tenho dor na cabeça e {place}.")

    assert (("no", None), True) == (told(both), both.certain)
    assert ("no", None) == told(read(f"Não tem dor {place}?", "Não."))


@pytest.mark.parametrize(
    ("question", "reply", "kind"),
    [
        ("Tem tosse?", "Não tenho febre e a tosse continua.", "yes"),
        ("Tem inchaço?", "Não tenho febre e o inchaço continua.", "yes"),
        ("Tem manchas?", "Não tenho febre e as manchas continuam.", "yes"),
        ("Tem inchaços?", "Não tenho febre e os inchaços continuam.", "yes"),
        ("Tem febre?", "Não tenho a tosse e a febre.", "no"),
        ("Tem inchaço?", "Não tenho a tosse e o inchaço.", "no"),
    ],
)
def test_an_article_behind_and_is_portuguese_in_all_its_forms(question: str, reply: str, kind: str) -> None:
    """What more is said of stands for itself beside a denial; what is only named is denied with it."""
    assert kind == read(question, reply).kind.value


@pytest.mark.parametrize("reply", ["No pain and so far no swelling.", "No pain and um no swelling."])
def test_english_words_that_look_portuguese_are_read_in_english(reply: str) -> None:
    """The words "so" and "um" begin a clause of their own: two denials do not make a yes."""
    assert "no" == read("Do you have any pain?", reply, lang="en-GB").kind.value
