"""A folder of annotated packs: every annotator's copy of a phase, and the tables of all phases for a report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.annotation.pack import KEY
from benchmarks.annotation.read import Annotation, read_pack
from benchmarks.annotation.tables import AgreementRow, RealismRow, agreement_rows, realism_rows
from benchmarks.cells import Phase
from benchmarks.errors import MissingData
from benchmarks.judges.protocol import StoredVerdict


@dataclass(frozen=True, slots=True)
class AnnotatedPhase:
    """What annotators said of one phase.

    Parameters:
        phase: The phase.
        rows: Agreement of every two raters, the judge among them.
        realism: How real the interruptions looked; empty where none was rated.
    """

    phase: Phase
    rows: tuple[AgreementRow, ...]
    realism: tuple[RealismRow, ...]


def read_copies(folder: Path, phase: Phase, resolution: Path | None = None) -> dict[str, list[Annotation]]:
    """Read every annotator's copy of a phase, by annotator; none where there is no pack of it.

    Args:
        folder: The folder.
        phase: The phase.
        resolution: The reconciled copy, which is nobody's own.

    Raises:
        UnreadableRow: A block is missing, empty or wrong; names file and line.
    """
    copies = [
        path
        for path in sorted(folder.glob(f"{phase.value}-*.md"))
        if resolution is None or path.resolve() != resolution.resolve()
    ]
    key = folder / f"{phase.value}-{KEY}"
    return {path.stem.removeprefix(f"{phase.value}-"): read_pack(path, key) for path in copies}


def read_folder(folder: Path, verdicts: Sequence[StoredVerdict]) -> list[AnnotatedPhase]:
    """Compare all annotators of a folder with each other and with the judge.

    Raises:
        MissingData: There is no pack.
        UnreadableRow: As `read_copies`.
    """
    found: list[AnnotatedPhase] = []
    for phase in Phase:
        copies = read_copies(folder, phase)
        if copies:
            rows, realism = agreement_rows(copies, verdicts), realism_rows(copies)
            found.append(AnnotatedPhase(phase, tuple(rows), tuple(realism)))
    if not found:
        raise MissingData(f"no annotation pack in {folder}; write one with: python -m benchmarks annotate write STORE")
    return found
