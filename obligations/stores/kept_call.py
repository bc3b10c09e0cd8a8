"""A call that keeps itself: one tracker, its store, its hand-off.

Owns when the ledger is written (at once, one append at a time, whatever happened meanwhile in the next) and the end of
a call. Nothing here raises into a live call: what fails is an alarm, and the ledger stays the truth.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Self

from obligations.answers.protocol import AnswerReader
from obligations.errors import EnvironmentFault, ObligationsError
from obligations.handoff.models import Handoff
from obligations.ledger.events import Event
from obligations.pathway.models import Pathway
from obligations.steering.policy import SteeringPolicy
from obligations.stores.alarms import Alarm, AlarmKind, StoreAlarm, log_alarm, raise_alarm
from obligations.stores.errors import CallClosed, Conflict, HandoffNotSent, StaleToken
from obligations.stores.joining import joined
from obligations.stores.protocol import FencingToken, HandoffSink, LedgerStore
from obligations.stores.resilient import ResilientStore
from obligations.tracker.facts import Delivery
from obligations.tracker.tracker import Tracker

OPEN_S_MAX = 3.0
"""Longest wait for a store before a live call begins without its answer."""
SAVE_S_MAX = 5.0
"""Longest wait for one append to a store that keeps no time limit of its own; the next change tries again."""
FINISH_S_MAX = 0.8
"""The hand-off is due within a second of the end; what is left of it is for the sinks' first attempt."""
CONFLICTS_MAX = 3


