"""Brings a live stream to 16 kHz chunk by chunk, without clicks at the seams. Pure; one object a stream."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from speaker_gate.audio import RATE_HZ_MAX, RATE_HZ_MIN
from speaker_gate.embedders import MODEL_RATE_HZ, Samples
from speaker_gate.errors import BadAudio

ZERO_CROSSINGS = 16
"""Half-length of the interpolating filter in samples of the slower rate."""

KAISER_BETA = 8.0


class StreamResampler:
    """Resamples a stream of float32 mono chunks to the model rate.

    Args:
        from_hz: Rate of the stream, 8000..48000.

    Raises:
        BadAudio: A rate outside that range.
    """

    def __init__(self, from_hz: int) -> None:
        if not RATE_HZ_MIN <= from_hz <= RATE_HZ_MAX:
            raise BadAudio(f"cannot use a sampling rate of {from_hz} Hz ({RATE_HZ_MIN}..{RATE_HZ_MAX} only)")
        self._from_hz = from_hz
        slower = min(1.0, MODEL_RATE_HZ / from_hz)
        self._half = int(np.ceil(ZERO_CROSSINGS / slower))
        self._cutoff = slower
        self._held: Samples = np.zeros(self._half, dtype=np.float32)
        self._held_from = -self._half
        self._next_out = 0

    def feed(self, chunk: Samples, *, last: bool = False) -> Samples:
        """Take a chunk and give what can be given; the last samples come with `last`.

        Args:
            chunk: float32, shape (n,), at the stream's rate.
            last: True with the final chunk (which may be empty).

        Returns:
            float32 at 16 kHz; about n * 16000 / rate samples, `ZERO_CROSSINGS` samples late.
        """
        if self._from_hz == MODEL_RATE_HZ:
            return chunk.astype(np.float32)
        tail = np.zeros(self._half if last else 0, dtype=np.float32)
        self._held = np.concatenate([self._held, chunk.astype(np.float32), tail])
        end = self._held_from + len(self._held) - self._half
        count = max(0, int(np.ceil(end * MODEL_RATE_HZ / self._from_hz)) - self._next_out)
        if not count:
            return np.zeros(0, dtype=np.float32)
        places = np.arange(self._next_out, self._next_out + count, dtype=np.float64)
        places = np.multiply(places, self._from_hz / MODEL_RATE_HZ)
        made = self._interpolated(places)
        self._next_out += count
        keep_from = int(self._next_out * self._from_hz / MODEL_RATE_HZ) - self._half - 1
        drop = max(0, keep_from - self._held_from)
        self._held, self._held_from = self._held[drop:], self._held_from + drop
        return made

    def _interpolated(self, places: NDArray[np.floating[Any]]) -> Samples:
        whole = np.floor(places).astype(np.int64)
        offsets = np.arange(-self._half + 1, self._half + 1)
        index = np.clip(whole[:, None] + offsets[None] - self._held_from, 0, len(self._held) - 1)
        distance = offsets[None] - (places - whole)[:, None]
        shape = np.sqrt(np.clip(1 - (distance / self._half) ** 2, 0.0, 1.0))
        taps = self._cutoff * np.sinc(self._cutoff * distance) * np.i0(KAISER_BETA * shape) / np.i0(KAISER_BETA)
        return np.sum(self._held[index] * taps, axis=1).astype(np.float32)
