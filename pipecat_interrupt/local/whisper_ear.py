"""One Whisper model that turns a stretch of speech into text, fast and always the same way.

Owns the loaded model; knows nothing of Pipecat. Needs faster-whisper (extra `whisper` or `local`) and a model folder.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .errors import MissingExtra

RATE_HZ = 16_000


@dataclass(frozen=True, slots=True)
class EarSettings:
    """How the model listens.

    Parameters:
        threads: Threads of one decode, >= 1. Two beat one on two cores although voice and ear share them.
        no_speech_max: A segment whose no-speech probability is at or above this gives no text, 0..1. Whisper puts a hum
            ("mm-hmm") near 0.5, so a lower limit drops it.
        hotwords: Words to expect (drug names), best few; also a bias, so keep it short. None: no bias.
        initial_prompt: Text the model takes as said before. None: nothing.
        warm_decodes: Decodes of faint noise at load, so that the first reply of a call is not the slow one.
    """

    threads: int = 2
    no_speech_max: float = 0.6
    hotwords: tuple[str, ...] | None = None
    initial_prompt: str | None = None
    warm_decodes: int = 2


class WhisperEar:
    """A CTranslate2 Whisper model, decoding greedily at temperature 0.

    Not safe for two threads at once.

    Args:
        model: Folder with `model.bin` and its tokenizer. A folder never makes the library look at a model hub.
        settings: See `EarSettings`.

    Raises:
        MissingExtra: faster-whisper is not installed.
    """

    def __init__(self, model: Path, settings: EarSettings | None = None) -> None:
        try:
            from faster_whisper import WhisperModel
        except ModuleNotFoundError as error:
            raise MissingExtra(error.name or "faster-whisper", "whisper") from error
        self.settings = settings or EarSettings()
        self._model: Any = WhisperModel(
            str(model), device="cpu", compute_type="int8", cpu_threads=max(1, self.settings.threads)
        )
        noise = np.random.default_rng(0).normal(0, 0.01, 2 * RATE_HZ).astype(np.float32)
        for _ in range(self.settings.warm_decodes):
            self.hear(noise, "en")

    @property
    def languages(self) -> tuple[str, ...]:
        """Codes of the languages the model knows."""
        return tuple(self._model.supported_languages)

    def hear(self, samples: np.ndarray, language: str | None) -> str | None:
        """Transcribe one stretch of speech.

        Args:
            samples: float32 in [-1, 1], shape (n,), 16 kHz mono.
            language: Whisper's code ("en", "pt"). None: the model decides.

        Returns:
            The text without outer spaces, or None when nothing was taken for speech.
        """
        hotwords = " ".join(self.settings.hotwords) if self.settings.hotwords else None
        segments, _ = self._model.transcribe(
            samples,
            language=language,
            beam_size=1,
            temperature=0.0,
            condition_on_previous_text=False,
            without_timestamps=True,
            hotwords=hotwords,
            initial_prompt=self.settings.initial_prompt,
        )
        spoken = [s.text.strip() for s in segments if s.no_speech_prob < self.settings.no_speech_max]
        return " ".join(t for t in spoken if t) or None
