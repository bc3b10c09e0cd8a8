"""The few vector steps every adapter and the scoring share: unit length, finiteness, too little to embed."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from speaker_gate.embedders import Vector

SILENCE_RMS = 1e-4
"""Root mean square (full scale 1.0) below which a stretch holds no speech: -80 dBFS."""


def finite_unit(raw: NDArray[Any]) -> Vector | None:
    """Scale a vector to unit length; None when it is not finite or has no length."""
    vector = np.asarray(raw, dtype=np.float32).reshape(-1)
    if not np.isfinite(vector).all():
        return None
    norm = float(np.linalg.norm(vector))
    return None if norm < 1e-8 else (vector / norm).astype(np.float32)


def speechless(samples: NDArray[Any], min_seconds: float, rate_hz: int) -> bool:
    """Say whether a stretch is too short, not one-dimensional, not finite, or silent."""
    if samples.ndim != 1 or len(samples) < max(1, int(min_seconds * rate_hz)):
        return True
    if not np.isfinite(samples).all():
        return True
    return float(np.sqrt(np.mean(np.square(samples, dtype=np.float64)))) < SILENCE_RMS
