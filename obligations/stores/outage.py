"""An outage of a store: which calls it does not hold whole, and the task that mends that.

Owns the spill files, the alarms and the pauses between attempts. Knows nothing of who writes.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, Field

from obligations.errors import EnvironmentFault
from obligations.handoff.models import Handoff
from obligations.stores.alarms import Alarm, AlarmKind, StoreAlarm, raise_alarm
from obligations.stores.catch_up import Kept, catch_up
from obligations.stores.errors import CallClosed, Conflict, StaleToken, StoreUnavailable
from obligations.stores.protocol import LedgerStore
from obligations.stores.spill import Spill, handoff_line

_T = TypeVar("_T")

NO_CALL = ""  # no call has this name


class ResilienceConfig(BaseModel):
    """Settings of `ResilientStore`; our choices, bounded by the second a hand-off may take.

    Parameters:
        timeout_s: Longest wait for the store in a live call, seconds.
        retry_first_s: First pause before the store is tried again, seconds; doubled after each failure, jittered.
        retry_s_max: Longest such pause, seconds. Short, because another worker waits two seconds for a hand-off that is
            spilled here once the store is back.
        catch_up_s_max: Longest time one call's reconciliation may take, seconds.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    timeout_s: float = Field(default=0.3, gt=0.0, le=10.0)
    retry_first_s: float = Field(default=0.1, gt=0.0, le=10.0)
    retry_s_max: float = Field(default=1.0, gt=0.0, le=600.0)
    catch_up_s_max: float = Field(default=10.0, gt=0.0, le=600.0)


