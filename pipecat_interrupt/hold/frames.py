"""Frames the hold sends through the transport's own audio queue, to learn or to say something in audio order.

Both are taken out again by the `AckTap` behind the transport; nobody else sees them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from pipecat.frames.frames import ControlFrame


@dataclass
class HoldKeepAliveFrame(ControlFrame):
    """Resets the transport's 3 s "bot stopped" fallback without writing audio: the held agent still has the floor."""


@dataclass
class ProtectedEndFrame(ControlFrame):
    """Follows the last audio of a protected utterance.

    Parameters:
        context_id: TTS context of the utterance.
    """

    context_id: str
    interruptible: bool = field(default=False, init=False)
