"""``python -m benchmarks run``: simulate calls, store the trials, judge them, print the rates."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import shutil
import sys
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal

import typer

from benchmarks import provenance
from benchmarks.cells import Arm, PromptVariant, agent_prompt, cell_ids, prompt_name
from benchmarks.cli.options import JOBS_MAX, GateOption, PlantedOption, PricesOption, ReportOption, ResultsOption
from benchmarks.cli.scoring import finish_store, print_outcome
from benchmarks.cli.tables import progress_bar, wide_console
from benchmarks.errors import BadOption, EnvironmentFault
from benchmarks.files import checked, output_folder
from benchmarks.prices import Prices, load_prices
from benchmarks.simulator.build import BOT, LEVELS, WIRE, WITH_SOUND, Models, check_level
from benchmarks.simulator.local_models import with_endpoint
from benchmarks.simulator.plan import Plan
from benchmarks.simulator.runner import CONCURRENT_MAX, RunOutcome, run_plan
from benchmarks.simulator.scripted_agent import Policy
from benchmarks.simulator.store import FAULTS, RunRecord, Session, TrialStore
from benchmarks.simulator.system import CallBounds
from benchmarks.simulator.wire.settings import WireSettings

Engine = Literal["local", "ray"]
SEED = 20260525
OUT = Path("out/simulation")
SMOKE_OUT = Path("out/smoke")
WsOption = Annotated[
    str | None, typer.Option(help="A running bot: its media stream (ws://) or webhook (http://); real time.")
]
ProviderOption = Annotated[str, typer.Option(help="Whose protocol --ws speaks: twilio, telnyx or plivo.")]
JobsOption = Annotated[
    int | None, typer.Option(min=1, max=JOBS_MAX, help="Processes; default: 1, with --smoke one a core.")
]
ConcurrentOption = Annotated[int, typer.Option(min=1, max=1000, help="Transcript trials at once in a process.")]
RealTimeOption = Annotated[
    bool, typer.Option("--real-time", help="The machine's clock, for a bot with services of its own.")
]
StoreOption = Annotated[
    Path | None, typer.Option(callback=output_folder, help="Folder of the trial store; an existing one is resumed.")
]
JournalsOption = Annotated[Path | None, typer.Option(help="Where the bot behind --ws leaves journals of ours.")]
PromptOption = Annotated[
    list[str] | None,
    typer.Option(
        callback=checked(prompt_name),
        help=f"Agent prompt: {', '.join(PromptVariant)}, or a text file of your own; default: each arm's own.",
    ),
]
RecordOption = Annotated[
    bool, typer.Option("--recordings", help="Keep each call's two channels in the store, at levels with sound.")
]
SMOKE_AGENT = Policy.DEAF.value  # The agent on which the cells show their loss.


def run_command(
    cell: Annotated[list[str] | None, typer.Option(help="Cell, or a cell file of your own; repeatable.")] = None,
    arm: Annotated[list[Arm] | None, typer.Option(help="Arm; repeatable.")] = None,
    agent: Annotated[list[str] | None, typer.Option(help="Scripted agent or model name; repeatable.")] = None,
    system: Annotated[list[str] | None, typer.Option(help="System of the level; repeatable.")] = None,
    level: Annotated[str | None, typer.Option(help=f"How real: {', '.join(LEVELS)}.")] = None,
    prompt: PromptOption = None,
    trials: Annotated[int | None, typer.Option(min=1, help="Trials an arm; default: the study's number.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of everything random.")] = SEED,
    out: StoreOption = None,
    jobs: JobsOption = None,
    concurrent: ConcurrentOption = CONCURRENT_MAX,
    engine: Annotated[Engine, typer.Option(help="What maps the trials: processes of this machine, or Ray.")] = "local",
    bot: Annotated[str | None, typer.Option(help="module:factory of your own pipeline, in place of ours.")] = None,
    ws: WsOption = None,
    provider: ProviderOption = "twilio",
    journals: JournalsOption = None,
    real_time: RealTimeOption = False,
    recordings: RecordOption = False,
    base_url: Annotated[str | None, typer.Option(help="Endpoint of every model named, or local:WEIGHTS.")] = None,
    key_env: Annotated[str, typer.Option(help="Environment variable that holds its key.")] = "OPENAI_API_KEY",
    patient_model: Annotated[str | None, typer.Option(help="Model that plays the patient; default: scripted.")] = None,
    fire_model: Annotated[str | None, typer.Option(help="Model of stage one; default: the patient's.")] = None,
    placement_model: Annotated[str | None, typer.Option(help="Model of stage two; default: the patient's.")] = None,
    judge_model: Annotated[str | None, typer.Option(help="Model of both judges; default: rules.")] = None,
    agent_body: Annotated[str | None, typer.Option(help="JSON object of further request fields for agents.")] = None,
    temperature: Annotated[float, typer.Option(min=0, max=2, help="Temperature of agent models.")] = 0.7,
    agent_turns_max: Annotated[int, typer.Option(min=2, help="Agent turns at which a call is ended.")] = 40,
    smoke: Annotated[bool, typer.Option("--smoke", help="One trial of each cell and arm, scripted, offline.")] = False,
    planted_bugs: PlantedOption = False,
    report: ReportOption = None,
    results: ResultsOption = None,
    prices: PricesOption = None,
    gate: GateOption = None,
) -> None:
    """Simulate the study's cells; scripted agents and patient by default, any endpoint's models by name."""
    folder = out or (SMOKE_OUT if smoke else OUT)
    wire = _wire(ws, bot, provider, folder, journals)
    agent, system, level = _tested(wire, bot, agent, system, level)
    models = Models(
        base_url=base_url,
        key_env=key_env,
        agent_temperature=temperature,
        patient=patient_model,
        fire=fire_model,
        placement=placement_model,
        judge=judge_model,
        agent_body=_json_object(agent_body),
        bot=bot,
        real_time=real_time,
        wire=wire,
        recordings=_recordings(recordings, level, folder),
    )
    plan = _plan(cell, arm, agent, system, level, prompt, trials, seed, smoke)
    if smoke and out is None and folder.exists():
        shutil.rmtree(folder)
    jobs = jobs or (os.cpu_count() or 1 if smoke else 1)
    wishes = Wishes(planted_bugs or smoke, report, results, tuple(gate or ()), load_prices(prices))
    how = How(jobs, concurrent, engine == "ray", CallBounds(agent_turns_max))
    _execute(plan, models, TrialStore(folder), how, wishes)


def _tested(
    wire: WireSettings | None, bot: str | None, agent: list[str] | None, system: list[str] | None, level: str | None
) -> tuple[list[str] | None, list[str] | None, str]:
    """Agents, systems and level as they were named, else what a bot of the caller's own stands for."""
    if wire is not None:
        return agent or [wire.label], system, WIRE
    if bot is not None:
        agent, system = agent or [bot.replace("/", ".")], system or [BOT]
    return agent, system, level or default_level()


