"""One clock for a call: seconds since the pipeline started, whichever way a part stamps its facts.

Owns the conversion. Delivery stamps with Pipecat's pipeline clock, overlap judgement with the event loop's time; both
run at the same rate, so one offset, taken when the pipeline starts, joins them.
"""

from __future__ import annotations

import asyncio

from pipecat.clocks.base_clock import BaseClock

NS_PER_S = 1_000_000_000


class CallClock:
    """Tells the call's time; 0.0 until it is started."""

    def __init__(self) -> None:
        self._clock: BaseClock | None = None
        self._loop_offset_s = 0.0

    @property
    def started(self) -> bool:
        """Whether the call's clock runs."""
        return self._clock is not None

    def start(self, clock: BaseClock) -> None:
        """Take the pipeline's clock; a second start changes nothing."""
        if self._clock is None:
            self._clock = clock
            self._loop_offset_s = asyncio.get_running_loop().time() - clock.get_time() / NS_PER_S

    def now_s(self) -> float:
        """Seconds since the pipeline's clock started, >= 0."""
        return 0.0 if self._clock is None else max(0.0, self._clock.get_time() / NS_PER_S)

    @property
    def zero_loop_s(self) -> float:
        """The event loop's time at the call's time 0.0."""
        return self._loop_offset_s

    def from_loop_s(self, loop_s: float) -> float:
        """Turn a time of the event loop into a time of the call; 0.0 before the start."""
        return 0.0 if self._clock is None else max(0.0, loop_s - self._loop_offset_s)
