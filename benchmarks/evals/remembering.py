"""An embedder that remembers: the same sound again costs nothing, as where every trial enrols the same few voices."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Sequence

from speaker_gate.embedders import Embedder, Samples, Vector

KEPT_MAX = 4096
"""Vectors remembered; the one used longest ago goes first."""


class Remembering:
    """Gives the same vectors as another embedder. Not for figures of cost.

    Args:
        inner: The embedder that makes them.
    """

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self._made: OrderedDict[bytes, Vector | None] = OrderedDict()

    @property
    def name(self) -> str:
        """The inner one's."""
        return self._inner.name

    @property
    def dim(self) -> int:
        """The inner one's."""
        return self._inner.dim

    @property
    def sample_rate_hz(self) -> int:
        """The inner one's."""
        return self._inner.sample_rate_hz

    @property
    def min_seconds(self) -> float:
        """The inner one's."""
        return self._inner.min_seconds

    def embed(self, samples: Samples) -> Vector | None:
        """Embed, or remember; see `Embedder.embed`."""
        key = hashlib.blake2b(samples.tobytes(), digest_size=16).digest()
        if key not in self._made:
            self._made[key] = self._inner.embed(samples)
            while len(self._made) > KEPT_MAX:
                self._made.popitem(last=False)
        self._made.move_to_end(key)
        return self._made[key]

    def embed_batch(self, batch: Sequence[Samples]) -> list[Vector | None]:
        """Embed, or remember, several; see `Embedder.embed_batch`."""
        return [self.embed(samples) for samples in batch]
