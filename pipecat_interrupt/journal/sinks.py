"""Where journal entries go. A sink is one small protocol; the writer owns threads, bounds and failures."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol, TextIO

from obligations.stores.errors import FileInUse
from obligations.stores.one_writer import is_still, take
from pipecat_interrupt.errors import EnvironmentProblem, JournalInUse
from pipecat_interrupt.journal.entries import JournalEntry

OPEN_TRIES_MAX = 5
"""A file may be erased between its opening and its lock; so often in a row means something else is wrong."""

ONE_WRITER_FIX = (
    "Give each worker a folder of its own, or let both write to a sink that takes many: SqliteSink on one machine,"
    " RedisStreamSink on many (docs/stores.md)"
)


class JournalSink(Protocol):
    """Takes sealed entries in order.

    Promises: `append` returns only when the entry would survive a crash of the process; it raises when it cannot, and
    then kept nothing of the entry. Appending an entry twice is harmless to a reader (same seq, same digest). What can
    hold one entry a number only raises `JournalConflict` for another one: nothing is passed over in silence.
    """

    def append(self, entry: JournalEntry) -> None:
        """Keep one entry."""
        ...

    def close(self) -> None:
        """Release what the sink holds; idempotent."""
        ...


class MemorySink:
    """Keeps entries in a list; for tests and for readers inside the process."""

    def __init__(self) -> None:
        self.entries: list[JournalEntry] = []

    def append(self, entry: JournalEntry) -> None:
        """Keep one entry."""
        self.entries.append(entry)

    def close(self) -> None:
        """Nothing to release."""


class JsonlSink:
    """Appends one JSON object a line; the file is readable while the call runs.

    One writer a file: a second one, in this process or another, would break its chain, and is refused at opening. The
    lock is the operating system's and goes with the process, however it dies; readers never meet it.

    Args:
        path: The file; parent folders are made. An existing file is appended to, never overwritten.

    Raises:
        JournalInUse: Another writer has the file; it is as it was.
        OSError: The file cannot be made or opened.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = _open_alone(path)

    def append(self, entry: JournalEntry) -> None:
        """Write one line and hand it to the operating system.

        Raises:
            OSError: The file cannot be written.
            ValueError: The sink is closed.
        """
        self._file.write(entry.model_dump_json() + "\n")
        self._file.flush()

    def close(self) -> None:
        """Close the file, which lets another writer have it; idempotent."""
        self._file.close()


def _open_alone(path: Path) -> TextIO:
    for _ in range(OPEN_TRIES_MAX):
        file = path.open("a", encoding="utf-8")
        try:
            take(file, path)
            if is_still(file, path):
                _drop_torn_line(path)
                return file
        except FileInUse as error:
            file.close()
            raise JournalInUse(path, error.who, ONE_WRITER_FIX) from None
        except BaseException:
            file.close()
            raise
        file.close()
    raise EnvironmentProblem(f"{path}: is erased or replaced each time it is opened; see what else works on its folder")


def _drop_torn_line(path: Path) -> None:
    """Cut off a last line that a killed process left half written: it was never an entry, and would spoil the next."""
    if not path.exists() or path.stat().st_size == 0:
        return
    content = path.read_bytes()
    if not content.endswith(b"\n"):
        with path.open("r+b") as file:
            file.truncate(content.rfind(b"\n") + 1)
