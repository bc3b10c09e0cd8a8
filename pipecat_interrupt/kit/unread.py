"""Where sound that nobody reads any more leaves the pipeline.

Owns the question who reads it. Pipecat carries every frame to the end of a pipeline: the caller's audio on through
model, voice and transport, the agent's on through the assistant aggregator, and every step of it is a queue and a turn
of a task, up to fifty times a second (docs/decisions/0014).
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from types import CodeType, FunctionType

from pipecat.frames.frames import AggregatedTextProgressFrame, Frame, InputAudioRawFrame, TTSAudioRawFrame
from pipecat.processors.aggregators.llm_response_universal import LLMAssistantAggregator
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor
from pipecat.services.llm_service import LLMService
from pipecat.services.tts_service import TTSService
from pipecat.transports.base_output import BaseOutputTransport

from pipecat_interrupt.hold.express import CALLER_AUDIO, TALK_FRAMES, ExpressAudio

KNOWN = (LLMService, TTSService, BaseOutputTransport, LLMAssistantAggregator)
"""Kinds of processors whose classes are looked into; any other counts as one that reads."""

NAMES = frozenset({"InputAudioRawFrame", "UserAudioRawFrame", "AudioRawFrame"})
"""What a class that acts on the caller's audio calls it by."""

WAYS_IN = frozenset({"process_frame", "queue_frame"})
"""Where a frame comes into a processor."""

AT_THE_END: frozenset[type[Frame]] = CALLER_AUDIO | {TTSAudioRawFrame, AggregatedTextProgressFrame}
"""What the assistant aggregator only passes on. Heartbeats of sound go on to the end: a flush goes by them."""


class CallerAudioEnd(ExpressAudio):
    """Stands directly behind the user aggregator: the caller's audio goes no further.

    Args:
        lookers: Parts further on that glance at it; they see it from here.
    """

    express_frames = TALK_FRAMES
    glanced_frames = CALLER_AUDIO

    def __init__(self, lookers: Sequence[ExpressAudio]) -> None:
        super().__init__(enable_direct_mode=True)
        self.unread_behind = CALLER_AUDIO
        self._lookers = tuple(lookers)

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Pass on what takes no short way."""
        await super().process_frame(frame, direction)
        await self.push_frame(frame, direction)

    def glance(self, frame: Frame, direction: FrameDirection) -> None:
        """Let those look who would have."""
        for part in self._lookers:
            part.glance(frame, direction)


def end_unread(placed: Sequence[FrameProcessor], user: FrameProcessor) -> list[FrameProcessor]:
    """End the caller's audio behind the user aggregator, and the agent's before the assistant aggregator.

    Args:
        placed: The whole pipeline with its parts.
        user: The user aggregator.

    Returns:
        The pipeline, with one part more where the caller's audio ends. Where anybody behind may read a sound it goes on
        as ever: processors of the application, and models that hear (`reads_caller_audio`).
    """
    at = list(placed).index(user) + 1
    behind = placed[at:]
    ends = next((i for i, one in enumerate(behind) if type(one) is LLMAssistantAggregator), 0)
    last = behind[ends - 1] if ends and ends == len(behind) - 1 else None
    if isinstance(last, ExpressAudio):
        last.unread_behind = frozenset(kind for kind in AT_THE_END if last.lets_by(kind))
    if any(reads_caller_audio(one) for one in behind):
        return list(placed)
    lookers = [one for one in behind if isinstance(one, ExpressAudio) and one.looks_at(InputAudioRawFrame)]
    return [*placed[:at], CallerAudioEnd(lookers), *behind]


def reads_caller_audio(processor: FrameProcessor) -> bool:
    """Whether a processor may act on the caller's audio; on doubt it does.

    A part of ours says so by its short way. A class outside Pipecat that takes frames in itself counts as one that
    reads, unless it says `reads_caller_audio = False`. A class of Pipecat's reads when its code names such a frame, as
    every speech-to-speech service does.
    """
    if isinstance(processor, ExpressAudio):
        return not all(processor.lets_by(kind) for kind in CALLER_AUDIO)
    classes = type(processor).__mro__
    return any(_may_read(cls, processor) for cls in classes[: classes.index(FrameProcessor)])


def _may_read(cls: type, processor: FrameProcessor) -> bool:
    said = vars(cls).get("reads_caller_audio")
    if isinstance(said, bool):
        return said
    if not cls.__module__.startswith("pipecat."):
        return not WAYS_IN.isdisjoint(vars(cls))
    return not isinstance(processor, KNOWN) or any(name in NAMES for name in _names_in(cls))


def _names_in(cls: type) -> Iterator[str]:
    """Names that the methods of a class use."""
    for member in vars(cls).values():
        function = inspect.unwrap(member) if callable(member) else None
        if isinstance(function, FunctionType):
            yield from _names_of(function.__code__)


def _names_of(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names_of(constant)
