"""Speech-like sound with exactly known word boundaries: deterministic, no voice package, no network.

Owns the synthesis only. The sound is a pulse train through vowel resonances in the rhythm of syllables; it means
nothing to a recogniser, but Pipecat's Silero finds it to be speech (checked by a test) and no two words sound alike.
"""

from __future__ import annotations

import functools
import math
import re
import zlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.int16]

WORD_GAP_S = 0.03
"""Silence after a word inside a phrase."""

PAUSES_S = {",": 0.18, ";": 0.22, ":": 0.22, ".": 0.35, "?": 0.35, "!": 0.35}
"""Silence after a word that ends in punctuation."""

_VOWELS_HZ = {  # first three resonances; kept to front and open qualities, which Silero takes for speech
    "a": (680, 1450, 2500),
    "e": (530, 1840, 2480),
    "i": (430, 2000, 2600),
    "o": (600, 1600, 2450),
    "u": (470, 1750, 2400),
    "y": (390, 1990, 2550),
}
SYLLABLE_S = 0.10
"""Rhythm of the syllables inside a word."""

_BANDWIDTH_HZ = (60.0, 90.0, 130.0)
_GAIN = (1.0, 0.4, 0.15)
WORD_MIN_S = 0.2
FINAL_LENGTHENING = 1.3
"""Words before a pause are drawn out, as in real speech."""

ALONE_MIN_S = 0.48
"""A word that is the whole utterance: measured clips of "no", "yeah" and "okay" lasted 0.5 to 0.7 s."""


@dataclass(frozen=True, slots=True)
class Voice:
    """How a scripted speaker sounds.

    Parameters:
        pitch_hz: Mean pitch, 60-400 Hz.
        tract: Factor on all resonances; above 1 is a shorter vocal tract.
        level_dbfs: Loudness of the voiced parts, RMS, dB re full scale.
        letter_s: Seconds a letter takes; 0.065 is about 160 words a minute.
    """

    pitch_hz: float = 120.0
    tract: float = 1.0
    level_dbfs: float = -20.0
    letter_s: float = 0.065


AGENT = Voice(pitch_hz=190.0, tract=1.12)
PATIENT = Voice(pitch_hz=115.0)
THIRD_PARTY = Voice(pitch_hz=235.0, tract=1.2, letter_s=0.06)


@dataclass(frozen=True, slots=True)
class SpokenWord:
    """One word and where its sound lies, in seconds from the start of the clip (pause after it excluded)."""

    text: str
    start_s: float
    end_s: float


@dataclass(frozen=True, slots=True)
class Speech:
    """A clip and its words.

    Parameters:
        text: What is said.
        samples: int16, shape (n,), mono.
        sample_rate_hz: Rate of `samples`.
        words: In order; empty for a sound that is no speech.
    """

    text: str
    samples: Samples
    sample_rate_hz: int
    words: tuple[SpokenWord, ...]

    @property
    def duration_s(self) -> float:
        """Length of the clip in seconds."""
        return len(self.samples) / self.sample_rate_hz

    @property
    def pcm(self) -> bytes:
        """The clip as 16-bit little-endian mono."""
        return self.samples.astype("<i2").tobytes()


@functools.lru_cache(maxsize=1024)
def speech(text: str, voice: Voice = PATIENT, sample_rate_hz: int = 16000, *, word_s: float | None = None) -> Speech:
    """Synthesise a text; the same arguments always give the same samples.

    Args:
        text: Words separated by white space; punctuation makes pauses.
        voice: Who speaks.
        sample_rate_hz: Rate of the result.
        word_s: Length of every word, seconds; None goes by its letters and its place.

    Returns:
        The clip with exact word boundaries. A text without letters gives an empty clip.
    """
    parts: list[Samples] = []
    words: list[SpokenWord] = []
    position = 0
    tokens = text.split()
    for index, token in enumerate(tokens):
        closes = index + 1 == len(tokens) or token[-1] in PAUSES_S
        duration_s = max(WORD_MIN_S, len(_letters(token)) * voice.letter_s) * (FINAL_LENGTHENING if closes else 1.0)
        duration_s = word_s or max(duration_s, ALONE_MIN_S if len(tokens) == 1 else 0.0)
        sound = _word(token, voice, sample_rate_hz, duration_s)
        words.append(SpokenWord(token, position / sample_rate_hz, (position + len(sound)) / sample_rate_hz))
        last = index + 1 == len(tokens)
        pause = 0 if last else round(PAUSES_S.get(token[-1], WORD_GAP_S) * sample_rate_hz)
        parts += [sound, np.zeros(pause, np.int16)]
        position += len(sound) + pause
    samples = np.concatenate(parts) if parts else np.zeros(0, np.int16)
    samples.setflags(write=False)
    return Speech(text, samples, sample_rate_hz, tuple(words))


