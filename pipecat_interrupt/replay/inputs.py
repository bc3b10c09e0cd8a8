"""Which files make up which call.

Owns the grouping of a folder: a recording with its transcript beside it, or one file a voice.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from pipecat_interrupt.replay.errors import RecordingRefused
from pipecat_interrupt.replay.places import is_url, place_of
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
        root: The place the files' names are relative to, where they are not on this machine; "" else.
    """

    call_id: str
    sound: Path | None = None
    texts: tuple[Path, ...] = ()
    root: str = ""

    @contextmanager
    def here(self) -> Iterator[CallInput]:
        """Give the call with its files on this machine; copies are gone afterwards.

        Raises:
            EnvironmentProblem: A file cannot be fetched.
        """
        if not self.root:
            yield self
            return
        place = place_of(self.root)
        with TemporaryDirectory() as temporary:
            copies: dict[Path, Path] = {}
            for path in self.files:
                copies[path] = copy = Path(temporary) / path.name
                place.fetch(path.as_posix(), copy)
            sound = copies[self.sound] if self.sound is not None else None
            yield CallInput(self.call_id, sound, tuple(copies[path] for path in self.texts))

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


def calls_at(where: str, settings: ReplaySettings, *, leave_out: str | None = None) -> list[CallInput]:
    """Find the calls at a place that fsspec knows, or on this machine.

    Args:
        where: As `calls_in`, or an address such as `s3://bucket/calls` or `s3://bucket/calls/one.wav`.
        settings: As `calls_in`.
        leave_out: The place of results, where it is inside.

    Raises:
        RecordingRefused: No file of a known form.
        FileNotFoundError: There is no such path.
        EnvironmentProblem: The place cannot be listed.
    """
    if not is_url(where):
        return calls_in(Path(where), settings, leave_out=None if leave_out is None else Path(leave_out))
    where = where.rstrip("/")
    root, _, last = where.rpartition("/")
    single = Path(last) if Path(last).suffix.lower() in (*SOUND_SUFFIXES, *FORMS) else None
    root = where if single is None else root
    inside = (leave_out or "").rstrip("/").removeprefix(root).strip("/") + "/"
    names = [Path(name) for name in place_of(root).names() if inside == "/" or not name.startswith(inside)]
    files = [p for p in names if not _hidden(p) and p.suffix.lower() in (*SOUND_SUFFIXES, *FORMS)]
    if single is not None:
        stem, journal = _stem(single, settings), single.suffix.lower() == ".jsonl"
        files = [p for p in files if p == single or (not journal and len(p.parts) == 1 and _stem(p, settings) == stem)]
        if single not in files:
            raise FileNotFoundError(f"no such file or folder: {where}")
    found = [replace(call, root=root) for call in _grouped(files, Path(), settings)]
    if not found:
        raise RecordingRefused("empty", where, f"no file of a known form in it ({_known()})")
    return [call for call in found if single is None or single in call.files] or [replace(found[0], texts=(single,))]  # pyright: ignore[reportArgumentType]


def _hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


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
    return not _hidden(path.relative_to(root)) and path.is_file() and path.suffix.lower() in (*SOUND_SUFFIXES, *FORMS)


def _inside(path: Path, folder: Path | None) -> bool:
    return folder is not None and path.resolve().is_relative_to(folder.resolve())


def _safe(name: str) -> str:
    plain = re.sub(r"[^\w.-]+", "_", name).strip(".") or "call"
    if len(plain) <= CALL_ID_CHARS_MAX:
        return plain
    return f"{plain[: CALL_ID_CHARS_MAX - 9]}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"


def _known() -> str:
    return ", ".join(sorted((*SOUND_SUFFIXES, *FORMS)))
