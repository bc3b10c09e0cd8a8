"""Written text as tokens that are heard whole or not at all."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipecat_interrupt.delivery.written import count_words, ends_with_cjk, fold, tokenise

pytestmark = pytest.mark.unit


def pieces(text: str, language: str = "en") -> list[str]:
    return [text[t.start : t.end] for t in tokenise(text, language)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Take one tablet, please.", ["Take", "one", "tablet,", "please."]),
        ("请每天吃药。好", ["请", "每", "天", "吃", "药。", "好"]),
        ("Tome 37,5 mg às 8h30.", ["Tome", "37,5", "mg", "às", "8h30."]),
        ("Wait <break time='1s'/> here", ["Wait", "<break time='1s'/>", "here"]),
        ("Read [our page](https://example.org/a) now", ["Read", "[our page](https://example.org/a)", "now"]),
        ("<b>Stop</b>. Now", ["<b>", "Stop</b>.", "Now"]),
        ("", []),
        ("  \n ", []),
    ],
)
def test_text_splits_where_something_is_heard_whole(text: str, expected: list[str]) -> None:
    """Blanks part words, every Chinese character stands alone, tags and links stay in one piece."""
    assert pieces(text) == expected


@pytest.mark.parametrize("text", ["**", "- ", "<spell>", "😀", "—"])
def test_markup_and_symbols_are_silent(text: str) -> None:
    """What no voice says is never waited for."""
    assert all(token.silent for token in tokenise(text))


@pytest.mark.parametrize(
    ("text", "words"),
    [("Take **one** tablet - now.", 4), ("请每天吃药", 5), ("Tome 37,5 mg.", 3), ("😀 **", 0), ("", 0)],
)
def test_words_are_counted_without_markup_and_by_character_in_chinese(text: str, words: int) -> None:
    """A word count that splits on blanks would call a long Chinese sentence one word."""
    assert count_words(text) == words


def test_folding_ignores_case_accents_and_punctuation() -> None:
    """Spoken and written spellings meet."""
    assert fold("Às oito, Não!") == "asoitonao"


def test_cjk_endings_are_seen_through_their_punctuation() -> None:
    """Two sentences of Chinese are joined without a blank."""
    assert ends_with_cjk("请每天吃药。")
    assert not ends_with_cjk("Take it.")


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=120))
def test_tokens_cover_everything_but_white_space_in_order(text: str) -> None:
    """No character is lost between tokens and none belongs to two."""
    tokens = tokenise(text)
    covered = "".join(text[t.start : t.end] for t in tokens)

    assert "".join(covered.split()) == "".join(text.split())
    assert all(a.end <= b.start for a, b in zip(tokens, tokens[1:], strict=False))
