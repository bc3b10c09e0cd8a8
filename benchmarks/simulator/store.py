"""Where trials and verdicts are kept: JSONL that only grows while a run goes on, Parquet for whoever analyses it.

Owns resuming: a trial whose id is in the store is not run again. A line cut off by a crash is dropped and run again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, RootModel, ValidationError

from benchmarks.cells import Cell, keep_cell
from benchmarks.errors import CallerError, MissingData, MissingExtra, UnreadableRow
from benchmarks.figures import Figure
from benchmarks.files import check_writable, first_problem, make_folder, read_file, read_json, write_text, writing
from benchmarks.judges.protocol import StoredVerdict
from benchmarks.provenance import Hardware
from benchmarks.simulator.trial_log import TrialLog

TRIALS = "trials.jsonl"
VERDICTS = "verdicts.jsonl"
RUN = "run.json"
FAULTS = "faults.jsonl"
COSTS = "costs.jsonl"
PLANTED = "planted.jsonl"
SESSIONS = "sessions.jsonl"
CELLS = "cells.json"
UNKNOWN_COMMIT = "unknown"  # Of trials that were stored before sessions were.
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
        other_commands: Further commands that ran trials of this store, in order.
        other_commits: Further states of the code that ran trials of this store, "<commit>+changes" where files differed
            from the commit; none when all trials are of one.
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
    other_commits: tuple[str, ...] = ()
    other_commands: tuple[str, ...] = ()


class Session(BaseModel):
    """One go at a run: written before its first trial, so that a store resumed elsewhere does not pass for one piece.

    Parameters:
        commit: The commit that runs.
        dirty: Whether tracked files differ from it.
        at: When, UTC.
        command: The command; "" where it was not noted.
        settings: What trials depend on and their ids do not tell, such as the simulator's models, by name; None where
            it was not noted.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    commit: str
    dirty: bool
    at: datetime
    command: str = ""
    settings: dict[str, str] | None = None

    @property
    def code(self) -> str:
        """Name the state of the code."""
        return self.commit + ("+changes" if self.dirty else "")


class KeptCells(RootModel[dict[str, Cell]]):
    """Cells of one's own that a store holds trials of, by id."""


