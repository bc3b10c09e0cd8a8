"""What the channels of a recording are: two voices, one voice twice, one silent, or both in one.

Owns stretches of sound on a channel, the doubled-channel check, and the fit of a transcript's clock to the sound.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pipecat_interrupt.demo.measure import Stretch, frame_levels, stretches
from pipecat_interrupt.replay.sound import Sound
from pipecat_interrupt.replay.values import RATE_HZ, Note, Piece, Samples

DOUBLED_SHARE_MIN = 0.9
"""Share of a channel's energy that the other one explains, from which on both carry the same sound: a codec, a delay or
a second line's noise leaves the tenth."""

CROSSTALK_SHARE_MIN = 0.3
"""The same from which on one voice is heard on the other's channel loudly enough to be taken for both at once."""

LEAK_DB_MAX = 25.0
"""A channel this much weaker than the other holds what leaks over from it, and no second copy."""

SAME_LAG_S_MAX = 0.5
"""Within this long either way the same sound is looked for; telephone exchanges delay one copy by up to this."""

SAME_BLOCK_S = 16.0
"""Sound is compared by blocks of this length, so that a long call needs no more memory than a short one."""

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


def shared_share(left: Samples, right: Samples) -> float:
    """Say how much of two channels is one sound, whatever its gain, its sign and its delay (`SAME_LAG_S_MAX` at most).

    Returns:
        The squared correlation at the best delay, in [0, 1]; 0 where a channel is all zeros.
    """
    first, second = _halved(left), _halved(right)
    size, lag = int(SAME_BLOCK_S * RATE_HZ / 2), int(SAME_LAG_S_MAX * RATE_HZ / 2)
    span = 1 << (size + 2 * lag - 1).bit_length()
    around = np.concatenate((np.zeros(lag), second, np.zeros(lag)))
    delays = np.arange(2 * lag + 1)
    met, under = np.zeros(len(delays)), np.zeros(len(delays))
    for low in range(0, min(len(first), len(second)), size):
        one = first[low : low + size]
        other = around[low : low + len(one) + 2 * lag]  # with a margin, so that a delayed copy lies in it whole
        met += np.fft.irfft(np.fft.rfft(other, span) * np.conj(np.fft.rfft(one, span)), span)[delays]
        energy = np.concatenate(([0.0], np.cumsum(other * other)))
        under += energy[delays + len(one)] - energy[delays]
    power = float(first @ first)
    if power == 0.0 or not second.any():
        return 0.0
    return float(np.clip(np.max(met**2 / np.maximum(under, 1e-9) / power), 0.0, 1.0))


def _halved(channel: Samples) -> NDArray[np.float64]:
    """A channel at half the rate: enough of a voice to know it again by, at half the work."""
    # Smoothed first: half a sample of delay would else tell two copies of a bright voice apart.
    return np.convolve(channel.astype(np.float64), (0.125, 0.375, 0.375, 0.125), mode="same")[::2]


def doubled(left: Samples, right: Samples) -> bool:
    """Say whether both channels carry the same sound, at whatever gain, delayed or through another codec."""
    return _levels_near(left, right) and shared_share(left, right) >= DOUBLED_SHARE_MIN


def _levels_near(left: Samples, right: Samples) -> bool:
    powers = sorted(float(np.mean(np.square(channel, dtype=np.float64))) for channel in (left, right))
    return powers[0] > 0.0 and powers[1] <= powers[0] * 10.0 ** (LEAK_DB_MAX / 10.0)


def silent(channel: Samples) -> bool:
    """Say whether nothing is ever heard on a channel."""
    levels = frame_levels(channel, RATE_HZ)
    return not len(levels) or float(np.percentile(levels, 99.5)) < SILENT_DBFS


def one_voice_each(sound: Sound) -> tuple[bool, tuple[Note, ...]]:
    """Say whether the two sides stand on channels of their own, and what a reader must know if not."""
    if len(sound.channels) == 1:
        return False, (Note("mono", "one channel: overlaps cannot be told from sound, voices are told by their words"),)
    left, right = sound.channels
    shared = shared_share(left, right) if _levels_near(left, right) else 0.0
    if shared >= DOUBLED_SHARE_MIN:
        return False, (Note("channels_doubled", "both channels carry the same sound; read as one channel"),)
    if shared >= CROSSTALK_SHARE_MIN:
        told = f"{100 * shared:.0f} % of one channel is heard on the other: overlaps may be one voice heard twice"
        return True, (Note("crosstalk", told),)
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
