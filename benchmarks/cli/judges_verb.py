"""``python -m benchmarks judges``: how far a judge agrees with labelled dialogues."""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from benchmarks.annotation.labelled import read_labelled_pack, write_labelled_pack
from benchmarks.cells import Phase
from benchmarks.cli.options import ResultsOption
from benchmarks.cli.tables import wide_console
from benchmarks.files import output_folder
from benchmarks.judges.validate import validate_both
from benchmarks.results_file import make_results, write_results
from benchmarks.simulator.build import Models, make_judges
from benchmarks.simulator.local_models import with_endpoint
from benchmarks.stats.agreement import SEED, Agreement


def judges_command(
    judge_model: Annotated[str | None, typer.Option(help="Model of both judges; default: rules.")] = None,
    base_url: Annotated[str | None, typer.Option(help="Endpoint of the judge, or local:WEIGHTS.")] = None,
    key_env: Annotated[str, typer.Option(help="Environment variable that holds its key.")] = "OPENAI_API_KEY",
    results: ResultsOption = None,
    pack: Annotated[
        Path | None,
        typer.Option(callback=output_folder, help="Write blinded packs of the dialogues here, and judge nothing."),
    ] = None,
    labels: Annotated[Path | None, typer.Option(help="Folder with such packs filled in: the second annotator.")] = None,
    annotator: Annotated[str, typer.Option(help="Whose copy is written or read.")] = "second",
) -> None:
    """Validate both judges against labelled dialogues: kappa with its bootstrap interval, wrong passes, unscored."""
    if pack is not None:
        for phase in Phase:
            for path in write_labelled_pack(pack, phase, [annotator], SEED):
                wide_console().print(str(path))
        return
    started = time.monotonic()
    second = None if labels is None else {phase: read_labelled_pack(labels, phase, annotator) for phase in Phase}
    with with_endpoint(Models(base_url=base_url, key_env=key_env, judge=judge_model)) as models:
        validations = asyncio.run(validate_both(make_judges(models), second))
    table = Table(title="Judges against labelled dialogues", title_justify="left")
    for heading in (
        *("judge", "kappa (95 %)", "with the second annotator", "authors and second annotator", "agreement"),
        *("wrong passes", "wrong fails", "unscored"),
    ):
        table.add_column(heading, overflow="fold")
    for v in validations:
        decided = v.n - v.unscored
        agreed = f"{v.agreement.agreed}/{decided}" if v.agreement else "-"
        kappas = [_kappa(a) for a in (v.agreement, v.with_second, v.annotators)]
        table.add_row(v.judge, *kappas, agreed, str(v.wrong_pass), str(v.wrong_fail), f"{v.unscored}/{v.n}")
    wide_console().print(table)
    if results is not None:
        made = make_results(
            kind="judges",
            command=" ".join(["python -m benchmarks", *sys.argv[1:]]),
            figures=[figure for v in validations for figure in v.figures()],
            seed=SEED,
            duration_s=time.monotonic() - started,
            notes=(
                "labels: the authors, one annotator, after the rubric of seed 000, appendix B.3",
                "second annotator: a language model that saw blinded packs, not a person"
                if labels is None
                else f"second annotator: {annotator}",
            ),
        )
        write_results(results, made)


def _kappa(a: Agreement | None) -> str:
    return "-" if a is None or a.kappa is None else f"{a.kappa:.3f} ({a.low:.3f}, {a.high:.3f}), n {a.n}"