class KeptCall:
    """One call whose ledger outlives its worker.

    Promises: `changed` is synchronous and never raises; at most one append is under way, so a slow store means larger
    appends, not a queue; after another worker has claimed the call nothing more is written and no hand-off is sent.

    Parameters:
        tracker: The call; drive it as ever and say `changed` afterwards.
        resumed_at_s: Time of the last event another worker wrote, on the call's clock; 0.0 for a new call. The clock
            of a resumed call must go on from here.
        resumed: Another worker began this call: what it had delivered is not said again.
        resumed_events: How many of the call's events the store held when it was opened.
        blind: It was begun without the store's answer, so an earlier part of it may stand there. At the end the two are
            joined into the call's one hand-off; while the store is still away this part's is given, and replaced later.
    """

    def __init__(
        self,
        store: LedgerStore,
        tracker: Tracker,
        *,
        token: FencingToken,
        saved_seq: int = 0,
        worker_id: str = "",
        blind: bool = False,
        alarm: Alarm = log_alarm,
    ) -> None:
        """Keep a tracker; `open` is the usual way.

        Args:
            store: Where to.
            tracker: The call.
            token: From the store's `claim`; 0 when it could not be asked: it is claimed before the first write.
            saved_seq: How many of its events the store holds.
            worker_id: For that claim.
            blind: See above.
            alarm: Told what goes wrong.
        """
        self.tracker = tracker
        self.blind = blind
        self.resumed, self.resumed_events = saved_seq > 0, saved_seq
        self._worker_id = worker_id
        self.resumed_at_s = tracker.events[saved_seq - 1].at_s if saved_seq else 0.0
        self._store, self._token, self._saved = store, token, saved_seq
        self._alarm_to = alarm
        self._lost = self._diverged = False
        self._task: asyncio.Task[None] | None = None
        self._closing: asyncio.Task[tuple[Handoff, bool]] | None = None
        self._granted = 0
        self._earlier: Callable[[], Awaitable[KeptCall]] | None = None
        self._done: tuple[Handoff, bool] | None = None

    @classmethod
    async def open(
        cls,
        store: LedgerStore,
        pathway: Pathway,
        *,
        call_id: str,
        worker_id: str,
        reader: AnswerReader,
        language: str | None = None,
        policy: SteeringPolicy | None = None,
        licences: Iterable[str] = (),
        alarm: Alarm = log_alarm,
        blind: bool = False,
    ) -> Self:
        """Begin a call, or go on with it where another worker left it.

        An utterance that worker had begun and not reported counts as unheard: nobody can say how much of it was.

        Args:
            store: Where the call is kept.
            pathway: What it must cover.
            call_id: Its name.
            worker_id: This worker's name, for the log.
            reader: Reads replies.
            language: As for `Tracker`; a call that goes on keeps its own.
            policy: As for `Tracker`.
            licences: As for `Tracker`.
            alarm: Told what goes wrong.
            blind: A caller is on the line and cannot wait: when the store does not answer within `OPEN_S_MAX`, begin
                the call as new and raise an alarm, instead of raising.

        Raises:
            ReplayMismatch: The call was begun with another pathway or version.
            CallClosed: It was erased.
            StoreUnavailable: The store cannot be asked, and `blind` is False.
        """
        token, events, unasked = await _take(store, call_id, worker_id, alarm if blind else None)
        if events:
            tracker = Tracker.resume(pathway, events, reader=reader, policy=policy, licences=licences)
        else:
            tracker = Tracker(
                pathway, call_id=call_id, reader=reader, language=language, policy=policy, licences=licences
            )
        call = cls(store, tracker, token=token, saved_seq=len(events), worker_id=worker_id, blind=unasked, alarm=alarm)
        if unasked:
            call._earlier = partial(
                cls.open, store, pathway, call_id=call_id, worker_id=worker_id, reader=reader, alarm=alarm
            )
        for utterance_id in tuple(tracker.ledger.call.in_flight):
            lost = Delivery(utterance_id=utterance_id, delivered_chars=0, complete=False, exactness="estimated")
            tracker.delivered(lost, call.resumed_at_s)
        call.changed()
        return call

    @property
    def lost(self) -> bool:
        """Another worker has the call now."""
        return self._lost

    @property
    def unsaved(self) -> int:
        """Events the store (or its spill) does not hold yet."""
        return self.tracker.ledger.next_seq - self._saved

    def changed(self) -> None:
        """Write what is new, soon and in the background; needs a running event loop."""
        if self._lost or self._diverged or self._done is not None:
            return
        if self.unsaved and (self._task is None or self._task.done()):
            self._task = asyncio.get_running_loop().create_task(self._save(), name="ledger-save")

    async def flush(self) -> bool:
        """Wait until all that is known now was offered to the store; False when it was not taken."""
        for task in (self._task, self._closing):
            if task is not None and not task.done():
                await asyncio.wait({task})
        if self.unsaved:
            await self._save()
        return not self.unsaved

    async def finish(self, end_reason: str, now_s: float, sinks: Iterable[HandoffSink] = ()) -> tuple[Handoff, bool]:
        """End the call: one hand-off, kept and passed on, whatever ended it.

        Args:
            end_reason: As for `Tracker.handoff`.
            now_s: The call's clock.
            sinks: Who gets the hand-off, if this worker is the one to give it.

        Returns:
            The hand-off, and whether it is this worker's to give. A store that cannot be asked counts as yes: receivers
            keep one hand-off a call and go by its version.

        Promises: bounded by `FINISH_S_MAX` before the sinks are asked; a second time gives the first result.
        """
        if self._done is not None:
            return self._done
        handoff, ours = self._done = await self._finish(self.tracker.handoff(end_reason, now_s))
        if ours:
            await self._send(handoff, tuple(sinks))
        else:
            self._alarm("handoff_withheld", f"{self.unsaved} events are with this worker only")
        return self._done

    async def _finish(self, handoff: Handoff) -> tuple[Handoff, bool]:
        """Ask the store in a task of its own: when it is slow, the answer is not waited for and still comes about."""
        self._closing = asyncio.get_running_loop().create_task(self._close(handoff), name="ledger-finish")
        await asyncio.wait({self._closing}, timeout=FINISH_S_MAX)
        if self._closing.done():
            return self._closing.result()
        self._alarm("store_refused", "no answer in time")
        return self._versioned(handoff), True

    async def _close(self, handoff: Handoff) -> tuple[Handoff, bool]:
        try:
            if self._task is not None and not self._task.done():
                await asyncio.wait({self._task})
            await self._save()
            ours = self._versioned(handoff)
            if not (self._lost or (self.blind and self._diverged)):
                try:
                    if await self._store.finish(handoff.call_id, ours, token=self._token):
                        return await joined(self._store, handoff.call_id, self._worker_id, ours) or ours, True
                except (StaleToken, CallClosed) as error:
                    self._lose(error)
            return await self._join_earlier(ours) if self.blind else (ours, False)
        except CallClosed as error:  # erased meanwhile
            self._lose(error)
            return handoff, False
        except Exception as error:
            self._alarm("store_refused", type(error).__name__)
            return self._versioned(handoff), True

    async def _join_earlier(self, ours: Handoff) -> tuple[Handoff, bool]:
        """Finish a call whose earlier part stands in the store, with what this part knows joined in."""
        await self._store.add_part(ours.call_id, ours)
        if self._earlier is not None and await self._store.handoff(ours.call_id) is None:
            earlier = await self._earlier()
            await earlier.finish(ours.end_reason, earlier.resumed_at_s)
        return await joined(self._store, ours.call_id, self._worker_id) or ours, True

    def _versioned(self, handoff: Handoff) -> Handoff:
        """Every later claim has a higher token; without one of the store's own, the call is below whatever it holds."""
        if isinstance(self._store, ResilientStore):
            self._granted = max(self._granted, self._store.granted(handoff.call_id))
        else:
            self._granted = self._token
        return handoff.model_copy(update={"version": 0 if self.blind else self._granted})

    async def _send(self, handoff: Handoff, sinks: tuple[HandoffSink, ...]) -> None:
        if sinks and await send_all(handoff, sinks, alarm=self._alarm_to):
            try:
                await self._store.mark_sent(handoff.call_id, handoff.version)
            except ObligationsError as error:
                self._alarm("store_refused", type(error).__name__)

    async def _save(self) -> None:
        ledger = self.tracker.ledger
        conflicts = 0
        while not self._lost and not self._diverged and self._saved < ledger.next_seq:
            upto = ledger.next_seq
            events = ledger.events_since(self._saved)
            try:
                async with asyncio.timeout(SAVE_S_MAX):
                    if self._token < 1:
                        self._token = await self._store.claim(ledger.call.call_id, self._worker_id)
                    await self._store.append(ledger.call.call_id, events, self._saved, token=self._token)
                self._saved = upto
            except Conflict as error:
                conflicts += 1
                agrees = await self._agrees() if conflicts <= CONFLICTS_MAX else False
                if agrees is None:
                    return
                if not agrees:
                    self._diverged = True
                    self._alarm("diverged", type(error).__name__)
            except (StaleToken, CallClosed) as error:
                self._lose(error)
            except Exception as error:  # the next change tries again, with all that is new by then
                self._alarm("store_refused", type(error).__name__)
                return

    async def _agrees(self) -> bool | None:
        """Say whether the store holds a part of this very call, as after an answer that was lost; then go on there.

        None: it cannot be asked now.
        """
        try:
            stored = await self._store.read(self.tracker.ledger.call.call_id)
        except Exception as error:
            self._alarm("store_refused", type(error).__name__)
            return None
        if tuple(stored) != self.tracker.events[: len(stored)]:
            return False
        self._saved = len(stored)
        return True

    def _lose(self, error: Exception) -> None:
        self._lost = True
        self._alarm("taken_over", type(error).__name__)

    def _alarm(self, kind: AlarmKind, detail: str) -> None:
        raise_alarm(self._alarm_to, StoreAlarm(kind=kind, call_id=self.tracker.ledger.call.call_id, detail=detail))


