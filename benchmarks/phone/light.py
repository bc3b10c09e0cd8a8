"""A light caller for many calls at once: no recording, prebuilt messages, and the moment the agent fell silent.

Owns the measurement of yields at the listener. `pipecat_interrupt.testing.carrier` does everything a carrier does and
costs too much to place thirty calls from one core.
"""

from __future__ import annotations

import asyncio
import base64
import json
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from benchmarks.phone.bank import QUESTION
from pipecat_interrupt.testing import speech
from pipecat_interrupt.testing.carrier import CallIds, to_ulaw

FRAME_S, FRAME_BYTES, RATE_HZ = 0.02, 160, 8000
SPOKEN_S = (1.0, 2.0)
"""The caller cuts in when the agent has spoken for so long, drawn for each."""

SILENT_S = 0.4
"""The agent has yielded when nothing sounds for so long; its silence began when the last sound ended."""

WINDOW_S = 2.5
"""A cut-in without a yield within it is censored."""


@dataclass(slots=True)
class LightCall:
    """One call.

    Parameters:
        url: The media stream.
        ids: The carrier's names of it.
        seed: Of its moments.
        latencies_s: From the first frame of each cut-in to the last of the agent's sound.
        censored: Cut-ins that were not yielded to in time.
        late_s: How late the caller's own frames went out, the longest; a caller that is late measures itself.
    """

    url: str
    ids: CallIds
    seed: int
    latencies_s: list[float] = field(default_factory=list)
    censored: int = 0
    late_s: float = 0.0
    _end_s: float = 0.0
    _began_s: float = 0.0
    _frames: list[str] = field(default_factory=list)
    _marks: list[tuple[asyncio.TimerHandle, str]] = field(default_factory=list)
    _tasks: set[asyncio.Future[None]] = field(default_factory=set)

    async def run(self, seconds: float) -> None:
        """Talk for so long, then hang up."""
        async with connect(self.url, compression=None, ping_interval=None, max_size=1 << 22) as socket:
            for message in _opening(self.ids):
                await socket.send(message)
            work = [asyncio.ensure_future(one) for one in (self._listen(socket), self._send(socket), self._talk())]
            await asyncio.wait(work, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            for task in work:
                task.cancel()
            await asyncio.gather(*work, return_exceptions=True)
            with suppress(ConnectionClosed):
                await socket.send(json.dumps({"event": "stop", "streamSid": self.ids.stream}))

    async def _talk(self) -> None:
        rng, loop = random.Random(self.seed), asyncio.get_running_loop()
        question = _said(QUESTION, self.ids.stream)
        await asyncio.sleep(rng.uniform(0.0, 1.0))
        self._frames = list(question)  # the caller speaks first
        while True:
            spoken_s = rng.uniform(*SPOKEN_S)
            await _until(lambda: self._sounds() and loop.time() - self._began_s >= spoken_s and not self._frames)  # noqa: B023
            onset_s = loop.time()
            self._frames = list(question)
            over_s = onset_s + WINDOW_S + SILENT_S
            await _until(lambda: loop.time() - self._end_s >= SILENT_S or loop.time() >= over_s)  # noqa: B023
            if loop.time() - self._end_s < SILENT_S or self._end_s - onset_s > WINDOW_S:
                self.censored += 1
            elif self._end_s > onset_s:
                self.latencies_s.append(self._end_s - onset_s)

    def _sounds(self) -> bool:
        return asyncio.get_running_loop().time() < self._end_s

    async def _send(self, socket: ClientConnection) -> None:
        loop = asyncio.get_running_loop()
        silence = _media(b"\xff" * FRAME_BYTES, self.ids.stream)
        begun_s, count = loop.time(), 0
        while True:
            await socket.send(self._frames.pop(0) if self._frames else silence)
            count += 1
            wait_s = begun_s + count * FRAME_S - loop.time()
            self.late_s = max(self.late_s, -wait_s)
            await asyncio.sleep(max(0.0, wait_s))

    async def _listen(self, socket: ClientConnection) -> None:
        loop = asyncio.get_running_loop()
        async for raw in socket:
            message: dict[str, Any] = json.loads(raw)
            now_s = loop.time()
            if message["event"] == "media":
                if now_s - self._end_s > SILENT_S:
                    self._began_s = now_s
                length = len(message["media"]["payload"]) * 3 // 4
                self._end_s = max(now_s, self._end_s) + length / RATE_HZ
            elif message["event"] == "mark":
                name = str(message["mark"]["name"])
                due = loop.call_later(max(0.0, self._end_s - now_s), self._back, socket, name)
                self._marks = [(h, n) for h, n in self._marks if h.when() > now_s] + [(due, name)]
            elif message["event"] == "clear":
                self._end_s = min(self._end_s, now_s)
                for handle, name in self._marks:
                    if handle.when() > now_s:
                        handle.cancel()
                        self._back(socket, name)
                self._marks = []

    def _back(self, socket: ClientConnection, name: str) -> None:
        text = json.dumps({"event": "mark", "streamSid": self.ids.stream, "mark": {"name": name}})
        task = asyncio.ensure_future(_quietly(socket, text))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _until(true: Callable[[], bool]) -> None:
    while True:
        if true():
            return
        await asyncio.sleep(FRAME_S)


async def _quietly(socket: ClientConnection, text: str) -> None:
    with suppress(ConnectionClosed):
        await socket.send(text)


def _opening(ids: CallIds) -> Sequence[str]:
    start = {
        "streamSid": ids.stream,
        "callSid": ids.call,
        "accountSid": ids.account,
        "tracks": ["inbound"],
        "mediaFormat": {"encoding": "audio/x-mulaw", "sampleRate": 8000, "channels": 1},
    }
    return [
        json.dumps({"event": "connected", "protocol": "Call", "version": "1.0.0"}),
        json.dumps({"event": "start", "sequenceNumber": "1", "start": start, "streamSid": ids.stream}),
    ]


@cache
def _media(ulaw: bytes, stream: str) -> str:
    media = {"track": "inbound", "chunk": "1", "timestamp": "20", "payload": base64.b64encode(ulaw).decode()}
    return json.dumps({"event": "media", "sequenceNumber": "2", "media": media, "streamSid": stream})


@cache
def _said(text: str, stream: str) -> tuple[str, ...]:
    clip = speech(text)
    ulaw = to_ulaw(clip.samples, clip.sample_rate_hz)
    ulaw += b"\xff" * (-len(ulaw) % FRAME_BYTES)
    return tuple(_media(ulaw[i : i + FRAME_BYTES], stream) for i in range(0, len(ulaw), FRAME_BYTES))
