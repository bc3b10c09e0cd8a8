"""A voice-activity double: loud is speech. For tests that must not depend on a model."""

from __future__ import annotations

import numpy as np
from pipecat.audio.vad.vad_analyzer import VADAnalyzer, VADParams

ENERGY_WINDOW_S = 0.02


class EnergyVAD(VADAnalyzer):
    """VAD analyzer that answers 1.0 for windows louder than a threshold and 0.0 for the rest.

    Args:
        threshold_dbfs: RMS level in dB re full scale that counts as speech.
        start_s: Speech needed for a start, seconds (Pipecat's default is 0.2).
        stop_s: Silence needed for a stop, seconds (Pipecat's default is 0.2).

    Unlike Silero it takes a cough for speech: use it where onset timing matters, Silero where the choice does.
    """

    def __init__(self, *, threshold_dbfs: float = -45.0, start_s: float = 0.2, stop_s: float = 0.2) -> None:
        super().__init__(params=VADParams(confidence=0.5, start_secs=start_s, stop_secs=stop_s, min_volume=0.0))
        self._threshold = 10 ** (threshold_dbfs / 20) * 32768

    def num_frames_required(self) -> int:
        """Return the window length in samples: 20 ms."""
        return round(self.sample_rate * ENERGY_WINDOW_S)

    def voice_confidence(self, buffer: bytes) -> float:
        """Return 1.0 for a loud window, else 0.0."""
        samples = np.frombuffer(buffer, dtype="<i2").astype(np.float64)
        return float(np.sqrt(np.mean(samples**2)) > self._threshold)
