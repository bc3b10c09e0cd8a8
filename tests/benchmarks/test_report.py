"""Rates per cell, deltas, gates, the published numbers and the page."""

import asyncio
import re
from pathlib import Path

import pytest

from benchmarks.cells import Arm, PromptVariant, load_cells
from benchmarks.errors import BadOption, CallerError
from benchmarks.figures import Figure, rate
from benchmarks.judges.protocol import Outcome, StoredVerdict
from benchmarks.judges.score import rule_judges, score_trials
from benchmarks.report import arm_deltas, cell_rates, failed_gates, figures_of, parse_gate, system_deltas
from benchmarks.report.forest import ForestRow, forest_svg
from benchmarks.report.kept import kept_figures
from benchmarks.report.page import page_context, write_page
from benchmarks.report.published import load_published
from benchmarks.report.rates import prompt_deltas
from benchmarks.simulator import ReplicaSystem, TrialLog, run_trial, scripted_agent, trial_seed
from benchmarks.simulator.store import TrialStore
from benchmarks.simulator.trial_log import StoredClaims
from benchmarks.stats import wilson

pytestmark = pytest.mark.unit


async def trials(agents: tuple[str, ...] = ("deaf", "cooperative"), count: int = 3) -> list[TrialLog]:
    """Scripted trials of every cell and arm."""
    return [
        await run_trial(cell, arm, scripted_agent(agent), ReplicaSystem(), trial_seed(1, cell.id, i), index=i)
        for cell in load_cells()
        for arm in cell.arms
        for agent in agents
        for i in range(count)
    ]


def verdict(trial: TrialLog, outcome: Outcome) -> StoredVerdict:
    """A stored verdict."""
    return StoredVerdict(trial_id=trial.trial_id, judge="j", version="1", signature="s", outcome=outcome, reason="")


async def test_every_cell_arm_and_agent_has_its_own_rate():
    """Nothing is pooled: 12 arms times 2 agents, in counts that add up."""
    logs = await trials()
    rates = cell_rates(logs, await score_trials(logs, rule_judges()))

    assert len(rates) == 24
    assert {(r.fails, r.n) for r in rates if r.key.agent == "deaf" and r.key.arm != "baseline"} == {(3, 3)}
    assert {(r.fails, r.n) for r in rates if r.key.agent == "cooperative"} == {(0, 3)}


async def test_unscored_and_no_opportunity_trials_stand_beside_the_rate_and_in_none():
    """Of four trials one is unscored and one was never cut: n is 2."""
    logs = [t for t in await trials(("deaf",), 4) if (t.cell, t.arm) == ("G-recognitional", Arm.INTERRUPT)]
    logs[0] = logs[0].model_copy(update={"interruptions": 0})
    outcomes = [Outcome.PASS, Outcome.UNSCORED, Outcome.FAIL, Outcome.FAIL]

    [rate] = cell_rates(logs, [verdict(t, o) for t, o in zip(logs, outcomes, strict=True)])

    assert (rate.fails, rate.n, rate.unscored, rate.no_opportunity) == (2, 2, 1, 1)
    assert {f.name: f.value for f in figures_of([rate])} == {"fail_rate": 1.0, "unscored": 1.0, "no_opportunity": 1.0}


def kept(trial: TrialLog) -> dict[str, float | None]:
    """The three rates of one trial."""
    return {figure.name: figure.value for figure in kept_figures([trial])}


async def test_what_no_hand_off_names_is_lost_unreported():
    """A system without a hand-off reports nothing; one whose hand-off names the item has not lost it in silence."""
    [silent] = [t for t in await trials(("deaf",), 1) if (t.cell, t.arm) == ("P-competitive", Arm.INTERRUPT)]
    points = ("light.reassurance", "light.escalation", "light.mild-advice")
    told = silent.model_copy(update={"claims": StoredClaims(closed=(), open=points, handed_off=points)})
    dropped = silent.model_copy(update={"claims": StoredClaims(closed=(), open=points, handed_off=points[:1])})

    assert [1.0, 0.0, 1.0] == [kept(t)["lost_unreported_rate"] for t in (silent, told, dropped)]


