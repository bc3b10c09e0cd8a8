"""The journal: sealed in order, whole after a crash, and a changed line is found."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipecat_interrupt.journal import (
    ChainError,
    JournalEntry,
    JournalWriter,
    JsonlSink,
    MemorySink,
    entry_schema,
    read_jsonl,
    verify_chain,
)
from pipecat_interrupt.journal.entries import CallEnded, CallStarted, MoveMade, PatientTurn

pytestmark = pytest.mark.unit


class FailingSink:
    """Refuses the first `failures` entries, then works."""

    def __init__(self, failures: int) -> None:
        self.failures, self.entries, self.closed = failures, list[JournalEntry](), False

    def append(self, entry: JournalEntry) -> None:
        if self.failures > 0:
            self.failures -= 1
            raise OSError("disk full")
        self.entries.append(entry)

    def close(self) -> None:
        self.closed = True


def _written(path: Path, words: list[str]) -> list[JournalEntry]:
    writer = JournalWriter("call-1", (JsonlSink(path),))
    writer.write(CallStarted(pathway="p"), 0.0)
    for at_s, word in enumerate(words, start=1):
        writer.write(PatientTurn(text=word, speaker="primary"), float(at_s))
    writer.write(CallEnded(reason="goodbye"), 99.0)
    writer.close()
    return read_jsonl(path)


def test_a_written_journal_reads_back_whole_and_in_order(tmp_path: Path) -> None:
    """Entries come back typed, numbered from 0, with an unbroken chain."""
    entries = _written(tmp_path / "j.jsonl", ["no", "yes"])

    assert [e.data.kind for e in entries] == ["call_started", "patient_turn", "patient_turn", "call_ended"]
    assert verify_chain(entries) == 4


@given(
    words=st.lists(st.text(max_size=20), min_size=1, max_size=5),
    place=st.integers(0, 100),
    letter=st.sampled_from("xq7"),
)
def test_any_changed_word_is_found(words: list[str], place: int, letter: str) -> None:
    """Altering the text of any entry breaks the chain at that entry."""
    memory = MemorySink()
    writer = JournalWriter("c", (memory,))
    for word in words:
        writer.write(PatientTurn(text=word, speaker="primary"), 1.0)
    index = place % len(words)
    entry = memory.entries[index]
    forged = entry.model_copy(update={"data": PatientTurn(text=words[index] + letter, speaker="primary")})

    with pytest.raises(ChainError, match=f"entry {index}"):
        verify_chain([*memory.entries[:index], forged, *memory.entries[index + 1 :]])


def test_a_missing_entry_is_found(tmp_path: Path) -> None:
    """Taking a line out leaves a gap that verification names."""
    entries = _written(tmp_path / "j.jsonl", ["no", "yes"])

    with pytest.raises(ChainError, match="missing or moved"):
        verify_chain([entries[0], *entries[2:]])


def test_a_line_torn_by_a_crash_does_not_spoil_the_journal(tmp_path: Path) -> None:
    """A half-written last line is left out on reading, and a restarted writer continues behind the last whole entry."""
    path = tmp_path / "j.jsonl"
    before = _written(path, ["no"])
    with path.open("a", encoding="utf-8") as file:
        file.write('{"v":1,"seq":3,"at')

    survivors = read_jsonl(path)
    writer = JournalWriter("call-1", (JsonlSink(path),), start_from=survivors[-1])
    writer.write(PatientTurn(text="still here", speaker="primary"), 100.0)
    writer.close()

    assert survivors == before
    assert verify_chain(read_jsonl(path)) == len(before) + 1


def test_a_line_that_is_no_entry_is_named_by_file_and_line(tmp_path: Path) -> None:
    """Garbage in the middle is an error that says where."""
    path = tmp_path / "j.jsonl"
    _written(path, ["no"])
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], "{}", *lines[1:]]) + "\n")

    with pytest.raises(ChainError, match=r"j\.jsonl:2"):
        read_jsonl(path)


def test_a_failing_sink_loses_nothing_and_raises_nothing() -> None:
    """What a sink refused stands in the spill, and is offered again at the end in the original order."""
    broken, spill = FailingSink(failures=1), MemorySink()
    writer = JournalWriter("c", (broken,), spill=spill)

    for at_s in range(3):
        writer.write(MoveMade(purpose="ask", item_ids=("q",)), float(at_s))
    writer.close()

    assert [e.seq for e in broken.entries] == [0, 1, 2]
    assert [e.seq for e in spill.entries] == [0, 1, 2]
    assert writer.lost_entries == 0
    assert broken.closed


def test_after_close_nothing_is_written() -> None:
    """A late fact of a call that is over changes nothing."""
    memory = MemorySink()
    writer = JournalWriter("c", (memory,))
    writer.close()

    assert writer.write(MoveMade(purpose="ask"), 1.0) is None
    assert memory.entries == []


def test_a_listener_that_fails_does_not_touch_the_call() -> None:
    """Listeners are told at once; their faults stay theirs."""
    seen: list[int] = []

    def broken(entry: JournalEntry) -> None:
        raise RuntimeError("listener")

    writer = JournalWriter("c")
    writer.add_listener(broken)
    writer.add_listener(lambda e: seen.append(e.seq))

    writer.write(MoveMade(purpose="ask"), 1.0)

    assert seen == [0]


def test_the_schema_names_every_kind() -> None:
    """A reader in another language can tell the kinds from the exported schema."""
    text = str(entry_schema())

    assert all(
        kind in text for kind in ("call_started", "utterance", "overlap", "patient_turn", "ledger", "call_ended")
    )
