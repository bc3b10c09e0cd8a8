"""A simulated call: a caller's line to the bot over a real websocket, in real time.

Owns the socket, the caller's sound going up every 20 ms, the playout of what comes down, and the recording of both. The
line can be made bad: jitter, lost frames, lost marks, a buffer, a cut.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from pipecat_interrupt.testing.carrier.playout import Playout
from pipecat_interrupt.testing.carrier.sound import FRAME_BYTES, FRAME_S, SILENCE, Samples, from_ulaw, to_ulaw
from pipecat_interrupt.testing.carrier.wire import WIRES, CallIds, ClearBuffer, JsonObject, Play, SetMark

POLL_S = 0.005
OPEN_S_MAX = 10.0
CLOSE_S_MAX = 2.0


class LineLost(ConnectionError):
    """The bot closed the stream, or refused it; the message says which, and the code it gave."""


@dataclass(frozen=True, slots=True)
class LineConditions:
    """How good the line is.

    Parameters:
        jitter_s: Every message takes 0 to this long more either way, in order, seconds.
        lost_frames: Share of the caller's 20 ms frames that never arrive, in [0, 1].
        lost_marks: Share of marks that never come back, in [0, 1].
        buffer_s: Sound waits this long at the far end after a silence, seconds.
        speed: Time passes this many times faster on the line; 1 is a real call. A bot's own clock does not follow, so
            anything else is for tests of the protocol.
        seed: Of every chance.
    """

    jitter_s: float = 0.0
    lost_frames: float = 0.0
    lost_marks: float = 0.0
    buffer_s: float = 0.0
    speed: float = 1.0
    seed: int = 0


class SimulatedCall:
    """One call to a bot.

    Args:
        provider: "twilio", "telnyx" or "plivo".
        ids: The carrier's names of the call.
        conditions: How good the line is.

    Use: `await call.open(url)`, `call.say(samples, rate_hz)`, `await call.quiet(1.0)`, `await call.hang_up()`; then
    `call.recording()`. Times are seconds of the line since it opened.
    """

    def __init__(
        self, provider: str = "twilio", ids: CallIds | None = None, conditions: LineConditions | None = None
    ) -> None:
        self.wire, self.ids, self.conditions = WIRES[provider], ids or CallIds(), conditions or LineConditions()
        self.playout = Playout(self.conditions.buffer_s, returns_cleared_marks=self.wire.returns_cleared_marks)
        self.marks_back = 0
        self.marks_set = 0
        self.clears = 0
        self.close_code: int | None = None
        self._random = random.Random(self.conditions.seed)
        self._socket: ClientConnection | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._sound: deque[bytes] = deque()
        self._sent = bytearray()
        self._frames = 0
        self._zero_s = 0.0
        self._up: asyncio.Queue[tuple[float, JsonObject]] = asyncio.Queue()
        self._up_s = self._down_s = 0.0
        self.closed = asyncio.Event()

    # ---- the line

    @property
    def now_s(self) -> float:
        """Seconds of the line since it opened."""
        return (asyncio.get_running_loop().time() - self._zero_s) * self.conditions.speed

    async def open(self, url: str) -> None:
        """Open the media stream and begin to send.

        Raises:
            LineLost: The bot refuses the stream.
        """
        first = self._zero_s == 0.0
        try:
            self._socket = await connect(url, open_timeout=OPEN_S_MAX, ping_interval=None, max_size=1 << 22)
        except Exception as error:
            raise LineLost(f"the bot refused the stream: {error}") from error
        if first:
            self._zero_s = asyncio.get_running_loop().time()
        self.closed.clear()
        for message in self.wire.opening(self.ids):
            await self._socket.send(json.dumps(message))
        work = (self._pump(), self._listen(), self._play(), self._post())
        self._tasks = [asyncio.ensure_future(one) for one in work]

    async def hang_up(self) -> None:
        """End the call as a carrier does when the caller hangs up."""
        if self._socket is not None and not self.closed.is_set():
            with suppress(ConnectionClosed):
                for message in self.wire.closing(self.ids):
                    await self._socket.send(json.dumps(message))
        await self._end()

    async def drop(self) -> None:
        """Cut the line without a word: no stop message, no closing handshake."""
        if self._socket is not None:
            self._socket.transport.abort()
        await self._end()

    async def reopen(self, url: str) -> None:
        """Open the stream again after a cut; the recording goes on, what lay in the buffer is gone."""
        self.playout.clear(self.now_s)
        await self.open(url)

    async def send(self, message: JsonObject | str | bytes) -> None:
        """Send anything at all, as it is.

        Raises:
            LineLost: The line is closed.
        """
        if self._socket is None:
            raise LineLost("the line is not open")
        try:
            await self._socket.send(message if isinstance(message, str | bytes) else json.dumps(message))
        except ConnectionClosed as error:
            raise LineLost("the bot closed the stream") from error

    # ---- the caller

    def say(self, samples: Samples, rate_hz: int) -> float:
        """Say a clip from now on, behind what is still being said.

        Args:
            samples: int16, mono.
            rate_hz: Their rate.

        Returns:
            When its last sample will have been said, seconds of the line.
        """
        ulaw = to_ulaw(samples, rate_hz)
        ulaw += SILENCE * (-len(ulaw) % FRAME_BYTES)
        self._sound.extend(ulaw[i : i + FRAME_BYTES] for i in range(0, len(ulaw), FRAME_BYTES))
        return (self._frames + len(self._sound)) * FRAME_S

    async def press(self, digits: str) -> None:
        """Press keys."""
        for digit in digits:
            self._queue(self.wire.dtmf(self.ids, digit))

    @property
    def speaking(self) -> bool:
        """Whether the caller is saying something."""
        return bool(self._sound)

    async def agent_speaks(self, within_s: float = 10.0) -> bool:
        """Wait until the agent is heard; False when it is not within `within_s` seconds of the line."""
        return await self.until(lambda: self.playout.playing, within_s)

    async def quiet(self, for_s: float = 0.8, within_s: float = 60.0) -> bool:
        """Wait until the agent has been silent for `for_s`; False when that does not come within `within_s`."""

        def silent() -> bool:
            last_s = self.playout.heard_until_s
            return not self.playout.playing and self.now_s - (last_s if last_s is not None else 0.0) >= for_s

        return await self.until(silent, within_s)

    async def wait(self, seconds: float) -> None:
        """Let seconds of the line pass, or less when the line closes."""
        await self.until(lambda: False, seconds)

    async def until(self, true: Callable[[], bool], within_s: float = 10.0) -> bool:
        """Wait until something is so, without guessing how long a busy machine takes to get there.

        Args:
            true: Asked again every few milliseconds.
            within_s: At most this many seconds of the line.

        Returns:
            Whether it came to be so; asked once more when the time is over or the line has closed.
        """
        end_s = self.now_s + within_s
        while self.now_s < end_s and not self.closed.is_set():
            if true():
                return True
            await asyncio.sleep(POLL_S)
        return true()

    def recording(self) -> np.ndarray:
        """What was said and heard: int16, shape (samples, 2), 8 kHz; the caller left, the agent as played right."""
        left = from_ulaw(bytes(self._sent))
        right = self.playout.channel(0.0, len(left) / 8000)
        n = min(len(left), len(right))
        return np.stack([left[:n], right[:n]], axis=1)

    # ---- inside

    async def _pump(self) -> None:
        """Send the caller's sound, or silence, every 20 ms, on a schedule that does not drift."""
        begun_s, first = self.now_s, self._frames
        while not self.closed.is_set():
            ulaw = self._sound.popleft() if self._sound else SILENCE * FRAME_BYTES
            self._frames += 1
            self._sent += ulaw
            if self._random.random() >= self.conditions.lost_frames:
                at_ms = round(self._frames * FRAME_S * 1000)
                self._queue(self.wire.media(self.ids, ulaw, self._frames, at_ms))
            due_s = begun_s + (self._frames - first) * FRAME_S
            await asyncio.sleep(max(0.0, (due_s - self.now_s) / self.conditions.speed))

    async def _play(self) -> None:
        """Play what came, and send marks back when they have been reached."""
        while not self.closed.is_set():
            self._return(self.playout.advance(self.now_s))
            await asyncio.sleep(POLL_S / self.conditions.speed)

    async def _listen(self) -> None:
        socket = self._socket
        assert socket is not None
        try:
            async for raw in socket:
                await self._late()
                self._obey(raw)
        except ConnectionClosed:
            pass
        finally:
            self.close_code = socket.close_code
            self.closed.set()

    def _obey(self, raw: str | bytes) -> None:
        try:
            command = self.wire.read(json.loads(raw))
        except ValueError:
            return
        match command:
            case Play(ulaw):
                self.playout.add(ulaw, self.now_s)
            case SetMark(name):
                self.marks_set += 1
                self.playout.mark(name, self.now_s)
            case ClearBuffer():
                self.clears += 1
                self._return(self.playout.clear(self.now_s))
            case None:
                pass

    def _return(self, names: list[str]) -> None:
        for name in names:
            if self._random.random() >= self.conditions.lost_marks:
                self.marks_back += 1
                self._queue(self.wire.mark_back(self.ids, name))

    def _queue(self, message: JsonObject) -> None:
        self._up_s = max(self._up_s, self.now_s + self._random.uniform(0.0, self.conditions.jitter_s))
        self._up.put_nowait((self._up_s, message))

    async def _post(self) -> None:
        """Send what is queued, each message when its way is over."""
        socket = self._socket
        assert socket is not None
        while not self.closed.is_set():
            due_s, message = await self._up.get()
            await asyncio.sleep(max(0.0, (due_s - self.now_s) / self.conditions.speed))
            try:
                await socket.send(json.dumps(message))
            except ConnectionClosed:
                return

    async def _late(self) -> None:
        self._down_s = max(self._down_s, self.now_s + self._random.uniform(0.0, self.conditions.jitter_s))
        await asyncio.sleep(max(0.0, (self._down_s - self.now_s) / self.conditions.speed))

    async def _end(self) -> None:
        self.playout.clear(self.now_s)
        self.closed.set()
        tasks, self._tasks = self._tasks, []
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._socket is not None:
            with suppress(Exception):
                async with asyncio.timeout(CLOSE_S_MAX):
                    await self._socket.close()
