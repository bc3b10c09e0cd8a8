"""Two callers: one reads its lines off a list, the other listens and answers what it has heard.

Owns the behaviour of the shell command's callers. The first hears levels, not words, and takes a slow agent for one
that has finished; the second understands the agent's channel with an ear of its own.
"""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from pipecat_interrupt.testing.carrier.line import SimulatedCall
from pipecat_interrupt.testing.carrier.sound import RATE_HZ, Samples

QUIET_S = 1.2
"""Silence after which an agent has finished; shorter ones are between its sentences."""

ANSWER_S_MAX = 60.0
LAST_WORDS_S_MAX = 15.0
EAR_HZ = 16_000


@dataclass(frozen=True, slots=True)
class Line:
    """Something the caller says.

    Parameters:
        name: For the report.
        samples: int16, mono.
        rate_hz: Their rate.
        cut_in_s: Said this long into the agent's next words instead of after them; None waits.
    """

    name: str
    samples: Samples = field(repr=False)
    rate_hz: int
    cut_in_s: float | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What a listening caller says to words it has heard.

    Parameters:
        hears: Words, in this order; case and punctuation do not count.
        line: What it says then.
        times: How often.
    """

    hears: str
    line: Line
    times: int = 2


Hear = Callable[[np.ndarray], str | None]
"""Understands float32 sound at 16 kHz; None for no words. Called off the event loop."""


@dataclass(slots=True)
class Report:
    """What came of a call.

    Parameters:
        seconds: Its length.
        said: Each line with the time at which it began, seconds of the line.
        hung_up_by: "caller" or "bot"; from the command also "network".
        agent_s: Seconds of agent sound that were played.
        marks_set: Marks the bot set.
        marks_back: Marks that went back.
        clears: Times the bot threw the buffer away.
    """

    seconds: float
    said: list[tuple[str, float]]
    hung_up_by: str
    agent_s: float
    marks_set: int
    marks_back: int
    clears: int


def read_line(spec: str) -> Line:
    """Read a line: an audio file, and behind an `@` how far into the agent's words it cuts in.

    Raises:
        ValueError: The file cannot be read, or the number is none.
    """
    import soundfile

    name, _, at = spec.partition("@")
    try:
        samples, rate_hz = soundfile.read(name, dtype="int16", always_2d=True)
    except (OSError, soundfile.SoundFileError) as error:
        raise ValueError(f"{name}: cannot be read as audio") from error
    try:
        cut_in_s = float(at) if at else None
    except ValueError:
        cut_in_s = math.nan
    if cut_in_s is not None and not 0 <= cut_in_s < math.inf:
        raise ValueError(f"{spec}: behind the @ stands a number of seconds from 0 on, such as clip.wav@1.5")
    return Line(Path(name).stem, np.asarray(samples[:, 0], np.int16), int(rate_hz), cut_in_s)


async def converse(call: SimulatedCall, lines: Sequence[Line], *, seconds_max: float = 300.0) -> Report:
    """Say the lines, each after the agent has finished or in the middle of its words, then listen and hang up.

    Args:
        call: An open call.
        lines: In order; after the last the caller listens until the agent has finished, or hangs up.
        seconds_max: The caller hangs up after this long.
    """
    said: list[tuple[str, float]] = []
    for line in lines:
        if not await call.agent_speaks(min(ANSWER_S_MAX, seconds_max - call.now_s)):
            break
        if line.cut_in_s is None:
            await call.quiet(QUIET_S, seconds_max - call.now_s)
        else:
            await call.wait(line.cut_in_s)
        if call.closed.is_set() or call.now_s >= seconds_max:
            break
        said.append((line.name, round(call.now_s, 2)))
        end_s = call.say(line.samples, line.rate_hz)
        await call.wait(end_s - call.now_s)
    while not call.closed.is_set() and call.now_s < seconds_max:
        if not await call.agent_speaks(min(LAST_WORDS_S_MAX, seconds_max - call.now_s)):
            break
        await call.quiet(QUIET_S, seconds_max - call.now_s)
    return await _hang_up(call, said)


async def understand(
    call: SimulatedCall, hear: Hear, answers: Sequence[Answer], *, seconds_max: float = 300.0
) -> Report:
    """Listen, and answer what was heard to its end, until the agent hangs up or has nothing more to say.

    Args:
        call: An open call.
        hear: The caller's ear.
        answers: First match first.
        seconds_max: The caller hangs up after this long.
    """
    said: list[tuple[str, float]] = []
    left = {index: answer.times for index, answer in enumerate(answers)}
    since_s = 0.0
    while not call.closed.is_set() and call.now_s < seconds_max:
        if not await call.agent_speaks(min(ANSWER_S_MAX, seconds_max - call.now_s)):
            break
        await call.quiet(QUIET_S, seconds_max - call.now_s)
        now_s = call.now_s
        words = await asyncio.to_thread(hear, _for_an_ear(call.playout.channel(since_s, now_s)))
        if call.playout.playing:  # it had not finished after all: hear the whole of it again
            continue
        since_s = now_s
        chosen = next((i for i, a in enumerate(answers) if left[i] > 0 and _said_in(a.hears, words or "")), None)
        if chosen is None:
            continue
        left[chosen] -= 1
        line = answers[chosen].line
        said.append((line.name, round(call.now_s, 2)))
        await call.wait(call.say(line.samples, line.rate_hz) - call.now_s)
    return await _hang_up(call, said)


async def _hang_up(call: SimulatedCall, said: list[tuple[str, float]]) -> Report:
    by = "bot" if call.closed.is_set() else "caller"
    seconds = call.now_s
    await call.hang_up()
    played = sum(len(stretch.ulaw) for stretch in call.playout.played) / RATE_HZ
    return Report(round(seconds, 2), said, by, round(played, 2), call.marks_set, call.marks_back, call.clears)


def _said_in(words: str, text: str) -> bool:
    return f" {_plain(words)} " in f" {_plain(text)} "


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[\w']+", text.lower()))


def _for_an_ear(samples: Samples) -> np.ndarray:
    import soxr

    return np.asarray(soxr.resample(samples.astype(np.float32) / 32768.0, RATE_HZ, EAR_HZ), np.float32)
