"""Amounts are found with their units and bounds, and compared without guessing."""

from __future__ import annotations

from fractions import Fraction

import pytest

from obligations.coverage.quantities import Amount, Bound, amounts
from obligations.coverage.text import tokenise

pytestmark = pytest.mark.unit


def found(text: str, language: str = "en") -> list[Amount]:
    """Give the amounts of a text."""
    return list(amounts(tokenise(text, language).tokens, language))


@pytest.mark.parametrize(
    ("one", "other", "language"),
    [
        ("forty-eight hours", "two days", "en"),
        ("a quarter of an hour", "fifteen minutes", "en"),
        ("the whole month", "four weeks", "en"),
        ("a fortnight", "two weeks", "en"),
        ("every eight hours", "three times a day", "en"),
        ("de oito em oito horas", "três vezes por dia", "pt-PT"),
        ("meia hora", "trinta minutos", "pt-PT"),
        ("numa semana", "sete dias", "pt-PT"),
    ],
)
def test_amounts_that_convert_exactly_are_the_same(one: str, other: str, language: str) -> None:
    """Units of one dimension convert; a month stands for its weeks."""
    assert found(one, language)[0].same_value(found(other, language)[0])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("two days", "two hours"),
        ("three weeks", "one month"),
        ("two kilos", "two litres"),
        ("twice a day", "twice a week"),
        ("eight tablets", "eight hours"),
    ],
)
def test_other_amounts_are_never_the_same(one: str, other: str) -> None:
    """Another unit, rate or dimension is another amount."""
    assert not found(one)[0].same_value(found(other)[0])


@pytest.mark.parametrize(
    ("text", "language", "bound"),
    [
        ("more than two kilos", "en", Bound.OVER),
        ("two kilos or more", "en", Bound.OVER),
        ("no more than eight tablets", "en", Bound.UNDER),
        ("never take more than eight tablets", "en", Bound.UNDER),
        ("eight tablets is the most you should have", "en", Bound.UNDER),
        ("under five", "en", Bound.UNDER),
        ("two kilos", "en", Bound.EXACT),
        ("mais de dois quilos", "pt-PT", Bound.OVER),
        ("não beba mais do que dois litros", "pt-PT", Bound.UNDER),
        ("no máximo oito comprimidos", "pt-PT", Bound.UNDER),
    ],
)
def test_bounds_are_read_with_their_negation(text: str, language: str, bound: Bound) -> None:
    """A negated lower bound is an upper bound."""
    assert bound is found(text, language)[0].bound


def test_an_amount_corrected_at_once_does_not_count() -> None:
    """A slip that is repaired leaves only the repaired amount."""
    only = found("for two, sorry, for four weeks")

    assert [Fraction(672)] == [a.value for a in only]
