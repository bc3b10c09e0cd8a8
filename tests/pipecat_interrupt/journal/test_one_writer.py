"""A journal's file has one writer: a second one is refused at opening, a dead one holds nothing, readers read on."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from loguru import logger
from typer.testing import CliRunner

from pipecat_interrupt.board.feeds import FolderFeed
from pipecat_interrupt.cli.app import app
from pipecat_interrupt.cli.demo import _begin_anew
from pipecat_interrupt.errors import JournalInUse, PipelineError
from pipecat_interrupt.journal import (
    JournalEntry,
    JournalWriter,
    JsonlSink,
    SpillSink,
    read_jsonl,
    reconcile,
    verify_chain,
)
from pipecat_interrupt.journal.databases import SqliteSink
from pipecat_interrupt.journal.entries import GENESIS, CallStarted, MoveMade
from pipecat_interrupt.kit import InterruptKit

pytestmark = pytest.mark.contract

ROOT = Path(__file__).resolve().parents[3]
WRITER = """
import sys
from pathlib import Path
from pipecat_interrupt.journal import JournalWriter, JsonlSink, MemorySink
from pipecat_interrupt.journal.entries import CallStarted, MoveMade
memory, sink = MemorySink(), JsonlSink(Path(sys.argv[1]))
writer = JournalWriter("c1", (memory,))
writer.write(CallStarted(), 0.0)
writer.write(MoveMade(purpose="ask"), 1.0)
for entry in memory.entries:
    sink.append(entry)
