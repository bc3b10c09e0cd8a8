"""What the board keeps: versions that rise, bounds that hold, nothing told twice as new."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipecat_interrupt.board import Board, BoardSettings, FolderFeed, RegistryFeed
from pipecat_interrupt.board.hub import GONE_MAX
from pipecat_interrupt.journal import JournalEntry
from pipecat_interrupt.kit import InterruptKit
from pipecat_interrupt.serve import CallRegistry, Provider
from tests.pipecat_interrupt.page.journals import Story

pytestmark = pytest.mark.unit


class Clock:
    """A clock that is moved by hand."""

    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def _told(board: Board, story: Story) -> Board:
    board.take_all(story.entries)
    board.catch_up()
    return board


def test_a_watcher_is_told_what_changed_since_and_nothing_else() -> None:
    """Two calls, one of which goes on: only that one, at its newest version."""
    board, first, second = Board(), Story(call_id="a"), Story(call_id="b")
    _told(_told(board, first), second)
    before = board.version

    _told(board, first.says("Hello.").replies("Yes."))

    (change,) = board.changes(before) or []
    assert (change.key, change.version, change.gone) == (board.key_of("a"), board.version, False)
    assert board.changes(board.version) == []
    assert [c.key for c in board.changes(0) or []] == [board.key_of("b"), board.key_of("a")]


def test_entries_that_come_twice_change_nothing() -> None:
    """A feed may read a journal again."""
    board, story = Board(), Story().says("Hello.")
    _told(board, story)
    before = board.version

    _told(board, story)

    assert board.version == before


def test_a_call_that_ended_stays_for_its_time_and_then_goes() -> None:
    """At the bound it stands, past it a watcher is told that it went."""
    clock = Clock()
    board = Board(BoardSettings(keep_ended_s=60), clock)
    _told(board, Story(call_id="a").ends())
    before = board.version

    clock.now_s = 60.0
    board.catch_up()
    assert board.keys == (board.key_of("a"),)

    clock.now_s = 60.1
    board.catch_up()
    assert board.keys == ()
    assert [(c.key, c.gone) for c in board.changes(before) or []] == [(board.key_of("a"), True)]


def test_a_call_without_news_is_taken_off() -> None:
    """A worker that died leaves no patient's words standing on a screen for ever."""
    clock = Clock()
    board = Board(BoardSettings(silent_s=100), clock)
    _told(board, Story())

    clock.now_s = 100.1
    board.catch_up()

    assert board.keys == ()


def test_one_call_too_many_takes_the_place_of_an_ended_one_or_is_counted() -> None:
    """Calls in progress are never pushed off."""
    board = Board(BoardSettings(calls_max=2))
    _told(_told(board, Story(call_id="ended").ends()), Story(call_id="running"))

    _told(board, Story(call_id="new"))
    assert set(board.keys) == {board.key_of("running"), board.key_of("new")}
    assert board.refused_calls == 0

    _told(board, Story(call_id="too-many").says("Hello."))
    assert board.refused_calls == 1
    assert set(board.keys) == {board.key_of("running"), board.key_of("new")}


def test_a_full_inbox_drops_the_oldest_and_counts() -> None:
    """What takes entries from a call never waits and never grows past its bound."""
    board, story = Board(BoardSettings(inbox_max=100)), Story()
    for _ in range(99):
        story.replies("Yes.")

    board.take_all(story.entries[:100])
    assert board.missed_entries == 0
    board.take_all(story.entries[100:101])
    assert board.missed_entries == 1


def test_a_watcher_too_far_behind_starts_anew() -> None:
    """When it is no longer known what went, everything is told again; so is it after a restart."""
    clock = Clock()
    board = Board(BoardSettings(keep_ended_s=0), clock)
    for number in range(GONE_MAX + 1):
        clock.now_s += 1.0
        _told(board, Story(call_id=str(number)).ends())
    clock.now_s += 1.0
    board.catch_up()

    assert board.changes(0) is None
    assert board.changes(board.version) == []
    assert board.changes(board.version + 1) is None


def test_an_entry_that_cannot_be_read_harms_no_other_call() -> None:
    """It is passed over; the board goes on."""

    class Broken:
        call_id = None

    board = Board()
    board.take(Broken())  # pyright: ignore[reportArgumentType] - what the test is about
    _told(board, Story(call_id="a"))

    assert board.keys == (board.key_of("a"),)


