"""A telephone carrier inside the process: buffers, plays, sends marks back, obeys clears, loses what one tells it to.

Owns the shipped fake of the far end, in Twilio's protocol, for tests and the delivery evaluation. It runs on the loop's
time, so it is virtual on a virtual loop, and it keeps the one truth nobody else has: the samples it has played.
"""

from __future__ import annotations

import asyncio
import base64
import json
import random
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from starlette.websockets import WebSocketState


@dataclass(slots=True)
class Epoch:
    """What was played between two clears.

    Parameters:
        played: mu-law samples that reached the ear.
        cleared_at_s: Loop time at which the clear took effect; None for the last one.
    """

    played: bytearray = field(default_factory=bytearray)
    cleared_at_s: float | None = None


class LoopbackCarrier:
    """The far end of a media stream; `socket` goes where Pipecat's `FastAPIWebsocketTransport` takes a WebSocket.

    Args:
        jitter_s: Every message takes a random 0 to `jitter_s` either way, in order, seconds.
        buffer_s: How much the far end buffers before it plays after a silence, seconds.
        lost_marks: Share of marks that never come back, in [0, 1].
        rate_hz: Sample rate of the line.
        seed: Seed of delays and losses.
    """

    def __init__(
        self,
        *,
        jitter_s: float = 0.0,
        buffer_s: float = 0.0,
        lost_marks: float = 0.0,
        rate_hz: int = 8000,
        seed: int = 0,
    ) -> None:
        self.epochs: list[Epoch] = [Epoch()]
        self.marks_back_late = 0
        self.socket = LoopbackSocket(self)
        self._random = random.Random(seed)
        self._jitter_s = jitter_s
        self._buffer_s = buffer_s
        self._lost_marks = lost_marks
        self._rate_hz = rate_hz
        self._queue: deque[tuple[str, Any]] = deque()
        self._item: bytes | None = None
        self._item_since_s = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._down: deque[dict[str, Any]] = deque()  # timers of one moment fire in no fixed order, the line keeps it
        self._up: deque[dict[str, Any]] = deque()
        self._down_s = self._up_s = 0.0
        self._inbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    @property
    def playing(self) -> bool:
        """Whether something is being played."""
        return self._item is not None

    def hang_up(self) -> None:
        """Drop the line at once."""
        if self._timer is not None:
            self._timer.cancel()
        self._take_partial()
        self._queue.clear()
        self._inbox.put_nowait({"type": "websocket.disconnect"})

    # -- messages --------------------------------------------------------------------------------------------------

    def take(self, text: str) -> None:
        """A message left the bot; it arrives after its delay, in order."""
        loop = asyncio.get_running_loop()
        self._down_s = max(self._down_s, loop.time() + self._random.uniform(0.0, self._jitter_s))
        self._down.append(json.loads(text))
        loop.call_at(self._down_s, self._arrive)

    async def give(self) -> dict[str, Any]:
        """Wait for the next message to the bot."""
        return await self._inbox.get()

    def _arrive(self) -> None:
        message = self._down.popleft()
        event = message.get("event")
        if event == "media":
            self._queue.append(("media", base64.b64decode(message["media"]["payload"])))
        elif event == "mark":
            self._queue.append(("mark", message["mark"]["name"]))
        elif event == "clear":
            self._clear()
            return
        if self._item is None and self._timer is None:
            loop = asyncio.get_running_loop()
            delay_s = self._buffer_s if event == "media" else 0.0
            self._timer = loop.call_later(delay_s, self._next)

    def _next(self) -> None:
        """Finish what was played and begin the next item."""
        self._timer = None
        if self._item is not None:
            self.epochs[-1].played.extend(self._item)
            self._item = None
        loop = asyncio.get_running_loop()
        while self._queue:
            kind, value = self._queue.popleft()
            if kind == "mark":
                self._send_back(value)
                continue
            self._item, self._item_since_s = value, loop.time()
            self._timer = loop.call_later(len(value) / self._rate_hz, self._next)
            return

    def _clear(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._take_partial()
        self.epochs[-1].cleared_at_s = asyncio.get_running_loop().time()
        self.epochs.append(Epoch())
        waiting = [value for kind, value in self._queue if kind == "mark"]
        self._queue.clear()
        for name in waiting:  # as carriers do: all waiting marks at once, though their audio was thrown away
            self.marks_back_late += 1
            self._send_back(name)

    def _take_partial(self) -> None:
        if self._item is None:
            return
        played = round((asyncio.get_running_loop().time() - self._item_since_s) * self._rate_hz)
        self.epochs[-1].played.extend(self._item[: max(0, played)])
        self._item = None

    def _send_back(self, name: str) -> None:
        if self._random.random() < self._lost_marks:
            return
        loop = asyncio.get_running_loop()
        self._up_s = max(self._up_s, loop.time() + self._random.uniform(0.0, self._jitter_s))
        text = json.dumps({"event": "mark", "streamSid": "loopback", "mark": {"name": name}})
        self._up.append({"type": "websocket.receive", "text": text})
        loop.call_at(self._up_s, lambda: self._inbox.put_nowait(self._up.popleft()))


class LoopbackSocket:
    """The part of Starlette's `WebSocket` that Pipecat's transport uses."""

    def __init__(self, carrier: LoopbackCarrier) -> None:
        self._carrier = carrier
        self.client_state = WebSocketState.CONNECTED
        self.application_state = WebSocketState.CONNECTED
        self.headers: dict[str, str] = {}

    async def send_text(self, data: str) -> None:
        """Send a message down the line."""
        self._carrier.take(data)

    async def send_bytes(self, data: bytes) -> None:
        """Send a message down the line."""
        self._carrier.take(data.decode())

    async def receive(self) -> dict[str, Any]:
        """Wait for a message from the line."""
        return await self._carrier.give()

    async def close(self, code: int = 1000, reason: str | None = None) -> None:
        """Close the line."""
        self.client_state = self.application_state = WebSocketState.DISCONNECTED
