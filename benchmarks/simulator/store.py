"""Where trials and verdicts are kept: JSONL that only grows while a run goes on, Parquet for whoever analyses it.

Owns resuming: a trial whose id is in the store is not run again. A line cut off by a crash is dropped and run again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from benchmarks.errors import MissingData, MissingExtra, UnreadableRow
from benchmarks.judges.protocol import StoredVerdict
from benchmarks.provenance import Hardware
from benchmarks.rows import first_problem
from benchmarks.simulator.trial_log import TrialLog

TRIALS = "trials.jsonl"
VERDICTS = "verdicts.jsonl"
RUN = "run.json"
Row = TypeVar("Row", bound=BaseModel)


class RunRecord(BaseModel):
    """What a store was made with.

    Parameters:
        command: The command that makes it again.
        commit: The commit that ran.
        dirty: Whether tracked files differed from it.
        versions: Python, Pipecat, ours, weights.
        seed: The run's seed.
        simulator: Names of the three stages' models, or "rules".
        prompt_hashes: SHA-256 of each agent prompt, by variant.
        hardware: The machine.
        duration_s: Wall-clock time of the last session on it.
        trials_per_s: Trials over that time; None when nothing ran.
        call_s_per_cpu_s: Seconds of call a second of processor time played, in one process; None over several.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    command: str
    commit: str
    dirty: bool
    versions: dict[str, str]
    seed: int
    simulator: str
    prompt_hashes: dict[str, str]
    hardware: Hardware
    duration_s: float
    trials_per_s: float | None
    call_s_per_cpu_s: float | None = None


class TrialStore:
    """A folder with one run's trials and verdicts.

    Args:
        folder: The folder; made on the first write.

    Promises: `append` writes a whole line and flushes it, so a crash loses at most the line being written.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def append(self, trial: TrialLog) -> None:
        """Add one trial."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / TRIALS).open("a", encoding="utf-8") as file:
            file.write(trial.model_dump_json() + "\n")

    def trials(self) -> list[TrialLog]:
        """Read every trial; a last line without its end is left out.

        Raises:
            MissingData: There is no store here.
            UnreadableRow: A line is not a trial.
        """
        path = self.folder / TRIALS
        if not path.exists():
            raise MissingData(f"no trials in {self.folder}")
        return _read(path, TrialLog)

    def trial_ids(self) -> set[str]:
        """Name the trials that need not run again; mends a last line that a crash cut off."""
        path = self.folder / TRIALS
        if not path.exists():
            return set()
        raw = path.read_bytes()
        if raw and not raw.endswith(b"\n"):
            path.write_bytes(raw[: raw.rfind(b"\n") + 1])
        return {trial.trial_id for trial in _read(path, TrialLog)}

    def write_verdicts(self, verdicts: Iterable[StoredVerdict]) -> None:
        """Replace the verdicts."""
        self.folder.mkdir(parents=True, exist_ok=True)
        body = "".join(verdict.model_dump_json() + "\n" for verdict in verdicts)
        (self.folder / VERDICTS).write_text(body, encoding="utf-8")

    def verdicts(self) -> list[StoredVerdict]:
        """Read every verdict; none when the store was never scored."""
        path = self.folder / VERDICTS
        return _read(path, StoredVerdict) if path.exists() else []

    def write_run(self, record: RunRecord) -> None:
        """Write what the store was made with."""
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / RUN).write_text(record.model_dump_json(indent=2) + "\n", encoding="utf-8")

    def run(self) -> RunRecord | None:
        """Read what the store was made with; None when it was never finished."""
        path = self.folder / RUN
        return RunRecord.model_validate_json(path.read_text(encoding="utf-8")) if path.exists() else None

    def write_parquet(self) -> list[Path]:
        """Write trials and verdicts as Parquet, one row each; turns and claims as JSON text.

        Raises:
            MissingExtra: pyarrow is not installed.
        """
        try:
            import pyarrow as pa
            import pyarrow.parquet as pq
        except ModuleNotFoundError:
            raise MissingExtra("pyarrow") from None
        written: list[Path] = []
        for name, rows in ((TRIALS, self.trials()), (VERDICTS, self.verdicts())):
            if rows:
                path = self.folder / name.replace(".jsonl", ".parquet")
                pq.write_table(pa.Table.from_pylist([_flat(row) for row in rows]), path, compression="zstd")
                written.append(path)
        return written


def _flat(row: BaseModel) -> dict[str, Any]:
    dumped = row.model_dump(mode="json")
    return {
        name: json.dumps(value, ensure_ascii=False) if isinstance(value, (dict, list)) else value
        for name, value in dumped.items()
    }


def _read(path: Path, model: type[Row]) -> list[Row]:
    rows: list[Row] = []
    lines: Sequence[bytes] = path.read_bytes().split(b"\n")
    for number, line in enumerate(lines[:-1], start=1):  # After the last newline: nothing, or a line cut off.
        try:
            rows.append(model.model_validate_json(line))
        except ValidationError as error:
            raise UnreadableRow(path, number, first_problem(error)) from None
    return rows
