"""A scripted bot behind a carrier websocket, and an ear that knows its voice: helpers of the tests of `--ws`."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

import numpy as np
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from pipecat_interrupt.testing import AGENT, Speech, speech
from pipecat_interrupt.testing.carrier import from_ulaw, to_ulaw

RATE_HZ = 8000
LOUD = 500
FRAME_S = 0.02


class WireBot:
    """Says its lines one by one; goes on to the next when the caller has spoken and fallen silent.

    Args:
        lines: What it says; it hangs up behind the last.
        speed: How much faster than real time its clock goes, as the line's.
    """

    def __init__(self, lines: Sequence[str], *, speed: float = 1.0) -> None:
        self.lines, self.speed = tuple(lines), speed
        self.calls = 0
        self.clears = 0
        self.url = ""
        self._line_ends_s = 0.0

    async def __call__(self, socket: ServerConnection) -> None:
        """Serve one call."""
        self.calls += 1
        loud, quiet = 0, 0
        left = list(self.lines)
        with suppress(ConnectionClosed):
            await self._say(socket, left.pop(0))
            async for raw in socket:
                message = json.loads(raw)
                if message["event"] == "stop":
                    return
                if message["event"] != "media":
                    continue
                sound = from_ulaw(base64.b64decode(message["media"]["payload"]))
                if np.abs(sound).max() > LOUD:
                    loud, quiet = loud + 1, 0
                    if loud == 10 and self._now_s() < self._line_ends_s:
                        self.clears += 1
                        self._line_ends_s = 0.0
                        await socket.send(json.dumps({"event": "clear", "streamSid": "s"}))
                    continue
                quiet += loud > 0
                if quiet >= 20 and self._now_s() >= self._line_ends_s:
                    loud = quiet = 0
                    if not left:
                        return
                    await self._say(socket, left.pop(0))

    def _now_s(self) -> float:
        return asyncio.get_running_loop().time() * self.speed

    async def _say(self, socket: ServerConnection, line: str) -> None:
        clip = voice(line)
        ulaw = to_ulaw(clip.samples, RATE_HZ)
        self._line_ends_s = max(self._now_s(), self._line_ends_s) + clip.duration_s
        for at in range(0, len(ulaw), 160):
            payload = base64.b64encode(ulaw[at : at + 160]).decode()
            await socket.send(json.dumps({"event": "media", "streamSid": "s", "media": {"payload": payload}}))


def voice(line: str) -> Speech:
    """How the bot sounds."""
    return speech(line, AGENT, RATE_HZ)


class KnowingEar:
    """Understands exactly the bot's lines: finds in which one, and where in it, the sound begins."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._clips = {line: voice(line) for line in dict.fromkeys(lines)}

    def hear(self, samples: np.ndarray, language: str | None) -> str | None:
        """Give the words that sound from beginning to end."""
        sound = samples[::2].astype(np.float64)
        loud = np.flatnonzero(np.abs(sound) > 0.02)
        if len(loud) < 400:
            return None
        first, last = int(loud[0]), int(loud[-1])
        likeness, at, line = max(self._place(sound[first : min(first + 4000, last)], line) for line in self._clips)
        if likeness < 0.5:
            return None
        begin_s, end_s = at / RATE_HZ - 0.05, (at + last - first) / RATE_HZ + 0.05
        words = [w.text for w in self._clips[line].words if begin_s <= w.start_s and w.end_s <= end_s]
        return " ".join(words) or None

    def _place(self, needle: np.ndarray, line: str) -> tuple[float, int, str]:
        """How like the line's sound is to the needle at its best, and where."""
        whole = self._clips[line].samples.astype(np.float64) / 32768.0
        if len(needle) > len(whole):
            return 0.0, 0, line
        n, size = len(needle), 1 << (len(whole) + len(needle)).bit_length()
        spectrum = np.fft.rfft(whole, size) * np.conj(np.fft.rfft(needle, size))
        product = np.fft.irfft(spectrum, size)[: len(whole) - n + 1]
        energy = np.concatenate([[0.0], np.cumsum(whole**2)])
        power = energy[n:] - energy[:-n]
        alike = product / np.sqrt(np.maximum(power * (needle**2).sum(), 1e-9))
        at = int(alike.argmax())
        return float(alike[at]), at, line


@asynccontextmanager
async def answering(bot: WireBot) -> AsyncIterator[WireBot]:
    """Let the bot wait for calls on a free port of this machine."""
    async with serve(bot, "127.0.0.1", 0) as server:
        bot.url = f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}/media"
        yield bot
