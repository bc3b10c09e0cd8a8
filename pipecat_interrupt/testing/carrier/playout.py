"""The far end's playout buffer: what has really been played, and which marks may come back. Pure; time is given.

Owns the truth about the listener's ear. Sound plays at 8,000 samples a second from when it came (plus the line's
buffer after a silence); a mark comes back when everything before it has been played; a clear throws the rest away and
hands all waiting marks back at once, as Twilio and Telnyx do, or drops them, as Plivo does.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np

from pipecat_interrupt.testing.carrier.sound import RATE_HZ, Samples, from_ulaw


@dataclass(slots=True)
class Played:
    """A stretch that reached the ear.

    Parameters:
        start_s: When its first sample sounded.
        ulaw: Its sound.
    """

    start_s: float
    ulaw: bytes


@dataclass(slots=True)
class _Item:
    came_s: float
    ulaw: bytes = b""
    mark: str | None = None


class Playout:
    """One call's playout.

    Args:
        buffer_s: Sound waits this long after a silence before it plays.
        returns_cleared_marks: Whether marks whose sound was cleared come back.

    Call `advance` often; time never goes back.
    """

    def __init__(self, buffer_s: float = 0.0, *, returns_cleared_marks: bool = True) -> None:
        self._buffer_s, self._returns_cleared = buffer_s, returns_cleared_marks
        self._queue: deque[_Item] = deque()
        self._cursor_s: float | None = None  # when the next sample in the queue sounds; None while silent
        self.played: list[Played] = []
        self.cleared_samples = 0

    @property
    def playing(self) -> bool:
        """Whether something sounds or waits to sound."""
        return any(item.mark is None for item in self._queue)

    @property
    def heard_until_s(self) -> float | None:
        """When the last played stretch ended; None before the first."""
        return self.played[-1].start_s + len(self.played[-1].ulaw) / RATE_HZ if self.played else None

    def add(self, ulaw: bytes, now_s: float) -> None:
        """Sound came from the bot."""
        if ulaw:
            self._queue.append(_Item(now_s, ulaw=ulaw))

    def mark(self, name: str, now_s: float) -> None:
        """A mark came from the bot."""
        self._queue.append(_Item(now_s, mark=name))

    def clear(self, now_s: float) -> list[str]:
        """Throw away what has not been played.

        Returns:
            The marks that come back: those due by now, then the waiting ones where the carrier returns them.
        """
        due = self.advance(now_s)
        if self._queue and self._queue[0].mark is None and self._cursor_s is not None and self._cursor_s < now_s:
            head = self._queue.popleft()
            heard = min(len(head.ulaw), max(0, round((now_s - self._cursor_s) * RATE_HZ)))
            self._play(head.ulaw[:heard], self._cursor_s)
            self.cleared_samples += len(head.ulaw) - heard
        waiting = [item.mark for item in self._queue if item.mark is not None]
        self.cleared_samples += sum(len(item.ulaw) for item in self._queue)
        self._queue.clear()
        self._cursor_s = None
        return [*due, *waiting] if self._returns_cleared else due

    def advance(self, now_s: float) -> list[str]:
        """Play up to now; give the marks that come back."""
        back: list[str] = []
        while self._queue:
            item = self._queue[0]
            if item.mark is not None:
                if self._cursor_s is not None and self._cursor_s > now_s:
                    break
                back.append(item.mark)
                self._queue.popleft()
                continue
            if self._cursor_s is None or self._cursor_s < item.came_s:  # there was a silence before it
                self._cursor_s = item.came_s + self._buffer_s
            end_s = self._cursor_s + len(item.ulaw) / RATE_HZ
            if end_s > now_s + 1e-9:
                break
            self._play(item.ulaw, self._cursor_s)
            self._cursor_s = end_s
            self._queue.popleft()
        return back

    def channel(self, zero_s: float, until_s: float) -> Samples:
        """What the ear heard between two times.

        Returns:
            int16, shape (samples,), 8 kHz; silence where nothing was played.
        """
        heard = np.zeros(max(0, round((until_s - zero_s) * RATE_HZ)), np.int16)
        for stretch in self.played:
            samples = from_ulaw(stretch.ulaw)
            at = round((stretch.start_s - zero_s) * RATE_HZ)
            samples = samples[max(0, -at) :]
            at = max(0, at)
            samples = samples[: max(0, len(heard) - at)]
            heard[at : at + len(samples)] = samples
        return heard

    def _play(self, ulaw: bytes, start_s: float) -> None:
        last = self.played[-1] if self.played else None
        if last is not None and abs(last.start_s + len(last.ulaw) / RATE_HZ - start_s) < 1e-6:
            last.ulaw += ulaw
        elif ulaw:
            self.played.append(Played(start_s, ulaw))
