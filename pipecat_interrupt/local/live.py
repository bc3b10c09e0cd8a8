"""The scripted call's transports in real time, with the figures that say whether the machine kept up.

Owns two counts: input frames that came late, and silences in the agent's audio that nobody asked for. Both transports
stamp with `loop.time()`, so the two channels of the recording can be laid side by side to the sample.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pipecat.frames.frames import Frame, InputAudioRawFrame, InterruptionFrame, TTSStoppedFrame
from pipecat.processors.frame_processor import FrameDirection

from pipecat_interrupt.testing.transports import FRAME_S, Gap, ListenerOutput, ScriptedInput

LATE_S = 0.02
UNDERRUN_MIN_S = 0.015
SETTLE_S = 0.15
"""How far from a gap its reason may stand: one chunk in flight, one chunk being written, and the loop's delay."""


@dataclass(frozen=True, slots=True)
class LateFrame:
    """An input frame that came late: when it was due (loop time) and by how much."""

    due_s: float
    late_s: float


class PatientInput(ScriptedInput):
    """The patient's microphone: 20 ms frames in real time, with every late frame on record.

    A frame is late when it is pushed more than 20 ms after its time. The pump catches up, so a stall shows as several
    late frames and no audio is lost.

    Args:
        **kwargs: Passed to `ScriptedInput`.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.frames = 0
        self.late: list[LateFrame] = []
        self.worst_late_s = 0.0

    async def push_audio_frame(self, frame: InputAudioRawFrame) -> None:
        """Push a frame and note how late it is."""
        due_s = self.started_at_s + self.frames * FRAME_S
        late_s = asyncio.get_running_loop().time() - due_s
        self.frames += 1
        self.worst_late_s = max(self.worst_late_s, late_s)
        if late_s > LATE_S:
            self.late.append(LateFrame(due_s, late_s))
        await super().push_audio_frame(frame)

    def restart_statistics(self) -> None:
        """Forget what was late so far: the warm-up before the call is not the call."""
        self.late.clear()
        self.worst_late_s = 0.0


class LiveOutput(ListenerOutput):
    """The listener's ear in real time, knowing where a silence had a reason.

    Args:
        **kwargs: Passed to `ListenerOutput`.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.ends_s: list[float] = []

    async def push_frame(self, frame: Frame, direction: FrameDirection = FrameDirection.DOWNSTREAM) -> None:
        """Push a frame; the end of an utterance and an interruption are reasons for silence."""
        if direction == FrameDirection.DOWNSTREAM and isinstance(frame, TTSStoppedFrame | InterruptionFrame):
            self.ends_s.append(asyncio.get_running_loop().time())
        await super().push_frame(frame, direction)

    def underruns(self, held: Sequence[tuple[float, float]] = ()) -> list[Gap]:
        """Silences inside the agent's speech that nothing explains: audio that was not ready in time.

        Args:
            held: Loop times (from, to) between which the agent's audio was held on purpose.

        Returns:
            Gaps of at least 15 ms that neither an end of utterance nor an interruption nor a hold explains.
        """
        reasons = [(t, t) for t in self.ends_s] + list(held)
        return [
            gap
            for gap in self.gaps(UNDERRUN_MIN_S)
            if not any(a <= gap.start_s + gap.length_s + SETTLE_S and b >= gap.start_s - SETTLE_S for a, b in reasons)
        ]
