"""A short way for frames a part only glances at, or not even that.

The caller's audio passes every processor of a pipeline, fifty times a second. A direct-mode hop costs some 10 us of CPU
(docs/metrics/cost.md), most of it Pipecat's own bookkeeping for a frame the part will not look at.
"""

from __future__ import annotations

from typing import ClassVar

from pipecat.frames.frames import Frame, InputAudioRawFrame, UserAudioRawFrame
from pipecat.processors.frame_processor import FrameCallback, FrameDirection, FrameProcessor


class ExpressAudio(FrameProcessor):
    """Base of direct-mode parts that do nothing to the caller's audio: it goes straight to the neighbour.

    A part that must see it (levels, a pre-roll) overrides `glance`.

    `express_frames` names the exact classes that take the short way; a part may add to them. Subclasses of others'
    making do not take it.

    Promises: order is kept, because a direct-mode part has no queue to overtake. Observers do not see the hop through
    this part for these frames; they see them at every other processor.
    """

    express_frames: ClassVar[frozenset[type[Frame]]] = frozenset({InputAudioRawFrame, UserAudioRawFrame})

    async def queue_frame(
        self,
        frame: Frame,
        direction: FrameDirection = FrameDirection.DOWNSTREAM,
        callback: FrameCallback | None = None,
    ) -> None:
        """Hand the caller's audio on, take everything else in."""
        if callback is None and type(frame) in self.express_frames and not self._cancelling:
            neighbour = self.next if direction is FrameDirection.DOWNSTREAM else self.previous
            if neighbour is not None:
                self.glance(frame, direction)
                await neighbour.queue_frame(frame, direction)
                return
        await super().queue_frame(frame, direction, callback)

    def glance(self, frame: Frame, direction: FrameDirection) -> None:
        """See an express frame go by. Must return at once and not raise; does nothing unless overridden."""
