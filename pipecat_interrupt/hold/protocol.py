"""The seam between judging an overlap and holding the agent's audio.

Owns the `Hold` protocol that start strategies code against. It holds no state and imports no Pipecat module.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

HOLD_BUDGET_S_MAX = 2.5
"""Longest single hold in seconds: below Pipecat's 3 s "bot stopped" fallback, so no filler is needed."""

PRIMARY_STOP = "primary_stop"
"""The one reason that holds or cuts protected speech: the primary speaker's own stop request."""


@runtime_checkable
class Hold(Protocol):
    """Something that can stop the agent's audio without throwing it away.

    Promises:
        All calls are synchronous, return at once, never raise into the caller and belong on the event loop of the
        pipeline. A hold ends at the latest after its budget. Every call is safe in every state: `resume` and `drop`
        without a hold do nothing.
    """

    @property
    def held(self) -> bool:
        """Whether audio is held right now."""
        ...

    def hold(self, reason: str, budget_s: float = HOLD_BUDGET_S_MAX) -> bool:
        """Stop the agent's audio at the next sample boundary and keep the rest.

        Args:
            reason: Why, for the log; `PRIMARY_STOP` is the only one protected speech obeys.
            budget_s: Longest hold in seconds, in (0, 2.5]; larger values are cut to 2.5.

        Returns:
            True when audio is held after the call because of it; False when the hold was refused (nothing to hold,
            already held, or protected speech).
        """
        ...

    def resume(self, reason: str) -> None:
        """Continue from the same sample."""
        ...

    def drop(self, reason: str = "interruption") -> None:
        """Throw the held audio away; it is never resumed."""
        ...
