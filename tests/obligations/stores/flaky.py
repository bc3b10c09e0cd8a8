"""A store that fails on demand, over one in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from typing import Literal, TypeVar

from obligations import Event, Handoff
from obligations.stores import FencingToken, MemoryStore, StoreErasure, StoreUnavailable

_T = TypeVar("_T")
Mood = Literal["well", "down", "answers_lost", "hangs"]


class FlakyStore:
    """Well, down (nothing happens), answers lost (it happens, the answer does not come), or hanging for ever."""

    def __init__(self) -> None:
        self.inner = MemoryStore()
        self.mood: Mood = "well"
        self.asked = 0

    def forget_everything(self) -> None:
        """Restart from an empty disk."""
        self.inner = MemoryStore()

    async def _through(self, work: Awaitable[_T]) -> _T:
        self.asked += 1
        if self.mood == "down":
            work.close()  # type: ignore[attr-defined]  # a coroutine, never awaited
            raise StoreUnavailable("down")
        result = await work
        if self.mood == "hangs":
            await asyncio.Event().wait()
        if self.mood == "answers_lost":
            raise StoreUnavailable("the answer was lost")
        return result

    async def claim(self, call_id: str, worker_id: str) -> FencingToken:
        return await self._through(self.inner.claim(call_id, worker_id))

    async def append(self, call_id: str, events: Sequence[Event], expected_seq: int, *, token: FencingToken) -> None:
        await self._through(self.inner.append(call_id, events, expected_seq, token=token))

    async def read(self, call_id: str) -> list[Event]:
        return await self._through(self.inner.read(call_id))

    async def finish(self, call_id: str, handoff: Handoff, *, token: FencingToken) -> bool:
        return await self._through(self.inner.finish(call_id, handoff, token=token))

    async def handoff(self, call_id: str) -> Handoff | None:
        return await self._through(self.inner.handoff(call_id))

    async def add_part(self, call_id: str, part: Handoff) -> None:
        await self._through(self.inner.add_part(call_id, part))

    async def parts(self, call_id: str) -> list[Handoff]:
        return await self._through(self.inner.parts(call_id))

    async def replace(self, call_id: str, handoff: Handoff, joined: int, *, token: FencingToken) -> None:
        await self._through(self.inner.replace(call_id, handoff, joined, token=token))

    async def open_calls(self) -> list[str]:
        return await self._through(self.inner.open_calls())

    async def unsent(self) -> list[str]:
        return await self._through(self.inner.unsent())

    async def mark_sent(self, call_id: str, version: int | None = None) -> None:
        await self._through(self.inner.mark_sent(call_id, version))

    async def erase(self, call_id: str) -> StoreErasure:
        return await self._through(self.inner.erase(call_id))

    async def close(self) -> None:
        await self.inner.close()
