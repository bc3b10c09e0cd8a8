"""Tells the speaker gate whose voice it has learned: what the pathway's right-party check finds out.

Whoever answers the telephone speaks first, so theirs is the voice that is learned first. Until somebody has said to be
the patient it is nobody's in particular; when somebody else turns out to be on the line, it is theirs.
"""

from __future__ import annotations

from typing import Any

from loguru import logger

from obligations.answers.protocol import ReplySpeaker
from obligations.pathway.models import Precondition
from pipecat_interrupt.gate import SpeakerGateProcessor
from pipecat_interrupt.journal.entries import JournalEntry, LedgerMoved

SOMEBODY_ELSE = frozenset({"someone_else", "fetching", "absent", "bereaved", "wrong_person"})
"""What a reply says by which whoever speaks is not the patient; the ledger knows these during the check alone, the last
one at any time."""


class GateParty:
    """Listens to the journal for what the ledger made of the right-party check.

    Args:
        gate: The call's gate.
        check: The pathway's right-party check; None when it has none.
    """

    def __init__(self, gate: SpeakerGateProcessor, check: Precondition | None) -> None:
        self._gate, self._check = gate.gate, check

    def on_entry(self, entry: JournalEntry) -> None:
        """Take one entry of the journal."""
        if isinstance(entry.data, LedgerMoved):
            try:
                self._moved(entry.data.event)
            except Exception as error:
                logger.warning("the gate was not told who is on the line: {}", type(error).__name__)

    def _moved(self, event: dict[str, Any]) -> None:
        if event["kind"] == "replied":  # a voice known as somebody else's asks nothing of the call
            if SOMEBODY_ELSE & set(event["intents"]):
                self._gate.reset_primary()
        elif event.get("speaker") == ReplySpeaker.THIRD_PARTY or self._check is None:
            return  # somebody else's word says nothing about whose voice was learned
        elif event["kind"] == "item_step" and event["item_id"] == self._check.question and event["step"] == "answered":
            if event["value"] in self._check.needs:
                self._gate.confirm_primary()
            else:
                self._gate.reset_primary()
