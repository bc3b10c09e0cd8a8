"""Erasing what has been kept long enough: ledgers whose hand-off was sent, journals and audio nobody wrote to since.

Owns what "long enough" is measured from. A call that is not finished, or whose hand-off was not sent, is never erased
for its age.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from obligations.errors import CallerError
from obligations.stores.errors import StoreUnavailable
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
        files: Journals and audio removed, by name.
        expiring: Stores that erase by a time of their own and were left alone, by type.
        failed: Places that could not be erased, each with an error's name; ask again.
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
        journals: Folders of JSONL journals, one file a call (``*.jsonl``, not below); age is the last write.
        audio: Folders of audio files, or of one folder a call; age is the last write.

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
            failed.append(f"{type(store).__name__}: {type(error).__name__}")
    files, stuck = await asyncio.to_thread(_erase_files, cutoff, tuple(journals), tuple(audio))
    return Retired(
        calls=tuple(calls), files=tuple(files), expiring=tuple(expiring), failed=(*failed, *stuck)
    )  # fmt: skip


def _erase_files(cutoff: float, journals: Sequence[Path], audio: Sequence[Path]) -> tuple[list[str], list[str]]:
    old = [p for folder in journals if folder.is_dir() for p in sorted(folder.glob("*.jsonl"))]
    old += [p.parent for folder in journals if folder.is_dir() for p in sorted(folder.glob("*/journal.jsonl"))]
    old += [p for folder in audio if folder.is_dir() for p in sorted(folder.iterdir())]
    gone, stuck = list[str](), list[str]()
    for path in old:
        try:
            if _last_written(path) >= cutoff:
                continue
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()
        except OSError as error:
            stuck.append(f"{path.name}: {type(error).__name__}")
            continue
        gone.append(path.name)
    return gone, stuck


def _last_written(path: Path) -> float:
    """The youngest write in a file or folder, Unix seconds; a link counts by itself."""
    inside = path.rglob("*") if path.is_dir() and not path.is_symlink() else ()
    return max((p.lstat().st_mtime for p in (path, *inside)), default=0.0)
