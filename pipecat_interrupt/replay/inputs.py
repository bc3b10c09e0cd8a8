"""Which files make up which call.

Owns the grouping of a folder: a recording with its transcript beside it, or one file a voice.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from pipecat_interrupt.errors import SettingsError
from pipecat_interrupt.replay.errors import RecordingRefused
from pipecat_interrupt.replay.places import is_url, place_of
from pipecat_interrupt.replay.readers import FORMS, text_form
from pipecat_interrupt.replay.settings import ReplaySettings
from pipecat_interrupt.replay.sound import SOUND_SUFFIXES

CALL_ID_CHARS_MAX = 120
HASH_BLOCK_BYTES = 1 << 20
NO_FILE = "not a file, but a pipe, a device or a link to nothing; save the recording as a file first"
OWN_RECORDS = frozenset({"handoff.json", "summary.json", "replay.json", "index.json"})


@dataclass(frozen=True, slots=True)
class CallInput:
    """The files of one call.

    Parameters:
        call_id: Made of the file's name (and its folder inside the one asked for); safe as a folder's name.
        sound: The recording, if there is one.
        texts: The transcript, or the journal.
        root: The place the files' names are relative to, where they are not on this machine; "" else.
        doubled: Files of the same name that are not taken: a call has one recording and one transcript.
    """

    call_id: str
    sound: Path | None = None
    texts: tuple[Path, ...] = ()
    root: str = ""
    doubled: tuple[Path, ...] = ()

    @contextmanager
    def here(self) -> Iterator[CallInput]:
        """Give the call with its files on this machine; copies are gone afterwards.

        Raises:
            EnvironmentProblem: A file cannot be fetched.
            RecordingRefused: One is no file; reading a pipe would wait for ever.
        """
        if not self.root:
            for path in self.files:
                if path.exists() != path.is_file() or path.is_symlink() > path.exists():
                    raise RecordingRefused("unreadable", path.name, NO_FILE)
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
        RecordingRefused: A file of no known form, a folder without any, or no file at all (a pipe, a device).
        SettingsError: The results would lie where the calls are.
        FileNotFoundError: There is no such path.
        OSError: The folder, or one inside it, cannot be looked through; the message names it.
    """
    if not path.exists():
        raise FileNotFoundError(f"no such file or folder: {path}")
    if path.is_dir():
        if _inside(path, leave_out):
            raise SettingsError(f"--out {leave_out}: the calls themselves lie in it; name a folder beside or inside it")
        files = [p for p in _files_under(path) if _wanted(p, path) and not _inside(p, leave_out)]
        found = [_told_apart(call) for call in _grouped(_without_own_records(files), path, settings)]
        if not found:
            raise RecordingRefused("empty", path.name, f"no file of a known form in it ({_known()})")
        return found
    if not path.is_file():
        raise RecordingRefused("unreadable", path.name, NO_FILE)
    if path.suffix.lower() not in (*SOUND_SUFFIXES, *FORMS):
        raise RecordingRefused("unknown_form", path.name, f"not one of {_known()}")
    stem = _stem(path, settings)
    near = (p for p in sorted(path.parent.iterdir()) if p.is_file() and _wanted(p, path.parent))
    beside = [p for p in near if _stem(p, settings) == stem]
    if path.suffix.lower() == ".jsonl":
        beside = [path]
    found = [_told_apart(call) for call in _grouped(beside or [path], path.parent, settings)]
    return [_this_one(call, path) for call in found if path in (*call.files, *call.doubled)]


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
    if (leave_out or "").rstrip("/") == where and single is None:
        raise SettingsError(f"--out {leave_out}: the calls themselves lie in it; name a folder beside or inside it")
    files = [p for p in names if not _hidden(p) and p.suffix.lower() in (*SOUND_SUFFIXES, *FORMS)]
    files = _without_own_records(files) if single is None else files
    if single is not None:
        stem, journal = _stem(single, settings), single.suffix.lower() == ".jsonl"
        files = [p for p in files if p == single or (not journal and len(p.parts) == 1 and _stem(p, settings) == stem)]
        if single not in files:
            raise FileNotFoundError(f"no such file or folder: {where}")
    found = [_told_apart(replace(call, root=root)) for call in _grouped(files, Path(), settings)]
    if not found:
        raise RecordingRefused("empty", where, f"no file of a known form in it ({_known()})")
    if single is None:
        return found
    return [_this_one(call, single) for call in found if single in (*call.files, *call.doubled)]


