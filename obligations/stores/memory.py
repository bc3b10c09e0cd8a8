"""A store in this process's memory: the reference for the others, and enough where a crash may lose the call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from obligations.handoff.models import Handoff
from obligations.ledger.events import Event, from_json, to_json
from obligations.stores.errors import CallClosed, Conflict
from obligations.stores.protocol import FencingToken, StoreErasure, check_append, check_call_id, check_token


@dataclass(slots=True)
class _Call:
    token: int = 0
    events: list[str] = field(default_factory=list[str])
    handoff: str | None = None
    version: int = 0
    parts: list[str] = field(default_factory=list[str])
    sent: bool = False
    erased: bool = False


class MemoryStore:
    """A `LedgerStore` that lives and dies with its process."""

    def __init__(self) -> None:
        self._calls: dict[str, _Call] = {}

    async def claim(self, call_id: str, worker_id: str) -> FencingToken:
        """Take a call over."""
        check_call_id(call_id)
        call = self._calls.setdefault(call_id, _Call())
        if call.erased:
            raise CallClosed("erased")
        call.token += 1
        return FencingToken(call.token)

    async def append(self, call_id: str, events: Sequence[Event], expected_seq: int, *, token: FencingToken) -> None:
        """Add events."""
        check_append(call_id, events, expected_seq)
        call = self._owned(call_id, token)
        if call.handoff is not None:
            raise CallClosed("finished")
        if len(call.events) != expected_seq:
            raise Conflict(expected_seq, len(call.events))
        call.events.extend([to_json(event) for event in events])

    async def read(self, call_id: str) -> list[Event]:
        """Give every event in order."""
        return [from_json(line) for line in self._calls.get(call_id, _Call()).events]

    async def finish(self, call_id: str, handoff: Handoff, *, token: FencingToken) -> bool:
        """Keep the one hand-off."""
        call = self._calls.get(call_id, _Call())
        if call.handoff is not None and not call.erased:
            return False
        call = self._owned(call_id, token)
        call.handoff, call.version = handoff.model_dump_json(), handoff.version
        return True

    async def handoff(self, call_id: str) -> Handoff | None:
        """Give the hand-off of a finished call."""
        text = self._calls.get(call_id, _Call()).handoff
        return Handoff.model_validate_json(text) if text is not None else None

    async def add_part(self, call_id: str, part: Handoff) -> None:
        """Keep a part until it is joined."""
        check_call_id(call_id)
        call = self._calls.setdefault(call_id, _Call())
        if call.erased:
            raise CallClosed("erased")
        text = part.model_dump_json()
        if text not in call.parts:
            call.parts.append(text)
        call.sent = False

    async def parts(self, call_id: str) -> list[Handoff]:
        """Give the parts that wait."""
        return [Handoff.model_validate_json(text) for text in self._calls.get(call_id, _Call()).parts]

    async def replace(self, call_id: str, handoff: Handoff, joined: int, *, token: FencingToken) -> None:
        """Put a joined hand-off in the place of the one that stands."""
        call = self._owned(call_id, token)
        if call.handoff is None:
            raise CallClosed("not finished")
        call.handoff, call.version, call.sent = handoff.model_dump_json(), handoff.version, False
        del call.parts[:joined]

    async def open_calls(self) -> list[str]:
        """Name the calls that are not finished."""
        return sorted(c for c, call in self._calls.items() if call.handoff is None and not call.erased)

    async def unsent(self) -> list[str]:
        """Name the finished calls whose hand-off was not sent."""
        return sorted(c for c, call in self._calls.items() if call.handoff is not None and not call.sent)

    async def mark_sent(self, call_id: str, version: int | None = None) -> None:
        """Note that the hand-off reached its receiver."""
        call = self._calls.get(call_id)
        if call is None or call.handoff is None or call.parts:
            return
        if version in (None, call.version):
            call.sent = True

    async def erase(self, call_id: str) -> StoreErasure:
        """Remove all that was kept of a call."""
        call = self._calls.get(call_id)
        if call is None:
            return StoreErasure()
        self._calls[call_id] = _Call(token=call.token, erased=True)
        return StoreErasure(events=len(call.events), handoff=call.handoff is not None)

    async def close(self) -> None:
        """Nothing to release."""

    def _owned(self, call_id: str, token: FencingToken) -> _Call:
        call = self._calls.get(call_id, _Call())
        if call.erased:
            raise CallClosed("erased")
        check_token(token, call.token)
        return call
