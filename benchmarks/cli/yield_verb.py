"""``python -m benchmarks yield``: the yield protocol of seed 002, stock and ours side by side."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.cli.gating import tell_broken
from benchmarks.cli.options import JOBS_MAX, GateOption, ResultsOption
from benchmarks.cli.tables import print_figures, progress_bar, wide_console
from benchmarks.errors import BadOption
from benchmarks.figures import Figure
from benchmarks.files import output_file, output_folder, write_text
from benchmarks.results_file import make_results, write_results
from benchmarks.yielding import figures_of, freeze, languages, load_scenarios, read_manifest, redacted, write_manifest
from benchmarks.yielding.manifest import RUNS_PER_SCENARIO, Manifest

SEED = 20260525
OUT = Path("out/yield/manifest.json")
RUNS_MAX = 1000  # A manifest is one JSON file.


def yield_command(
    language: Annotated[list[str] | None, typer.Option(help="Language; repeatable; default: all.")] = None,
    system: Annotated[list[str] | None, typer.Option(help="stock or ours; repeatable; default: both.")] = None,
    runs: Annotated[
        int | None, typer.Option(min=1, max=RUNS_MAX, help=f"Runs a scenario; default: {RUNS_PER_SCENARIO}.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help=f"Seed of order, phase and trials; default: {SEED}.")] = None,
    out: Annotated[Path, typer.Option(callback=output_file, help="Manifest; an existing one is gone on with.")] = OUT,
    jobs: Annotated[int, typer.Option(min=1, max=JOBS_MAX, help="Processes.")] = 1,
    results: ResultsOption = None,
    release: Annotated[
        Path | None, typer.Option(callback=output_file, help="Also write the redacted manifest here.")
    ] = None,
    recordings: Annotated[
        Path | None, typer.Option(callback=output_folder, help="Keep each trial's two channels here, one WAV a trial.")
    ] = None,
    gate: GateOption = None,
    scenarios: Annotated[bool, typer.Option("--freeze-only", help="Freeze the manifest and run nothing.")] = False,
) -> None:
    """Freeze the manifest, run it at audio level in virtual time, score both channels, print the figures."""
    from benchmarks.yielding.runner import SYSTEMS, conditions

    started = time.monotonic()
    if out.exists():
        manifest = read_manifest(out)
        _refuse_another_plan(out, manifest, language, system, runs, seed)
    else:
        described = [
            conditions(name).model_copy(update={"test_date": datetime.now(UTC).date()})
            for name in dict.fromkeys(system or SYSTEMS)
        ]
        manifest = freeze(
            list(dict.fromkeys(language or languages())),
            described,
            SEED if seed is None else seed,
            runs or RUNS_PER_SCENARIO,
        )
        write_manifest(out, manifest)
    console = wide_console()
    if scenarios:
        console.print(f"{len(manifest.plan)} trials frozen in {out}")
        return
    manifest = _run_with_progress(manifest, out, jobs, recordings)
    figures = figures_of(manifest)
    print_figures(
        console, f"Yield protocol {manifest.protocol_version}", [f for f in figures if "scenario" not in f.group]
    )
    for name in dict.fromkeys(trial.language for trial in manifest.plan):
        review = load_scenarios(name).native_review
        if review.status == "pending":
            console.print(f"{name}: scripts are not yet reviewed by a native speaker")
    if release is not None:
        import json

        write_text(release, json.dumps(redacted(manifest), indent=1, ensure_ascii=False) + "\n")
    if results is not None:
        _write_results(results, manifest, figures, time.monotonic() - started)
    if tell_broken(gate, figures):
        raise typer.Exit(1)


def _write_results(path: Path, manifest: Manifest, figures: Sequence[Figure], duration_s: float) -> None:
    made = make_results(
        kind="yield",
        command=" ".join(["python -m benchmarks", *sys.argv[1:]]),
        figures=figures,
        seed=manifest.seed,
        duration_s=duration_s,
        options={"plan_digest": manifest.plan_digest, "protocol_version": manifest.protocol_version},
        notes=(
            "pt-PT scripts are not reviewed by a native speaker",
            "synthetic voices; repeated runs are not speakers",
        ),
    )
    write_results(path, made)


def _refuse_another_plan(
    out: Path,
    manifest: Manifest,
    language: list[str] | None,
    system: list[str] | None,
    runs: int | None,
    seed: int | None,
) -> None:
    """A frozen plan is gone on with as it is: options that ask for another one would be passed over in silence."""
    plan = manifest.plan
    for name, asked, frozen in (
        ("language", language and sorted(set(language)), sorted({trial.language for trial in plan})),
        ("system", system and sorted(set(system)), sorted({trial.system for trial in plan})),
        ("runs", runs, max((trial.run for trial in plan), default=0) + 1),
        ("seed", seed, manifest.seed),
    ):
        if asked not in (None, []) and asked != frozen:
            raise BadOption(
                f"{out} is a frozen manifest with {name} {_told(frozen)}, not {_told(asked)}: name another --out"
            )


def _told(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]


def _run_with_progress(manifest: Manifest, out: Path, jobs: int, recordings: Path | None) -> Manifest:
    """Run what has no result yet; each trial is kept as soon as it is over."""
    from benchmarks.yielding.runner import run_manifest

    with progress_bar() as progress:
        bar = progress.add_task("trials", total=len(manifest.plan), completed=len(manifest.results))

        def keep(done: Manifest) -> None:
            write_manifest(out, done)
            progress.update(bar, completed=len(done.results))

        return run_manifest(manifest, jobs=jobs, keep=keep, recordings=recordings)
