"""Advice that keeps the pathway's words is not told when something beside them makes another advice of it."""

from __future__ import annotations

import pytest

from obligations.coverage.beside import changed_beside
from obligations.coverage.own_wording import OwnWordingMatcher
from obligations.coverage.protocol import CoverageVerdict, PointText
from obligations.coverage.slot_matcher import SlotMatcher
from obligations.coverage.sounds import sound_key
from obligations.pathway import list_pathways, load_pathway
from obligations.testing import a_pathway, a_point
from obligations.tracker.spans import WordingIndex

pytestmark = pytest.mark.unit

CALL = "Call an ambulance if you have chest pain."
DOSE = "Take two tablets twice a day."
WORSE = "Ligue se os sintomas piorarem."

CHANGED_EN = [
    "Call an ambulance if you have chest pain, or wait.",
    "Call an ambulance if you have chest pain or wait until the morning.",
    "Call an ambulance if you have chest pain, unless you feel fine.",
    "Unless you feel fine, call an ambulance if you have chest pain.",
    "If you feel up to it, call an ambulance if you have chest pain.",
    "Call an ambulance if you have chest pain at night.",
    "Call an ambulance if you have chest pain that lasts for hours.",
    "Either wait or call an ambulance if you have chest pain.",
    "Call an ambulance if you have chest pain. Or wait.",
    "Call an ambulance if you have chest pain. Unless you feel fine.",
    "Call an ambulance if you have chest pain, and if it passes forget it.",
    "Call an ambulance if you have chest pain, but only in the evening.",
    "Tomorrow, call an ambulance if you have chest pain.",
    "You cannot call an ambulance if you have chest pain.",
    "You might call an ambulance if you have chest pain.",
    "Refuse to call an ambulance if you have chest pain.",
    "Wait before you call an ambulance if you have chest pain.",
    "Some people call an ambulance if you have chest pain.",
    "call an ambulance if you have chest pain or wait",
    "call an ambulance if you have chest pain unless you feel fine",
]
INSIDE_EN = [
    (CALL, "Cancel an ambulance if you have chest pain."),
    (CALL, "Call an ambulance and you have chest pain."),
    (CALL, "Call half an ambulance if you have chest pain."),
    (CALL, "Call them an ambulance if you have chest pain."),
    (DOSE, "Take two and a half tablets twice a day."),
    (DOSE, "Take two tablets fast twice a day."),
    (DOSE, "Take two tablets twice a day at night."),
    (DOSE, "Take about two tablets twice a day."),
    ("Turn your foot up and down every hour.", "Turn your foot up or down every hour."),
    ("Keep your leg up.", "Keep your leg down."),
    ("Keep your leg up.", "Keep your leg."),
    ("Call us if you have severe pain.", "Call us if you have several pain."),
    ("Wear lighter clothes.", "Wear later clothes."),
]
CHANGED_PT = [
    "Ligue se os sintomas piorarem, ou espere.",
    "Ligue se os sintomas piorarem, a não ser que se sinta bem.",
    "Ligue se os sintomas piorarem à noite.",
    "Ligue se os sintomas melhorarem.",
    "Ligue quando os sintomas piorarem.",
    "Ligue só se os sintomas piorarem.",
    "Se puder, ligue se os sintomas piorarem.",
    "Espere antes de ligar, ligue se os sintomas piorarem.",
    "Ligue se os sintomas piorarem. Ou espere.",
]
TOLD_EN = [
    "Right. Please call an ambulance if you have chest pain, okay?",
    "Call an ambulance if you have chest pain, because it can be your heart.",
    "Call an ambulance if you have chest pain, so that they can look at your heart.",
    "Call an ambulance if you have chest pain, and let us know.",
    "Call an ambulance if you have chest pain. If you are unsure, ring us.",
    "Call an ambulance if you have chest pain. And if",
    "Call an ambulance if you have chest pain and if you are",
    "As I said, Mrs Reed, call an ambulance if you have chest pain, Mrs Reed.",
]
TOLD_PT = [
    "Muito bem. Ligue se os sintomas piorarem, por favor.",
    "Ligue se os sintomas piorarem, porque pode ser uma infeção.",
    "Ligue se os sintomas piorarem. Está bem?",
]


def own(wording: str, text: str, language: str = "en") -> CoverageVerdict:
    return OwnWordingMatcher().judge(PointText(id="p", wording=wording, language=language), text).verdict


def in_index(wording: str, text: str, language: str = "en") -> bool:
    pathway = a_pathway(a_point("p", wording, language=language, critical=True), language=language)
    return any(span.id == "p" for span in WordingIndex(pathway, language).find(text))


