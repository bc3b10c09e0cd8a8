"""Seeds that depend on names, not on order: the same trial draws the same numbers whatever runs beside it."""

from __future__ import annotations

import hashlib
import random


def derive_seed(seed: int, *names: str | int) -> int:
    """Give a seed in [0, 2**63) for one named part of a run."""
    text = "\0".join([str(seed), *(str(name) for name in names)])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1


def stream(seed: int, *names: str | int) -> random.Random:
    """Give a random stream for one named part of a run."""
    return random.Random(derive_seed(seed, *names))