def _recordings(wanted: bool, level: str, folder: Path) -> Path | None:
    if wanted and level not in WITH_SOUND:
        raise BadOption(f"--recordings: level {level} has no sound; use {' or '.join(WITH_SOUND)}")
    return folder / "recordings" if wanted else None


def _wire(ws: str | None, bot: str | None, provider: str, folder: Path, journals: Path | None) -> WireSettings | None:
    if ws is None:
        return None
    if bot is not None:
        raise BadOption("--ws runs a bot that is up, --bot one of this process: name one of them")
    return WireSettings(url=ws, provider=provider, recordings=folder / "recordings", journals=journals)


@dataclass(frozen=True, slots=True)
class How:
    """How trials are run: processes, transcript trials at once, Ray, and where a call ends by force."""

    jobs: int
    concurrent: int
    ray: bool
    bounds: CallBounds


@dataclass(frozen=True, slots=True)
class Wishes:
    """What is wanted of a run beside its store."""

    planted_bugs: bool
    report: Path | None
    results: Path | None
    gates: tuple[str, ...]
    prices: Prices | None


def _plan(
    cell: list[str] | None,
    arm: list[Arm] | None,
    agent: list[str] | None,
    system: list[str] | None,
    level: str,
    prompt: list[str] | None,
    trials: int | None,
    seed: int,
    smoke: bool,
) -> Plan:
    return Plan(
        cells=cell or cell_ids(),
        arms=arm or list(Arm),
        agents=agent or ([SMOKE_AGENT] if smoke else [policy.value for policy in Policy]),
        systems=check_level(level, system or []),
        level=level,
        prompts=prompt,
        trials=1 if smoke and trials is None else trials,
        seed=seed,
    )


