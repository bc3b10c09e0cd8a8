"""The local voices that can speak a set: Kokoro's (27 distinct English ones) and any Piper voice files.

Owns their loading and names. Nothing here is needed by the product; the packages are named where they are missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np

from benchmarks.errors import CallerError, MissingData, MissingExtra
from benchmarks.two_voice.mix import RATE_HZ, Samples, levelled

KOKORO_ENGLISH = (
    "af_heart", "am_michael", "bf_emma", "bm_george", "af_bella", "am_fenrir", "bf_isabella", "bm_fable",
    "af_sarah", "am_puck", "bf_alice", "bm_lewis", "af_kore", "am_eric", "af_nova", "bm_daniel",
)  # fmt: skip
"""Voices used by default: four families (American and British women and men), four each; whispering ones left out."""

STYLE_SHAPE = (-1, 1, 256)


@runtime_checkable
class Synthesiser(Protocol):
    """Speaks lines with named voices.

    Promises: the same line and voice sound alike every time; the result is levelled, 16 kHz float32.
    """

    @property
    def name(self) -> str:
        """Name and version, for the manifest."""
        ...

    @property
    def voices(self) -> tuple[str, ...]:
        """Voices it can speak with."""
        ...

    def say(self, text: str, voice: str) -> Samples:
        """Speak one line."""
        ...


class KokoroVoices:
    """Kokoro's style vectors over its int8 model.

    Args:
        folder: Folder of `<voice>.bin` style vectors (npm package kokoro-js 1.2.1, `package/voices`).
        names: Voices to load.

    Raises:
        MissingData: A style vector is not there.
        MissingExtra: kokoro-onnx or soxr is not installed.
    """

    def __init__(self, folder: Path, names: Sequence[str] = KOKORO_ENGLISH) -> None:
        from benchmarks.rendering.render_clips import load_kokoro

        absent = [name for name in names if not (folder / f"{name}.bin").is_file()]
        if absent:
            raise MissingData(f"no voice {absent[0]}.bin in {folder}; `npm pack kokoro-js@1.2.1` has them")
        try:
            self._kokoro: Any = load_kokoro(folder, set(names))
        except ModuleNotFoundError as error:
            raise MissingExtra("kokoro-onnx", "pip install kokoro-onnx soxr") from error
        self._names = tuple(names)

    @property
    def name(self) -> str:
        """Name and version."""
        from importlib.metadata import version

        return f"kokoro-onnx {version('kokoro-onnx')}, kokoro v1.0 int8"

    @property
    def voices(self) -> tuple[str, ...]:
        """The voices loaded."""
        return self._names

    def say(self, text: str, voice: str) -> Samples:
        """Speak one line; British voices in British English."""
        import soxr

        language = "en-gb" if voice.startswith("b") else "en-us"
        audio, rate_hz = self._kokoro.create(text, voice=voice, lang=language, speed=1.0)
        return levelled(soxr.resample(np.asarray(audio, np.float32), rate_hz, RATE_HZ))


class PiperVoices:
    """Piper voice files; a set needs at least two different people.

    Args:
        files: `<voice>.onnx` files with their `.onnx.json` beside them; the stem is the voice's name.

    Raises:
        MissingData: A file is not there.
        CallerError: It is no Piper voice.
    """

    def __init__(self, files: Sequence[Path]) -> None:
        from pipecat_interrupt.local.piper_voice import PiperVoiceWithTimes

        absent = [file for file in files if not file.is_file()]
        if absent:
            raise MissingData(f"no Piper voice {absent[0]}")
        self._voices = {file.stem: _piper(PiperVoiceWithTimes, file) for file in files}

    @property
    def name(self) -> str:
        """Name and version."""
        from importlib.metadata import version

        return f"piper-tts {version('piper-tts')}"

    @property
    def voices(self) -> tuple[str, ...]:
        """Stems of the files."""
        return tuple(self._voices)

    def say(self, text: str, voice: str) -> Samples:
        """Speak one line."""
        pieces = [np.frombuffer(part.pcm, np.int16) for part in self._voices[voice].speak(text, RATE_HZ)]
        joined = np.concatenate(pieces) if pieces else np.zeros(0, np.int16)
        return levelled((joined / 32768).astype(np.float32))


def _piper(load: Any, file: Path) -> Any:
    try:
        return load(file)
    except Exception as error:  # each part of the voice has its own library, and its own way to say no
        why = str(error).partition("\n")[0]
        raise CallerError(f"{file}: not a Piper voice with its {file.name}.json beside it: {why}") from error
