"""Calls and results elsewhere: places fsspec knows, Ray's workers, Parquet tables; the same bytes as here."""

from __future__ import annotations

import importlib.util
import shutil
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from loguru import logger
from typer.testing import CliRunner

from pipecat_interrupt.cli.app import app
from pipecat_interrupt.errors import EnvironmentProblem, MissingExtra, SettingsError
from pipecat_interrupt.replay.errors import RecordingRefused
from pipecat_interrupt.replay.folder import FolderRun, replay_folder
from pipecat_interrupt.replay.inputs import calls_at
from pipecat_interrupt.replay.job import ReplayPlan
from pipecat_interrupt.replay.places import LOCK_FILE, LocalPlace, RemotePlace, place_of
from pipecat_interrupt.replay.settings import ReplaySettings
from pipecat_interrupt.replay.tables import TABLES, keep_tables, write_tables

from .test_replay_folder import _folder

pytestmark = [pytest.mark.contract, pytest.mark.enable_socket]

SETTINGS = ReplaySettings()


def contents(root: Path) -> dict[str, bytes]:
    """Every file under a folder."""
    return {p.relative_to(root).as_posix(): p.read_bytes() for p in sorted(root.rglob("*")) if p.is_file()}


def run(where: str, out: str | Path, *, jobs: int = 1, pool: Any = None) -> FolderRun:
    """Replay a folder, tables and all."""
    plan = ReplayPlan(out, "cataract-followup", SETTINGS, stt=False)
    done = replay_folder(calls_at(where, SETTINGS, leave_out=str(out)), plan, jobs=jobs, pool=pool)
    write_tables(done.results, plan.place)
    return done


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[tuple[str, Any]]:
    """A folder of calls in fsspec's memory."""
    fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed")
    fs, root = fsspec.filesystem("memory"), f"/{uuid.uuid4().hex}"
    for name, raw in contents(_folder(tmp_path)).items():
        fs.pipe_file(f"{root}/calls/{name}", raw)
    yield f"memory:/{root}", fs
    fs.rm(root, recursive=True)


def test_results_at_another_place_are_the_same_bytes(memory: tuple[str, Any], tmp_path: Path) -> None:
    """Read there, written there: index, quarantine, tables and every call's folder."""
    url, fs = memory
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    here = run(str(tmp_path / "calls"), tmp_path / "out")

    there = run(f"{url}/calls", f"{url}/out")

    root = fs._strip_protocol(f"{url}/out")
    written = {name.removeprefix(root + "/"): fs.cat_file(name) for name in fs.find(root)}
    assert [o.status for o in there.outcomes] == [o.status for o in here.outcomes]
    assert written == contents(tmp_path / "out")


def test_a_run_at_another_place_goes_on_where_it_was(memory: tuple[str, Any]) -> None:
    """Kept by contents; a call whose result is missing, as a stopped run leaves it, is done again."""
    url, fs = memory
    run(f"{url}/calls", f"{url}/out")
    fs.rm_file(f"{url}/out/a-good/replay.json")

    again = run(f"{url}/calls", f"{url}/out")

    assert [o.status for o in again.outcomes] == ["done", "refused", "refused", "kept"]


def test_one_call_at_another_place_and_what_is_not_there(memory: tuple[str, Any]) -> None:
    """A single file by its address; results inside the folder are left out; nothing found is said so."""
    url, _ = memory
    run(f"{url}/calls", f"{url}/calls/out")

    assert [c.call_id for c in calls_at(f"{url}/calls/a-good.json", SETTINGS)] == ["a-good"]
    assert [c.call_id for c in calls_at(f"{url}/calls", SETTINGS, leave_out=f"{url}/calls/out")] == [
        "a-good",
        "c-poison",
        "d-poison",
        "inner__b-cut",
    ]
    with pytest.raises(FileNotFoundError, match="none.wav"):
        calls_at(f"{url}/calls/none.wav", SETTINGS)
    with pytest.raises(RecordingRefused, match="no file of a known form"):
        calls_at(f"{url}/nothing", SETTINGS)
    with pytest.raises(SettingsError, match="use one job"):
        run(f"{url}/calls", f"{url}/out2", jobs=2)


def test_places_say_what_is_wrong_with_them(tmp_path: Path) -> None:
    """No such kind of place, a file that cannot be fetched; a folder of this machine by its address."""
    pytest.importorskip("fsspec", reason="fsspec is not installed")

    with pytest.raises(SettingsError, match="no such kind of place"):
        RemotePlace("nonsense://bucket/calls")
    with pytest.raises(EnvironmentProblem, match="check address and credentials"):
        RemotePlace("memory://nothing-here").fetch("a.wav", tmp_path / "a.wav")
    assert isinstance(place_of(f"file://{tmp_path}"), LocalPlace)


