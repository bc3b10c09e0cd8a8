"""Cuts are literal word-boundary prefixes, and the rules place them as the overlap type says."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.cells import load_cell
from benchmarks.simulator.placement import (
    ends_a_unit,
    is_word_prefix,
    match_literal_prefix,
    rule_cut,
    rule_cuts,
    sentences,
    snap_to_words,
    word_ends,
)
from benchmarks.simulator.scripted_agent import load_script

pytestmark = pytest.mark.unit

QUESTION = "All right. Have you noticed any redness in your eye?"
ANSWER = load_script().faqs["light-sensitivity"].answer

texts = st.lists(st.text(alphabet="abc',.?!", min_size=1, max_size=8), min_size=1, max_size=20).map(" ".join)


def delivered(cell: str, text: str) -> list[str]:
    """Every delivered text the cell's rules allow."""
    return [text[:cut] for cut in rule_cuts(load_cell(cell), text)]


def test_recognitional_cuts_leave_only_the_stem():
    """At least three words of the question, and not the word that names the symptom."""
    assert delivered("G-recognitional", QUESTION) == ["All right. Have you noticed", "All right. Have you noticed any"]


def test_competitive_cuts_are_interior_and_at_no_possible_end():
    """Never after punctuation, never the last word of the question."""
    cuts = delivered("G-competitive", QUESTION)

    assert cuts[0] == "All right. Have you"
    assert all(not text.endswith((".", "?", ",")) for text in cuts)
    assert cuts[-1] == "All right. Have you noticed any redness in"


def test_competitive_cuts_of_the_answer_come_before_the_last_point():
    """At most sixty per cent of its words are delivered."""
    for text in delivered("P-competitive", ANSWER):
        assert len(text.split()) <= 0.6 * len(ANSWER.split())
        assert not ends_a_unit(text, len(text))


def test_transitional_cuts_fall_at_the_first_possible_end():
    """After the first sentence, and at most two words into the next."""
    first = "Some sensitivity to light is normal after a cataract operation."

    assert delivered("P-transitional", ANSWER) == [first, f"{first} If", f"{first} If you"]


@pytest.mark.parametrize("text", ["One sentence only.", "No full stop at all", ""])
def test_a_single_unit_hosts_no_transitional_overlap(text: str):
    """The study: it only fires on multi-unit turns."""
    assert rule_cuts(load_cell("P-transitional"), text) == []
    assert rule_cut(load_cell("P-transitional"), text, random.Random(1)) is None


@given(
    texts, st.sampled_from(["G-recognitional", "G-competitive", "P-competitive", "P-transitional"]), st.integers(0, 99)
)
@settings(max_examples=200)
def test_every_rule_cut_is_a_real_cut(text: str, cell: str, seed: int):
    """Whatever the utterance: a literal prefix, whole words, and not the whole utterance."""
    cut = rule_cut(load_cell(cell), text, random.Random(seed))

    if cut is not None:
        assert is_word_prefix(text[: cut.chars], text)
        assert 0 < cut.chars < len(text)


@pytest.mark.parametrize(
    ("proposal", "expected"),
    [
        ("All right. Have you noticed", "All right. Have you noticed"),
        ('"All right. Have you noticed..."', "All right. Have you noticed"),
        ("all right have you NOTICED", "All right. Have you noticed"),
        ("All right.", "All right."),
    ],
)
def test_a_models_copy_is_matched_to_the_literal_prefix(proposal: str, expected: str):
    """Quotes, an ellipsis, case and punctuation are forgiven; the cut itself is literal."""
    chars = match_literal_prefix(proposal, QUESTION)

    assert chars is not None
    assert QUESTION[:chars] == expected


@pytest.mark.parametrize(
    "proposal",
    [
        QUESTION,
        "",
        "...",
        "Have you noticed",
        "All right. Did you notice",
        "All right. Have you noticed any pain",
        "All ri",
    ],
    ids=["whole", "empty", "dots", "not from the start", "paraphrase", "other word", "half a word"],
)
def test_what_is_no_prefix_is_refused(proposal: str):
    """A paraphrase never becomes a cut."""
    assert match_literal_prefix(proposal, QUESTION) is None


@given(texts, st.integers(1, 30))
@settings(max_examples=100)
def test_a_literal_copy_is_always_found(text: str, words: int):
    """Any shorter word prefix with at least one letter comes back as its own cut."""
    ends = word_ends(text)
    if words >= len(ends) or not any(c.isalnum() for c in text[: ends[words - 1]]):
        return

    chars = match_literal_prefix(text[: ends[words - 1]], text)

    assert chars is None or is_word_prefix(text[:chars], text)


def test_sentences_keep_their_stops():
    """Ranges leave outer spaces out; the last sentence may lack its stop."""
    text = "Is it? Yes. And then"

    assert [text[a:b] for a, b in sentences(text)] == ["Is it?", "Yes.", "And then"]


@pytest.mark.parametrize(("chars", "expected"), [(0, 0), (2, 0), (3, 3), (5, 3), (7, 7), (99, 11)])
def test_snapping_goes_back_to_a_whole_word(chars: int, expected: int):
    """A cut inside a word drops that word."""
    assert snap_to_words("One two end", chars) == expected
