"""Carrier truth: playback marks say what a telephone carrier has really played."""

from pipecat_interrupt.carrier.marks import LagFigures, MarkBook, MarkConfig
from pipecat_interrupt.carrier.playback import CarrierPlayback, MarkTap
from pipecat_interrupt.carrier.protocols import ExotelMarks, MarkProtocol, PlivoMarks, TelnyxMarks, TwilioMarks
from pipecat_interrupt.carrier.serializers import (
    ExotelMarkSerializer,
    PlivoMarkSerializer,
    TelnyxMarkSerializer,
    TwilioMarkSerializer,
)

__all__ = [
    "CarrierPlayback",
    "ExotelMarkSerializer",
    "ExotelMarks",
    "LagFigures",
    "MarkBook",
    "MarkConfig",
    "MarkProtocol",
    "MarkTap",
    "PlivoMarkSerializer",
    "PlivoMarks",
    "TelnyxMarkSerializer",
    "TelnyxMarks",
    "TwilioMarkSerializer",
    "TwilioMarks",
]
