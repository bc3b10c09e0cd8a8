"""Which files make up which call.

Owns the grouping of a folder: a recording with its transcript beside it, or one file a voice.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from pipecat_interrupt.replay.errors import RecordingRefused
from pipecat_interrupt.replay.readers import FORMS
from pipecat_interrupt.replay.settings import ReplaySettings
from pipecat_interrupt.replay.sound import SOUND_SUFFIXES

CALL_ID_CHARS_MAX = 120
HASH_BLOCK_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class CallInput:
    """The files of one call.

    Parameters:
        call_id: Made of the file's name (and its folder inside the one asked for); safe as a folder's name.
        sound: The recording, if there is one.
        texts: The transcript, or the journal.
    """

    call_id: str
    sound: Path | None = None
    texts: tuple[Path, ...] = ()

    @property
    def files(self) -> tuple[Path, ...]:
        """Every file, the recording first."""
        return ((self.sound,) if self.sound is not None else ()) + self.texts

    @property
    def is_journal(self) -> bool:
        """Whether it is one of our own journals."""
        return bool(self.texts) and self.texts[0].suffix.lower() == ".jsonl"

    def sha256(self) -> str:
        """SHA-256 over the contents of all files, in order."""
        digest = hashlib.sha256()
        for path in self.files:
            with path.open("rb") as file:
                while block := file.read(HASH_BLOCK_BYTES):
                    digest.update(block)
            digest.update(b"\0")
        return digest.hexdigest()


def calls_in(path: Path, settings: ReplaySettings, *, leave_out: Path | None = None) -> list[CallInput]:
    """Find the calls in a file or folder.

    Args:
        path: A recording, transcript or journal (its companions beside it are taken along), or a folder of them.
        settings: Labels by which one file a voice is told.
        leave_out: A folder inside `path` that holds results.

    Returns:
        Calls in order of their names.

    Raises:
        RecordingRefused: A file of no known form, or a folder without any.
        FileNotFoundError: There is no such path.
    """
    if not path.exists():
        raise FileNotFoundError(f"no such file or folder: {path}")
    if path.is_dir():
        files = (p for p in sorted(path.rglob("*")) if _wanted(p, path) and not _inside(p, leave_out))
        found = _grouped(files, path, settings)
        if not found:
            raise RecordingRefused("empty", path.name, f"no file of a known form in it ({_known()})")
        return found
    if path.suffix.lower() not in (*SOUND_SUFFIXES, *FORMS):
        raise RecordingRefused("unknown_form", path.name, f"not one of {_known()}")
    stem = _stem(path, settings)
    beside = [p for p in sorted(path.parent.iterdir()) if _wanted(p, path.parent) and _stem(p, settings) == stem]
    if path.suffix.lower() == ".jsonl":
        beside = [path]
    found = _grouped(beside or [path], path.parent, settings)
    return [call for call in found if path in call.files] or [replace(found[0], texts=(path,))]


def _grouped(files: Iterable[Path], root: Path, settings: ReplaySettings) -> list[CallInput]:
    groups: dict[str, list[Path]] = {}
    for file in files:
        parents = file.relative_to(root).parent.parts
        name = "__".join((*parents, _stem(file, settings)))
        name += ".journal" if file.suffix.lower() == ".jsonl" else ""
        groups.setdefault(_safe(name), []).append(file)
    return [_call(call_id, found) for call_id, found in sorted(groups.items())]


def _call(call_id: str, files: list[Path]) -> CallInput:
    sounds = [f for f in files if f.suffix.lower() in SOUND_SUFFIXES]
    grids = tuple(f for f in files if f.suffix.lower() == ".textgrid")
    others = [f for f in files if f not in sounds and f not in grids]
    texts = tuple(others[:1]) or grids
    return CallInput(call_id, sounds[0] if sounds else None, texts)


def _stem(path: Path, settings: ReplaySettings) -> str:
    """The call's part of a file's name: a voice's name at its end is taken off where one file holds one voice."""
    if path.suffix.lower() != ".textgrid":
        return path.stem
    names = "|".join(re.escape(name) for name in (*settings.agent_labels, *settings.far_labels))
    return re.sub(rf"[_\- ](?:{names})$", "", path.stem, flags=re.IGNORECASE)


def _wanted(path: Path, root: Path) -> bool:
    hidden = any(part.startswith(".") for part in path.relative_to(root).parts)
    return not hidden and path.is_file() and path.suffix.lower() in (*SOUND_SUFFIXES, *FORMS)


def _inside(path: Path, folder: Path | None) -> bool:
    return folder is not None and path.resolve().is_relative_to(folder.resolve())


def _safe(name: str) -> str:
    plain = re.sub(r"[^\w.-]+", "_", name).strip(".") or "call"
    if len(plain) <= CALL_ID_CHARS_MAX:
        return plain
    return f"{plain[: CALL_ID_CHARS_MAX - 9]}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"


def _known() -> str:
    return ", ".join(sorted((*SOUND_SUFFIXES, *FORMS)))
