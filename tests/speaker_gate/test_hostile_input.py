"""Odd sound, odd files and odd arguments: a clear error before a call, nothing raised in one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from speaker_gate import CallGate, GateSettings, Voice, WordsHeard
from speaker_gate.adapters.voice_folder import read_clip, read_speakers, speaker_files
from speaker_gate.calibration import load_record
from speaker_gate.consent import Consent
from speaker_gate.embedders import Embedding
from speaker_gate.enrolment import EnrolmentStatus, Refusal
from speaker_gate.errors import BadAudio, CallerError, EmbedderMismatch, RecordUnreadable, WeightsUnreadable
from speaker_gate.testing import FAKE_EMBEDDER, fake_ears, fake_record, say

pytestmark = pytest.mark.unit

QUIET_RATE = GateSettings(check_rate=False)
NOISE = np.random.default_rng(4).normal(0.0, 0.1, 16_000 * 6)


def new_gate(**other: Any) -> CallGate:
    given: dict[str, Any] = {"settings": QUIET_RATE, **other}
    return CallGate(fake_ears(), **given)


@pytest.mark.parametrize(
    ("sound", "faults"),
    [
        (np.full(16_000, np.nan, dtype=np.float32), 1),
        (np.full(16_000, np.inf, dtype=np.float32), 1),
        (np.full(16_000, 1e300), 1),
        (np.zeros((16_000, 2), dtype=np.int16), 0),
        (np.full(16_000, 128, dtype=np.uint8), 0),
        (np.zeros(0), 0),
        (np.zeros((2, 2, 2)), 1),
        (np.array(["a"]), 1),
        (np.ones(1_600, dtype=complex), 1),
        (b"abc", 1),
        (None, 1),
    ],
)
def test_odd_sound_in_a_call_is_unsure_and_its_words_pass(sound: Any, faults: int) -> None:
    """NaN, stereo, bytes, nothing: counted where it is no sound, never raised, never the patient's lost words."""
    gate = new_gate()
    gate.begin_turn(0.0, 16_000)
    gate.hear(sound)
    gate.update()

    verdict = gate.end_turn(1.0)
    (ruling,) = gate.rule(WordsHeard(text="yes", now_s=1.0))

    assert Voice.UNSURE is verdict.voice
    assert ruling.choice.action.reaches_model
    assert faults == len(gate.faults)


def test_one_sample_that_is_no_number_costs_itself_only() -> None:
    """The turn around it is still the patient's."""
    gate = new_gate()
    for at_s in (0.0, 10.0):
        gate.begin_turn(at_s, 16_000)
        gate.hear(say("patient", 3.0))
        gate.end_turn(at_s + 3.0)
    spoiled = say("patient", 3.0)
    spoiled[20_000] = np.nan
    gate.begin_turn(20.0, 16_000)
    gate.hear(spoiled)

    assert Voice.PRIMARY is gate.end_turn(23.0).voice
    assert ("BadAudio",) == gate.faults


@pytest.mark.parametrize("rate", [0, -1, 7_999, 96_000, "x", None, float("nan")])
def test_an_odd_rate_in_a_call_is_counted_and_the_call_goes_on(rate: Any) -> None:
    """The next turn at a real rate is heard."""
    gate = new_gate()
    gate.begin_turn(0.0, rate)
    gate.hear(np.zeros(1_000, dtype=np.int16))
    gate.end_turn(1.0)
    gate.begin_turn(2.0, 44_100)
    gate.hear(np.zeros((44_100, 2), dtype=np.int16))

    verdict = gate.end_turn(3.0)

    assert Voice.UNSURE is verdict.voice
    assert 1 == len(gate.faults)


@pytest.mark.parametrize(
    ("samples", "rates", "refusal"),
    [
        (np.zeros(16_000 * 6), (16_000, 8_000), Refusal.TOO_SHORT),
        (np.zeros(0), (16_000, 8_000), Refusal.TOO_SHORT),
        (np.where(np.arange(len(NOISE)) == 99, np.nan, NOISE), (16_000, 8_000), Refusal.TOO_SHORT),
        (np.concatenate([say("patient", 4.0), say("daughter", 4.0)]), (8_000, 8_000), Refusal.TWO_VOICES),
        (None, (16_000, 8_000), Refusal.NOT_EMBEDDABLE),
        (np.array(["a"]), (16_000, 8_000), Refusal.NOT_EMBEDDABLE),
        (say("patient", 6.0), (0, 8_000), Refusal.NOT_EMBEDDABLE),
        (say("patient", 6.0), (16_000, 400_000), Refusal.NOT_EMBEDDABLE),
        (say("patient", 6.0), (8_000, 16_000), Refusal.OTHER_CHANNEL),
    ],
)
def test_an_odd_recording_enrols_nobody_and_raises_nothing(samples: Any, rates: Any, refusal: Refusal) -> None:
    """Silence, nothing, NaN, two people, no sound at all, rates that do not exist: a refusal with its reason."""
    gate = new_gate()

    step = gate.enrol_reference(samples, rates[0], call_rate_hz=rates[1])

    assert (False, refusal) == (step.taken, step.refusal)
    assert not gate.voices.enroller.stands


