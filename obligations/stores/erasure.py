"""Erasing one call everywhere: its ledger, its journal, its audio.

Owns what "everything of a call" is. Goes on where one place fails, and says so: nothing looks erased that is not.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from obligations.stores.errors import FileInUse, StoreUnavailable
from obligations.stores.kept_files import (
    PAGE_ENDINGS,
    REPLAY_OVERVIEWS,
    REPLAY_RESULT,
    Removal,
    beside_journal,
    call_of,
    calls_of_overview,
    is_journal,
    name_below,
)
from obligations.stores.one_writer import no_writer
from obligations.stores.protocol import LedgerStore, check_call_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """What was erased of one call.

    Parameters:
        events: Ledger events, over all stores.
        handoffs: Stores that held a hand-off.
        journal_entries: Lines of journals.
        files: Files and folders removed whole, by their path below the place that was named.
        failed: Places that could not be looked at or erased, each with why, such as who is writing it; ask again.
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
        journals: JSONL journals, or folders of them. Lines of this call are removed, other calls' lines stay as they
            are; a file left empty is removed, with what lies beside it under its name (its page, its hand-off).
        audio: Folders of sound. Every folder named, here or above, is looked through in the same way and at any depth,
            links not followed: what is named as the call goes (a folder whole, a file with any ending), and so do
            its page, its hand-off's JSON and its replay, by what they say of themselves.

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
            failed.append(f"{type(store).__name__}: {error}")
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
    done, entries = Removal(), 0
    for place in dict.fromkeys((*journals, *audio)):
        if os.path.isdir(place):
            entries += _erase_in_folder(done, place, call_id)
        elif os.path.isfile(place):
            entries += _erase_file(done, place, place, call_id, beside=())
    return Erasure(call_id=call_id, journal_entries=entries, files=tuple(done.files), failed=tuple(done.failed))


def _erase_in_folder(done: Removal, place: Path, call_id: str) -> int:
    """Look through a folder: first the journals' lines, which are counted, then what is the call's as a whole."""
    entries, whole = 0, list[Path]()
    for folder, folders, files in done.look(place):
        if REPLAY_RESULT in files and _says_of(done, folder / REPLAY_RESULT, call_id):
            whole.append(folder)
        if _overview_names(done, folder, call_id):
            whole += [folder / name for name in REPLAY_OVERVIEWS]
        for name in [name for name in folders if name == call_id]:
            whole.append(folder / name)
        for name in files:
            path = folder / name
            if is_journal(name):
                entries += _erase_file(done, path, place, call_id, beside=files)
            if not is_journal(name) and (call_id in (name, path.stem) or _says_of(done, path, call_id)):
                whole.append(path)
    for path in whole:
        if os.path.lexists(path):  # not gone with its folder, or as its journal's neighbour
            done.remove(path, place)
    return entries


def _erase_file(done: Removal, path: Path, place: Path, call_id: str, beside: Sequence[str]) -> int:
    """Take a call's lines out of a journal; any other file goes whole when it says that it is the call's."""
    if not is_journal(path.name) and path.suffix.lower() in (*PAGE_ENDINGS, ".json"):
        if _says_of(done, path, call_id):
            done.remove(path, place)
        return 0
    try:
        removed, gone = _erase_lines(path, call_id)
    except (OSError, FileInUse) as error:
        done.stuck(path, error)
        return 0
    if gone:
        done.files.append(name_below(path, place))
        for other in beside_journal(path, beside):
            if os.path.lexists(other):
                done.remove(other, place)
    return removed


def _overview_names(done: Removal, folder: Path, call_id: str) -> bool:
    """A replay's overviews name every call of their folder and hold its words: they go, a replay writes them anew."""
    try:
        return call_id in calls_of_overview(folder)
    except OSError as error:
        done.stuck(folder, error)
        return False


def _says_of(done: Removal, path: Path, call_id: str) -> bool:
    try:
        return call_of(path) == call_id
    except OSError as error:
        done.stuck(path, error)
        return False


def _erase_lines(path: Path, call_id: str) -> tuple[int, bool]:
    """Rewrite a journal without a call's lines; returns how many went, and whether the file went with them.

    In a journal named as the call a line that names no call is the call's too. One that somebody is writing stays as it
    is: its writer would go on in a file without a name, and its chain would end there.
    """
    own = path.stem == call_id
    if not _has_lines(path.read_bytes(), call_id, own=own):
        return 0, False
    if os.path.islink(path):
        raise OSError("a link: what it leads to was not named")
    with no_writer(path):
        return _rewrite(path, call_id, own=own)


def _has_lines(content: bytes, call_id: str, *, own: bool) -> bool:
    lines = content.splitlines()
    return any(_is_of(line, call_id, own=own) for line in lines) or (own and not lines)


def _rewrite(path: Path, call_id: str, *, own: bool) -> tuple[int, bool]:
    lines = path.read_bytes().splitlines(keepends=True)
    kept = [line for line in lines if not _is_of(line, call_id, own=own)]
    removed = len(lines) - len(kept)
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


def _is_of(line: bytes, call_id: str, *, own: bool) -> bool:
    try:
        entry: Any = json.loads(line)
    except (ValueError, RecursionError):
        return own or call_id.encode() in line  # a torn line that names the call is the call's
    named = cast("dict[str, Any]", entry).get("call_id") if isinstance(entry, dict) else None
    return named == call_id or (own and named is None)
