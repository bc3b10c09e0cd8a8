"""A key that stands twice in one object: every reader of a journal and of a hand-off file refuses it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pipecat_interrupt.cli.app import app
from pipecat_interrupt.errors import SettingsError
from pipecat_interrupt.journal import ChainError, JournalWriter, JsonlSink, read_jsonl
from pipecat_interrupt.journal.entries import CallEnded, CallStarted, PatientTurn
from pipecat_interrupt.one_key import repeated_key
from pipecat_interrupt.replay.errors import RecordingRefused
from pipecat_interrupt.replay.readers.journal import read_journal
from tests.obligations.stores.calls import a_handoff

pytestmark = pytest.mark.unit

RUNNER = CliRunner()
# Where a second key can be slipped into the patient's line: before the true one, behind it, at any depth, equal or not.
FORGERIES: dict[str, Callable[[str], str]] = {
    "other words first": lambda line: line.replace('"text":"No."', '"text":"Yes, it is red.","text":"No."'),
    "the same words twice": lambda line: line.replace('"text":"No."', '"text":"No.","text":"No."'),
    "written as an escape": lambda line: line.replace('"text":"No."', '"\\u0074ext":"Yes.","text":"No."'),
    "a field of the line": lambda line: line.replace('"at_s":1.0', '"at_s":9.0,"at_s":1.0'),
    "the whole payload": lambda line: line.replace('"data":{', '"data":{},"data":{'),
    "the digest": lambda line: line[:-1] + ',"digest"' + line.rpartition('"digest"')[2],
}


def _journal(path: Path, *, ended: bool = True, forge: Callable[[str], str] | None = None) -> Path:
    writer = JournalWriter("call-1", (JsonlSink(path),))
    writer.write(CallStarted(pathway="p"), 0.0)
    writer.write(PatientTurn(text="No.", speaker="primary"), 1.0)
    if ended:
        writer.write(CallEnded(reason="goodbye"), 9.0)
    writer.close()
    if forge is not None:
        lines = path.read_text(encoding="utf-8").split("\n")
        forged = forge(lines[1])
        assert forged != lines[1]
        path.write_text("\n".join([lines[0], forged, *lines[2:]]), encoding="utf-8")
    return path


@pytest.mark.parametrize("forge", FORGERIES.values(), ids=FORGERIES)
def test_a_key_given_twice_is_refused_with_its_line(tmp_path: Path, forge: Callable[[str], str]) -> None:
    """The digest covers what a reader keeps; the other key could show a person anything."""
    journal = _journal(tmp_path / "j.jsonl", forge=forge)

    with pytest.raises(ChainError, match=r"j\.jsonl:2: the key '\w+' stands twice") as refused:
        read_jsonl(journal)

    assert "it is red" not in str(refused.value)  # no patient's words in a message


@pytest.mark.parametrize("last", ["\n", ""], ids=["whole", "torn"])
def test_a_last_line_with_a_key_twice_is_never_taken(tmp_path: Path, last: str) -> None:
    """A torn line is left out, as ever; a whole one is refused."""
    journal = _journal(tmp_path / "j.jsonl")
    lines = (
        journal.read_text(encoding="utf-8")
        .rstrip("\n")
        .replace('"kind":"call_ended"', '"kind":"x","kind":"call_ended"')
    )
    journal.write_text(lines + last, encoding="utf-8")

    if last:
        with pytest.raises(ChainError, match=":3:"):
            read_jsonl(journal)
    else:
        assert [e.data.kind for e in read_jsonl(journal)] == ["call_started", "patient_turn"]


@pytest.mark.parametrize("verb", ["verify", "show", "export", "page"])
def test_every_command_refuses_it(tmp_path: Path, verb: str) -> None:
    """None writes or shows anything of such a journal."""
    journal, out = _journal(tmp_path / "j.jsonl", forge=FORGERIES["other words first"]), tmp_path / "out"
    command = {"page": ["page", str(journal), "--out", str(out)]}.get(verb, ["journal", verb, str(journal)])

    done = RUNNER.invoke(app, [*command, *(["--out", str(out)] if verb == "export" else [])])

    assert isinstance(done.exception, ChainError)
    assert (done.output, out.exists()) == ("", False)


def test_a_replay_refuses_it(tmp_path: Path) -> None:
    """A batch puts it aside, and says which line."""
    with pytest.raises(RecordingRefused, match=":2:"):
        read_journal(_journal(tmp_path / "j.jsonl", forge=FORGERIES["other words first"]))


def test_a_hand_off_file_with_a_key_twice_is_refused(tmp_path: Path) -> None:
    """What a team reads must be what a program would read."""
    file = tmp_path / "handoff.json"
    text = a_handoff("done").model_dump_json()
    file.write_text(text.replace('"end_reason":', '"end_reason":"completed","end_reason":', 1), encoding="utf-8")

    done = RUNNER.invoke(app, ["handoff", str(file)])

    assert isinstance(done.exception, SettingsError)
    assert "'end_reason' stands twice" in str(done.exception)


@pytest.mark.parametrize("text", ["", "no json", "[" * 100_000, '{"a":1', b"\xff", '{"a":{"b":1},"b":1,"c":[{"b":1}]}'])
def test_what_repeats_no_key_names_none(text: str | bytes) -> None:
    """The same name in two objects is no repetition, and garbage is the reader's to refuse."""
    assert repeated_key(text) is None


@pytest.mark.parametrize(
    ("ended", "option", "code"),
    [(True, [], 0), (True, ["--open"], 0), (False, [], 3), (False, ["--open"], 0)],
    ids=["ended", "ended and open", "no end", "no end and open"],
)
def test_a_journal_without_its_end_has_an_exit_code_of_its_own(
    tmp_path: Path, ended: bool, option: list[str], code: int
) -> None:
    """A cut-off tail leaves the chain intact: a script must not take that for a whole journal."""
    done = RUNNER.invoke(app, ["journal", "verify", *option, str(_journal(tmp_path / "j.jsonl", ended=ended))])

    assert done.exit_code == code
    assert "chain intact" in done.output
    assert ("no end of the call" in done.output) is not ended
