"""Erasing one call and erasing by age find the same things at any depth, and say what they could not look at."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from obligations.stores import erase_call, erase_older
from tests.obligations.stores.calls import too_deep

pytestmark = pytest.mark.unit

DAY_S = 86_400.0
NOW_S = 1_800_000_000.0
PAGE = '<!doctype html><head><meta name="pipecat-interrupt-call" content="{}"></head><p>the patient\'s words'


def put(path: Path, text: str, *, days_old: float = 0.0) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    os.utime(path, times=(NOW_S - days_old * DAY_S,) * 2)
    return path


def line(call_id: str) -> str:
    return json.dumps({"call_id": call_id}) + "\n"


def left(folder: Path) -> list[str]:
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


async def test_a_folder_that_cannot_be_looked_into_is_named(tmp_path: Path) -> None:
    """By its path: nothing looks erased that was not looked at, and what could be looked at is erased all the same."""
    too_deep(tmp_path / "a")
    for erase in (erase_call("42", journals=[tmp_path]), erase_call("42", audio=[tmp_path])):
        put(tmp_path / "b" / "42.jsonl", line("42"))
        erased = await erase
        assert not erased.complete and erased.failed[0].startswith(f"{tmp_path}/a/")
        assert ("b/42.jsonl",) == erased.files
    for kind in ("journals", "audio"):
        put(tmp_path / "b" / "42.jsonl", line("42"), days_old=40)
        retired = await erase_older(30 * DAY_S, now_unix_s=NOW_S, **{kind: [tmp_path]})  # type: ignore[arg-type]
        assert retired.failed[0].startswith(f"{tmp_path}/a/")
        assert ("b/42.jsonl",) == retired.files


async def test_the_page_beside_a_journal_goes_with_it(tmp_path: Path) -> None:
    """Named as the journal, or `call.html`; another call's page stays."""
    put(tmp_path / "a.jsonl", line("42"))
    put(tmp_path / "a.html", PAGE.format("42"))
    put(tmp_path / "call.html", PAGE.format("42"))
    put(tmp_path / "b.jsonl", line("43"))
    put(tmp_path / "b.html", PAGE.format("43"))
    put(tmp_path / "handoff.json", json.dumps({"call_id": "42"}))
    put(tmp_path / "older.html", '<meta http-equiv="Content-Security-Policy"><title>T - S - 42</title>')

    done = await erase_call("42", journals=[tmp_path])

    assert ["b.html", "b.jsonl"] == left(tmp_path)
    assert {"a.jsonl", "a.html", "call.html", "handoff.json", "older.html"} == set(done.files)


async def test_a_journal_in_a_folder_of_its_own_takes_its_neighbours_along(tmp_path: Path) -> None:
    """As the demo leaves it: the folder's name says nothing of the call."""
    for name in ("call.wav", "handoff.md", "call.html", "notes.txt"):
        put(tmp_path / "stock" / name, "words")
    put(tmp_path / "stock" / "journal.jsonl", line("42"))

    await erase_call("42", journals=[tmp_path])

    assert ["stock/notes.txt"] == left(tmp_path)


@pytest.mark.parametrize("kind", ["journals", "audio"])
async def test_a_replay_goes_with_the_overviews_that_name_it(tmp_path: Path, kind: str) -> None:
    """The other calls' folders stay; the overviews are written anew by the next replay."""
    for call in ("42", "43"):
        for name in ("replay.json", "summary.json"):
            put(tmp_path / "out" / f"sv__{call}" / name, json.dumps({"call_id": call}))
    index = {"form": "pipecat-interrupt-replay-index", "calls": [{"call_id": "42"}], "refused": []}
    put(tmp_path / "out" / "index.json", json.dumps(index))
    for name in ("index.html", "calls.parquet"):
        put(tmp_path / "out" / name, "42")

    done = await erase_call("42", **{kind: [tmp_path]})  # type: ignore[arg-type]

    assert ["out/sv__43/replay.json", "out/sv__43/summary.json"] == left(tmp_path)
    assert done.complete and "out/sv__42" in done.files


async def test_depth_and_case_of_a_name_make_no_difference(tmp_path: Path) -> None:
    """`x.JSONL` and a year's folder of recordings are found by both."""
    put(tmp_path / "2026" / "11" / "x.JSONL", line("42"), days_old=40)
    put(tmp_path / "2026" / "11" / "42.wav", "RIFF", days_old=40)
    erased = await erase_call("42", journals=[tmp_path])
    assert ([], 1) == (left(tmp_path), erased.journal_entries)

    put(tmp_path / "2026" / "11" / "x.JSONL", line("42"), days_old=40)
    put(tmp_path / "2026" / "11" / "x.html", PAGE.format("42"), days_old=3)
    put(tmp_path / "2026" / "12" / "y.jsonl", line("43"), days_old=3)
    put(tmp_path / "2026" / "12" / "call.html", PAGE.format("42"), days_old=40)
    put(tmp_path / "2026" / "12" / "stranger.html", "<p>a page of somebody else's", days_old=40)
    put(tmp_path / "sound" / "2026" / "a.wav", "RIFF", days_old=40)
    put(tmp_path / "sound" / "2027" / "b.wav", "RIFF", days_old=3)

    retired = await erase_older(
        30 * DAY_S, now_unix_s=NOW_S, journals=[tmp_path / "2026"], audio=[tmp_path / "sound"]
    )  # fmt: skip

    assert ["2026/12/stranger.html", "2026/12/y.jsonl", "sound/2027/b.wav"] == left(tmp_path)
    assert ("11/x.JSONL", "11/x.html", "12/call.html", "2026/a.wav") == retired.files
    assert not (tmp_path / "sound" / "2026").exists()


async def test_a_replay_that_is_old_goes_whole(tmp_path: Path) -> None:
    """And the overviews with it; a young one stays."""
    put(tmp_path / "old" / "replay.json", "{}", days_old=40)
    put(tmp_path / "young" / "replay.json", "{}", days_old=40)
    put(tmp_path / "young" / "call.html", PAGE.format("1"), days_old=1)
    put(tmp_path / "index.html", "old, young", days_old=1)

    await erase_older(30 * DAY_S, now_unix_s=NOW_S, journals=[tmp_path])

    assert ["young/call.html", "young/replay.json"] == left(tmp_path)


async def test_a_journal_named_as_the_call_keeps_another_calls_lines(tmp_path: Path) -> None:
    """What names no call in it is the call's."""
    put(tmp_path / "42.jsonl", line("42") + line("43") + '{"torn')

    await erase_call("42", journals=[tmp_path])

    assert line("43") == (tmp_path / "42.jsonl").read_text(encoding="utf-8")


async def test_a_link_to_a_journal_elsewhere_is_named_and_not_taken_for_erased(tmp_path: Path) -> None:
    """The words stand in a place that nobody named."""
    elsewhere = put(tmp_path / "elsewhere" / "j.jsonl", line("42"))
    (tmp_path / "journals").mkdir()
    (tmp_path / "journals" / "j.jsonl").symlink_to(elsewhere)

    done = await erase_call("42", journals=[tmp_path / "journals"])

    assert not done.complete and line("42") == elsewhere.read_text(encoding="utf-8")
