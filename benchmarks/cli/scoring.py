"""What follows a run or a rescore: judge, check, print, write, gate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from benchmarks.cells import PromptVariant
from benchmarks.cli.gating import tell_broken
from benchmarks.errors import BenchmarkError
from benchmarks.figures import Figure, rate
from benchmarks.judges.canaries import failed_canaries
from benchmarks.judges.checks import Finding, check_trials
from benchmarks.judges.planted import Recall, false_alarms, judge_bug_recall, trial_bug_recall
from benchmarks.judges.protocol import StoredVerdict
from benchmarks.judges.score import score_trials
from benchmarks.prices import Costs, Prices, costs_of, tokens_of
from benchmarks.report.kept import kept_figures
from benchmarks.report.rates import CellRate, cell_rates, figures_of
from benchmarks.results_file import make_results, write_results
from benchmarks.simulator.build import Models, make_judges
from benchmarks.simulator.runner import RunOutcome
from benchmarks.simulator.seeds import stream
from benchmarks.simulator.store import TrialStore
from benchmarks.simulator.trial_log import TrialLog
from benchmarks.stats import wilson

PLANT_TRIALS_MAX = 200  # Each bug is planted in at most this many trials with an opportunity, drawn from the store.


@dataclass(frozen=True, slots=True)
class PlantedBugs:
    """What planted bugs did.

    Parameters:
        recalls: One row a bug.
        false_alarms: Sound trials on which a check spoke up.
        sound: Sound trials tried.
    """

    recalls: tuple[Recall, ...]
    false_alarms: int
    sound: int

    def missed(self) -> list[str]:
        """Say in one line each which bugs went uncaught, and that sound trials were accused."""
        lines = [
            f"planted bug {r.bug} ({r.part.value}): caught {r.caught} of {r.planted}"
            for r in self.recalls
            if r.caught < r.planted
        ]
        accused = [f"sound trials accused: {self.false_alarms} of {self.sound}"] if self.false_alarms else []
        return [*lines, *accused]


@dataclass(frozen=True, slots=True)
class Summary:
    """A store, judged.

    Parameters:
        trials: Every trial.
        verdicts: One verdict a trial.
        rates: One rate a cell, arm, prompt, agent and system.
        findings: What the checks found.
        planted: What planted bugs did; None when not asked for.
        costs: What every trial cost; None without a price table.
    """

    trials: list[TrialLog]
    verdicts: list[StoredVerdict]
    rates: list[CellRate]
    findings: list[Finding]
    planted: PlantedBugs | None
    costs: Costs | None = None

    @property
    def figures(self) -> list[Figure]:
        """Every figure of the store: fail rates, what was kept, and recall on planted bugs where it was measured."""
        planted = planted_figures(self.planted) if self.planted is not None else []
        paid = self.costs.figures(self.trials) if self.costs is not None else []
        return [*figures_of(self.rates), *kept_figures(self.trials), *planted, *paid]

    @property
    def findings_by_check(self) -> dict[str, int]:
        """How often each check spoke up, by "system check"."""
        systems = {trial.trial_id: trial.system for trial in self.trials}
        found = Counter(f"{systems[finding.trial_id]} {finding.check}" for finding in self.findings)
        return dict(sorted(found.items()))

    def write_and_gate(
        self, store: TrialStore, *, report: Path | None, results: Path | None, gates: Sequence[str], command: str
    ) -> bool:
        """Write report and results file where asked, print every broken gate, and say whether one was broken.

        A planted bug that went uncaught is a broken gate: the benchmark cannot be trusted then.
        """
        figures = self.figures
        run = store.run()
        if report is not None:
            from benchmarks.report.page import write_page

            write_page(report, [store], self.costs)
        if results is not None:
            made = make_results(
                kind="simulation",
                command=run.command if run else command,
                figures=figures,
                seed=run.seed if run else 0,
                duration_s=run.duration_s if run else 0.0,
                options={
                    "simulator": run.simulator if run else "unknown",
                    "trials": len(self.trials),
                    "findings": self.findings_by_check,
                    "call_s_per_cpu_s": run.call_s_per_cpu_s if run else None,
                    "trials_commit": run.commit if run else "unknown",
                    **({"other_commands": run.other_commands} if run and run.other_commands else {}),
                    **({"other_commits": run.other_commits} if run and run.other_commits else {}),
                    **tokens_of(self.trials, self.verdicts),
                    **(self.costs.summary() if self.costs is not None else {}),
                },
            )
            write_results(results, made)
        return tell_broken(gates, figures, self.planted.missed() if self.planted is not None else ())


async def finish_store(
    store: TrialStore, models: Models, *, planted_bugs: bool = False, prices: Prices | None = None
) -> Summary:
    """Judge every trial of a store, run every check, and write verdicts and Parquet.

    Raises:
        BenchmarkError: A judge got a canary wrong: its verdicts would not be worth writing.
    """
    trials = store.trials()
    judges = make_judges(models)
    dead = await failed_canaries(judges, decided_only=models.judge is not None)
    if dead and models.judge is None:
        raise BenchmarkError(f"the judge gets known dialogues wrong: {'; '.join(dead)}")
    verdicts = await score_trials(trials, judges)
    store.write_verdicts(verdicts)
    store.write_parquet()
    planted = None
    if planted_bugs:
        drawn = stream(0, "planted").sample(trials, len(trials))
        recalls = [*trial_bug_recall(drawn, PLANT_TRIALS_MAX), *(await judge_bug_recall())]
        sound = drawn[:PLANT_TRIALS_MAX]
        planted = PlantedBugs(tuple(recalls), false_alarms(sound), len(sound))
        store.write_planted(planted_figures(planted))
    costs = costs_of(trials, verdicts, prices)
    if costs is not None:
        store.write_costs(costs.rows())
    return Summary(trials, verdicts, cell_rates(trials, verdicts), check_trials(trials), planted, costs)


def planted_figures(planted: PlantedBugs) -> list[Figure]:
    """Give detector recall, one figure a bug, and the false alarms on sound trials."""
    caught = [
        rate("planted_caught_rate", r.caught, r.planted, {"part": r.part.value, "bug": r.bug}) for r in planted.recalls
    ]
    return [*caught, rate("planted_false_alarm_rate", planted.false_alarms, planted.sound)]


def print_outcome(
    console: Console, store: TrialStore, outcome: RunOutcome | None, summary: Summary, duration_s: float
) -> None:
    """Print the rates per cell, what the checks found, and planted bugs."""
    print_rates(console, summary.rates)
    told = ", ".join(f"{name} {count}" for name, count in summary.findings_by_check.items()) or "nothing"
    console.print(f"checks on {len(summary.trials)} trials found: {told}")
    if summary.costs is not None:
        console.print(summary.costs.told(), markup=False)
    if summary.planted is not None:
        print_planted(console, summary.planted)
    if outcome is not None:
        console.print(
            f"{outcome.done} trials run, {outcome.skipped} already stored, {len(outcome.faults)} could not be run;"
            f" {duration_s:.1f} s; store: {store.folder}"
        )


def print_rates(console: Console, rates: Sequence[CellRate]) -> None:
    """Print one table a level and system: cells and arms down, agents across."""
    for level, system in dict.fromkeys((r.key.level, r.key.system) for r in rates):
        inside = [r for r in rates if (r.key.level, r.key.system) == (level, system)]
        agents = list(dict.fromkeys(r.key.agent for r in inside))
        title = f"Fails of decided trials, Wilson 95 % (never pooled over cells): level {level}, system {system}"
        table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
        table.add_column("cell, arm", no_wrap=True)
        for agent in agents:
            table.add_column(agent, justify="right", no_wrap=True)
        for cell, arm, prompt in dict.fromkeys((r.key.cell, r.key.arm, r.key.prompt) for r in inside):
            found = {r.key.agent: r for r in inside if (r.key.cell, r.key.arm, r.key.prompt) == (cell, arm, prompt)}
            label = f"{cell} {arm}" + (f"\n  prompt {prompt}" if prompt != PromptVariant.STANDARD else "")
            table.add_row(label, *(_told(found.get(agent)) for agent in agents))
        console.print(table)


def _told(rate: CellRate | None) -> str:
    if rate is None:
        return "-"
    parts = [f"{rate.fails}/{rate.n}"]
    parts += [rate.interval.as_percent().removesuffix(" %")] if rate.interval else []
    parts += [f"{rate.unscored} unscored"] if rate.unscored else []
    parts += [f"{rate.no_opportunity} no opportunity"] if rate.no_opportunity else []
    return "\n".join(parts)


def print_planted(console: Console, planted: PlantedBugs) -> None:
    """Print detector recall, one row a planted bug."""
    table = Table(title="Planted bugs", title_justify="left")
    for heading in ("part", "bug", "caught", "Wilson 95 %", "by"):
        table.add_column(heading, overflow="fold")
    for recall in planted.recalls:
        caught = f"{recall.caught}/{recall.planted}" if recall.planted else "no opportunity"
        interval = wilson(recall.caught, recall.planted).as_percent() if recall.planted else ""
        table.add_row(recall.part, recall.bug, caught, interval, ", ".join(recall.by))
    console.print(table)
    console.print(f"false alarms on sound trials: {planted.false_alarms}/{planted.sound}")
