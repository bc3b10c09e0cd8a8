"""What a run costs: by the user's own table, per trial and in the summary, and never a made-up nought."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest

from benchmarks.cells import Arm, load_cell
from benchmarks.errors import CallerError
from benchmarks.judges.model import ModelTargetQuestionJudge
from benchmarks.judges.protocol import StoredVerdict
from benchmarks.judges.score import Judges, rule_judges, score_trials
from benchmarks.prices import BOTS_OWN, Prices, cost_of, costs_of, load_prices, tokens_of
from benchmarks.report.page import write_page
from benchmarks.simulator import ReplicaSystem, TrialLog, run_trial, scripted_agent, trial_seed
from benchmarks.simulator.chat import Asked, Usage, metered, note_asked
from benchmarks.simulator.endpoint import EndpointModel, EndpointSettings
from benchmarks.simulator.store import COSTS, TrialStore

pytestmark = pytest.mark.unit

TABLE = Prices.model_validate({"currency": "EUR", "models": {"a": {"input": 2.0, "output": 10.0}}})
CELL = load_cell("G-competitive")


def endpoint(name: str, text: str, tokens: tuple[int, int] | None) -> EndpointModel:
    """A model behind a made-up endpoint, which counts its tokens or does not."""

    def answer(_: httpx.Request) -> httpx.Response:
        usage = {} if tokens is None else {"usage": {"prompt_tokens": tokens[0], "completion_tokens": tokens[1]}}
        return httpx.Response(200, json={"choices": [{"message": {"content": text}}], **usage})

    client = httpx.AsyncClient(transport=httpx.MockTransport(answer))
    return EndpointModel(EndpointSettings(base_url="http://nowhere", model=name), client)


async def trial(agent: Any, index: int = 0) -> TrialLog:
    """One transcript trial."""
    return await run_trial(CELL, Arm.BASELINE, agent, ReplicaSystem(), trial_seed(1, CELL.id, index), index=index)


async def judged(trials: Sequence[TrialLog], judge: EndpointModel | None = None) -> list[StoredVerdict]:
    """Verdicts by rules, or by a model."""
    rules = rule_judges()
    return await score_trials(
        trials, rules if judge is None else Judges(ModelTargetQuestionJudge(judge), rules.provision)
    )


async def test_a_trial_costs_what_its_agent_and_its_judge_read_and_wrote() -> None:
    """One call of the agent, one of the judge, at 2 and 10 a million."""
    log = await trial(endpoint("a", "Goodbye.", (1000, 100)))
    [verdict] = await judged([log], endpoint("a", "yes", (3000, 1)))

    costs = costs_of([log], [verdict], TABLE)

    assert costs is not None
    assert (Asked("a", 1, 1000, 100),) == log.models
    assert (Asked("a", 1, 3000, 1),) == verdict.models
    assert pytest.approx((4000 * 2 + 101 * 10) / 1e6) == costs.by_trial[log.trial_id].whole
    assert "cost: 0.0090 EUR over 1 of 1 trials" in costs.told()
    assert {"judge_prompt_tokens": 3000, "prompt_tokens": 1000}.items() <= tokens_of([log], [verdict]).items()


@pytest.mark.parametrize(
    ("asked", "missing"),
    [
        (Asked("b", 1, 10, 10), ("b",)),
        (Asked("a", 1, 0, 0), ("a (no token counts)",)),
    ],
    ids=["no price", "an endpoint that counts nothing"],
)
def test_what_cannot_be_priced_is_named_and_is_not_free(asked: Asked, missing: tuple[str, ...]) -> None:
    """The amount of the rest is kept apart; there is no whole amount."""
    cost = cost_of([Asked("a", 1, 1_000_000, 0), asked], TABLE)

    assert (None, 2.0, missing) == (cost.whole, cost.amount, cost.not_priced)


async def test_the_summary_leaves_unpriced_trials_out_and_counts_them() -> None:
    """The mean is over the priced; a group without one has no value."""
    logs = [await trial(endpoint("a", "Goodbye.", (10**6, 0))), await trial(endpoint("b", "Goodbye.", (5, 5)), 1)]
    costs = costs_of(logs, [], TABLE)

    assert costs is not None
    assert {"cost": 2.0, "trials_priced": 1, "not_priced": {"b": 1}, "currency": "EUR"} == costs.summary()
    assert [("a", 2.0, 1), ("b", None, 0)] == [(f.group["agent"], f.value, f.n) for f in costs.figures(logs)]
    assert "not priced: b (1 trials)" in costs.told()


async def test_a_scripted_run_asks_no_model_and_says_so() -> None:
    """And a bot whose models nobody sees is not priced."""
    log = await trial(scripted_agent("cooperative"))
    bot = log.model_copy(update={"system": "bot", "trial_id": "b"})
    old = log.model_copy(update={"prompt_tokens": 7, "trial_id": "old"})
    scripted, seen, unlogged = costs_of([log], [], TABLE), costs_of([bot], [], TABLE), costs_of([old], [], TABLE)

    assert scripted is not None
    assert seen is not None
    assert unlogged is not None
    assert "cost: nothing to pay, no model was asked" == scripted.told()
    assert {BOTS_OWN: 1} == seen.not_priced
    assert None is unlogged.by_trial["old"].whole
    assert "cost: not priced" in seen.told()


async def test_meters_side_by_side_count_their_own() -> None:
    """Two trials in one process do not pay for each other; outside a meter nothing is counted."""
    note_asked("a", Usage(1, 5, 5))
    with metered() as outer:
        note_asked("a", Usage(1, 1, 1))
        with metered() as inner:
            note_asked("b", Usage(1, 2, 2))
        note_asked("a", Usage(1, 1, 1))

    assert (Asked("a", 2, 2, 2),) == outer.asked()
    assert (Asked("b", 1, 2, 2),) == inner.asked()


async def test_costs_are_stored_a_line_a_trial_and_stand_in_the_page(tmp_path: Path) -> None:
    """With their currency, and what is not priced beside them."""
    store = TrialStore(tmp_path / "store")
    logs = [await trial(endpoint("a", "Goodbye.", (10**6, 0))), await trial(endpoint("b", "Goodbye.", (5, 5)), 1)]
    for log in logs:
        store.append(log)
    costs = costs_of(logs, [], TABLE)
    assert costs is not None
    store.write_costs(costs.rows())

    rows = [json.loads(line) for line in (store.folder / COSTS).read_text().splitlines()]
    write_page(tmp_path / "page.html", [store], costs)

    assert [(2.0, []), (None, ["b"])] == [(row["cost"], row["not_priced"]) for row in rows]
    assert "2.000000" in (tmp_path / "page.html").read_text()
    assert "not priced: b (1 trials)" in (tmp_path / "page.html").read_text()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("currency: EUR\nmodels:\n  a: {input: 1}\n", "models.a.output: Field required"),
        ("currency: EUR\nmodels:\n  a: {input: -1, output: 1}\n", "models.a.input: "),
        ("currency: EUR\nmodels: {}\n", "models: "),
        ("models:\n  a: {input: 1, output: 1}\n", "currency: Field required"),
        ('{"currency": "EUR", "models": {"a": {"input": .inf, "output": 1}}}', "models.a.input: "),
    ],
)
def test_a_wrong_table_names_file_and_field(tmp_path: Path, text: str, line: str) -> None:
    """YAML or JSON."""
    path = tmp_path / "prices.yaml"
    path.write_text(text)

    with pytest.raises(CallerError, match=line.replace(".", r"\.")):
        load_prices(path)


def test_a_table_is_yaml_or_json(tmp_path: Path) -> None:
    """The same table either way; no path is no table."""
    (tmp_path / "p.json").write_text('{"currency": "EUR", "models": {"a": {"input": 2, "output": 10}}}')
    (tmp_path / "p.yaml").write_text("currency: EUR\nmodels:\n  a: {input: 2, output: 10}\n")

    assert TABLE == load_prices(tmp_path / "p.json") == load_prices(tmp_path / "p.yaml")
    assert None is load_prices(None)
