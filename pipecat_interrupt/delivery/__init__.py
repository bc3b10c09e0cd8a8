"""Delivery accounting: what was intended, what was delivered to the ear, where it was cut."""

from pipecat_interrupt.delivery.config import DeliveryConfig
from pipecat_interrupt.delivery.context_repair import INTERRUPTED, ContextRepair, CutMark
from pipecat_interrupt.delivery.frames import FillerAudioFrame, HeardTextFrame
from pipecat_interrupt.delivery.playout import FixedLag, Heard, Playout
from pipecat_interrupt.delivery.position import Position
from pipecat_interrupt.delivery.recorder import DeliveryRecorder, RecordListener, StartListener
from pipecat_interrupt.delivery.tool_calls import ToolCallRepair

__all__ = [
    "INTERRUPTED",
    "ContextRepair",
    "CutMark",
    "DeliveryConfig",
    "DeliveryRecorder",
    "FillerAudioFrame",
    "FixedLag",
    "Heard",
    "HeardTextFrame",
    "Playout",
    "Position",
    "RecordListener",
    "StartListener",
    "ToolCallRepair",
]
