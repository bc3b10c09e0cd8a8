"""``python -m benchmarks annotate write|read``: packs for people, and the tables made of their labels."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from benchmarks.annotation import agreement_rows, make_pack, read_pack, realism_rows, write_pack
from benchmarks.annotation.folder import read_copies
from benchmarks.annotation.outputs import annotation_figures, write_labels
from benchmarks.annotation.pack import KEY
from benchmarks.cells import Phase
from benchmarks.cli.options import ResultsOption
from benchmarks.cli.tables import wide_console
from benchmarks.errors import BadOption
from benchmarks.files import output_file, output_folder
from benchmarks.results_file import make_results, write_results
from benchmarks.simulator.store import TrialStore
from benchmarks.stats import Agreement
from benchmarks.stats.agreement import SEED as KAPPA_SEED

annotate = typer.Typer(help="Annotation packs: write them for people, read their labels.", no_args_is_help=True)
PACK_SIZE = 60  # As in the study.
SEED = 20260525


@annotate.command("write")
def write_command(
    store: Annotated[Path, typer.Argument(help="Folder of the trial store.")],
    out: Annotated[Path, typer.Option(callback=output_folder, help="Folder of the packs.")] = Path("out/annotation"),
    annotator: Annotated[list[str] | None, typer.Option(help="Annotator's name; repeatable.")] = None,
    size: Annotated[int, typer.Option(min=1, help="Dialogues a pack.")] = PACK_SIZE,
    seed: Annotated[int, typer.Option(help="Seed of draw and order.")] = SEED,
) -> None:
    """Write one blinded pack a phase, one copy an annotator, and the key."""
    trials = TrialStore(store).trials()
    console = wide_console()
    for phase in Phase:
        items = make_pack(trials, phase, size, seed)
        if items:
            for path in write_pack(out, items, phase, annotator or ["a", "b"]):
                console.print(f"{len(items)} dialogues -> {path}")


@annotate.command("read")
def read_command(
    packs: Annotated[Path, typer.Argument(help="Folder of the packs.")],
    phase: Annotated[Phase, typer.Option(help="Which pack.")],
    store: Annotated[Path | None, typer.Option(help="Judged trial store, to compare the judge.")] = None,
    resolution: Annotated[Path | None, typer.Option(help="The reconciled copy, if there is one.")] = None,
    results: ResultsOption = None,
    labels_out: Annotated[
        Path | None, typer.Option(callback=output_file, help="Also write every label as a JSON line here.")
    ] = None,
    note: Annotated[list[str] | None, typer.Option(help="Who the annotators are, for the results file.")] = None,
) -> None:
    """Read every annotator's copy and print agreement and realism."""
    started = time.monotonic()
    annotators = read_copies(packs, phase, resolution)
    if not annotators:
        raise BadOption(f"no {phase.value} pack in {packs}")
    settled = read_pack(resolution, packs / f"{phase.value}-{KEY}") if resolution is not None else None
    verdicts = TrialStore(store).verdicts() if store is not None else []
    console = wide_console()
    table = Table(title=f"Agreement, {phase.value}", title_justify="left")
    for heading in ("raters", "kappa (95 %)", "agreement", "left out"):
        table.add_column(heading)
    rows, realism = agreement_rows(annotators, verdicts, settled), realism_rows(annotators)
    for row in rows:
        a = row.agreement
        table.add_row(f"{row.first} vs {row.second}", _kappa(a), f"{a.agreed}/{a.n}", str(row.left_out))
    console.print(table)
    for real in realism:
        console.print(f"{real.dimension}: {real.real}/{real.n} real, agreed on {real.agreed}/{real.n}")
    if labels_out is not None:
        write_labels(labels_out, annotators, verdicts)
    if results is not None:
        made = make_results(
            kind="annotation",
            command=" ".join(["python -m benchmarks", *sys.argv[1:]]),
            figures=annotation_figures(phase, rows, realism),
            seed=KAPPA_SEED,
            duration_s=time.monotonic() - started,
            notes=tuple(note or ()),
        )
        write_results(results, made)


def _kappa(a: Agreement) -> str:
    return "undefined (one label)" if a.kappa is None else f"{a.kappa:.3f} ({a.low:.3f}, {a.high:.3f})"
