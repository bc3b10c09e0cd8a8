"""Plain signal steps: rates, levels, the speech inside a stretch, and a telephone line in software.

Owns every number about sound that the rest of the room uses. numpy only; no model, no file, no clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from speaker_gate.embedders import MODEL_RATE_HZ, Samples
from speaker_gate.errors import BadAudio

RATE_HZ_MIN, RATE_HZ_MAX = 8_000, 48_000
NARROW_RATE_HZ_MAX = 11_025
"""At or below this source rate nothing above a telephone band can be in the sound."""

FRAME_S = 0.01
FLOOR_DBFS = -100.0
MULAW_STEPS = 255
TELEPHONE_BAND_HZ = (300.0, 3400.0)
_FILTER_ORDER = 4
_FFT_SIZES_MAX_S = 120.0


def as_mono(samples: NDArray[Any]) -> Samples:
    """Bring int16 or float samples of shape (n,) or (n, channels) to float32 mono in [-1, 1].

    Raises:
        BadAudio: More than two dimensions, or a type that is neither integer nor floating.
    """
    array = np.asarray(samples)
    if array.ndim == 2:
        array = (
            array.mean(axis=1) if np.issubdtype(array.dtype, np.floating) else array.mean(axis=1).astype(array.dtype)
        )
    if array.ndim != 1:
        raise BadAudio(f"expected samples of shape (n,) or (n, channels), got {np.asarray(samples).shape}")
    if np.issubdtype(array.dtype, np.integer):
        return (array.astype(np.float32) / float(-np.iinfo(array.dtype).min or np.iinfo(array.dtype).max)).astype(
            np.float32
        )
    if not np.issubdtype(array.dtype, np.floating):
        raise BadAudio(f"cannot use samples of type {array.dtype}")
    with np.errstate(over="ignore"):
        return array.astype(np.float32)


def resample(samples: Samples, from_hz: int, to_hz: int) -> Samples:
    """Change the sampling rate of one whole stretch (band-limited, by its spectrum).

    Args:
        samples: float32, shape (n,).
        from_hz: Rate of `samples`.
        to_hz: Rate wanted.

    Returns:
        float32, shape (round(n * to_hz / from_hz),).

    Raises:
        BadAudio: A rate outside 8000..48000 Hz, or a stretch longer than 120 s.
    """
    for rate_hz in (from_hz, to_hz):
        if not RATE_HZ_MIN <= rate_hz <= RATE_HZ_MAX:
            raise BadAudio(f"cannot use a sampling rate of {rate_hz} Hz ({RATE_HZ_MIN}..{RATE_HZ_MAX} only)")
    if from_hz == to_hz or not len(samples):
        return samples.astype(np.float32)
    if len(samples) > _FFT_SIZES_MAX_S * from_hz:
        raise BadAudio(f"a stretch of {len(samples) / from_hz:.0f} s is too long to resample at once")
    step = from_hz // int(np.gcd(from_hz, to_hz))
    padded = _smooth_size(-(-len(samples) // step)) * step
    spectrum = np.fft.rfft(samples, padded)
    length = padded * to_hz // from_hz
    kept = np.zeros(length // 2 + 1, dtype=spectrum.dtype)
    count = min(len(kept), len(spectrum))
    kept[:count] = spectrum[:count]
    made = np.fft.irfft(kept, length) * (to_hz / from_hz)
    return made[: round(len(samples) * to_hz / from_hz)].astype(np.float32)


def to_model_rate(samples: Samples, rate_hz: int) -> Samples:
    """Bring a stretch to the 16 kHz that embedders take; see `resample`."""
    return resample(samples, rate_hz, MODEL_RATE_HZ)


def checked_recording(samples: NDArray[Any], source_rate_hz: int, call_rate_hz: int) -> tuple[Samples, bool]:
    """Bring a recording already at 16 kHz to float32 mono, and say whether it is telephone-band sound.

    Raises:
        BadAudio: It is no sound, or a rate lies outside 8000..48000 Hz.
    """
    for rate_hz in (source_rate_hz, call_rate_hz):
        if not RATE_HZ_MIN <= rate_hz <= RATE_HZ_MAX:
            raise BadAudio(f"cannot use a sampling rate of {rate_hz} Hz ({RATE_HZ_MIN}..{RATE_HZ_MAX} only)")
    sound = as_mono(samples)
    return sound, is_narrow(sound, source_rate_hz)


def level_dbfs(samples: NDArray[Any]) -> float:
    """Root-mean-square level in dB below full scale; -100 for nothing or silence."""
    if not len(samples):
        return FLOOR_DBFS
    power = float(np.mean(np.square(samples, dtype=np.float64)))
    return max(FLOOR_DBFS, 10.0 * float(np.log10(power + 1e-12)))


def clipped_share(samples: Samples) -> float:
    """Share (0..1) of samples at full scale."""
    return float(np.mean(np.abs(samples) >= 0.999)) if len(samples) else 0.0


def frame_levels_db(samples: Samples, rate_hz: int = MODEL_RATE_HZ) -> NDArray[np.float64]:
    """Level in dBFS of each whole 10 ms frame: shape (n // frame,)."""
    size = int(rate_hz * FRAME_S)
    count = len(samples) // size
    frames = samples[: count * size].reshape(count, size).astype(np.float64)
    return 10.0 * np.log10(np.mean(frames * frames, axis=1) + 1e-10)


@dataclass(frozen=True, slots=True, eq=False)
class Speech:
    """The speech inside a stretch, and where it was.

    Parameters:
        samples: float32, shape (n,), the speech frames joined.
        frame_times_s: Start of each 10 ms speech frame in the stretch, shape (n / 160,).
        rate_hz: Rate of `samples`.
    """

    samples: Samples
    frame_times_s: NDArray[np.floating[Any]]
    rate_hz: int = MODEL_RATE_HZ

    @property
    def seconds(self) -> float:
        """Seconds of speech."""
        return len(self.samples) / self.rate_hz

    def at(self, speech_s: float) -> float:
        """Turn a place in the joined speech into a time in the stretch."""
        if not len(self.frame_times_s):
            return 0.0
        index = min(max(int(speech_s / FRAME_S), 0), len(self.frame_times_s) - 1)
        return float(self.frame_times_s[index])

    def cut(self, start_s: float, end_s: float) -> Samples:
        """Samples of the joined speech in [start_s, end_s)."""
        return self.samples[max(0, int(start_s * self.rate_hz)) : max(0, int(end_s * self.rate_hz))]


SPEECH_RANGE_DB = 30.0
"""Frames this far below the loud ones are not speech, however quiet the line."""
NOISE_MARGIN_DB = 4.0
LOUD_RANGE_DB = 15.0
"""Frames within this of the loud ones are speech, however noisy the line."""
SPEECH_FLOOR_DBFS = -65.0
SMOOTH_FRAMES, KEEP_FRAMES, KEEP_COUNT = 3, 15, 4
"""A frame is speech when at least 4 of the 15 frames around it are loud enough, so that short dips stay."""


def speech_threshold_db(levels_db: NDArray[np.float64]) -> float:
    """Level in dBFS over which a frame counts as loud enough, from the levels of the stretch it is in."""
    loud, quiet = float(np.percentile(levels_db, 95)), float(np.percentile(levels_db, 10))
    return max(loud - SPEECH_RANGE_DB, min(quiet + NOISE_MARGIN_DB, loud - LOUD_RANGE_DB), SPEECH_FLOOR_DBFS)


def speech_of(samples: Samples, rate_hz: int = MODEL_RATE_HZ) -> Speech:
    """Take the speech out of a stretch by level: pauses and line noise go, short dips stay.

    Args:
        samples: float32, shape (n,), in [-1, 1].
        rate_hz: Rate of `samples`.
    """
    size = int(rate_hz * FRAME_S)
    levels = frame_levels_db(samples, rate_hz)
    if not len(levels) or not np.isfinite(levels).all():
        return Speech(samples[:0], np.zeros(0), rate_hz)
    smooth = np.convolve(levels, np.ones(SMOOTH_FRAMES) / SMOOTH_FRAMES, "same")
    votes = np.convolve((smooth > speech_threshold_db(smooth)).astype(np.float64), np.ones(KEEP_FRAMES), "same")
    kept = np.flatnonzero(votes >= KEEP_COUNT)
    frames = samples[: len(levels) * size].reshape(len(levels), size)
    return Speech(np.ascontiguousarray(frames[kept].reshape(-1)), kept * FRAME_S, rate_hz)


def snr_db(samples: Samples, rate_hz: int = MODEL_RATE_HZ) -> float:
    """Estimate the speech-to-noise ratio in dB: loud frames against the quietest tenth. 0..60; long stretches only."""
    levels = frame_levels_db(samples, rate_hz)
    if len(levels) < 30:
        return 0.0
    return float(np.clip(np.percentile(levels, 90) - np.percentile(levels, 10), 0.0, 60.0))


def share_above_hz(samples: Samples, limit_hz: float, rate_hz: int = MODEL_RATE_HZ) -> float:
    """Share (0..1) of the power that lies above `limit_hz`."""
    if len(samples) < 2:
        return 0.0
    power = np.abs(np.fft.rfft(samples, _smooth_size(len(samples)))) ** 2
    total = float(power.sum())
    cut = round(limit_hz / (rate_hz / 2) * (len(power) - 1))
    return float(power[cut:].sum()) / total if total > 0 else 0.0


NARROW_SHARE_MAX = 10 ** (-50 / 10)
"""Power share above 4.2 kHz below which a wide-rate stretch is taken for telephone sound brought up to that rate."""


def is_narrow(samples: Samples, source_rate_hz: int) -> bool:
    """Say whether a stretch is telephone-band sound: by its source rate, else because nothing lies above 4.2 kHz.

    Args:
        samples: float32, shape (n,), already at 16 kHz.
        source_rate_hz: The rate at which the sound entered the system.
    """
    return source_rate_hz <= NARROW_RATE_HZ_MAX or share_above_hz(samples, 4_200.0) < NARROW_SHARE_MAX


def mulaw(samples: Samples) -> Samples:
    """Pass samples through 8-bit mu-law and back."""
    clipped = np.clip(samples.astype(np.float64), -1.0, 1.0)
    packed = np.sign(clipped) * np.log1p(MULAW_STEPS * np.abs(clipped)) / np.log1p(MULAW_STEPS)
    steps: NDArray[np.float64] = np.rint((packed + 1) / 2 * MULAW_STEPS)
    coded = steps / MULAW_STEPS * 2 - 1
    return (np.sign(coded) * np.expm1(np.abs(coded) * np.log1p(MULAW_STEPS)) / MULAW_STEPS).astype(np.float32)


def over_telephone(samples: Samples, rate_hz: int = MODEL_RATE_HZ) -> Samples:
    """Put a stretch through a telephone line: 300-3400 Hz, 8 kHz, 8-bit mu-law.

    Args:
        samples: float32, shape (n,), at `rate_hz`.
        rate_hz: Rate of `samples`.

    Returns:
        float32 at 8000 Hz.
    """
    size = _smooth_size(len(samples))
    hertz = np.fft.rfftfreq(size, 1.0 / rate_hz)
    low, high = TELEPHONE_BAND_HZ
    with np.errstate(divide="ignore"):
        gain = 1.0 / (1.0 + (low / np.maximum(hertz, 1e-9)) ** (2 * _FILTER_ORDER))
    gain = gain / (1.0 + (hertz / high) ** (2 * _FILTER_ORDER))
    limited = np.fft.irfft(np.fft.rfft(samples, size) * gain, size)[: len(samples)].astype(np.float32)
    return mulaw(resample(limited, rate_hz, 8_000))


def _smooth_size(size: int) -> int:
    """Smallest number >= size whose only prime factors are 2, 3 and 5: the FFT stays fast for every length."""
    best = 1 << max(0, int(size - 1).bit_length())
    power_of_five = 1
    while power_of_five < best:
        odd = power_of_five
        while odd < best:
            made = odd << max(0, int(-(-size // odd) - 1).bit_length())
            if size <= made < best:
                best = made
            odd *= 3
        power_of_five *= 5
    return best
