"""The bundled pathways hold together, speak in short sentences, and say where their facts come from."""

from __future__ import annotations

import pytest

from obligations import Pathway, list_pathways, load_pathway
from obligations.pathway.words import words_of

pytestmark = pytest.mark.unit

BUNDLED = [(name, language) for name in list_pathways() for language in load_pathway(name).languages]


def test_the_bundled_pathways_are_the_four_named_in_the_docs() -> None:
    """A new pathway is a public name: it enters here first."""
    assert (
        "ai-disclosure",
        "cataract-followup",
        "heart-failure-discharge",
        "hip-knee-after-surgery",
    ) == list_pathways()


@pytest.mark.parametrize("name", list_pathways())
def test_a_bundled_pathway_is_marked_as_not_reviewed(name: str) -> None:
    """Nobody may take it for approved content."""
    assert "not_clinically_reviewed" == load_pathway(name).review


@pytest.mark.parametrize("name", list_pathways())
def test_every_fact_names_its_source(name: str) -> None:
    """Every content point carries at least one source id; only the identity check needs none."""
    pathway = load_pathway(name)

    without = [item.id for item in pathway.items.values() if not item.source]

    assert without in ([], ["opening.right-person"])


@pytest.mark.parametrize(("name", "language"), BUNDLED)
def test_a_point_is_a_short_spoken_sentence(name: str, language: str) -> None:
    """Between four and twenty words, one sentence: a voice says it in one breath."""
    points = load_pathway(name).points.values()

    counts = {point.id: len(words_of(point.wording[language])) for point in points}
    sentences = {point.id: point.wording[language].rstrip(".").count(".") for point in points}

    assert {} == {item_id: count for item_id, count in counts.items() if not 4 <= count <= 20}
    assert {} == {item_id: count for item_id, count in sentences.items() if count}


@pytest.mark.parametrize(("name", "language"), BUNDLED)
def test_every_point_says_what_must_be_conveyed(name: str, language: str) -> None:
    """A matcher needs the atomic statements in each language."""
    assert [] == [point.id for point in load_pathway(name).points.values() if not point.must_convey.get(language)]


def test_the_cataract_call_asks_the_five_questions_of_the_study() -> None:
    """Redness, pain, blurry vision, floaters, flashing lights: all critical, a yes is a red flag."""
    symptoms = load_pathway("cataract-followup").group("symptoms").items

    assert ["redness", "pain", "blurry-vision", "floaters", "flashing-lights"] == [item.id for item in symptoms]
    assert all(item.critical and item.red_flag_answers == ("yes",) for item in symptoms if item.kind == "question")


def test_the_light_sensitivity_answer_has_the_three_points_of_the_study() -> None:
    """Reassurance, escalation criteria, mild-case advice; only the escalation is critical."""
    points = load_pathway("cataract-followup").group("light-sensitivity").items

    assert [("light.reassurance", False), ("light.escalation", True), ("light.mild-advice", False)] == [
        (point.id, point.critical) for point in points
    ]


def test_the_disclosure_is_said_at_the_start_and_at_the_end() -> None:
    """Both phases hold the notice and how to reach a person."""
    pathway = load_pathway("ai-disclosure")

    phases = {
        group.trigger.phase: [item.id for item in group.items]
        for group in pathway.groups
        if group.trigger.on == "phase"
    }

    assert {"start.automated", "start.human"} <= set(phases["opening"])
    assert {"end.automated", "end.human"} <= set(phases["closing"])


@pytest.mark.parametrize("name", list_pathways())
def test_no_wording_is_the_beginning_of_another(name: str) -> None:
    """The words of one item are never the words of another, so a delivered sentence ticks one item."""
    pathway: Pathway = load_pathway(name)
    for language in pathway.languages:
        wordings = {item.id: [w.form for w in words_of(item.wording[language])] for item in pathway.items.values()}
        for one, words in wordings.items():
            for other, more in wordings.items():
                inside = any(more[i : i + len(words)] == words for i in range(len(more)))
                assert one == other or not inside, (one, other)


def test_a_changed_copy_describes_itself_and_not_the_original() -> None:
    """What was read of the original before (items, digest) does not stick to the copy."""
    original = load_pathway("cataract-followup")
    before = original.digest
    group = original.group("light-sensitivity")
    items = tuple(item.model_copy(update={"critical": True}) for item in group.items)
    assert not original.items["light.mild-advice"].critical

    changed = original.model_copy(update={"groups": (group.model_copy(update={"items": items}),)})

    assert ["light.reassurance", "light.escalation", "light.mild-advice"] == list(changed.items)
    assert changed.items["light.mild-advice"].critical
    assert before != changed.digest
    assert before == original.digest
