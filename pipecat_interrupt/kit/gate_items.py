"""Tells the speaker gate when another question is pending: whose reply it is may then be asked about once more."""

from __future__ import annotations

from obligations.tracker import Tracker
from pipecat_interrupt.facts import UtteranceRecord
from pipecat_interrupt.gate import SpeakerGateProcessor


class GateItems:
    """Listens to the delivery recorder, behind whoever moves the ledger.

    Args:
        gate: The call's gate.
        tracker: Knows which question is pending.
    """

    def __init__(self, gate: SpeakerGateProcessor, tracker: Tracker) -> None:
        self._gate, self._tracker = gate, tracker
        self._last: str | None = None

    def on_record(self, record: UtteranceRecord) -> None:
        """An utterance of the agent is settled; it may have put another question. The same one again is no other."""
        pending = self._tracker.ledger.call.pending_question
        if pending is not None and pending != self._last:
            self._last = pending
            self._gate.new_item()
