"""From spoken words back to a prefix of the written text (field cases D04, D05)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipecat_interrupt.delivery.alignment import SpokenAligner

pytestmark = pytest.mark.unit


def aligned(text: str, spoken: list[str], language: str = "en") -> SpokenAligner:
    aligner = SpokenAligner(text, language)
    for word in spoken:
        aligner.feed(word)
    return aligner


CASES = [
    # D04 (a): the whole sentence, though no figure is spoken as it is written
    ("Take 0.5 mg at 8 a.m.", "Take zero point five milligrams at eight a m", "Take 0.5 mg at 8 a.m."),
    ("It costs $37.20, Dr. Reis agrees.", "It costs thirty-seven dollars and twenty cents,", "It costs $37.20,"),
    ("It costs $37.20, Dr. Reis agrees.", "It costs thirty-seven dollars and", "It costs"),
    ("Your MRI is on 2026-12-03.", "Your M R I is on December", "Your MRI is on"),
    ("2 + 2 = 4", "", ""),
    ("2 + 2 = 4", "two plus two", "2 + 2"),
    ("2 + 2 = 4", "two plus two is four", "2 + 2 = 4"),
    ("请每天吃药", "请 每 天 吃 药", "请每天吃药"),
    ("请每天吃药", "请 每天", "请每天"),
    ("Take **one** tablet - not <spell>4111</spell>.", "Take one tablet not four one one", "Take **one** tablet - not"),
    ("Use PanadolExtra twice.", "Use Panadol Extra", "Use PanadolExtra"),
    ("Use Panadol Extra twice.", "Use PanadolExtra", "Use Panadol Extra"),
    ("the well-known doctor", "the well known", "the well-known"),
    ("Call at 8:00 tomorrow.", "Call at eight o'clock tomorrow", "Call at 8:00 tomorrow."),
    ("TAKE ONE NOW", "take one", "TAKE ONE"),
    ("Ring Dr. Silva today", "Ring doctor Silva", "Ring Dr. Silva"),
    ("Paracetamol helps", "Paracetamoll helps", "Paracetamol helps"),
    ("one two three four five", "one two one two", "one two"),
]


@pytest.mark.parametrize(("text", "spoken", "expected"), CASES)
def test_spoken_words_bring_a_prefix_of_the_written_text(text: str, spoken: str, expected: str) -> None:
    """Figures count when they were spoken to their end, and nothing outside the written text appears."""
    assert text[: aligned(text, spoken.split()).chars] == expected


PORTUGUESE = [
    (
        "Tome 37,5 mg às 8h30, por favor.",
        "Tome trinta e sete vírgula cinco miligramas às oito e meia",
        "Tome 37,5 mg às 8h30,",
    ),
    ("Tome 37,5 mg às 8h30, por favor.", "Tome trinta e sete vírgula", "Tome"),
    ("Custa €12,50 hoje.", "Custa doze euros e cinquenta cêntimos", "Custa €12,50"),
]


@pytest.mark.parametrize(("text", "spoken", "expected"), PORTUGUESE)
def test_portuguese_figures_map_back_too(text: str, spoken: str, expected: str) -> None:
    """The decimal comma is no end of a phrase."""
    assert text[: aligned(text, spoken.split(), "pt-PT").chars] == expected


def test_a_half_spoken_date_is_named_and_not_counted() -> None:
    """D04 (c): the date that was begun stands in the record, and only as begun."""
    aligner = aligned("Your MRI is on 2026-12-03.", "Your M R I is on December".split())

    assert aligner.partial_text == "2026-12-03."
    assert aligner.partial_spoken == "december"


def test_a_word_that_was_never_reported_is_covered_by_the_two_after_it() -> None:
    """Voices drop word events; two words that follow each other in the text prove that the dropped one was spoken."""
    assert aligned("alpha beta gamma delta", ["alpha", "gamma"]).chars == len("alpha")
    assert aligned("alpha beta gamma delta", ["alpha", "gamma", "delta"]).chars == len("alpha beta gamma delta")


def test_one_stray_word_never_jumps_ahead() -> None:
    """A lone match further on may be chance; it does not move the place."""
    assert aligned("give the pill with the water", ["give", "water"]).chars == len("give")


def test_an_unknown_spoken_form_is_covered_by_the_next_word() -> None:
    """A figure said in a way nobody listed is passed once the word behind it is heard."""
    text = "Room 4111 is upstairs"

    assert text[: aligned(text, "Room forty one hundred eleven is".split()).chars] == "Room 4111 is"


def test_the_frameworks_own_mapping_is_followed_once_its_stretch_is_over() -> None:
    """Pipecat names the written text of a rewritten stretch early; it counts when the word behind it is spoken."""
    aligner = SpokenAligner("Dose VII mg, thanks")
    aligner.feed("Dose", written="Dose")
    aligner.feed("number", written="VII")
    aligner.feed("seven", inside=True)
    assert aligner.chars == len("Dose")

    aligner.feed("milligrams", written="mg,")

    assert aligner.chars == len("Dose VII mg,")


def test_a_figure_is_covered_by_its_last_word_even_when_the_framework_names_it_with_the_first() -> None:
    """What Pipecat 1.14 reports for "0.5 mg" rewritten as "zero point five milligrams"."""
    aligner = SpokenAligner("Take 0.5 mg now")
    places = [
        aligner.feed("Take", written="Take"),
        aligner.feed("zero", written="0.5"),
        aligner.feed("point", inside=True),
        aligner.feed("five", inside=True),
    ]

    assert places == [4, 4, 4, len("Take 0.5")]


def test_a_mapping_that_lies_outside_the_text_is_ignored() -> None:
    """Text from elsewhere never enters the account."""
    aligner = SpokenAligner("Take one tablet")
    aligner.feed("Take", written="Something else")

    assert aligner.chars == len("Take")


def test_finishing_covers_everything() -> None:
    """All audio was heard, so all text was."""
    assert SpokenAligner("Take it. 😀").finish() == len("Take it. 😀")


WORD = st.sampled_from("take one tablet the 0.5 mg $3.20 Dr. at 8 a.m. ** <b> 请 and 2026-12-03 no é".split())
NOISE = st.sampled_from("take one zero point five tablet dollars december the a m doctor eight zzz 请 e".split())


@settings(max_examples=200, deadline=None)
@given(st.lists(WORD, max_size=14).map(" ".join), st.lists(NOISE, max_size=30), st.sampled_from(["en", "pt-PT"]))
def test_whatever_is_reported_the_place_only_moves_forward_inside_the_text(
    text: str, spoken: list[str], language: str
) -> None:
    """The place never goes back, never leaves the text, and ends with a token."""
    aligner = SpokenAligner(text, language)
    places = [aligner.feed(word) for word in spoken]

    assert places == sorted(places)
    assert all(0 <= place <= len(text) for place in places)
    assert all(place == len(text) or text[place].isspace() or place == 0 or text[place - 1] for place in places)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from("take one tablet every morning with water and rest".split()), min_size=1, max_size=20))
def test_plain_words_spoken_as_written_are_all_covered(words: list[str]) -> None:
    """Nothing is lost when the voice says what is written, repetitions included."""
    text = " ".join(words)

    assert aligned(text, words).chars == len(text)