def _this_one(call: CallInput, path: Path) -> CallInput:
    """The call of a file that was named itself: that one is taken, and what is doubled was not asked for."""
    call = replace(call, doubled=())
    if path in call.files:
        return call
    return replace(call, sound=path) if path.suffix.lower() in SOUND_SUFFIXES else replace(call, texts=(path,))


def _told_apart(call: CallInput) -> CallInput:
    """A JSON file beside another transcript may be the carrier's or somebody's notes: then that one is taken.

    It is looked into only where there is such a choice.
    """
    others = [path for path in call.doubled if path.suffix.lower() not in SOUND_SUFFIXES]
    if not others or call.texts[0].suffix.lower() != ".json":
        return call
    try:
        with replace(call, sound=None).here() as local:
            text_form(local.texts[0])
    except RecordingRefused as refusal:
        if refusal.code == "unknown_form":
            grids = tuple(path for path in others if path.suffix.lower() == ".textgrid")
            texts = tuple(path for path in others if path not in grids)[:1] or grids
            left = (path for path in (*call.doubled, *call.texts) if path not in texts)
            return replace(call, texts=texts, doubled=tuple(left))
    except OSError:  # told when the call is replayed
        pass
    return call


def _hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _files_under(folder: Path) -> list[Path]:
    """Everything under a folder that is no folder, sorted; a folder that cannot be looked through is told."""

    def refuse(error: OSError) -> None:
        raise error

    return sorted(Path(at) / name for at, _, names in os.walk(folder, onerror=refuse) for name in names)


def _without_own_records(files: Sequence[Path]) -> list[Path]:
    """Leave out what our own server and replay write beside a journal: the journal tells the call."""
    journals = {file.parent for file in files if file.name == "journal.jsonl"}
    return [file for file in files if not (file.parent in journals and file.name in OWN_RECORDS)]


def _grouped(files: Iterable[Path], root: Path, settings: ReplaySettings) -> list[CallInput]:
    groups: dict[str, list[Path]] = {}
    for file in files:
        parents = file.relative_to(root).parent.parts
        name = "__".join((*parents, _stem(file, settings)))
        name += ".journal" if file.suffix.lower() == ".jsonl" else ""
        groups.setdefault(name, []).append(file)
    taken = Counter(_safe(name) for name in groups)
    named = {
        name if taken[_safe(name)] == 1 else f"{name} {_short_digest(name)}": found for name, found in groups.items()
    }
    return sorted((_call(_safe(name), found) for name, found in named.items()), key=lambda call: call.call_id)


def _call(call_id: str, files: list[Path]) -> CallInput:
    sounds = [f for f in files if f.suffix.lower() in SOUND_SUFFIXES]
    grids = tuple(f for f in files if f.suffix.lower() == ".textgrid")
    others = [f for f in files if f not in sounds and f not in grids]
    texts = tuple(others[:1]) or grids
    doubled = (*sounds[1:], *others[1:], *(grids if others else ()))
    return CallInput(call_id, sounds[0] if sounds else None, texts, doubled=doubled)


def _stem(path: Path, settings: ReplaySettings) -> str:
    """The call's part of a file's name: a voice's name at its end is taken off where one file holds one voice."""
    if path.suffix.lower() != ".textgrid":
        return path.stem
    names = "|".join(re.escape(name) for name in (*settings.agent_labels, *settings.far_labels))
    return re.sub(rf"[_\- ](?:{names})$", "", path.stem, flags=re.IGNORECASE)


def _wanted(path: Path, root: Path) -> bool:
    return not _hidden(path.relative_to(root)) and path.suffix.lower() in (*SOUND_SUFFIXES, *FORMS)


def _inside(path: Path, folder: Path | None) -> bool:
    if folder is None:
        return False
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):  # a link that leads round to itself; its call is told when its file is opened
        return path.absolute().is_relative_to(folder.resolve())


def _safe(name: str) -> str:
    plain = re.sub(r"[^\w.-]+", "_", name).strip(".") or "call"
    if len(plain) <= CALL_ID_CHARS_MAX:
        return plain
    return f"{plain[: CALL_ID_CHARS_MAX - 9]}-{_short_digest(name)}"


def _short_digest(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()[:8]


def _known() -> str:
    return ", ".join(sorted((*SOUND_SUFFIXES, *FORMS)))
