"""`handoff`, `erase` and `retain` on real stores and files: what is shown, what goes, and what is said of the rest."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sqlite3
import time
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from obligations.adapters.sqlite_store import SqliteStore
from obligations.errors import CallerError
from obligations.handoff import Handoff
from obligations.stores import MemoryStore, erase_older
from pipecat_interrupt.cli.app import app
from pipecat_interrupt.errors import SettingsError
from pipecat_interrupt.journal import JournalWriter, JsonlSink
from pipecat_interrupt.journal.databases import SqliteSink
from pipecat_interrupt.journal.entries import CallStarted
from tests.obligations.stores.calls import a_handoff, marks, too_deep

pytestmark = pytest.mark.unit

DAY_S = 86_400.0


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(a) for a in arguments])


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A ledger file with a finished call, a sent one and an open one."""
    path = tmp_path / "ledger.sqlite"

    async def fill() -> None:
        made = SqliteStore(path)
        for call_id in ("done", "sent", "open"):
            token = await made.claim(call_id, "w")
            await made.append(call_id, marks(0, 3), 0, token=token)
            if call_id != "open":
                await made.finish(call_id, a_handoff(call_id), token=token)
        await made.mark_sent("sent")
        await made.close()

    asyncio.run(fill())
    return path


def test_a_hand_off_is_shown_in_three_forms(store: Path) -> None:
    """Markdown for people, JSON by the schema, FHIR as a bundle."""
    where = ("--store", f"sqlite:{store}")

    markdown = run("handoff", "done", *where)
    as_json = run("handoff", "done", *where, "--format", "json")

    assert "drops" in markdown.stdout and markdown.exit_code == 0
    assert a_handoff("done") == Handoff.model_validate_json(as_json.stdout)


def test_a_fhir_bundle_is_made_from_a_file_too(tmp_path: Path) -> None:
    """A hand-off that was written beside a recording needs no store."""
    pytest.importorskip("fhir.resources", reason="fhir.resources is not installed")
    file, out = tmp_path / "handoff.json", tmp_path / "bundle.json"
    file.write_text(a_handoff("done").model_dump_json(), encoding="utf-8")

    done = run("handoff", file, "--format", "fhir", "--ended-at", "2026-05-25T10:30:00+01:00", "--out", out)

    assert done.exit_code == 0
    assert "Bundle" == json.loads(out.read_text(encoding="utf-8"))["resourceType"]


@pytest.mark.parametrize("form", ["json", "markdown"])
def test_a_hand_off_is_never_written_over_the_file_it_is_read_from(tmp_path: Path, form: str) -> None:
    """By the same name or through a link."""
    file = tmp_path / "handoff.json"
    file.write_text(a_handoff("done").model_dump_json(), encoding="utf-8")
    before = file.read_bytes()
    (tmp_path / "link.json").symlink_to(file)

    for out in (file, tmp_path / "link.json"):
        done = run("handoff", file, "--format", form, "--out", out)
        assert isinstance(done.exception, SettingsError) and "choose another file" in str(done.exception)
    assert before == file.read_bytes()


def test_a_place_that_cannot_be_looked_at_is_told_by_both_commands(tmp_path: Path) -> None:
    """Exit 1, and no word of "nothing was kept"."""
    too_deep(tmp_path / "a")

    erased = run("erase", "c", "--journal", tmp_path)
    retired = run("retain", "--days", "30", "--journal", tmp_path)

    assert (1, 1) == (erased.exit_code, retired.exit_code)
    assert f"NOT erased: {tmp_path}/a/" in erased.output and "nothing was kept" not in erased.output
    assert f"NOT erased: {tmp_path}/a/" in retired.output


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("handoff", "open"), "not finished"),
        (("handoff", "nobody"), "not known"),
        (("handoff", "done", "--format", "fhir", "--ended-at", "noon"), "not a time"),
    ],
)
def test_what_cannot_be_shown_is_said_why(store: Path, arguments: tuple[str, ...], says: str) -> None:
    """One clear line each."""
    done = run(*arguments, "--store", f"sqlite:{store}")

    assert isinstance(done.exception, SettingsError) and says in str(done.exception)


@pytest.mark.parametrize("where", ["sqlite:/nowhere/ledger.sqlite", "postgres://x", "ledger.sqlite", "sqlite:"])
def test_an_address_that_is_none_is_refused_and_makes_no_file(where: str, tmp_path: Path) -> None:
    """A typing error must not look like an empty store in which nothing needs erasing."""
    done = run("erase", "done", "--store", where)

    assert isinstance(done.exception, SettingsError)
    assert done.exit_code != 0 and not list(tmp_path.iterdir())


