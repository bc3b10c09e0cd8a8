"""Spoils speech in measured ways: noise at a ratio, another sound at a level and delay, a room. Pure.

For fitting and for evaluation only; the gate never changes a caller's audio.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from speaker_gate.audio import FLOOR_DBFS, level_dbfs, speech_of
from speaker_gate.embedders import MODEL_RATE_HZ, Samples

FIT_SNR_DB, FIT_ROOM_S = 12.0, 0.35
"""How the shipped record's test speech is spoiled: noise this far under it, and a room of this decay."""


def fit_spoilers(
    noise: Samples | None, room_s: float = FIT_ROOM_S, snr_db: float = FIT_SNR_DB
) -> dict[str, Callable[[Samples], Samples]]:
    """Give the ways in which a fit spoils the enrolled voice's own test speech: what lowers the patient's score.

    Args:
        noise: Noise, float32, 16 kHz; None adds none.
        room_s: Decay of the room, seconds; 0 is none.
        snr_db: Speech level minus noise level, dB.
    """
    ways: dict[str, Callable[[Samples], Samples]] = {}
    if noise is not None:
        ways["noise"] = lambda samples: with_noise(samples, noise, snr_db, seed=len(samples))
    if room_s > 0:
        ways["room"] = lambda samples: in_room(samples, room_s, seed=len(samples))
    return ways


def with_noise(speech: Samples, noise: Samples, snr_db: float, seed: int) -> Samples:
    """Add noise so that the speech part of `speech` lies `snr_db` over it.

    Args:
        speech: float32, shape (n,), 16 kHz.
        noise: float32, any length; repeated as needed, from a place drawn with `seed`.
        snr_db: Speech level minus noise level, dB.
        seed: Seed of the place.
    """
    level = level_dbfs(speech_of(speech).samples)
    floor = level_dbfs(noise)
    if level <= FLOOR_DBFS or floor <= FLOOR_DBFS:
        return speech
    at = int(np.random.default_rng(seed).integers(len(noise)))
    repeated = np.resize(np.roll(noise, -at), len(speech))
    return np.clip(speech + repeated * 10 ** ((level - snr_db - floor) / 20), -1.0, 1.0).astype(np.float32)


def with_echo(speech: Samples, agent: Samples, echo_db: float, delay_s: float) -> Samples:
    """Add the agent's own sound `echo_db` under the speech, `delay_s` late (float32, 16 kHz)."""
    level, other = level_dbfs(speech_of(speech).samples), level_dbfs(speech_of(agent).samples)
    delay = int(delay_s * MODEL_RATE_HZ)
    echo = np.zeros(len(speech), dtype=np.float32)
    part = np.resize(agent, max(0, len(speech) - delay))
    echo[delay:] = part
    return np.clip(speech + echo * 10 ** ((level + echo_db - other) / 20), -1.0, 1.0).astype(np.float32)


def in_room(speech: Samples, decay_s: float, seed: int, direct_db: float = 6.0) -> Samples:
    """Put speech into a room: noise that falls by 60 dB in `decay_s` follows the direct sound.

    Args:
        speech: float32, shape (n,), 16 kHz.
        decay_s: Time for 60 dB.
        seed: Seed of the tail.
        direct_db: Level of the direct sound over the whole tail.
    """
    size = int(decay_s * MODEL_RATE_HZ)
    tail = np.random.default_rng(seed).standard_normal(size) * 10 ** (-3 * np.arange(size) / size)
    tail *= 10 ** (-direct_db / 20) / np.sqrt(np.sum(tail**2))
    tail[0] = 1.0
    length = len(speech) + size
    wet = np.fft.irfft(np.fft.rfft(speech, length) * np.fft.rfft(tail, length), length)[: len(speech)]
    peak = float(np.max(np.abs(wet))) if len(wet) else 0.0
    return (wet / max(1.0, peak)).astype(np.float32)


def joined(parts: Sequence[Samples]) -> Samples:
    """Join sounds into one noise source."""
    return np.concatenate(list(parts)) if parts else np.zeros(0, dtype=np.float32)