async def test_words_heard_whole_twice_are_repeated_and_words_cut_off_are_not():
    """The looping agent tells the same points again; the deaf one goes on."""
    logs = await trials(("deaf", "looping"), 1)
    found = {
        (t.agent, t.cell): kept(t)
        for t in logs
        if t.arm is Arm.INTERRUPT and t.cell in ("P-competitive", "G-competitive")
    }

    assert (0.0, 0.0) == (
        found["deaf", "P-competitive"]["repeated_point_rate"],
        found["deaf", "G-competitive"]["repeated_question_rate"],
    )
    assert 1.0 == found["looping", "P-competitive"]["repeated_point_rate"]
    assert 1.0 == found["looping", "G-competitive"]["repeated_question_rate"]


async def test_a_baseline_has_no_figure_of_what_was_kept():
    """Nothing was taken from it."""
    assert [] == kept_figures([t for t in await trials(("deaf",), 1) if t.arm is Arm.BASELINE])


async def test_a_trial_without_a_verdict_counts_as_unscored():
    """A store that was never judged has no rate."""
    logs = [t for t in await trials(("deaf",), 2) if (t.cell, t.arm) == ("G-recognitional", Arm.INTERRUPT)]

    [rate] = cell_rates(logs, [])

    assert (rate.n, rate.rate, rate.interval, rate.unscored) == (0, None, None, 2)


async def test_deltas_run_from_the_first_arm_to_the_second():
    """Baseline 0/3, interrupt 3/3: +100 pp."""
    logs = await trials(("deaf",))
    rates = cell_rates(logs, await score_trials(logs, rule_judges()))

    deltas = arm_deltas(rates, Arm.BASELINE, Arm.INTERRUPT)

    assert len(deltas) == 4
    assert {d.difference.value_pp for d in deltas if d.difference} == {100.0}
    assert {
        d.difference.value_pp for d in arm_deltas(rates, Arm.MARKER_ABSENT, Arm.MARKER_PRESENT) if d.difference
    } == {0.0}


async def test_systems_are_compared_on_the_trials_they_share():
    """Three pairs that all moved one way: McNemar p = 2 / 2**3."""
    stock = [t for t in await trials(("deaf",)) if (t.cell, t.arm) == ("P-competitive", Arm.INTERRUPT)]
    stock = [t.model_copy(update={"system": "stock", "trial_id": "s" + t.trial_id}) for t in stock]
    ours = [t.model_copy(update={"system": "ours", "trial_id": "o" + t.trial_id}) for t in stock]
    verdicts = [verdict(t, Outcome.FAIL) for t in stock] + [verdict(t, Outcome.PASS) for t in ours]

    [delta] = system_deltas([*stock, *ours], verdicts, "stock", "ours")

    assert delta.difference is not None
    assert delta.paired is not None
    assert delta.difference.value_pp == -100.0
    assert delta.paired.p_value == pytest.approx(0.25)


async def test_prompts_are_compared_with_the_standard_one():
    """Only where the same arm ran under both."""
    logs = [t for t in await trials(("deaf",)) if (t.cell, t.arm) == ("P-competitive", Arm.INTERRUPT)]
    strong = [
        t.model_copy(update={"prompt": PromptVariant.DEFENSIVE_STRONG, "trial_id": "x" + t.trial_id}) for t in logs
    ]
    rates = cell_rates([*logs, *strong], [verdict(t, Outcome.FAIL) for t in (*logs, *strong)])

    [delta] = prompt_deltas(rates, PromptVariant.STANDARD)

    assert (delta.first.key.prompt, delta.second.key.prompt) == ("standard", "defensive-strong")


