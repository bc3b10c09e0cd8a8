"""The two parts of steering that stand away from its processor: the end door, and the tap behind the model.

Owns joining them to a conductor.
"""

from __future__ import annotations

from pipecat.processors.frame_processor import FrameProcessor

from pipecat_interrupt.steering.conductor import Conductor
from pipecat_interrupt.steering.door import EndDoor
from pipecat_interrupt.steering.model_watch import ModelTap


def end_door(conductor: Conductor | None) -> EndDoor:
    """Make the door that asks a conductor; without one every end passes. Place it first."""
    if conductor is None:
        return EndDoor(_passes)

    async def may_pass(reason: str) -> bool:
        return await conductor.may_end("end_frame")

    def closed() -> int:
        return sum(record.closed for record in conductor.tracker.ledger.items.values())

    door = EndDoor(may_pass, progress=closed, time_up=conductor.time_up)
    conductor.release_end = door.open
    return door


def model_taps(conductor: Conductor | None) -> tuple[FrameProcessor, ...]:
    """Make the tap that tells a conductor what its model brings; () without one. Place it behind the model."""
    return () if conductor is None else (ModelTap(conductor.model, conductor.model_failed),)


async def _passes(reason: str) -> bool:
    return True
