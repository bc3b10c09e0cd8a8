"""A short way for frames a part only glances at, or not even that.

The caller's audio passes every processor of a pipeline, fifty times a second; words, replies and news of turns pass
them all as well. A direct-mode hop costs some 10 us of CPU (docs/metrics/cost.md), most of it Pipecat's own bookkeeping
for a frame the part will not look at.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from loguru import logger
from pipecat.frames.frames import (
    AggregatedTextFrame,
    AggregatedTextProgressFrame,
    BotSpeakingFrame,
    BotStartedSpeakingFrame,
    BotStoppedSpeakingFrame,
    CancelFrame,
    Frame,
    InputAudioRawFrame,
    InterimTranscriptionFrame,
    LLMContextAssistantTimestampFrame,
    LLMContextAssistantTurnFrame,
    LLMContextUserTurnFrame,
    LLMFullResponseEndFrame,
    LLMFullResponseStartFrame,
    LLMTextFrame,
    MetricsFrame,
    TTSAudioRawFrame,
    TTSStartedFrame,
    TTSStoppedFrame,
    TTSTextFrame,
    UserAudioRawFrame,
    UserSpeakingFrame,
    UserStartedSpeakingFrame,
    UserStoppedSpeakingFrame,
    VADUserStartedSpeakingFrame,
    VADUserStoppedSpeakingFrame,
)
from pipecat.processors.frame_processor import FrameCallback, FrameDirection, FrameProcessor, FrameProcessorSetup

if TYPE_CHECKING:
    from pipecat.pipeline.worker import PipelineWorker

CONSTANT_FRAMES: frozenset[type[Frame]] = frozenset(
    {InputAudioRawFrame, UserAudioRawFrame, BotSpeakingFrame, UserSpeakingFrame}
)
"""The caller's audio, and the heartbeats that go with sound, by exact class."""

AGENT_AUDIO: frozenset[type[Frame]] = frozenset({TTSAudioRawFrame, AggregatedTextProgressFrame})
"""The agent's audio and the progress that goes with it, by exact class: filler written during a hold is a subclass and
is looked at."""

AGENT_SPEECH: frozenset[type[Frame]] = AGENT_AUDIO | {TTSTextFrame}
"""The same with the words, for parts that do not read them."""

REPLY_FRAMES: frozenset[type[Frame]] = frozenset(
    {
        AggregatedTextFrame,
        LLMFullResponseEndFrame,
        LLMFullResponseStartFrame,
        LLMTextFrame,
        TTSStartedFrame,
        TTSStoppedFrame,
    }
)
"""What else a reply is made of, for parts that have nothing to do with replies."""

TURN_NEWS: frozenset[type[Frame]] = frozenset(
    {
        BotStartedSpeakingFrame,
        BotStoppedSpeakingFrame,
        InterimTranscriptionFrame,
        LLMContextAssistantTimestampFrame,
        LLMContextAssistantTurnFrame,
        LLMContextUserTurnFrame,
        MetricsFrame,
        UserStartedSpeakingFrame,
        UserStoppedSpeakingFrame,
        VADUserStartedSpeakingFrame,
        VADUserStoppedSpeakingFrame,
    }
)
"""What tells every processor of a turn and moves nothing by itself; a part that acts on one leaves it out."""

TALK_FRAMES: frozenset[type[Frame]] = CONSTANT_FRAMES | AGENT_SPEECH | REPLY_FRAMES | TURN_NEWS
"""All of these, for parts that wait for something else."""

CALLER_AUDIO: frozenset[type[Frame]] = frozenset({InputAudioRawFrame, UserAudioRawFrame})
"""The caller's audio alone, by exact class."""


@dataclass(frozen=True, slots=True)
class _Row:
    """How one class of frame goes from a part one way: past whom, and to whom.

    Parameters:
        linking: `ExpressAudio._linking` when the row was walked.
        lookers: Parts on the way that glance at the frame, in order.
        last: The last part that lets it by; None when the first takes it in.
        neighbour: Who gets it; None when the first part takes it in.
        ends: Whether nobody behind the last part reads it.
    """

    linking: int
    lookers: tuple[ExpressAudio, ...] = ()
    last: ExpressAudio | None = None
    neighbour: FrameProcessor | None = None
    ends: bool = False

    def ends_as_linked(self) -> bool:
        """Whether who stands before the last part still does: processors of others are linked without a word to us."""
        return self.last is None or self.last.previous is self.neighbour


