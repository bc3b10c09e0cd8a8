"""How alike two voices are, on one scale for all bands and lengths. Pure; owns no threshold."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from speaker_gate.calibration import BandPair, CalibrationRecord, ChangeCalibration, pair_of
from speaker_gate.embedders import Embedding
from speaker_gate.errors import EmbedderMismatch


@dataclass(frozen=True, slots=True)
class Score:
    """One comparison.

    Parameters:
        value: Cosine after the record's centring and whitening, in [-1, 1]; higher is closer. Not a probability.
        pair: The bands compared.
        seconds: Seconds of speech behind the window (not the enrolment).
    """

    value: float
    pair: BandPair
    seconds: float


def score(window: Embedding, enrolled: Embedding, record: CalibrationRecord) -> Score:
    """Say how alike a stretch of speech and an enrolled voice are.

    Args:
        window: The stretch's embedding.
        enrolled: The enrolment's embedding.
        record: Calibration of the embedder of both.

    Raises:
        EmbedderMismatch: The three do not come from one embedder.

    Source: error rates by band and length, docs/metrics/speaker_gate.md.
    """
    for embedding in (window, enrolled):
        if embedding.embedder != record.embedder:
            raise EmbedderMismatch(f"embedding of {embedding.embedder!r} against a record of {record.embedder!r}")
    first = record.place(window.vector, window.narrow)
    second = record.place(enrolled.vector, enrolled.narrow)
    return Score(cosine(first, second), pair_of(enrolled.narrow, window.narrow), window.seconds)


def cosine(first: NDArray[np.float32], second: NDArray[np.float32]) -> float:
    """Cosine of two vectors of unit length, kept inside [-1, 1]."""
    return float(np.clip(float(first @ second), -1.0, 1.0))


def same_voice_log_odds(value: float, first_s: float, second_s: float, band: ChangeCalibration) -> float:
    """Natural log of how much likelier a score is for one voice than for two, given both lengths.

    Two stretches of one voice score about r(first_s) * r(second_s): short stretches score low even for one voice.

    Args:
        value: The score of the two stretches.
        first_s: Seconds of speech of one.
        second_s: Seconds of speech of the other.
        band: Calibration of their band.
    """
    expected = band.reliability.at(first_s) * band.reliability.at(second_s)
    one = -0.5 * ((value - expected) / band.same_sd) ** 2 - math.log(band.same_sd)
    two = -0.5 * (value / band.other_sd) ** 2 - math.log(band.other_sd)
    if value > expected:  # more alike than one voice usually is: not evidence for two
        one = -math.log(band.same_sd)
    return one - two
