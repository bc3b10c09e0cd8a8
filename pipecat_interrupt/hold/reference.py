"""Hears the agent's own voice coming back: what the line brings is compared with what was just sent down it.

Owns one measure, the correlation of the caller's channel with the agent's own sound, and what follows from it for the
floor. It needs no model, no enrolment and no words, and it answers within a frame or two of an onset; the words of an
echo come a second later, when the agent has long been stopped by itself.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from pipecat_interrupt.overlap.evidence import Speaker

if TYPE_CHECKING:
    from pipecat_interrupt.hold.backend import HoldParts

RATE_HZ = 8000
"""Both channels are compared at this rate."""

WINDOW_S = 0.3
"""Stretch of the caller's channel that is compared."""

LAG_S_MAX = 0.8
"""Longest way of an echo: out, through the far end's buffers, and back."""

STAMP_SLACK_S = 0.1
"""How far the stamps of the two channels may be apart the wrong way."""

JOIN_S = 0.03
"""Chunks written this close together are one stretch of sound; stamps jitter, samples do not."""

LOUD_DBFS = -45.0
"""Below this the caller's channel is too quiet to say anything about."""

ECHO_SCORE = 0.75
"""At or above this it is the agent: no window of another voice alone came near it, and few of a caller as loud as the
echo did (``eval echo``, docs/metrics/floor.md)."""

KEEP_SCORE = 0.6
"""An echo goes on being one down to this score; rooms bring single windows that low."""

LEAVE_WINDOWS = 2
"""After so many windows below `KEEP_SCORE` in a row somebody else has taken over."""

ECHO_FRESH_S = 2.0
"""An echo heard longer ago than this says nothing about who speaks now: a streaming recogniser's words follow their
sound within it."""

NEWEST_S = 0.1
"""The newest part of the window must be loud by itself: what has just ended says nothing about who speaks now."""

EVERY_S = 0.06
"""The comparison is made at most this often."""

Signal = NDArray[np.float32]


class Attribution(Protocol):
    """Whose voice it is, as the overlap judgement asks; a speaker gate fits."""

    def attribution(self) -> Speaker | None:
        """Say whose voice speaks now; None when that cannot be told."""
        ...


class EchoReference:
    """Tells the agent's echo from a caller.

    Args:
        inner: Who is asked when it is no echo, for example a speaker gate; None is nobody.

    Promises: bounded memory (`LAG_S_MAX` and a little of either channel); no comparison unless asked; on doubt it says
    nothing, so that a caller is never taken for an echo for lack of evidence, and a caller who speaks over an echo is
    let out of it again.
    """

    def __init__(self, inner: Attribution | None = None) -> None:
        self.inner = inner
        self.score: float | None = None
        self._sent = _Line(WINDOW_S + LAG_S_MAX + 2 * STAMP_SLACK_S + 0.5)
        self._caught = _Line(WINDOW_S + 0.1)
        self._asked_s = -1.0
        self._echoing = False
        self._echo_s = -1.0
        self._low = 0
        self._after_echo: Speaker | None = None

    def attach(self, hold: HoldParts) -> None:
        """Listen at the two ends of a hold: its tap has the agent's sound, its gate sees the caller's go by."""
        hold.after_output.on_written = self.sent
        hold.before_output.on_caller_audio = self.caught

    def sent(self, pcm: bytes, sample_rate_hz: int, end_s: float) -> None:
        """Take in sound of the agent that has been written; `end_s` is loop time at its end."""
        self._sent.add(pcm, sample_rate_hz, end_s)

    def caught(self, pcm: bytes, sample_rate_hz: int, end_s: float) -> None:
        """Take in sound of the caller's channel; `end_s` is loop time at its end."""
        self._caught.add(pcm, sample_rate_hz, end_s)

    def attribution(self) -> Speaker | None:
        """Say whose voice speaks now.

        Returns:
            AGENT_ECHO for the agent's own sound; UNSURE when another voice has taken over from an echo; else what
            `inner` says, None without one.
        """
        now_s = asyncio.get_running_loop().time()
        if now_s - self._asked_s >= EVERY_S:
            self._asked_s = now_s
            self.score = self._compare()
            self._weigh(now_s)
        says = self.inner.attribution() if self.inner is not None else None
        return Speaker.AGENT_ECHO if self._echoing else says or self._after_echo

    def _weigh(self, now_s: float) -> None:
        """Move between echo and not, with the newest score."""
        if self.score is None:
            if now_s - self._echo_s > ECHO_FRESH_S:
                self._echoing = False
            return
        self._low = self._low + 1 if self.score < KEEP_SCORE else 0
        if self.score >= KEEP_SCORE:
            self._echo_s = now_s
        if self.score >= ECHO_SCORE:
            self._echoing, self._after_echo = True, None
        elif self._echoing and self._low >= LEAVE_WINDOWS:
            self._echoing, self._after_echo = False, Speaker.UNSURE

    def _compare(self) -> float | None:
        """Correlate; None when either channel has nothing to compare."""
        heard = self._caught.last(WINDOW_S)
        newest = round(NEWEST_S * RATE_HZ)
        if heard is None or np.sqrt(np.mean(heard[-newest:] ** 2)) < 10 ** (LOUD_DBFS / 20):
            return None
        end_s = self._caught.end_s
        said = self._sent.between(end_s - WINDOW_S - LAG_S_MAX, end_s + STAMP_SLACK_S)
        if len(said) < len(heard) or not said.any():
            return None if not self._echoing else 0.0
        return correlation(heard, said)