class ExpressAudio(FrameProcessor):
    """Base of direct-mode parts that do nothing to the caller's audio: it goes straight to the neighbour.

    A part that must see it (levels, a pre-roll, an account of what was written) overrides `glance`; one that must act
    on it at times overrides `takes_short_way`, and is then asked at every frame. Words, replies and news of turns go
    the same way past parts that name them.

    `express_frames` names the exact classes that take the short way, `glanced_frames` those of them that `glance` looks
    at (None is all of them); a class may change either. Subclasses of others' making do not take the short way.

    A row of such parts is walked once for each class of frame: who looks on the way and where it ends is remembered
    until parts are linked anew or the pipeline is cancelled.

    `unread_behind` names the classes that nobody behind this part reads, on their way down: they go no further, unless
    the worker was asked to tell when one reaches the end. Whoever places the part sets it before the parts are linked.

    Promises: order is kept, because a direct-mode part has no queue to overtake. Observers do not see the hop through
    this part for these frames; they see them at every other processor.
    """

    express_frames: ClassVar[frozenset[type[Frame]]] = CONSTANT_FRAMES
    glanced_frames: ClassVar[frozenset[type[Frame]] | None] = None
    _linking: ClassVar[int] = 0
    unread_behind: frozenset[type[Frame]] = frozenset()

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._down: dict[type[Frame], _Row] = {}
        self._up: dict[type[Frame], _Row] = {}
        self._is_asked = type(self).takes_short_way is not ExpressAudio.takes_short_way
        self._looks = type(self).glance is not ExpressAudio.glance
        self._worker: PipelineWorker | None = None

    async def setup(self, setup: FrameProcessorSetup) -> None:
        """Learn whose pipeline this is."""
        await super().setup(setup)
        self._worker = setup.pipeline_worker

    def link(self, processor: FrameProcessor) -> None:
        """Link this part to the next one; rows remembered so far are walked again."""
        super().link(processor)
        _forget_rows()

    async def queue_frame(
        self,
        frame: Frame,
        direction: FrameDirection = FrameDirection.DOWNSTREAM,
        callback: FrameCallback | None = None,
    ) -> None:
        """Hand an express frame on, past all neighbours that let it by as well; take everything else in."""
        if callback is None and not self._cancelling and (not self._is_asked or self.takes_short_way(frame)):
            down = direction is FrameDirection.DOWNSTREAM
            row = self._down.get(type(frame)) if down else self._up.get(type(frame))
            if row is None or row.linking != ExpressAudio._linking or not (down or row.ends_as_linked()):
                row = self._walk(type(frame), direction)
            if row.neighbour is not None:
                for part in row.lookers:
                    part._look(frame, direction)
                if not row.ends or (row.last or self)._is_waited_for(frame):
                    await row.neighbour.queue_frame(frame, direction)
                return
        await super().queue_frame(frame, direction, callback)
        if isinstance(frame, CancelFrame):  # a part that is cancelling drops what comes: a row ends before it
            _forget_rows()

    def _walk(self, kind: type[Frame], direction: FrameDirection) -> _Row:
        """Find the row of one class of frame and remember it."""
        rows = self._down if direction is FrameDirection.DOWNSTREAM else self._up
        rows[kind] = self._found(kind, direction)
        return rows[kind]

    def _found(self, kind: type[Frame], direction: FrameDirection) -> _Row:
        if not (self._is_asked or kind in self.express_frames) or self._beside(direction) is None:
            return _Row(ExpressAudio._linking)
        row: list[ExpressAudio] = [self]
        while not (ends := direction is FrameDirection.DOWNSTREAM and kind in row[-1].unread_behind):
            part = row[-1]._beside(direction)
            if not isinstance(part, ExpressAudio) or not part._lets_all_by(kind, direction):
                break
            row.append(part)
        lookers = tuple(part for part in row if part.looks_at(kind))
        return _Row(ExpressAudio._linking, lookers, row[-1], row[-1]._beside(direction), ends)

    def lets_by(self, kind: type[Frame]) -> bool:
        """Whether every frame of a class goes by this part, looked at or not."""
        return not self._is_asked and kind in self.express_frames

    def looks_at(self, kind: type[Frame]) -> bool:
        """Whether this part glances at frames of a class that go by."""
        return self._looks and (self.glanced_frames is None or kind in self.glanced_frames)

    def _is_waited_for(self, frame: Frame) -> bool:
        """Whether the application wants to be told when such a frame has reached the end of the pipeline."""
        return self._worker is None or isinstance(frame, self._worker.reached_downstream_types)

    def _lets_all_by(self, kind: type[Frame], direction: FrameDirection) -> bool:
        """Whether every frame of a class goes by, without asking; the last of all has nobody to let it by to."""
        return self.lets_by(kind) and not self._cancelling and self._beside(direction) is not None

    def _beside(self, direction: FrameDirection) -> FrameProcessor | None:
        return self.next if direction is FrameDirection.DOWNSTREAM else self.previous

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


def _forget_rows() -> None:
    """Make every remembered row stale, in any pipeline: walking one again costs microseconds, and it is rare."""
    ExpressAudio._linking += 1
