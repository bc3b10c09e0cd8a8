"""Measures how late the event loop runs its timers: a jam there is a jam in the patient's ear."""

from __future__ import annotations

import asyncio

import numpy as np

PERIOD_S = 0.01


class LoopLag:
    """Collects the lateness of a 10 ms timer."""

    def __init__(self) -> None:
        self._lags_s: list[float] = []

    async def measure(self) -> None:
        """Measure until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            due_s = loop.time() + PERIOD_S
            await asyncio.sleep(PERIOD_S)
            self._lags_s.append(loop.time() - due_s)

    def ms(self, percentile: float) -> float | None:
        """Give a percentile of the lag in ms; None when nothing was measured."""
        return round(1000 * float(np.percentile(self._lags_s, percentile)), 1) if self._lags_s else None
