"""Fits a calibration record to one embedder from recordings of speakers.

Owns the order of the fit and its settings; `speaker_gate.fitting` holds the steps. Runs the embedder over everything:
offline use only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from speaker_gate.calibration import BandCalibration, BandPair, CalibrationRecord, ChangeCalibration, RecordSettings
from speaker_gate.embedders import Embedder
from speaker_gate.errors import NotEnoughData
from speaker_gate.fitting.change import ENROLLED_WEIGHT, SEGMENTER_WEIGHT, fit_change
from speaker_gate.fitting.thresholds import (
    PairScores,
    Scores,
    all_scores,
    band_calibration,
    consistency_of,
    reliability_of,
)
from speaker_gate.fitting.vectors import Placing, Progress, Spoil, VoiceVectors, embed_voices, mean_of, whitening_of
from speaker_gate.trials import TEST_SECONDS, SpeakerClips

SPEAKERS_MIN = 12
"""Fewer speakers than this cannot carry a threshold."""

SPREAD_MIN = 0.02
"""Least spread of scores in the change evidence: a handful of speakers may show less by luck."""

SUSPECT_BELOW, CHANGE_ABOVE, CHANGE_ABOVE_ENROLLED = 6.0, 1.0, 1.0
"""Change thresholds where no two-voice turns are made; those of the first fit of the packaged embedder, rounded."""


@dataclass(frozen=True, slots=True)
class FitSettings:
    """How a record is fitted.

    Parameters:
        seconds: Lengths of speech at which thresholds are set.
        whitening_shrink: Share (0..1) of the within-voice covariance replaced by its isotropic part.
        false_reject_rate: Share of the enrolled voice's trials that may fall under `reject_below`, spoiled ones
            included.
        false_accept_rate: Share of other voices' trials that may lie over `accept_above`.
        eer_at_min_max: A length is decided on from where the equal error rate falls under this.
        composites: Two-voice turns made to set the change thresholds; 0 leaves the defaults of this module.
        seed: Seed of everything drawn.
    """

    seconds: tuple[float, ...] = TEST_SECONDS
    whitening_shrink: float = 0.3
    false_reject_rate: float = 0.004
    false_accept_rate: float = 0.02
    eer_at_min_max: float = 0.05
    composites: int = 150
    seed: int = 20260525


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """A fitted record with the scores it was fitted on.

    Parameters:
        record: The record.
        scores: Scores by band pair and seconds, for plots and reports.
    """

    record: CalibrationRecord
    scores: dict[tuple[BandPair, float], PairScores]


def fit_record(
    embedder: Embedder,
    speakers: Sequence[SpeakerClips],
    *,
    settings: FitSettings | None = None,
    spoilers: Mapping[str, Spoil] | None = None,
    made_from: Mapping[str, str | int | float] | None = None,
    progress: Progress | None = None,
) -> Fit:
    """Fit a calibration record.

    Args:
        embedder: The embedder to calibrate.
        speakers: At least `SPEAKERS_MIN` with wide-band recordings of 8 s of speech or more, or several clips.
        settings: How; the defaults are those of the shipped record.
        spoilers: Named ways to spoil test speech (noise); their trials lower `reject_below`, so that a patient on a
            noisy line is not taken for somebody else.
        made_from: What to note in the record: data, split.
        progress: Called with a line now and then.

    Raises:
        NotEnoughData: Too few usable speakers.
    """
    settings, tell = settings or FitSettings(), progress or _quiet
    voices = {
        narrow: embed_voices(embedder, speakers, narrow, settings.seconds, spoilers or {}, tell)
        for narrow in (False, True)
    }
    if min(len(found) for found in voices.values()) < SPEAKERS_MIN:
        raise NotEnoughData(f"{len(voices[False])} speakers with enough wide-band speech; {SPEAKERS_MIN} are needed")
    means = {narrow: mean_of(found) for narrow, found in voices.items()}
    placing = Placing(means, whitening_of(voices, means, settings.whitening_shrink))
    scores = all_scores(placing, voices, settings.seconds)
    pairs = {pair: _pair(pair, scores, settings) for pair in BandPair}
    change = {pair: _change(placing, voices, pair, scores, settings) for pair in (BandPair.WIDE, BandPair.NARROW)}
    enrolment = {
        pair: consistency_of(placing, voices[pair is BandPair.NARROW], pair is BandPair.NARROW, settings.seconds)
        for pair in (BandPair.WIDE, BandPair.NARROW)
    }
    note: dict[str, str | int | float] = dict(made_from or {})

    def record(with_change: dict[BandPair, ChangeCalibration]) -> CalibrationRecord:
        made = RecordSettings(
            embedder=embedder.name,
            dim=embedder.dim,
            pairs=pairs,
            change=with_change,
            enrolment=enrolment,
            made_from=note,
        )
        return CalibrationRecord(made, means[False], means[True], placing.whitening)

    if settings.composites:
        change = fit_change(embedder, record(change), speakers, settings.composites, settings.seed, tell)
    return Fit(record(change), scores)


def _pair(pair: BandPair, scores: Scores, settings: FitSettings) -> BandCalibration:
    return band_calibration(
        pair,
        scores,
        false_reject=settings.false_reject_rate,
        false_accept=settings.false_accept_rate,
        eer_at_min_max=settings.eer_at_min_max,
    )


def _change(
    placing: Placing,
    voices: Mapping[bool, Mapping[str, VoiceVectors]],
    pair: BandPair,
    scores: Scores,
    settings: FitSettings,
) -> ChangeCalibration:
    narrow = pair is BandPair.NARROW
    curve, spread = reliability_of(placing, voices[narrow], narrow, settings.seconds)
    others = [
        found.others.std() for (found_pair, length), found in scores.items() if found_pair is pair and length >= 1
    ]
    return ChangeCalibration(
        reliability=curve,
        same_sd=round(max(spread, SPREAD_MIN), 4),
        other_sd=round(max(float(np.mean(others)), SPREAD_MIN), 4),
        suspect_below=SUSPECT_BELOW,
        change_above=CHANGE_ABOVE,
        change_above_enrolled=CHANGE_ABOVE_ENROLLED,
        enrolled_weight=ENROLLED_WEIGHT,
        segmenter_weight=SEGMENTER_WEIGHT,
    )


def _quiet(line: str) -> None:
    del line
