"""Joining the parts of a call that wait in a store into its one hand-off.

Owns the order: claimed first, read then, so that of two who join at once one is refused and begins anew.
"""

from __future__ import annotations

from obligations.handoff.join import join
from obligations.handoff.models import Handoff
from obligations.stores.errors import StaleToken
from obligations.stores.protocol import LedgerStore

JOINS_MAX = 5


async def joined(store: LedgerStore, call_id: str, worker_id: str, standing: Handoff | None = None) -> Handoff | None:
    """Give the hand-off of a finished call with every part that waits joined into it; None before it is finished.

    Args:
        store: Where it is kept.
        call_id: The call.
        worker_id: For the log of claims.
        standing: The hand-off this worker has just kept, so that it need not be read again.

    Promises: the hand-off that stands in the store is the one returned; its version rises when its content changed.

    Raises:
        StoreUnavailable: The store cannot be asked.
        StaleToken: Somebody else claimed the call every time; `send_unsent` joins what waits.
        CallClosed: It was erased.
    """
    for attempt in range(JOINS_MAX):
        if not await store.parts(call_id):
            return standing or await store.handoff(call_id)
        if await store.handoff(call_id) is None:
            return None
        token = await store.claim(call_id, worker_id)
        standing, parts = await store.handoff(call_id), await store.parts(call_id)
        if standing is None or not parts:  # somebody else joined them
            return standing
        whole = join(standing, parts)
        if whole != standing:
            whole = whole.model_copy(update={"version": max(token, standing.version + 1)})
        try:
            await store.replace(call_id, whole, len(parts), token=token)
        except StaleToken:
            if attempt + 1 == JOINS_MAX:
                raise
        else:
            return whole
    return None
