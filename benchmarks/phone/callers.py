"""Callers of these calls: they ask the webhook as a carrier would, answer, cut in, hang up, or go without a word.

Owns how a call is placed and taken up again on another worker when its stream closes under the caller.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

import aiohttp

from benchmarks.phone.bank import LONG, SHORT
from benchmarks.phone.worker import CARRIER_TOKEN
from pipecat_interrupt.testing import speech
from pipecat_interrupt.testing.carrier import (
    AskAgain,
    Busy,
    CallIds,
    CarrierSecrets,
    LineConditions,
    LineLost,
    Refused,
    SimulatedCall,
    ring,
)

Habit = Literal["answers", "cuts in", "hangs up", "drops", "never comes", "is cut off"]
HABITS: tuple[tuple[Habit, float], ...] = (
    ("answers", 0.4),
    ("cuts in", 0.25),
    ("hangs up", 0.2),
    ("drops", 0.12),
    ("never comes", 0.03),
)
"""How callers behave, and the share of each."""

CUT_OFF_RATE = 0.1
"""Share of callers, where it is asked for, whose stream is cut by the network while they stay on the line."""

BAD_LINE = LineConditions(jitter_s=0.06, lost_frames=0.02, lost_marks=0.2, buffer_s=0.1)
BAD_LINE_RATE = 0.25
TRIES_MAX = 40
TRY_STEP_S = 0.25
QUIET_S = 0.35
CALL_S_MAX = 30.0
AGAIN = "?again=1"


@dataclass(slots=True)
class Caller:
    """One caller, and what came of the call.

    Parameters:
        number: Of the call, from 0.
        habit: How the caller behaves.
        conditions: The line.
        leave_s: When a caller who goes early goes, seconds after the call began.
        ended: "bot" (it hung up), "caller", "refused" (no stream could be opened), "busy", "never came", "time up".
        streams: Streams that were opened.
        workers: Index of the worker of each stream.
        seconds: Length of the call.
        waited: Times a webhook had the caller wait.
    """

    number: int
    habit: Habit
    conditions: LineConditions
    leave_s: float
    ended: str = ""
    streams: int = 0
    workers: list[int] = field(default_factory=list)
    seconds: float = 0.0
    waited: int = 0

    @property
    def ids(self) -> CallIds:
        """The carrier's names of it."""
        return CallIds(call=f"CA{self.number:032x}", stream=f"MZ{self.number:032x}")


def draw_caller(number: int, seed: int, *, cut_off: bool = False) -> Caller:
    """Draw one caller; the same number and seed give the same. With `cut_off` some streams are cut by the network."""
    rng = random.Random(f"{seed}:{number}")
    habits: list[Habit] = [habit for habit, _ in HABITS]
    (habit,) = rng.choices(habits, [share for _, share in HABITS])
    if cut_off and rng.random() < CUT_OFF_RATE:
        habit = "is cut off"
    bad = rng.random() < BAD_LINE_RATE
    conditions = LineConditions(
        jitter_s=BAD_LINE.jitter_s if bad else 0.0,
        lost_frames=BAD_LINE.lost_frames if bad else 0.0,
        lost_marks=BAD_LINE.lost_marks if bad else 0.0,
        buffer_s=BAD_LINE.buffer_s if bad else 0.0,
        seed=number,
    )
    return Caller(number, habit, conditions, rng.uniform(0.3, 6.0))


