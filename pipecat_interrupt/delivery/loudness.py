"""The loudness of an utterance's audio and the pauses in it. Pure; about a microsecond per 20 ms of audio."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

LEVEL_STEP_S = 0.01
"""Resolution of the loudness curve, seconds."""

MEASURED_AT_ONCE_S = 1.0
"""Audio that waits until it is measured, unless somebody asks: numpy costs by the call more than by the sample."""

ENVELOPE_S_MAX = 600.0
"""Longest utterance whose loudness is kept, seconds; beyond it the estimate goes on without new anchors."""

SILENCE_S_MIN = 0.08
SILENCES_MAX = 64
QUIET_SHARE = 0.05
"""A step is quiet below this share of the utterance's loud level (its 90th percentile)."""

QUIET_LEVEL_MIN = 8.0
"""Below this root mean square (16-bit samples) everything is quiet."""


@dataclass(frozen=True, slots=True)
class Silence:
    """A quiet stretch, seconds from the start of the utterance's audio."""

    start_s: float
    end_s: float

    @property
    def length_s(self) -> float:
        """How long it is."""
        return self.end_s - self.start_s


class Envelope:
    """The loudness of an utterance's audio, in steps of 10 ms."""

    def __init__(self) -> None:
        self._levels: list[float] = []
        self._waiting = bytearray()
        self._rate_hz = 0
        self._silences: tuple[int, tuple[Silence, ...]] = (-1, ())

    def add(self, pcm: bytes, sample_rate_hz: int, channels: int = 1) -> None:
        """Take up 16-bit little-endian audio, channels interleaved; the first channel counts."""
        if len(self._levels) * LEVEL_STEP_S >= ENVELOPE_S_MAX or sample_rate_hz <= 0:
            return
        if sample_rate_hz != self._rate_hz:
            self._measure()
            self._rate_hz = sample_rate_hz
        whole_bytes = len(pcm) // (2 * channels) * 2 * channels
        if channels > 1:
            pcm = np.frombuffer(pcm[:whole_bytes], "<i2")[::channels].tobytes()
        self._waiting += pcm[:whole_bytes]
        if len(self._waiting) >= 2 * MEASURED_AT_ONCE_S * sample_rate_hz:
            self._measure()

    def _measure(self) -> None:
        """Take the level of every whole step that waits."""
        step = max(1, round(self._rate_hz * LEVEL_STEP_S))
        whole = len(self._waiting) // (2 * step)
        if whole:
            size = 2 * step * whole
            blocks = np.frombuffer(bytes(self._waiting[:size]), "<i2").astype(np.float32).reshape(whole, step)
            del self._waiting[:size]
            self._levels.extend(np.sqrt(np.mean(blocks * blocks, axis=1)).tolist())

    def silences(self) -> tuple[Silence, ...]:
        """List the pauses found so far, in order; the first may begin at 0 and the last may reach the end."""
        self._measure()
        if self._silences[0] == len(self._levels):
            return self._silences[1]
        levels = np.asarray(self._levels, np.float32)
        found: list[Silence] = []
        if len(levels):
            quiet = levels < max(QUIET_LEVEL_MIN, QUIET_SHARE * float(np.percentile(levels, 90)))
            edges = np.flatnonzero(np.diff(np.concatenate([[0], quiet.astype(np.int8), [0]])))
            runs = [Silence(a * LEVEL_STEP_S, b * LEVEL_STEP_S) for a, b in edges.reshape(-1, 2).tolist()]
            found = [r for r in runs if r.length_s >= SILENCE_S_MIN]
            if len(found) > SILENCES_MAX:
                shortest_kept = sorted((r.length_s for r in found), reverse=True)[SILENCES_MAX - 1]
                found = [r for r in found if r.length_s >= shortest_kept][:SILENCES_MAX]
        self._silences = (len(self._levels), tuple(found))
        return self._silences[1]

    def speech_end_s(self, total_s: float) -> float:
        """When the sound of the utterance ends: its length without a silent tail."""
        found = self.silences()
        if found and found[-1].end_s >= (len(self._levels) - 1) * LEVEL_STEP_S:
            return min(total_s, found[-1].start_s)
        return total_s