print("writing", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def other_worker(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that is writing `c1.jsonl` and does not let go."""
    command = [sys.executable, "-c", WRITER, str(tmp_path / "c1.jsonl")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as worker:
        assert worker.stdout is not None
        assert worker.stdout.readline() == "writing\n"
        yield worker
        worker.kill()


def test_a_second_process_is_refused_with_file_holder_and_fix_and_readers_read_on(
    other_worker: subprocess.Popen[str], tmp_path: Path
) -> None:
    """Verify, show and export work beside the writer, the board follows it, and the file is as it was."""
    journal, out = tmp_path / "c1.jsonl", tmp_path / "c1.csv"
    before = journal.read_bytes()

    with pytest.raises(JournalInUse) as refused:
        JsonlSink(journal)

    told = str(refused.value)
    assert str(journal) in told and f"process {other_worker.pid}" in told
    assert "a folder of its own" in told and "SqliteSink" in told
    commands = (["verify", "--open"], ["show"], ["export", "--out", str(out)])
    assert [0, 0, 0] == [CliRunner().invoke(app, ["journal", *c, str(journal)]).exit_code for c in commands]
    assert out.read_text().count("\n") == 3
    seen: list[JournalEntry] = []
    FolderFeed(tmp_path).poll(seen.append)
    assert [0, 1] == [entry.seq for entry in seen]
    assert before == journal.read_bytes()


def test_a_killed_writer_holds_nothing_and_the_chain_goes_on(
    other_worker: subprocess.Popen[str], tmp_path: Path
) -> None:
    """SIGKILL, a torn line behind it: the next worker opens the file at once and leaves one whole chain."""
    journal = tmp_path / "c1.jsonl"
    other_worker.kill()
    other_worker.wait(20)
    with journal.open("a", encoding="utf-8") as torn:
        torn.write('{"v":1,"seq":2')

    kit = InterruptKit(call_id="c1", journal=journal)
    kit.journal.close()

    entries = read_jsonl(journal)
    assert [0, 1, 2] == [entry.seq for entry in entries]
    assert verify_chain(entries) == 3


def test_two_sinks_of_one_process_are_two_writers(tmp_path: Path) -> None:
    """By any name of the file; the first one's end lets the next one in."""
    journal, link = tmp_path / "j.jsonl", tmp_path / "link.jsonl"
    first = JsonlSink(journal)
    link.symlink_to(journal)

    for name in (journal, link):
        with pytest.raises(JournalInUse, match="another writer in this process"):
            JsonlSink(name)
    first.close()

    JsonlSink(link).close()


@pytest.mark.parametrize("spill", [None, "spill"], ids=["beside it", "in the spill folder"])
def test_a_call_whose_journal_another_worker_writes_goes_on_in_a_file_of_its_own(
    tmp_path: Path, spill: str | None
) -> None:
    """The kit is made, both chains are whole, the operator is told, and the journal says that it stands alone."""
    journal, told = tmp_path / "journals" / "c1.jsonl", list[str]()
    heard = logger.add(lambda line: told.append(str(line)), level="ERROR", format="{message}")
    first = InterruptKit(call_id="c1", journal=journal)

    second = InterruptKit(call_id="c1", journal=journal, spill=tmp_path / spill if spill else None)
    for kit in (first, second):
        kit.journal.write(MoveMade(purpose="ask"), 1.0)
        kit.journal.close()
    logger.remove(heard)

    folder = tmp_path / (spill or "journals")
    (own,) = (path for path in folder.iterdir() if path != journal)
    assert own.suffix == ".jsonl" and own.name.startswith("c1.") is (spill is None)
    for path in (journal, own):
        assert verify_chain(read_jsonl(path)) == 2
    started = read_jsonl(own)[0].data
    assert isinstance(started, CallStarted)
    assert "c1.jsonl is being written by another writer in this process" in started.notices[0]
    assert any(str(own) in line and "a folder of its own" in line for line in told)


def test_a_file_that_holds_another_call_is_refused_as_ever_while_it_is_written(tmp_path: Path) -> None:
    """A fixed name for all calls is a mistake of the bot's, and no file of its own hides it."""
    first = InterruptKit(call_id="c1", journal=tmp_path / "calls.jsonl")
    first.journal.write(MoveMade(purpose="ask"), 1.0)
    first.journal.close()
    held = JsonlSink(tmp_path / "calls.jsonl")

    with pytest.raises(PipelineError, match="holds another call already"):
        InterruptKit(call_id="c2", journal=tmp_path / "calls.jsonl")

    assert ["calls.jsonl"] == [path.name for path in tmp_path.iterdir()]
    held.close()


class Away:
    """A sink that takes nothing."""

    def append(self, entry: JournalEntry) -> None:
        """Refuse."""
        raise OSError("away")

    def close(self) -> None:
        """Nothing to release."""


def test_two_workers_that_spill_one_call_into_one_folder_have_a_file_each(tmp_path: Path) -> None:
    """Neither's entries are lost among the other's, and each file is a whole chain."""
    spills = [SpillSink(tmp_path), SpillSink(tmp_path)]
    writers = [JournalWriter("c1", (Away(),), spill=spill) for spill in spills]

    for writer in writers:
        writer.write(MoveMade(purpose="ask"), 0.0)
        writer.write(MoveMade(purpose="tell"), 1.0)
    for writer in writers:
        writer.close()

    paths = [spill.path for spill in spills]
    assert None not in paths and 2 == len(set(paths))
    assert [2, 2] == [verify_chain(read_jsonl(path)) for path in paths if path is not None]
    assert [0, 0] == [writer.lost_entries for writer in writers]


def test_a_spill_that_a_call_still_writes_is_not_brought_home_yet(tmp_path: Path) -> None:
    """What came behind the reading would go with the file; when the call is over it comes home whole."""
    spill, home = SpillSink(tmp_path / "spill"), SqliteSink(tmp_path / "j.sqlite")
    spill.append(JournalEntry.sealed(seq=0, at_s=0.0, call_id="c1", data=CallStarted(), previous=GENESIS))
    assert spill.path is not None

    with pytest.raises(JournalInUse, match="when its call is over"):
        reconcile(spill.path, home)
    assert [] == home.read("c1") and spill.path.exists()
    spill.close()

    assert 1 == reconcile(spill.path, home) and not spill.path.exists()
    home.close()


def test_a_demo_does_not_take_the_journal_of_one_that_runs(tmp_path: Path) -> None:
    """An earlier run's goes; a running one's stays, and says what to do."""
    journal = tmp_path / "journal.jsonl"
    running = JsonlSink(journal)

    with pytest.raises(JournalInUse, match="--out"):
        _begin_anew(journal)
    assert journal.exists()
    running.close()

    _begin_anew(journal)
    assert not journal.exists()
    assert os.listdir(tmp_path) == []
