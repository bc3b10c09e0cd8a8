"""One turn of the caller as the gate keeps it between its beginning and its final verdict."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from speaker_gate.embedders import Embedding
from speaker_gate.facts import TurnVerdict
from speaker_gate.resampler import StreamResampler
from speaker_gate.turn import TurnTracker


@dataclass(slots=True, eq=False)
class OpenTurn:
    """One turn of the caller, from `CallGate.begin_turn` to `end_turn`; a handle, nothing in it is for callers.

    Parameters:
        start_s: Time of its first sample on the call's clock.
        rate_hz: Rate of its sound.
        agent_speaking: True when the agent was heard during it.
        tracker: Follows its voices; None when the rate cannot be used.
        stream: Brings its sound to 16 kHz.
        incoming: Sound heard and not yet looked at.
        verdict: The latest verdict.
        follows: The turn that ended a breath ago, which this may go on with; None without one.
        other: The other person's voice with which it ended; None where it did not end with one.
    """

    start_s: float
    rate_hz: int
    agent_speaking: bool
    tracker: TurnTracker | None = None
    stream: StreamResampler | None = None
    incoming: deque[NDArray[Any]] = field(default_factory=deque[NDArray[Any]])
    verdict: TurnVerdict | None = None
    follows: OpenTurn | None = None
    other: Embedding | None = None