class TestGates:
    """Bounds for CI."""

    FIGURES = [
        Figure(name="fail_rate", value=0.0, low=0.0, high=0.019, n=200, group={"system": "ours", "cell": "P"}),
        Figure(name="fail_rate", value=1.0, low=0.98, high=1.0, n=200, group={"system": "stock", "cell": "P"}),
        Figure(name="median_s", value=None, n=0, group={"system": "ours"}),
    ]

    @pytest.mark.parametrize(
        ("gate", "broken"),
        [
            ("fail_rate[system=ours].high<=0.02", 0),
            ("fail_rate[system=ours].high<=0.019", 0),
            ("fail_rate[system=ours].high<0.019", 1),
            ("fail_rate.high<=0.02", 1),
            ("fail_rate[system=stock, cell=P].low>=0.9", 0),
            ("fail_rate.n>=200", 0),
            ("fail_rate[system=theirs].high<=1", 1),
            ("median_s.value<=9", 1),
        ],
    )
    def test_a_gate_holds_for_every_figure_it_means_or_is_broken(self, gate: str, broken: int):
        """At the bound it holds; a gate that means nothing, or a figure without a value, is broken."""
        assert len(failed_gates([parse_gate(gate)], self.FIGURES)) == broken

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "fail_rate",
            "fail_rate.high=0.1",
            "fail_rate[x].high<=1",
            "fail_rate.middle<=1",
            "x.high<=1.2.3",
            "x.high<=.",
        ],
    )
    def test_what_is_no_gate_is_refused(self, text: str):
        """With the form it should have."""
        with pytest.raises(BadOption, match="gate"):
            parse_gate(text)


def test_published_counts_give_the_published_percentages():
    """Table 2's gathering rows and section 4.4's marker rates, to the printed digit."""
    rows = {(r.cell, r.arm.value, r.prompt.value): r for r in load_published().rows}

    def percents(*key: str) -> list[str]:
        row = rows[key]  # pyright: ignore[reportArgumentType]
        return [f"{100 * fails / row.n:.1f}" for fails in row.fails]

    assert percents("G-recognitional", "interrupt", "standard") == ["40.0", "83.3", "76.7", "36.7"]
    assert percents("G-competitive", "interrupt", "standard") == ["0.0", "23.3", "50.0", "30.0"]
    assert percents("G-competitive", "marker_absent", "standard") == ["0.0", "66.7", "60.0", "23.3"]
    assert percents("G-competitive", "marker_present", "standard") == ["0.0", "0.0", "76.7", "20.0"]
    assert percents("P-transitional", "interrupt", "standard") == ["23.3", "73.3", "100.0", "83.3"]
    assert percents("P-competitive", "interrupt", "defensive-strong") == ["100.0", "90.0", "100.0", "100.0"]


def test_published_changes_are_the_printed_ones():
    """Table 2's provision rows, section 4.4 and Figure 6; from counts where both are printed."""
    known, standard, strong = load_published(), "standard", "defensive-strong"

    def change(cell: str, first: str, second: str, prompt: str) -> list[str] | None:
        return known.change(cell, (first, prompt), (second, prompt))

    competitive = ["+100.0 pp", "+100.0 pp", "+100.0 pp", "+86.7 pp"]
    assert competitive == change("P-competitive", "baseline", "interrupt", standard)
    assert ["+23 pp", "+73 pp", "+100 pp", "+73 pp"] == change("P-transitional", "baseline", "interrupt", standard)
    markers = ["+0.0 pp", "-66.7 pp", "+16.7 pp", "-3.3 pp"]
    assert markers == change("G-competitive", "marker_absent", "marker_present", standard)
    assert ["-60 pp", "-50 pp", "-10 pp", "+0 pp"] == change("P-competitive", "marker_absent", "marker_present", strong)
    assert ["40.0 %", "83.3 %", "76.7 %", "36.7 %"] == known.rates("G-recognitional", "interrupt", standard)
    assert change("G-recognitional", "baseline", "interrupt", standard) is None


