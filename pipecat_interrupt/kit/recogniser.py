"""What the kit tells a recogniser, and what the overlap judgement is told of it.

Owns how a segmented recogniser (whole segments after voice detection, no unfinished words) is known.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from pipecat.services.stt_service import SegmentedSTTService, STTService

from pipecat_interrupt.gate import SpeakerGateProcessor
from pipecat_interrupt.overlap.processor import OverlapProcessor


def acquaint(overlap: OverlapProcessor, stt: STTService | None, gate: SpeakerGateProcessor | None = None) -> None:
    """Let each know of the other, as far as the recogniser allows it.

    Args:
        overlap: The kit's overlap judgement.
        stt: The pipeline's recogniser. Pipecat's `SegmentedSTTService` is known as segmented; any other may say so by
            an attribute `segments = True`. A recogniser with an attribute `on_segment` that is None gets the callback
            that reports segments without words.
        gate: The kit's speaker gate; told of such segments too, so that each text is ruled on by its own voice.
    """
    if getattr(stt, "on_segment", False) is None:
        told = overlap.on_segment if gate is None else _both_told(overlap, gate)
        setattr(stt, "on_segment", told)  # noqa: B010 - not every recogniser has it
        overlap.owed.reports_all = True
    if isinstance(stt, SegmentedSTTService) or getattr(stt, "segments", False) is True:
        overlap.session.segmented()
        overlap.owed.segmented = True
        if gate is not None:
            gate.segments(in_order=overlap.owed.reports_all)


def _both_told(overlap: OverlapProcessor, gate: SpeakerGateProcessor) -> Callable[[str | None], Awaitable[None]]:
    async def on_segment(text: str | None) -> None:
        if text is None or not text.strip():
            gate.segment_empty()
        await overlap.on_segment(text)

    return on_segment


def words_on_their_way(overlap: OverlapProcessor) -> tuple[Callable[[bool], bool], Callable[[], float | None]]:
    """Two questions about the recogniser, for whoever speaks next.

    Returns:
        Whether words are owed (asked with True for a leave; else only a recogniser known to be slow is waited for), and
        how many seconds ago the voice of the last words had ended (None where the recogniser does not tell).
    """

    def now_s() -> float:
        return asyncio.get_running_loop().time()

    def owed(closing: bool) -> bool:
        return (closing or overlap.owed.slow) and overlap.owed.owed(now_s())

    def age_s() -> float | None:
        return None if overlap.owed.spoken_s is None else now_s() - overlap.owed.spoken_s

    return owed, age_s
