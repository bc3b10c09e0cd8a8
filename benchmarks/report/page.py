"""One self-contained HTML page over one or more trial stores; no script, no network, no pooled score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from pathlib import Path
from typing import Any

from benchmarks.annotation.folder import AnnotatedPhase
from benchmarks.cells import Arm, Phase, PromptVariant
from benchmarks.errors import CallerError, MissingExtra
from benchmarks.files import write_text
from benchmarks.judges.checks import check_trials
from benchmarks.judges.protocol import StoredVerdict
from benchmarks.prices import Costs, tokens_of
from benchmarks.provenance import told_path
from benchmarks.report.forest import ForestRow, forest_svg
from benchmarks.report.kept import kept_figures
from benchmarks.report.published import load_published
from benchmarks.report.rates import CellRate, Delta, RateKey, arm_deltas, cell_rates, prompt_deltas, system_deltas
from benchmarks.simulator.store import TrialStore
from benchmarks.simulator.trial_log import TrialLog

TEMPLATES = Path(__file__).parent / "templates"
SYSTEM_PAIR = ("stock", "ours")


def _blocks(rates: Sequence[CellRate]) -> list[dict[str, Any]]:
    blocks: list[dict[str, Any]] = []
    for level, system in dict.fromkeys((r.key.level, r.key.system) for r in rates):
        inside = [r for r in rates if (r.key.level, r.key.system) == (level, system)]
        agents = list(dict.fromkeys(r.key.agent for r in inside))
        rows: list[dict[str, Any]] = []
        kinds = dict.fromkeys((r.key.cell, r.key.arm, r.key.prompt) for r in inside)
        for cell, arm, prompt in sorted(kinds, key=_in_order):
            found = {r.key.agent: r for r in inside if (r.key.cell, r.key.arm, r.key.prompt) == (cell, arm, prompt)}
            rows.append({"cell": cell, "arm": arm, "prompt": prompt, "rates": [found.get(a) for a in agents]})
        blocks.append({"level": level, "system": system, "agents": agents, "rows": rows})
    return blocks


def _glance(rates: Sequence[CellRate]) -> list[dict[str, Any]]:
    """One table a level: what each system lost in every interrupted arm, agents across, counts alone."""
    tables: list[dict[str, Any]] = []
    for level in dict.fromkeys(r.key.level for r in rates):
        inside = [r for r in rates if r.key.level == level and r.key.arm != Arm.BASELINE.value]
        agents = list(dict.fromkeys(r.key.agent for r in inside))
        systems = list(dict.fromkeys(r.key.system for r in inside))
        found = {r.key: r for r in inside}
        kinds = sorted({(r.key.cell, r.key.arm, r.key.prompt) for r in inside}, key=_in_order)
        rows = [
            {
                "cell": cell,
                "arm": arm,
                "prompt": prompt,
                "rates": [
                    [found.get(RateKey(level, s, cell, prompt, agent, arm)) for s in systems] for agent in agents
                ],
            }
            for cell, arm, prompt in kinds
        ]
        if rows:
            tables.append({"level": level, "systems": systems, "agents": agents, "rows": rows})
    return tables


def _kept(trials: Sequence[TrialLog]) -> list[dict[str, Any]]:
    """What became of the required content: one table a level and rate, agents across, one line a system."""
    figures = kept_figures(trials)
    keys = {id(f): RateKey(*(str(f.group[name]) for name in RateKey._fields)) for f in figures}
    tables: list[dict[str, Any]] = []
    for level, name in dict.fromkeys((keys[id(f)].level, f.name) for f in figures):
        found = {keys[id(f)]: f for f in figures if (keys[id(f)].level, f.name) == (level, name)}
        agents, systems = (list(dict.fromkeys(getattr(key, what) for key in found)) for what in ("agent", "system"))
        rows = [
            {
                "cell": cell,
                "arm": arm,
                "prompt": prompt,
                "figures": [
                    [found.get(RateKey(level, s, cell, prompt, agent, arm)) for s in systems] for agent in agents
                ],
            }
            for cell, arm, prompt in sorted({(k.cell, k.arm, k.prompt) for k in found}, key=_in_order)
        ]
        tables.append({"level": level, "name": name, "systems": systems, "agents": agents, "rows": rows})
    return tables


def _in_order(kind: tuple[str, str, str]) -> tuple[str, int, str]:
    """Cells by name, arms as the study lists them."""
    cell, arm, prompt = kind
    return cell, [a.value for a in Arm].index(arm), prompt


def _compared(deltas: Sequence[Delta], *, by_system: bool = False) -> dict[str, Any]:
    """Differences with agents across: a row a level, cell, arm, prompt and (unless systems are compared) system.

    The published change stands in the same row, where one is printed.
    """
    known = load_published()

    def place(key: RateKey) -> tuple[str, str, str, str, str]:
        return (key.level, "" if by_system else key.system, key.cell, key.arm, key.prompt)

    agents = list(dict.fromkeys(d.second.key.agent for d in deltas))
    rows: dict[tuple[str, str, str, str, str], dict[str, Delta]] = {}
    for delta in deltas:
        rows.setdefault(place(delta.second.key), {})[delta.second.key.agent] = delta
    ordered = sorted(rows, key=lambda p: (p[0], p[1], *_in_order((p[2], p[3], p[4]))))

    def printed(of: Mapping[str, Delta]) -> list[str] | None:
        one, other = next((d.first.key, d.second.key) for d in of.values())
        return None if by_system else known.change(other.cell, (one.arm, one.prompt), (other.arm, other.prompt))

    told = [{"key": at, "deltas": [rows[at].get(a) for a in agents], "published": printed(rows[at])} for at in ordered]
    return {"agents": agents, "rows": told, "published": known.agents if any(r["published"] for r in told) else ()}


def _headline(rates: Sequence[CellRate], baseline: Sequence[Delta], provision: Set[str]) -> list[dict[str, Any]]:
    """The study's Table 2, one a level and system: the interrupt arm's rate in gathering, its change in provision."""
    known, standard = load_published(), PromptVariant.STANDARD.value
    base, cut = Arm.BASELINE.value, Arm.INTERRUPT.value
    asked = [r for r in rates if (r.key.arm, r.key.prompt) == (cut, standard)]
    changes = {delta.second.key: delta for delta in baseline}
    tables: list[dict[str, Any]] = []
    for level, system in dict.fromkeys((r.key.level, r.key.system) for r in asked):
        inside = {r.key: r for r in asked if (r.key.level, r.key.system) == (level, system)}
        agents = list(dict.fromkeys(key.agent for key in inside))
        rows: list[dict[str, Any]] = []
        for cell in dict.fromkeys(key.cell for key in inside):
            keys = [RateKey(level, system, cell, standard, agent, cut) for agent in agents]
            changed = cell in provision
            rows.append(
                {
                    "cell": cell,
                    "changed": changed,
                    "measured": [changes.get(key) if changed else inside.get(key) for key in keys],
                    "published": known.change(cell, (base, standard), (cut, standard))
                    if changed
                    else known.rates(cell, cut, standard),
                }
            )
        tables.append({"level": level, "system": system, "agents": agents, "published": known.agents, "rows": rows})
    return tables


def _plots(rates: Sequence[CellRate]) -> list[dict[str, str]]:
    published = load_published()
    plots: list[dict[str, str]] = []
    for cell, arm in dict.fromkeys((r.key.cell, r.key.arm) for r in rates):
        rows = [
            ForestRow(
                f"{r.key.system} ({r.key.level}), {r.key.agent}, {r.key.prompt}",
                r.fails,
                r.n,
                r.interval,
                "stock" if r.key.system == SYSTEM_PAIR[0] else "ours",
            )
            for r in rates
            if (r.key.cell, r.key.arm) == (cell, arm) and r.interval is not None
        ]
        for known in (p for p in published.rows if (p.cell, p.arm.value) == (cell, arm)):
            rows += [
                ForestRow(f"published, {agent}, {known.prompt}", fails, known.n, interval, "published")
                for agent, fails, interval in zip(published.agents, known.fails, known.intervals(), strict=True)
            ]
        title = f"{cell}, {arm.replace('_', ' ')}"
        plots.append({"title": title, "svg": forest_svg(rows, f"Fail rate in {title}")})
    return plots


def _run_facts(store: TrialStore, trials: Sequence[TrialLog], verdicts: Sequence[StoredVerdict]) -> dict[str, Any]:
    return {
        "folder": told_path(store.folder),
        "trials": len(trials),
        "record": store.run(),
        "judges": sorted({f"{v.judge} v{v.version} ({v.signature})" for v in verdicts}),
        **tokens_of(trials, verdicts),
        "faults": len({f.trial_id for f in store.faults()} - {t.trial_id for t in trials}),
    }


def _findings(trials: Sequence[TrialLog]) -> list[tuple[str, str, int, str]]:
    systems = {trial.trial_id: trial.system for trial in trials}
    found = [(systems[f.trial_id], f.check, f.trial_id) for f in check_trials(trials)]
    first = {(system, check): trial_id for system, check, trial_id in reversed(found)}
    counted = Counter((system, check) for system, check, _ in found)
    return [(system, check, count, first[system, check]) for (system, check), count in sorted(counted.items())]


def _refuse_twice(trials: Sequence[TrialLog], held: Sequence[TrialLog], store: TrialStore) -> None:
    """Two stores with one trial would count it twice."""
    twice = {trial.trial_id for trial in trials} & {trial.trial_id for trial in held}
    if twice:
        raise CallerError(
            f"{store.folder}: {len(twice)} trials stand in another store of this report too: {min(twice)}"
        )


def page_context(
    stores: Sequence[TrialStore], costs: Costs | None = None, annotated: Sequence[AnnotatedPhase] = ()
) -> dict[str, Any]:
    """Gather everything the page shows from the stores, with what their trials cost where a price table was given.

    Raises:
        MissingData: A folder holds no trials.
        CallerError: A trial stands in two of them.
    """
    trials: list[TrialLog] = []
    verdicts: list[StoredVerdict] = []
    runs: list[dict[str, Any]] = []
    for store in stores:
        held, judged = store.trials(), store.verdicts()
        _refuse_twice(trials, held, store)
        runs.append(_run_facts(store, held, judged))
        trials += held
        verdicts += judged
    rates = cell_rates(trials, verdicts)
    provision = {trial.cell for trial in trials if trial.phase is Phase.PROVISION}
    baseline = [d for d in arm_deltas(rates, Arm.BASELINE, Arm.INTERRUPT) if d.second.key.cell in provision]
    return {
        "glance": _glance(rates),
        "headline": _headline(rates, baseline, provision),
        "blocks": _blocks(rates),
        "kept": _kept(trials),
        "planted": [figure for store in stores for figure in store.planted()],
        "baseline_deltas": _compared(baseline),
        "marker_deltas": _compared(arm_deltas(rates, Arm.MARKER_ABSENT, Arm.MARKER_PRESENT)),
        "prompt_rows": _compared(prompt_deltas(rates, PromptVariant.STANDARD)),
        "system_deltas": _compared(system_deltas(trials, verdicts, *SYSTEM_PAIR), by_system=True),
        "plots": _plots(rates),
        "findings": _findings(trials),
        "trial_count": len(trials),
        "published": load_published(),
        "runs": runs,
        "annotated": annotated,
        "costs": costs,
        "cost_rows": [] if costs is None else costs.figures(trials),
    }


def write_page(
    path: Path, stores: Sequence[TrialStore], costs: Costs | None = None, annotated: Sequence[AnnotatedPhase] = ()
) -> None:
    """Write the page.

    Args:
        path: Where it goes.
        stores: Whose trials it shows.
        costs: What they cost, where prices are known.
        annotated: What annotators said of dialogues from them.

    Raises:
        MissingExtra: jinja2 is not installed.
        MissingData: A folder holds no trials.
    """
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
    except ModuleNotFoundError:
        raise MissingExtra("jinja2") from None
    environment = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined)
    macros: Any = environment.get_template("macros.html.j2").module
    page = environment.get_template("page.html.j2").render(
        **page_context(stores, costs, annotated), delta_table=macros.delta_table
    )
    write_text(path, page)
