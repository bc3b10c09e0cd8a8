"""Commands given something odd: one line that says what it is and what to write instead, and nothing is made."""

from __future__ import annotations

import re
import socket
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from obligations.errors import PathwayError, UnknownPathway
from obligations.pathway import load_pathway, parse_pathway
from pipecat_interrupt.cli.app import app
from pipecat_interrupt.cli.serve import _store
from pipecat_interrupt.cli.targets import check_port
from pipecat_interrupt.errors import MissingExtra, SettingsError
from pipecat_interrupt.journal import ChainError, JournalWriter, JsonlSink
from pipecat_interrupt.journal.entries import CallStarted
from pipecat_interrupt.page import read_wav
from pipecat_interrupt.plain_errors import plain_os_error
from pipecat_interrupt.serve.config import ServeConfig
from tests.pipecat_interrupt.page.recorded import entries, sound, write_wav

pytestmark = pytest.mark.unit

RUNNER = CliRunner()


def test_an_altered_journal_is_shown_and_told_to_be_broken(tmp_path: Path) -> None:
    """What is there can be read; the exit and the message say that it does not hold."""
    path = tmp_path / "c.jsonl"
    writer = JournalWriter("c", (JsonlSink(path),))
    writer.write(CallStarted(system="ours"), 0.0)
    writer.close()
    assert RUNNER.invoke(app, ["journal", "show", str(path)]).exit_code == 0
    path.write_text(path.read_text(encoding="utf-8").replace('"ours"', '"mine"'), encoding="utf-8")

    done = RUNNER.invoke(app, ["journal", "show", str(path)])

    assert isinstance(done.exception, ChainError) and "altered" in str(done.exception)
    assert "call_started" in done.output


def test_a_new_pathway_has_a_name_that_check_takes(tmp_path: Path) -> None:
    """A name without .yaml is refused before a file is made; so is a folder that is missing."""
    refused = RUNNER.invoke(app, ["pathway", "new", str(tmp_path / "mine")])
    missing = RUNNER.invoke(app, ["pathway", "new", str(tmp_path / "none" / "mine.yaml")])

    said = re.sub(r"[│\s]+", "", refused.output)  # however the box breaks the line
    assert refused.exit_code == 2 and "mine.yaml" in said
    assert isinstance(missing.exception, SettingsError)
    assert not list(tmp_path.iterdir())
    assert RUNNER.invoke(app, ["pathway", "new", str(tmp_path / "mine.yaml")]).exit_code == 0
    assert RUNNER.invoke(app, ["pathway", "check", str(tmp_path / "mine.yaml")]).exit_code == 0


def test_what_is_there_but_no_pathway_file_is_called_what_it_is(tmp_path: Path) -> None:
    """A folder, a file of another ending, a folder that ends in .yaml; not "no bundled pathway"."""
    (tmp_path / "x.json").write_text("{}", encoding="utf-8")
    (tmp_path / "p.yaml").mkdir()

    for path, says in ((tmp_path, "is a folder"), (tmp_path / "x.json", "rename it"), (tmp_path / "p.yaml", "folder")):
        with pytest.raises(UnknownPathway, match=says):
            load_pathway(path)


def test_a_file_that_unfolds_without_end_is_told_of_its_aliases() -> None:
    """Indentation has nothing to do with it."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 7)]

    with pytest.raises(PathwayError, match="aliases") as refused:
        parse_pathway("\n".join(lines))
    assert "indentation" not in str(refused.value)


def test_a_recording_is_written_into_no_folder_that_is_missing(tmp_path: Path) -> None:
    """Said before the call is made, not after it."""
    done = RUNNER.invoke(
        app, ["call-simulator", "http://127.0.0.1:1/twilio/voice", "--record", str(tmp_path / "none" / "x.wav")]
    )

    assert isinstance(done.exception, SettingsError) and "no folder" in str(done.exception)
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("data", "says"), [(b"", "it is empty"), (b"RIFF", "not a WAV"), (None, "promises 2000000000 bytes")]
)
def test_a_wav_that_is_not_whole_is_called_what_it_is(tmp_path: Path, data: bytes | None, says: str) -> None:
    """Empty, no WAV, or cut off: a page with half the sound would not say so."""
    path = tmp_path / "call.wav"
    if data is None:
        write_wav(path, sound(entries()))
        whole = bytearray(path.read_bytes())
        whole[40:44] = (2_000_000_000).to_bytes(4, "little")
        data = bytes(whole)
    path.write_bytes(data)

    with pytest.raises(SettingsError, match=says):
        read_wav(path)


def test_a_recording_without_a_sample_is_refused_and_one_of_unknown_length_is_taken(tmp_path: Path) -> None:
    """A recorder that cannot go back writes a length that means "not known"."""
    path = tmp_path / "call.wav"
    write_wav(path, sound(entries()))
    whole = path.read_bytes()
    path.write_bytes(whole[:40] + b"\xff\xff\xff\x7f" + whole[44:])
    assert len(read_wav(path)[0]) > 0

    path.write_bytes(whole[:40] + bytes(4))
    with pytest.raises(SettingsError, match="no sound"):
        read_wav(path)


def test_a_board_without_its_packages_is_told_how_to_get_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One install line, no traceback."""
    monkeypatch.setitem(sys.modules, "uvicorn", None)

    done = RUNNER.invoke(app, ["board", str(tmp_path)])

    assert isinstance(done.exception, MissingExtra) and "[board]" in str(done.exception)


def test_a_store_named_by_the_environment_is_called_by_its_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`serve` has no --store to blame."""
    for where in ("nowhere:x", "redis://h:port/0"):
        monkeypatch.setenv("PIPECAT_INTERRUPT_STORE", where)
        with pytest.raises(SettingsError, match="PIPECAT_INTERRUPT_STORE") as refused:
            _store(ServeConfig(out=tmp_path))
        assert "--store" not in str(refused.value)


def test_a_port_that_is_taken_is_named_before_anything_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """With its address and the fix, and no webhook that nobody serves."""
    monkeypatch.setenv("PIPECAT_INTERRUPT_BOARD_TOKEN", "x" * 40)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        with pytest.raises(OSError) as refused:
            check_port("127.0.0.1", int(port))
        done = RUNNER.invoke(app, ["serve", "--port", port, "--unsigned", "--local"])

    assert f"--port {port}" in plain_os_error(refused.value) and "another port" in plain_os_error(refused.value)
    assert isinstance(done.exception, OSError) and "webhook" not in done.output
    check_port("127.0.0.1", 0)


def test_a_store_that_cannot_be_erased_from_is_named_with_the_fix(tmp_path: Path) -> None:
    """By its address, without its password."""
    (tmp_path / "j.jsonl").write_text("{}\n" * 300, encoding="utf-8")

    for command in (["erase", "c"], ["retain", "--days", "3"]):
        done = RUNNER.invoke(app, [*command, "--store", f"sqlite:{tmp_path / 'j.jsonl'}"])
        assert 1 == done.exit_code
        assert f"--store sqlite:{tmp_path / 'j.jsonl'}" in done.output and "is a ledger" in done.output
