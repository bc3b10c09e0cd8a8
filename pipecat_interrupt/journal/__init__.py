"""The journal of a call: append-only, typed, hash-chained.

Owns what is written down of a call and in which form. Never decides anything and never holds the call up.
"""

from pipecat_interrupt.journal.entries import JournalEntry, Payload, entry_schema
from pipecat_interrupt.journal.sinks import JournalSink, JsonlSink, MemorySink
from pipecat_interrupt.journal.spill import SpillSink, reconcile
from pipecat_interrupt.journal.verify import ChainError, read_jsonl, verify_chain
from pipecat_interrupt.journal.writer import JournalWriter

__all__ = [
    "ChainError",
    "JournalEntry",
    "JournalSink",
    "JournalWriter",
    "JsonlSink",
    "MemorySink",
    "Payload",
    "SpillSink",
    "entry_schema",
    "read_jsonl",
    "reconcile",
    "verify_chain",
]
