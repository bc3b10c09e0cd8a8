"""Writes a call's journal without ever holding the call up.

Owns sequence numbers, the hash chain, the queue and its bound. Sealing happens where the fact happened (so the order is
the call's order); writing happens on one thread. A sink that fails is left alone, its entries go to the spill sink, and
when the call ends the writer offers them to the failed sink once more.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable

from loguru import logger
from pydantic import BaseModel

from pipecat_interrupt.errors import InterruptError, JournalConflict
from pipecat_interrupt.journal.entries import GENESIS, JournalEntry
from pipecat_interrupt.journal.sinks import JournalSink, MemorySink
from pipecat_interrupt.journal.spill import SpillSink

QUEUE_ENTRIES_MAX = 10_000
CLOSE_WAIT_S_MAX = 5.0

Listener = Callable[[JournalEntry], None]


class JournalWriter:
    """Seals entries and passes them on.

    Args:
        call_id: Whose call this journal is of.
        sinks: Written on the writer's thread, in order. `MemorySink`s are written at once, on the caller's.
        spill: Takes what a failing sink could not, so that nothing is lost with the process (`SpillSink`); None keeps
            it in memory only (bounded).
        start_from: The last entry of an earlier part of the same call (after a reconnect).
        queue_max: Most entries waiting for the writer's thread, >= 1.
    """

    def __init__(
        self,
        call_id: str,
        sinks: tuple[JournalSink, ...] = (),
        *,
        spill: JournalSink | None = None,
        start_from: JournalEntry | None = None,
        queue_max: int = QUEUE_ENTRIES_MAX,
    ) -> None:
        self.call_id = call_id
        self._now_sinks = tuple(s for s in sinks if isinstance(s, MemorySink))
        self._thread_sinks = tuple(s for s in sinks if not isinstance(s, MemorySink))
        self._spill = spill
        self._unwritten: dict[int, list[JournalEntry]] = {}
        self._beyond_memory = False
        self._spilling = (
            threading.Lock()
        )  # a full queue spills from the call's thread, a failing sink from the writer's
        self._seq = start_from.seq + 1 if start_from else 0
        self._previous = start_from.digest if start_from else GENESIS
        self._queue: queue.Queue[JournalEntry | None] = queue.Queue(queue_max)
        self._listeners: list[Listener] = []
        self._closed = False
        self.lost_entries = 0
        self._thread: threading.Thread | None = None
        if self._thread_sinks:
            self._thread = threading.Thread(target=self._work, name=f"journal-{call_id}", daemon=True)
            self._thread.start()

    @property
    def next_seq(self) -> int:
        """The sequence number the next entry will get."""
        return self._seq

    def add_listener(self, listener: Listener) -> None:
        """Call `listener` with every sealed entry, at once and on the caller's thread; its failures are swallowed."""
        self._listeners.append(listener)

    def write(self, payload: BaseModel, at_s: float) -> JournalEntry | None:
        """Seal one payload and queue it.

        Returns:
            The sealed entry, or None after `close`.

        Promises: never raises, never blocks; bounded by `QUEUE_ENTRIES_MAX`. When the queue is full the entry goes to
        the spill at once, and if that fails as well it is counted in `lost_entries`.
        """
        if self._closed:
            return None
        try:
            entry = JournalEntry.sealed(
                seq=self._seq, at_s=max(0.0, at_s), call_id=self.call_id, data=payload, previous=self._previous
            )
        except Exception:
            self.lost_entries += 1
            logger.exception("journal entry could not be sealed")
            return None
        self._seq, self._previous = entry.seq + 1, entry.digest
        for sink in self._now_sinks:
            sink.append(entry)
        self._tell(entry)
        if self._thread is not None:
            try:
                self._queue.put_nowait(entry)
            except queue.Full:
                for index in range(len(self._thread_sinks)):
                    self._to_spill(index, entry)
        return entry

    def close(self) -> None:
        """Write what is queued, try failed sinks once more, release them; idempotent, bounded by `CLOSE_WAIT_S_MAX`."""
        if self._closed:
            return
        self._closed = True
        if self._thread is not None:
            try:
                self._queue.put(None, timeout=CLOSE_WAIT_S_MAX)
            except queue.Full:
                logger.error("journal queue did not drain; its rest stays in memory")
            self._thread.join(CLOSE_WAIT_S_MAX)
        for sink in (*self._now_sinks, *self._thread_sinks, *((self._spill,) if self._spill else ())):
            try:
                sink.close()
            except Exception:
                logger.exception("journal sink did not close")

    def _tell(self, entry: JournalEntry) -> None:
        for listener in self._listeners:
            try:
                listener(entry)
            except Exception:
                logger.exception("journal listener failed")

    def _work(self) -> None:
        while (entry := self._queue.get()) is not None:
            for index, sink in enumerate(self._thread_sinks):
                self._append(index, sink, entry)
        self._reconcile()

    def _append(self, index: int, sink: JournalSink, entry: JournalEntry) -> None:
        if index in self._unwritten:  # keep the sink's order: once it failed, later entries wait as well
            self._to_spill(index, entry)
            return
        try:
            sink.append(entry)
        except Exception as error:  # no traceback: it may show the entry, and with it words of the call
            logger.error("journal sink {} ({}) failed; spilling: {}", index, type(sink).__name__, _why(error))
            self._to_spill(index, entry)

    def _to_spill(self, index: int, entry: JournalEntry) -> None:
        with self._spilling:
            self._keep(index, entry)

    def _keep(self, index: int, entry: JournalEntry) -> None:
        waiting = self._unwritten.setdefault(index, [])
        kept = len(waiting) < QUEUE_ENTRIES_MAX
        if kept:
            waiting.append(entry)
        else:
            self._beyond_memory = True
        if self._spill is not None:
            try:
                self._spill.append(entry)
                return
            except Exception as error:
                logger.error("journal spill failed: {}", _why(error))
        if not kept:
            self.lost_entries += 1

    def _reconcile(self) -> None:
        whole, failing = not self._beyond_memory, dict[int, Exception]()
        for index, waiting in self._unwritten.items():
            sink = self._thread_sinks[index]
            try:
                for entry in sorted(waiting, key=lambda e: e.seq):  # a full queue spilled later entries first
                    sink.append(entry)
            except Exception as error:
                whole = False
                failing[index] = error
        self._tell_of(failing)
        if whole and self._unwritten and isinstance(self._spill, SpillSink):
            self._spill.discard()

    def _tell_of(self, failing: dict[int, Exception]) -> None:
        """Say of sinks that failed to the end where their entries are: a loss is told only where there is one."""
        others = [s for i, s in enumerate(self._thread_sinks) if i not in failing and not self._beyond_memory]
        for index, error in failing.items():
            name, count = type(self._thread_sinks[index]).__name__, len(self._unwritten[index])
            conflict = isinstance(error, JournalConflict)
            if conflict and self._spill is not None:
                kept = "are in the spill: read both, `pipecat-interrupt journal reconcile` brings them to another store"
            elif self._spill is not None:
                kept = "are in the spill: `pipecat-interrupt journal reconcile` brings them home"
            elif others:
                kept = f"are missing there alone; {type(others[0]).__name__} has the whole journal"
            else:
                kept = "are lost with the process: there is no spill"
            why = "holds another journal of this call" if conflict else "still failing at the end"
            level = "WARNING" if not conflict and (self._spill is not None or others) else "ERROR"
            logger.log(level, "journal sink {} ({}) {}; {} entries {}", index, name, why, count, kept)


def _why(error: Exception) -> str:
    """What may be logged of an error: ours say it without a word of the call, of others only the kind is told."""
    return str(error) if isinstance(error, InterruptError) else type(error).__name__
