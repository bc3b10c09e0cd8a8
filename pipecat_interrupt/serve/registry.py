"""The calls of this process: who is promised, who talks, who is done; and events for whoever watches.

Owns the count that keeps the server within its bound, and the fan-out of events. Everything here runs on the event loop
and never waits: a slow watcher loses its oldest events and is told how many, a call never notices.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

from loguru import logger

from pipecat_interrupt.errors import EnvironmentProblem
from pipecat_interrupt.serve.config import Limits, Provider

if TYPE_CHECKING:
    from obligations.handoff import Handoff
    from pipecat_interrupt.journal import JournalEntry
    from pipecat_interrupt.kit import InterruptKit
    from pipecat_interrupt.summary import CallSummary


class CallPhase(StrEnum):
    """Where a call stands."""

    PROMISED = "promised"
    """The webhook was answered; the media stream has not come yet."""
    ACTIVE = "active"
    OVER = "over"


@dataclass(slots=True)
class PhoneCall:
    """One call of this process.

    Parameters:
        id: Ours, 32 hex digits; safe as a file name. Every record of the call carries it.
        provider: The carrier.
        carrier_id: The carrier's own id of the call; "" before it is known. Never a file name.
        again: A stream of this call closed under its caller before; another worker may have had it.
        promised_s: Monotonic time of the webhook.
        phase: Where it stands.
        began_at: Wall time, UTC, at which the media stream opened; None before.
        ended_at: Wall time, UTC, of its end; None before.
        reason: How it ended: "end", "hang_up", "lost", "failed", "drained", "too_long", "never_came"; "" before.
        kit: The call's parts while it is active, with `summary()` and `journal`; None before and after. Like the next
            two it holds the patient's words: show it to nobody without a right to them.
        summary: The finished call; None before its end, and for a call that had no parts.
        handoff: Its hand-off; None before its end, and without a pathway.
    """

    id: str
    provider: Provider
    carrier_id: str = ""
    again: bool = False
    promised_s: float = 0.0
    phase: CallPhase = CallPhase.PROMISED
    began_at: datetime | None = None
    ended_at: datetime | None = None
    reason: str = ""
    kit: InterruptKit | None = None
    summary: CallSummary | None = None
    handoff: Handoff | None = None


@dataclass(frozen=True, slots=True)
class CallEvent:
    """Something happened to a call.

    Parameters:
        kind: "promised", "began", "journal" (a new entry of the call's journal) or "over".
        call: The call.
        entry: The journal entry, for kind "journal": it may hold the patient's words.
    """

    kind: Literal["promised", "began", "journal", "over"]
    call: PhoneCall
    entry: JournalEntry | None = None


@dataclass(slots=True)
class Subscription:
    """A watcher's queue of events; iterate over it, and `close` it (or leave its `with` block) when done.

    `missed` counts the events that were dropped because the watcher was slow.
    """

    events_max: int
    _close: Callable[[Subscription], None]
    missed: int = 0
    closed: bool = False
    _waiting: deque[CallEvent] = field(default_factory=deque)
    _ready: asyncio.Event = field(default_factory=asyncio.Event)

    def __enter__(self) -> Subscription:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop watching; an iteration that waits ends."""
        self.closed = True
        self._ready.set()
        self._close(self)

    def put(self, event: CallEvent) -> None:
        """Queue an event, dropping the oldest when full."""
        if len(self._waiting) >= self.events_max:
            self._waiting.popleft()
            self.missed += 1
        self._waiting.append(event)
        self._ready.set()

    async def __aiter__(self) -> AsyncIterator[CallEvent]:
        while True:
            while self._waiting:
                yield self._waiting.popleft()
            if self.closed:
                return
            self._ready.clear()
            await self._ready.wait()


class CallRegistry:
    """All calls of this process, bounded.

    Args:
        limits: How many calls, watchers and remembered calls there may be.
        now_s: Monotonic clock.

    `on_unserved` is told each call that was answered and whose media stream never came, before it is over.
    """

    def __init__(self, limits: Limits | None = None, now_s: Callable[[], float] = time.monotonic) -> None:
        self.limits = limits or Limits()
        self.draining = False
        self.on_unserved: Callable[[PhoneCall], None] = lambda _: None
        self._now_s = now_s
        self._calls: dict[str, PhoneCall] = {}
        self._finished: OrderedDict[str, PhoneCall] = OrderedDict()
        self._watchers: list[Subscription] = []
        self._empty = asyncio.Event()
        self._empty.set()

    # ---- reading

    @property
    def calls(self) -> tuple[PhoneCall, ...]:
        """Promised and active calls, oldest first."""
        return tuple(self._calls.values())

    @property
    def finished(self) -> tuple[PhoneCall, ...]:
        """The last finished calls, oldest first, at most `limits.finished_kept`."""
        return tuple(self._finished.values())

    def get(self, call_id: str) -> PhoneCall | None:
        """Find a call, running or finished, by our id."""
        return self._calls.get(call_id) or self._finished.get(call_id)

    @property
    def full(self) -> bool:
        """Whether one more call would be one too many."""
        self.forget_broken_promises()
        return len(self._calls) >= self.limits.calls_max

    def subscribe(self) -> Subscription:
        """Watch the calls from now on.

        Raises:
            EnvironmentProblem: There are `limits.subscribers_max` watchers already.
        """
        if len(self._watchers) >= self.limits.subscribers_max:
            raise EnvironmentProblem(f"{self.limits.subscribers_max} watch the calls already; close one first")
        subscription = Subscription(self.limits.events_max, self._unsubscribe)
        self._watchers.append(subscription)
        return subscription

    async def wait_until_empty(self) -> None:
        """Wait until no call is promised or active."""
        while self._calls:
            self._empty.clear()
            try:
                async with asyncio.timeout(1.0):
                    await self._empty.wait()
            except TimeoutError:
                self.forget_broken_promises()

    # ---- the life of a call

    def promise(self, provider: Provider, carrier_id: str, call_id: str | None = None) -> PhoneCall | None:
        """Keep a place for a call whose webhook is being answered; None when the server is full or draining.

        A carrier that asks again for the same call (webhooks are retried) gets the same place.

        Args:
            provider: The carrier.
            carrier_id: Its name of the call.
            call_id: Our name of it, where another worker must find the same one; a random one when None.
        """
        self.forget_broken_promises()
        for call in self._calls.values():
            if carrier_id and call.carrier_id == carrier_id and call.phase is CallPhase.PROMISED:
                return call
        if self.draining or len(self._calls) >= self.limits.calls_max:
            return None
        call = PhoneCall(call_id or uuid.uuid4().hex, provider, carrier_id, promised_s=self._now_s())
        if call.id in self._calls:  # it is being talked on this very worker
            return None
        self._calls[call.id] = call
        self._tell(CallEvent("promised", call))
        return call

    def adopt(self, call_id: str, provider: Provider, carrier_id: str) -> None:
        """Keep a place for a call that another worker promised, as long as there is one; `begin` says whether."""
        known = call_id in self._calls or call_id in self._finished
        if known or self.draining or self.full:
            return
        self._calls[call_id] = call = PhoneCall(call_id, provider, carrier_id, promised_s=self._now_s())
        self._tell(CallEvent("promised", call))

    def begin(self, call_id: str) -> PhoneCall | None:
        """The media stream of a promised call has come; None when nobody was promised, or it came twice."""
        self.forget_broken_promises()
        call = self._calls.get(call_id)
        if call is None or call.phase is not CallPhase.PROMISED:
            return None
        call.phase, call.began_at = CallPhase.ACTIVE, datetime.now(UTC)
        self._tell(CallEvent("began", call))
        return call

    def attach(self, call: PhoneCall, kit: InterruptKit) -> None:
        """The call's parts are there: watchers get its journal from now on, and what is in it already."""
        call.kit = kit
        for entry in kit.memory.entries:
            self._tell(CallEvent("journal", call, entry))
        kit.journal.add_listener(lambda entry: self._tell(CallEvent("journal", call, entry)))

    def over(self, call: PhoneCall, reason: str) -> None:
        """The call is over; idempotent. Its parts are let go, so that a finished call costs its records only."""
        if self._calls.pop(call.id, None) is None:
            return
        call.phase, call.reason, call.ended_at = CallPhase.OVER, reason, datetime.now(UTC)
        kit, call.kit = call.kit, None
        if kit is not None:
            call.handoff = kit.handoff or call.handoff
            try:
                call.summary = kit.summary()
            except Exception as error:
                logger.error("the summary of a call could not be made: {}", type(error).__name__)
        self._finished[call.id] = call
        while len(self._finished) > self.limits.finished_kept:
            self._finished.popitem(last=False)
        self._tell(CallEvent("over", call))
        if not self._calls:
            self._empty.set()

    def forget_broken_promises(self) -> None:
        """Give back the places of calls whose media stream never came."""
        self._break_promises(self._now_s() - self.limits.promise_s)

    def break_promises(self) -> None:
        """No media stream can come any more: give back the places of all promised calls."""
        self._break_promises(float("inf"))

    def _break_promises(self, before_s: float) -> None:
        for call in list(self._calls.values()):
            if call.phase is CallPhase.PROMISED and call.promised_s < before_s:
                self.on_unserved(call)
                self.over(call, "never_came")

    def _tell(self, event: CallEvent) -> None:
        for watcher in tuple(self._watchers):
            try:
                watcher.put(event)
            except Exception as error:
                logger.error("a watcher of calls failed: {}", type(error).__name__)

    def _unsubscribe(self, subscription: Subscription) -> None:
        if subscription in self._watchers:
            self._watchers.remove(subscription)
