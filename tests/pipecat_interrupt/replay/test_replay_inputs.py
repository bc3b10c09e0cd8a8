"""What lies in a folder of calls beside calls: told, never dropped in silence, and nothing waits for ever."""

from __future__ import annotations

import importlib.util
import os
import uuid
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from pipecat_interrupt.errors import MissingExtra, SettingsError
from pipecat_interrupt.replay.calls import replay_files
from pipecat_interrupt.replay.errors import RecordingRefused
from pipecat_interrupt.replay.folder import FolderRun, replay_folder
from pipecat_interrupt.replay.inputs import CallInput, calls_at, calls_in
from pipecat_interrupt.replay.job import ReplayPlan, replay_job
from pipecat_interrupt.replay.places import place_of
from pipecat_interrupt.replay.readers.call_file import to_call_file
from pipecat_interrupt.replay.settings import ReplaySettings
from pipecat_interrupt.replay.values import RATE_HZ, Word
from tests.obligations.stores.calls import too_deep

from .calls import call, piece

pytestmark = pytest.mark.unit

SETTINGS = ReplaySettings()
TEXT = to_call_file(call([piece(0.0, "Any pain?")], [piece(2.0, "No.")])).model_dump_json()


VTT = "WEBVTT\n\n00:00.000 --> 00:01.000\n<v Agent>Any pain?\n\n00:02.000 --> 00:03.000\n<v Patient>No.\n"


class Parrot:
    """A recogniser that hears one word in everything."""

    name = "parrot"

    def hear(self, samples: np.ndarray, language: str | None) -> list[Word]:
        del samples, language
        return [Word("hello", 0.1, 0.4)]


@pytest.fixture
def memory() -> Iterator[str]:
    """A place in memory, emptied afterwards."""
    fsspec = pytest.importorskip("fsspec")
    root = uuid.uuid4().hex
    yield f"memory://{root}"
    fsspec.filesystem("memory").rm(f"/{root}", recursive=True)


def put(folder: Path, *names: str, text: str = TEXT) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def run(folder: Path, out: Path) -> FolderRun:
    return replay_folder(calls_in(folder, SETTINGS, leave_out=out), ReplayPlan(out, None, SETTINGS, stt=False))


def told(done: FolderRun) -> dict[str, str | None]:
    return {name: outcome.code for outcome in done.outcomes for name in outcome.sources}


def test_a_second_transcript_of_one_name_is_set_aside_and_named(tmp_path: Path) -> None:
    """The call is replayed with the first; the other stands in the outcomes with a way out."""
    put(tmp_path / "in", "b.json", "b.vtt", "b.TextGrid")

    done = run(tmp_path / "in", tmp_path / "out")

    assert {"b.json": None, "b.vtt": "doubled", "b.TextGrid": "doubled"} == told(done)
    assert all("b.json" in outcome.why for outcome in done.outcomes if outcome.code == "doubled")


def test_a_json_file_that_is_no_transcript_does_not_stand_in_a_transcripts_way(tmp_path: Path) -> None:
    """Notes, or a carrier's record of the call, lie beside the transcript under its name: the transcript is read."""
    put(tmp_path / "in", "a.json", text='{"CallSid": "CA1", "Duration": "12"}')
    put(tmp_path / "in", "a.vtt", text=VTT)

    done = run(tmp_path / "in", tmp_path / "out")

    assert told(done) == {"a.vtt": None, "a.json": "doubled"}
    assert [result.sources for result in done.results] == [("a.vtt",)]


def test_a_json_file_beside_textgrids_is_looked_into_at_another_place_too(memory: str) -> None:
    """The same choice where the files are fetched."""
    place = place_of(memory)
    place.write("in/a.json", b'{"notes": []}')
    place.write("in/a_doctor.TextGrid", b"x")
    place.write("in/a_patient.TextGrid", b"x")
    place.write("in/b.json", TEXT.encode())
    place.write("in/b.vtt", VTT.encode())

    found = calls_at(f"{memory}/in", SETTINGS)

    assert [[path.name for path in one.texts] for one in found] == [
        ["a_doctor.TextGrid", "a_patient.TextGrid"],
        ["b.json"],
    ]


def test_a_recording_with_a_record_of_the_call_beside_it_is_heard_all_the_same(tmp_path: Path) -> None:
    """The record is no transcript; that it was not read is noted, and the recogniser is asked."""
    sound = np.random.default_rng(4).uniform(-0.3, 0.3, (RATE_HZ, 2))
    put(tmp_path, "a.json", text='{"CallSid": "CA1"}')
    put(tmp_path, "broken.json", text="{")
    files = CallInput("a", tmp_path / "a.wav", (tmp_path / "a.json",))
    soundfile = pytest.importorskip("soundfile")
    for name in ("a.wav", "broken.wav"):
        soundfile.write(tmp_path / name, sound, RATE_HZ)

    done = replay_files(files, None, recogniser=Parrot)
    with pytest.raises(RecordingRefused, match="no JSON"):
        replay_files(CallInput("b", tmp_path / "broken.wav", (tmp_path / "broken.json",)), None, recogniser=Parrot)

    assert "not_a_transcript" in [note.code for note in done.result.notes]
    assert done.result.recogniser == "parrot"


