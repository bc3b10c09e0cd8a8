"""Embeds the speakers of a fit, and makes the channel means and the whitening from their vectors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from speaker_gate.embedders import Embedder, Samples
from speaker_gate.trials import SpeakerClips, cut_speaker, embed_all

Vectors = NDArray[np.float32]
Progress = Callable[[str], None]
Spoil = Callable[[Samples], Samples]

SPOILED_WINDOWS_MAX = 2
MEAN_SECONDS_MIN = 1.0
"""Windows shorter than this do not count towards a channel's mean."""


@dataclass(slots=True, eq=False)
class VoiceVectors:
    """One speaker's vectors in one band.

    Parameters:
        enrolment: Vector of the enrolment, shape (dim,).
        windows: Vectors of test windows by seconds, shape (n, dim).
        spoiled: The same of spoiled windows (noise and the like).
    """

    enrolment: Vectors
    windows: dict[float, Vectors]
    spoiled: dict[float, Vectors] = field(default_factory=dict[float, Vectors])

    def tested(self, length: float) -> Vectors:
        """All windows of one length, clean ones first."""
        empty = np.zeros((0, len(self.enrolment)), dtype=np.float32)
        return np.concatenate([self.windows.get(length, empty), self.spoiled.get(length, empty)])


@dataclass(frozen=True, slots=True, eq=False)
class Placing:
    """The arrays that bring vectors onto one scale: `CalibrationRecord.place` for many at once."""

    means: dict[bool, Vectors]
    whitening: Vectors

    def place(self, vectors: Vectors, narrow: bool) -> Vectors:
        """Centre, whiten and scale to unit length: shape (n, dim) in and out."""
        return unit(unit(vectors - self.means[narrow]) @ self.whitening.T)


def embed_voices(
    embedder: Embedder,
    speakers: Sequence[SpeakerClips],
    narrow: bool,
    seconds: Sequence[float],
    spoilers: Mapping[str, Spoil],
    tell: Progress,
) -> dict[str, VoiceVectors]:
    """Embed every speaker's enrolment and windows in one band; speakers with too little speech are left out."""
    found: dict[str, VoiceVectors] = {}
    for count, speaker in enumerate(speakers, start=1):
        cut = cut_speaker(speaker, narrow, seconds=seconds)
        vector = embedder.embed(cut.enrolment) if cut is not None else None
        if cut is None or vector is None:
            continue
        voice = VoiceVectors(vector, {length: embed_all(embedder, parts) for length, parts in cut.windows.items()})
        for spoil in spoilers.values():
            _add_spoiled(voice, embedder, speaker, narrow, seconds, spoil)
        found[speaker.name] = voice
        if count % 20 == 0:
            tell(f"{'telephone' if narrow else 'wide'} band: {count} of {len(speakers)} speakers")
    return found


def _add_spoiled(
    voice: VoiceVectors,
    embedder: Embedder,
    speaker: SpeakerClips,
    narrow: bool,
    seconds: Sequence[float],
    spoil: Spoil,
) -> None:
    cut = cut_speaker(speaker, narrow, seconds=seconds, windows_max=SPOILED_WINDOWS_MAX, spoil=spoil)
    for length, parts in (cut.windows if cut is not None else {}).items():
        more = embed_all(embedder, parts)
        voice.spoiled[length] = np.concatenate([voice.spoiled[length], more]) if length in voice.spoiled else more


def mean_of(voices: Mapping[str, VoiceVectors]) -> Vectors:
    """Mean vector of a channel; each speaker counts once."""
    per_voice: list[Vectors] = []
    for voice in voices.values():
        long = [vectors for length, vectors in voice.windows.items() if length >= MEAN_SECONDS_MIN and len(vectors)]
        if long:
            per_voice.append(np.concatenate(long).mean(axis=0))
    return np.mean(per_voice, axis=0).astype(np.float32)


def whitening_of(
    voices: Mapping[bool, Mapping[str, VoiceVectors]], means: Mapping[bool, Vectors], shrink: float
) -> Vectors:
    """Whitening by the within-voice covariance over both bands, that covariance shrunk towards a sphere.

    Args:
        voices: Vectors by band and speaker.
        means: Channel means by band.
        shrink: Share (0..1) of the covariance replaced by its isotropic part.

    Returns:
        float32, shape (dim, dim).
    """
    dim = len(means[False])
    scatter, count = np.zeros((dim, dim)), 0
    for name in sorted({name for found in voices.values() for name in found}):
        parts: list[Vectors] = []
        for narrow, found in voices.items():
            if name in found:
                voice = found[name]
                rows = [voice.enrolment[None], *voice.windows.values(), *voice.spoiled.values()]
                parts.append(unit(np.concatenate([row for row in rows if len(row)]) - means[narrow]))
        rows = np.concatenate(parts).astype(np.float64)
        spread = rows - rows.mean(axis=0)
        scatter, count = scatter + spread.T @ spread, count + len(rows)
    covariance = scatter / max(count, 1)
    covariance = (1 - shrink) * covariance + shrink * float(np.trace(covariance)) / dim * np.eye(dim)
    return np.linalg.inv(np.linalg.cholesky(covariance)).astype(np.float32)


def unit(vectors: Vectors) -> Vectors:
    """Scale rows to unit length."""
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-8)
