"""Where each part goes, and what is wrong with a pipeline that cannot carry them.

Owns the order of parts. A wrong placement is the main way such middleware fails silently, so it is refused with a
message that says where.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from pipecat.processors.aggregators.llm_response_universal import LLMAssistantAggregator, LLMUserAggregator
from pipecat.processors.frame_processor import FrameProcessor
from pipecat.services.llm_service import LLMService
from pipecat.services.stt_service import STTService
from pipecat.services.tts_service import TTSService
from pipecat.transports.base_input import BaseInputTransport
from pipecat.transports.base_output import BaseOutputTransport

from pipecat_interrupt.errors import PipelineError

ORDER: tuple[tuple[str, type[FrameProcessor], bool], ...] = (
    ("transport.input()", BaseInputTransport, False),
    ("the speech recogniser (STT)", STTService, False),
    ("the user aggregator (pair.user())", LLMUserAggregator, True),
    ("the language model (LLM)", LLMService, False),
    ("the voice (TTS)", TTSService, True),
    ("transport.output()", BaseOutputTransport, True),
    ("the assistant aggregator (pair.assistant())", LLMAssistantAggregator, True),
)


@dataclass(frozen=True, slots=True)
class Anchors:
    """The processors that the parts are placed around."""

    user: LLMUserAggregator
    tts: TTSService
    output: BaseOutputTransport
    assistant: LLMAssistantAggregator
    stt: STTService | None
    llm: LLMService | None


def _check_list(processors: object) -> None:
    if not isinstance(processors, list | tuple):
        raise PipelineError(
            f"instrument() takes the list of the bot's processors, [transport.input(), stt, ...], not"
            f" {type(processors).__name__}; Pipeline(...) is made of what it gives back"
        )
    for place, one in enumerate(cast("Sequence[object]", processors)):
        if not isinstance(one, FrameProcessor):
            raise PipelineError(
                f"position {place} of the list given to instrument() is {type(one).__name__}, no processor of Pipecat"
            )


def find_anchors(processors: Sequence[FrameProcessor]) -> Anchors:
    """Find the anchors and check that they stand in the one order that works.

    Raises:
        PipelineError: An anchor is missing, stands twice or in the wrong place; the message says which and where.
    """
    _check_list(processors)
    found: dict[type[FrameProcessor], tuple[int, FrameProcessor]] = {}
    last_place, last_name = -1, ""
    for name, kind, needed in ORDER:
        places = [i for i, p in enumerate(processors) if isinstance(p, kind)]
        if len(places) > 1:
            raise PipelineError(f"{name} stands {len(places)} times in the pipeline (positions {places}); use one")
        if not places:
            if needed:
                raise PipelineError(f"{name} is missing from the list given to instrument(); add it")
            continue
        if places[0] < last_place:
            raise PipelineError(
                f"{name} stands at position {places[0]}, before {last_name} at position {last_place}; move it behind"
            )
        last_place, last_name = places[0], name
        found[kind] = (places[0], processors[places[0]])

    def at(kind: type[FrameProcessor]) -> FrameProcessor | None:
        return found[kind][1] if kind in found else None

    user, tts, output, assistant = (
        at(k) for k in (LLMUserAggregator, TTSService, BaseOutputTransport, LLMAssistantAggregator)
    )
    stt, llm = at(STTService), at(LLMService)
    assert isinstance(user, LLMUserAggregator) and isinstance(tts, TTSService)
    assert isinstance(output, BaseOutputTransport) and isinstance(assistant, LLMAssistantAggregator)
    assert stt is None or isinstance(stt, STTService)
    assert llm is None or isinstance(llm, LLMService)
    return Anchors(user, tts, output, assistant, stt, llm)


@dataclass(frozen=True, slots=True)
class PartList:
    """The parts by place; each list keeps its order."""

    first: tuple[FrameProcessor, ...]
    before_user: tuple[FrameProcessor, ...]
    after_user: tuple[FrameProcessor, ...]
    before_tts: tuple[FrameProcessor, ...]
    after_tts: tuple[FrameProcessor, ...]
    before_output: tuple[FrameProcessor, ...]
    after_output: tuple[FrameProcessor, ...]


def place(processors: Sequence[FrameProcessor], anchors: Anchors, parts: PartList) -> list[FrameProcessor]:
    """Give the pipeline with every part in its place; the caller's processors keep their order."""
    placed: list[FrameProcessor] = [*parts.first]
    for processor in processors:
        if processor is anchors.user:
            placed += [*parts.before_user, processor, *parts.after_user]
        elif processor is anchors.tts:
            placed += [*parts.before_tts, processor, *parts.after_tts]
        elif processor is anchors.output:
            placed += [*parts.before_output, processor, *parts.after_output]
        else:
            placed.append(processor)
    return placed
