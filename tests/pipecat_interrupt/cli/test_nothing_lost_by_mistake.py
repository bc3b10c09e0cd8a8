"""Commands that take something away: only what was named, and never quietly nothing."""

from __future__ import annotations

import json
import os
import wave
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from obligations.answers.reader import LocalAnswerReader
from obligations.testing.pathways import a_pathway, a_question
from obligations.tracker import Tracker
from pipecat_interrupt.blank_words import blank_word
from pipecat_interrupt.cli.app import app, main
from pipecat_interrupt.cli.kept import refuse_places
from pipecat_interrupt.errors import SettingsError
from pipecat_interrupt.journal import JournalWriter, JsonlSink
from pipecat_interrupt.journal.databases import SqliteSink
from pipecat_interrupt.journal.entries import CallStarted
from pipecat_interrupt.journal.spill import SUFFIX
from pipecat_interrupt.testing.carrier import is_recording, write_stereo

pytestmark = pytest.mark.unit

RUNNER = CliRunner()


def test_a_calls_own_journal_is_no_spill_and_stays(tmp_path: Path) -> None:
    """Moved into a database by mistake it could be read by no other command."""
    journal = tmp_path / "journal.jsonl"
    journal.write_text("{}\n", encoding="utf-8")

    done = RUNNER.invoke(app, ["journal", "reconcile", str(journal), "--sqlite", str(tmp_path / "new.sqlite")])

    assert isinstance(done.exception, SettingsError)
    assert journal.exists()


@pytest.mark.parametrize(
    "places", [[], ["--journal", "nowhere"], ["--audio", "nowhere"]], ids=["none", "no journal", "no audio"]
)
@pytest.mark.parametrize("verb", [["erase", "call-1"], ["retain", "--days", "30"]], ids=["erase", "retain"])
def test_a_place_that_is_not_there_is_no_finished_erasure(verb: list[str], places: list[str]) -> None:
    """A mistyped folder must not look like a call that was erased."""
    done = RUNNER.invoke(app, [*verb, *places])

    assert isinstance(done.exception, SettingsError)


def test_erasing_a_call_takes_its_whole_folder_and_no_other(tmp_path: Path) -> None:
    """The phone server writes one folder a call: journal, hand-off, page, sound."""
    for call in ("call-1", "call-2"):
        folder = tmp_path / call
        folder.mkdir()
        (folder / "journal.jsonl").write_text(json.dumps({"call_id": call}) + "\n", encoding="utf-8")
        (folder / "handoff.md").write_text("the patient's words", encoding="utf-8")

    done = RUNNER.invoke(app, ["erase", "call-1", "--journal", str(tmp_path)])

    assert done.exit_code == 0, done.output
    assert not (tmp_path / "call-1").exists()
    assert {"journal.jsonl", "handoff.md"} == {p.name for p in (tmp_path / "call-2").iterdir()}


@pytest.mark.parametrize("webhook", ["nonsense", "ftp://x/y"])
def test_an_address_that_no_carrier_could_call_is_refused_by_name(webhook: str) -> None:
    """No traceback of the client library."""
    done = RUNNER.invoke(app, ["call-simulator", webhook])

    assert done.exit_code == 2
    assert not isinstance(done.exception, ValueError)


def test_a_database_that_cannot_be_had_leaves_the_spill_file(tmp_path: Path) -> None:
    """Named, without a traceback; nothing is taken away."""
    spill = tmp_path / f"x{SUFFIX}"
    spill.write_text("", encoding="utf-8")

    done = RUNNER.invoke(app, ["journal", "reconcile", str(spill), "--redis", "nonsense"])

    assert isinstance(done.exception, SettingsError), done.exception
    assert spill.exists()


def _kept(path: Path) -> Path:
    writer = JournalWriter(path.stem, (SqliteSink(path) if path.suffix == ".sqlite" else JsonlSink(path),))
    writer.write(CallStarted(), 0.0)
    writer.close()
    return path


WRITING = {
    "page": ["page", "{}", "--no-audio", "--out"],
    "csv": ["journal", "export", "{}", "--out"],
    "jsonl": ["journal", "export", "{}", "--form", "jsonl", "--out"],
    "parquet": ["journal", "export", "{}", "--form", "parquet", "--out"],
    "record": ["call-simulator", "http://127.0.0.1:9/x", "--seconds", "1", "--record"],
}


@pytest.mark.parametrize("name", ["other.jsonl", "renamed.html", "other.sqlite", "torn.JSONL"])
@pytest.mark.parametrize("verb", WRITING)
def test_no_command_writes_over_another_calls_journal(tmp_path: Path, verb: str, name: str) -> None:
    """It is the only record of that call; by its name or by what stands in it, it is known and stays."""
    journal = _kept(tmp_path / "call.jsonl")
    other = _kept(tmp_path / ("o.sqlite" if name.endswith("sqlite") else "o.jsonl")).rename(tmp_path / name)
    if name.startswith("torn"):
        other.write_bytes(b"torn")
    before = other.read_bytes()

    done = RUNNER.invoke(app, [*(part.replace("{}", str(journal)) for part in WRITING[verb]), str(other)])

    assert isinstance(done.exception, SettingsError), done.output
    assert "is a journal" in str(done.exception)
    assert other.read_bytes() == before


