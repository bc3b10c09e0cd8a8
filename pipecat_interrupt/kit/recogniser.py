"""What the kit tells a recogniser, and what the overlap judgement is told of it.

Owns how a segmented recogniser (whole segments after voice detection, no unfinished words) is known.
"""

from __future__ import annotations

from pipecat.services.stt_service import SegmentedSTTService, STTService

from pipecat_interrupt.overlap.processor import OverlapProcessor


def acquaint(overlap: OverlapProcessor, stt: STTService | None) -> None:
    """Let each know of the other, as far as the recogniser allows it.

    Args:
        overlap: The kit's overlap judgement.
        stt: The pipeline's recogniser. Pipecat's `SegmentedSTTService` is known as segmented; any other may say so by
            an attribute `segments = True`. A recogniser with an attribute `on_segment` that is None gets the callback
            that reports segments without words.
    """
    if getattr(stt, "on_segment", False) is None:
        setattr(stt, "on_segment", overlap.on_segment)  # noqa: B010 - not every recogniser has it
    if isinstance(stt, SegmentedSTTService) or getattr(stt, "segments", False) is True:
        overlap.session.segmented()
        overlap.owed.segmented = True
