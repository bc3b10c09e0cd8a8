"""Figures and abbreviations in their spoken forms, English and European Portuguese."""

from __future__ import annotations

import pytest

from pipecat_interrupt.delivery.readings import READINGS_MAX, figure_words, readings_of, spoken_words

pytestmark = pytest.mark.unit

EN = [
    ("0.5", "zero point five"),
    ("0.5", "point five"),
    ("8", "eight"),
    ("a.m.", "a m"),
    ("mg", "milligrams"),
    ("5mg", "five milligrams"),
    ("$37.20,", "thirty seven dollars and twenty cents"),
    ("£5", "five pounds"),
    ("Dr.", "doctor"),
    ("MRI", "m r i"),
    ("B12", "b twelve"),
    ("2026-12-03.", "december third twenty twenty six"),
    ("03/12/2026", "the third of december twenty twenty six"),
    ("12:30", "twelve thirty"),
    ("12:30", "half past twelve"),
    ("8:00", "eight o clock"),
    ("10%", "ten percent"),
    ("1,500", "one thousand five hundred"),
    ("20-30", "twenty to thirty"),
    ("4111", "four one one one"),
    ("2nd", "second"),
    ("1/2", "a half"),
    ("-5", "minus five"),
    ("+", "plus"),
    ("=", "equals"),
]
PT = [
    ("37,5", "trinta e sete virgula cinco"),
    ("8h30", "oito e meia"),
    ("8h30", "oito e trinta"),
    ("mg", "miligramas"),
    ("5mg", "cinco miligramas"),
    ("2026-12-03", "tres de dezembro de dois mil e vinte e seis"),
    ("€12,50", "doze euros e cinquenta centimos"),
    ("10%", "dez por cento"),
    ("Dra.", "doutora"),
    ("1.500", "mil e quinhentos"),
    ("2", "duas"),
]


@pytest.mark.parametrize(("written", "spoken"), EN)
def test_english_figures_are_known_as_they_are_said(written: str, spoken: str) -> None:
    """Each written figure is found again in the words a voice makes of it."""
    assert tuple(spoken.split()) in readings_of(written, "en-GB")


@pytest.mark.parametrize(("written", "spoken"), PT)
def test_portuguese_figures_are_known_as_they_are_said(written: str, spoken: str) -> None:
    """European Portuguese has its own decimal comma, hours and joiners."""
    assert tuple(spoken.split()) in readings_of(written, "pt-PT")


@pytest.mark.parametrize("written", ["tablet", "water,", "no", "", "—", "99/99/9999"])
def test_a_plain_word_has_no_other_reading(written: str) -> None:
    """Words that are said as written stay strict."""
    assert readings_of(written, "en") == ()


def test_readings_are_bounded() -> None:
    """A figure with very many ways to say it keeps a fixed number of them."""
    assert len(readings_of("$1234.56", "en")) <= READINGS_MAX


def test_an_unknown_language_reads_figures_like_english() -> None:
    """Nothing fails for a language without a table."""
    assert ("eight",) in readings_of("8", "fi-FI")
    assert "december" in figure_words("fi-FI")


def test_spoken_words_are_folded_and_split_at_hyphens() -> None:
    """A voice may report "thirty-seven" as one word."""
    assert spoken_words("Thirty-seven o'clock, às") == ("thirty", "seven", "oclock", "as")
