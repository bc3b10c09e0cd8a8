"""Telephone sound: mu-law at 8 kHz, to and from int16, and a recording with the caller left and the agent right."""

from __future__ import annotations

import audioop
import os
import struct
import wave
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

RATE_HZ = 8000
FRAME_S = 0.02
FRAME_BYTES = 160
SILENCE = b"\xff"

Samples = NDArray[np.int16]

_BY = b"pipecat-interrupt carrier\0"  # of even length, as RIFF asks
_MADE_HERE = b"LIST" + struct.pack("<I", 12 + len(_BY)) + b"INFOISFT" + struct.pack("<I", len(_BY)) + _BY
"""A chunk of the WAV form that names the software; readers of sound pass it over."""


def to_ulaw(samples: Samples, rate_hz: int) -> bytes:
    """Make telephone sound.

    Args:
        samples: int16, mono.
        rate_hz: Their rate.

    Returns:
        mu-law bytes at 8 kHz, one a sample.
    """
    if rate_hz != RATE_HZ:
        import soxr

        samples = np.asarray(soxr.resample(samples, rate_hz, RATE_HZ), np.int16)
    return audioop.lin2ulaw(samples.astype("<i2").tobytes(), 2)


def from_ulaw(ulaw: bytes) -> Samples:
    """Make int16 samples at 8 kHz of telephone sound."""
    return np.frombuffer(audioop.ulaw2lin(ulaw, 2), dtype="<i2").astype(np.int16)


def write_stereo(path: Path, stereo: NDArray[Any], rate_hz: int = RATE_HZ) -> None:
    """Write a recording.

    Args:
        path: A WAV file; folders are made.
        stereo: int16, shape (samples, 2).
        rate_hz: Its sample rate.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(rate_hz)
        file.writeframes(np.ascontiguousarray(stereo, "<i2").tobytes())
    with path.open("r+b") as made:
        made.seek(0, os.SEEK_END)
        made.write(_MADE_HERE)
        length = made.tell()
        made.seek(4)
        made.write(struct.pack("<I", length - 8))


def is_recording(path: Path) -> bool:
    """Whether a file is one that `write_stereo` made: it says so at its end."""
    with path.open("rb") as file:
        file.seek(0, os.SEEK_END)
        file.seek(max(0, file.tell() - len(_MADE_HERE)))
        return file.read() == _MADE_HERE