@given(cuts=st.lists(st.integers(0, 40), max_size=6))
def test_a_watcher_that_comes_back_at_any_time_ends_up_with_what_stands(cuts: list[int]) -> None:
    """Told only changes since its last version, it holds the same calls at the same versions as the board."""
    board, stories = Board(), [Story(call_id=str(n)) for n in range(3)]
    entries: list[JournalEntry] = []
    for turn in range(4):
        for story in stories:
            entries += story.says(f"Sentence {turn}.").entries[len(story.entries) - 4 :]
    held: dict[str, int] = {}
    version = 0
    for number, entry in enumerate(entries):
        board.take(entry)
        if number in cuts or number == len(entries) - 1:
            board.catch_up()
            for change in board.changes(version) or []:
                assert change.version > version
                version, held[change.key] = change.version, change.version

    assert sorted(held) == sorted(board.keys)
    assert max(held.values()) == board.version


def test_a_folder_of_journals_is_followed_as_it_is_written(tmp_path: Path) -> None:
    """Whole lines only, each once; a torn line comes when it is whole, and what is no journal is passed over."""
    feed, taken = FolderFeed(tmp_path), list[JournalEntry]()
    lines = [e.model_dump_json() + "\n" for e in Story().says("Hello.").entries]
    path = tmp_path / "ward" / "c1.jsonl"
    path.parent.mkdir()
    (tmp_path / "notes.jsonl").write_text('{"not": "a journal"}\n', encoding="utf-8")

    path.write_text("".join(lines[:2]) + lines[2][:10], encoding="utf-8")
    feed.poll(taken.append)
    assert [e.seq for e in taken] == [0, 1]

    path.write_text("".join(lines), encoding="utf-8")
    feed.poll(taken.append)
    feed.poll(taken.append)
    assert [e.seq for e in taken] == list(range(len(lines)))


def test_a_line_that_cannot_be_read_costs_a_call_that_line_only(tmp_path: Path) -> None:
    """A disk's fault in mid-call does not take the call off the board."""
    taken = list[JournalEntry]()
    lines = [e.model_dump_json() + "\n" for e in Story().says("Hello.").entries]
    lines[2] = "{torn\n"
    (tmp_path / "c1.jsonl").write_text("".join(lines), encoding="utf-8")

    FolderFeed(tmp_path).poll(taken.append)

    assert [e.seq for e in taken] == [n for n in range(len(lines)) if n != 2]


def test_an_old_journal_is_no_call_in_progress(tmp_path: Path) -> None:
    """A folder full of archives shows nothing; a symbolic link is not followed."""
    taken = list[JournalEntry]()
    path = tmp_path / "old.jsonl"
    path.write_text("".join(e.model_dump_json() + "\n" for e in Story().entries), encoding="utf-8")
    (tmp_path / "link.jsonl").symlink_to(path)

    FolderFeed(tmp_path, newer_than_s=60).poll(taken.append, now_s=path.stat().st_mtime + 61)
    assert taken == []
    FolderFeed(tmp_path, newer_than_s=60).poll(taken.append, now_s=path.stat().st_mtime + 60)
    assert len(taken) == 2


async def test_the_calls_of_a_phone_server_are_followed() -> None:
    """What is in a call's journal already and what comes later; the end of the call as well."""
    registry, board = CallRegistry(), Board()
    running = asyncio.ensure_future(RegistryFeed(registry).run(board))
    await asyncio.sleep(0)
    call = registry.promise(Provider.TWILIO, "carrier-1")
    assert call is not None
    registry.begin(call.id)
    registry.attach(call, InterruptKit("cataract-followup", call_id=call.id))
    await asyncio.sleep(0.01)
    board.catch_up()

    view = board.view(board.key_of(call.id))
    assert view is not None and view.title == "Follow-up after a cataract operation"
    assert not view.over
    registry.over(call, "hang_up")
    await asyncio.sleep(0.01)
    running.cancel()
    after = board.view(board.key_of(call.id))
    assert after is not None and (after.over, after.ended) == (True, "hang_up")
