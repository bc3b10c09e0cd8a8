"""Keeps the last seconds of what the agent played, on the call's clock, to compare the caller's sound with. Pure."""

from __future__ import annotations

import numpy as np

from speaker_gate.echo import REFERENCE_SECONDS_MAX
from speaker_gate.embedders import MODEL_RATE_HZ, Samples


class PlayedTape:
    """The agent's own sound by time; silence where it played nothing."""

    def __init__(self) -> None:
        self._parts: list[tuple[float, Samples]] = []

    def add(self, start_s: float, samples: Samples) -> None:
        """Note that `samples` (float32, 16 kHz) began to play at `start_s`; older than 30 s is dropped."""
        if len(samples):
            self._parts.append((start_s, samples))
        oldest_s = start_s - REFERENCE_SECONDS_MAX
        while self._parts and self._parts[0][0] + len(self._parts[0][1]) / MODEL_RATE_HZ < oldest_s:
            self._parts.pop(0)

    def between(self, start_s: float, end_s: float) -> Samples:
        """What played in [start_s, end_s): float32, 16 kHz, zeros where nothing did."""
        made = np.zeros(max(0, round((end_s - start_s) * MODEL_RATE_HZ)), dtype=np.float32)
        for part_s, samples in self._parts:
            at = round((part_s - start_s) * MODEL_RATE_HZ)
            first, last = max(0, at), min(len(made), at + len(samples))
            if last > first:
                made[first:last] += samples[first - at : last - at]
        return made

    def played_in(self, start_s: float, end_s: float) -> bool:
        """True when the agent played anything in [start_s, end_s)."""
        return any(
            part_s < end_s and part_s + len(samples) / MODEL_RATE_HZ > start_s for part_s, samples in self._parts
        )

    def latest(self, seconds: float) -> Samples:
        """The last seconds of sound played, gaps left out."""
        joined = np.concatenate([samples for _, samples in self._parts]) if self._parts else np.zeros(0, np.float32)
        return joined[-int(seconds * MODEL_RATE_HZ) :].astype(np.float32)
