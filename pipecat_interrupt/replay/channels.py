"""What the channels of a recording are: two voices, one voice twice, one silent, or both in one.

Owns stretches of sound on a channel, the doubled-channel check, and the fit of a transcript's clock to the sound.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pipecat_interrupt.demo.measure import Stretch, frame_levels, stretches
from pipecat_interrupt.replay.sound import Sound
from pipecat_interrupt.replay.values import RATE_HZ, Note, Piece, Samples

DOUBLED_RESIDUAL_MAX = 0.01
"""Share of energy left when one channel is taken from the other, below which both carry the same sound."""

SILENT_DBFS = -65.0
ABOVE_NOISE_DB = 15.0
LEVEL_DBFS_MIN, LEVEL_DBFS_MAX = -55.0, -30.0
"""Speech is this much above the quiet part of its channel, within these bounds."""

FIT_PIECES_MIN = 8
FIT_WINDOW_S = 1.5
FIT_RESIDUAL_S_MAX = 0.25
"""A transcript's clock is corrected when pieces meet onsets of sound this well after the fit (median)."""

FIT_OFFSET_S_MIN = 0.15
"""A shift smaller than this is how differently people and detectors see an onset."""


def voice_stretches(channel: Samples) -> list[Stretch]:
    """Find the stretches of sound on a channel, by its own noise level."""
    levels = frame_levels(channel, RATE_HZ)
    if not len(levels):
        return []
    quiet = float(np.percentile(levels, 10))
    threshold = float(np.clip(quiet + ABOVE_NOISE_DB, LEVEL_DBFS_MIN, LEVEL_DBFS_MAX))
    return stretches(channel, RATE_HZ, threshold_dbfs=threshold)


def doubled(left: Samples, right: Samples) -> bool:
    """Say whether both channels carry the same sound, at whatever gain."""
    a, b = left.astype(np.float64), right.astype(np.float64)
    power = float(a @ a)
    if power == 0.0 or not b.any():
        return False
    gain = float(a @ b) / power
    rest = b - gain * a
    return float(rest @ rest) <= DOUBLED_RESIDUAL_MAX * float(b @ b)


def silent(channel: Samples) -> bool:
    """Say whether nothing is ever heard on a channel."""
    levels = frame_levels(channel, RATE_HZ)
    return not len(levels) or float(np.percentile(levels, 99.5)) < SILENT_DBFS


def one_voice_each(sound: Sound) -> tuple[bool, tuple[Note, ...]]:
    """Say whether the two sides stand on channels of their own, and what a reader must know if not."""
    if len(sound.channels) == 1:
        return False, (Note("mono", "one channel: overlaps cannot be told from sound, voices are told by their words"),)
    left, right = sound.channels
    if doubled(left, right):
        return False, (Note("channels_doubled", "both channels carry the same sound; read as one channel"),)
    return True, ()


def fit_clock(pieces: Sequence[Piece], heard: Sequence[Stretch]) -> tuple[float, float, Note | None]:
    """Fit a transcript's clock to the sound it is of.

    Args:
        pieces: Pieces of one side by the transcript's clock.
        heard: Stretches of sound of the same side.

    Returns:
        Offset in seconds and rate, so that sound time = offset + rate * transcript time, and what to note; (0, 1, None)
        where both agree or too little tells.
    """
    starts = np.array([piece.start_s for piece in pieces])
    onsets = np.array([stretch.start_s for stretch in heard])
    if len(starts) < FIT_PIECES_MIN or len(onsets) < FIT_PIECES_MIN:
        return 0.0, 1.0, None
    offset, rate = _best_shift(starts, onsets), 1.0
    for _ in range(3):
        moved = offset + rate * starts
        nearest = onsets[np.argmin(np.abs(onsets[None, :] - moved[:, None]), axis=1)]
        close = np.abs(nearest - moved) <= FIT_WINDOW_S
        if int(np.sum(close)) < FIT_PIECES_MIN:
            break
        rate, offset = (float(x) for x in np.polyfit(starts[close], nearest[close], 1))
        rate = float(np.clip(rate, 0.98, 1.02))
        offset = float(np.median(nearest[close] - rate * starts[close]))
    moved = offset + rate * starts
    residual = float(np.median(np.min(np.abs(onsets[None, :] - moved[:, None]), axis=1)))
    span = float(starts[-1] - starts[0])
    if abs(offset) < FIT_OFFSET_S_MIN and abs(rate - 1.0) * span < FIT_OFFSET_S_MIN:
        return 0.0, 1.0, None
    told = f"{offset:+.2f} s and {1e6 * (rate - 1):+.0f} ppm between transcript and sound"
    if residual > FIT_RESIDUAL_S_MAX:
        return 0.0, 1.0, Note("drift_uncertain", f"{told}, but they do not fit ({residual:.2f} s): left as they are")
    return offset, rate, Note("drift_corrected", f"{told}; corrected (they meet within {residual:.2f} s)")


def _best_shift(starts: np.ndarray, onsets: np.ndarray) -> float:
    """The shift within 30 s at which most pieces begin with a sound; the smallest of the best."""
    shifts = np.arange(-30.0, 30.01, 0.1)
    hits = [int(np.sum(np.min(np.abs(onsets[None, :] - (starts + s)[:, None]), axis=1) <= 0.2)) for s in shifts]
    best = max(hits)
    return float(min((s for s, h in zip(shifts, hits, strict=True) if h == best), key=abs))
