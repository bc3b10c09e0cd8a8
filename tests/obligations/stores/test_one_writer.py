"""Whoever rewrites or removes a journal asks for its lock: what is being written stays, and is named."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from obligations.stores.erasure import erase_call
from obligations.stores.errors import FileInUse
from obligations.stores.one_writer import holder_of, is_still, no_writer, take
from obligations.stores.retention import DAY_S, erase_older

pytestmark = pytest.mark.unit

NOW_S = 2_000_000_000.0
LINE = '{"seq": 0, "call_id": "c1", "data": {}}\n'
HELD = "is being written by another writer in this process"


def old_journal(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(LINE, encoding="utf-8")
    os.utime(path, (NOW_S - 40 * DAY_S,) * 2)
    return path


@pytest.mark.parametrize("place", ["c1.jsonl", "calls.jsonl", "c1/journal.jsonl"])
async def test_erasing_a_call_leaves_the_journal_that_is_being_written_and_names_it(tmp_path: Path, place: str) -> None:
    """Named as the call, among others, or in the call's folder: it stays whole; at the call's end it goes."""
    journal = old_journal(tmp_path / place)

    with journal.open("a", encoding="utf-8") as writer:
        take(writer, journal)
        refused = await erase_call("c1", journals=[tmp_path])
        assert journal.read_text(encoding="utf-8") == LINE
    done = await erase_call("c1", journals=[tmp_path])

    assert (f"{journal}: {HELD}",) == refused.failed
    assert not refused.complete and not refused.found
    assert done.complete and 1 == done.journal_entries
    assert [] == os.listdir(tmp_path)


async def test_another_calls_journal_that_is_being_written_is_no_obstacle(tmp_path: Path) -> None:
    """Erasing yesterday's call must not wait for today's."""
    old_journal(tmp_path / "c1.jsonl")
    other = tmp_path / "c2.jsonl"

    with other.open("a", encoding="utf-8") as writer:
        take(writer, other)
        writer.write(LINE.replace("c1", "c2"))
        writer.flush()
        done = await erase_call("c1", journals=[tmp_path])

    assert done.complete and ("c1.jsonl",) == done.files


@pytest.mark.parametrize("place", ["c1.jsonl", "c1/journal.jsonl"])
async def test_a_journal_that_is_being_written_is_not_erased_for_its_age(tmp_path: Path, place: str) -> None:
    """A writer that was silent for weeks is still a writer; somebody must look at it."""
    journal = old_journal(tmp_path / place)

    with journal.open("a", encoding="utf-8") as writer:
        take(writer, journal)
        refused = await erase_older(30 * DAY_S, now_unix_s=NOW_S, journals=[tmp_path])
        assert journal.exists()
    done = await erase_older(30 * DAY_S, now_unix_s=NOW_S, journals=[tmp_path])

    assert (f"{journal}: {HELD}",) == refused.failed and () == refused.files
    assert () == done.failed and (place.split("/")[0],) == done.files


def test_a_file_that_is_being_rewritten_takes_no_writer_and_one_that_went_is_told(tmp_path: Path) -> None:
    """The lock goes both ways; a name that leads elsewhere since is not the file that was opened."""
    journal = old_journal(tmp_path / "j.jsonl")

    with journal.open("a", encoding="utf-8") as writer:
        with no_writer(journal), pytest.raises(FileInUse, match="j.jsonl: is being written by"):
            take(writer, journal)
        assert take(writer, journal) and is_still(writer, journal)
        journal.unlink()
        assert not is_still(writer, journal)
        journal.write_text(LINE, encoding="utf-8")
        assert not is_still(writer, journal)


def test_the_holder_is_named_only_where_the_system_tells(tmp_path: Path) -> None:
    """No table, other locks on the file, a process of another container: nobody is named."""
    journal, table = old_journal(tmp_path / "j.jsonl"), tmp_path / "locks"
    with journal.open("rb") as file:
        at = os.fstat(file.fileno())
        place = f"{os.major(at.st_dev):02x}:{os.minor(at.st_dev):02x}:{at.st_ino}"
        told = [holder_of(file, tmp_path / "none")]
        for row in (
            f"1: POSIX  ADVISORY  WRITE 11 {place} 0 EOF",
            f"1: FLOCK  ADVISORY  WRITE 0 {place} 0 EOF",
            "1: FLOCK  ADVISORY  WRITE 12 00:00:1 0 EOF",
            f"1: -> FLOCK  ADVISORY  WRITE 13 {place} 0 EOF",
            f"1: FLOCK  ADVISORY  WRITE 14 {place} 0 EOF",
        ):
            table.write_text(row, encoding="ascii")
            told.append(holder_of(file, table))

    assert [None, None, None, None, None, 14] == told
