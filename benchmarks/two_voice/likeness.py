"""Are two synthetic voices liker than two people ever are? A set refuses such pairs: no gate could tell them apart.

Owns the limit, which comes from real people's voices, and the measure, which is the gate's own on speech as for an
enrolment. Made with ``python -m benchmarks.two_voice.likeness --data FOLDER_OF_SPEAKERS --write``.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np
from pydantic import BaseModel, ConfigDict

from speaker_gate.adapters.voice_folder import read_clip, speaker_files
from speaker_gate.audio import speech_of
from speaker_gate.embedders import Samples, Vector
from speaker_gate.trials import through_band
from speaker_gate.turn import Ears

LIMITS = Path(__file__).resolve().parent / "likeness.json"
SECONDS, SECONDS_MIN = 6.0, 4.0
SHARE = 0.999
"""Pairs of real people below the limit: of a thousand such pairs one is liker."""


class LikenessLimits(BaseModel):
    """How like two different people's voices get, by the gate's own score in [-1, 1].

    Parameters:
        embedder: What made the vectors.
        share: Share of pairs of real people that lie below the limits.
        wide: Limit at 16 kHz.
        narrow: Limit on the telephone band.
        speakers: People measured.
        pairs: Pairs of them, wide and narrow.
        highest: The likest pair, wide and narrow.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    embedder: str
    share: float
    wide: float
    narrow: float
    speakers: int
    pairs: tuple[int, int]
    highest: tuple[float, float]

    def allows(self, wide: float, narrow: float) -> bool:
        """Say whether two voices of these scores could be two people's."""
        return wide <= self.wide and narrow <= self.narrow


@runtime_checkable
class Likeness(Protocol):
    """Says how like two voices are, and whether two people could be."""

    @property
    def name(self) -> str:
        """Measure and limits, for the manifest."""
        ...

    def alike(self, first: str, second: str, speech: Callable[[str], Samples]) -> tuple[float, bool]:
        """Compare two voices.

        Args:
            first: One voice's name.
            second: The other's.
            speech: Gives a voice's enrolment-like speech, float32, 16 kHz.

        Returns:
            The score at 16 kHz, and True where no two people are that alike.
        """
        ...


class GateLikeness:
    """The gate's own measure against the limits of real people.

    Args:
        ears: The gate's models.
        limits: None reads the shipped ones.
    """

    def __init__(self, ears: Ears, limits: LikenessLimits | None = None) -> None:
        self._ears = ears
        self._limits = limits or LikenessLimits.model_validate_json(LIMITS.read_text(encoding="utf-8"))
        self._placed: dict[tuple[str, bool], Vector] = {}

    @property
    def name(self) -> str:
        """Measure and limits, for the manifest."""
        return f"{self._limits.embedder}, at most {self._limits.wide} (16k) and {self._limits.narrow} (mulaw8k)"

    def alike(self, first: str, second: str, speech: Callable[[str], Samples]) -> tuple[float, bool]:
        """Compare two voices; see `Likeness.alike`."""
        scores = [self._score(first, second, narrow, speech) for narrow in (False, True)]
        return round(scores[0], 3), not self._limits.allows(scores[0], scores[1])

    def _score(self, first: str, second: str, narrow: bool, speech: Callable[[str], Samples]) -> float:
        vectors: list[Vector] = []
        for voice in (first, second):
            if (voice, narrow) not in self._placed:
                made = placed(self._ears, speech(voice), narrow)
                if made is None:
                    return 1.0
                self._placed[voice, narrow] = made
            vectors.append(self._placed[voice, narrow])
        return float(np.dot(vectors[0], vectors[1]))


def placed(ears: Ears, samples: Samples, narrow: bool) -> Vector | None:
    """Embed up to `SECONDS` of a voice's speech in a band and place it; None with less than `SECONDS_MIN` of it."""
    speech = speech_of(through_band(samples, narrow)).samples[: int(SECONDS * 16_000)]
    if len(speech) < SECONDS_MIN * 16_000:
        return None
    made = ears.embedder.embed(speech)
    return None if made is None else ears.record.place(made, narrow)


def measure(ears: Ears, speakers: dict[str, list[Path]]) -> LikenessLimits:
    """Score every pair of different people in a folder of speakers, in both bands."""
    found: list[list[float]] = []
    people = 0
    for narrow in (False, True):
        vectors = [made for files in speakers.values() if (made := placed(ears, _speech(files), narrow)) is not None]
        people = max(people, len(vectors))
        found.append([float(np.dot(a, b)) for a, b in itertools.combinations(vectors, 2)])
    wide, narrow_scores = found
    return LikenessLimits(
        embedder=ears.embedder.name,
        share=SHARE,
        wide=round(float(np.quantile(wide, SHARE)), 3),
        narrow=round(float(np.quantile(narrow_scores, SHARE)), 3),
        speakers=people,
        pairs=(len(wide), len(narrow_scores)),
        highest=(round(max(wide), 3), round(max(narrow_scores), 3)),
    )


def _speech(files: Iterable[Path]) -> Samples:
    parts: list[Samples] = []
    for file in files:
        parts.append(read_clip(file)[0])
        if sum(map(len, parts)) >= 1.5 * SECONDS * 16_000:
            break
    return np.concatenate(parts)


def _main() -> None:
    from benchmarks.evals.voice_scores import ears_of

    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--data", type=Path, required=True, help="Folder of speakers.")
    asked.add_argument("--write", action="store_true", help="Replace the shipped limits.")
    options = asked.parse_args()
    made = measure(ears_of({}), speaker_files(options.data))
    print(made.model_dump_json(indent=1))
    if options.write:
        LIMITS.write_text(made.model_dump_json(indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    _main()
