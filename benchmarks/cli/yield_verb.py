"""``python -m benchmarks yield``: the yield protocol of seed 002, stock and ours side by side."""

from __future__ import annotations

import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.cli.options import ResultsOption
from benchmarks.cli.tables import print_figures, wide_console
from benchmarks.files import output_file, write_text
from benchmarks.results_file import make_results, write_results
from benchmarks.yielding import figures_of, freeze, languages, load_scenarios, read_manifest, redacted, write_manifest
from benchmarks.yielding.manifest import RUNS_PER_SCENARIO

SEED = 20260525
OUT = Path("out/yield/manifest.json")


def yield_command(
    language: Annotated[list[str] | None, typer.Option(help="Language; repeatable; default: all.")] = None,
    system: Annotated[list[str] | None, typer.Option(help="stock or ours; repeatable; default: both.")] = None,
    runs: Annotated[int, typer.Option(min=1, help="Runs a scenario.")] = RUNS_PER_SCENARIO,
    seed: Annotated[int, typer.Option(help="Seed of order, phase and trials.")] = SEED,
    out: Annotated[Path, typer.Option(callback=output_file, help="Manifest; an existing one is gone on with.")] = OUT,
    jobs: Annotated[int, typer.Option(min=1, help="Processes.")] = 1,
    results: ResultsOption = None,
    release: Annotated[
        Path | None, typer.Option(callback=output_file, help="Also write the redacted manifest here.")
    ] = None,
    scenarios: Annotated[bool, typer.Option("--freeze-only", help="Freeze the manifest and run nothing.")] = False,
) -> None:
    """Freeze the manifest, run it at audio level in virtual time, score both channels, print the figures."""
    from benchmarks.yielding.runner import SYSTEMS, conditions, run_manifest

    started = time.monotonic()
    if out.exists():
        manifest = read_manifest(out)
    else:
        described = [
            conditions(name).model_copy(update={"test_date": datetime.now(UTC).date()}) for name in system or SYSTEMS
        ]
        manifest = freeze(language or languages(), described, seed, runs)
        write_manifest(out, manifest)
    console = wide_console()
    if scenarios:
        console.print(f"{len(manifest.plan)} trials frozen in {out}")
        return
    manifest = run_manifest(manifest, jobs=jobs, keep=lambda done: write_manifest(out, done))
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
        made = make_results(
            kind="yield",
            command=" ".join(["python -m benchmarks", *sys.argv[1:]]),
            figures=figures,
            seed=manifest.seed,
            duration_s=time.monotonic() - started,
            options={"plan_digest": manifest.plan_digest, "protocol_version": manifest.protocol_version},
            notes=(
                "pt-PT scripts are not reviewed by a native speaker",
                "synthetic voices; repeated runs are not speakers",
            ),
        )
        write_results(results, made)
