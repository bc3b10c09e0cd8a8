"""Echo: is the agent's own sound told from a caller by correlation, through rooms, codecs and double talk?

Owns the figures of ``eval echo``, which stand behind the thresholds of `pipecat_interrupt.hold.reference`; explained in
docs/metrics/floor.md. Agent and caller are two different speakers of the data.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.errors import MissingData
from benchmarks.figures import EvalOptions, Figure, GroupValue, rate
from pipecat_interrupt.hold.reference import ECHO_SCORE, KEEP_SCORE, LAG_S_MAX, RATE_HZ, WINDOW_S, correlation
from speaker_gate.adapters.voice_folder import read_clip
from speaker_gate.embedders import MODEL_RATE_HZ

KIND = "echo"
NEEDS_DATA = True
DATA_HELP = "a folder of speakers' clips, flac or wav, named by or filed under the speaker"
OPTIONS = ("windows",)
PACKAGES = ("numpy", "soxr", "soundfile")

WINDOWS = 1000
CLIPS_MAX = 120
ROOMS_S = (0.0, 0.2, 0.4)
"""Reverberation times (60 dB); the reverberant part has half the energy of the direct sound."""

LOUDER_DB = (-6.0, 0.0, 6.0)
"""How much louder than the echo a caller speaks over it."""

LEVEL = 0.1
LOUD = 0.02
ECHO_GAIN = 0.5
NOISE = 0.002

Signal = NDArray[np.float32]


def run(options: EvalOptions) -> list[Figure]:
    """Score windows of other voices, of echoes in rooms, and of callers over an echo.

    Args:
        options: `windows` of each kind (at least 10).
    """
    windows = max(10, options.whole("windows", WINDOWS))
    speakers = _speakers(options.data or Path())
    rng = np.random.default_rng(options.seed)
    others = [correlation(m, said) for m, said in _others(speakers, rng, windows)]
    taken = sum(score >= ECHO_SCORE for score in others)
    figures = [
        rate("caller_taken_for_echo_rate", taken, len(others)),
        Figure(name="caller_score_p999", value=round(float(np.percentile(others, 99.9)), 3), n=len(others)),
    ]
    for room_s in ROOMS_S:
        group: dict[str, GroupValue] = {"room_s": room_s}
        scores = [correlation(m, said) for m, said in _echoes(speakers, rng, windows, room_s)]
        figures.append(rate("echo_known_rate", sum(s >= ECHO_SCORE for s in scores), len(scores), group))
        figures.append(rate("echo_lost_rate", sum(s < KEEP_SCORE for s in scores), len(scores), group))
        figures.append(_percentile("echo_score_p05", scores, 5, group))
    for louder_db in LOUDER_DB:
        group = {"caller_louder_db": louder_db}
        scores = [correlation(m, said) for m, said in _double_talk(speakers, rng, windows, louder_db)]
        taken = sum(score >= ECHO_SCORE for score in scores)
        freed = sum(score < KEEP_SCORE for score in scores)
        figures.append(rate("caller_over_echo_taken_for_echo_rate", taken, len(scores), group))
        figures.append(rate("caller_over_echo_freed_rate", freed, len(scores), group))
    return figures


def _percentile(name: str, scores: list[float], percent: int, group: dict[str, GroupValue]) -> Figure:
    value = round(float(np.percentile(scores, percent)), 3) if scores else None
    return Figure(name=name, value=value, n=len(scores), group=group)


def _speakers(data: Path) -> dict[str, list[Signal]]:
    """Read clips of at least four seconds by speaker, at the rate of the comparison."""
    import soxr

    found: dict[str, list[Signal]] = {}
    files = sorted([*data.rglob("*.flac"), *data.rglob("*.wav")])
    for path in files[:: max(1, len(files) // CLIPS_MAX)]:
        samples, _ = read_clip(path)
        x = np.asarray(soxr.resample(samples, MODEL_RATE_HZ, RATE_HZ), np.float32)
        if len(x) >= 4 * RATE_HZ and np.any(x):
            speaker = path.stem.partition("-")[0] if "-" in path.stem else path.parent.name
            found.setdefault(speaker, []).append(x / np.sqrt(np.mean(x**2)) * LEVEL)
    if len(found) < 2:
        raise MissingData(f"no clips of four seconds by two speakers under {data}")
    return found


def _others(speakers: dict[str, list[Signal]], rng: np.random.Generator, n: int) -> Iterator[tuple[Signal, Signal]]:
    names = list(speakers)
    made = 0
    while made < n:
        agent, caller = rng.choice(len(names), 2, replace=False)
        heard = _stretch(speakers[names[caller]], rng, WINDOW_S)
        if _rms(heard) < LOUD:
            continue
        made += 1
        yield _coded(heard, rng), _stretch(speakers[names[agent]], rng, WINDOW_S + LAG_S_MAX)


def _echoes(
    speakers: dict[str, list[Signal]], rng: np.random.Generator, n: int, room_s: float
) -> Iterator[tuple[Signal, Signal]]:
    names = list(speakers)
    made = 0
    while made < n:
        said = _stretch(speakers[names[rng.integers(len(names))]], rng, WINDOW_S + LAG_S_MAX)
        heard = _returned(said, rng, room_s)
        if _rms(heard) < LOUD * ECHO_GAIN:
            continue
        made += 1
        yield _coded(heard, rng), said


def _double_talk(
    speakers: dict[str, list[Signal]], rng: np.random.Generator, n: int, louder_db: float
) -> Iterator[tuple[Signal, Signal]]:
    names = list(speakers)
    made = 0
    while made < n:
        agent, caller = rng.choice(len(names), 2, replace=False)
        said = _stretch(speakers[names[agent]], rng, WINDOW_S + LAG_S_MAX)
        echo = _returned(said, rng, 0.2)
        voice = _stretch(speakers[names[caller]], rng, WINDOW_S)
        if _rms(echo) < LOUD * ECHO_GAIN or _rms(voice) < LOUD:
            continue
        made += 1
        voice = voice * (_rms(echo) / _rms(voice) * 10 ** (louder_db / 20))
        yield _coded((echo + voice).astype(np.float32), rng), said


def _stretch(clips: list[Signal], rng: np.random.Generator, seconds: float) -> Signal:
    clip = clips[rng.integers(len(clips))]
    n = round(seconds * RATE_HZ)
    start = rng.integers(0, len(clip) - n)
    return clip[start : start + n]


def _returned(said: Signal, rng: np.random.Generator, room_s: float) -> Signal:
    """What comes back of the agent's sound: delayed, weaker, with a room."""
    response = np.zeros(round(rng.uniform(0.05, LAG_S_MAX - 0.1) * RATE_HZ) + 1)
    response[-1] = 1.0
    if room_s:
        n = round(room_s * RATE_HZ)
        tail = rng.standard_normal(n) * np.exp(-6.9 * np.arange(n) / n)
        response = np.concatenate([response, 0.7 * tail / np.sqrt(np.sum(tail**2))])
    back = np.convolve(said, response)[: len(said)] * ECHO_GAIN
    return back[-round(WINDOW_S * RATE_HZ) :].astype(np.float32)


def _coded(x: Signal, rng: np.random.Generator) -> Signal:
    """Add line noise and pass 8-bit mu-law."""
    y = x + rng.standard_normal(len(x)) * NOISE
    squeezed = np.sign(y) * np.log1p(255 * np.abs(y).clip(0, 1)) / np.log(256)
    steps = np.round((squeezed + 1) / 2 * 255) / 255 * 2 - 1
    return (np.sign(steps) * (np.power(256.0, np.abs(steps)) - 1) / 255).astype(np.float32)


def _rms(x: Signal) -> float:
    return float(np.sqrt(np.mean(x**2)))
