"""Reads speakers from a folder of recordings. Needs soundfile.

A speaker is a directory (`<speaker>/*`) or the part of a flat file's name before the first dash
(`<speaker>-...`); folders are searched recursively, so LibriSpeech's own layout works as it is.
"""

from __future__ import annotations

import importlib
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from speaker_gate.audio import NARROW_RATE_HZ_MAX, as_mono, to_model_rate
from speaker_gate.embedders import Samples
from speaker_gate.errors import BadAudio, ExtraMissing, NotEnoughData
from speaker_gate.trials import SpeakerClips

AUDIO_SUFFIXES = frozenset({".flac", ".wav", ".ogg"})
CLIP_SECONDS_MAX = 60.0
"""Longest part read of one recording."""

CLIPS_MAX = 40
"""Recordings read of one speaker, in the order of their names."""

FLAT_SPEAKERS_MIN = 5
"""Names before the dash in one folder from which on the folder is taken for flat, whatever its depth."""


def read_clip(path: Path, seconds_max: float = CLIP_SECONDS_MAX) -> tuple[Samples, int]:
    """Read one recording as float32 mono at 16 kHz, with the rate it had.

    Raises:
        ExtraMissing: soundfile is not installed.
        BadAudio: The file cannot be read as sound, or has an unusable rate.
    """
    try:
        library: Any = importlib.import_module("soundfile")
    except ModuleNotFoundError as error:
        raise ExtraMissing("soundfile", "pip install soundfile") from error
    path = Path(path)
    try:
        with library.SoundFile(str(path)) as file:
            rate_hz = int(file.samplerate)
            samples = file.read(int(seconds_max * rate_hz), dtype="float32")
    except (library.SoundFileError, RuntimeError) as error:
        raise BadAudio(f"cannot read {path.name}: {error}; give a flac, wav or ogg recording") from error
    try:
        return to_model_rate(as_mono(samples), rate_hz), rate_hz
    except BadAudio as error:
        raise BadAudio(f"cannot use {path.name}: {error}") from error


def speaker_files(folder: Path) -> dict[str, list[Path]]:
    """Group the recordings under a folder by speaker, both sorted by name.

    Raises:
        NotEnoughData: No recording at all.
    """
    by_directory: dict[Path, list[Path]] = defaultdict(list)
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() in AUDIO_SUFFIXES:
            by_directory[path.parent].append(path)
    if not by_directory:
        raise NotEnoughData(f"no recordings (flac, wav or ogg) under {folder}")
    grouped: dict[str, list[Path]] = defaultdict(list)
    for directory, paths in by_directory.items():
        flat = _is_flat(paths, directory == folder)
        for path in paths:
            grouped[_speaker(path, folder, flat)].append(path)
    return dict(sorted(grouped.items()))


def read_speakers(
    files: dict[str, list[Path]],
    only: Iterable[str] | None = None,
    *,
    left_out: Callable[[Path, BadAudio], None] | None = None,
) -> list[SpeakerClips]:
    """Read the recordings of each speaker; unreadable files are left out, and told to `left_out`."""
    wanted = None if only is None else set(only)
    speakers: list[SpeakerClips] = []
    for name, paths in files.items():
        if wanted is not None and name not in wanted:
            continue
        clips: list[Samples] = []
        rates: list[int] = []
        for path in paths[:CLIPS_MAX]:
            try:
                samples, rate_hz = read_clip(path)
            except BadAudio as error:
                if left_out is not None:
                    left_out(path, error)
                continue
            clips.append(samples)
            rates.append(rate_hz)
        if clips:
            speakers.append(SpeakerClips(name, tuple(clips), narrow_only=max(rates) <= NARROW_RATE_HZ_MAX))
    return speakers


def _is_flat(paths: list[Path], is_root: bool) -> bool:
    names = [path.name.split("-", 1)[0] for path in paths if "-" in path.name]
    if len(names) < len(paths):
        return False
    distinct = set(names)
    return len(distinct) >= 2 and (is_root or len(distinct) >= FLAT_SPEAKERS_MIN or all(n.isdigit() for n in distinct))


def _speaker(path: Path, folder: Path, flat: bool) -> str:
    prefix = path.name.split("-", 1)[0]
    if "-" in path.name and prefix in path.relative_to(folder).parts[:-1]:
        return prefix  # LibriSpeech: <speaker>/<chapter>/<speaker>-<chapter>-<utterance>
    return prefix if flat or path.parent == folder else path.parent.name