def correlation(heard: Signal, said: Signal) -> float:
    """Give the highest normalised correlation of a window with any equally long part of a longer signal.

    Both are differenced first, so that two voices of like pitch do not agree by their pitch alone.

    Args:
        heard: float32, shape (n,).
        said: float32, shape (m,), m >= n.

    Returns:
        In [0, 1]; 0 when either is silent.
    """
    a, b = np.diff(heard, prepend=heard[:1]), np.diff(said, prepend=said[:1])
    n, m = len(a), len(b)
    size = -(-m // 512) * 512  # a circle of m is enough: no place of the window in the longer signal wraps around
    products = np.fft.irfft(np.fft.rfft(b, size) * np.conj(np.fft.rfft(a, size)), size)[: m - n + 1]
    energy = np.concatenate([[0.0], np.cumsum(b.astype(np.float64) ** 2)])
    norms = np.sqrt(np.maximum(energy[n:] - energy[:-n], 0.0)) * np.sqrt(np.sum(a.astype(np.float64) ** 2))
    usable = norms > 1e-6 * max(1e-9, float(norms.max()))
    if not usable.any():
        return 0.0
    return float(min(1.0, np.max(np.abs(products[usable]) / norms[usable])))


class _Line:
    """The last seconds of one channel on a time line; brought to `RATE_HZ` only when somebody asks."""

    def __init__(self, keep_s: float) -> None:
        self.end_s = 0.0
        self._keep = round(keep_s * RATE_HZ)
        self._parts: deque[_Part] = deque()
        self._length = 0

    def add(self, pcm: bytes, sample_rate_hz: int, end_s: float) -> None:
        part = _Part(pcm, sample_rate_hz)
        if not part.length:
            return
        seconds = part.length / RATE_HZ
        gap_s = end_s - seconds - self.end_s
        if self._length and gap_s > JOIN_S:
            silence = min(self._keep, round(gap_s * RATE_HZ))
            self._append(_Part(bytes(2 * silence), RATE_HZ))
            self.end_s = end_s
        elif self._length:
            self.end_s += seconds
            self.end_s += 0.1 * (end_s - self.end_s)  # drift of the stamps against the samples
        else:
            self.end_s = end_s
        self._append(part)

    def _append(self, part: _Part) -> None:
        self._parts.append(part)
        self._length += part.length
        while self._parts and self._length - self._parts[0].length >= self._keep:
            self._length -= self._parts.popleft().length

    def _samples(self) -> Signal:
        """The channel as kept; what came since the last time is brought to the rate as one part, not frame by frame."""
        joined: deque[_Part] = deque()
        for part in self._parts:
            if joined and joined[-1].goes_before(part):
                joined[-1].take(part)
            else:
                joined.append(part)
        self._parts = joined
        return np.concatenate([part.samples() for part in joined])

    def last(self, seconds: float) -> Signal | None:
        n = round(seconds * RATE_HZ)
        return self._samples()[-n:] if self._length >= n else None

    def between(self, start_s: float, end_s: float) -> Signal:
        """The channel between two times; silence where nothing was."""
        n = max(0, round((end_s - start_s) * RATE_HZ))
        line = np.zeros(n, np.float32)
        if not self._length:
            return line
        samples = self._samples()
        offset = n - round((end_s - self.end_s) * RATE_HZ) - len(samples)
        low, high = max(0, offset), min(n, offset + len(samples))
        if low < high:
            line[low:high] = samples[low - offset : high - offset]
        return line


class _Part:
    """A piece of 16-bit sound as it came, and how long it is at `RATE_HZ`."""

    __slots__ = ("_pcm", "_rate_hz", "_samples", "length")

    def __init__(self, pcm: bytes, sample_rate_hz: int) -> None:
        self._pcm, self._rate_hz = bytearray(pcm), sample_rate_hz
        self._samples: Signal | None = None
        n = len(pcm) // 2
        self.length = (
            n // (sample_rate_hz // RATE_HZ) if sample_rate_hz % RATE_HZ == 0 else round(n * RATE_HZ / sample_rate_hz)
        )

    def goes_before(self, after: _Part) -> bool:
        """Whether the next piece can be one with this without a sample more or less."""
        return (
            self._samples is None
            and after._samples is None
            and self._rate_hz == after._rate_hz
            and self._rate_hz % RATE_HZ == 0  # else each piece is rounded by itself
            and len(self._pcm) == 2 * self.length * self._rate_hz // RATE_HZ  # no rest that `length` leaves out
        )

    def take(self, after: _Part) -> None:
        """Take the next piece in."""
        self._pcm += after._pcm
        self.length += after.length

    def samples(self) -> Signal:
        """The sound at `RATE_HZ`, float32 in [-1, 1], shape (length,)."""
        if self._samples is None:
            self._samples = _at_rate(np.frombuffer(self._pcm[: len(self._pcm) // 2 * 2], dtype="<i2"), self._rate_hz)
            self._pcm = bytearray()
        return self._samples


def _at_rate(samples: NDArray[np.int16], sample_rate_hz: int) -> Signal:
    """Bring int16 samples to `RATE_HZ`, float32 in [-1, 1]; coarse, for comparison only."""
    x = samples.astype(np.float32) / 32768.0
    if sample_rate_hz == RATE_HZ:
        return x
    if sample_rate_hz % RATE_HZ == 0:
        factor = sample_rate_hz // RATE_HZ
        return x[: len(x) // factor * factor].reshape(-1, factor).mean(axis=1)
    n = round(len(x) * RATE_HZ / sample_rate_hz)
    return np.interp(np.arange(n) * sample_rate_hz / RATE_HZ, np.arange(len(x)), x).astype(np.float32)
