"""What only the SQLite store promises: on disk when it returns, erased for good, several processes, no vendor error."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from obligations import ReplySpeaker
from obligations.adapters.sqlite_store import SqliteStore
from obligations.ledger import WordsLeft
from obligations.stores import StoreUnavailable
from tests.obligations.stores.calls import marks, names

pytestmark = pytest.mark.contract

SECRET = "my neighbour heard all of this"


def _on_disk(folder: Path) -> bool:
    return any(SECRET.encode() in file.read_bytes() for file in folder.iterdir())


async def test_what_returned_is_on_disk(tmp_path: Path) -> None:
    """A process that exits without closing anything loses nothing it was told is written."""
    path = tmp_path / "deep" / "ledger.sqlite"
    code = (
        "import asyncio, os, sys; from pathlib import Path\n"
        "from obligations.adapters.sqlite_store import SqliteStore\n"
        "from obligations.ledger import Started\n"
        "async def main():\n"
        "    store = SqliteStore(Path(sys.argv[1])); token = await store.claim('c', 'w')\n"
        "    await store.append('c', [Started(seq=0, at_s=0, utterance_id='u0')], 0, token=token)\n"
        "    os.kill(os.getpid(), 9)\n"
        "asyncio.run(main())\n"
    )
    done = await asyncio.to_thread(
        subprocess.run, [sys.executable, "-c", code, str(path)], timeout=60, check=False, capture_output=True
    )
    assert -9 == done.returncode, done.stderr

    store = SqliteStore(path)

    assert ["u0"] == names(await store.read("c"))
    await store.close()


async def test_what_is_erased_is_not_in_the_files_any_more(tmp_path: Path) -> None:
    """Neither in the table's free pages nor in the log."""
    store = SqliteStore(tmp_path / "ledger.sqlite")
    token = await store.claim("c", "w")
    words = [WordsLeft(seq=n, at_s=0.0, text=SECRET, speaker=ReplySpeaker.PRIMARY) for n in range(200)]
    await store.append("c", words, 0, token=token)
    assert _on_disk(tmp_path)

    await store.erase("c")

    assert not _on_disk(tmp_path)
    await store.close()


async def test_several_stores_write_at_once_without_loss(tmp_path: Path) -> None:
    """Eight connections to one file, each with its own calls."""
    stores = [SqliteStore(tmp_path / "ledger.sqlite") for _ in range(8)]

    async def one(number: int, store: SqliteStore) -> None:
        token = await store.claim(f"c{number}", "w")
        for seq in range(5):
            await store.append(f"c{number}", marks(seq, 1), seq, token=token)

    await asyncio.gather(*(one(n, s) for n, s in enumerate(stores)))

    assert [f"c{n}" for n in range(8)] == await stores[0].open_calls()
    assert [5] * 8 == [len(await stores[0].read(f"c{n}")) for n in range(8)]
    for store in stores:
        await store.close()


async def test_a_place_where_no_file_can_be_is_unavailable(tmp_path: Path) -> None:
    """The error is ours and repeats; when the place is mended, the same store works."""
    (tmp_path / "in-the-way").write_text("", encoding="utf-8")
    store = SqliteStore(tmp_path / "in-the-way" / "ledger.sqlite")
    for _ in range(2):
        with pytest.raises(StoreUnavailable):
            await store.claim("c", "w")

    (tmp_path / "in-the-way").unlink()

    assert 1 == await store.claim("c", "w")
    await store.close()


async def test_a_file_that_is_no_database_is_left_as_it_is(tmp_path: Path) -> None:
    """Unavailable, and nobody's file is overwritten."""
    path = tmp_path / "notes.txt"
    path.write_text("not a database, but somebody's notes " * 40, encoding="utf-8")
    store = SqliteStore(path)

    with pytest.raises(StoreUnavailable):
        await store.claim("c", "w")

    assert path.read_text(encoding="utf-8").startswith("not a database")
    await store.close()


async def test_a_file_of_a_later_version_is_refused(tmp_path: Path) -> None:
    """An old worker must not write into a new form."""
    path = tmp_path / "ledger.sqlite"
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 99")
    db.close()
    store = SqliteStore(path)

    with pytest.raises(StoreUnavailable, match="later version"):
        await store.claim("c", "w")

    await store.close()


async def test_a_closed_store_says_so(tmp_path: Path) -> None:
    """Closing twice is harmless; using it afterwards is not silent."""
    store = SqliteStore(tmp_path / "ledger.sqlite")
    await store.claim("c", "w")
    await store.close()
    await store.close()

    with pytest.raises(StoreUnavailable):
        await store.read("c")
