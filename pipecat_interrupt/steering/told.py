"""What the tracker is told: how much of an utterance was heard (live and in a replay), and a turn of the far end."""

from __future__ import annotations

from dataclasses import dataclass

from obligations.answers.protocol import ReplySpeaker
from obligations.tracker import Delivery
from pipecat_interrupt.facts import UtteranceRecord


@dataclass(frozen=True, slots=True)
class Said:
    """A turn of the far end.

    Parameters:
        text: Its words.
        speaker: Whose they are held to be.
        by_voice: The gate knew the voice of all of them as the patient's.
        spoken: They came by voice, and were not put into the history by the application.
        unconfirmed: They are to be confirmed before they close anything.
    """

    text: str
    speaker: ReplySpeaker = ReplySpeaker.PRIMARY
    by_voice: bool = False
    spoken: bool = True
    unconfirmed: bool = False


def delivery_of(record: UtteranceRecord) -> Delivery:
    """Say how much of an utterance was heard, as its record says it."""
    return Delivery(
        utterance_id=record.id,
        delivered_chars=len(record.delivered),
        complete=record.cut is None,
        interrupted=record.end_reason == "interruption",
        exactness="exact" if record.cut is None else record.cut.exactness,
    )
