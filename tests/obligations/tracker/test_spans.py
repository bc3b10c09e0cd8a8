"""Own wording is found in whatever form it was written, and given back in written characters."""

from __future__ import annotations

import pytest

from obligations import Pathway
from obligations.testing import a_pathway, a_point, a_question
from obligations.tracker.spans import WordingIndex

pytestmark = pytest.mark.unit

PATHWAY = a_pathway(
    a_point("drops", "Don't stop your follow-up drops."),
    a_question(
        "redness",
        "Have you noticed any redness in your eye?",
        "redness",
        reask={"en": "Again, any redness in your eye?"},
    ),
)


def found(text: str, pathway: Pathway = PATHWAY, language: str = "en") -> dict[str, str]:
    return {span.id: text[span.start : span.end] for span in WordingIndex(pathway, language).find(text)}


@pytest.mark.parametrize(
    "text",
    [
        "Don't stop your follow-up drops.",
        "DON’T STOP YOUR FOLLOW-UP DROPS!",
        "don't  stop\nyour follow up, drops",
        "So: don't stop your “follow-up” drops — please.",
    ],
)
def test_case_punctuation_and_spacing_do_not_matter(text: str) -> None:
    """The span covers the written words, whatever their form."""
    span = found(text)["drops"]

    assert span.lower().replace("’", "'").startswith("don't")
    assert span.lower().rstrip("!.,").endswith("drops")


@pytest.mark.parametrize(
    "text",
    ["Don't stop your drops.", "Do stop your follow-up drops.", "Don't stop your own follow-up drops.", "Don't", ""],
)
def test_other_words_are_not_own_wording(text: str) -> None:
    """A word missing, changed or put between: no span."""
    assert "drops" not in found(text)


def test_the_focus_of_a_question_ends_before_its_wording() -> None:
    """What must be heard is up to the end of the focus."""
    text = "Okay. Have you noticed any redness in your eye?"

    span = WordingIndex(PATHWAY, "en").find(text)[0]

    assert "Have you noticed any redness" == text[span.start : span.need_end]
    assert "Have you noticed any redness in your eye" == text[span.start : span.end]


def test_a_reask_is_own_wording_too() -> None:
    """Its own focus counts."""
    text = "Again, any redness in your eye?"
    span = WordingIndex(PATHWAY, "en").find(text)[0]

    assert (True, "Again, any redness") == (span.own, text[: span.need_end])


def test_a_question_in_other_words_is_found_by_its_focus_and_marked() -> None:
    """Only where the sentence asks."""
    asking = WordingIndex(PATHWAY, "en").find("Fine. Is there redness today?")
    telling = WordingIndex(PATHWAY, "en").find("Some redness is to be expected.")

    assert [("redness", False)] == [(span.id, span.own) for span in asking]
    assert () == telling


@pytest.mark.parametrize(
    ("text", "item"),
    [
        ("Any temperatures or fevers?", ["fever"]),
        ("Have you vomited at all?", ["vomiting"]),
        ("Any fever after the fevers?", ["fever"]),
        ("Fevers, or have you vomited?", []),
        ("Fevers are to be expected.", []),
    ],
)
def test_another_form_of_the_focus_asks_too_but_of_one_question_only(text: str, item: list[str]) -> None:
    """Only where the sentence asks; a sentence with two of them asks neither, and none of it is own wording."""
    fever = a_question("fever", "Have you had any fever?", "fever")
    pathway = a_pathway(fever, a_question("vomiting", "Is there any vomiting?", "vomiting"))

    spans = WordingIndex(pathway, "en").find(text)

    assert [(one, False) for one in item] == [(span.id, span.own) for span in spans]


def test_another_form_of_the_focus_must_be_heard_to_its_own_end() -> None:
    """What must be heard ends with the word that was said."""
    text = "Well, any fevers today?"
    span = WordingIndex(a_pathway(a_question("fever", "Have you had any fever?", "fever")), "en").find(text)[0]

    assert "Well, any fevers" == text[: span.need_end]


def test_several_items_in_one_text_are_found_in_order() -> None:
    """Each once, at its first place."""
    text = "Have you noticed any redness in your eye? Don't stop your follow-up drops. Don't stop your follow-up drops."

    spans = WordingIndex(PATHWAY, "en").find(text)

    assert ["redness", "drops"] == [span.id for span in spans]
    assert text.index("Don't") == spans[1].start


def test_accents_count_and_composed_forms_are_equal() -> None:
    """A letter with its accent apart is the same letter; another letter is not."""
    pathway = a_pathway(a_point("sol", "Use óculos de sol à tarde.", language="pt-PT"), language="pt-PT")

    assert "sol" in found("use o\u0301culos de sol a\u0300 tarde", pathway, "pt-PT")
    assert "sol" not in found("use oculos de sol a tarde", pathway, "pt-PT")


def test_scripts_without_blanks_are_matched_sign_by_sign() -> None:
    """A wording inside a longer run is found at its place; it has a sentence of its own, as nobody reads the rest."""
    pathway = a_pathway(a_point("med", "请每天吃药。", language="en"), language="en")
    text = "好的。请每天吃药。谢谢。"

    assert {"med": "请每天吃药"} == found(text, pathway)


def test_the_phrases_around_the_items_are_found_by_name() -> None:
    """A greeting is known as one, so it is not said twice."""
    assert "phrase:greeting" in found("Hello from the test clinic. How do you do?")


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("Please don't ever call an ambulance if you have chest pain.", False),
        ("You should never, ever call an ambulance if you have chest pain.", False),
        ("Do not wait. Call an ambulance if you have chest pain.", True),
        ("So: call an ambulance if you have chest pain.", True),
    ],
)
def test_an_advice_that_is_denied_before_it_is_told_is_not_told(text: str, holds: bool) -> None:
    """The very words of the pathway, behind a model's "don't ever", are the opposite advice."""
    pathway = a_pathway(a_point("ambulance", "Call an ambulance if you have chest pain."))

    assert ("ambulance" in found(text, pathway)) is holds
