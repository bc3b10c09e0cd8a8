"""Words keep their places, and spoken numbers become the numbers they say."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from obligations.coverage.text import base_language, tokenise

pytestmark = pytest.mark.unit


def norms(text: str, language: str = "en") -> list[str]:
    """Give the norms of a text's tokens."""
    return [token.norm for token in tokenise(text, language).tokens]


@pytest.mark.parametrize(
    ("spoken", "written"),
    [
        ("zero point five milligrams", "0.5 mg"),
        ("eight a m", "8 a.m."),
        ("nine one one", "911"),
        ("triple nine", "999"),
        ("half past eight", "8:30"),
        ("quarter to nine", "8:45"),
        ("one and a half litres", "1.5 l"),
        ("two hundred and fifty millilitres", "250 ml"),
        ("twenty-four hours", "24 hours"),
        ("thirty-eight point two", "38.2"),
        ("A and E", "A&E"),
        ("do not", "don't"),
        ("cannot", "can't"),
        ("one one six one two three", "116 123"),
    ],
)
def test_the_spoken_and_the_written_form_are_one_in_english(spoken: str, written: str) -> None:
    """What a voice says and what was written give the same tokens."""
    assert norms(written) == norms(spoken)


@pytest.mark.parametrize(
    ("spoken", "written"),
    [
        ("zero vírgula cinco miligramas", "0,5 mg"),
        ("sessenta e nove e meio", "69,5"),
        ("cento e doze", "112"),
        ("dois mil e quinhentos mililitros", "2.500 ml"),
        ("vinte e quatro horas", "24 horas"),
        ("oitocentos e oito vinte e quatro vinte e quatro vinte e quatro", "808 24 24 24"),
    ],
)
def test_the_spoken_and_the_written_form_are_one_in_portuguese(spoken: str, written: str) -> None:
    """Portuguese number words, its decimal comma and its thousands point."""
    assert norms(written, "pt-PT") == norms(spoken, "pt-PT")


@pytest.mark.parametrize(
    ("one", "other", "language"),
    [
        ("fifteen minutes", "fifty minutes", "en"),
        ("0.5 mg", "5 mg", "en"),
        ("1.500 ml", "1.5 ml", "pt-PT"),
        ("four weeks", "four days", "en"),
        ("half past eight", "half past nine", "en"),
        ("dois dias", "doze dias", "pt-PT"),
    ],
)
def test_different_amounts_never_become_one(one: str, other: str, language: str) -> None:
    """A dose is never guessed: what differs stays different."""
    assert norms(one, language) != norms(other, language)


def test_no_number_runs_over_punctuation() -> None:
    """A slip and its repair are two numbers, not one."""
    assert norms("two, sorry, four weeks") == ["2", "sorry", "4", "week"]


def test_english_number_words_mean_nothing_in_portuguese() -> None:
    """No rule of one language is applied to another."""
    assert norms("take ten tablets", "pt-PT") == ["take", "ten", "tablets"]


def test_an_unknown_language_gets_plain_folded_words() -> None:
    """A language without tables keeps its words and its digits."""
    assert norms("Nehmen Sie 2 Tabletten", "de") == ["nehmen", "sie", "2", "tabletten"]


def test_a_token_made_of_words_spans_all_of_them() -> None:
    """The span of a spoken number is the characters it was said with."""
    text = "take zero point five milligrams now"
    token = next(t for t in tokenise(text, "en").tokens if t.value is not None)

    assert "zero point five" == text[token.start : token.end]


def test_the_base_language_of_a_tag_is_its_first_part() -> None:
    """Regions and cases do not matter."""
    assert "pt" == base_language("PT_pt")


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=80), st.sampled_from(["en", "pt-PT", "de"]))
def test_every_token_lies_inside_the_text_in_order(text: str, language: str) -> None:
    """Whatever comes in, offsets are ordered and inside the written text."""
    tokens = tokenise(text, language).tokens

    assert all(0 <= t.start <= t.end <= len(text) for t in tokens)
    assert sorted(t.start for t in tokens) == [t.start for t in tokens]


_WORDS = "one two three four five six seven eight nine ten twenty thirty forty hundred and point half a mg".split()


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(_WORDS), max_size=10))
def test_any_run_of_number_words_is_read_without_an_error(words: list[str]) -> None:
    """Ill-formed numbers stay words; they never raise and never swallow text."""
    text = " ".join(words)
    tokens = tokenise(text, "en").tokens

    assert "".join(words) == "".join(text[t.start : t.end] for t in tokens).replace(" ", "")


@pytest.mark.parametrize(
    ("text", "language", "first"),
    [("half dia", "en", 0.5), ("meio dia", "pt-PT", None), ("half past two", "en", None), ("meio past", "pt-PT", 0.5)],
)
def test_a_word_of_one_language_stops_no_number_of_the_other(text: str, language: str, first: float | None) -> None:
    """Portuguese "dia" makes noon of a half in Portuguese alone, English "past" a time in English alone."""
    value = tokenise(text, language).tokens[0].value

    assert first == (float(value) if value is not None and value < 1 else None)


@pytest.mark.parametrize(
    ("text", "language", "value"),
    [("1,500", "en", 1500), ("1,500", "pt-PT", 1.5), ("1.5", "de", 1.5), ("vinte e um", "en", None)],
)
def test_numbers_are_read_by_the_marks_and_words_of_the_call_s_language(
    text: str, language: str, value: float | None
) -> None:
    """A language without a table reads digits alone, with a point before decimals."""
    found = tokenise(text, language).tokens[0].value

    assert value == (float(found) if found is not None else None)
