"""Notices sound that was declared at the wrong rate: speech twice too fast or twice too slow. Pure.

No error says so when 8 kHz telephone bytes are handled as 16 kHz; speech only sounds wrong and every voice decision
turns wild. Two small linear models over the long-term spectrum and its movement tell; what they doubt is not scored.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from speaker_gate.audio import MODEL_RATE_HZ, speech_of
from speaker_gate.embedders import Samples

BANDS = 40
FRAME, HOP, FFT = 400, 160, 512
SECONDS_MIN = 1.5
"""Speech needed before a stretch says anything."""

SECONDS_TO_DOUBT = 2.0
"""Speech over the call before a doubt counts."""


class Rate(StrEnum):
    """What the sound's speed says about its declared rate."""

    PLAUSIBLE = "plausible"
    TOO_FAST = "too_fast"
    TOO_SLOW = "too_slow"


@dataclass(frozen=True, slots=True, eq=False)
class RateModel:
    """Two linear models over `rate_features`.

    Parameters:
        mean: Feature means, shape (n,).
        scale: Feature scales, shape (n,).
        fast: Weights of "too fast", shape (n + 1,), the last one the bias.
        slow: Weights of "too slow".
        threshold: Log-odds over which a model doubts.
    """

    mean: NDArray[np.float32]
    scale: NDArray[np.float32]
    fast: NDArray[np.float32]
    slow: NDArray[np.float32]
    threshold: float

    def log_odds(self, features: NDArray[np.float32]) -> tuple[float, float]:
        """Log-odds of too fast and too slow."""
        scaled = (features - self.mean) / self.scale
        return float(scaled @ self.fast[:-1] + self.fast[-1]), float(scaled @ self.slow[:-1] + self.slow[-1])


@lru_cache(maxsize=1)
def shipped_rate_model() -> RateModel:
    """The model that ships; how it was fitted is in benchmarks/training/voices."""
    path = resources.files("speaker_gate") / "data" / "rate_check.npz"
    with path.open("rb") as file, np.load(file) as stored:
        arrays = {name: stored[name].astype(np.float32) for name in ("mean", "scale", "fast", "slow")}
        return RateModel(**arrays, threshold=float(stored["threshold"]))


def rate_features(samples: Samples) -> NDArray[np.float32] | None:
    """Describe a stretch's speed: level, spread and movement of 40 mel bands. float32, shape (120,).

    Returns:
        None for less than `SECONDS_MIN` of speech.
    """
    speech = speech_of(samples)
    if speech.seconds < SECONDS_MIN:
        return None
    bands = _log_bands(speech.samples)
    bands = bands - bands.mean()
    movement = np.abs(np.diff(bands, axis=0)).mean(axis=0)
    return np.concatenate([bands.mean(axis=0), bands.std(axis=0), movement]).astype(np.float32)


class RateWatch:
    """Follows one call: doubts build up over turns, so that one odd stretch changes nothing.

    Args:
        model: The linear models; None means the shipped ones.
    """

    def __init__(self, model: RateModel | None = None) -> None:
        self._model = model or shipped_rate_model()
        self._seconds = 0.0
        self._fast = self._slow = 0.0

    def hear(self, samples: Samples) -> Rate:
        """Take in a stretch (float32, 16 kHz) and say how the call stands."""
        features = rate_features(samples)
        if features is not None:
            fast, slow = self._model.log_odds(features)
            seconds = len(samples) / MODEL_RATE_HZ
            self._fast += fast * seconds
            self._slow += slow * seconds
            self._seconds += seconds
        return self.rate

    @property
    def rate(self) -> Rate:
        """How the call stands; PLAUSIBLE until there is enough speech."""
        if self._seconds < SECONDS_TO_DOUBT:
            return Rate.PLAUSIBLE
        if self._fast / self._seconds > self._model.threshold:
            return Rate.TOO_FAST
        if self._slow / self._seconds > self._model.threshold:
            return Rate.TOO_SLOW
        return Rate.PLAUSIBLE


def _log_bands(samples: Samples) -> NDArray[np.float64]:
    count = 1 + (len(samples) - FRAME) // HOP
    at = np.arange(count)[:, None] * HOP + np.arange(FRAME)[None]
    power = np.abs(np.fft.rfft(samples[at] * np.hamming(FRAME), FFT)) ** 2
    loudest = float(power.max())
    return np.log(power @ _mel_filters().T + 1e-7 * loudest + 1e-20)


@lru_cache(maxsize=1)
def _mel_filters() -> NDArray[np.float64]:
    def mel(hertz: NDArray[np.float64] | float) -> NDArray[np.float64]:
        return np.asarray(1127.0 * np.log1p(np.asarray(hertz) / 700.0))

    edges = np.linspace(mel(60.0), mel(MODEL_RATE_HZ / 2), BANDS + 2)
    bins = mel(np.arange(FFT // 2 + 1) * MODEL_RATE_HZ / FFT)
    rising = (bins[None] - edges[:-2, None]) / (edges[1:-1] - edges[:-2])[:, None]
    falling = (edges[2:, None] - bins[None]) / (edges[2:] - edges[1:-1])[:, None]
    return np.maximum(0.0, np.minimum(rising, falling))
