"""Where the board's facts come from: the calls of this process, or journals that other processes write into a folder.

Owns the following, and nothing of what is shown. Both run on the board's own loop and are bounded at each step.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from loguru import logger
from pydantic import ValidationError

from pipecat_interrupt.board.hub import Board
from pipecat_interrupt.journal import JournalEntry

if TYPE_CHECKING:
    from pipecat_interrupt.serve import CallRegistry

FILES_MAX = 2000
READ_BYTES_MAX = 1 << 20
"""Read of one file at one poll; the rest comes with the next."""

LINE_BYTES_MAX = 1 << 20


class BoardFeed(Protocol):
    """Gives a board its facts for as long as it runs."""

    async def run(self, board: Board) -> None:
        """Feed the board until cancelled."""
        ...


class RegistryFeed:
    """The calls of a phone server in this process.

    Args:
        registry: Its calls.
    """

    def __init__(self, registry: CallRegistry) -> None:
        self._registry = registry

    async def run(self, board: Board) -> None:
        """Follow the registry's events; what a full queue dropped is read again from the call's own journal."""
        with self._registry.subscribe() as subscription:
            for call in self._registry.calls:
                if call.kit is not None:
                    board.take_all(call.kit.memory.entries)
            missed = 0
            async for event in subscription:
                if subscription.missed != missed:
                    missed = subscription.missed
                    for call in self._registry.calls:
                        if call.kit is not None:
                            board.take_all(call.kit.memory.entries)
                if event.entry is not None:
                    board.take(event.entry)
                elif event.kind == "over":
                    board.catch_up()
                    board.over(event.call.id, event.call.reason)


class FolderFeed:
    """Journals in a folder, written by this process or by others while their calls run.

    Args:
        folder: Searched with its sub-folders for `*.jsonl`; need not exist yet.
        poll_s: How often it is looked at.
        newer_than_s: Journals last written longer ago than this are passed over; the board shows calls, not archives.
    """

    def __init__(self, folder: Path, poll_s: float = 0.5, newer_than_s: float = 600.0) -> None:
        self._folder, self._poll_s, self._newer_than_s = folder, poll_s, newer_than_s
        self._read: dict[Path, int] = {}
        self._bad: deque[Path] = deque(maxlen=FILES_MAX)

    async def run(self, board: Board) -> None:
        """Poll until cancelled; reading happens on a thread."""
        while True:
            try:
                await asyncio.to_thread(self.poll, board.take)
            except OSError as error:
                logger.error("the board cannot read its folder: {}", type(error).__name__)
            await asyncio.sleep(self._poll_s)

    def poll(self, take: Callable[[JournalEntry], None], now_s: float | None = None) -> None:
        """Read what was written since the last look.

        Args:
            take: Gets each entry.
            now_s: Wall clock in seconds; None reads it.
        """
        oldest_s = (time.time() if now_s is None else now_s) - self._newer_than_s
        for path in self._recent(oldest_s):
            done = self._read.get(path, 0)
            if path.stat().st_size > done:
                self._read[path] = done + self._take_lines(path, done, take)

    def _recent(self, oldest_s: float) -> list[Path]:
        found: list[tuple[float, Path]] = []
        for path in self._folder.rglob("*.jsonl"):
            if path in self._bad or path.is_symlink() or not path.is_file():
                continue
            written_s = path.stat().st_mtime
            if written_s >= oldest_s:
                found.append((written_s, path))
        found.sort(reverse=True)
        recent = [path for _, path in found[:FILES_MAX]]
        # What is read again later from its beginning does no harm: the board passes over what it has.
        self._read = {path: self._read[path] for path in recent if path in self._read}
        return recent

    def _take_lines(self, path: Path, start: int, take: Callable[[JournalEntry], None]) -> int:
        """Take the whole lines behind a position; gives the bytes that were used up."""
        with path.open("rb") as file:
            file.seek(start)
            data = file.read(READ_BYTES_MAX)
        whole = data.rfind(b"\n") + 1
        if whole == 0:
            if len(data) >= LINE_BYTES_MAX:
                self._bad.append(path)
                logger.error("{} has a line of over 1 MB and is no journal; passed over", self._name(path))
            return 0
        for place, line in enumerate(data[:whole].splitlines()):
            try:
                take(JournalEntry.from_line(line))
            except ValidationError:
                if start == 0 and place == 0:
                    self._bad.append(path)
                    logger.error("{} is no journal; the board passes over it", self._name(path))
                    return whole
                logger.error("a line of {} could not be read; the call's other lines are shown", self._name(path))
        return whole

    def _name(self, path: Path) -> str:
        return path.relative_to(self._folder).as_posix()
