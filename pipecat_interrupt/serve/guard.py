"""Stands between the network and a call's pipeline: lets sound media-stream messages through, and nothing else.

Owns what counts as sound. Pipecat's serializers trust their input: a message that is no object, or audio that is no
base64, would end the call from inside, and unreadable text would land in a log. Here such a message is dropped and
counted; a stream that keeps sending them is closed.
"""

from __future__ import annotations

import asyncio
import binascii
import json
import time
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

from pipecat_interrupt.serve.config import Limits

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]

FAULTS_MAX = 20
"""Unsound messages after which a stream is closed; a carrier sends none."""

SAMPLES_PER_S = 8000
"""Of mu-law and A-law on a telephone line; a sample is a byte."""

EVENTS = frozenset({"connected", "start", "media", "mark", "dtmf", "stop", "error", "playedStream", "clearedAudio"})
"""Events a carrier may send; others pass unread by everybody and count as unsound."""


class Budget:
    """A token bucket. Pure.

    Args:
        rate: Messages, or seconds of sound, a second that may go on for ever.
        burst: As much at once.
        now_s: Now.
    """

    def __init__(self, rate: float, burst: float, now_s: float) -> None:
        self._rate, self._burst = rate, burst
        self._left, self._at_s = float(burst), now_s

    def spend(self, now_s: float, cost: float = 1.0) -> bool:
        """Take one, or `cost`; False, and nothing is taken, when there is less left."""
        if now_s > self._at_s:
            left = self._left + (now_s - self._at_s) * self._rate
            self._left = left if left < self._burst else self._burst
            self._at_s = now_s
        if self._left < cost:
            return False
        self._left -= cost
        return True


class Fault(ValueError):
    """A message is unsound; the message says why, in fixed words."""


def sound(text: str | bytes, bytes_max: int) -> dict[str, Any]:
    """Read one message of a media stream.

    Returns:
        The message: an object with a known event, and audio and digits that can be read.

    Raises:
        Fault: It is none.
    """
    if len(text) > bytes_max:
        raise Fault("too long")
    try:
        message: Any = json.loads(text)
    except (ValueError, RecursionError):
        raise Fault("no JSON") from None
    if not isinstance(message, dict):
        raise Fault("no object")
    event = message.get("event")
    if not isinstance(event, str) or event not in EVENTS:
        raise Fault("unknown event")
    if event == "media":
        _sound_media(message.get("media"))
    elif event == "dtmf":
        dtmf = message.get("dtmf")
        if not isinstance(dtmf, dict) or not isinstance(dtmf.get("digit"), str):
            raise Fault("no digit")
    return message


def _sound_media(media: Any) -> None:
    payload = media.get("payload") if isinstance(media, dict) else None
    if not isinstance(payload, str):
        raise Fault("no audio")
    try:
        binascii.a2b_base64(payload, strict_mode=True)
    except (binascii.Error, ValueError):
        raise Fault("no base64") from None


def sound_s(message: Mapping[str, Any]) -> float:
    """Seconds of telephone sound in a sound message: a byte a sample; 0 for one that holds none."""
    if message["event"] != "media":
        return 0.0
    return len(message["media"]["payload"]) * 3 / 4 / SAMPLES_PER_S


def outbound(message: Mapping[str, Any]) -> bool:
    """Whether a message carries the agent's own sound, which must never be heard as the patient's."""
    media = message.get("media")
    return isinstance(media, dict) and media.get("track") in ("outbound", "outbound_track")


class _Idle:
    """Waits for messages, each for so long at most, with one timer a stream: fifty a second would cost a core's part.

    Args:
        receive: Gives the next message.
        idle_s: Seconds without one after which the wait is over.
    """

    def __init__(self, receive: Receive, idle_s: float) -> None:
        self._receive, self._idle_s = receive, idle_s
        self._since_s = 0.0
        self._waiting: asyncio.Task[Any] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._overdue = False

    async def next(self) -> Message:
        """Wait for a message.

        Raises:
            TimeoutError: None came in time.
        """
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        if task is None:
            raise RuntimeError("a stream is read by a task")
        self._since_s, self._waiting, self._overdue = loop.time(), task, False
        if self._timer is None:
            self._timer = loop.call_later(self._idle_s, self._look)
        cancelled_before = task.cancelling()
        try:
            message = await self._receive()
        except BaseException as error:
            self.stop()
            ours = self._taken_back(task, cancelled_before)
            if ours and isinstance(error, asyncio.CancelledError):
                raise TimeoutError from None
            raise
        self._taken_back(task, cancelled_before)  # it came although the wait was over
        return message

    def stop(self) -> None:
        """Nothing more will be waited for: let the timer go."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _taken_back(self, task: asyncio.Task[Any], cancelled_before: int) -> bool:
        """End a wait and take its cancellation back, if it made one; whether nobody else asked for one as well."""
        if self._waiting is task:
            self._waiting = None
        overdue, self._overdue = self._overdue, False
        return overdue and task.uncancel() <= cancelled_before

    def _look(self) -> None:
        self._timer = None
        if self._waiting is None:  # the next wait sets it again
            return
        loop = asyncio.get_running_loop()
        left_s = self._since_s + self._idle_s - loop.time()
        if left_s > 0:
            self._timer = loop.call_later(left_s, self._look)
        else:
            self._overdue = True
            self._waiting.cancel()


class GuardedReceive:
    """An ASGI `receive` of a websocket that gives sound messages only.

    Args:
        receive: The server's own.
        limits: Sizes, rates and waits.
        on_fault: Told each dropped message's reason, in fixed words.
        now_s: Monotonic clock.

    Promises: never raises for what a client sends; after `FAULTS_MAX` faults, on the carrier's `stop`, or after
    `limits.idle_s` of silence it reports a disconnect, and goes on reporting it. `ended_by` says which.
    """

    def __init__(
        self,
        receive: Receive,
        limits: Limits,
        on_fault: Callable[[str], None] = lambda _: None,
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._limits, self._on_fault, self._now_s = limits, on_fault, now_s
        self._idle = _Idle(receive, limits.idle_s)
        self._budget = Budget(limits.messages_per_s_max, limits.messages_burst_max, now_s())
        self._sound = Budget(limits.sound_rate_max, limits.sound_burst_s, now_s())
        self._faults = 0
        self.ended_by = ""

    async def __call__(self) -> Message:
        """Wait for the next sound message."""
        while not self.ended_by:
            try:
                message = await self._idle.next()
            except TimeoutError:
                self.ended_by = "idle"
                break
            if message["type"] != "websocket.receive":
                if message["type"] == "websocket.disconnect":
                    self.ended_by = "closed"
                    self._idle.stop()
                return message
            if (passed := self._judge(message)) is not None:
                return passed
        self._idle.stop()
        return {"type": "websocket.disconnect", "code": 1008 if self.ended_by == "hostile" else 1000}

    def _judge(self, message: Message) -> Message | None:
        text = message.get("text")
        data = text if isinstance(text, str) else message.get("bytes") or b""
        try:
            now_s = self._now_s()
            if not self._budget.spend(now_s):
                raise Fault("too many")
            read = sound(data, self._limits.message_bytes_max)
            theirs = outbound(read)
            if not theirs and not self._sound.spend(now_s, sound_s(read)):
                raise Fault("too much sound")
        except Fault as fault:
            self._on_fault(str(fault))
            self._faults += 1
            if self._faults >= FAULTS_MAX:
                self.ended_by = "hostile"
            return None
        if read["event"] == "stop":
            self.ended_by = "stop"
            return None
        return None if theirs else message
