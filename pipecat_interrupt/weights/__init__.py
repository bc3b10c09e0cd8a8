"""Model weights that come inside packages: what exists, where it is, and that it is what was pinned."""

from .errors import CacheUnusable, CorruptWeights, MissingWeights, NoSpace, UnknownWeights, WeightsError
from .manifest import MANIFEST, Weights, lookup
from .store import CACHE_ENV, WeightStore, available, cache_folder, ensure

__all__ = [
    "CACHE_ENV",
    "MANIFEST",
    "CacheUnusable",
    "CorruptWeights",
    "MissingWeights",
    "NoSpace",
    "UnknownWeights",
    "WeightStore",
    "Weights",
    "WeightsError",
    "available",
    "cache_folder",
    "ensure",
    "lookup",
]