@pytest.mark.parametrize("text", CHANGED_EN)
def test_words_beside_an_advice_that_change_it_leave_it_open(text: str) -> None:
    """A condition, an exception, an alternative, an option, a time, a denial: neither matcher nor ledger takes it."""
    assert CoverageVerdict.CONVEYED is not own(CALL, text)
    assert not in_index(CALL, text)


@pytest.mark.parametrize("text", CHANGED_PT)
def test_the_same_holds_in_portuguese(text: str) -> None:
    """By Portuguese words only."""
    assert CoverageVerdict.CONVEYED is not own(WORSE, text, "pt-PT")
    assert not in_index(WORSE, text, "pt-PT")


@pytest.mark.parametrize(("wording", "text"), INSIDE_EN)
def test_a_small_word_that_turns_an_advice_is_never_forgiven(wording: str, text: str) -> None:
    """Put in, left out or swapped: "or" for "and", "up" for "down", another real word for a misheard one."""
    assert CoverageVerdict.CONVEYED is not own(wording, text)


@pytest.mark.parametrize("text", TOLD_EN)
def test_harmless_words_beside_it_do_not(text: str) -> None:
    """A reason, a courtesy, another clause, a name: the advice was told."""
    assert CoverageVerdict.CONVEYED is own(CALL, text)
    assert in_index(CALL, text)


@pytest.mark.parametrize("text", TOLD_PT)
def test_nor_in_portuguese(text: str) -> None:
    """The same by Portuguese words."""
    assert CoverageVerdict.CONVEYED is own(WORSE, text, "pt-PT")
    assert in_index(WORSE, text, "pt-PT")


@pytest.mark.parametrize(
    ("wording", "text"),
    [
        (CALL, "Cancel an ambulance if you have chest pain."),
        (CALL, "Call an ambulance if you have chest pain, or wait."),
        (CALL, "Call an ambulance if you have chest pain. Or wait."),
        (CALL, "Call an ambulance if you have chest pain at night."),
        (CALL, "Call an ambulance and you have chest pain."),
        (CALL, "Call half an ambulance if you have chest pain."),
        (CALL, "Tomorrow call an ambulance if you have chest pain."),
        (DOSE, "Take two tablets fast twice a day."),
        (DOSE, "Take two tablets twice a day at night."),
    ],
)
def test_free_words_with_a_way_out_are_not_conveyed_by_slots(wording: str, text: str) -> None:
    """An act of not doing, an alternative, another pace or time beside them."""
    judged = SlotMatcher().judge(PointText(id="p", wording=wording, language="en"), text)

    assert CoverageVerdict.CONVEYED is not judged.verdict


def test_a_point_that_forbids_agrees_with_an_act_of_not_doing() -> None:
    """A "hold off" beside "not a drop" only says it again."""
    point = PointText(id="p", wording="Do not drink alcohol for two days.", language="en")

    text = "Do not drink any alcohol, hold off for two days."

    assert CoverageVerdict.CONVEYED is SlotMatcher().judge(point, text).verdict


def test_in_a_language_without_tables_only_a_sentence_of_its_own_counts() -> None:
    """Nobody can read what stands beside it."""
    wording = "Heben Sie nichts Schweres."

    assert changed_beside(f"Gut. {wording} Danke.", "de", 5, 5 + len(wording) - 1) is None
    assert changed_beside(f"Gut, {wording} Danke.", "de", 5, 5 + len(wording) - 1) is not None


@pytest.mark.parametrize(("a", "b", "same"), [("heavier", "heavyer", True), ("severe", "several", False)])
def test_a_word_is_misheard_only_where_it_sounds_alike(a: str, b: str, same: bool) -> None:
    """Its consonants are the same, whatever its letters."""
    assert same is (sound_key(a, "en") == sound_key(b, "en"))


@pytest.mark.parametrize("name", list_pathways())
def test_what_the_middleware_itself_speaks_is_always_found(name: str) -> None:
    """Every own wording behind every lead-in and next to every wording of its group."""
    pathway = load_pathway(name)
    for language in pathway.languages:
        index, phrases = WordingIndex(pathway, language), pathway.phrases[language]
        for group in pathway.groups:
            words = [item.wording[language] for item in group.items]
            every = {item.id for item in group.items}
            for lead_in in (
                "",
                phrases.return_point,
                phrases.guard,
                phrases.greeting,
                phrases.acknowledgements.neutral,
            ):
                spans = {span.id for span in index.find(" ".join(part for part in (lead_in, *words) if part))}
                assert every <= spans, (name, language, group.id, lead_in)
