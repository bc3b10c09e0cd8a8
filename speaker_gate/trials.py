"""Turns a folder's worth of speakers into enrolments and test windows, the same way for fitting and for scoring.

Owns the protocol of a trial: enrol on the start, test on what follows; with several clips never on the enrolled clip.
Pure; audio comes in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from speaker_gate.audio import over_telephone, speech_of, to_model_rate
from speaker_gate.embedders import MODEL_RATE_HZ, Embedder, Samples, Vector

ENROL_S = 6.0
ENROL_S_MIN = 3.0
TEST_SECONDS = (0.5, 1.0, 1.5, 2.0, 3.0)
WINDOWS_MAX = 4
"""Test windows of one length taken from one speaker, spread over all there is."""


@dataclass(frozen=True, slots=True, eq=False)
class SpeakerClips:
    """One speaker's recordings.

    Parameters:
        name: Speaker id.
        clips: float32 at 16 kHz, one array a recording.
        narrow_only: True when the recordings themselves are telephone-band.
    """

    name: str
    clips: tuple[Samples, ...]
    narrow_only: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class SpeakerTrials:
    """One speaker cut into an enrolment and test windows, speech only, at 16 kHz.

    Parameters:
        name: Speaker id.
        enrolment: Speech to enrol on.
        windows: Test windows by seconds.
    """

    name: str
    enrolment: Samples
    windows: dict[float, tuple[Samples, ...]]


def through_band(samples: Samples, narrow: bool) -> Samples:
    """Give a clip as a call of that band would deliver it, back at 16 kHz."""
    return to_model_rate(over_telephone(samples), 8_000) if narrow else samples


def cut_speaker(
    speaker: SpeakerClips,
    narrow: bool,
    *,
    enrol_s: float = ENROL_S,
    seconds: Sequence[float] = TEST_SECONDS,
    windows_max: int = WINDOWS_MAX,
    spoil: Callable[[Samples], Samples] | None = None,
) -> SpeakerTrials | None:
    """Cut one speaker for one band.

    Args:
        speaker: The recordings.
        narrow: Band wanted; None comes back for a wide trial of telephone-band recordings.
        enrol_s: Speech to enrol on; at least `ENROL_S_MIN` is taken where that much cannot be spared.
        seconds: Lengths of test windows.
        windows_max: Most windows of one length.
        spoil: Applied to the test speech before the band (noise, echo); the enrolment stays clean.

    Returns:
        The cut speaker; None when there is too little speech for an enrolment and one window of 0.5 s.
    """
    if speaker.narrow_only and not narrow:
        return None
    clean = [_speech(clip, narrow, speaker.narrow_only) for clip in speaker.clips]
    total = sum(len(part) for part in clean)
    enrol = int(min(enrol_s, max(ENROL_S_MIN, total / MODEL_RATE_HZ - max(seconds))) * MODEL_RATE_HZ)
    enrolment, used = _take(clean, enrol)
    if len(enrolment) < int(ENROL_S_MIN * MODEL_RATE_HZ):
        return None
    tested = clean
    if spoil is not None:
        tested = [_speech(spoil(clip), narrow, speaker.narrow_only) for clip in speaker.clips]
    rest = tested[used:] if len(clean) > used else [tested[-1][enrol:]]
    windows = {length: _windows(rest, length, windows_max) for length in seconds}
    if not any(windows.values()):
        return None
    return SpeakerTrials(speaker.name, enrolment, windows)


def embed_all(embedder: Embedder, stretches: Iterable[Samples]) -> NDArray[np.float32]:
    """Embed stretches one after the other; those without a vector are left out. Shape (made, dim)."""
    made: list[Vector] = [vector for part in stretches if (vector := embedder.embed(part)) is not None]
    return np.stack(made) if made else np.zeros((0, embedder.dim), dtype=np.float32)


def equal_error_rate(primary: NDArray[np.floating], others: NDArray[np.floating]) -> tuple[float, float]:
    """Equal error rate (0..1) and the score at which false accepts and false rejects are equal."""
    if not len(primary) or not len(others):
        return float("nan"), float("nan")
    thresholds = np.sort(np.concatenate([primary, others]))
    rejects = np.searchsorted(np.sort(primary), thresholds) / len(primary)
    accepts = 1 - np.searchsorted(np.sort(others), thresholds) / len(others)
    at = int(np.argmin(np.abs(rejects - accepts)))
    return float((rejects[at] + accepts[at]) / 2), float(thresholds[at])


def _speech(clip: Samples, narrow: bool, already_narrow: bool) -> Samples:
    return speech_of(clip if already_narrow else through_band(clip, narrow)).samples


def _take(parts: list[Samples], samples: int) -> tuple[Samples, int]:
    """Join clips from the start until there is enough; a single clip is cut."""
    if len(parts) == 1:
        return parts[0][:samples], 1
    taken: list[Samples] = []
    for used, part in enumerate(parts, start=1):
        taken.append(part)
        if sum(len(one) for one in taken) >= samples or used == len(parts) - 1:
            return np.concatenate(taken)[:samples], used
    return np.zeros(0, dtype=np.float32), 0


def _windows(parts: list[Samples], seconds: float, most: int) -> tuple[Samples, ...]:
    """Non-overlapping windows inside clips; where all clips are shorter, of the clips joined."""
    size = int(seconds * MODEL_RATE_HZ)
    found: list[Samples] = [part[at : at + size] for part in parts for at in range(0, len(part) - size + 1, size)]
    if not found and len(parts) > 1:
        joined = np.concatenate(parts)
        found = [joined[at : at + size] for at in range(0, len(joined) - size + 1, size)]
    if len(found) > most:
        found = [found[index] for index in np.linspace(0, len(found) - 1, most).astype(int)]
    return tuple(found)
