"""The local spill: one JSONL file a call, while its store is away.

Owns the files and their form: a first line that names the call, its token and where its events begin, then one line an
event, then perhaps the hand-off. A line that a dying process left half written is not read.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Spilled:
    """What one spill file holds.

    Parameters:
        token: What the worker owned the call by; 0 when it could not claim it.
        base_seq: Number of the first event.
        events: Events as JSON lines, in order.
        handoff: The hand-off as JSON; None when the call had not ended.
    """

    call_id: str
    worker_id: str
    token: int
    base_seq: int
    events: tuple[str, ...]
    handoff: str | None


class Spill:
    """Spill files in one folder; give each worker process its own.

    Promises: what `write` returned from survives the process and a power cut; files are written and removed in the
    order asked for, on one thread.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="ledger-spill")

    def file_of(self, call_id: str) -> Path:
        """Name the file of a call; its name tells nothing of the call."""
        return self.folder / f"{hashlib.sha256(call_id.encode()).hexdigest()[:32]}.jsonl"

    def kept_file_of(self, call_id: str) -> Path:
        """Name the file that keeps what could not be reconciled."""
        return self.file_of(call_id).with_suffix(".unreconciled.jsonl")

    def head(self, call_id: str, worker_id: str, token: int, base_seq: int) -> str:
        """Give the first line of a call's file."""
        fields = {"v": VERSION, "call_id": call_id, "worker_id": worker_id, "token": token, "base_seq": base_seq}
        return json.dumps(fields, ensure_ascii=False)

    async def write(self, call_id: str, lines: Sequence[str], *, fresh: bool) -> None:
        """Add lines to a call's file, or begin it anew.

        Raises:
            OSError: The disk refuses.
        """
        await self._run(self._write, self.file_of(call_id), "".join(f"{line}\n" for line in lines), fresh)

    async def remove(self, call_id: str) -> None:
        """Remove a call's file, if there is one."""
        await self._run(self._remove, self.file_of(call_id))

    async def set_aside(self, call_id: str) -> None:
        """Keep a call's file under another name, for a person to look at."""
        await self._run(self._set_aside, self.file_of(call_id), self.kept_file_of(call_id))

    async def erase(self, call_id: str) -> int:
        """Remove every file of a call; returns how many there were."""
        return await self._run(self._erase, (self.file_of(call_id), self.kept_file_of(call_id)))

    async def left_over(self) -> list[Spilled]:
        """Read what an earlier process left; unreadable files are passed over and stay."""
        return await self._run(self._left_over)

    def close(self) -> None:
        """Let what was asked for be written, then stop the thread."""
        self._thread.shutdown(wait=False)

    async def _run(self, work: Any, *args: object) -> Any:
        return await asyncio.shield(asyncio.get_running_loop().run_in_executor(self._thread, work, *args))

    def _write(self, path: Path, text: str, fresh: bool) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        with path.open("w" if fresh else "a", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())

    def _remove(self, path: Path) -> None:
        path.unlink(missing_ok=True)

    def _set_aside(self, path: Path, kept: Path) -> None:
        if not path.exists():
            return
        if kept.exists():  # this call was set aside before: nothing of it goes
            with kept.open("a", encoding="utf-8") as file:
                file.write(path.read_text(encoding="utf-8", errors="replace"))
            path.unlink()
            return
        path.replace(kept)

    def _erase(self, paths: Sequence[Path]) -> int:
        found = [path for path in paths if path.exists()]
        for path in found:
            path.unlink()
        return len(found)

    def _left_over(self) -> list[Spilled]:
        if not self.folder.is_dir():
            return []
        files = sorted(p for p in self.folder.glob("*.jsonl") if not p.name.endswith(".unreconciled.jsonl"))
        return [spilled for path in files if (spilled := _read(path)) is not None]


def handoff_line(handoff_json: str) -> str:
    """Mark a hand-off's JSON as such."""
    return '{"handoff":' + handoff_json + "}"


def _read(path: Path) -> Spilled | None:
    """Read one file as far as it is whole; None when not even its first line is."""
    lines = path.read_text(encoding="utf-8", errors="replace").split("\n")[:-1]  # what follows the last newline is torn
    try:
        head = cast("dict[str, Any]", json.loads(lines[0]))
        events: list[str] = []
        handoff: str | None = None
        for line in lines[1:]:
            parsed = cast("dict[str, Any]", json.loads(line))
            if "handoff" in parsed:
                handoff = json.dumps(parsed["handoff"], ensure_ascii=False)
            else:
                events.append(line)
        return Spilled(
            call_id=str(head["call_id"]),
            worker_id=str(head["worker_id"]),
            token=int(head["token"]),
            base_seq=int(head["base_seq"]),
            events=tuple(events),
            handoff=handoff,
        )
    except (IndexError, KeyError, TypeError, ValueError):
        return None
