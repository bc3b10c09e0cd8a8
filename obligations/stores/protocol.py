"""The seams: where a call's events are kept, and where its hand-off goes.

Owns the promises. Nothing here knows a database.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NewType, Protocol

from obligations.errors import IllegalStep
from obligations.handoff.models import Handoff
from obligations.ledger.events import Event
from obligations.stores.errors import StaleToken, StoreRolledBack

FencingToken = NewType("FencingToken", int)
"""Grows with every claim of a call; the newest owns it."""

EVENTS_PER_APPEND_MAX = 5_000
CALL_ID_CHARS_MAX = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreErasure:
    """What a store erased of one call.

    Parameters:
        events: Ledger events.
        handoff: Whether there was a hand-off.
    """

    events: int = 0
    handoff: bool = False


class LedgerStore(Protocol):
    """Keeps the events of calls, who owns each call, and its one hand-off.

    Promises:
        *Durable*: what `append`, `claim` and `finish` did survives the death of the process that asked for it, once
        they have returned. (`MemoryStore` keeps this only as long as its own process lives.)
        *Whole or not at all*: no call of a method leaves half its work behind, cancelled or not. After a cancellation
        or `StoreUnavailable` it is not known which of the two; `read` tells.
        *Owned by one*: of all claims of a call only the last may write.
        *In order*: events come back as they were appended, without gap.
        *Never dropped*: an unfinished call, or a hand-off not yet marked sent, stays until it is erased.

    Every method may raise `StoreUnavailable`; no error of a vendor's library leaves a store.
    """

    async def claim(self, call_id: str, worker_id: str) -> FencingToken:
        """Take a call over, new or not, from whoever had it.

        Args:
            call_id: 1 to `CALL_ID_CHARS_MAX` characters.
            worker_id: A name for the log; two workers may bear the same, each claim still ends the one before.

        Returns:
            A token above every earlier one of this call.

        Raises:
            CallClosed: It was erased. (A finished call can be claimed: it can only be read.)
        """
        ...

    async def append(self, call_id: str, events: Sequence[Event], expected_seq: int, *, token: FencingToken) -> None:
        """Add events; nothing happens for none.

        Args:
            call_id: The call.
            events: At most `EVENTS_PER_APPEND_MAX`, numbered from `expected_seq` on.
            expected_seq: How many events the store must hold already.
            token: From this worker's `claim`.

        Raises:
            Conflict: The store holds another number of events; nothing was written.
            StaleToken: The call was claimed since; nothing was written.
            StoreRolledBack: The store does not know a claim it had granted; nothing was written.
            CallClosed: The call was finished or erased; nothing was written.
            IllegalStep: The events are not numbered so, or are too many.
        """
        ...

    async def read(self, call_id: str) -> list[Event]:
        """Give every event of a call in order; [] for a call it does not know."""
        ...

    async def finish(self, call_id: str, handoff: Handoff, *, token: FencingToken) -> bool:
        """Keep the one hand-off of a call.

        Returns:
            True once in the life of a call: this hand-off was kept. False for every later one: the first stands.

        Raises:
            StaleToken: The call is not finished, and was claimed since.
            CallClosed: It was erased.
        """
        ...

    async def handoff(self, call_id: str) -> Handoff | None:
        """Give the hand-off of a finished call; None before."""
        ...

    async def add_part(self, call_id: str, part: Handoff) -> None:
        """Keep what a worker knows of a call it does not own, to be joined into the call's one hand-off.

        A finished call counts as unsent from now on. The same part twice is harmless. Any worker may add one.

        Raises:
            CallClosed: It was erased.
        """
        ...

    async def parts(self, call_id: str) -> list[Handoff]:
        """Give the parts that were not joined yet, in the order they came."""
        ...

    async def replace(self, call_id: str, handoff: Handoff, joined: int, *, token: FencingToken) -> None:
        """Put a joined hand-off in the place of a finished call's; it counts as unsent.

        Args:
            call_id: The call.
            handoff: With a higher version than the one it replaces.
            joined: How many parts, from the first on, it holds: they are let go.
            token: From this worker's `claim`, made after the call was finished.

        Raises:
            StaleToken: The call was claimed since; nothing was written.
            CallClosed: It was erased, or is not finished.
        """
        ...

    async def open_calls(self) -> list[str]:
        """Name the calls that were claimed and not finished, sorted."""
        ...

    async def unsent(self) -> list[str]:
        """Name the finished calls whose hand-off was not yet marked as sent, sorted."""
        ...

    async def mark_sent(self, call_id: str, version: int | None = None) -> None:
        """Note that the hand-off reached its receiver; from now on the store may let the call expire.

        Nothing is noted when another version stands by now, or a part waits to be joined. None: whatever version.
        """
        ...

    async def erase(self, call_id: str) -> StoreErasure:
        """Remove all that was kept of a call and refuse further writing to it; harmless for an unknown call."""
        ...

    async def close(self) -> None:
        """Release what the store holds; idempotent."""
        ...


class HandoffSink(Protocol):
    """Passes a hand-off on to another system.

    Promises: returns only when the receiver has confirmed it; bounded in time; sending one hand-off twice is harmless
    to a receiver that goes by its call id.
    """

    async def send(self, handoff: Handoff) -> None:
        """Pass it on.

        Raises:
            HandoffNotSent: It was not confirmed.
        """
        ...


def check_append(call_id: str, events: Sequence[Event], expected_seq: int) -> None:
    """Refuse events that cannot follow each other from `expected_seq` on.

    Raises:
        IllegalStep: They are not numbered so, or are too many, or the call has no usable name.
    """
    check_call_id(call_id)
    if len(events) > EVENTS_PER_APPEND_MAX:
        raise IllegalStep(f"{len(events)} events in one append; at most {EVENTS_PER_APPEND_MAX}")
    for place, event in enumerate(events, start=expected_seq):
        if event.seq != place:
            raise IllegalStep(f"event {event.seq} stands where {place} is due")


def check_call_id(call_id: str) -> None:
    """Refuse a name no store can keep.

    Raises:
        IllegalStep: It is empty or longer than `CALL_ID_CHARS_MAX`.
    """
    if not 0 < len(call_id) <= CALL_ID_CHARS_MAX:
        raise IllegalStep(f"a call id has 1 to {CALL_ID_CHARS_MAX} characters, this one {len(call_id)}")


def check_token(token: int, current: int) -> None:
    """Refuse a token that does not own the call.

    Raises:
        StaleToken: The call was claimed since, or `token` is none (below 1).
        StoreRolledBack: The store knows only older claims.
    """
    if token < max(1, current):
        raise StaleToken(token, current)
    if token > current:
        raise StoreRolledBack(f"the store knows claim {current}, not {token}")
