"""The hand-off says why a call ended: what the call knows of its own end first, then who told it to end."""

from __future__ import annotations

import pytest

from obligations.answers.reader import LocalAnswerReader
from obligations.pathway import load_pathway
from obligations.tracker import Tracker
from pipecat_interrupt.journal import JournalWriter, MemorySink
from pipecat_interrupt.kit.closing import CallClosing
from pipecat_interrupt.steering import CallClock, WordsTap

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("told", "reason", "said", "why"),
    [
        ("", "end", "completed", "completed"),
        ("", "hang_up", "completed", "hang_up"),
        ("drained", "end", "completed", "drained"),
        ("drained", "end", "hold_limit", "drained"),
        ("too_long", "end", None, "too_long"),
        ("drained", "hang_up", None, "drained"),  # the server cut the line: nobody hung up
        ("drained", "end", "wants_person", "wants_person"),
    ],
)
def test_a_call_that_was_told_to_end_is_not_handed_off_as_completed(
    told: str, reason: str, said: str | None, why: str
) -> None:
    """Hand-off and journal give the same reason, and it is the true one."""
    kept = MemorySink()
    closing = CallClosing(
        Tracker(load_pathway("cataract-followup"), call_id="c", reader=LocalAnswerReader()),
        JournalWriter("c", (kept,)),
        lambda: 1.0,
        WordsTap(CallClock()),
    )
    closing.told_to_end = told

    closing.over(reason, said)

    assert closing.handoff is not None
    assert closing.handoff.end_reason == why
    assert kept.entries[-1].data.reason == why