@functools.lru_cache(maxsize=64)
def cough(sample_rate_hz: int = 16000, *, level_dbfs: float = -20.0, seed: int = 0, duration_s: float = 0.4) -> Speech:
    """Make a cough: two bursts of low-passed noise with a sharp start. It has no words."""
    rng = np.random.default_rng(seed)
    n = round(duration_s * sample_rate_hz)
    noise = np.convolve(rng.standard_normal(n + 8), np.ones(6) / 6, mode="valid")[:n]
    t = np.arange(n) / n
    envelope = np.exp(-6 * t) + 0.6 * np.where(t > 0.45, np.exp(-7 * (t - 0.45)), 0.0)
    samples = _levelled(noise * envelope, level_dbfs)
    samples.setflags(write=False)
    return Speech("", samples, sample_rate_hz, ())


def noise_floor(samples: int, *, level_dbfs: float = -72.0, seed: int = 0) -> Samples:
    """Make quiet line noise, int16, shape (samples,)."""
    sigma = 10 ** (level_dbfs / 20) * 32767
    return np.random.default_rng(seed).normal(0.0, sigma, samples).astype(np.int16)


def _letters(token: str) -> str:
    return re.sub(r"[\W_]", "", token.lower()) or "e"


@functools.lru_cache(maxsize=2048)
def _word(token: str, voice: Voice, sample_rate_hz: int, duration_s: float) -> Samples:
    """One word as a train of pitch pulses, each ringing through the resonances of its moment; edges faded."""
    letters = _letters(token)
    rng = np.random.default_rng(zlib.crc32(letters.encode()))
    n = round(duration_s * sample_rate_hz)
    vowels = [c for c in letters if c in _VOWELS_HZ] or ["e"]
    syllables = [vowels[i % len(vowels)] for i in range(max(len(vowels), round(duration_s / SYLLABLE_S)))]
    targets = np.array([_VOWELS_HZ[v] for v in syllables]) * voice.tract * rng.normal(1.0, 0.04, (len(syllables), 3))
    track = np.concatenate([[targets[0] * (0.8, 1.1, 1.0)], targets, [targets[-1] * (0.85, 1.05, 1.0)]])
    knots = np.concatenate([[0.0], (np.arange(len(syllables)) + 0.5) / len(syllables), [1.0]])
    ring = np.arange(round(0.04 * sample_rate_hz)) / sample_rate_hz
    sound = np.zeros(n + len(ring))
    at = 0.0
    while at < n:
        place = at / n
        beat = abs(math.sin(math.pi * place * len(syllables)))
        pulse = np.zeros(len(ring))
        for k in range(3):
            resonance = min(float(np.interp(place, knots, track[:, k])), 0.45 * sample_rate_hz)
            decay = np.exp(-math.pi * _BANDWIDTH_HZ[k] * ring)
            pulse += _GAIN[k] * decay * np.sin(2 * math.pi * resonance * ring)
        start = int(at)
        sound[start : start + len(ring)] += pulse * (0.45 + 0.55 * beat) * rng.normal(1.0, 0.05)
        at += sample_rate_hz / (voice.pitch_hz * (1.1 - 0.2 * place) * rng.normal(1.0, 0.01))
    sound = sound[:n] + 0.01 * float(np.abs(sound).max()) * rng.standard_normal(n)
    edge = min(n // 4, round(0.008 * sample_rate_hz))
    ramp = np.linspace(0, 1, edge)
    sound[:edge] *= ramp
    sound[n - edge :] *= ramp[::-1]
    return _levelled(sound, voice.level_dbfs)


def _levelled(x: NDArray[np.float64], level_dbfs: float) -> Samples:
    rms = float(np.sqrt(np.mean(x**2))) or 1.0
    return np.clip(x / rms * 10 ** (level_dbfs / 20) * 32767, -32767, 32767).astype(np.int16)