async def test_the_headline_is_the_studys_with_the_printed_columns_beside_it(tmp_path: Path):
    """A rate in gathering, a change in provision, for each agent; then the paper's four."""
    store = TrialStore(tmp_path)
    logs = await trials(count=2)
    for trial in logs:
        store.append(trial)
    store.write_verdicts(await score_trials(logs, rule_judges()))

    context = page_context([store])

    [table] = context["headline"]
    assert table["agents"] == ["cooperative", "deaf"]
    rows = {row["cell"]: row for row in table["rows"]}
    assert [0.0, 1.0] == [rate.rate for rate in rows["G-recognitional"]["measured"]]
    assert [0.0, 100.0] == [delta.difference.value_pp for delta in rows["P-transitional"]["measured"]]
    assert rows["G-competitive"]["published"] == ["0.0 %", "23.3 %", "50.0 %", "30.0 %"]
    assert rows["P-competitive"]["published"] == ["+100.0 pp", "+100.0 pp", "+100.0 pp", "+86.7 pp"]
    markers = {row["key"][2]: row["published"] for row in context["marker_deltas"]["rows"]}
    assert markers["G-competitive"] == ["+0.0 pp", "-66.7 pp", "+16.7 pp", "-3.3 pp"]
    assert context["system_deltas"]["published"] == ()


def test_a_broken_gate_is_one_short_line_a_figure():
    """Which bound, what was measured, of what."""
    [line] = failed_gates([parse_gate("fail_rate.high<=0.02")], TestGates.FIGURES)

    assert "fail_rate.high<=0.02: high is 1 (n=200) at system=stock, cell=P" == line


def test_a_forest_plot_says_its_numbers_in_words():
    """Readable without seeing it; hostile labels are escaped."""
    svg = forest_svg([ForestRow("<b>deaf</b>", 30, 30, wilson(30, 30))], "P-competitive")

    assert "30/30 (88.6-100.0 %)" in svg
    assert "&lt;b&gt;deaf" in svg
    assert 'role="img"' in svg


def test_a_trial_in_two_stores_of_one_report_is_refused(tmp_path: Path):
    """A folder named twice, or its copy, would double every n."""
    stores = [TrialStore(tmp_path / name) for name in ("one", "copy")]
    [first, *_] = asyncio.run(trials(("deaf",), 1))
    for store in stores:
        store.append(first)

    with pytest.raises(CallerError, match="1 trials stand in another store"):
        page_context(stores)


def test_the_page_is_one_file_with_every_cell_and_no_script(tmp_path: Path):
    """Nothing is fetched, nothing is pooled, published numbers stand beside ours."""
    store = TrialStore(tmp_path / "store")
    logs = asyncio.run(trials())
    for trial in logs:
        store.append(trial)
    store.write_verdicts(asyncio.run(score_trials(logs, rule_judges())))

    store.write_planted([rate("planted_caught_rate", 3, 4, {"part": "ledger", "bug": "forgets"})])
    store.append_fault("x", "nobody answers")

    write_page(tmp_path / "page.html", [store])

    page = (tmp_path / "page.html").read_text()
    for cell in load_cells():
        assert cell.id in page
    assert not re.search(r"<script|<link|src=|url\(|@import", page)
    assert not re.search(r'href="?http', page)
    assert "30/30" in page
    assert "overall score: cells differ" in page
    assert "target-question/rules v2" in page
    assert "forgets" in page
    assert "3/4" in page
    assert "1 trials could not be run" in page
    assert "prefers-color-scheme: dark" in page


def test_the_tables_grow_with_cells_and_arms_and_not_with_agents_or_systems(tmp_path: Path):
    """Agents stand across and systems under each other, so that a whole matrix can be read."""
    store = TrialStore(tmp_path / "store")
    logs = asyncio.run(trials(("deaf", "cooperative"), 1))
    both = [
        log.model_copy(update={"system": system, "trial_id": f"{system}/{log.trial_id}"})
        for log in logs
        for system in ("stock", "ours")
    ]
    for log in both:
        store.append(log)
    store.write_verdicts(asyncio.run(score_trials(both, rule_judges())))

    context = page_context([store])
    arms = {(log.cell, log.arm) for log in logs}
    interrupted = {pair for pair in arms if pair[1] is not Arm.BASELINE}

    assert {len(table["rows"]) for table in context["kept"]} == {len(interrupted)}
    assert {len(line) for table in context["kept"] for row in table["rows"] for line in row["figures"]} == {2}
    assert len(context["system_deltas"]["rows"]) == len(arms)
    assert sorted(context["system_deltas"]["agents"]) == ["cooperative", "deaf"]