def _execute(plan: Plan, models: Models, store: TrialStore, how: How, wishes: Wishes) -> None:
    """Run, record, judge, print, write; raise or exit for faults and broken gates, in this order."""
    started, cpu_started = time.monotonic(), time.process_time()
    store.check_tables()
    plan.planned()  # Refuses an empty plan before anything is written or asked.
    store.check_settings(models.settings_told(how.bounds.agent_turns_max))
    store.check_prompts(_prompt_hashes(plan))
    store.keep_cells(plan.own_cells())
    with with_endpoint(models) as ready:
        outcome = _run_with_progress(plan, store, ready, how)
        if outcome.faults and not outcome.done and not outcome.skipped:
            raise _not_run(outcome, store)  # nothing to record, judge or print
        cpu_s = time.process_time() - cpu_started if how.jobs == 1 and not how.ray else None
        _record(store, plan, models, outcome, time.monotonic() - started, cpu_s)
        summary = asyncio.run(finish_store(store, ready, planted_bugs=wishes.planted_bugs, prices=wishes.prices))
    print_outcome(wide_console(), store, outcome, summary, time.monotonic() - started)
    failed = summary.write_and_gate(
        store, report=wishes.report, results=wishes.results, gates=wishes.gates, command=_command()
    )
    if outcome.faults:
        raise _not_run(outcome, store)
    if failed:
        raise typer.Exit(1)


def _not_run(outcome: RunOutcome, store: TrialStore) -> EnvironmentFault:
    return EnvironmentFault(
        f"{len(outcome.faults)} trials could not be run (kept in {store.folder / FAULTS}), the last:"
        f" {outcome.faults[-1].reason}; the same command tries them again"
    )


def default_level() -> str:
    """Give the most real level that runs offline in virtual time."""
    return "text" if "text" in LEVELS else "transcript"


def _json_object(text: str | None) -> dict[str, object] | None:
    if text is None:
        return None
    try:
        read = json.loads(text)
    except json.JSONDecodeError as error:
        raise BadOption(f"--agent-body: not JSON: {error.msg}") from None
    if not isinstance(read, dict):
        raise BadOption("--agent-body: expected a JSON object")
    return read


def _run_with_progress(plan: Plan, store: TrialStore, models: Models, how: How) -> RunOutcome:
    planned = plan.planned()
    with progress_bar() as progress:
        bar = progress.add_task("trials", total=len(planned), completed=0)
        outcome = run_plan(
            planned,
            store,
            models,
            bounds=how.bounds,
            jobs=how.jobs,
            concurrent=how.concurrent,
            use_ray=how.ray,
            on_begin=lambda: store.begin_session(
                *provenance.commit(), _command(), models.settings_told(how.bounds.agent_turns_max)
            ),
            on_done=lambda count: progress.advance(bar, count),
        )
        progress.update(bar, completed=len(planned))
    return outcome


def _command() -> str:
    return " ".join(["python -m benchmarks", *sys.argv[1:]])


def _prompt_hashes(plan: Plan) -> dict[str, str]:
    """SHA-256 of every prompt the plan may use, by name."""
    every = [*PromptVariant, *(plan.prompts or ())]
    return {prompt_name(name): hashlib.sha256(agent_prompt(name).encode()).hexdigest() for name in every}


def _record(
    store: TrialStore, plan: Plan, models: Models, outcome: RunOutcome, duration_s: float, cpu_s: float | None
) -> None:
    if not outcome.done and store.run() is not None:
        return  # nothing ran: the record stays that of the code that did
    sha, dirty = provenance.commit()
    this = Session(commit=sha, dirty=dirty, at=datetime.now(UTC)).code
    store.write_run(
        RunRecord(
            command=_command(),
            commit=sha,
            dirty=dirty,
            versions=provenance.versions(),
            seed=plan.seed,
            simulator=models.simulator_label,
            prompt_hashes=_prompt_hashes(plan),
            hardware=provenance.hardware(),
            duration_s=round(duration_s, 3),
            trials_per_s=round(outcome.done / duration_s, 2) if outcome.done else None,
            call_s_per_cpu_s=round(outcome.call_s / cpu_s, 1) if cpu_s and outcome.call_s else None,
            other_commits=tuple(code for code in store.codes() if code != this),
            other_commands=tuple(
                c for c in dict.fromkeys(s.command for s in store.sessions()) if c not in ("", _command())
            ),
        )
    )
