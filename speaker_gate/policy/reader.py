"""Reads third-party speech with cues and fitted weights; urgent words and offers to speak for the patient come first.

Owns no weight: they lie in `speaker_gate/data/relevance_<language>.json`, made by benchmarks/training/voices.
"""

from __future__ import annotations

import json
from functools import lru_cache
from importlib import resources

from pydantic import BaseModel, ConfigDict

from speaker_gate.policy.cues import base_language, features_of
from speaker_gate.policy.handover import offers_to_speak
from speaker_gate.policy.kinds import Relevance, RelevanceReading
from speaker_gate.policy.urgent import is_urgent

ACTIONABLE_KINDS = (
    Relevance.CORRECTION,
    Relevance.ADDITION,
    Relevance.CONSTRAINT,
    Relevance.SUGGESTION,
    Relevance.ANSWER_FOR_PATIENT,
)


class RelevanceWeights(BaseModel):
    """Fitted weights of one language.

    Parameters:
        version: Changes with every fit.
        bias: Log-odds of actionable with no feature.
        actionable: Weight of each feature for actionable against ignorable.
        kinds: For each actionable kind, its bias ("" key) and feature weights.
        made_from: Training text, rows, cross-validated accuracy.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: str
    bias: float
    actionable: dict[str, float]
    kinds: dict[Relevance, dict[str, float]]
    made_from: dict[str, str | int | float]


@lru_cache(maxsize=4)
def shipped_weights(base: str) -> RelevanceWeights:
    """The weights that ship for a base language ("en" or "pt")."""
    path = resources.files("speaker_gate") / "data" / f"relevance_{base}.json"
    return RelevanceWeights.model_validate(json.loads(path.read_text(encoding="utf-8")))


class CueRelevanceReader:
    """The default reader: rules for urgent and hand-over words, a linear model over cues and words for the rest.

    Args:
        actionable_above: Log-odds from which words are actionable; lower passes more on.
        weights: Weights by base language; None means the shipped ones.
    """

    def __init__(self, *, actionable_above: float = 0.0, weights: dict[str, RelevanceWeights] | None = None) -> None:
        self._actionable_above = actionable_above
        self._weights = weights

    @property
    def name(self) -> str:
        """``cue-relevance@version``."""
        return f"cue-relevance@{self._for('en').version}"

    def read(self, text: str, *, before: str, language: str) -> RelevanceReading:
        """Read one utterance; see `RelevanceReader.read`."""
        if is_urgent(text, language):
            return RelevanceReading(Relevance.URGENT, 10.0, "urgent words")
        if offers_to_speak(text, language):
            return RelevanceReading(Relevance.HANDOVER_OFFER, 5.0, "offers to speak for the patient")
        weights = self._for(base_language(language))
        found = features_of(text, before, language)
        odds = weights.bias + sum(weights.actionable.get(feature, 0.0) for feature in found)
        if odds <= self._actionable_above:
            return RelevanceReading(Relevance.IGNORABLE, odds, "nothing for the call")
        scores = {
            kind: table.get("", 0.0) + sum(table.get(feature, 0.0) for feature in found)
            for kind, table in weights.kinds.items()
        }
        best = max(scores, key=lambda kind: scores[kind], default=Relevance.ADDITION)
        return RelevanceReading(best, odds, "fitted cues")

    def _for(self, base: str) -> RelevanceWeights:
        return (self._weights or {}).get(base) or shipped_weights(base)
