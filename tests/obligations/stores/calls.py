"""Small ledgers and hand-offs for the store tests."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from obligations import Event, Handoff, Tracker
from obligations.ledger import Started
from obligations.testing import PlainReader, ScriptedCall, a_pathway, a_point, a_question

PATHWAY = a_pathway(
    a_question("pain", "Have you had any pain?", "pain", critical=True),
    a_point("drops", "Use the drops twice a day.", critical=True),
)


def marks(first: int, count: int, name: str = "u") -> list[Event]:
    """Events that carry their writer's name: stores do not read them."""
    return [Started(seq=first + n, at_s=float(first + n), utterance_id=f"{name}{first + n}") for n in range(count)]


def names(events: Sequence[Event]) -> list[str]:
    return [event.utterance_id for event in events if isinstance(event, Started)]


def a_call(call_id: str = "call-1") -> ScriptedCall:
    return ScriptedCall(Tracker(PATHWAY, call_id=call_id, reader=PlainReader()))


def a_handoff(call_id: str = "call-1", end_reason: str = "hangup") -> Handoff:
    return a_call(call_id).tracker.handoff(end_reason, 3.0)


def too_deep(folder: Path) -> None:
    """Make folders in folders until their path is too long to be opened: unreadable for every user, root as well."""
    folder.mkdir()
    above = os.open(folder, os.O_RDONLY)
    for _ in range(20):
        os.mkdir("d" * 250, dir_fd=above)
        below = os.open("d" * 250, os.O_RDONLY, dir_fd=above)
        os.close(above)
        above = below
    os.close(above)
