"""Reads which speakers and noises a record is fitted on.

So a fit can be made again, and a test stays apart from it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from speaker_gate.adapters.voice_folder import AUDIO_SUFFIXES, read_clip
from speaker_gate.embedders import Samples
from speaker_gate.errors import CallerError, NotEnoughData
from speaker_gate.spoil import joined

SPEAKERS_KEY, NOISE_KEY = "fit_speakers", "fit_noise"
NAMES_TOLD = 3


@dataclass(frozen=True, slots=True)
class FitSplit:
    """What a record is fitted on.

    Parameters:
        speakers: Names of speakers; all others are kept apart.
        noise: Stems of noise recordings; empty means every one.
    """

    speakers: tuple[str, ...]
    noise: tuple[str, ...] = ()


def read_split(path: Path) -> FitSplit:
    """Read a split file: JSON with a list of names under "fit_speakers" and, where noise is used, "fit_noise".

    Raises:
        CallerError: The file cannot be read or is no split; says what is wrong.
    """
    try:
        found: Any = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else "it is not JSON"
        raise CallerError(f"--split {path}: {why}") from error
    if not isinstance(found, dict):
        raise CallerError(f'--split {path}: an object with "{SPEAKERS_KEY}": ["name", ...] is needed')
    split = cast(dict[str, Any], found)
    return FitSplit(_names(path, split, SPEAKERS_KEY, least=1), _names(path, split, NOISE_KEY, least=0))


def chosen(split: FitSplit, speakers: Iterable[str], path: Path) -> list[str]:
    """Give the split's speakers, in its order.

    Raises:
        NotEnoughData: Some are not in the folder: another fit would come of it without a word.
    """
    there = set(speakers)
    absent = [name for name in split.speakers if name not in there]
    if absent:
        some = ", ".join(absent[:NAMES_TOLD]) + (", ..." if len(absent) > NAMES_TOLD else "")
        raise NotEnoughData(
            f"--split {path}: {len(absent)} of its {len(split.speakers)} speakers are not in the data folder ({some})"
        )
    return list(split.speakers)


def read_noise(folder: Path, split: FitSplit | None = None) -> Samples:
    """Read the noise recordings of a folder as one sound, those of the split where it names any.

    Raises:
        NotEnoughData: None there, or one of the split's is not.
        BadAudio: One cannot be read.
    """
    files = {path.stem: path for path in sorted(folder.glob("*")) if path.suffix.lower() in AUDIO_SUFFIXES}
    names = list(split.noise) if split is not None and split.noise else list(files)
    absent = [name for name in names if name not in files]
    if not names or absent:
        what = f"no recording {absent[0]}" if absent else "no recordings (flac, wav or ogg)"
        raise NotEnoughData(f"--noise {folder}: {what}")
    return joined([read_clip(files[name])[0] for name in names])


def _names(path: Path, found: dict[str, Any], key: str, least: int) -> tuple[str, ...]:
    listed: Any = found.get(key, [])
    entries = cast(list[Any], listed) if isinstance(listed, list) else []
    names = [name for name in entries if isinstance(name, str)]
    if not isinstance(listed, list) or len(names) < max(least, len(entries)):
        raise CallerError(f'--split {path}: "{key}" must be a list of names')
    return tuple(dict.fromkeys(names))
