"""Puts two lines into one utterance, or one line behind another by one voice. Pure: samples in, samples out.

The gap between the voices is drawn from the study's N(-0.5, 0.1) s; negative means that both speak. It is bounded so
that neither voice covers the other whole.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float32]

RATE_HZ = 16_000
GAP_MEAN_S, GAP_SD_S = -0.5, 0.1
"""Seed 003, appendix F."""

SHARE_MAX = 0.6
"""Most of the shorter line that may be covered by the other."""

TWIN_PAUSE_S = 0.15
"""Between the lines of a single-voice twin: nobody overlaps with themselves."""

LEVEL_DBFS = -22.0
TRIM_RATIO = 0.02
LEAD_S, TAIL_S = 0.02, 0.05


@dataclass(frozen=True, slots=True, eq=False)
class Mixed:
    """One utterance of two lines.

    Parameters:
        samples: float32 in [-1, 1], 16 kHz.
        onset_s: Where the second line begins.
        first_end_s: Where the first line ends.
    """

    samples: Samples
    onset_s: float
    first_end_s: float

    @property
    def overlap_s(self) -> float:
        """Seconds in which both sound."""
        return max(0.0, self.first_end_s - self.onset_s)


def draw_gap_s(rng: np.random.Generator, mean_s: float = GAP_MEAN_S, sd_s: float = GAP_SD_S) -> float:
    """Draw the gap between two voices, seconds; negative is overlap."""
    return float(rng.normal(mean_s, sd_s))


def levelled(samples: Samples, level_dbfs: float = LEVEL_DBFS) -> Samples:
    """Cut silence at both ends and bring the rest to a level (RMS); peaks are limited, not wrapped."""
    sound = np.asarray(samples, dtype=np.float32)
    loud = np.nonzero(np.abs(sound) > TRIM_RATIO * max(float(np.abs(sound).max(initial=0.0)), 1e-9))[0]
    if len(loud) == 0:
        return np.zeros(0, dtype=np.float32)
    cut = sound[max(0, loud[0] - int(LEAD_S * RATE_HZ)) : loud[-1] + int(TAIL_S * RATE_HZ)]
    rms = float(np.sqrt(np.mean(cut.astype(np.float64) ** 2)))
    return np.clip(cut * (10 ** (level_dbfs / 20) / max(rms, 1e-9)), -1.0, 1.0).astype(np.float32)


def two_voices(first: Samples, second: Samples, gap_s: float, *, second_gain_db: float = 0.0) -> Mixed:
    """Let the second line begin `gap_s` after the first one's end (negative: before it)."""
    shorter = min(len(first), len(second)) / RATE_HZ
    gap = max(gap_s, -SHARE_MAX * shorter)
    begin = max(0, len(first) + round(gap * RATE_HZ))
    joined = np.zeros(max(len(first), begin + len(second)), dtype=np.float32)
    joined[: len(first)] += first
    joined[begin : begin + len(second)] += second * np.float32(10 ** (second_gain_db / 20))
    return Mixed(np.clip(joined, -1.0, 1.0), begin / RATE_HZ, len(first) / RATE_HZ)


def one_voice(first: Samples, second: Samples) -> Mixed:
    """Say both lines with one voice, one behind the other."""
    pause = np.zeros(int(TWIN_PAUSE_S * RATE_HZ), dtype=np.float32)
    joined = np.concatenate([first, pause, second]).astype(np.float32)
    return Mixed(joined, (len(first) + len(pause)) / RATE_HZ, len(first) / RATE_HZ)
