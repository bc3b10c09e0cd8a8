"""The trial store resumes, the plan is balanced, the runner skips what is stored and bounds its faults."""

import asyncio
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from benchmarks.cells import Arm, PromptVariant
from benchmarks.errors import BadOption, BenchmarkError, CallerError, MissingData, UnknownName, UnreadableRow
from benchmarks.judges.score import rule_judges, score_trials
from benchmarks.simulator import build
from benchmarks.simulator.build import Models, check_level, make_agent
from benchmarks.simulator.plan import Plan
from benchmarks.simulator.runner import FAULTS_MAX, id_of, run_plan
from benchmarks.simulator.store import TrialStore

pytestmark = pytest.mark.unit


def plan(**change) -> Plan:
    """A small plan of the study's setting."""
    settings = {
        "cells": ["G-recognitional"],
        "arms": list(Arm),
        "agents": ["deaf"],
        "systems": ["replica"],
        "level": "transcript",
        "prompts": None,
        "trials": 2,
        "seed": 1,
    }
    return Plan(**(settings | change))


def test_a_plan_holds_the_arms_each_cell_has():
    """Two arms here, four in the competitive cell."""
    assert len(plan().planned()) == 4
    assert len(plan(cells=["G-competitive"]).planned()) == 8


def test_without_a_number_a_plan_takes_the_studys():
    """30 a main arm; the marker arms of the provision cell run 10 under their own prompt."""
    planned = plan(cells=["P-competitive"], trials=None).planned()

    assert len(planned) == 30 + 30 + 10 + 10
    assert {t.prompt for t in planned if t.arm is Arm.MARKER_PRESENT} == {PromptVariant.DEFENSIVE_STRONG}


def test_prompts_are_crossed_when_they_are_named():
    """Every arm under every prompt."""
    planned = plan(prompts=[PromptVariant.STANDARD, PromptVariant.DEFENSIVE], trials=1).planned()

    assert [(t.arm.value, t.prompt.value) for t in planned] == [
        ("baseline", "standard"),
        ("baseline", "defensive"),
        ("interrupt", "standard"),
        ("interrupt", "defensive"),
    ]


def test_the_first_indices_of_everything_come_first():
    """A run that is stopped early is balanced."""
    planned = plan(agents=["deaf", "cooperative"], cells=["G-recognitional", "P-competitive"]).planned()

    assert [t.index for t in planned] == sorted(t.index for t in planned)


def test_a_run_is_resumed_without_repeating(tmp_path: Path):
    """The second run does what is missing; the third nothing."""
    store = TrialStore(tmp_path)
    planned = plan().planned()

    first = run_plan(planned[:3], store, Models())
    second = run_plan(planned, store, Models())
    third = run_plan(planned, store, Models())

    assert (first.done, second.done, second.skipped, third.done) == (3, 1, 3, 0)
    assert {t.trial_id for t in store.trials()} == {id_of(t) for t in planned}


def test_a_store_names_every_code_that_ran_trials_of_it(tmp_path: Path):
    """A run that was killed and resumed from another commit does not pass for one of the second."""
    store = TrialStore(tmp_path)

    def go_on(trials: int, commit: str, dirty: bool = False) -> None:
        run_plan(plan(trials=trials).planned(), store, Models(), on_begin=lambda: store.begin_session(commit, dirty))

    go_on(1, "aaaa")
    go_on(1, "bbbb")  # everything is stored: this code ran nothing
    go_on(2, "cccc", dirty=True)

    assert store.codes() == ("aaaa", "cccc+changes")


def test_trials_from_before_sessions_were_noted_are_of_an_unknown_commit(tmp_path: Path):
    """A killed run left no record; what it ran is not put down to the commit that goes on."""
    store = TrialStore(tmp_path)
    run_plan(plan(trials=1).planned(), store, Models())
    run_plan(plan(trials=2).planned(), store, Models(), on_begin=lambda: store.begin_session("bbbb", False))

    assert store.codes() == ("unknown", "bbbb")


def test_a_line_cut_off_by_a_crash_is_run_again(tmp_path: Path):
    """Half a line at the end is dropped; whole ones stay."""
    store = TrialStore(tmp_path)
    planned = plan().planned()
    run_plan(planned, store, Models())
    path = tmp_path / "trials.jsonl"
    path.write_bytes(path.read_bytes()[:-40])

    outcome = run_plan(planned, store, Models())

    assert (outcome.done, outcome.skipped) == (1, 3)
    assert len(store.trials()) == 4


def test_a_broken_line_in_the_middle_is_named(tmp_path: Path):
    """File and line, not a traceback."""
    store = TrialStore(tmp_path)
    run_plan(plan().planned(), store, Models())
    path = tmp_path / "trials.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([lines[0], '{"cell": 1}\n', *lines[2:]]))

    with pytest.raises(UnreadableRow, match=r"trials\.jsonl:2: "):
        store.trials()


