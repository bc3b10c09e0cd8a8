"""Telephone sound: mu-law at 8 kHz, to and from int16, and a recording with the caller left and the agent right."""

from __future__ import annotations

import audioop
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


def write_stereo(path: Path, stereo: NDArray[Any]) -> None:
    """Write a recording.

    Args:
        path: A WAV file; folders are made.
        stereo: int16, shape (samples, 2), 8 kHz.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(RATE_HZ)
        file.writeframes(np.ascontiguousarray(stereo, "<i2").tobytes())
