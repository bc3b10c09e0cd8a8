"""What has been released and not yet been heard: how much, of whom, and whether it is protected. Pure."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

FLIGHTS_MAX = 4096
"""Entries kept; beyond it the oldest are taken for heard."""

_EPSILON_S = 1e-4


@dataclass(slots=True)
class Flight:
    """A run of audio of one context."""

    seconds: float
    protected: bool
    context_id: str | None


class FlightLog:
    """First in, first out: released audio until the transport has written it."""

    def __init__(self) -> None:
        self._flights: deque[Flight] = deque(maxlen=FLIGHTS_MAX)
        self.last: Flight | None = None
        """The last audio that was written, None after the agent has stopped."""

    @property
    def seconds(self) -> float:
        """All that is in flight."""
        return sum(flight.seconds for flight in self._flights)

    def released(self, seconds: float, *, protected: bool, context_id: str | None) -> None:
        """Note released audio."""
        tail = self._flights[-1] if self._flights else None
        if tail is not None and tail.context_id == context_id and tail.protected == protected:
            tail.seconds += seconds
        else:
            self._flights.append(Flight(seconds, protected, context_id))

    def written(self, seconds: float, *, protected: bool) -> None:
        """Note that audio was written: the first in flight of its kind."""
        for flight in self._flights:
            if flight.protected == protected:
                self.last = Flight(seconds, protected, flight.context_id)
                flight.seconds -= seconds
                if flight.seconds <= _EPSILON_S:
                    self._flights.remove(flight)
                return
        self.last = Flight(seconds, protected, None)

    def after(self, seconds: float) -> Flight | None:
        """Return the audio that comes once `seconds` of what is in flight have been written, None if nothing does."""
        for flight in self._flights:
            if seconds < flight.seconds - _EPSILON_S:
                return flight
            seconds -= flight.seconds
        return None

    def interrupted(self) -> None:
        """Forget all that an interruption throws away."""
        self._flights = deque((flight for flight in self._flights if flight.protected), maxlen=FLIGHTS_MAX)
        if self.last is not None and not self.last.protected:
            self.last = None

    def forget(self, context_id: str) -> None:
        """Forget one context."""
        self._flights = deque((f for f in self._flights if f.context_id != context_id), maxlen=FLIGHTS_MAX)
        if self.last is not None and self.last.context_id == context_id:
            self.last = None

    def stopped(self) -> None:
        """Note that the agent is silent: nothing of it sounds any more."""
        self.last = None
