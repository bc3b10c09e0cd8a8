"""One alarm and the work it starts: something is looked at again after a delay, and nothing outlives the call.

Owns the timer and the tasks. Knows nothing of what is looked at.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any


class Alarm:
    """Rings once, after the delay it was last set to.

    Args:
        ring: Awaited in a task of its own when the delay is over.
    """

    def __init__(self, ring: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._ring = ring
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closed = False

    def set(self, delay_s: float) -> None:
        """Ring after this delay, and not at any earlier set time; nothing happens once closed."""
        self.stop()
        if not self._closed:
            self._timer = asyncio.get_running_loop().call_later(delay_s, self._due)

    def stop(self) -> None:
        """Do not ring."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Start work beside the call; it is cancelled when the alarm is closed."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def close(self) -> None:
        """Never ring again and cancel what was started."""
        self._closed = True
        self.stop()
        for task in self._tasks:
            task.cancel()

    def _due(self) -> None:
        self._timer = None
        self.spawn(self._ring())
