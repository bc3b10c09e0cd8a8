"""A worker process with a whole pipeline: holds a kept call on a real store until it is killed.

Run as ``python -m tests.pipecat_interrupt.kit.kept_worker sqlite PATH|redis URL CALL_ID AT_S``. Plays the demo's call
in virtual time; at a call time it prints how many events its ledger and the store hold, and stands still for good.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from collections.abc import Awaitable, Sequence
from typing import Any, TypeVar

from loguru import logger

from obligations import Event, Handoff
from obligations.stores import FencingToken, LedgerStore, StoreErasure
from pipecat_interrupt.kit import InterruptKit, keep_call
from pipecat_interrupt.testing.call import CallParts
from pipecat_interrupt.testing.virtual_time import VirtualLoop
from tests.obligations.stores.worker import open_store
from tests.pipecat_interrupt.kit.calls import scripted_demo

T = TypeVar("T")


class OutsideStore:
    """A store whose server is real: virtual time stands still while it answers."""

    def __init__(self, store: LedgerStore) -> None:
        self.store = store

    async def _outside(self, work: Awaitable[T]) -> T:
        loop: Any = asyncio.get_running_loop()
        with loop.external() if isinstance(loop, VirtualLoop) else contextlib.nullcontext():
            return await work

    async def claim(self, call_id: str, worker_id: str) -> FencingToken:
        return await self._outside(self.store.claim(call_id, worker_id))

    async def append(self, call_id: str, events: Sequence[Event], expected_seq: int, *, token: FencingToken) -> None:
        await self._outside(self.store.append(call_id, events, expected_seq, token=token))

    async def read(self, call_id: str) -> list[Event]:
        return await self._outside(self.store.read(call_id))

    async def finish(self, call_id: str, handoff: Handoff, *, token: FencingToken) -> bool:
        return await self._outside(self.store.finish(call_id, handoff, token=token))

    async def handoff(self, call_id: str) -> Handoff | None:
        return await self._outside(self.store.handoff(call_id))

    async def add_part(self, call_id: str, part: Handoff) -> None:
        await self._outside(self.store.add_part(call_id, part))

    async def parts(self, call_id: str) -> list[Handoff]:
        return await self._outside(self.store.parts(call_id))

    async def replace(self, call_id: str, handoff: Handoff, joined: int, *, token: FencingToken) -> None:
        await self._outside(self.store.replace(call_id, handoff, joined, token=token))

    async def open_calls(self) -> list[str]:
        return await self._outside(self.store.open_calls())

    async def unsent(self) -> list[str]:
        return await self._outside(self.store.unsent())

    async def mark_sent(self, call_id: str, version: int | None = None) -> None:
        await self._outside(self.store.mark_sent(call_id, version))

    async def erase(self, call_id: str) -> StoreErasure:
        return await self._outside(self.store.erase(call_id))

    async def close(self) -> None:
        await self._outside(self.store.close())


def main(kind: str, where: str, call_id: str, at_s: float) -> None:
    async def open_kit() -> InterruptKit:
        store = OutsideStore(open_store(kind, where))
        return InterruptKit(await keep_call(store, "cataract-followup", call_id=call_id, worker_id="first"))

    async def stand_still(parts: CallParts, kit: InterruptKit) -> None:
        assert kit.kept is not None
        known = kit.kept.tracker.ledger.next_seq
        sys.stdout.write(f"in mid-sentence {known} {known - kit.kept.call.unsaved}\n")
        sys.stdout.flush()
        signal.pause()

    logger.remove()
    scripted_demo(open_kit=open_kit, at=[(at_s, stand_still)], vad="text")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], float(sys.argv[4]))
