"""Frames of delivery accounting."""

from __future__ import annotations

from dataclasses import dataclass

from pipecat.frames.frames import SystemFrame, TextFrame, TTSAudioRawFrame


@dataclass
class HeardTextFrame(SystemFrame, TextFrame):
    """Agent text that reached the ear, on its way into the model's history.

    A system frame, as Pipecat's own `InputTextRawFrame` is: it stands in the aggregator's input queue in front of the
    `InterruptionFrame` that follows it, so no interruption can overtake or drop it.
    """


@dataclass
class FillerAudioFrame(TTSAudioRawFrame):
    """Audio written for its length only, such as silence during a hold; it is nobody's speech and never counted.

    The class survives the output's re-chunking, which metadata does not.
    """
