"""The journal of one call: its sinks, and whether the file it is to go to may take it.

Owns the rule that a file holds one call's chain: another call's is refused while the bot is put together.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pipecat_interrupt.errors import PipelineError
from pipecat_interrupt.journal import JournalSink, JournalWriter, JsonlSink, SpillSink
from pipecat_interrupt.journal.entries import JournalEntry
from pipecat_interrupt.journal.verify import last_entry, whole_lines


def open_journal(
    call_id: str, journal: str | Path | None, sinks: Sequence[JournalSink], spill: str | Path | None
) -> tuple[JournalWriter, JournalEntry | None]:
    """Open a call's journal, and give the entry it goes on from; None for a new chain.

    Args:
        call_id: The call's name.
        journal: JSONL file, gone on with when it holds this call already; None for none.
        sinks: Where entries go besides; one in memory is written at once.
        spill: Folder for what a sink could not take; None for none.

    Raises:
        PipelineError: The file holds another call, or is no journal; nothing was written.
        OSError: The file cannot be made.
    """
    kept_back = SpillSink(Path(spill)) if spill is not None else None
    if journal is None:
        return JournalWriter(call_id, tuple(sinks), spill=kept_back), None
    path = Path(journal)
    before = last_entry(path, call_id)
    if before is None and whole_lines(path):
        raise PipelineError(
            f"journal {path}: holds another call already, or is no journal, and one file holds one call. Name it by the"
            f' call, such as journal=Path("{path.parent}") / f"{{call_id}}.jsonl", or move the old file away'
        )
    return JournalWriter(call_id, (JsonlSink(path), *sinks), spill=kept_back, start_from=before), before
