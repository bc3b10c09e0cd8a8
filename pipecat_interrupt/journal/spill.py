"""The journal's spill: a file a call for what a sink could not take, and the way back from it.

Owns the file's name and life. It is made with the first entry, so a call without trouble leaves none, and it is removed
when its entries have reached the sink after all.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from obligations.stores.errors import FileInUse
from obligations.stores.one_writer import no_writer
from pipecat_interrupt.errors import JournalConflict, JournalInUse, SettingsError
from pipecat_interrupt.journal.entries import JournalEntry
from pipecat_interrupt.journal.sinks import JournalSink, JsonlSink
from pipecat_interrupt.journal.verify import ChainError, last_entry, read_jsonl

SUFFIX = ".journal-spill.jsonl"
FILES_MAX = 9
"""Workers that may have the same call at once and spill it into one folder; each has a file of its own."""


class SpillSink:
    """Keeps spilled entries of one call in a folder.

    Args:
        folder: Where spill files go; made when the first one is needed.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path: Path | None = None
        self._sink: JsonlSink | None = None
        self._holds_more = False

    def append(self, entry: JournalEntry) -> None:
        """Keep one entry.

        Raises:
            OSError: The file cannot be written.
            JournalInUse: So many workers spill this call into this folder already.
        """
        if self._sink is None:
            self._sink = self._first_free(entry)
            self.path = self._sink.path
        self._sink.append(entry)

    def _first_free(self, entry: JournalEntry) -> JsonlSink:
        for number in range(1, FILES_MAX):
            try:
                sink = JsonlSink(self.folder / spill_name(entry.call_id, number))
            except JournalInUse:  # another worker has this call as well, and spills it too
                continue
            before = last_entry(sink.path, entry.call_id)
            if before is None or before.seq < entry.seq:
                self._holds_more = before is not None
                return sink
            sink.close()  # what a dead worker spilled of this call, in a chain of its own: two in one would be mixed
        self._holds_more = True
        return JsonlSink(self.folder / spill_name(entry.call_id, FILES_MAX))

    def discard(self) -> None:
        """Every entry has reached its sink: remove the file, unless an earlier worker's spill stands in it as well."""
        if self.path is not None and not self._holds_more:
            self.path.unlink(missing_ok=True)  # before it is let go: who takes it up then would write into nothing
        self.close()

    def close(self) -> None:
        """Close the file; idempotent."""
        if self._sink is not None:
            self._sink.close()


def spill_name(call_id: str, number: int = 1) -> str:
    """Name a spill file of a call, from 1; the name tells nothing of the call."""
    nth = f".{number}" if number > 1 else ""
    return hashlib.sha256(call_id.encode()).hexdigest()[:32] + nth + SUFFIX


def reconcile(file: Path, sink: JournalSink) -> int:
    """Offer spilled entries to a sink once more, in the call's order, and remove the file when it has them all.

    Args:
        file: A spill file; several calls and repeated entries in it are allowed.
        sink: Takes them; what it has already must do no harm (see `JournalSink`).

    Returns:
        How many entries were offered.

    Raises:
        ChainError: An entry was altered; nothing was offered.
        JournalConflict: The sink, or the file itself, holds another entry under one's call and number; the file stays.
        JournalInUse: The call still spills into the file; nothing was offered.
        SettingsError: The file is no spill file; a call's own journal is never taken away.
        Exception: Whatever the sink raises; the file stays.
    """
    if not file.name.endswith(SUFFIX):
        raise SettingsError(f"{file.name} is no spill file (*{SUFFIX}); a call's journal is not taken away")
    try:
        with no_writer(file):
            return _bring_home(file, sink)
    except FileInUse as error:
        raise JournalInUse(file, error.who, "Bring it home when its call is over") from None


def _bring_home(file: Path, sink: JournalSink) -> int:
    entries = read_jsonl(file)
    for position, entry in enumerate(entries, start=1):
        if entry.digest != entry.computed_digest():
            raise ChainError(f"{file.name}:{position}: content was altered after it was written")
    unique: dict[tuple[str, int], JournalEntry] = {}
    for entry in entries:
        if unique.setdefault((entry.call_id, entry.seq), entry).digest != entry.digest:
            raise JournalConflict(file.name, entry.seq)
    for key in sorted(unique):
        sink.append(unique[key])
    file.unlink()
    return len(unique)