class StoredFault(BaseModel):
    """A trial that could not be run: kept, in no rate, and tried again when the run goes on.

    Parameters:
        trial_id: The trial.
        reason: What failed, in one line.
        at: When, UTC.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    trial_id: str
    reason: str
    at: datetime


class TrialStore:
    """A folder with one run's trials and verdicts.

    Args:
        folder: The folder; made on the first write.

    Promises: `append` writes a whole line and flushes it, so a crash loses at most the line being written.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def append(self, trial: TrialLog) -> None:
        """Add one trial.

        Raises:
            EnvironmentFault: The disk is full or not ours; what is stored stays, and the same command goes on from it.
        """
        path = make_folder(self.folder) / TRIALS
        with writing(path), path.open("a", encoding="utf-8") as file:
            file.write(trial.model_dump_json() + "\n")

    def append_fault(self, trial_id: str, reason: str) -> None:
        """Keep a trial that could not be run."""
        path = make_folder(self.folder) / FAULTS
        fault = StoredFault(trial_id=trial_id, reason=reason, at=datetime.now(UTC).replace(microsecond=0))
        with writing(path), path.open("a", encoding="utf-8") as file:
            file.write(fault.model_dump_json() + "\n")

    def begin_session(
        self, commit: str, dirty: bool, command: str = "", settings: Mapping[str, str] | None = None
    ) -> None:
        """Note which code is about to run trials; earlier trials without a note get one from the run's record."""
        path = make_folder(self.folder) / SESSIONS
        now = datetime.now(UTC).replace(microsecond=0)
        told = None if settings is None else dict(settings)
        sessions = [Session(commit=commit, dirty=dirty, at=now, command=command, settings=told)]
        if not path.exists() and (self.folder / TRIALS).exists():
            run = self.run()
            earlier = (run.commit, run.dirty) if run is not None else (UNKNOWN_COMMIT, False)
            sessions.insert(0, Session(commit=earlier[0], dirty=earlier[1], at=now))
        with writing(path), path.open("a", encoding="utf-8") as file:
            file.writelines(session.model_dump_json() + "\n" for session in sessions)

    def sessions(self) -> list[Session]:
        """Read every go at this run, in order."""
        path = self.folder / SESSIONS
        return _read(path, Session) if path.exists() else []

    def codes(self) -> tuple[str, ...]:
        """Name every state of the code that ran trials here, in order, each once."""
        return tuple(dict.fromkeys(s.code for s in self.sessions()))

    def check_settings(self, settings: Mapping[str, str]) -> None:
        """Refuse to go on with other settings than those of the trials that are stored.

        Raises:
            CallerError: A setting differs; names it with both values.
        """
        run = self.run() if (self.folder / TRIALS).exists() else None
        noted = [s.settings for s in self.sessions() if s.settings is not None]
        earlier = noted or ([{"simulator": run.simulator}] if run is not None else [])
        for before in earlier:
            for name, value in before.items():
                if settings.get(name, value) != value:
                    raise CallerError(
                        f"{self.folder} holds trials made with {name} {value}, not {settings[name]}:"
                        " one rate would mix them; name another --out"
                    )

    def keep_cells(self, cells: Iterable[Cell]) -> None:
        """Keep cells of one's own with the trials of them.

        Raises:
            CallerError: A cell has changed since trials of it were stored here.
        """
        kept = self._cells()
        for cell in cells:
            if kept.get(cell.id, cell) != cell:
                raise CallerError(
                    f"cell {cell.id} has changed since its trials in {self.folder} were run; name another --out"
                )
            kept[cell.id] = cell
        if kept:
            write_text(self.folder / CELLS, KeptCells(kept).model_dump_json(indent=1) + "\n")

    def _cells(self) -> dict[str, Cell]:
        path = self.folder / CELLS
        return read_json(path, KeptCells, "the cells of a store").root if path.exists() else {}

    def faults(self) -> list[StoredFault]:
        """Read every trial that could not be run, tries that succeeded later included."""
        path = self.folder / FAULTS
        return _read(path, StoredFault) if path.exists() else []

    def trials(self) -> list[TrialLog]:
        """Read every trial, each once; a last line without its end is left out. Cells of one's own are known then.

        Raises:
            MissingData: There is no store here.
            UnreadableRow: A line is not a trial.
        """
        path = self.folder / TRIALS
        if not path.exists():
            raise MissingData(
                f"no trials in {self.folder}; make them with: python -m benchmarks run --out {self.folder}"
            )
        for cell in self._cells().values():
            keep_cell(cell, str(self.folder / CELLS))
        found = list({trial.trial_id: trial for trial in reversed(_read(path, TrialLog))}.values())[::-1]
        if not found:
            raise MissingData(f"{path} holds no whole trial; run the command that made it again, with the same --out")
        return found

    def trial_ids(self) -> set[str]:
        """Name the trials that need not run again; mends a last line that a crash cut off."""
        path = self.folder / TRIALS
        check_writable(self.folder, folder=True)
        if not path.exists():
            return set()
        raw = read_file(path, "a trial store")
        if raw and not raw.endswith(b"\n"):
            with writing(path):
                path.write_bytes(raw[: raw.rfind(b"\n") + 1])
        return set(self._prompts())

    def _prompts(self) -> dict[str, tuple[str, str]]:
        """Name and hash of the agent prompt of every stored trial."""
        return {t.trial_id: (t.prompt, t.prompt_hash) for t in _read(self.folder / TRIALS, TrialLog)}

    def check_prompts(self, texts: Mapping[str, str]) -> None:
        """Refuse to go on with a prompt whose text is another than that of the trials stored under its name.

        Args:
            texts: SHA-256 of each prompt's text, by name.

        Raises:
            CallerError: A prompt has changed.
        """
        if not (self.folder / TRIALS).exists():
            return
        for name, digest in set(self._prompts().values()):
            if texts.get(name, digest) != digest:
                raise CallerError(
                    f"prompt {name} has changed since trials in {self.folder} were run with it; name another --out"
                )

    def write_verdicts(self, verdicts: Iterable[StoredVerdict]) -> None:
        """Replace the verdicts."""
        write_text(self.folder / VERDICTS, "".join(verdict.model_dump_json() + "\n" for verdict in verdicts))

    def verdicts(self) -> list[StoredVerdict]:
        """Read every verdict; none when the store was never scored."""
        path = self.folder / VERDICTS
        return _read(path, StoredVerdict) if path.exists() else []

    def write_run(self, record: RunRecord) -> None:
        """Write what the store was made with."""
        write_text(self.folder / RUN, record.model_dump_json(indent=2) + "\n")

    def run(self) -> RunRecord | None:
        """Read what the store was made with; None when it was never finished."""
        path = self.folder / RUN
        return read_json(path, RunRecord, "the record of a run") if path.exists() else None

    def write_costs(self, rows: Iterable[BaseModel]) -> Path:
        """Write what each trial cost, one line each, by a price table of the moment."""
        return write_text(self.folder / COSTS, "".join(row.model_dump_json() + "\n" for row in rows))

    def write_planted(self, figures: Iterable[Figure]) -> None:
        """Replace what planted bugs did."""
        write_text(self.folder / PLANTED, "".join(figure.model_dump_json() + "\n" for figure in figures))

    def planted(self) -> list[Figure]:
        """Read what planted bugs did; nothing when none were planted."""
        path = self.folder / PLANTED
        return _read(path, Figure) if path.exists() else []

    def check_tables(self) -> None:
        """Ask for what the tables need before a run, not behind it.

        Raises:
            MissingExtra: pyarrow is not installed.
        """
        try:
            import pyarrow.parquet  # noqa: F401
        except ModuleNotFoundError:
            raise MissingExtra("pyarrow") from None

    def write_parquet(self) -> list[Path]:
        """Write trials and verdicts as Parquet, one row each; turns and claims as JSON text.

        Raises:
            MissingExtra: pyarrow is not installed.
        """
        self.check_tables()
        import pyarrow as pa
        import pyarrow.parquet as pq

        written: list[Path] = []
        for name, rows in ((TRIALS, self.trials()), (VERDICTS, self.verdicts())):
            if rows:
                path = self.folder / name.replace(".jsonl", ".parquet")
                with writing(path):
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
    lines: Sequence[bytes] = read_file(path, "a trial store").split(b"\n")
    for number, line in enumerate(lines[:-1], start=1):  # After the last newline: nothing, or a line cut off.
        try:
            rows.append(model.model_validate_json(line))
        except ValidationError as error:
            raise UnreadableRow(path, number, first_problem(error)) from None
    return rows
