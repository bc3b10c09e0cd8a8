"""``python -m benchmarks annotate write|read``: packs for people, and the tables made of their labels."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from benchmarks.annotation import agreement_rows, make_pack, read_pack, realism_rows, write_pack
from benchmarks.annotation.pack import KEY
from benchmarks.cells import Phase
from benchmarks.cli.tables import wide_console
from benchmarks.errors import BadOption
from benchmarks.simulator.store import TrialStore
from benchmarks.stats import Agreement

annotate = typer.Typer(help="Annotation packs: write them for people, read their labels.", no_args_is_help=True)
PACK_SIZE = 60  # As in the study.
SEED = 20260525


@annotate.command("write")
def write_command(
    store: Annotated[Path, typer.Argument(help="Folder of the trial store.")],
    out: Annotated[Path, typer.Option(help="Folder of the packs.")] = Path("out/annotation"),
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
) -> None:
    """Read every annotator's copy and print agreement and realism."""
    key = packs / f"{phase.value}-{KEY}"
    copies = [
        p
        for p in sorted(packs.glob(f"{phase.value}-*.md"))
        if resolution is None or p.resolve() != resolution.resolve()
    ]
    if not copies:
        raise BadOption(f"no {phase.value} pack in {packs}")
    annotators = {p.stem.removeprefix(f"{phase.value}-"): read_pack(p, key) for p in copies}
    settled = read_pack(resolution, key) if resolution is not None else None
    verdicts = TrialStore(store).verdicts() if store is not None else []
    console = wide_console()
    table = Table(title=f"Agreement, {phase.value}", title_justify="left")
    for heading in ("raters", "kappa (95 %)", "agreement", "left out"):
        table.add_column(heading)
    for row in agreement_rows(annotators, verdicts, settled):
        a = row.agreement
        table.add_row(f"{row.first} vs {row.second}", _kappa(a), f"{a.agreed}/{a.n}", str(row.left_out))
    console.print(table)
    for realism in realism_rows(annotators):
        console.print(f"{realism.dimension}: {realism.real}/{realism.n} real, agreed on {realism.agreed}/{realism.n}")


def _kappa(a: Agreement) -> str:
    return "undefined (one label)" if a.kappa is None else f"{a.kappa:.3f} ({a.low:.3f}, {a.high:.3f})"
