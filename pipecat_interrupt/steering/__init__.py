"""Steering: from the tracker's moves to what is said, and the door that no call leaves by in silence."""

from pipecat_interrupt.steering.acknowledge import (
    Acknowledger,
    ChoosingAcknowledger,
    PathwayAcknowledger,
    WritingAcknowledger,
)
from pipecat_interrupt.steering.call_frame import CallFrame, frame_notices, join_frame, lint_transfer, policy_for
from pipecat_interrupt.steering.clock import CallClock
from pipecat_interrupt.steering.conductor import Conductor
from pipecat_interrupt.steering.door import EndDoor
from pipecat_interrupt.steering.model_watch import ModelTap, ModelWatch
from pipecat_interrupt.steering.placing import end_door, model_taps
from pipecat_interrupt.steering.processor import SteeringProcessor
from pipecat_interrupt.steering.service_acknowledger import ServiceAcknowledger, service_writer
from pipecat_interrupt.steering.settings import SteeringSettings
from pipecat_interrupt.steering.taps import CallCloser, WordsTap
from pipecat_interrupt.steering.transfer import Transfer, TransferFailed, TransferRequest

__all__ = [
    "Acknowledger",
    "CallClock",
    "CallCloser",
    "CallFrame",
    "ChoosingAcknowledger",
    "Conductor",
    "EndDoor",
    "ModelTap",
    "ModelWatch",
    "PathwayAcknowledger",
    "ServiceAcknowledger",
    "SteeringProcessor",
    "SteeringSettings",
    "Transfer",
    "TransferFailed",
    "TransferRequest",
    "WordsTap",
    "WritingAcknowledger",
    "end_door",
    "frame_notices",
    "join_frame",
    "lint_transfer",
    "model_taps",
    "policy_for",
    "service_writer",
]
