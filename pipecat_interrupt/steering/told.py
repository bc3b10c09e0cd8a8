"""What the tracker is told of an utterance that is over: one translation, live and in a replay."""

from __future__ import annotations

from obligations.tracker import Delivery
from pipecat_interrupt.facts import UtteranceRecord


def delivery_of(record: UtteranceRecord) -> Delivery:
    """Say how much of an utterance was heard, as its record says it."""
    return Delivery(
        utterance_id=record.id,
        delivered_chars=len(record.delivered),
        complete=record.cut is None,
        interrupted=record.end_reason == "interruption",
        exactness="exact" if record.cut is None else record.cut.exactness,
    )
