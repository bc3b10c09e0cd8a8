"""A small trained model beside the word rules of three readers that only raise: a sum of weights against a threshold.

Owns the weights file's form, and what happens without one: the rules alone, said once in the log. It can raise an
emergency, the question who is on the line, and an advice to be told again. It closes nothing, takes back nothing that
the rules raise, and knows no text but the one it is given.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, Literal

from loguru import logger

from obligations.coverage.loosened import Point
from obligations.coverage.text import base_language
from obligations.safe_side.features import (
    FEATURES_VERSION,
    SENTENCE_WORDS_MIN,
    advice_features,
    spoken_features,
    units_of,
)

NAME = "safe-side"
Kind = Literal["emergency", "introduction", "loosened"]
KINDS: tuple[Kind, ...] = ("emergency", "introduction", "loosened")
LANGUAGES = ("en", "pt")
# Words an introduction is not known by: parts of words misled it in cross-validation.
_WITH_PIECES: Mapping[Kind, bool] = {"emergency": True, "introduction": False, "loosened": True}
WEIGHT_UNIT = 0.01
"""Weights are kept as whole numbers of this."""


@dataclass(frozen=True, slots=True)
class Head:
    """One kind's weights.

    Parameters:
        bias: Score of a text without any known feature.
        threshold: A text is raised from this score on.
        weights: Weight of each named feature; others weigh nothing.
    """

    bias: float
    threshold: float
    weights: Mapping[str, float]

    def score(self, found: Iterable[str]) -> float:
        """Add the weights of the features found: log-odds of the training texts, no probability."""
        weights = self.weights
        return self.bias + sum(weights[name] for name in sorted(found) if name in weights)


@dataclass(frozen=True, slots=True)
class SafeSideModel:
    """The three heads of one language."""

    language: str
    version: str
    heads: Mapping[Kind, Head]

    @property
    def name(self) -> str:
        """``name@version``, as it stands in the facts of a call."""
        return f"{NAME}@{self.version}"

    def tells_danger(self, text: str) -> bool:
        """Say whether a reply tells of danger now to life, sight or limb, or of wanting to die."""
        return self._spoken("emergency", text)

    def introduces(self, text: str) -> bool:
        """Say whether a reply lets know that somebody other than the patient speaks, or takes the telephone."""
        return self._spoken("introduction", text)

    def loosens(self, sentence: str, point: Point) -> bool:
        """Say whether a sentence of the agent's takes back or loosens an advice it gave before."""
        if len(sentence.split()) < SENTENCE_WORDS_MIN:
            return False
        head = self.heads["loosened"]
        return head.score(advice_features(sentence, point, self.language)) >= head.threshold

    def score(self, kind: Kind, text: str) -> float:
        """Give the highest score of what a reply says; -infinity of one without words."""
        head, pieces = self.heads[kind], _WITH_PIECES[kind]
        scores = (head.score(spoken_features(unit, self.language, pieces=pieces)) for unit in units_of(text))
        return max(scores, default=float("-inf"))

    def _spoken(self, kind: Kind, text: str) -> bool:
        return self.score(kind, text) >= self.heads[kind].threshold


def features_of(kind: Kind, text: str, language: str, point: Point | None = None) -> frozenset[str]:
    """Give what one head sees of one text, for training: `point` is the advice of a loosened one."""
    if kind == "loosened":
        assert point is not None, "a sentence loosens an advice"
        return advice_features(text, point, language)
    return spoken_features(text, language, pieces=_WITH_PIECES[kind])


def read_model(path: Path) -> SafeSideModel:
    """Read a weights file.

    Raises:
        OSError: It cannot be read.
        ValueError: It is no weights file, or one for other features; the message names the file.
    """
    try:
        raw: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if raw["features_version"] != FEATURES_VERSION:
            raise ValueError(f"weights are for features version {raw['features_version']}, this is {FEATURES_VERSION}")
        heads: dict[Kind, Head] = {kind: _head(raw["heads"][kind]) for kind in KINDS}
        return SafeSideModel(str(raw["language"]), str(raw["version"]), heads)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(f"{path.name}: no weights of the safe-side model: {error!r}") from error


def _head(raw: Mapping[str, Any]) -> Head:
    weights = {str(name): int(weight) * WEIGHT_UNIT for name, weight in raw["weights"].items()}
    return Head(float(raw["bias"]), float(raw["threshold"]), weights)


@lru_cache
def load_model(language: str) -> SafeSideModel | None:
    """Give the shipped model of a language; None where there is none or it cannot be read, which is logged once."""
    return load_from(Path(str(resources.files("obligations.safe_side"))), language)


def load_from(folder: Path, language: str) -> SafeSideModel | None:
    """Give the model of a language that lies in a folder; None where there is none or it cannot be read."""
    base = base_language(language)
    if base not in LANGUAGES:
        return None
    try:
        return read_model(folder / f"{base}.json")
    except (OSError, ValueError) as error:
        logger.warning("safe-side model of {} not loaded, the word rules read alone: {}", base, type(error).__name__)
        return None
