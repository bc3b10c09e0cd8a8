"""Cells, references and prompts of one's own: run, kept with their trials, judged and reported like ours."""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.cells import agent_prompt, load_cell, load_references, prompt_name
from benchmarks.cells.own import forget
from benchmarks.cli import main
from benchmarks.errors import BadOption, CallerError, UnknownName
from benchmarks.simulator.plan import Plan
from benchmarks.simulator.store import TrialStore

pytestmark = pytest.mark.pipeline

Command = Callable[..., tuple[int, str]]
TEETH: dict[str, Any] = {
    "id": "P-after-extraction",
    "title": "A topic shift into the answer about rinsing",
    "phase": "provision",
    "overlap": "competitive",
    "reference": "rinsing",
    "mechanics": "The patient asks about rinsing and cuts the answer to ask something else.",
    "fire": {"target": "The agent answers the question about rinsing.", "cues": ["\\bsalt water\\b"]},
    "placement": {"scope": "turn", "words_min": 3, "share_max": 0.5},
    "arms": {
        "baseline": {"trials": 1},
        "interrupt": {
            "trials": 1,
            "turn": {"mode": "directive", "directive": "Change the subject.", "examples": ["When may I smoke again?"]},
        },
    },
    "references": {
        "faqs": {
            "rinsing": {
                "question": "May I rinse my mouth?",
                "points": {
                    "rinsing.how": {
                        "convey": "Rinse with salt water from the next day.",
                        "wordings": ["Rinse with salt water from tomorrow on."],
                        "cues": ["\\brins"],
                    },
                    "rinsing.bleeding": {
                        "convey": "Ring at once when it bleeds for more than an hour.",
                        "wordings": ["Ring us at once if it bleeds for more than an hour."],
                        "cues": ["\\bbleed"],
                    },
                },
            }
        },
        "neutral": ["Eat soft food."],
    },
}
BOT = "tests.benchmarks.own_bots:teeth"


@pytest.fixture(autouse=True)
def no_own_cells() -> Iterator[None]:
    """Cells of one's own live as long as a command."""
    forget()
    yield
    forget()


