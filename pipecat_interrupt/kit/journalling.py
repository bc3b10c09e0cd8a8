"""The journal of one call: its sinks, and whether the file it is to go to may take it.

Owns two rules. A file holds one call's chain: another call's is refused while the bot is put together. A file has one
writer: where another worker still has it, the call goes on, and its part is journalled whole in a file of its own.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from loguru import logger

from pipecat_interrupt.errors import JournalInUse, PipelineError
from pipecat_interrupt.journal import JournalSink, JournalWriter, JsonlSink, SpillSink
from pipecat_interrupt.journal.entries import JournalEntry
from pipecat_interrupt.journal.verify import last_entry, whole_lines


@dataclass(frozen=True, slots=True)
class OpenedJournal:
    """What a call's journal goes to.

    Parameters:
        writer: Takes the entries.
        before: The entry it goes on from; None for a new chain.
        notices: What a reader of the journal must know of it.
    """

    writer: JournalWriter
    before: JournalEntry | None = None
    notices: tuple[str, ...] = ()


def open_journal(
    call_id: str, journal: str | Path | None, sinks: Sequence[JournalSink], spill: str | Path | None
) -> OpenedJournal:
    """Open a call's journal.

    Args:
        call_id: The call's name.
        journal: JSONL file, gone on with when it holds this call already; None for none. Where another worker is
            writing it, the whole journal goes to a file of its own: in the spill folder, or else beside the file.
        sinks: Where entries go besides; one in memory is written at once.
        spill: Folder for what a sink could not take; None for none.

    Raises:
        PipelineError: The file holds another call, or is no journal; nothing was written.
        OSError: The file cannot be made.
    """
    kept_back = SpillSink(Path(spill)) if spill is not None else None
    if journal is None:
        return OpenedJournal(JournalWriter(call_id, tuple(sinks), spill=kept_back))
    path, notices = Path(journal), ()
    _gone_on_from(path, call_id)  # before anything is opened: a file that is refused stays as it is, its torn line too
    try:
        file = JsonlSink(path)
    except JournalInUse as error:
        file = _file_of_its_own(path, call_id, Path(spill) if spill is not None else None)
        logger.error("{} This call goes on and is journalled in {}", error, file.path)
        notices = (f"the journal {path.name} is being written by {error.who}: this part of the call stands here alone",)
    try:
        before = _gone_on_from(file.path, call_id)  # again: its last writer may have written until it let it go
    except PipelineError:
        file.close()
        raise
    return OpenedJournal(JournalWriter(call_id, (file, *sinks), spill=kept_back, start_from=before), before, notices)


def _gone_on_from(path: Path, call_id: str) -> JournalEntry | None:
    held = whole_lines(path)  # read first: what another worker writes between the two readings is no reason to refuse
    before = last_entry(path, call_id)
    if before is None and held:
        raise PipelineError(
            f"journal {path}: holds another call already, or is no journal, and one file holds one call. Name it by the"
            f' call, such as journal=Path("{path.parent}") / f"{{call_id}}.jsonl", or move the old file away'
        )
    return before


def _file_of_its_own(path: Path, call_id: str, spill: Path | None) -> JsonlSink:
    """Open a new file: beside the journal under its name, in a spill folder under one that does not name the call."""
    stem = path.stem if spill is None else hashlib.sha256(call_id.encode()).hexdigest()[:32]
    return JsonlSink((spill or path.parent) / f"{stem}.{uuid.uuid4().hex[:8]}.jsonl")
