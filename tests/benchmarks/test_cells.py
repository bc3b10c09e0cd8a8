"""The four cells as data: they are those of seed 000, and a wrong one is refused by name."""

from pathlib import Path

import pytest

from benchmarks.cells import (
    Arm,
    Cell,
    OverlapKind,
    Phase,
    PromptVariant,
    agent_prompt,
    cell_ids,
    load_cell,
    load_cells,
    load_overlap_types,
    load_references,
)
from benchmarks.errors import CallerError, UnknownName
from benchmarks.simulator.scripted_agent import load_script
from benchmarks.simulator.words import bare_words

pytestmark = pytest.mark.unit


def test_the_four_cells_are_the_studys():
    """Table 1: two phases, three overlap types, four cells."""
    kinds = {cell.id: (cell.phase, cell.overlap) for cell in load_cells()}

    assert kinds == {
        "G-recognitional": (Phase.GATHERING, OverlapKind.RECOGNITIONAL),
        "G-competitive": (Phase.GATHERING, OverlapKind.COMPETITIVE),
        "P-competitive": (Phase.PROVISION, OverlapKind.COMPETITIVE),
        "P-transitional": (Phase.PROVISION, OverlapKind.TRANSITIONAL_SUB_UNIT),
    }


@pytest.mark.parametrize(
    ("cell", "arm", "utterance", "prompt", "trials"),
    [
        ("G-competitive", Arm.MARKER_PRESENT, "Sorry to interrupt, but I'm having blurry vision", "standard", 30),
        ("G-competitive", Arm.MARKER_ABSENT, "I'm having blurry vision", "standard", 30),
        (
            "P-competitive",
            Arm.MARKER_PRESENT,
            "I'm sorry to interrupt, but should I still have some blurriness by now?",
            "defensive-strong",
            10,
        ),
        ("P-competitive", Arm.MARKER_ABSENT, "Should I still have some blurriness by now?", "defensive-strong", 10),
    ],
)
def test_the_marker_utterances_are_the_fixed_ones(cell: str, arm: Arm, utterance: str, prompt: str, trials: int):
    """Section 4.4 prints the four utterances, their prompts and their numbers of trials."""
    plan = load_cell(cell).arms[arm]

    assert plan.turn is not None
    assert (plan.turn.utterance, plan.prompt, plan.trials) == (utterance, prompt, trials)


def test_every_cell_has_a_reference_and_an_overlap_type():
    """Nothing a cell names is missing."""
    references = load_references()

    for cell in load_cells():
        known = references.questions if cell.phase is Phase.GATHERING else references.faqs
        assert cell.reference in known
        assert load_overlap_types()[cell.overlap].definition


def test_the_three_content_points_are_the_studys():
    """Appendix D.2: reassurance, escalation criteria, mild-case advice."""
    points = load_references().faqs["light-sensitivity"].points

    assert list(points) == ["light.reassurance", "light.escalation", "light.mild-advice"]


def test_the_strong_prompt_tells_the_agent_to_return_and_the_standard_one_does_not():
    """The variants differ in exactly that."""
    assert "go back" in agent_prompt(PromptVariant.DEFENSIVE_STRONG)
    assert "go back" not in agent_prompt(PromptVariant.DEFENSIVE)
    assert "speak while you are speaking" in agent_prompt(PromptVariant.DEFENSIVE)
    assert "speak while you are speaking" not in agent_prompt(PromptVariant.STANDARD)


def test_no_prompt_of_a_judge_or_an_agent_names_the_experiment():
    """The agent is not told what is measured."""
    for variant in PromptVariant:
        assert "benchmark" not in agent_prompt(variant).lower()


def test_an_unknown_cell_is_named_with_the_known_ones():
    """A typo gets an answer that helps."""
    with pytest.raises(UnknownName, match="unknown cell 'G-rec'; known: G-competitive, G-recognitional"):
        load_cell("G-rec")


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"overlap": "terminal"}, "overlap"),
        ({"arms": {"baseline": {"trials": 1}}}, "arm missing: interrupt"),
        ({"surprise": 1}, "surprise"),
        ({"fire": {"target": "x", "cues": ["("]}}, "not a regular expression"),
        ({"arms": {"baseline": {"trials": 1, "turn": {"mode": "free"}}, "interrupt": {"trials": 1}}}, "a turn belongs"),
    ],
)
def test_a_wrong_cell_file_is_refused_by_file_and_field(tmp_path: Path, change: dict[str, object], complaint: str):
    """The file and what is wrong in it stand in the line."""
    import json

    content = load_cell("G-competitive").model_dump(mode="json", exclude_none=True) | change
    path = tmp_path / "mine.yaml"
    path.write_text(json.dumps(content))  # JSON is YAML.

    with pytest.raises(CallerError, match=complaint) as caught:
        load_cell(str(path))
    assert str(path) in str(caught.value)


def test_a_cell_of_ones_own_is_read_from_its_file(tmp_path: Path):
    """A cell file beside the bundled ones works as they do."""
    import json

    content = load_cell("P-competitive").model_dump(mode="json", exclude_none=True) | {"id": "P-mine"}
    path = tmp_path / "mine.yaml"
    path.write_text(json.dumps(content))

    assert load_cell(str(path)).id == "P-mine"


def test_a_cell_with_an_unknown_reference_is_refused(tmp_path: Path):
    """A reference of the other phase is unknown as well."""
    import json

    path = tmp_path / "mine.yaml"
    content = load_cell("P-competitive").model_dump(mode="json", exclude_none=True) | {
        "id": "P-mine",
        "reference": "redness",
    }
    path.write_text(json.dumps(content))

    with pytest.raises(UnknownName, match="unknown provision reference of cell P-mine 'redness'"):
        load_cell(str(path))


def test_yaml_that_is_none_is_named_by_line(tmp_path: Path):
    """A syntax error gives file and line."""
    path = tmp_path / "mine.yaml"
    path.write_text("id: G-x\ntitle: [unclosed\n")

    with pytest.raises(CallerError, match=r"mine\.yaml:\d+: not YAML"):
        load_cell(str(path))


def test_what_a_scripted_agent_says_is_known_to_the_judges():
    """Every question and every sentence of the light-sensitivity answer is a known wording."""
    script, references = load_script(), load_references()
    known = {" ".join(bare_words(w)) for w in references.all_wordings()}

    for name in references.questions:
        assert " ".join(bare_words(script.items[name])) in known
    for sentence in script.faqs["light-sensitivity"].answer.split(". "):
        assert " ".join(bare_words(sentence)) in known


def test_the_script_speaks_the_bundled_pathways_own_wording():
    """Questions and advice are the pathway's, word for word: what is measured is recovery, not paraphrase."""
    from obligations.pathway import load_pathway

    pathway = load_pathway("cataract-followup")
    wordings = {item.id: item.wording["en"] for group in pathway.groups for item in group.items}
    script = load_script()

    for name in load_references().questions:
        assert wordings[name] == script.items[name]
    for point in load_references().faqs["light-sensitivity"].points.values():
        assert point.wordings[0] in wordings.values()
    for faq, points in {"driving": ["driving.wait"], "drops": ["drops.continue", "drops.hands"]}.items():
        assert script.faqs[faq].answer == " ".join(wordings[point] for point in points)


def test_cells_are_frozen():
    """A run cannot change the cell it runs."""
    cell: Cell = load_cell(cell_ids()[0])

    with pytest.raises(ValueError, match="frozen"):
        cell.reference = "pain"  # pyright: ignore[reportAttributeAccessIssue]
