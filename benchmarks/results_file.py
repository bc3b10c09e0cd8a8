"""The committed record of a measurement: figures with everything needed to make them again.

Owns the results JSON under ``docs/metrics/results`` and the one object that ``eval KIND --json`` prints.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from benchmarks import provenance
from benchmarks.figures import Figure
from benchmarks.files import read_json, write_text

SCHEMA_VERSION = 1


class ResultsFile(BaseModel):
    """One measurement and its provenance.

    Parameters:
        schema_version: Version of this form.
        kind: What was measured, an evaluation kind or "simulation".
        command: The command that makes it again, from the checkout.
        data: The data path as seen from the checkout; None when the kind needs none.
        data_digest: Digest of that data; None with `data`.
        commit: The commit that was measured.
        dirty: Whether tracked files differed from it.
        versions: Python, Pipecat, ours, and packages the figures may depend on.
        seed: Seed of everything random in the run.
        finished: When it ended, UTC.
        duration_s: How long it took, wall clock.
        hardware: The machine, with its load when the run ended.
        options: Further options of the run.
        figures: The figures, each with its n and interval.
        notes: What a reader must know to use the figures.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_version: int = SCHEMA_VERSION
    kind: str
    command: str
    data: str | None
    data_digest: str | None
    commit: str
    dirty: bool
    versions: dict[str, str]
    seed: int
    finished: datetime
    duration_s: float
    hardware: provenance.Hardware
    options: dict[str, Any]
    figures: tuple[Figure, ...]
    notes: tuple[str, ...] = ()


def make_results(
    *,
    kind: str,
    command: str,
    figures: Sequence[Figure],
    seed: int,
    duration_s: float,
    data: Path | None = None,
    options: dict[str, Any] | None = None,
    packages: Sequence[str] = (),
    notes: Sequence[str] = (),
) -> ResultsFile:
    """Put figures together with the run's provenance."""
    sha, dirty = provenance.commit()
    return ResultsFile(
        kind=kind,
        command=command,
        data=provenance.told_path(data) if data else None,
        data_digest=provenance.data_digest(data) if data else None,
        commit=sha,
        dirty=dirty,
        versions=provenance.versions(*packages),
        seed=seed,
        finished=datetime.now(UTC).replace(microsecond=0),
        duration_s=round(duration_s, 3),
        hardware=provenance.hardware(),
        options=dict(options or {}),
        figures=tuple(figures),
        notes=tuple(notes),
    )


def eval_object(results: ResultsFile) -> dict[str, Any]:
    """Give the one object of ``eval KIND --json``; its keys are a promise."""
    commit = f"{results.commit}+dirty" if results.dirty else results.commit
    return {
        "kind": results.kind,
        "data": results.data,
        "commit": commit,
        "versions": results.versions,
        "seed": results.seed,
        "figures": [figure.model_dump(mode="json") for figure in results.figures],
    }


def write_results(path: Path, results: ResultsFile) -> None:
    """Write a results file, one figure a line so that a change reads well in a diff."""
    whole = results.model_dump(mode="json")
    figures = whole.pop("figures")
    head = json.dumps(whole, indent=2, ensure_ascii=False, allow_nan=False)
    lines = ",\n".join("    " + json.dumps(f, ensure_ascii=False, allow_nan=False) for f in figures)
    body = f'{head[:-2]},\n  "figures": [\n{lines}\n  ]\n}}\n' if figures else f'{head[:-2]},\n  "figures": []\n}}\n'
    write_text(path, body)


def read_results(path: Path) -> ResultsFile:
    """Read a results file back.

    Raises:
        MissingData: The file is not there.
        UnreadableRow: It is not a results file; names what is wrong.
    """
    return read_json(path, ResultsFile, "a results file")
