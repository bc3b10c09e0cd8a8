"""Erasing one call everywhere: its ledger, its journal, its audio.

Owns what "everything of a call" is. Goes on where one place fails, and says so: nothing looks erased that is not.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from obligations.stores.errors import StoreUnavailable
from obligations.stores.protocol import LedgerStore, check_call_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """What was erased of one call.

    Parameters:
        events: Ledger events, over all stores.
        handoffs: Stores that held a hand-off.
        journal_entries: Lines of journals.
        files: Files and folders removed whole, by name.
        failed: Places that could not be erased, each with an error's name; ask again.
    """

    call_id: str
    events: int = 0
    handoffs: int = 0
    journal_entries: int = 0
    files: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Nothing of the call is left in any place that was named."""
        return not self.failed

    @property
    def found(self) -> bool:
        """There was something to erase."""
        return bool(self.events or self.handoffs or self.journal_entries or self.files)


async def erase_call(
    call_id: str,
    *,
    stores: Sequence[LedgerStore] = (),
    journals: Sequence[Path] = (),
    audio: Sequence[Path] = (),
) -> Erasure:
    """Remove everything that was kept of a call.

    Args:
        call_id: The call.
        stores: Ledger stores.
        journals: JSONL journals, or folders of them (``*.jsonl``, at any depth; a folder named as the call
            goes whole). Lines of this call are removed, other
            calls' lines stay as they are; a file left empty is removed.
        audio: Folders in which a call's audio lies in a folder named as the call, or in files named as the call and
            any ending.

    Returns:
        What was erased, and what could not be. Erasing again is harmless.

    Raises:
        IllegalStep: The call has no usable name.
    """
    check_call_id(call_id)
    failed: list[str] = []
    events = handoffs = 0
    for store in stores:
        try:
            erased = await store.erase(call_id)
        except StoreUnavailable as error:
            failed.append(f"{type(store).__name__}: {type(error).__name__}")
            continue
        events += erased.events
        handoffs += erased.handoff
    on_disk = await asyncio.to_thread(_erase_files, call_id, tuple(journals), tuple(audio))
    return Erasure(
        call_id=call_id,
        events=events,
        handoffs=handoffs,
        journal_entries=on_disk.journal_entries,
        files=on_disk.files,
        failed=(*failed, *on_disk.failed),
    )


def _erase_files(call_id: str, journals: Sequence[Path], audio: Sequence[Path]) -> Erasure:
    entries, files, failed = 0, list[str](), list[str]()
    for path in _journal_files(journals):
        try:
            removed, gone = _erase_lines(path, call_id)
        except OSError as error:
            failed.append(f"{path.name}: {type(error).__name__}")
            continue
        entries += removed
        files += [path.name] if gone else []
    # A folder of one folder a call (`serve` writes such) holds more than the journal: hand-off, page, sound.
    for path in _audio_of(call_id, [*audio, *(place for place in journals if place.is_dir())]):
        try:
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()
        except OSError as error:
            failed.append(f"{path.name}: {type(error).__name__}")
            continue
        files.append(path.name)
    return Erasure(call_id=call_id, journal_entries=entries, files=tuple(files), failed=tuple(failed))


def _journal_files(journals: Sequence[Path]) -> list[Path]:
    files: list[Path] = []
    for path in journals:
        if path.is_dir():
            files += sorted(path.rglob("*.jsonl"))
        elif path.exists():
            files.append(path)
    return files


def _audio_of(call_id: str, folders: Sequence[Path]) -> list[Path]:
    """Compare names, never build a path from the call's name: it may hold separators."""
    return [
        entry
        for folder in folders
        if folder.is_dir()
        for entry in sorted(folder.iterdir())
        if entry.name == call_id or (entry.stem == call_id and not entry.is_dir())
    ]


def _erase_lines(path: Path, call_id: str) -> tuple[int, bool]:
    """Rewrite a journal without a call's lines; returns how many went, and whether the file went with them."""
    lines = path.read_bytes().splitlines(keepends=True)
    kept = [line for line in lines if not _is_of(line, call_id)]
    removed = len(lines) - len(kept)
    if removed == 0:
        return 0, False
    if not kept:
        path.unlink()
        return removed, True
    beside = path.with_name(f".{path.name}.erasing")
    with beside.open("wb") as file:
        file.writelines(kept)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    return removed, False


def _is_of(line: bytes, call_id: str) -> bool:
    try:
        entry: Any = json.loads(line)
    except ValueError:
        return call_id.encode() in line  # a torn line that names the call is the call's
    return isinstance(entry, dict) and cast("dict[str, Any]", entry).get("call_id") == call_id
