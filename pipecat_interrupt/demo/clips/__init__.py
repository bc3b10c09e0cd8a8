"""The demo's patient and third party: rendered once, committed, listed in clips.json (README.md beside it says how)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

RATE_HZ = 16_000
FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Clip:
    """One spoken line.

    Parameters:
        id: Name of the clip.
        text: What is said.
        speaker: "patient" or "third_party".
        voice: Synthetic voice it was rendered with.
        language: Language tag of the voice.
        seconds: Length.
        sha256: Digest of the FLAC file.
        whisper_base: What Whisper base hears in it at 16 kHz; None for nothing.
        whisper_base_phone: The same after 8 kHz mu-law.
    """

    id: str
    text: str
    speaker: str
    voice: str
    language: str
    seconds: float
    sha256: str
    whisper_base: str | None
    whisper_base_phone: str | None

    @property
    def path(self) -> Path:
        """The FLAC file."""
        return FOLDER / f"{self.id}.flac"

    def samples(self) -> NDArray[np.int16]:
        """The sound: int16, shape (n,), 16 kHz mono, -22 dBFS RMS."""
        import soundfile

        samples, rate_hz = soundfile.read(self.path, dtype="int16")
        if rate_hz != RATE_HZ or samples.ndim != 1:
            raise ValueError(f"clip {self.id} is not 16 kHz mono")
        return np.asarray(samples, np.int16)


def clips() -> dict[str, Clip]:
    """Every clip by its id, in the order of clips.json."""
    entries: list[dict[str, Any]] = json.loads((FOLDER / "clips.json").read_text(encoding="utf-8"))
    return {e["id"]: Clip(**e) for e in entries}


def load(clip_id: str) -> NDArray[np.int16]:
    """The samples of one clip; see `Clip.samples`.

    Raises:
        KeyError: No such clip.
    """
    return clips()[clip_id].samples()
