"""What can be heard on one channel: runs of sound, onsets, ends, and whether a piece of audio sounded again.

Pure functions on numpy samples; no clock, no file, no model. Levels are dB re full scale.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

AUDIBLE_DBFS = (
    -45.0
)  # Synthetic speech lies near -20 dBFS and line noise near -72; a recording needs its own calibration.
FRAME_S = 0.005
END_GAP_S = 0.3  # Seed 002, section 5: a gap is an end only when at least this much silence follows it.
MATCH_MIN = 0.7
MATCH_S = 0.5

Samples = NDArray[Any]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, order=True)
class Run:
    """A stretch of sound, seconds from the start of the recording.

    Parameters:
        start_s: Its first audible sample.
        end_s: After its last audible sample.
    """

    start_s: float
    end_s: float

    @property
    def length_s(self) -> float:
        """How long it lasts."""
        return self.end_s - self.start_s


def as_floats(samples: Samples) -> Floats:
    """Give samples as float64 in [-1, 1].

    Args:
        samples: int16 or float, shape (n,).

    Raises:
        ValueError: Another shape or type, or a non-finite value.
    """
    array = np.asarray(samples)
    if array.ndim != 1:
        raise ValueError(f"expected one channel, shape (n,), got {array.shape}")
    if array.dtype == np.int16:
        return array.astype(np.float64) / 32768.0
    if not np.issubdtype(array.dtype, np.floating):
        raise ValueError(f"expected int16 or float samples, got {array.dtype}")
    if not np.isfinite(array).all():
        raise ValueError("samples must be finite")
    return array.astype(np.float64)


def sounding(
    samples: Samples, rate_hz: int, *, gap_s: float = END_GAP_S, audible_dbfs: float = AUDIBLE_DBFS
) -> list[Run]:
    """Find the runs of sound, joined over gaps shorter than `gap_s`.

    A frame of 5 ms counts as sounding when its RMS is audible; starts and ends are then set to the first and last
    sample in it that is.
    """
    x = as_floats(samples)
    floor = 10 ** (audible_dbfs / 20)
    size = max(1, round(FRAME_S * rate_hz))
    padded = np.pad(x, (0, -len(x) % size)).reshape(-1, size)
    loud = np.sqrt((padded**2).mean(axis=1)) >= floor if len(padded) else np.zeros(0, bool)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], loud.astype(np.int8), [0]])))
    runs: list[Run] = []
    for first, last in zip(edges[::2], edges[1::2], strict=True):
        audible = np.flatnonzero(np.abs(x[first * size : last * size]) >= floor)
        run = Run((first * size + audible[0]) / rate_hz, (first * size + audible[-1] + 1) / rate_hz)
        if runs and run.start_s - runs[-1].end_s < gap_s:
            runs[-1] = Run(runs[-1].start_s, run.end_s)
        else:
            runs.append(run)
    return runs


def onset_s(samples: Samples, rate_hz: int, *, from_s: float = 0.0) -> float | None:
    """Give the first audible sample at or after `from_s`; None when there is none."""
    return next((max(run.start_s, from_s) for run in sounding(samples, rate_hz) if run.end_s > from_s), None)


def utterance_at(samples: Samples, rate_hz: int, at_s: float) -> Run | None:
    """Give the utterance that is going on at a moment; a pause inside it shorter than 300 ms does not end it."""
    return next((run for run in sounding(samples, rate_hz) if run.start_s <= at_s < run.end_s), None)


def cut(samples: Samples, rate_hz: int, start_s: float, end_s: float | None = None) -> Floats:
    """Give a part of a channel."""
    x = as_floats(samples)
    last = len(x) if end_s is None else round(end_s * rate_hz)
    return x[max(0, round(start_s * rate_hz)) : max(0, last)]


def similarity(needle: Floats, hay: Floats) -> float:
    """Give the highest normalised cross-correlation of `needle` inside `hay`, 0..1; 0 when it does not fit in."""
    n = len(needle)
    energy = float(np.sqrt((needle**2).sum()))
    if n == 0 or len(hay) < n or energy == 0:
        return 0.0
    size = 1 << (len(hay) + n - 1).bit_length()
    product = np.fft.irfft(np.fft.rfft(hay, size) * np.conj(np.fft.rfft(needle, size)), size)[: len(hay) - n + 1]
    power = np.concatenate([[0.0], np.cumsum(hay**2)])
    local = np.sqrt(np.maximum(power[n:] - power[:-n], 1e-12))
    return float(np.clip((product / (energy * local)).max(), 0.0, 1.0))


def sounded(piece: Samples, channel: Samples, rate_hz: int, *, least: float = MATCH_MIN) -> bool:
    """Say whether a piece of known audio can be heard in a channel, sample for sample up to its level."""
    return similarity(as_floats(piece), as_floats(channel)) >= least


def is_stale(resumed: Samples, interrupted: Samples, rate_hz: int, *, least: float = MATCH_MIN) -> bool:
    """Say whether new output is a part of the interrupted utterance, continued or begun again.

    Compares the first half second of the new output with the whole utterance as it was meant to sound. Works where the
    same text gives the same audio (a digital loopback of a deterministic voice); elsewhere this is for an annotator.
    """
    start = as_floats(resumed)[: round(MATCH_S * rate_hz)]
    return similarity(start, as_floats(interrupted)) >= least
