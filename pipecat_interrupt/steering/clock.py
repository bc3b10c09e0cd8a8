"""One clock for a call: seconds since the pipeline started, whichever way a part stamps its facts.

Owns the conversion. Delivery stamps with Pipecat's pipeline clock, overlap judgement with the event loop's time; both
run at the same rate, so one offset, taken when the pipeline starts, joins them. A call that another worker began goes
on from the time it had reached there.
"""

from __future__ import annotations

import asyncio

from pipecat.clocks.base_clock import BaseClock

NS_PER_S = 1_000_000_000


class CallClock:
    """Tells the call's time; its first value until it is started.

    Args:
        first_s: Time of the call when this pipeline starts, >= 0; 0.0 for a new call.
    """

    def __init__(self, first_s: float = 0.0) -> None:
        self.first_s = first_s
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
            self._loop_offset_s = asyncio.get_running_loop().time() - clock.get_time() / NS_PER_S - self.first_s

    def now_s(self) -> float:
        """Seconds since the call began, >= 0: since the pipeline's clock started, plus what came before."""
        return self.first_s + (0.0 if self._clock is None else max(0.0, self._clock.get_time() / NS_PER_S))

    def from_pipeline_s(self, pipeline_s: float | None) -> float | None:
        """Turn a time of the pipeline's clock into a time of the call; None stays None."""
        return None if pipeline_s is None else pipeline_s + self.first_s

    @property
    def zero_loop_s(self) -> float:
        """The event loop's time at the call's time 0.0."""
        return self._loop_offset_s

    def from_loop_s(self, loop_s: float) -> float:
        """Turn a time of the event loop into a time of the call; its first value before the start."""
        return self.first_s if self._clock is None else max(0.0, loop_s - self._loop_offset_s)
