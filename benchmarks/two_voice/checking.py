"""Is what was spoken what stands in the text? A recogniser says, line by line.

Owns the comparison; the recogniser is passed in.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np

from benchmarks.errors import MissingExtra
from benchmarks.two_voice.mix import RATE_HZ, Samples

EDGE_S = 0.6
"""Silence around a line, as a live segment has it."""


@runtime_checkable
class Ear(Protocol):
    """Writes down what it hears."""

    @property
    def name(self) -> str:
        """Name, for the manifest."""
        ...

    def hear(self, samples: Samples, language: str) -> str | None:
        """Transcribe float32 samples at 16 kHz; None when there is no speech."""
        ...


class WhisperCheck:
    """The local Whisper model as a checker.

    Args:
        weights: Its name among the project's weights.

    Raises:
        MissingExtra: The package is not installed.
    """

    def __init__(self, weights: str = "whisper-base") -> None:
        from pipecat_interrupt.local.errors import MissingExtra as Missing
        from pipecat_interrupt.local.whisper_ear import EarSettings, WhisperEar
        from pipecat_interrupt.weights import ensure

        folder: Path = ensure(weights)
        try:
            self._ear: Any = WhisperEar(folder, EarSettings(threads=1, warm_decodes=0))
        except Missing as error:
            raise MissingExtra("faster-whisper", "pip install faster-whisper") from error
        self._name = weights

    @property
    def name(self) -> str:
        """Name of the weights."""
        return self._name

    def hear(self, samples: Samples, language: str) -> str | None:
        """Transcribe one line with silence around it."""
        edge = int(EDGE_S * RATE_HZ)
        return self._ear.hear(np.pad(samples, (edge, edge)), language.split("-")[0])


def word_error_rate(text: str, heard: str | None) -> float | None:
    """Words wrong, missing or added, by words of the text; None when nobody listened.

    Case, punctuation and the way numbers are written do not count.
    """
    if heard is None:
        return None
    from rapidfuzz.distance import Levenshtein

    said, got = _plain(text), _plain(heard)
    return Levenshtein.distance(said, got) / max(1, len(said))


def _plain(text: str) -> list[str]:
    from num2words import num2words

    folded = re.sub(r"[^\w\s]", " ", text.lower().replace("'", "").replace("’", "").replace("-", " "))
    words = re.sub(r"\d+", lambda found: num2words(int(found[0])).replace("-", " "), folded).split()
    return [{"dr": "doctor", "mr": "mister"}.get(word, word) for word in words]
