"""Word starts from phonemes: placed by alignment, in order, inside the utterance."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipecat_interrupt.local.word_times import fill_gaps, place_words, spread_by_letters

pytestmark = pytest.mark.unit


def test_words_that_sound_alike_alone_and_in_the_sentence_start_at_their_first_phoneme() -> None:
    """The plain case."""
    heard = list("no") + [" "] + list("pein")

    assert place_words([list("no"), list("pein")], heard) == [0, 3]


def test_words_merged_by_the_voice_are_told_apart() -> None:
    """The pair "I have" is spoken as one phoneme word; the second word still gets its own start."""
    assert place_words([list("ai"), list("hav"), list("told")], list("aihavtold")) == [0, 2, 5]


def test_a_reduced_word_is_placed_by_its_neighbours() -> None:
    """The word "the" alone is spoken differently from "the" in a sentence; a substitution still places it."""
    assert place_words([list("kol"), list("thi"), list("klinik")], list("kol the klinik")) == [0, 4, 8]


def test_repeated_words_keep_their_order() -> None:
    """Two equal words take the first and the second place."""
    assert place_words([list("no"), list("no"), list("pein")], list("no no pein")) == [0, 3, 6]


def test_a_word_without_phonemes_is_not_placed() -> None:
    """A lone dash has no sound of its own."""
    assert place_words([list("yes"), [], list("now")], list("yes now")) == [0, None, 4]


def test_nothing_heard_places_nothing() -> None:
    """No phonemes at all, no places."""
    assert place_words([list("yes"), list("now")], []) == [None, None]


def test_an_unplaced_word_lies_between_its_neighbours() -> None:
    """Half way for one, evenly for several, at the beginning for the first."""
    assert fill_gaps([0.0, None, 1.0], end=2.0) == [0.0, 0.5, 1.0]
    assert fill_gaps([0.0, None, None], end=3.0) == [0.0, 1.0, 2.0]
    assert fill_gaps([None, 1.0], end=2.0) == [0.0, 1.0]
    assert fill_gaps([None, None], end=1.0) == [0.0, 0.5]


def test_a_silent_word_does_not_end_the_word_before_it_early() -> None:
    """In "better - really" the dash begins with "really", so "better" lasts until then."""
    assert fill_gaps([0.4, None, 0.8], end=1.2, silent=[False, True, False]) == [0.4, 0.8, 0.8]
    assert fill_gaps([0.4, None], end=1.2, silent=[False, True]) == [0.4, 1.2]
    assert fill_gaps([None], end=1.2, silent=[True]) == [1.2]


def test_without_durations_words_are_spread_by_their_letters() -> None:
    """The fallback: a word twice as long takes about twice the time."""
    assert spread_by_letters(["aaa", "aaaaaaa"], 1.2) == pytest.approx([0.0, 0.4])


words = st.lists(st.text("abcd", max_size=4).map(list), max_size=8)


@given(words, st.text("abcd ", max_size=25).map(list))
@settings(max_examples=150, deadline=None)
def test_places_never_go_backwards(alone: list[list[str]], heard: list[str]) -> None:
    """Whatever is aligned with whatever, order is kept, places exist, and a silent word has none."""
    places = place_words(alone, heard)

    found = [p for p in places if p is not None]
    assert len(places) == len(alone)
    assert found == sorted(found)
    assert all(0 <= p < len(heard) and heard[p] != " " for p in found)
    assert all(p is None for p, phonemes in zip(places, alone, strict=True) if not phonemes)


@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.floats(0, 1)), max_size=10), st.floats(0, 2))
@settings(max_examples=150, deadline=None)
def test_filled_starts_are_ordered_and_inside(rows: list[tuple[bool, bool, float]], end: float) -> None:
    """Any mixture of placed, unplaced and silent words gives ordered starts inside the utterance."""
    times = sorted(t for _, _, t in rows)
    starts = [t if placed and not silent else None for (placed, silent, _), t in zip(rows, times, strict=True)]

    filled = fill_gaps(starts, end, [silent for _, silent, _ in rows])

    assert len(filled) == len(rows)
    assert filled == sorted(filled)
    assert all(0 <= f <= end for f in filled)