@pytest.mark.parametrize("verb", ["page", "csv", "jsonl"])
def test_a_page_or_an_export_replaces_only_an_earlier_one_of_its_own(tmp_path: Path, verb: str) -> None:
    """Anything else that is there was not made by this command, and stays; the message says how to go on."""
    journal, out = _kept(tmp_path / "call.jsonl"), tmp_path / "notes.txt"
    out.write_text("the nurse's notes", encoding="utf-8")
    command = [*(part.replace("{}", str(journal)) for part in WRITING[verb])]

    refused = RUNNER.invoke(app, [*command, str(out)])
    first = RUNNER.invoke(app, [*command, str(tmp_path / "new")])
    again = RUNNER.invoke(app, [*command, str(tmp_path / "new")])

    assert "take that one away first" in str(refused.exception)
    assert out.read_text(encoding="utf-8") == "the nurse's notes"
    assert first.exit_code == 0, first.output
    assert again.exit_code == (1 if verb == "jsonl" else 0)


def _handoff(path: Path, call_id: str) -> Path:
    pathway = a_pathway(a_question("fever", "Have you had any fever?", "fever"))
    handoff = Tracker(pathway, call_id=call_id, reader=LocalAnswerReader()).handoff("hang_up", 1.0)
    path.write_text(handoff.model_dump_json(indent=2), encoding="utf-8")
    return path


@pytest.mark.parametrize("form", ["json", "markdown", "fhir"])
def test_a_hand_off_replaces_only_an_earlier_one_unless_forced(tmp_path: Path, form: str) -> None:
    """The nurse's notes under a mistyped name stay; the same command twice is no mistake."""
    source, out = _handoff(tmp_path / "kept.json", "call-1"), tmp_path / "out.txt"
    command = ["handoff", str(source), "--format", form, "--out", str(out)]
    out.write_text("the nurse's notes", encoding="utf-8")

    refused = RUNNER.invoke(app, command)
    stayed = out.read_text(encoding="utf-8")
    forced = RUNNER.invoke(app, [*command, "--force"])
    again = RUNNER.invoke(app, command)

    assert isinstance(refused.exception, SettingsError)
    assert "--force" in str(refused.exception)
    assert stayed == "the nurse's notes"
    assert (forced.exit_code, again.exit_code) == (0, 0), again.output
    assert "call-1" in out.read_text(encoding="utf-8")


def test_a_call_is_recorded_over_no_recording_of_somebody_elses(tmp_path: Path) -> None:
    """A WAV that the simulator did not make stays, unless it is told to replace it; its own it replaces."""
    theirs, ours = tmp_path / "theirs.wav", tmp_path / "ours.wav"
    write_stereo(ours, np.zeros((80, 2), np.int16))
    theirs.write_bytes(ours.read_bytes()[:364])
    command = ["call-simulator", "http://127.0.0.1:9/x", "--seconds", "1", "--record"]

    refused = RUNNER.invoke(app, [*command, str(theirs)])
    reached = [RUNNER.invoke(app, [*command, str(theirs), "--force"]), RUNNER.invoke(app, [*command, str(ours)])]

    assert isinstance(refused.exception, SettingsError)
    assert all("no call" in done.output for done in reached)
    assert not is_recording(theirs)


def test_a_recording_that_says_who_made_it_is_still_a_wav(tmp_path: Path) -> None:
    """The mark stands behind the sound, inside the length that the header promises."""
    path = tmp_path / "call.wav"
    stereo = np.arange(160, dtype=np.int16).reshape(80, 2)
    write_stereo(path, stereo)

    with wave.open(str(path)) as file:
        read = np.frombuffer(file.readframes(80), "<i2").reshape(80, 2)
    assert np.array_equal(read, stereo)
    assert int.from_bytes(path.read_bytes()[4:8], "little") == path.stat().st_size - 8
    assert is_recording(path)


@pytest.mark.parametrize("blank", ["", " "], ids=["empty", "a space"])
@pytest.mark.parametrize(
    "words",
    [["retain", "--days", "30", "--audio"], ["erase", "call-1", "--journal"], ["replay"], ["journal", "verify"]],
    ids=lambda words: words[0],
)
def test_a_blank_word_is_refused_before_it_is_the_working_folder(
    words: list[str],
    blank: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """`retain --audio "$UNSET"` once erased every old file of the folder it was run in."""
    kept = tmp_path / "old.wav"
    kept.write_bytes(b"sound")
    os.utime(kept, (0, 0))
    monkeypatch.chdir(tmp_path)

    with pytest.raises(SystemExit) as left:
        main([*words, blank])

    assert left.value.code == 2
    assert "blank, as an unset variable leaves it" in capsys.readouterr().err
    assert [kept] == list(tmp_path.iterdir())


def test_a_blank_value_behind_an_equals_sign_is_named_by_its_option() -> None:
    """And a value with an equals sign in it, or a flag, is none."""
    assert str(blank_word(["retain", "--audio="])).startswith("--audio: ")
    assert blank_word(["eval", "coverage", "--option", "matcher=", "--json", "-"]) is None


@pytest.mark.parametrize("verb", [["erase", "call-1"], ["retain", "--days", "30"]], ids=["erase", "retain"])
def test_a_whole_home_is_no_folder_to_erase_from(
    verb: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`--audio "$HOME/$UNSET"` is the home."""
    monkeypatch.setenv("HOME", str(tmp_path))
    kept = tmp_path / "old.wav"
    kept.write_bytes(b"sound")
    os.utime(kept, (0, 0))

    done = RUNNER.invoke(app, [*verb, "--audio", f"{tmp_path}/"])

    assert isinstance(done.exception, SettingsError) and "Nothing was erased" in str(done.exception)
    assert kept.exists()


def test_the_whole_disk_is_no_folder_to_erase_from(tmp_path: Path) -> None:
    """`--audio "$UNSET/"` is the root. Asked of the check alone: no test runs an erasure there."""
    with pytest.raises(SettingsError, match="the whole disk"):
        refuse_places([Path(tmp_path.anchor)], named=True)
    refuse_places([tmp_path], named=True)
