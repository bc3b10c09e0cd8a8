"""One turn of the caller as the gate keeps it between its beginning and its final verdict."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from speaker_gate.audio import as_mono
from speaker_gate.embedders import Embedding
from speaker_gate.errors import BadAudio
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

    def take_in(self, final: bool, fault: Callable[[Exception], None]) -> None:
        """Bring what was heard to 16 kHz and give it to the tracker; odd arrays are told to `fault` and left out."""
        if self.tracker is None or self.stream is None:
            return
        parts: list[NDArray[np.float32]] = []
        while self.incoming:
            try:
                part = as_mono(self.incoming.popleft())
                if not np.isfinite(part).all():  # silence: one such sample would spoil all that is filtered with it
                    fault(BadAudio("samples that are not finite"))
                    part = np.nan_to_num(part, nan=0.0, posinf=0.0, neginf=0.0)
                parts.append(part)
            except Exception as error:
                fault(error)
        joined = np.concatenate(parts) if parts else np.zeros(0, dtype=np.float32)
        self.tracker.hear(self.stream.feed(joined, last=final))
