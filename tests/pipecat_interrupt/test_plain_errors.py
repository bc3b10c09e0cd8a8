"""Errors on the command line say what happened, where, and what to do."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from pipecat_interrupt.journal import ChainError, JournalWriter, read_jsonl, verify_chain
from pipecat_interrupt.journal.entries import CallEnded, CallStarted, NoteGiven
from pipecat_interrupt.journal.sinks import JsonlSink
from pipecat_interrupt.plain_errors import plain_os_error

pytestmark = pytest.mark.unit


@pytest.mark.parametrize("code", [errno.ENOENT, errno.EACCES, errno.EISDIR, errno.ENOSPC, errno.EADDRINUSE, 9999])
def test_no_number_of_the_operating_system_is_shown(code: int) -> None:
    """What, where, fix: also for an error nobody has thought of."""
    text = plain_os_error(OSError(code, os.strerror(code), "calls/journal.jsonl"))

    assert text.startswith("calls/journal.jsonl: ")
    assert "; " in text
    assert "Errno" not in text
    assert str(code) not in text or code == 9999


def test_an_error_without_a_path_still_says_what_to_do() -> None:
    """A refused connection has no file."""
    text = plain_os_error(ConnectionRefusedError(errno.ECONNREFUSED, "Connection refused"))

    assert "nothing listens there; start the server, or check host and port" == text


def a_journal(tmp_path: Path) -> Path:
    path = tmp_path / "call.jsonl"
    writer = JournalWriter("c", (JsonlSink(path),))
    writer.write(CallStarted(pathway="p"), 0.0)
    writer.write(NoteGiven(text="one"), 1.0)
    writer.write(CallEnded(reason="completed"), 2.0)
    writer.close()
    return path


@pytest.mark.parametrize(
    ("edit", "what"),
    [
        (
            lambda lines: [lines[0], lines[2]],
            "call.jsonl:2: entry 2 stands where entry 1 should: one is missing or moved",
        ),
        (lambda lines: [lines[0], lines[1].replace("one", "two"), lines[2]], "call.jsonl:2: entry 1 (note) was"),
        (lambda lines: lines[1:], "call.jsonl:1: entry 1 stands where entry 0 should"),
    ],
)
def test_a_broken_chain_names_file_line_fault_and_fix(tmp_path: Path, edit: object, what: str) -> None:
    """And how far the journal can still be trusted."""
    path = a_journal(tmp_path)
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join(edit(lines)) + "\n", encoding="utf-8")  # type: ignore[operator]

    with pytest.raises(ChainError) as caught:
        verify_chain(read_jsonl(path), path.name)

    assert what in str(caught.value)
    assert "intact" in str(caught.value) or "vouch" in str(caught.value)
    assert "Compare it with a copy" in str(caught.value)


def test_a_line_that_is_no_entry_is_named_without_its_words(tmp_path: Path) -> None:
    """They may be the patient's."""
    path = a_journal(tmp_path)
    path.write_text(path.read_text(encoding="utf-8") + '{"call_id": "my chest hurts"}\n', encoding="utf-8")

    with pytest.raises(ChainError) as caught:
        read_jsonl(path)

    assert "call.jsonl:4: not a journal entry" in str(caught.value)
    assert "chest" not in str(caught.value)
