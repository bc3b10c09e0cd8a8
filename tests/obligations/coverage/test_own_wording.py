"""Own wording is found whatever stands around it, and never when a word of weight was changed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from obligations.coverage.own_wording import OwnWordingMatcher, find_wording
from obligations.coverage.protocol import Coverage, CoverageVerdict, PointText

pytestmark = pytest.mark.unit

WORDING = "Do not lift anything heavier than five kilos for six weeks."


def judged(text: str, wording: str = WORDING, language: str = "en") -> Coverage:
    """Judge a text by a wording."""
    return OwnWordingMatcher().judge(PointText(id="p", wording=wording, language=language), text)


@pytest.mark.parametrize(
    "text",
    [
        "Right. Do not lift anything heavier than five kilos for six weeks. Any questions?",
        "so um don't lift anything heavier than 5 kg for six six weeks okay",
        "Do not lift anything heavier than five kilos for six weeks, because the stitches",
        "Do not lift anything heavyer than five kilos for six weeks.",
        "You said do not lift anything heavier than five kilos for six weeks. That's right.",
    ],
)
def test_the_wording_is_found_in_any_surroundings(text: str) -> None:
    """Case, punctuation, spoken numbers, fillers, a later cut and one misheard long word do not hide it."""
    assert CoverageVerdict.CONVEYED is judged(text).verdict


@pytest.mark.parametrize(
    "text",
    [
        "Do not lift anything heavier than fifteen kilos for six weeks.",
        "Do not lift anything heavier than five kilos for six days.",
        "Lift anything heavier than five kilos for six weeks.",
        "Do not lift anything lighter than five kilos for six weeks.",
        "Do not lift anything heavier than five kilos for",
        "There's no need to follow this: do not lift anything heavier than five kilos for six weeks.",
        "Later I'll explain why you should not lift anything heavier than five kilos for six weeks.",
        "Were you told: do not lift anything heavier than five kilos for six weeks?",
        "Do not lift anything heavier than five kilos for six weeks. No, that's wrong.",
        "I'm not sure it is do not lift anything heavier than five kilos for six weeks.",
    ],
)
def test_a_changed_cut_or_unstated_wording_is_never_conveyed(text: str) -> None:
    """A number, a unit, a negation, a cut, a question, a promise, a doubt or a retraction keeps it back."""
    assert CoverageVerdict.CONVEYED is not judged(text).verdict


def test_a_cut_wording_is_partial_and_its_span_is_what_was_heard() -> None:
    """The span covers exactly the characters of the heard part."""
    text = "Well, do not lift anything heavier than five"
    coverage = judged(text)

    assert CoverageVerdict.PARTIAL is coverage.verdict
    assert ["do not lift anything heavier than five"] == [text[s.start : s.end] for s in coverage.spans]


def test_a_negation_is_never_swallowed_by_a_misheard_word() -> None:
    """A word and the "não" after it must not pass for that word misheard."""
    wording = "Uma perna inchada, quente ou dolorosa pode ser um coágulo."
    changed = "Uma perna inchada, quente ou dolorosa não pode ser um coágulo."

    assert CoverageVerdict.CONVEYED is not judged(changed, wording, "pt-PT").verdict


def test_one_medicine_is_never_a_misheard_other() -> None:
    """Names that look alike stay apart."""
    found = find_wording("Take prednisolone every morning.", "Take prednisone every morning.", "en")

    assert found is None or not found.whole


@pytest.mark.parametrize("text", ["in your eye", "there is something in your eye", "Keep the drops in your eye."])
def test_a_word_of_every_sentence_is_never_a_misheard_word_of_weight(text: str) -> None:
    """The word "in" is like enough to "pain", and stood for the whole question."""
    found = find_wording("Do you have any pain in your eye?", text, "en")

    assert found is None or not found.whole


def test_without_noise_only_the_words_themselves_count() -> None:
    """An intended text holds no recogniser errors, so none are forgiven."""
    point = PointText(id="p", wording=WORDING, language="en")
    text = "Do not lift anything heavyer than five kilos for six weeks."

    assert CoverageVerdict.CONVEYED is not OwnWordingMatcher(noise=False).judge(point, text).verdict


def test_an_unknown_language_is_matched_word_for_word() -> None:
    """Without tables only the very words align."""
    wording = "Heben Sie sechs Wochen nichts Schweres."

    assert CoverageVerdict.CONVEYED is judged(f"Also: {wording}", wording, "de").verdict
    assert CoverageVerdict.CONVEYED is not judged("Heben Sie sieben Wochen nichts Schweres.", wording, "de").verdict


@settings(max_examples=60, deadline=None)
@given(cut=st.integers(min_value=0, max_value=len(WORDING)))
def test_no_prefix_short_of_the_last_word_is_conveyed(cut: int) -> None:
    """Whatever the cut, only the whole wording conveys; every span lies inside what was heard."""
    heard = WORDING[:cut]
    coverage = judged(heard)

    assert all(span.within(len(heard)) for span in coverage.spans)
    if "weeks" not in heard and "week" not in heard:
        assert CoverageVerdict.CONVEYED is not coverage.verdict


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=120))
def test_any_text_is_judged_without_an_error(text: str) -> None:
    """The finder is total."""
    assert "own-wording@4" == judged(text).matcher


@pytest.mark.parametrize("before", ["Please don't ever", "Never ever"])
def test_an_adverb_does_not_hide_that_an_advice_is_taken_back(before: str) -> None:
    """The words "don't ever call an ambulance" holds the advice word for word."""
    wording = "Call an ambulance if you have chest pain."

    assert (
        CoverageVerdict.CONVEYED is not judged(f"{before} call an ambulance if you have chest pain.", wording).verdict
    )
