"""The seam to every voice model: what an embedder and a segmenter promise.

Owns the two Protocols, the embedding value and the off-loop helper. Never loads a model.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from speaker_gate.errors import EmbedderMismatch

Samples = NDArray[np.float32]
Vector = NDArray[np.float32]

MODEL_RATE_HZ = 16_000
"""Rate every embedder and segmenter of this room takes; `speaker_gate.audio.to_model_rate` brings audio to it."""

EMBED_SECONDS_MAX = 20.0
"""Longest stretch given to an embedder at once; more is cut, so that one call can never starve another."""


@runtime_checkable
class Embedder(Protocol):
    """Turns speech into a vector that tells voices apart.

    Promises: thread-safe; one model shared by all calls of a process; no network after construction; never
    returns NaN; the same samples give the same vector.
    """

    @property
    def name(self) -> str:
        """Stable id; calibration records are looked up by it."""
        ...

    @property
    def dim(self) -> int:
        """Length of the vectors."""
        ...

    @property
    def sample_rate_hz(self) -> int:
        """Rate `embed` takes; 16000 for all of ours."""
        ...

    @property
    def min_seconds(self) -> float:
        """Shortest speech that gives a vector at all; shorter gives None."""
        ...

    def embed(self, samples: Samples) -> Vector | None:
        """Embed one stretch of speech.

        Args:
            samples: float32, shape (n,), in [-1, 1], at `sample_rate_hz`, speech only.

        Returns:
            float32, shape (dim,), unit length; None where no vector is possible (too short, silent, not finite).
        """
        ...

    def embed_batch(self, batch: Sequence[Samples]) -> list[Vector | None]:
        """Embed several stretches; the answer has the same length and order. For offline use."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class SpeakerActivity:
    """Who speaks when inside one stretch, by anonymous local voices.

    Parameters:
        active: bool, shape (frames, voices).
        step_s: Seconds from one frame to the next.
    """

    active: NDArray[np.bool_]
    step_s: float

    def voice_seconds(self) -> tuple[float, ...]:
        """Seconds of each local voice, longest first."""
        return tuple(sorted((float(s) * self.step_s for s in self.active.sum(axis=0)), reverse=True))

    def second_voice_s(self) -> float:
        """Seconds of the second-longest local voice; 0.0 with fewer than two voices."""
        seconds = self.voice_seconds()
        return seconds[1] if len(seconds) > 1 else 0.0

    def overlap_s(self) -> float:
        """Seconds in which two voices speak at once."""
        return float((self.active.sum(axis=1) >= 2).sum()) * self.step_s

    def overlapped(self, start_s: float, end_s: float) -> bool:
        """Say whether two voices speak at once for more than half of [start_s, end_s)."""
        part = self.active[int(start_s / self.step_s) : max(int(end_s / self.step_s), int(start_s / self.step_s) + 1)]
        return bool(len(part)) and float((part.sum(axis=1) >= 2).mean()) > 0.5


@runtime_checkable
class Segmenter(Protocol):
    """Says how many voices speak, and when, without knowing whose they are. Thread-safe, no network."""

    @property
    def name(self) -> str:
        """Stable id."""
        ...

    def activity(self, samples: Samples) -> SpeakerActivity | None:
        """Segment one stretch (float32, shape (n,), 16 kHz, up to 10 s); None where it cannot be done."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Embedding:
    """One vector with what is needed to use it rightly.

    Parameters:
        vector: float32, shape (dim,), unit length.
        embedder: Name of the embedder it comes from.
        seconds: Seconds of speech behind it.
        narrow: True when the speech came over a telephone band (<= 4 kHz), whatever the rate it was brought to.
    """

    vector: Vector = field(repr=False)  # biometric: it must not reach a log by way of a repr
    embedder: str
    seconds: float
    narrow: bool


def checked_voice(voice: Embedding, embedder: Embedder) -> None:
    """Refuse a vector kept from elsewhere that an embedder cannot have made.

    Raises:
        EmbedderMismatch: It names another embedder, has another length, or is not finite.
    """
    if voice.embedder != embedder.name:
        raise EmbedderMismatch(f"a stored voice was made with another embedder than {embedder.name!r}")
    if voice.vector.shape != (embedder.dim,) or not np.isfinite(voice.vector).all():
        raise EmbedderMismatch(f"a stored voice is no finite vector of length {embedder.dim}")


async def embed_off_loop(embedder: Embedder, samples: Samples, executor: Executor | None = None) -> Vector | None:
    """Embed without blocking the event loop; safe to cancel (the model call itself runs to its end)."""
    return await asyncio.get_running_loop().run_in_executor(executor, embedder.embed, samples)


def warm_up(embedder: Embedder, seconds: Sequence[float] = (1.0, 2.0)) -> None:
    """Run the model once per length on fixed noise, so that the first caller does not pay for it."""
    noise = np.random.default_rng(0).standard_normal(int(max(seconds) * embedder.sample_rate_hz)).astype(np.float32)
    for length_s in seconds:
        embedder.embed(0.05 * noise[: int(length_s * embedder.sample_rate_hz)])
