"""Sets the change thresholds of a record on two-voice turns and their single-voice twins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from speaker_gate.audio import speech_of
from speaker_gate.calibration import BandPair, CalibrationRecord, ChangeCalibration
from speaker_gate.change import ChangeSearch, Enrolled
from speaker_gate.composites import make_composites
from speaker_gate.embedders import Embedder, Embedding, Samples
from speaker_gate.fitting.vectors import Progress
from speaker_gate.trials import SpeakerClips, through_band

FALSE_WEIGHT = 2.0
"""How much worse a false change is than a missed one when the threshold is set between the two."""

LEAST_EVIDENCE = 0.0
"""A change must at least be likelier than none, however far apart the voices of a fit are: rooms and moods vary."""

ENROLLED_WEIGHT = 1.0
SEGMENTER_WEIGHT = 2.0
NEVER, ALWAYS = -1e9, 1e9


@dataclass(frozen=True, slots=True)
class _Looked:
    evidence: float
    suspicion: float


def fit_change(
    embedder: Embedder,
    record: CalibrationRecord,
    speakers: Sequence[SpeakerClips],
    count: int,
    seed: int,
    tell: Progress,
) -> dict[BandPair, ChangeCalibration]:
    """Set `suspect_below` and the two `change_above` of each band; everything else stays as in `record`."""
    composites = make_composites(speakers, count, seed)
    fitted: dict[BandPair, ChangeCalibration] = {}
    for pair in (BandPair.WIDE, BandPair.NARROW):
        narrow = pair is BandPair.NARROW
        open_band = record.change(narrow).model_copy(update={"suspect_below": ALWAYS})
        found: dict[tuple[bool, bool], list[_Looked]] = {(e, t): [] for e in (False, True) for t in (False, True)}
        for number, composite in enumerate(composites, start=1):
            voice = _enrolled(embedder, record, composite.enrolment, narrow)
            for two in (False, True):
                samples = composite.two_voices if two else composite.one_voice
                part = _Parts(embedder, record, samples, narrow)
                for enrolled in (False, True):
                    split = ChangeSearch(open_band, part).best(0.0, part.seconds, voice if enrolled else None)
                    found[enrolled, two].append(
                        _Looked(NEVER, ALWAYS) if split is None else _Looked(split.evidence, split.suspicion)
                    )
            if number % 25 == 0:
                tell(f"change, {pair.value}: {number} of {len(composites)} turns")
        fitted[pair] = record.change(narrow).model_copy(
            update={
                "suspect_below": _suspect_below(found[False, True] + found[True, True]),
                "change_above": _between(found[False, False], found[False, True]),
                "change_above_enrolled": _between(found[True, False], found[True, True]),
            }
        )
    return fitted


class _Parts:
    """Placed vectors of parts of one turn, each made once."""

    def __init__(self, embedder: Embedder, record: CalibrationRecord, samples: Samples, narrow: bool) -> None:
        self._embedder, self._record, self._narrow = embedder, record, narrow
        self._turn = speech_of(through_band(samples, narrow))
        self._made: dict[tuple[float, float], NDArray[np.float32] | None] = {}

    @property
    def seconds(self) -> float:
        return self._turn.seconds

    def __call__(self, start_s: float, end_s: float) -> NDArray[np.float32] | None:
        if (start_s, end_s) not in self._made:
            vector = self._embedder.embed(self._turn.cut(start_s, end_s))
            placed = None if vector is None else self._record.place(vector, self._narrow)
            self._made[start_s, end_s] = placed
        return self._made[start_s, end_s]


def _enrolled(embedder: Embedder, record: CalibrationRecord, samples: Samples, narrow: bool) -> Enrolled | None:
    speech = speech_of(through_band(samples, narrow))
    vector = embedder.embed(speech.samples)
    if vector is None:
        return None
    embedding = Embedding(vector, embedder.name, speech.seconds, narrow)
    return Enrolled(record.place(embedding.vector, narrow), embedding.seconds)


def _suspect_below(two_voices: list[_Looked]) -> float:
    """Keep 99 of 100 true changes in the closer look, with some room."""
    return round(float(np.quantile([one.suspicion for one in two_voices if one.suspicion < ALWAYS], 0.99)) + 1.0, 3)


def _between(one_voice: list[_Looked], two_voices: list[_Looked]) -> float:
    """Set a threshold between twins and changes.

    Where they do not overlap: between the highest twin and the lowest change, nearer the twins' end by a third less
    than the middle. Where they do: where misses plus `FALSE_WEIGHT` times false changes are fewest, at the middle of
    the best stretch.
    """
    one = np.sort([found.evidence for found in one_voice])
    two = np.sort([found.evidence for found in two_voices])
    grid = np.arange(-12.0, 12.01, 0.1)
    missed = np.searchsorted(two, grid, side="right") / len(two)
    false = 1 - np.searchsorted(one, grid, side="right") / len(one)
    cost = missed + FALSE_WEIGHT * np.maximum(false, 0.0)
    best = grid[cost <= cost.min() + 1e-9]
    return round(max(LEAST_EVIDENCE, float(best[0] + 0.5 * (best[-1] - best[0]))), 2)