def test_an_integer_or_stereo_recording_enrols_like_any_other() -> None:
    """What `read_clip` would have made of it."""
    stereo = np.stack([say("patient", 6.0)] * 2, axis=1)

    for samples in (stereo, (stereo * 32_767).astype(np.int16)):
        assert new_gate().enrol_reference(samples, 8_000, call_rate_hz=8_000).taken  # pyright: ignore[reportArgumentType]


def broken(call_id: str) -> Consent | None:
    raise RuntimeError(call_id)


def junk(call_id: str) -> Consent | None:
    return call_id or "yes"  # pyright: ignore[reportReturnType]


@pytest.mark.parametrize(("hook", "fault"), [(broken, "RuntimeError"), (junk, "CallerError")])
def test_a_consent_hook_that_fails_has_not_said_yes(hook: Any, fault: str) -> None:
    """The call begins, no voice print is made, every voice passes as assumed."""
    gate = new_gate(consent=hook)

    assert EnrolmentStatus.DECLINED is gate.status
    assert (fault,) == gate.faults


def test_settings_of_another_kind_are_refused_before_the_call() -> None:
    """A dict is no GateSettings; the message says so."""
    with pytest.raises(CallerError, match="GateSettings"):
        new_gate(settings={"language": "en"})


def test_no_text_alarms_nobody() -> None:
    """A recogniser that gives None does not stop the transcripts behind it."""
    gate = new_gate()

    assert not gate.alarms(None)  # pyright: ignore[reportArgumentType]
    assert 1 == len(gate.faults)


@pytest.mark.parametrize(
    "voice",
    [
        Embedding(np.ones(3, dtype=np.float32), FAKE_EMBEDDER, 5.0, False),
        Embedding(np.full(6, np.nan, dtype=np.float32), FAKE_EMBEDDER, 5.0, False),
        Embedding(np.ones(6, dtype=np.float32), "another", 5.0, False),
    ],
)
def test_a_stored_voice_that_does_not_fit_is_refused(voice: Embedding) -> None:
    """Length, finiteness, embedder; the enrolment stays as it was."""
    enroller = new_gate().voices.enroller

    with pytest.raises(EmbedderMismatch):
        enroller.restore((voice,))

    assert not enroller.stands


@pytest.mark.parametrize(
    "damage", ["no json", "bad json", "empty json", "no arrays", "bad arrays", "odd arrays", "nan"]
)
def test_a_damaged_record_is_named_with_the_fix(tmp_path: Path, damage: str) -> None:
    """Whatever is wrong with the two files, one error of ours."""
    path = fake_record().save(tmp_path)
    arrays = path.with_suffix(".npz")
    six, square = np.zeros(6), np.eye(6)
    actions: dict[str, Any] = {
        "no json": path.unlink,
        "bad json": lambda: path.write_text("x"),
        "empty json": lambda: path.write_text("{}"),
        "no arrays": arrays.unlink,
        "bad arrays": lambda: arrays.write_bytes(b"x"),
        "odd arrays": lambda: np.savez(arrays, a=six),
        "nan": lambda: np.savez(arrays, mean_wide=six * np.nan, mean_narrow=six, whitening=square),
    }
    actions[damage]()

    with pytest.raises(RecordUnreadable, match="record"):
        load_record(path)


def test_a_file_that_is_no_model_is_named_with_the_fix(tmp_path: Path) -> None:
    """Damaged or empty: an error of ours, never the runtime's."""
    pytest.importorskip("onnxruntime", reason="opens the file with onnxruntime")
    from speaker_gate.adapters.onnx_embedder import open_session

    for number, content in enumerate((b"not a model", b"")):
        path = tmp_path / f"model-{number}.onnx"
        path.write_bytes(content)
        with pytest.raises(WeightsUnreadable, match=path.name):
            open_session(path)


def test_recordings_of_every_common_form_are_read_and_others_named(tmp_path: Path) -> None:
    """44.1 kHz stereo and 8-bit come out as 16 kHz mono; text, a folder and impossible rates are named."""
    soundfile = pytest.importorskip("soundfile", reason="reads files with soundfile")
    soundfile.write(tmp_path / "stereo.wav", np.stack([NOISE[:44_100]] * 2, axis=1), 44_100)
    soundfile.write(tmp_path / "bytes.wav", NOISE[:8_000], 8_000, subtype="PCM_U8")
    soundfile.write(tmp_path / "none.wav", np.zeros(0), 16_000)
    soundfile.write(tmp_path / "fast.wav", NOISE[:9_600], 96_000)
    (tmp_path / "text.wav").write_text("no sound")
    (tmp_path / "folder.wav").mkdir()

    lengths = [len(read_clip(tmp_path / f"{name}.wav")[0]) for name in ("stereo", "bytes", "none")]

    assert [16_000, 16_000, 0] == lengths
    for name in ("fast", "text", "folder", "absent"):
        with pytest.raises(BadAudio, match=f"{name}.wav"):
            read_clip(tmp_path / f"{name}.wav")


def test_unreadable_recordings_are_told(tmp_path: Path) -> None:
    """A fit that leaves something out says what."""
    pytest.importorskip("soundfile", reason="reads files with soundfile")
    (tmp_path / "anna").mkdir()
    (tmp_path / "anna" / "one.wav").write_text("no sound")
    told: list[str] = []

    speakers = read_speakers(speaker_files(tmp_path), left_out=lambda path, error: told.append(f"{path.name}: {error}"))

    assert [] == speakers
    assert 1 == len(told)
    assert "cannot read one.wav" in told[0]
