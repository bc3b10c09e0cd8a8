"""The recording in a page: lossless, in bounds, and refused with a reason where it cannot be used."""

from __future__ import annotations

import base64
import wave
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

from pipecat_interrupt.errors import EnvironmentProblem, SettingsError
from pipecat_interrupt.page.sound import VoiceSegment, pack, place_lines, read_wav
from pipecat_interrupt.page.view import CallView, PatientLine

from .recorded import write_wav

pytestmark = pytest.mark.unit


def _noise(samples: int = 8000) -> np.ndarray:
    return np.random.default_rng(1).integers(-3000, 3000, (samples, 2)).astype(np.int16)


def test_packed_sound_is_the_recording_sample_for_sample() -> None:
    """FLAC is lossless: positions and cuts in the page are those of the recording."""
    soundfile = pytest.importorskip("soundfile")

    made = pack(_noise(), 8000)

    kind, data = made.source.split(",", 1)
    assert kind == "data:audio/flac;base64"
    back, rate_hz = soundfile.read(BytesIO(base64.b64decode(data)), dtype="int16")
    assert rate_hz == 8000
    assert np.array_equal(back, _noise())
    assert (made.seconds, len(made.patient), len(made.agent)) == (1.0, 10, 10)


def test_a_wav_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    """Both channels, in order; a torn last sample is left out."""
    path = write_wav(tmp_path / "call.wav", _noise(100))
    path.write_bytes(path.read_bytes()[:-3])

    samples, rate_hz = read_wav(path)

    assert rate_hz == 8000
    assert np.array_equal(samples, _noise(100)[:99])


@pytest.mark.parametrize("content", [b"", b"RIFF", b"not a wav file at all", b"RIFF\x00\x00\x00\x00WAVEfmt "])
def test_what_is_no_wav_is_refused_by_name(tmp_path: Path, content: bytes) -> None:
    """The message names the file and says what is wanted."""
    path = tmp_path / "call.wav"
    path.write_bytes(content)

    with pytest.raises(SettingsError, match=r"call\.wav: not a WAV file .*give 16-bit PCM WAV"):
        read_wav(path)


def test_other_widths_are_refused(tmp_path: Path) -> None:
    """8-bit sound is not guessed at."""
    with wave.open(str(tmp_path / "call.wav"), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(1)
        file.setframerate(8000)
        file.writeframes(b"\x80" * 10)

    with pytest.raises(SettingsError, match="8 bit, 1 channels"):
        read_wav(tmp_path / "call.wav")


def test_a_recording_too_large_for_a_page_is_refused() -> None:
    """One byte past the bound, with what to do about it; at the bound it is taken."""
    size = len(base64.b64decode(pack(_noise(), 8000).source.split(",", 1)[1]))

    assert pack(_noise(), 8000, bytes_max=size).seconds == 1.0
    with pytest.raises(EnvironmentProblem, match="without sound"):
        pack(_noise(), 8000, bytes_max=size - 1)


def test_a_reply_is_placed_where_its_sound_began() -> None:
    """The first stretch after the reply before; what is known better stays."""
    lines = (PatientLine(5.0, "no"), PatientLine(9.0, "yes"), PatientLine(12.0, "why", start_s=11.5))
    segments = [VoiceSegment(1.0, 1.5), VoiceSegment(3.0, 4.0), VoiceSegment(7.0, 8.0), VoiceSegment(10.0, 12.0)]

    placed = place_lines(CallView("c", "t", lines=lines), segments)

    assert [line.start_s for line in placed.lines if isinstance(line, PatientLine)] == [1.0, 7.0, 11.5]
