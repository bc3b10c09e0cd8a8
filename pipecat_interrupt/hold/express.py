"""A short way for frames a part only glances at, or not even that.

The caller's audio passes every processor of a pipeline, fifty times a second. A direct-mode hop costs some 10 us of CPU
(docs/metrics/cost.md), most of it Pipecat's own bookkeeping for a frame the part will not look at.
"""

from __future__ import annotations

from typing import ClassVar

from loguru import logger
from pipecat.frames.frames import (
    AggregatedTextProgressFrame,
    BotSpeakingFrame,
    Frame,
    InputAudioRawFrame,
    TTSAudioRawFrame,
    TTSTextFrame,
    UserAudioRawFrame,
    UserSpeakingFrame,
)
from pipecat.processors.frame_processor import FrameCallback, FrameDirection, FrameProcessor

CONSTANT_FRAMES: frozenset[type[Frame]] = frozenset(
    {InputAudioRawFrame, UserAudioRawFrame, BotSpeakingFrame, UserSpeakingFrame}
)
"""The caller's audio, and the heartbeats that go with sound, by exact class."""

AGENT_AUDIO: frozenset[type[Frame]] = frozenset({TTSAudioRawFrame, AggregatedTextProgressFrame})
"""The agent's audio and the progress that goes with it, by exact class: filler written during a hold is a subclass and
is looked at."""

AGENT_SPEECH: frozenset[type[Frame]] = AGENT_AUDIO | {TTSTextFrame}
"""The same with the words, for parts that do not read them."""


class ExpressAudio(FrameProcessor):
    """Base of direct-mode parts that do nothing to the caller's audio: it goes straight to the neighbour.

    A part that must see it (levels, a pre-roll, an account of what was written) overrides `glance`; one that must act
    on it at times overrides `takes_short_way`.

    `express_frames` names the exact classes that take the short way; a part may add to them. Subclasses of others'
    making do not take it.

    Promises: order is kept, because a direct-mode part has no queue to overtake. Observers do not see the hop through
    this part for these frames; they see them at every other processor.
    """

    express_frames: ClassVar[frozenset[type[Frame]]] = CONSTANT_FRAMES

    async def queue_frame(
        self,
        frame: Frame,
        direction: FrameDirection = FrameDirection.DOWNSTREAM,
        callback: FrameCallback | None = None,
    ) -> None:
        """Hand the caller's audio on, past all neighbours that let it by as well; take everything else in."""
        if callback is not None or not self._lets_by(frame):
            await super().queue_frame(frame, direction, callback)
            return
        part: ExpressAudio = self
        downstream = direction is FrameDirection.DOWNSTREAM
        while (neighbour := part.next if downstream else part.previous) is not None:
            part._look(frame, direction)
            if not isinstance(neighbour, ExpressAudio) or not neighbour._lets_by(frame):
                await neighbour.queue_frame(frame, direction)
                return
            part = neighbour
        await super(ExpressAudio, part).queue_frame(frame, direction)

    def _lets_by(self, frame: Frame) -> bool:
        return not self._cancelling and self.takes_short_way(frame)

    def _look(self, frame: Frame, direction: FrameDirection) -> None:
        try:
            self.glance(frame, direction)
        except Exception as error:  # noqa: BLE001  # a glance that fails never keeps the audio
            logger.opt(exception=error).error("{}: a glance failed; the audio goes on", type(self).__name__)

    def takes_short_way(self, frame: Frame) -> bool:
        """Whether this frame goes straight to the neighbour."""
        return type(frame) in self.express_frames

    def glance(self, frame: Frame, direction: FrameDirection) -> None:
        """See an express frame go by. Must return at once; does nothing unless overridden."""
