"""Where journal entries go. A sink is one small protocol; the writer owns threads, bounds and failures."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from pipecat_interrupt.journal.entries import JournalEntry


class JournalSink(Protocol):
    """Takes sealed entries in order.

    Promises: `append` returns only when the entry would survive a crash of the process; it raises when it cannot, and
    then kept nothing of the entry. Appending an entry twice is harmless to a reader (same seq, same digest).
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

    Args:
        path: The file; parent folders are made. An existing file is appended to, never overwritten.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        _drop_torn_line(path)
        self._file = path.open("a", encoding="utf-8")

    def append(self, entry: JournalEntry) -> None:
        """Write one line and hand it to the operating system.

        Raises:
            OSError: The file cannot be written.
            ValueError: The sink is closed.
        """
        self._file.write(entry.model_dump_json() + "\n")
        self._file.flush()

    def close(self) -> None:
        """Close the file; idempotent."""
        self._file.close()


def _drop_torn_line(path: Path) -> None:
    """Cut off a last line that a killed process left half written: it was never an entry, and would spoil the next."""
    if not path.exists() or path.stat().st_size == 0:
        return
    content = path.read_bytes()
    if not content.endswith(b"\n"):
        with path.open("r+b") as file:
            file.truncate(content.rfind(b"\n") + 1)
