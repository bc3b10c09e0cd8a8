"""Two-voice sets: a patient and somebody else in one utterance, the same words by one voice, and hard negatives.

Owns the strategy file, the rendering by local voices and the manifest; the evaluations only read what is built here.
"""

from benchmarks.two_voice.manifest import Clip, Manifest, Role, read_manifest
from benchmarks.two_voice.strategy import Case, Kind, Scenario, Strategy, load_strategy, shipped_strategies

__all__ = [
    "Case",
    "Clip",
    "Kind",
    "Manifest",
    "Role",
    "Scenario",
    "Strategy",
    "load_strategy",
    "read_manifest",
    "shipped_strategies",
]