def test_processes_give_the_same_trials_as_one(tmp_path: Path):
    """Order apart, bit for bit."""
    planned = plan(agents=["deaf", "looping"]).planned()
    one, two = TrialStore(tmp_path / "one"), TrialStore(tmp_path / "two")
    run_plan(planned, one, Models())
    run_plan(planned, two, Models(), jobs=2)

    assert sorted(t.model_dump_json() for t in one.trials()) == sorted(t.model_dump_json() for t in two.trials())


def test_unreachable_models_leave_faults_and_no_trials(tmp_path: Path):
    """A trial that could not be run is not stored; after too many the run gives up with the reason."""
    store = TrialStore(tmp_path)
    nowhere = Models(base_url="http://127.0.0.1:9/v1", backoff_s=0.0)

    outcome = run_plan(plan(agents=["some-model"]).planned(), store, nowhere)
    with pytest.raises(
        BenchmarkError, match=r"gave up after \d+ trials could not be run, the last: some-model at http"
    ):
        run_plan(plan(agents=["some-model"], trials=FAULTS_MAX).planned(), store, nowhere)

    assert (outcome.done, len(outcome.faults)) == (0, 4)
    assert store.trial_ids() == set()


def test_parquet_has_one_row_a_trial(tmp_path: Path):
    """Turns and claims are JSON text; everything else is a column."""
    store = TrialStore(tmp_path)
    run_plan(plan().planned(), store, Models())
    store.write_verdicts(asyncio.run(score_trials(store.trials(), rule_judges())))

    paths = store.write_parquet()

    table = pq.read_table(paths[0])
    assert [p.name for p in paths] == ["trials.parquet", "verdicts.parquet"]
    assert table.num_rows == 4
    assert {"cell", "arm", "agent", "system", "turns", "interruptions"} <= set(table.column_names)


def test_an_empty_folder_holds_no_trials(tmp_path: Path):
    """Said in one line."""
    with pytest.raises(MissingData, match="no trials in"):
        TrialStore(tmp_path).trials()
    assert TrialStore(tmp_path).verdicts() == []
    assert TrialStore(tmp_path).run() is None


def test_a_model_without_an_endpoint_is_refused():
    """The line says what runs without one."""
    with pytest.raises(
        BadOption, match="'gpt' needs --base-url; without a model, scripted agents are: cooperative, deaf"
    ):
        make_agent("gpt", Models())


def test_unknown_levels_and_systems_are_named():
    """With the known ones."""
    with pytest.raises(UnknownName, match="unknown level 'telepathy'"):
        check_level("telepathy", [])
    with pytest.raises(UnknownName, match="unknown system at level transcript 'ours'; known: replica"):
        check_level("transcript", ["ours"])


def test_the_usual_comparison_is_stock_against_ours():
    """Without a name, a live level compares the two."""
    assert check_level("text", []) == ["stock", "ours"]
    assert set(build.COMPARED) == set(build.LEVELS)


def test_a_trial_that_stands_twice_counts_once(tmp_path: Path):
    """Two processes on one folder, or a file put together by hand."""
    store = TrialStore(tmp_path)
    run_plan(plan(trials=1).planned(), store, Models())
    whole = store.trials()
    path = tmp_path / "trials.jsonl"
    path.write_bytes(path.read_bytes() * 2)

    assert whole == store.trials()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"duration_s": float("nan")}, "duration_s"),
        ({"duration_s": -1.0}, "duration_s"),
        ({"prompt_tokens": -5}, "prompt_tokens"),
        ({"interruptions": -1}, "interruptions"),
        ({"interrupted_on": [99]}, "past the last"),
    ],
)
def test_a_trial_that_cannot_be_is_refused_by_file_and_line(tmp_path: Path, change: dict, says: str):
    """Impossible numbers enter no figure."""
    import json

    store = TrialStore(tmp_path)
    run_plan(plan(trials=1).planned()[:1], store, Models())
    path = tmp_path / "trials.jsonl"
    path.write_text(json.dumps(json.loads(path.read_text()) | change) + "\n")

    with pytest.raises(UnreadableRow, match=rf"trials\.jsonl:1: .*{says}"):
        store.trials()


def test_other_settings_do_not_go_into_the_same_store(tmp_path: Path):
    """An id does not tell who played the patient; one rate of both would be nobody's."""
    store = TrialStore(tmp_path)
    rules = Models().settings_told(40)
    store.begin_session("abc", False, "run", rules)
    run_plan(plan(trials=1).planned(), store, Models())

    store.check_settings(rules)
    other = Models(base_url="http://127.0.0.1:9/v1", patient="some/model").settings_told(40)
    with pytest.raises(CallerError, match="made with simulator rules, not fire=some/model"):
        store.check_settings(other)
    with pytest.raises(CallerError, match="agent-turns-max 40, not 20"):
        store.check_settings(Models().settings_told(20))
