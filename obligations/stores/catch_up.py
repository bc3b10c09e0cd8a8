"""Bringing a store up to what this process knows of one call.

Owns the comparison. Adds nothing unless everything the store holds of the call is what is known here.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from obligations.handoff.models import Handoff
from obligations.ledger.events import from_json, to_json
from obligations.stores.errors import Conflict, StoreRolledBack
from obligations.stores.protocol import EVENTS_PER_APPEND_MAX, FencingToken, LedgerStore

LINES_KEPT_MAX = 20_000
"""Confirmed events kept for a store that may lose them; a call has some hundred. Older ones are let go."""

ATTEMPTS_MAX = 3


@dataclass(slots=True)
class Kept:
    """What this process knows of one call.

    Parameters:
        token: The store's; 0 when the call could not be claimed there.
        local: What the caller owns the call by in this process.
        first: Number of the first event kept; None while it is not known where the store stands.
        lines: The events from `first` on, as JSON.
        saved: How many events of the call the store has confirmed.
        handoff: The hand-off as JSON; None before the end.
        handoff_due: The store does not have it yet.
        dirty: Kept here, not written to the store until reconciled.
    """

    call_id: str
    worker_id: str
    token: FencingToken
    local: FencingToken = FencingToken(0)
    first: int | None = None
    lines: list[str] = field(default_factory=list[str])
    saved: int = 0
    handoff: str | None = None
    handoff_due: bool = False
    dirty: bool = False
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def next_seq(self) -> int:
        """The number of the next event."""
        return (self.first or 0) + len(self.lines)

    @property
    def whole(self) -> bool:
        """Every event of the call is here."""
        return self.first == 0

    @property
    def complete(self) -> bool:
        """The store holds all of it."""
        return self.saved == self.next_seq and not self.handoff_due

    @property
    def only_part(self) -> bool:
        """Nothing but a hand-off of a call that was never, or is not any more, this process's."""
        return not self.worker_id and not self.lines and self.handoff_due

    def expect(self, seq: int) -> None:
        """Check the number of the next event, where it is known.

        Raises:
            Conflict: It is another.
        """
        if self.first is not None and seq != self.next_seq:
            raise Conflict(seq, self.next_seq)

    def add(self, seq: int, lines: list[str]) -> None:
        """Take events as known; the first ones ever tell where this process begins."""
        if self.first is None:
            self.first = self.saved = seq
        self.lines += lines

    def confirm(self) -> None:
        """All that is here is in the store."""
        self.saved = self.next_seq
        if len(self.lines) > LINES_KEPT_MAX:
            surplus = len(self.lines) - LINES_KEPT_MAX
            self.first = (self.first or 0) + surplus
            del self.lines[:surplus]

    def adopt(self, lines: list[str]) -> None:
        """Take what the store holds as known, unless this process has gone on from there already."""
        if self.first is None or len(lines) >= self.next_seq:
            self.first, self.lines, self.saved = 0, lines, len(lines)

    def inherit(self, before: Kept) -> None:
        """Go on from what an earlier claim of this process knew; not from its token, which this claim has ended."""
        self.first, self.lines, self.saved = before.first, before.lines, before.saved
        self.handoff, self.handoff_due, self.dirty = before.handoff, before.handoff_due, before.dirty


async def catch_up(store: LedgerStore, kept: Kept) -> bool:
    """Write to the store what it lacks of a call.

    Returns:
        False when it has another hand-off already: then this one is added to it as a part. Else True.

    Raises:
        Conflict: The store holds something else than is known here, or lost more than is kept here.
        StaleToken: Another worker claimed the call.
        CallClosed: It was finished with fewer events, or erased.
        StoreUnavailable: The store does not answer; try again.
    """
    for attempt in range(ATTEMPTS_MAX):
        stored = [to_json(event) for event in await store.read(kept.call_id)]
        first = kept.first or 0
        if not first <= len(stored) <= kept.next_seq or stored[first:] != kept.lines[: len(stored) - first]:
            raise Conflict(kept.next_seq, len(stored))
        if not kept.token:
            kept.token = await store.claim(kept.call_id, kept.worker_id)
        try:
            await _write(store, kept, len(stored))
            break
        except StoreRolledBack:  # it lost the claim as well
            kept.token = FencingToken(0)
        except Conflict:  # an append of ours whose answer was lost arrived only now
            if attempt + 1 == ATTEMPTS_MAX:
                raise
    return await _finish(store, kept)


async def _write(store: LedgerStore, kept: Kept, stored: int) -> None:
    first = kept.first or 0
    while stored < kept.next_seq:
        lines = kept.lines[stored - first : stored - first + EVENTS_PER_APPEND_MAX]
        await store.append(kept.call_id, [from_json(line) for line in lines], stored, token=kept.token)
        stored += len(lines)
    kept.saved = stored


async def _finish(store: LedgerStore, kept: Kept) -> bool:
    if not kept.handoff_due or kept.handoff is None or kept.saved < kept.next_seq:
        return True
    handoff = Handoff.model_validate_json(kept.handoff)
    try:
        first = await store.finish(kept.call_id, handoff, token=kept.token)
    except StoreRolledBack:
        kept.token = await store.claim(kept.call_id, kept.worker_id)
        first = await store.finish(kept.call_id, handoff, token=kept.token)
    first = first or await store.handoff(kept.call_id) == handoff
    if not first:
        await store.add_part(kept.call_id, handoff)
    kept.handoff_due = False
    return first
