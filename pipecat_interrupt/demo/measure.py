"""Reads figures off a recorded two-channel call; everything is computed from samples, nothing from our own event times.

Owns level, segment and latency arithmetic on numpy audio.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np
from numpy.typing import NDArray

FRAME_MS = 10
SPEECH_DBFS = -40.0  # the level above which a 10 ms frame counts as voice
JOIN_GAP_S = 0.3  # a pause shorter than this does not end a stretch of speech (protocol 002's end rule)
SILENCE_DBFS = -120.0
YIELD_WINDOW_S = 2.0  # protocol 002's observation window

Audio = NDArray[np.int16]


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of sound, seconds from the start of the recording."""

    start_s: float
    end_s: float


def frame_levels(audio: Audio, rate_hz: int) -> NDArray[np.float64]:
    """Give the RMS level of every whole 10 ms frame.

    Args:
        audio: int16, shape (samples,).
        rate_hz: Sample rate, > 0.

    Returns:
        float64, shape (samples // (rate_hz / 100),), dBFS, not below `SILENCE_DBFS`.
    """
    size = rate_hz * FRAME_MS // 1000
    frames = audio[: len(audio) // size * size].reshape(-1, size).astype(np.float64) / 32768.0
    power = np.mean(frames**2, axis=1) if len(frames) else np.zeros(0)
    return np.maximum(10.0 * np.log10(np.maximum(power, 1e-12)), SILENCE_DBFS)


def stretches(
    audio: Audio, rate_hz: int, *, threshold_dbfs: float = SPEECH_DBFS, join_s: float = JOIN_GAP_S
) -> list[Stretch]:
    """Find stretches of sound above a level, joined over gaps shorter than `join_s`."""
    loud = np.flatnonzero(frame_levels(audio, rate_hz) > threshold_dbfs)
    if not len(loud):
        return []
    step = FRAME_MS / 1000
    breaks = np.flatnonzero(np.diff(loud) * step >= join_s + step)
    starts = np.concatenate(([loud[0]], loud[breaks + 1]))
    ends = np.concatenate((loud[breaks], [loud[-1]]))
    return [Stretch(float(s) * step, float(e + 1) * step) for s, e in zip(starts, ends, strict=True)]


def response_gaps_s(patient: Sequence[Stretch], agent: Sequence[Stretch]) -> list[float]:
    """Measure from each end of patient speech to the agent's next start.

    A patient stretch that ends while the agent is heard (it went on, or had already begun) gives no figure: there was
    nothing to wait for.
    """
    gaps: list[float] = []
    for index, turn in enumerate(patient):
        next_turn_s = patient[index + 1].start_s if index + 1 < len(patient) else float("inf")
        if any(a.start_s < turn.end_s < a.end_s for a in agent):
            continue
        following = [a.start_s for a in agent if a.start_s >= turn.end_s]
        if following and following[0] <= next_turn_s:
            gaps.append(following[0] - turn.end_s)
    return gaps


def yield_gaps_s(patient: Sequence[Stretch], agent: Sequence[Stretch]) -> list[float]:
    """Measure from each patient onset over the agent to the end of the agent's speech, where that came within 2 s."""
    return [
        heard.end_s - turn.start_s
        for turn in patient
        for heard in agent
        if heard.start_s < turn.start_s < heard.end_s and heard.end_s - turn.start_s <= YIELD_WINDOW_S
    ]


def median_or_none(values: Sequence[float]) -> float | None:
    """Give the median, or None of nothing."""
    return round(median(values), 3) if values else None