def test_a_second_recording_of_one_name_is_set_aside_and_the_one_that_is_named_itself_is_taken(tmp_path: Path) -> None:
    """In a folder the first; asked for by its own name, that one."""
    put(tmp_path, "c.wav", "c.flac", "c.ogg")

    (found,) = calls_in(tmp_path, SETTINGS)
    (asked,) = calls_in(tmp_path / "c.ogg", SETTINGS)

    assert ("c.flac", {"c.ogg", "c.wav"}) == (found.files[0].name, {path.name for path in found.doubled})
    assert (tmp_path / "c.ogg", ()) == (asked.sound, asked.doubled)


def test_calls_of_one_name_in_different_folders_are_different_calls(tmp_path: Path) -> None:
    """Also where the folders' names differ only in what a call's name cannot hold."""
    put(tmp_path / "in", "a b/c.json", "a_b/c.json", "a+b/c.json", "d/c.json")

    done = run(tmp_path / "in", tmp_path / "out")

    assert 4 == len({outcome.call_id for outcome in done.outcomes}) == len(done.results)
    assert [] == [outcome.code for outcome in done.outcomes if outcome.code]


def test_a_pipe_is_refused_at_once_and_a_link_to_nothing_is_named(tmp_path: Path) -> None:
    """Reading a pipe would wait for whoever writes into it."""
    folder = put(tmp_path / "in", "a.json")
    os.mkfifo(folder / "pipe.wav")
    (folder / "gone.json").symlink_to(tmp_path / "nowhere.json")

    with pytest.raises(RecordingRefused, match="pipe"):
        calls_in(folder / "pipe.wav", SETTINGS)
    done = run(folder, tmp_path / "out")

    assert {"a.json": None, "pipe.wav": "unreadable", "gone.json": "unreadable"} == told(done)


def test_a_link_that_leads_to_itself_is_set_aside_and_the_rest_is_done(tmp_path: Path) -> None:
    """One bad link is one line, and no end of the folder."""
    folder = put(tmp_path / "in", "a.json")
    (folder / "loop.vtt").symlink_to(folder / "loop.vtt")

    done = run(folder, tmp_path / "out")

    assert {"a.json": None, "loop.vtt": "unreadable"} == told(done)


def test_results_that_would_lie_where_the_calls_are_are_refused_by_that_name(tmp_path: Path) -> None:
    """Not as a folder without calls."""
    folder = put(tmp_path / "in", "a.json")

    for out in (folder, tmp_path):
        with pytest.raises(SettingsError, match="--out"):
            calls_at(str(folder), SETTINGS, leave_out=str(out))
    assert 1 == len(calls_at(str(folder), SETTINGS, leave_out=str(folder / "out")))


def test_our_own_records_beside_a_journal_are_no_calls(tmp_path: Path) -> None:
    """A server's folder is read by its journals; elsewhere a file of that name is a call like any other."""
    put(tmp_path, "1/journal.jsonl", "1/handoff.json", "1/summary.json", "2/handoff.json")

    found = [path.relative_to(tmp_path).as_posix() for one in calls_in(tmp_path, SETTINGS) for path in one.files]

    assert ["1/journal.jsonl", "2/handoff.json"] == found


def test_a_file_that_cannot_be_read_is_named_with_the_reason(tmp_path: Path) -> None:
    """Not as an error of ours."""
    (tmp_path / "a.json").symlink_to(tmp_path / "b.json")
    (tmp_path / "b.json").write_text(TEXT, encoding="utf-8")
    inputs = CallInput("a", None, (tmp_path / "a.json" / "below",))

    outcome = replay_job(inputs, ReplayPlan(tmp_path / "out", None, SETTINGS, stt=False))

    assert "unreadable" == outcome.code and "not a folder" in outcome.why and "report" not in outcome.why


def test_a_folder_that_cannot_be_looked_through_is_named(tmp_path: Path) -> None:
    """Its calls would be missing without a word."""
    put(tmp_path, "a.json")
    too_deep(tmp_path / "deep")

    with pytest.raises(OSError) as refused:
        calls_in(tmp_path, SETTINGS)

    assert "deep" in str(refused.value.filename)


def test_a_package_that_a_place_needs_is_named_as_pip_takes_it() -> None:
    """No sentence of another library behind "install it with"."""
    pytest.importorskip("fsspec")
    if importlib.util.find_spec("s3fs") is not None:
        pytest.skip("s3fs is installed")

    with pytest.raises(MissingExtra, match=r"pip install s3fs$"):
        place_of("s3://bucket/calls-of-nobody")
