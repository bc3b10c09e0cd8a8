"""The cells as Pipecat's own scenario files: its loader takes them, and they ask for the cell's content."""

from __future__ import annotations

from pathlib import Path

import pytest
from pipecat.evals.scenario import EvalScenarioFile
from pipecat.evals.script import EvalScriptScenario

from benchmarks.cells import Arm, cell_ids, load_cell
from benchmarks.simulator.pipecat_eval import CLOSING, criterion, write_scenarios

pytestmark = pytest.mark.unit


def loaded(folder: Path, cell: str, modality: str = "audio") -> dict[str, EvalScriptScenario]:
    """Write one cell and read it back with Pipecat."""
    [path] = write_scenarios(folder, [cell], list(Arm), modality)  # type: ignore[arg-type]
    scenarios = EvalScenarioFile.load(path).scenarios
    assert all(isinstance(s, EvalScriptScenario) for s in scenarios)
    return {s.name.split("/")[1]: s for s in scenarios if isinstance(s, EvalScriptScenario)}


@pytest.mark.parametrize("modality", ["audio", "text"])
@pytest.mark.parametrize("cell", cell_ids())
def test_pipecat_reads_every_cell_with_all_its_arms(tmp_path: Path, cell: str, modality: str) -> None:
    """One scenario an arm, under the study's names."""
    scenarios = loaded(tmp_path, cell, modality)

    assert {arm.value for arm in load_cell(cell).arms} == set(scenarios)
    assert all((modality == "audio") is s.user_audio for s in scenarios.values())


def test_only_an_interrupted_arm_cuts_in_and_it_says_the_arms_words(tmp_path: Path) -> None:
    """The baseline waits for every sentence."""
    scenarios = loaded(tmp_path, "P-competitive")

    cuts = {name: [t for t in s.turns if t.send_after is not None] for name, s in scenarios.items()}
    assert [] == cuts["baseline"]
    [marked] = cuts["marker_present"]
    assert "I'm sorry to interrupt, but should I still have some blurriness by now?" == marked.user
    assert marked.send_after is not None
    assert ("bot_started_speaking", 2500) == (marked.send_after.event, marked.send_after.delay_ms)
    before = scenarios["marker_present"].turns[scenarios["marker_present"].turns.index(marked) - 1]
    assert ["bot_started_speaking"] == [e.event for e in before.expect]


def test_the_last_turn_asks_for_the_content_of_the_whole_conversation(tmp_path: Path) -> None:
    """Every content point stands in the criterion, and no other turn is judged."""
    turns = loaded(tmp_path, "P-transitional")["interrupt"].turns

    judged = [e.eval for turn in turns for e in turn.expect if e.eval]
    assert [criterion(load_cell("P-transitional"))] == judged
    assert CLOSING == turns[-1].user
    assert all(number in judged[0] for number in ("(1)", "(2)", "(3)"))


def test_a_gathering_cell_asks_for_its_question() -> None:
    """In the study's words: asked, and not broken off."""
    assert "has asked whether the patient has noticed redness" in criterion(load_cell("G-recognitional"))
