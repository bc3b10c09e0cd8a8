"""The voice evaluations run from folder to figures, on tone voices and the fake embedder."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.errors import MissingData
from benchmarks.evals import meetings, third_party, voices
from benchmarks.figures import EvalOptions, Figure
from benchmarks.training.voices.scenarios import SCENARIOS, kind_of, scenario_in
from benchmarks.training.voices.split import is_fit_speaker, split
from speaker_gate.adapters.voice_folder import read_speakers, speaker_files
from speaker_gate.errors import NotEnoughData
from speaker_gate.testing import fake_ears, say

pytestmark = pytest.mark.unit
soundfile = pytest.importorskip("soundfile", reason="the evaluations read files with soundfile")


def write(path: Path, sound: np.ndarray) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    soundfile.write(str(path), sound, 16_000)


def values(figures: list[Figure]) -> dict[tuple[str, str], float | None]:
    return {(f.name, str(f.group.get("band", ""))): f.value for f in figures if not set(f.group) - {"band"}}


def test_speakers_are_found_in_folders_flat_files_and_librispeech_layout(tmp_path: Path) -> None:
    """A folder a speaker, flat names before the dash, and speaker/chapter/speaker-chapter-n."""
    for name in ("anna/one-1.wav", "anna/two-2.wav", "flat/11-a.wav", "flat/12-a.wav", "84/121/84-121-0000.wav"):
        write(tmp_path / name, say("patient", 0.5))

    assert {"anna": 2, "11": 1, "12": 1, "84": 1} == {k: len(v) for k, v in speaker_files(tmp_path).items()}
    with pytest.raises(NotEnoughData):
        speaker_files(tmp_path / "absent")


def test_unreadable_recordings_are_left_out(tmp_path: Path) -> None:
    """A broken file costs itself only."""
    write(tmp_path / "a" / "1.wav", say("patient", 0.5))
    (tmp_path / "a" / "2.wav").write_bytes(b"not sound")

    speakers = read_speakers(speaker_files(tmp_path))

    assert 1 == len(speakers[0].clips)


def test_the_voices_figures_are_named_grouped_and_right_for_separate_voices(tmp_path: Path) -> None:
    """Six tone voices: no error at two seconds in any band, changes found, twins left alone."""
    for name in ("patient", "daughter", "television", "stranger"):
        write(tmp_path / name / "1.wav", say(name, 6.0))
        write(tmp_path / name / "2.wav", say(name, 8.0))
    extra = {"ears": fake_ears(), "windows": 2, "composites": 3, "conditions": False}

    figures = voices.run(EvalOptions(data=tmp_path, extra=extra))

    at_two = {
        (f.name, f.group["band"]): f.value for f in figures if f.group.get("seconds") == 2.0 and len(f.group) == 2
    }
    assert {"16k", "mulaw8k", "16k_to_mulaw8k"} == {band for _, band in at_two}
    for band in ("16k", "mulaw8k", "16k_to_mulaw8k"):
        assert 0.0 == at_two["eer", band] == at_two["primary_rejected_rate", band]
        assert 0.0 == at_two["third_party_accepted_rate", band]
    changes = {(f.name, f.group["band"], f.group["enrolled"]): f.value for f in figures if "enrolled" in f.group}
    assert 1.0 == changes["change_detected_rate", "16k", True]
    assert 0.0 == changes["janus_false_rate", "mulaw8k", True]


def test_third_party_figures_come_from_clips_and_texts(tmp_path: Path) -> None:
    """A correction is passed attributed, small talk is not, and the twin is nobody else's."""
    two = np.concatenate([say("patient", 2.5), say("daughter", 2.5)])
    rows = {
        "two_voice/assistance/modification/1_assistance_modification": (
            two,
            "Mornings.",
            "No, it's at night, not mornings.",
        ),
        "two_voice/topic_change/social_engagement/2_social_engagement": (
            two,
            "Hello.",
            "That reminds me of last year.",
        ),
        "twins/actionable/eval/3_modification": (two, "Mornings.", "No, it's at night, not mornings."),
        "twins/actionable/janus/3_modification": (say("patient", 5.0), "Mornings.", "No, it's at night, not mornings."),
    }
    for name, (sound, first, second) in rows.items():
        write(tmp_path / f"{name}.wav", sound)
        (tmp_path / f"{name}.txt").write_text(f"First Speaker: {first}\nSecond Speaker: {second}", encoding="utf-8")

    found = values(third_party.run(EvalOptions(data=tmp_path, extra={"ears": fake_ears()})))

    for band in ("", "16k", "mulaw8k"):
        assert 1.0 == found["change_detected_rate", band]
        assert 0.0 == found["janus_false_rate", band]
        assert found["action_accuracy", band] is not None
    with pytest.raises(MissingData):
        third_party.find_clips(tmp_path / "absent")


def test_meeting_figures_come_from_recordings_and_rttm(tmp_path: Path) -> None:
    """Two people in turn: own speech accepted, the other rejected, the change heard."""
    sound = np.concatenate([say("patient", 8.0), say("daughter", 8.0), say("patient", 4.0)])
    write(tmp_path / "m1.wav", sound)
    lines = [(0.0, 8.0, "A"), (8.0, 8.0, "B"), (16.0, 4.0, "A")]
    (tmp_path / "all.rttm").write_text(
        "\n".join(f"SPEAKER m1 1 {start} {length} <NA> <NA> {who} <NA> <NA>" for start, length, who in lines),
        encoding="utf-8",
    )

    found = values(meetings.run(EvalOptions(data=tmp_path, extra={"ears": fake_ears()})))

    assert (0.0, 0.0) == (found["primary_rejected_rate", "16k"], found["third_party_accepted_rate", "mulaw8k"])
    assert (1.0, 0.0) == (found["change_detected_rate", "16k"], found["janus_false_rate", "16k"])
    with pytest.raises(MissingData):
        meetings.read_meetings(tmp_path / "absent")


def test_only_speech_of_one_person_alone_is_used_of_a_meeting() -> None:
    """Overlap belongs to nobody."""
    alone = meetings.alone_stretches([(0.0, 2.0, "A"), (1.5, 4.0, "B")], 5.0)

    assert [(0.0, 1.5)] == [(round(a, 2), round(b, 2)) for a, b in alone["A"]]
    assert [(2.0, 4.0)] == [(round(a, 2), round(b, 2)) for a, b in alone["B"]]


def test_the_split_keeps_fit_and_test_apart_and_the_scenarios_are_the_studys() -> None:
    """The committed split names fit speakers; every one of 26 scenarios has a reading."""
    assert is_fit_speaker(split()["fit_speakers"][0])
    assert not is_fit_speaker("3005")
    assert 26 == len(SCENARIOS)
    assert "knowledge_display" == scenario_in("72483_6436_floor_taking_knowledge_display_mid_speech")
    assert scenario_in("unknown") is None
    assert kind_of("television") is kind_of("endorsement")
