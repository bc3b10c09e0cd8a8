"""Levels compared trial by trial: what pairs, what is left out, what is listed."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from benchmarks.cells import Arm, load_cell
from benchmarks.cli import app
from benchmarks.errors import BadOption
from benchmarks.judges.protocol import Outcome, StoredVerdict
from benchmarks.judges.score import rule_judges, score_trials
from benchmarks.report.levels import JudgedLevel, compare_levels, judged_level, without_level
from benchmarks.simulator import ReplicaSystem, TrialLog, run_trial, scripted_agent, trial_seed
from benchmarks.simulator.store import TrialStore
from benchmarks.simulator.trial_log import StoredClaims

pytestmark = pytest.mark.unit


def level(name: str, outcomes: str) -> JudgedLevel:
    """Trials of one cell by letter: f, p or - (left out)."""
    named = {"f": "fail", "p": "pass", "-": "left out"}
    return JudgedLevel(
        name, {f"ours/P-competitive/interrupt/standard/maker/model/0a/{i}": named[o] for i, o in enumerate(outcomes)}
    )


def test_agreement_counts_the_trials_both_decided_and_lists_the_others() -> None:
    """Eight shared, one left out, one disagreement."""
    overall, by_cell = compare_levels([level("text", "ffffpppp"), level("audio", "fff-pppf")])

    assert overall.agreement is not None
    assert (6, 7) == (overall.agreement.agreed, overall.agreement.n)
    assert 1 == overall.left_out
    assert (("ours/P-competitive/interrupt/standard/maker/model/0a/7", "pass", "fail"),) == overall.disagreements
    assert {"system": "ours", "cell": "P-competitive", "agent": "maker/model"} == by_cell.group


def test_levels_without_a_common_trial_have_no_agreement() -> None:
    """And no number is made up."""
    pairs = compare_levels(
        [level("text", "fp"), JudgedLevel("audio", {"stock/P-competitive/interrupt/standard/m/0a/0": "fail"})]
    )

    assert {None} == {pair.agreement for pair in pairs}
    assert [None, None, None, None, 0.0, 3.0] == [figure.value for figure in pairs[0].figures()]


async def test_words_at_the_cut_and_ledger_are_compared_where_both_sides_have_them() -> None:
    """One trial heard a word less at audio level, another left an item open; the third has no ledger there."""
    logs = await trials("text")
    logs = [log.model_copy(update={"claims": StoredClaims(closed=("a",), open=(), handed_off=())}) for log in logs]
    verdicts = await score_trials(logs, rule_judges())
    place = logs[0].interrupted_on[0]
    cut = logs[0].turns[place]
    shorter = cut.model_copy(update={"delivered": cut.heard.rpartition(" ")[0]})
    other = [
        logs[0].model_copy(update={"turns": (*logs[0].turns[:place], shorter, *logs[0].turns[place + 1 :])}),
        logs[1].model_copy(update={"claims": StoredClaims(closed=(), open=("a",), handed_off=("a",))}),
        logs[2].model_copy(update={"claims": StoredClaims()}),
    ]

    overall, *_ = compare_levels([judged_level("text", logs, verdicts), judged_level("audio", other, verdicts)])

    assert ((2, 3), (1, 2)) == (overall.heard, overall.ledgers)


async def trials(level: str, arm: Arm = Arm.INTERRUPT) -> list[TrialLog]:
    """Deaf trials, said to be of a level."""
    cell = load_cell("P-competitive")
    logs = [
        await run_trial(cell, arm, scripted_agent("deaf"), ReplicaSystem(), trial_seed(1, cell.id, i), index=i)
        for i in range(3)
    ]
    return [log.model_copy(update={"trial_id": f"{level}/{without_level(log.trial_id)}"}) for log in logs]


async def test_a_trial_in_which_nothing_was_cut_or_nothing_decided_is_left_out() -> None:
    """No opportunity and unscored are no outcome."""
    logs = await trials("text")
    verdicts = await score_trials(logs, rule_judges())
    logs[0] = logs[0].model_copy(update={"interruptions": 0})
    verdicts[1] = StoredVerdict.model_validate({**verdicts[1].model_dump(), "outcome": Outcome.UNSCORED})

    assert ["left out", "left out", "fail"] == list(judged_level("text", logs, verdicts).outcomes.values())


async def test_the_command_writes_figures_and_exits_1_on_a_disagreement(tmp_path: Path) -> None:
    """Two stores of the same trials agree; one outcome turned round does not."""
    for name in ("text", "audio"):
        store = TrialStore(tmp_path / name)
        logs = await trials(name)
        for log in logs:
            store.append(log)
        store.write_verdicts(await score_trials(logs, rule_judges()))
    stores = [f"{name}={tmp_path / name}" for name in ("text", "audio")]

    agreed = CliRunner().invoke(app, ["agreement", *stores, "--results", str(tmp_path / "r.json")])
    turned = [v.model_copy(update={"outcome": Outcome.PASS}) for v in TrialStore(tmp_path / "audio").verdicts()[:1]]
    TrialStore(tmp_path / "audio").write_verdicts([*turned, *TrialStore(tmp_path / "audio").verdicts()[1:]])
    apart = CliRunner().invoke(app, ["agreement", *stores])

    assert (0, 1) == (agreed.exit_code, apart.exit_code)
    assert '"agreement_rate"' in (tmp_path / "r.json").read_text()
    assert "pass at audio" in apart.output.replace("\n", " ")


def test_a_store_without_a_name_is_refused() -> None:
    """The line says the form."""
    result = CliRunner().invoke(app, ["agreement", "out/text", "out/audio"])

    assert isinstance(result.exception, BadOption)


async def test_a_store_that_was_never_judged_says_how_to_judge_it(tmp_path: Path) -> None:
    """And is not taken for one without a trial in common."""
    for log in await trials("text"):
        TrialStore(tmp_path / "text").append(log)

    result = CliRunner().invoke(app, ["agreement", f"a={tmp_path / 'text'}", f"b={tmp_path / 'text'}"])

    assert isinstance(result.exception, BadOption)
    assert "was never judged; run: python -m benchmarks rescore" in str(result.exception)