async def place(
    caller: Caller,
    pick: Callable[[], tuple[int, str]],
    *,
    again: bool = False,
    busy: dict[int, int] | None = None,
) -> None:
    """Place a call and play it to its end.

    Args:
        caller: Who calls; what came of it is written into it.
        pick: Gives the worker that the balancer chooses now, its index and address.
        again: Whether the carrier asks again when the stream closes under the caller, as with a shared store.
        busy: Streams open on each worker, kept up to date here.
    """
    streams = busy if busy is not None else {}
    loop = asyncio.get_running_loop()
    begun_s = loop.time()
    line = SimulatedCall("twilio", caller.ids, caller.conditions)
    try:
        if not await _connect(caller, line, pick, ""):
            return
        while True:
            left_s = CALL_S_MAX - (loop.time() - begun_s)
            index = caller.workers[-1]
            streams[index] = streams.get(index, 0) + 1
            try:
                await _behave(caller, line, loop.time() - begun_s, max(0.0, left_s))
            finally:
                streams[index] -= 1
            if caller.ended:
                return
            if not again or not await _connect(caller, line, pick, AGAIN):
                caller.ended = caller.ended or "bot"
                return
            if caller.ended:
                return
    finally:
        caller.ended = caller.ended or "time up"
        caller.seconds = loop.time() - begun_s
        if not line.closed.is_set():
            await line.drop()


async def _connect(caller: Caller, line: SimulatedCall, pick: Callable[[], tuple[int, str]], query: str) -> bool:
    """Ask webhooks until one answers, and open the stream; False when the call is over instead."""
    secrets = CarrierSecrets(auth_token=CARRIER_TOKEN)
    asked = query
    for _ in range(TRIES_MAX):
        index, http = pick()
        try:
            url = await ring(
                f"{http}/twilio/voice{asked}",
                "twilio",
                caller.ids,
                secrets,
                public_url=f"https://calls.example.org/twilio/voice{asked}",
            )
            if caller.habit == "never comes":
                caller.ended = "never came"
                return False
            address = f"ws://{urlsplit(http).netloc}/media/{url.rsplit('/', 1)[1]}"
            await (line.reopen if query else line.open)(address)
        except AskAgain as later:
            asked = "?" + urlsplit(later.url).query
            caller.waited += 1
            await asyncio.sleep(later.seconds)
            continue
        except Busy:
            if query:  # the call is over, or nobody can take it: the carrier hangs up
                caller.ended = "bot"
                return False
            caller.ended = "busy"
        except (LineLost, Refused, aiohttp.ClientError, TimeoutError, OSError):
            caller.ended = ""
        else:
            caller.ended = ""
            caller.streams += 1
            caller.workers.append(index)
            return True
        await asyncio.sleep(TRY_STEP_S)
    caller.ended = caller.ended or "refused"
    return False


async def _behave(caller: Caller, line: SimulatedCall, since_s: float, left_s: float) -> None:
    """Be this caller until the stream closes, the caller goes, or the time is up."""
    cut = caller.habit == "is cut off" and caller.streams == 1
    goes = caller.habit in ("hangs up", "drops") or cut
    talk = asyncio.ensure_future(_talk(caller, line))
    stay_s = min(left_s, max(0.0, caller.leave_s - since_s)) if goes else left_s
    closed = asyncio.ensure_future(line.closed.wait())
    await asyncio.wait([talk, closed], timeout=stay_s, return_when=asyncio.FIRST_COMPLETED)
    if talk.done() and not closed.done():
        await asyncio.wait([closed], timeout=max(0.1, stay_s))
    open_still = not line.closed.is_set()
    for task in (talk, closed):
        task.cancel()
    await asyncio.gather(talk, closed, return_exceptions=True)
    if open_still and cut:
        await line.drop()  # and the carrier asks again, for the caller is still there
    elif open_still:
        caller.ended = "caller"
        await (line.drop() if caller.habit == "drops" else line.hang_up())
    else:
        await line.hang_up()  # lets go of the closed socket


async def _talk(caller: Caller, line: SimulatedCall) -> None:
    if caller.habit == "cuts in" and await line.agent_speaks():
        await line.wait(0.5)
        _say(line, LONG)
    while not line.closed.is_set():
        await line.agent_speaks()
        await line.quiet(QUIET_S)
        _say(line, SHORT)
        await line.wait(1.0)


def _say(line: SimulatedCall, text: str) -> None:
    clip = speech(text)
    line.say(clip.samples, clip.sample_rate_hz)
