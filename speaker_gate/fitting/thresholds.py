"""Sets the thresholds of a record from scores of many speakers with themselves and with each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from speaker_gate.calibration import BandCalibration, BandPair, Curve, EnrolmentCalibration
from speaker_gate.errors import NotEnoughData
from speaker_gate.fitting.vectors import Placing, VoiceVectors
from speaker_gate.trials import ENROL_S, equal_error_rate

BANDS = {BandPair.WIDE: (False, False), BandPair.NARROW: (True, True), BandPair.CROSS: (False, True)}
"""Band of the enrolment and of the test speech of each pair (True = telephone band)."""

CONSISTENCY_RATE = 0.01
"""Share of windows of one voice that may look inconsistent with the rest of it."""


@dataclass(frozen=True, slots=True, eq=False)
class PairScores:
    """Scores behind one threshold: one band pair, one length.

    Parameters:
        primary: Scores of the enrolled voice with itself.
        others: Scores of other voices with it.
    """

    primary: NDArray[np.float64]
    others: NDArray[np.float64]

    @property
    def eer(self) -> float:
        """Equal error rate, 0..1."""
        return equal_error_rate(self.primary, self.others)[0]


Scores = dict[tuple[BandPair, float], PairScores]


def all_scores(placing: Placing, voices: Mapping[bool, Mapping[str, VoiceVectors]], seconds: Sequence[float]) -> Scores:
    """Score every window against every enrolment, by band pair and length."""
    scores: Scores = {}
    for pair, (enrolled_narrow, test_narrow) in BANDS.items():
        names = sorted(set(voices[enrolled_narrow]) & set(voices[test_narrow]))
        if not names:
            continue
        enrolments = placing.place(
            np.stack([voices[enrolled_narrow][name].enrolment for name in names]), enrolled_narrow
        )
        for length in seconds:
            primary: list[NDArray[np.float64]] = []
            others: list[NDArray[np.float64]] = []
            for index, name in enumerate(names):
                tested = voices[test_narrow][name].tested(length)
                if len(tested):
                    table = (placing.place(tested, test_narrow) @ enrolments.T).astype(np.float64)
                    primary.append(table[:, index])
                    others.append(np.delete(table, index, axis=1).ravel())
            if primary:
                scores[pair, length] = PairScores(np.concatenate(primary), np.concatenate(others))
    return scores


def band_calibration(
    pair: BandPair, scores: Scores, *, false_reject: float, false_accept: float, eer_at_min_max: float
) -> BandCalibration:
    """Set the thresholds of one band pair.

    Args:
        pair: The bands.
        scores: All scores.
        false_reject: Share (0..1) of the enrolled voice's trials that may fall under `reject_below`.
        false_accept: Share of other voices' trials that may lie over `accept_above`.
        eer_at_min_max: Equal error rate from which on a length is decided on.

    Raises:
        NotEnoughData: No trials in this pair.
    """
    lengths = sorted(length for found, length in scores if found is pair)
    if not lengths:
        raise NotEnoughData(f"no trials in band {pair}")
    found = [scores[pair, length] for length in lengths]
    limits = [_limits(one, false_reject, false_accept) for one in found]
    reject = np.maximum.accumulate([low for low, _ in limits])
    accept = np.maximum([high for _, high in limits], reject)

    def curve(values: Sequence[float] | NDArray[np.float64]) -> Curve:
        return Curve(seconds=tuple(lengths), values=tuple(round(float(value), 4) for value in values))

    return BandCalibration(
        min_seconds=_min_seconds(lengths, [one.eer for one in found], eer_at_min_max),
        reject_below=curve(reject),
        accept_above=curve(accept),
        primary_mean=curve([float(one.primary.mean()) for one in found]),
        primary_sd=curve([float(one.primary.std()) for one in found]),
        other_mean=curve([float(one.others.mean()) for one in found]),
        other_sd=curve([float(one.others.std()) for one in found]),
        n_primary=sum(len(one.primary) for one in found),
        n_other=sum(len(one.others) for one in found),
    )


def _limits(scores: PairScores, false_reject: float, false_accept: float) -> tuple[float, float]:
    """Reject and accept thresholds of one length.

    The lower tail of the enrolled voice is read from the trials and from a normal curve, and the lower of the two is
    taken: with few speakers an empirical tail is luck. Where the voices are so far apart that the two limits cross,
    both move into the gap, the reject limit to its lower end: other rooms and lines lower the patient's own score.
    """
    tail = float(np.quantile(scores.primary, false_reject))
    curve = float(scores.primary.mean() + NormalDist().inv_cdf(false_reject) * scores.primary.std())
    reject, accept = min(tail, curve), float(np.quantile(scores.others, 1 - false_accept))
    if reject > accept:
        reject, accept = accept, accept + (reject - accept) / 3
    return reject, accept


def _min_seconds(lengths: Sequence[float], rates: Sequence[float], most: float) -> float:
    """Shortest length whose equal error rate is low enough; straight line between knots, steps of 0.1 s."""
    for seconds in np.arange(lengths[0], lengths[-1] + 1e-6, 0.1).tolist():
        if float(np.interp(seconds, lengths, rates)) <= most:
            return round(float(seconds), 1)
    return round(float(lengths[-1]), 1)


def same_length_scores(
    placing: Placing, voices: Mapping[str, VoiceVectors], narrow: bool, length: float
) -> list[NDArray[np.float64]]:
    """Score the windows of one length of each voice with each other: one square table a voice with two or more."""
    tables: list[NDArray[np.float64]] = []
    for voice in voices.values():
        vectors = voice.windows.get(length)
        if vectors is not None and len(vectors) >= 2:
            placed = placing.place(vectors, narrow)
            tables.append((placed @ placed.T).astype(np.float64))
    return tables


def reliability_of(
    placing: Placing, voices: Mapping[str, VoiceVectors], narrow: bool, seconds: Sequence[float]
) -> tuple[Curve, float]:
    """Fit r(seconds), with the mean score of two stretches of one voice r(a) * r(b), and the spread of that score.

    Returns:
        The curve (with a last knot at the enrolment's length) and the standard deviation over all lengths from 1 s on.
    """
    knots: list[float] = []
    values: list[float] = []
    spreads: list[float] = []
    to_enrolment: list[float] = []
    for length in seconds:
        tables = same_length_scores(placing, voices, narrow, length)
        pairs = np.concatenate([table[np.triu_indices(len(table), 1)] for table in tables]) if tables else np.zeros(0)
        if len(pairs) < 10:
            continue
        reliability = float(np.sqrt(max(float(pairs.mean()), 1e-3)))
        knots.append(length)
        values.append(reliability)
        if length >= 1.0:
            spreads.append(float(pairs.std()))
        scored = [
            float(placing.place(vectors, narrow).mean(axis=0) @ placing.place(voice.enrolment[None], narrow)[0])
            for voice in voices.values()
            if (vectors := voice.windows.get(length)) is not None and len(vectors)
        ]
        to_enrolment.append(float(np.mean(scored)) / reliability)
    if not knots:
        raise NotEnoughData("no voice has two windows of one length")
    knots.append(ENROL_S)
    values.append(min(0.99, float(np.median(to_enrolment))))
    rising = np.maximum.accumulate(values)
    curve = Curve(seconds=tuple(knots), values=tuple(round(float(value), 4) for value in rising))
    return curve, float(np.mean(spreads))


def consistency_of(
    placing: Placing, voices: Mapping[str, VoiceVectors], narrow: bool, seconds: Sequence[float]
) -> EnrolmentCalibration:
    """Least mean score of a window with the other windows of its own voice, by seconds of a window."""
    knots: list[float] = []
    values: list[float] = []
    for length in seconds:
        tables = [table for table in same_length_scores(placing, voices, narrow, length) if len(table) >= 3]
        means = np.concatenate([(t.sum(axis=1) - 1) / (len(t) - 1) for t in tables]) if tables else np.zeros(0)
        if len(means) >= 10:
            knots.append(length)
            values.append(round(float(np.quantile(means, CONSISTENCY_RATE)), 4))
    if not knots:
        raise NotEnoughData("no voice has three windows of one length")
    return EnrolmentCalibration(consistent_above=Curve(seconds=tuple(knots), values=tuple(values)))
