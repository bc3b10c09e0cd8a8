"""Inference of the English floor model: a sum of weights, squashed.

Owns the weights file's form. Two heads share the features: *early* for unfinished words, *whole* for closed segments.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources

from pipecat_interrupt.overlap.evidence import Evidence, TextStatus
from pipecat_interrupt.overlap.model.features import FEATURES_VERSION, FloorView, canonical_words, features

WEIGHTS_FILE = "floor_en.json"


@dataclass(frozen=True, slots=True)
class Head:
    """One decision's weights.

    Parameters:
        bias: Added to every score.
        threshold: Operating point in (0, 1).
        weights: Weight of each named feature; unknown features weigh nothing.
    """

    bias: float
    threshold: float
    weights: Mapping[str, float]

    def log_odds(self, found: Mapping[str, float]) -> float:
        """Log odds that the floor is taken, from named features."""
        return self.bias + sum(self.weights.get(name, 0.0) * value for name, value in found.items())

    def score(self, view: FloorView) -> float:
        """Probability in (0, 1) that the floor is taken."""
        return 1.0 / (1.0 + math.exp(-max(-40.0, min(40.0, self.log_odds(features(view))))))


class LinearFloorModel:
    """Says how likely an overlapper takes the floor, from words, timing and place."""

    def __init__(self, early: Head, whole: Head) -> None:
        """Make a model of two heads."""
        self.early = early
        self.whole = whole

    @property
    def threshold(self) -> float:
        """Operating point of the early head; a score of the other head is scaled to it."""
        return self.early.threshold

    def score(self, evidence: Evidence) -> float | None:
        """Probability in (0, 1), on the early head's scale; None when no recogniser is at work or nothing was said."""
        if evidence.status not in (TextStatus.INTERIM, TextStatus.FINAL):
            return None
        if evidence.status is TextStatus.FINAL and not evidence.words:
            return None
        view = view_of(evidence)
        if evidence.status is TextStatus.FINAL:
            return _rescale(self.whole.score(view), self.whole.threshold, self.early.threshold)
        return self.early.score(view)


def view_of(evidence: Evidence) -> FloorView:
    """The evidence in the form the features want."""
    words = [word for word in evidence.words if word.end_s is None or word.end_s > 0]
    first, last = (words[0], words[-1]) if words else (None, None)
    since = None if last is None or last.end_s is None else max(0.0, evidence.since_onset_s - last.end_s)
    return FloorView(
        words=canonical_words([word.text for word in words]),
        first_word_s=None if first is None else _length_s(first.start_s, first.end_s),
        last_word_s=None if last is None else _length_s(last.start_s, last.end_s),
        since_onset_s=evidence.since_onset_s,
        voiced_s=evidence.voiced_s,
        since_word_s=since,
        voice_on=evidence.speech_active,
        said=evidence.floor.delivered_text,
        unsaid=evidence.floor.remaining_text,
        before=evidence.before,
    )


def _length_s(start_s: float | None, end_s: float | None) -> float | None:
    return None if start_s is None or end_s is None else max(0.0, end_s - start_s)


def _rescale(score: float, own: float, other: float) -> float:
    """Move a score so that its own threshold becomes the other head's (by log odds)."""

    def odds(p: float) -> float:
        return math.log(p / (1 - p))

    clamped = min(1 - 1e-9, max(1e-9, score))
    return 1.0 / (1.0 + math.exp(-(odds(clamped) - odds(own) + odds(other))))


def load_floor_model() -> LinearFloorModel:
    """Load the model that comes with the package.

    Raises:
        ValueError: The weights belong to another version of the features.
    """
    raw = json.loads(
        resources.files("pipecat_interrupt.overlap.model").joinpath(WEIGHTS_FILE).read_text(encoding="utf-8")
    )
    if raw["features_version"] != FEATURES_VERSION:
        raise ValueError(f"weights are for features version {raw['features_version']}, this is {FEATURES_VERSION}")
    heads = {
        name: Head(float(raw[name]["bias"]), float(raw[name]["threshold"]), raw[name]["weights"])
        for name in ("early", "whole")
    }
    return LinearFloorModel(heads["early"], heads["whole"])
