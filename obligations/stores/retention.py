"""Erasing what has been kept long enough: ledgers whose hand-off was sent, journals and audio nobody wrote to since.

Owns what "long enough" is measured from. A call that is not finished, or whose hand-off was not sent, is never erased
for its age.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from obligations.errors import CallerError
from obligations.stores.errors import StoreUnavailable
from obligations.stores.kept_files import (
    FOLDER_JOURNAL,
    PAGE_ENDINGS,
    REPLAY_OVERVIEWS,
    REPLAY_RESULT,
    Removal,
    beside_journal,
    call_of,
    is_journal,
)
from obligations.stores.protocol import LedgerStore

DAY_S = 86_400.0
KEEP_S_MIN = DAY_S
"""No call lasts a day; nothing of a call may be erased for its age sooner."""


@runtime_checkable
class DatedStore(Protocol):
    """A store that knows when a hand-off was sent and does not expire calls by itself."""

    async def sent_before(self, unix_s: float) -> list[str]:
        """Name the calls whose hand-off was sent before a moment, Unix seconds; erased calls not."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Retired:
    """What was erased for its age.

    Parameters:
        calls: Calls erased from ledger stores.
        files: Journals, pages, replays and audio removed, by their path below the place that was named.
        expiring: Stores that erase by a time of their own and were left alone, by type.
        failed: Places that could not be looked at or erased, each with why; ask again.
    """

    calls: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    expiring: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()


async def erase_older(
    keep_s: float,
    *,
    now_unix_s: float,
    stores: Sequence[LedgerStore] = (),
    journals: Sequence[Path] = (),
    audio: Sequence[Path] = (),
) -> Retired:
    """Erase what is older than `keep_s`.

    Args:
        keep_s: Seconds to keep, at least `KEEP_S_MIN`.
        now_unix_s: Now, Unix seconds.
        stores: Ledger stores; one that expires calls by itself (Redis: its `keep_s`) is left alone.
        journals: Folders of JSONL journals, looked through at any depth, links not followed. A journal nobody wrote to
            since goes, with what lies beside it under its name; so does an old page. A folder of its own
            (``journal.jsonl``, or a replay of a call) goes whole when its youngest file is old.
        audio: Folders of sound, looked through at any depth: an old file goes, and a folder that this leaves empty.

    Raises:
        CallerError: `keep_s` is too short.
    """
    if not keep_s >= KEEP_S_MIN:
        raise CallerError(f"what is younger than {KEEP_S_MIN / DAY_S:.0f} day is never erased for its age")
    cutoff = now_unix_s - keep_s
    calls, expiring, failed = list[str](), list[str](), list[str]()
    for store in stores:
        if not isinstance(store, DatedStore):
            expiring.append(type(store).__name__)
            continue
        try:
            for call_id in await store.sent_before(cutoff):
                await store.erase(call_id)
                calls.append(call_id)
        except StoreUnavailable as error:
            failed.append(f"{type(store).__name__}: {error}")
    on_disk = await asyncio.to_thread(_erase_files, cutoff, tuple(journals), tuple(audio))
    return Retired(
        calls=tuple(calls),
        files=tuple(on_disk.files),
        expiring=tuple(expiring),
        failed=(*failed, *on_disk.failed),
    )


def _erase_files(cutoff: float, journals: Sequence[Path], audio: Sequence[Path]) -> Removal:
    done = Removal()
    for place in dict.fromkeys(journals):
        _erase_journals(done, place, cutoff)
    for place in dict.fromkeys(audio):
        _erase_audio(done, place, cutoff)
    return done


def _erase_journals(done: Removal, place: Path, cutoff: float) -> None:
    for folder, folders, files in done.look(place):
        replayed = REPLAY_RESULT in files
        alone = folder != place and [FOLDER_JOURNAL] == [name for name in files if is_journal(name)]
        if replayed or alone:
            if _is_old(done, folder, cutoff):
                folders.clear()
                if done.remove(folder, place) and replayed:
                    for name in REPLAY_OVERVIEWS:
                        if os.path.isfile(folder.parent / name):
                            done.remove(folder.parent / name, place)
            continue
        for name in files:
            path = folder / name
            if not os.path.lexists(path):
                continue  # went with its journal
            if is_journal(name) and _is_old(done, path, cutoff):
                if done.remove(path, place):
                    for other in beside_journal(path, files):
                        if os.path.lexists(other):
                            done.remove(other, place)
            elif name.lower().endswith(PAGE_ENDINGS) and _is_page(done, path) and _is_old(done, path, cutoff):
                done.remove(path, place)


def _erase_audio(done: Removal, place: Path, cutoff: float) -> None:
    for folder, folders, files in done.look(place):
        links = [name for name in folders if os.path.islink(folder / name)]
        old = [name for name in (*files, *links) if _is_old(done, folder / name, cutoff)]
        for name in old:
            done.remove(folder / name, place)
        while old and folder != place:
            try:
                folder.rmdir()
            except OSError:  # not empty, and what could not be removed was told
                break
            folder = folder.parent


def _is_page(done: Removal, path: Path) -> bool:
    try:
        return call_of(path) is not None
    except OSError as error:
        done.stuck(path, error)
        return False


def _is_old(done: Removal, path: Path, cutoff: float) -> bool:
    try:
        return _last_written(path) < cutoff
    except OSError as error:
        done.stuck(path, error)
        return False


def _last_written(path: Path) -> float:
    """The youngest write in a file or folder, Unix seconds; a link counts by itself."""

    def refuse(error: OSError) -> None:
        raise error

    walked = os.walk(path, onerror=refuse) if os.path.isdir(path) and not os.path.islink(path) else ()
    inside = [Path(folder) / name for folder, _, names in walked for name in names]
    return max(p.lstat().st_mtime for p in (inside or [path]))
