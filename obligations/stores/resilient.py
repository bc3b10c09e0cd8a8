"""A store around a store: in a live call an outage costs a bounded wait once, and nothing is lost.

Owns what happens while the store is away: every event goes to a local spill file, an alarm is raised, and a task of
its own offers everything again until the store has it. What the store holds is compared event by event before anything
is added, so an answer that was lost on the way, a restart from an empty disk and a server rolled back to an earlier
second all end the same: with every event once, in order.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Awaitable, Sequence
from pathlib import Path

from obligations.errors import EnvironmentFault
from obligations.handoff.models import Handoff
from obligations.ledger.events import Event, from_json, to_json
from obligations.stores.alarms import Alarm, log_alarm
from obligations.stores.catch_up import Kept
from obligations.stores.errors import CallClosed, Conflict, StaleToken, StoreRolledBack
from obligations.stores.outage import Outage, ResilienceConfig
from obligations.stores.protocol import FencingToken, LedgerStore, StoreErasure, check_append, check_call_id
from obligations.stores.spill import handoff_line

DONE_CALLS_MAX = 10_000
"""Names of finished calls remembered, so that a late `finish` is answered without the store."""


class ResilientStore:
    """A `LedgerStore` that keeps a live call going while the store under it is away.

    Promises: `claim`, `append`, `finish` and `mark_sent` never raise because the store fails, and wait for it at most
    `timeout_s`; what they took is in the store or in the spill when they return. A store that *answers* is still
    heard: `Conflict`, `StaleToken` and `CallClosed` pass through. While the store is away `finish` returns True once a
    call in this process; where the store has the call from somebody else by then, this hand-off is added as a part of
    it. `read` serves only calls this process wrote from their first event; `erase` raises, for nothing may look erased
    that is not.

    Args:
        store: The store to keep up with; closed with this one.
        spill: Folder of the spill files; one per worker process.
        alarm: Told when the store goes, comes back, or disagrees; must not block. The log when None.
        config: Time limits.
        rng: Jitter.
    """

    def __init__(
        self,
        store: LedgerStore,
        spill: Path,
        *,
        alarm: Alarm = log_alarm,
        config: ResilienceConfig | None = None,
        rng: random.Random | None = None,
    ) -> None:
        self.store = store
        self._calls: dict[str, Kept] = {}
        self._outage = Outage(
            store,
            spill,
            config=config or ResilienceConfig(),
            alarm=alarm,
            rng=rng or random.Random(),
            on_whole=self._is_whole,
            on_refused=self._forget,
        )
        self._done: dict[str, None] = {}
        self._closed = False

    @property
    def away(self) -> bool:
        """Something is kept here that the store does not hold yet."""
        return self._outage.behind

    async def claim(self, call_id: str, worker_id: str) -> FencingToken:
        """Take a call over; while the store is away, for this process only, and for all once it is back."""
        check_call_id(call_id)
        token = FencingToken(0)
        try:
            token = await self._outage.bounded(self.store.claim(call_id, worker_id))
        except EnvironmentFault as error:
            self._outage.went_away(error)
        kept = Kept(call_id=call_id, worker_id=worker_id, token=token)
        before = self._calls.get(call_id)
        if before is not None:
            if 0 < token < before.token:
                return token  # two claims at once: the other one came last
            kept.inherit(before)
        kept.local = FencingToken(token or 1 + max(0, before.local if before else 0))
        self._calls[call_id] = kept
        if not token or kept.dirty:
            await self._outage.keep_here(kept)
        return kept.local

    def granted(self, call_id: str) -> FencingToken:
        """Give the token the store itself granted this process for a running call; 0 while it has granted none."""
        kept = self._calls.get(call_id)
        return kept.token if kept is not None else FencingToken(0)

    async def append(self, call_id: str, events: Sequence[Event], expected_seq: int, *, token: FencingToken) -> None:
        """Add events to the store, or to the spill."""
        check_append(call_id, events, expected_seq)
        kept = self._calls.get(call_id)
        if kept is None and call_id in self._done:
            raise CallClosed("finished")
        if kept is None:  # not, or not any more, this process's: the store has its reasons
            await self._outage.bounded(self.store.append(call_id, events, expected_seq, token=token))
            return
        if kept.local != token:
            raise StaleToken(token, kept.local)
        async with kept.lock:
            if kept.handoff is not None:
                raise CallClosed("finished")
            kept.expect(expected_seq)
            lines = [to_json(event) for event in events]
            if kept.dirty:
                kept.add(expected_seq, lines)
                await self._outage.to_spill(kept, lines)
                return
            await self._append_to_store(kept, events, lines, expected_seq)

    async def _append_to_store(self, kept: Kept, events: Sequence[Event], lines: list[str], expected_seq: int) -> None:
        try:
            await self._outage.bounded(self.store.append(kept.call_id, events, expected_seq, token=kept.token))
        except Conflict as refused:
            if not kept.lines:
                raise
            # It lost what it had confirmed, or holds an append of ours whose answer was lost: comparing will tell.
            kept.add(expected_seq, lines)
            self._outage.went_away(refused)
            await self._outage.keep_here(kept)
        except StaleToken:
            self._calls.pop(kept.call_id, None)
            raise
        except EnvironmentFault as error:
            kept.add(expected_seq, lines)
            self._outage.went_away(error)
            await self._outage.keep_here(kept)
        else:
            kept.add(expected_seq, lines)
            kept.confirm()

    async def read(self, call_id: str) -> list[Event]:
        """Give every event, from here while the store is away.

        Raises:
            StoreUnavailable: The store is away and this process does not hold the whole call.
        """
        kept = self._calls.get(call_id)
        if kept is not None and kept.dirty and kept.whole:
            return [from_json(line) for line in kept.lines]
        try:
            events = await self._outage.bounded(self.store.read(call_id))
        except EnvironmentFault as error:
            self._outage.went_away(error)
            if kept is None or not kept.whole:
                raise
            return [from_json(line) for line in kept.lines]
        if kept is not None and not kept.dirty:
            kept.adopt([to_json(event) for event in events])
        return events

    async def finish(self, call_id: str, handoff: Handoff, *, token: FencingToken) -> bool:
        """Keep the one hand-off, in the store or in the spill."""
        kept = self._calls.get(call_id)
        if kept is None and call_id in self._done:
            return False
        if kept is None or kept.local != token:
            return await self._finish_elsewhere(call_id, handoff, token)
        async with kept.lock:
            if kept.handoff is not None:
                return False
            if not kept.dirty:
                try:
                    first = await self._outage.bounded(self.store.finish(call_id, handoff, token=kept.token))
                except EnvironmentFault as error:
                    self._outage.went_away(error)
                else:
                    self._is_done(kept)
                    return first
            kept.handoff, kept.handoff_due = handoff.model_dump_json(), True
            if kept.dirty:
                await self._outage.to_spill(kept, [handoff_line(kept.handoff)])
            else:
                await self._outage.keep_here(kept)
            return True

    async def _finish_elsewhere(self, call_id: str, handoff: Handoff, token: FencingToken) -> bool:
        """Finish a call that is not, or not any more, this process's: the store has its reasons."""
        try:
            return await self._outage.bounded(self.store.finish(call_id, handoff, token=token))
        except StoreRolledBack:
            raise StaleToken(token, 0) from None  # a token of our own, given while the store was away
        except EnvironmentFault as error:
            self._outage.went_away(error)
            await self._keep_part(call_id, handoff)
            return True

    async def add_part(self, call_id: str, part: Handoff) -> None:
        """Add a part to the store, or to the spill."""
        check_call_id(call_id)
        try:
            await self._outage.bounded(self.store.add_part(call_id, part))
        except EnvironmentFault as error:
            self._outage.went_away(error)
            await self._keep_part(call_id, part)

    async def _keep_part(self, call_id: str, part: Handoff) -> None:
        """Keep a hand-off here without events of its own: the store takes it as a part of the call it has."""
        if call_id in self._outage.calls:
            return  # the call itself is kept here, its end too
        kept = Kept(call_id=call_id, worker_id="", token=FencingToken(0), local=FencingToken(-1))
        kept.handoff, kept.handoff_due = part.model_dump_json(), True
        await self._outage.keep_here(kept)

    async def parts(self, call_id: str) -> list[Handoff]:
        """Give the parts that wait; none of a call that is kept here for now."""
        kept = self._calls.get(call_id)
        if kept is not None and kept.dirty:
            return []
        return await self._outage.bounded(self.store.parts(call_id))

    async def replace(self, call_id: str, handoff: Handoff, joined: int, *, token: FencingToken) -> None:
        """Put a joined hand-off in the place of the one that stands."""
        await self._outage.bounded(self.store.replace(call_id, handoff, joined, token=token))
        kept = self._calls.get(call_id)
        if kept is not None and not kept.dirty:
            self._is_done(kept)

    async def handoff(self, call_id: str) -> Handoff | None:
        """Give the hand-off of a finished call."""
        kept = self._calls.get(call_id)
        if kept is not None and kept.handoff_due and kept.handoff is not None:
            return Handoff.model_validate_json(kept.handoff)
        return await self._outage.bounded(self.store.handoff(call_id))

    async def open_calls(self) -> list[str]:
        """Name the calls that are not finished; only this process's while the store is away."""
        here = {kept.call_id for kept in self._outage.calls.values() if kept.handoff is None}
        done = {kept.call_id for kept in self._outage.calls.values() if kept.handoff is not None}
        return sorted((await self._names(self.store.open_calls()) - done) | here)

    async def unsent(self) -> list[str]:
        """Name the finished calls whose hand-off was not sent; only this process's while the store is away."""
        here = {kept.call_id for kept in self._outage.calls.values() if kept.handoff is not None}
        return sorted((await self._names(self.store.unsent()) | here) - self._outage.sent.keys())

    async def mark_sent(self, call_id: str, version: int | None = None) -> None:
        """Note that the hand-off reached its receiver; told to the store when it is back."""
        if not self.away:
            try:
                await self._outage.bounded(self.store.mark_sent(call_id, version))
                return
            except EnvironmentFault as error:
                self._outage.went_away(error)
        self._outage.sent[call_id] = version
        self._outage.mend()

    async def erase(self, call_id: str) -> StoreErasure:
        """Remove all that was kept of a call, here and in the store.

        Raises:
            StoreUnavailable: The store is away: what it holds is not erased. What was kept here is.
        """
        kept = self._calls.get(call_id)
        async with kept.lock if kept is not None else contextlib.nullcontext():
            self._calls.pop(call_id, None)
            self._outage.calls.pop(call_id, None)
            self._outage.sent.pop(call_id, None)
            files = await self._outage.spill.erase(call_id)
            erased = await self._outage.bounded(self.store.erase(call_id))
        here = len(kept.lines) + (kept.first or 0) if kept is not None else 0
        there = kept is not None and kept.handoff is not None and files > 0
        return StoreErasure(events=max(erased.events, here), handoff=erased.handoff or there)

    async def recover(self) -> list[str]:
        """Take up the spill files an earlier process of this worker left; they are offered to the store from now on.

        Returns:
            The calls they are of.
        """
        found = await self._outage.spill.left_over()
        for spilled in found:
            if spilled.call_id in self._calls:
                continue
            kept = Kept(call_id=spilled.call_id, worker_id=spilled.worker_id, token=FencingToken(spilled.token))
            kept.local = FencingToken(-1)  # nobody in this process writes to it
            kept.first, kept.lines = spilled.base_seq, list(spilled.events)
            kept.saved, kept.handoff, kept.handoff_due = spilled.base_seq, spilled.handoff, spilled.handoff is not None
            kept.dirty = True
            self._calls[kept.call_id] = self._outage.calls[kept.call_id] = kept
        if found:
            self._outage.mend()
        return [spilled.call_id for spilled in found]

    async def reconciled(self, timeout_s: float) -> bool:
        """Wait until the store holds everything; False when it does not in time."""
        return await self._outage.reconciled(timeout_s)

    async def close(self) -> None:
        """Stop offering, keep the spill files of what was not taken, close the store; idempotent."""
        if self._closed:
            return
        self._closed = True
        await self._outage.close()
        try:
            await self._outage.bounded(self.store.close())
        except EnvironmentFault as error:
            self._outage.alarm("store_away", detail=type(error).__name__)

    # ---- inside

    def _is_whole(self, kept: Kept) -> None:
        if kept.handoff is not None:
            self._is_done(kept)
        elif kept.local < 0:
            self._forget(kept)

    def _forget(self, kept: Kept) -> None:
        if self._calls.get(kept.call_id) is kept:
            del self._calls[kept.call_id]

    def _is_done(self, kept: Kept) -> None:
        """The store holds the call and its hand-off: nothing needs to be known of it here but that."""
        self._forget(kept)
        self._done[kept.call_id] = None
        while len(self._done) > DONE_CALLS_MAX:
            del self._done[next(iter(self._done))]

    async def _names(self, names: Awaitable[list[str]]) -> set[str]:
        try:
            return set(await self._outage.bounded(names))
        except EnvironmentFault as error:
            self._outage.went_away(error)
            return set()
