"""Erasing a call removes it from stores, journals and audio, touches no other call, and says what it did."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from obligations.adapters.sqlite_store import SqliteStore
from obligations.errors import IllegalStep
from obligations.stores import MemoryStore
from obligations.stores.erasure import erase_call
from tests.obligations.stores.calls import a_handoff, marks
from tests.obligations.stores.flaky import FlakyStore

pytestmark = pytest.mark.unit


def _journal(path: Path, *call_ids: str) -> bytes:
    lines = [json.dumps({"seq": n, "call_id": call_id, "data": {}}) for n, call_id in enumerate(call_ids)]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path.read_bytes()


def _audio(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"RIFF")


async def test_everything_of_a_call_goes_and_is_counted(tmp_path: Path) -> None:
    """Two stores, a journal of its own, a shared journal, a folder of audio and loose files."""
    memory, sqlite = MemoryStore(), SqliteStore(tmp_path / "ledger.sqlite")
    for store in (memory, sqlite):
        token = await store.claim("call-1", "w")
        await store.append("call-1", marks(0, 3), 0, token=token)
    await memory.finish("call-1", a_handoff(), token=await memory.claim("call-1", "w"))
    own, shared = tmp_path / "own.jsonl", tmp_path / "shared.jsonl"
    _journal(own, "call-1", "call-1")
    _journal(shared, "call-1", "call-2", "call-1", "call-3")
    _audio(
        tmp_path / "audio", "call-1/agent.wav", "call-1/patient.wav", "call-1.wav", "call-10.wav", "call-2/agent.wav"
    )

    done = await erase_call("call-1", stores=[memory, sqlite], journals=[own, shared], audio=[tmp_path / "audio"])

    assert (6, 1, 4) == (done.events, done.handoffs, done.journal_entries)
    assert ("own.jsonl", "call-1", "call-1.wav") == done.files
    assert done.complete and done.found
    assert ["call-10.wav", "call-2"] == sorted(p.name for p in (tmp_path / "audio").iterdir())
    left = [json.loads(line)["call_id"] for line in shared.read_text(encoding="utf-8").splitlines()]
    assert ["call-2", "call-3"] == left
    await sqlite.close()


async def test_erasing_again_finds_nothing(tmp_path: Path) -> None:
    """And harms nothing; absent places are no failure."""
    before = _journal(tmp_path / "j.jsonl", "call-2")

    done = await erase_call(
        "call-1", stores=[MemoryStore()], journals=[tmp_path, tmp_path / "absent.jsonl"], audio=[tmp_path / "absent"]
    )

    assert done.complete and not done.found
    assert before == (tmp_path / "j.jsonl").read_bytes()


async def test_a_store_that_is_away_is_named_and_the_rest_is_erased(tmp_path: Path) -> None:
    """The answer is not complete: ask again."""
    away = FlakyStore()
    away.mood = "down"
    _journal(tmp_path / "j.jsonl", "call-1")

    done = await erase_call("call-1", stores=[away], journals=[tmp_path])

    assert ("FlakyStore: down",) == done.failed
    assert not done.complete and 1 == done.journal_entries
    assert not (tmp_path / "j.jsonl").exists()


@pytest.mark.parametrize("call_id", ["..", "../other", "/etc", "*", "."])
async def test_a_name_that_looks_like_a_path_reaches_nothing(tmp_path: Path, call_id: str) -> None:
    """Names are compared, never joined to a folder."""
    _audio(tmp_path / "audio", "call-1.wav")
    _audio(tmp_path, "other/agent.wav")

    await erase_call(call_id, audio=[tmp_path / "audio"])

    assert (tmp_path / "audio" / "call-1.wav").exists() and (tmp_path / "other" / "agent.wav").exists()


async def test_a_link_is_removed_and_not_what_it_leads_to(tmp_path: Path) -> None:
    """A folder elsewhere stays."""
    _audio(tmp_path, "elsewhere/agent.wav")
    (tmp_path / "audio").mkdir()
    (tmp_path / "audio" / "call-1").symlink_to(tmp_path / "elsewhere")

    done = await erase_call("call-1", audio=[tmp_path / "audio"])

    assert ("call-1",) == done.files
    assert (tmp_path / "elsewhere" / "agent.wav").exists()


async def test_a_torn_last_line_of_the_call_goes_too(tmp_path: Path) -> None:
    """A line a dying process left half written holds words of the call as well."""
    path = tmp_path / "j.jsonl"
    _journal(path, "call-2", "call-1")
    with path.open("a", encoding="utf-8") as file:
        file.write('{"seq":2,"call_id":"call-1","data":{"text":"and I')

    done = await erase_call("call-1", journals=[path])

    assert 2 == done.journal_entries
    assert "call-1" not in path.read_text(encoding="utf-8")


async def test_a_call_without_a_name_is_refused(tmp_path: Path) -> None:
    """Nothing is touched."""
    with pytest.raises(IllegalStep):
        await erase_call("", journals=[tmp_path])