class Outage:
    """What one store is behind with.

    Promises: `keep_here` never raises; each call is offered to the store until it holds it whole, or refuses it.

    Args:
        store: The store.
        spill: Folder of the spill files.
        config: Time limits.
        alarm: Who is told.
        rng: Jitter.
        on_whole: Called when the store holds a call whole again.
        on_refused: Called when the store has the call from somebody else.
    """

    def __init__(
        self,
        store: LedgerStore,
        spill: Path,
        *,
        config: ResilienceConfig,
        alarm: Alarm,
        rng: random.Random,
        on_whole: Callable[[Kept], None],
        on_refused: Callable[[Kept], None],
    ) -> None:
        self.store, self.config = store, config
        self.spill = Spill(spill)
        self.calls: dict[str, Kept] = {}
        self.sent: dict[str, int | None] = {}
        self._alarm_to, self._rng = alarm, rng
        self._on_whole, self._on_refused = on_whole, on_refused
        self._task: asyncio.Task[None] | None = None
        self._announced = self._closed = False

    @property
    def behind(self) -> bool:
        """Something is kept here that the store does not hold yet."""
        return bool(self.calls or self.sent)

    async def bounded(self, work: Awaitable[_T]) -> _T:
        """Wait for the store, for so long and no longer.

        Raises:
            StoreUnavailable: It did not answer in time.
        """
        try:
            async with asyncio.timeout(self.config.timeout_s):
                return await work
        except TimeoutError:
            raise StoreUnavailable("no answer in time") from None

    def went_away(self, error: Exception) -> None:
        """The store failed: say so once an outage, and look after it until it is back."""
        if not self._announced:
            self._announced = True
            self.alarm("store_away", detail=type(error).__name__)
        self.mend()

    def alarm(self, kind: AlarmKind, call_id: str = "", detail: str = "") -> None:
        """Tell whoever listens."""
        raise_alarm(self._alarm_to, StoreAlarm(kind=kind, call_id=call_id, detail=detail))

    async def keep_here(self, kept: Kept) -> None:
        """From now on this call goes to its spill file, until the store holds it whole again."""
        kept.dirty = True
        self.calls[kept.call_id] = kept
        begin = kept.saved - (kept.first or 0)
        head = self.spill.head(kept.call_id, kept.worker_id, kept.token, kept.saved)
        lines = [head, *kept.lines[begin:]]
        if kept.handoff_due and kept.handoff is not None:
            lines.append(handoff_line(kept.handoff))
        await self.to_spill(kept, lines, fresh=True)
        self.mend()  # again: the task may have ended while the file was written

    async def to_spill(self, kept: Kept, lines: Sequence[str], *, fresh: bool = False) -> None:
        """Write lines to a call's file; a disk that fails or hangs too is an alarm, and the call stays in memory."""
        try:
            async with asyncio.timeout(self.config.timeout_s):  # the write itself goes on, in its order
                await self.spill.write(kept.call_id, lines, fresh=fresh)
        except OSError as error:  # a TimeoutError is one
            self.alarm("spill_failed", kept.call_id, type(error).__name__)

    def mend(self) -> None:
        """See that the task runs that offers everything again."""
        task = self._task
        if not self._closed and (task is None or task.done()):
            self._task = asyncio.get_running_loop().create_task(self._reconcile(), name="ledger-reconcile")

    async def _reconcile(self) -> None:
        pause_s = self.config.retry_first_s
        while True:
            try:
                await self.bounded(self.store.read(NO_CALL))  # does it answer at all?
                for kept in list(self.calls.values()):
                    await self._reconcile_call(kept)
                for call_id, version in list(self.sent.items()):
                    if call_id not in self.calls:
                        await self.bounded(self.store.mark_sent(call_id, version))
                        self.sent.pop(call_id, None)
                pause_s = self.config.retry_first_s
                if not self.behind:
                    break
            except EnvironmentFault:
                await asyncio.sleep(pause_s * self._rng.uniform(0.5, 1.0))
                pause_s = min(2 * pause_s, self.config.retry_s_max)
        self._announced = False
        self.alarm("store_back")

    async def _reconcile_call(self, kept: Kept) -> None:
        if kept.only_part:
            await self._add_part(kept)
            if self.calls.get(kept.call_id) is kept:
                del self.calls[kept.call_id]
                self._on_refused(kept)
            await self._remove_spill(kept)
            return
        try:
            async with asyncio.timeout(self.config.catch_up_s_max):
                first = await catch_up(self.store, kept)
        except TimeoutError:
            raise StoreUnavailable("no answer in time") from None
        except (Conflict, StaleToken, CallClosed) as error:
            kind: AlarmKind = "diverged" if isinstance(error, Conflict) else "taken_over"
            await self._add_part(kept)
            await self._give_up(kept, kind, type(error).__name__)
            return
        except EnvironmentFault:
            raise
        except Exception as error:  # ours: one call's trouble must not keep the others out of the store
            await self._give_up(kept, "store_refused", type(error).__name__)
            return
        if not first:
            self.alarm("second_handoff", kept.call_id)
        if self.calls.get(kept.call_id) is not kept or not kept.complete:
            return  # claimed anew, erased, or more came meanwhile: the next round takes it
        kept.dirty = False
        del self.calls[kept.call_id]
        self._on_whole(kept)
        await self._remove_spill(kept)

    async def _add_part(self, kept: Kept) -> None:
        """The store has the call from somebody else: what our hand-off of it says is joined into the one it gives.

        Raises:
            StoreUnavailable: The store does not answer; try again.
        """
        if not kept.handoff_due or kept.handoff is None:
            return
        try:
            await self.bounded(self.store.add_part(kept.call_id, Handoff.model_validate_json(kept.handoff)))
        except CallClosed:
            pass  # erased: nothing of it is to be kept

    async def _remove_spill(self, kept: Kept) -> None:
        try:
            await self.spill.remove(kept.call_id)
        except OSError as error:
            self.alarm("spill_failed", kept.call_id, type(error).__name__)

    async def _give_up(self, kept: Kept, kind: AlarmKind, detail: str) -> None:
        """Stop writing to this call and keep what was kept here for a person; nothing where it was claimed anew."""
        if self.calls.get(kept.call_id) is not kept:
            return
        del self.calls[kept.call_id]
        self._on_refused(kept)
        try:
            await self.spill.set_aside(kept.call_id)
        except OSError as error:
            self.alarm("spill_failed", kept.call_id, type(error).__name__)
        self.alarm(kind, kept.call_id, detail)

    async def reconciled(self, timeout_s: float) -> bool:
        """Wait until the store holds everything; False when it does not in time."""
        if self._task is not None:
            await asyncio.wait({self._task}, timeout=timeout_s)
        return not self.behind

    async def close(self) -> None:
        """Stop offering; the spill files of what was not taken stay."""
        self._closed = True
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task}, timeout=self.config.timeout_s)
        self.spill.close()