async def _take(
    store: LedgerStore, call_id: str, worker_id: str, blind: Alarm | None
) -> tuple[FencingToken, list[Event], bool]:
    """Claim and read; with an alarm to tell, a store that does not answer leaves the call as if it were new."""
    token = FencingToken(0)
    try:
        async with asyncio.timeout(None if blind is None else OPEN_S_MAX):
            token = await store.claim(call_id, worker_id)
            return token, await store.read(call_id), False
    except (EnvironmentFault, TimeoutError) as error:
        if blind is None:
            raise
        raise_alarm(blind, StoreAlarm(kind="begun_blind", call_id=call_id, detail=type(error).__name__))
        return token, [], True


async def send_all(handoff: Handoff, sinks: Iterable[HandoffSink], *, alarm: Alarm = log_alarm) -> bool:
    """Offer a hand-off to every sink; False when one did not take it. Never raises."""
    taken = True
    for sink in sinks:
        try:
            await sink.send(handoff)
        except Exception as error:
            taken = False
            detail = "refused" if isinstance(error, HandoffNotSent) and error.refused else type(error).__name__
            raise_alarm(alarm, StoreAlarm(kind="handoff_not_sent", call_id=handoff.call_id, detail=detail))
    return taken


async def send_unsent(store: LedgerStore, sinks: Iterable[HandoffSink], *, alarm: Alarm = log_alarm) -> list[str]:
    """Pass on every hand-off that was kept and not sent: after a worker died between the two, or a sink was away.

    Parts of a call that wait are joined first, so that what is passed on holds all that is known.

    Returns:
        The calls that were passed on now.

    Raises:
        StoreUnavailable: The store cannot be asked.
    """
    targets = tuple(sinks)
    sent: list[str] = []
    for call_id in await store.unsent():
        try:
            handoff = await joined(store, call_id, "send-unsent")
        except (StaleToken, CallClosed):  # erased, or others are at it: the next time
            continue
        if handoff is not None and await send_all(handoff, targets, alarm=alarm):
            await store.mark_sent(call_id, handoff.version)
            sent.append(call_id)
    return sent


async def finish_lost(
    store: LedgerStore,
    pathway: Pathway,
    call_id: str,
    *,
    worker_id: str,
    reader: AnswerReader,
    sinks: Iterable[HandoffSink] = (),
    alarm: Alarm = log_alarm,
) -> tuple[Handoff, bool]:
    """Write the hand-off of a call whose worker died and whose line is gone ("crash").

    Raises:
        ReplayMismatch: The call was begun with another pathway or version.
        StoreUnavailable: The store cannot be asked.
    """
    call = await KeptCall.open(store, pathway, call_id=call_id, worker_id=worker_id, reader=reader, alarm=alarm)
    return await call.finish("crash", call.resumed_at_s, sinks)