def cell_file(folder: Path, **change: Any) -> Path:
    """Write the cell, changed; JSON is YAML."""
    path = folder / "mine.yaml"
    path.write_text(json.dumps(TEETH | change))
    return path


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs a command; gives its exit code and everything it wrote."""

    def run(*words: object) -> tuple[int, str]:
        code = 0
        try:
            main([str(word) for word in words])
        except SystemExit as left:
            code = int(left.code or 0)
        written = capsys.readouterr()
        return code, written.out + written.err

    return run


def test_a_cell_with_content_of_its_own_is_run_kept_judged_and_reported(tmp_path: Path, command: Command):
    """Another process, which has never seen the file, judges and reports the store as well."""
    mine, store = cell_file(tmp_path), tmp_path / "store"

    ran = command("run", "--bot", BOT, "--cell", mine, "--out", store)
    mine.unlink()
    again = command("rescore", store, "--results", tmp_path / "results.json")
    told = command("report", store, "--out", tmp_path / "page.html")

    assert (0, 0, 0) == (ran[0], again[0], told[0]), ran[1] + again[1] + told[1]
    figures = json.loads((tmp_path / "results.json").read_text())["figures"]
    rates = {f["group"]["arm"]: (f["value"], f["n"]) for f in figures if f["name"] == "fail_rate"}
    assert rates == {"baseline": (0.0, 1), "interrupt": (1.0, 1)}
    lost = [f for f in figures if f["name"] == "lost_unreported_rate"]
    assert [(1.0, 1)] == [(f["value"], f["n"]) for f in lost]
    page = (tmp_path / "page.html").read_text()
    assert "P-after-extraction" in page
    assert 'id="baseline"' in page, "a provision cell has its difference from the baseline, whatever it is called"


def test_what_is_known_of_a_cell_is_forgotten_with_the_command(tmp_path: Path):
    """Nothing of it stays in the references, and nothing is merged twice."""
    bundled = load_references()

    assert load_cell(str(cell_file(tmp_path))) is not None
    assert "rinsing" in load_references().faqs
    assert load_references() is load_references()
    assert load_cell("P-after-extraction").reference == "rinsing"
    forget()

    assert load_references() is bundled
    with pytest.raises(UnknownName, match="unknown cell 'P-after-extraction'"):
        load_cell("P-after-extraction")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"id": "P-competitive"}, "'P-competitive' is a bundled cell"),
        ({"id": "P/mine"}, "letters, digits"),
        ({"reference": "teeth"}, "unknown provision reference .* 'teeth'; known: light-sensitivity"),
        ({"phase": "gathering"}, "unknown gathering reference"),
        (
            {"reference": "redness", "phase": "gathering", "references": {"questions": {"redness": {
                "ask": "x", "wordings": ["x"], "cues": ["x"]}}}},
            "the reference id 'redness' is taken",
        ),
    ],
)  # fmt: skip
def test_a_cell_whose_names_are_taken_or_missing_is_refused(tmp_path: Path, change: dict[str, Any], says: str):
    """A changed copy of a bundled cell would otherwise share its rates."""
    with pytest.raises(CallerError, match=says):
        load_cell(str(cell_file(tmp_path, **change)))


def test_an_unchanged_copy_of_a_bundled_cell_is_the_bundled_one(tmp_path: Path):
    """Nothing differs, so nothing is mixed."""
    path = tmp_path / "copy.yaml"
    path.write_text(load_cell("G-competitive").model_dump_json(exclude_none=True))

    assert load_cell(str(path)) is load_cell("G-competitive")


def test_a_cell_that_was_changed_after_its_trials_needs_another_store(tmp_path: Path):
    """Trials of two cells under one name are no rate."""
    store = TrialStore(tmp_path / "store")
    store.keep_cells([load_cell(str(cell_file(tmp_path)))])
    forget()
    changed = load_cell(str(cell_file(tmp_path, mechanics="Another.")))

    with pytest.raises(CallerError, match=r"cell P-after-extraction has changed .* another --out"):
        store.keep_cells([changed])


def test_a_prompt_of_ones_own_is_a_file_and_its_name_stands_in_the_trial(tmp_path: Path, command: Command):
    """Scripted agents ignore it; what counts here is what is recorded, and that a changed text is refused."""
    prompt, store = tmp_path / "clinic-v2.txt", tmp_path / "store"
    prompt.write_text("You call patients of a clinic.\n")
    words = ("run", "--level", "transcript", "--agent", "deaf", "--cell", "P-competitive", "--arm", "interrupt")
    words = (*words, "--trials", "1", "--prompt", prompt, "--prompt", "standard", "--out", store)

    code, told = command(*words)
    assert code == 0, told
    assert {"clinic-v2", "standard"} == {trial.prompt for trial in TrialStore(store).trials()}
    run = TrialStore(store).run()
    assert run is not None
    assert "clinic-v2" in run.prompt_hashes
    prompt.write_text("You call patients of another clinic.\n")
    code, told = command(*words)

    assert code == 2
    assert "prompt clinic-v2 has changed since trials in" in told


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("standrad", "unknown prompt 'standrad'; known: "),
        ("standard.txt", "is a bundled prompt"),
        ("a b.txt", "name the file"),
    ],
)
def test_a_prompt_that_cannot_be_used_is_refused_before_anything_runs(tmp_path: Path, name: str, says: str):
    """A typo, and names that would be taken for something else."""
    path = tmp_path / name
    if name.endswith(".txt"):
        path.write_text("x")
    before = Path.cwd()
    os.chdir(tmp_path)
    try:
        with pytest.raises(CallerError, match=says):
            prompt_name(name)
    finally:
        os.chdir(before)


def test_an_empty_prompt_is_refused(tmp_path: Path):
    """A model without a prompt measures nothing anybody wrote."""
    path = tmp_path / "nothing.txt"
    path.write_text("\n")

    with pytest.raises(CallerError, match="an empty prompt"):
        agent_prompt(str(path))


def small_plan(**change: Any) -> Plan:
    """One cell, one arm."""
    named: dict[str, Any] = {
        "cells": ["G-recognitional"],
        "arms": ["interrupt"],
        "agents": ["deaf"],
        "systems": ["replica"],
        "level": "transcript",
        "prompts": None,
        "trials": 1,
        "seed": 1,
    }
    return Plan(**(named | change))


def test_what_is_named_twice_is_run_once():
    """Else one trial would count as two."""
    twice = small_plan(
        cells=["G-recognitional"] * 2,
        arms=["interrupt"] * 2,
        agents=["deaf"] * 2,
        systems=["replica"] * 2,
        prompts=["standard"] * 2,
    )

    assert len(twice.planned()) == 1


def test_arms_that_no_cell_has_are_told_with_those_there_are():
    """Nothing to run is the caller's to know, not an empty store."""
    with pytest.raises(BadOption, match="called marker_present: G-recognitional has baseline, interrupt"):
        small_plan(arms=["marker_present"]).planned()