def test_a_call_is_erased_from_ledger_journals_and_audio(store: Path, tmp_path: Path) -> None:
    """Everything that names the call goes; what names another call stays."""
    for call_id in ("done", "open"):
        writer = JournalWriter(call_id, (JsonlSink(tmp_path / "journals" / f"{call_id}.jsonl"),))
        writer.write(CallStarted(), 0.0)
        writer.close()
    database = SqliteSink(tmp_path / "journal.sqlite")
    writer = JournalWriter("done", (database,))
    writer.write(CallStarted(), 0.0)
    writer.close()
    (tmp_path / "audio").mkdir()
    (tmp_path / "audio" / "done.wav").write_bytes(b"RIFF")

    done = run(
        "erase", "done", "--store", f"sqlite:{store}", "--journal", tmp_path / "journals", "--journal",
        f"sqlite:{tmp_path / 'journal.sqlite'}", "--audio", tmp_path / "audio", "--json",
    )  # fmt: skip

    said = json.loads(done.stdout)
    assert (3, 1, 2, True) == (said["events"], said["handoffs"], said["journal_entries"], said["complete"])
    assert ["done.jsonl", "done.wav"] == said["files"]
    assert ["open.jsonl"] == [p.name for p in (tmp_path / "journals").iterdir()]
    assert [] == SqliteSink(tmp_path / "journal.sqlite").read("done")
    assert isinstance(run("handoff", "done", "--store", f"sqlite:{store}").exception, SettingsError)
    assert "nothing was kept" in run("erase", "done", "--journal", tmp_path / "journals").stdout


def test_a_place_that_could_not_be_erased_is_named_and_the_exit_says_so(tmp_path: Path) -> None:
    """A store that does not answer: exit 1, the rest is erased all the same."""
    (tmp_path / "audio").mkdir()
    (tmp_path / "audio" / "c.wav").write_bytes(b"RIFF")
    damaged = tmp_path / "damaged.sqlite"
    damaged.write_bytes(b"no database at all, but long enough to be looked at as one" * 20)

    done = run("erase", "c", "--store", f"sqlite:{damaged}", "--audio", tmp_path / "audio")

    assert 1 == done.exit_code and f"NOT erased: --store sqlite:{damaged}" in done.output
    assert not list((tmp_path / "audio").iterdir())


def test_only_what_is_old_and_passed_on_is_erased_for_its_age(store: Path, tmp_path: Path) -> None:
    """An open call and an unsent hand-off stay however old; young files stay; a day is the least."""
    journals = tmp_path / "journals"
    journals.mkdir()
    for name, age_days in (("old.jsonl", 40), ("young.jsonl", 2), ("old.txt", 40)):
        (journals / name).write_text("{}\n", encoding="utf-8")
        os.utime(journals / name, times=(time.time() - age_days * DAY_S,) * 2)
    with sqlite3.connect(store) as db:
        db.execute("UPDATE calls SET sent = sent - ? WHERE sent", (int(40 * DAY_S),))
    db.close()

    done = run("retain", "--days", "30", "--store", f"sqlite:{store}", "--journal", journals, "--json")

    said = json.loads(done.stdout)
    assert (["sent"], ["old.jsonl"], []) == (said["calls"], said["files"], said["failed"])
    assert ["old.txt", "young.jsonl"] == sorted(p.name for p in journals.iterdir())
    left = SqliteStore(store)
    assert (["open"], ["done"]) == asyncio.run(_names(left))
    assert isinstance(run("retain", "--days", "0.5", "--journal", journals).exception, CallerError)


async def _names(store: SqliteStore) -> tuple[list[str], list[str]]:
    found = await store.open_calls(), await store.unsent()
    await store.close()
    return found


async def test_a_store_that_expires_by_itself_is_left_alone_and_named() -> None:
    """Nothing is erased twice by two clocks."""
    done = await erase_older(2 * DAY_S, now_unix_s=1e9, stores=[MemoryStore()])

    assert ("MemoryStore",) == done.expiring


@pytest.mark.parametrize(
    ("where", "says"),
    [("redis://me:secret@127.0.0.1:1/0", "redis://127.0.0.1:1/0: .*server runs"), ("sqlite:{}", "is a ledger")],
)
def test_a_store_that_does_not_answer_is_named_with_the_fix(where: str, says: str, tmp_path: Path) -> None:
    """By its address without the password, and what to look at."""
    pytest.importorskip("redis", reason="the redis extra is not installed")
    file = tmp_path / "j.jsonl"
    file.write_text("no database, though long enough to be looked at as one\n" * 20, encoding="utf-8")

    done = run("handoff", "c", "--store", where.format(file))

    assert isinstance(done.exception, SettingsError) and re.search(says, str(done.exception))
    assert "secret" not in str(done.exception)


def test_a_hand_off_is_not_written_as_fhir_of_another_pathway(tmp_path: Path) -> None:
    """Numbers and dates would be read by the wrong pathway's rules."""
    pytest.importorskip("fhir.resources", reason="fhir.resources is not installed")
    file = tmp_path / "handoff.json"
    file.write_text(a_handoff("done").model_dump_json(), encoding="utf-8")

    done = run("handoff", file, "--format", "fhir", "--pathway", "heart-failure-discharge")

    assert isinstance(done.exception, SettingsError) and "give its own" in str(done.exception)