def test_tables_hold_a_row_for_every_call_overlap_and_obligation(tmp_path: Path) -> None:
    """Typed columns, in order of the calls' names."""
    pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    done = run(str(_folder(tmp_path)), tmp_path / "out")

    calls, overlaps, obligations = (pq.read_table(tmp_path / "out" / name) for name in TABLES)

    assert calls.column("call_id").to_pylist() == ["a-good", "inner__b-cut"]
    assert calls.column("lost_critical").to_pylist() == [list(r.lost_critical) for r in done.results]
    assert overlaps.num_rows == sum(len(r.overlaps) for r in done.results) > 0
    assert obligations.num_rows == sum(len(r.obligations) for r in done.results) > 0


def test_tables_of_an_earlier_run_never_stand_beside_results_they_do_not_fit(tmp_path: Path) -> None:
    """Without `--parquet` they are written anew, and removed where nothing can write them; it is told."""
    pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    folder, out = _folder(tmp_path), tmp_path / "out"
    run(str(folder), out)
    shutil.rmtree(folder / "inner")

    arguments = [str(folder), "--out", str(out), "--pathway", "cataract-followup", "--no-stt"]
    done = CliRunner().invoke(app, ["replay", *arguments])

    assert "Parquet tables of an earlier run were written anew" in done.stderr
    assert pq.read_table(out / TABLES[0]).column("call_id").to_pylist() == ["a-good"]

    def missing(results: object, place: object) -> None:
        raise MissingExtra("--parquet", "pip install")

    assert keep_tables((), LocalPlace(out), wanted=False, write=missing) == "removed"
    assert not any((out / name).exists() for name in TABLES)


def test_a_second_run_is_kept_out_of_a_place_elsewhere_and_told_what_to_do(memory: tuple[str, Any]) -> None:
    """By a file only one can make; it goes with the run, and a killed one's is named."""
    url, fs = memory
    out = f"{url}/out"
    place = RemotePlace(out)

    with place.alone():
        with pytest.raises(
            EnvironmentProblem, match=r"another replay writes there \(.+ process \d+, since .+--out.+delete"
        ):
            run(f"{url}/calls", out)
        assert place.names() == [LOCK_FILE]

    assert [o.status for o in run(f"{url}/calls", out).outcomes].count("done") == 2
    assert LOCK_FILE not in place.names()


def test_a_store_that_cannot_lock_is_used_all_the_same(memory: tuple[str, Any]) -> None:
    """With a warning."""

    class NoExclusive:
        def __init__(self, inner: Any) -> None:
            self.inner = inner

        def __getattr__(self, name: str) -> Any:
            return getattr(self.inner, name)

        def open(self, path: str, mode: str) -> Any:
            raise NotImplementedError(mode)

    place, told = RemotePlace(f"{memory[0]}/out"), list[str]()
    place._fs = NoExclusive(place._fs)
    sink = logger.add(told.append, level="WARNING")
    try:
        with place.alone():
            place.write("a.txt", b"1")
    finally:
        logger.remove(sink)

    assert place.names() == ["a.txt"]
    assert any("nothing keeps a second run out" in line for line in told)


def test_a_table_of_somebody_elses_stays(tmp_path: Path) -> None:
    """Its name alone does not make it ours."""
    pq, pa = pytest.importorskip("pyarrow.parquet"), pytest.importorskip("pyarrow")
    theirs = tmp_path / TABLES[0]
    pq.write_table(pa.table({"call_id": ["x"], "cost": [1]}), theirs)
    before = theirs.read_bytes()

    assert keep_tables((), LocalPlace(tmp_path), wanted=False) == "none"
    assert theirs.read_bytes() == before


@pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="ray is not installed")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning")
def test_rays_workers_leave_the_same_bytes(tmp_path: Path) -> None:
    """Two workers of a cluster of this machine against this process: every file is equal, poison and all."""
    from pipecat_interrupt.replay.ray_pool import RayPool

    folder = _folder(tmp_path)
    run(str(folder), tmp_path / "here")

    done = run(str(folder), tmp_path / "ray", jobs=2, pool=RayPool)

    assert [o.status for o in done.outcomes] == ["done", "refused", "refused", "done"]
    assert contents(tmp_path / "ray") == contents(tmp_path / "here")


def test_a_model_that_is_not_there_is_named_before_any_call_is_touched(tmp_path: Path) -> None:
    """One line, and what to do."""
    told = CliRunner().invoke(
        app, ["replay", str(_folder(tmp_path)), "--model", "nomodel", "--out", str(tmp_path / "o")]
    )

    assert isinstance(told.exception, SettingsError)
    assert "nomodel" in str(told.exception)
    assert not (tmp_path / "o").exists()
