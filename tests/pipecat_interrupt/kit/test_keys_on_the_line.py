"""Telephone keys in a whole pipeline: the agent asks for words, whoever leads."""

from __future__ import annotations

import pytest
from pipecat.audio.dtmf.types import KeypadEntry
from pipecat.frames.frames import InputDTMFFrame

from pipecat_interrupt.kit import InterruptKit
from pipecat_interrupt.testing.call import CallParts

from .framed import framed_call, heard

pytestmark = pytest.mark.pipeline

PLEASE = "I cannot take an answer from the keys. Please tell me in words."


async def press(parts: CallParts, kit: InterruptKit) -> None:
    """Press one."""
    await parts.worker.queue_frame(InputDTMFFrame(KeypadEntry.ONE))


@pytest.mark.parametrize("leader", [None, "deaf"])
def test_keys_instead_of_words_are_asked_about_and_never_taken_for_silence(leader: str | None) -> None:
    """Nothing clinical is said, no item moves, and the call does not end as a silent one."""
    keys = [(at_s, press) for at_s in (16.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0)]
    kit, _ = framed_call(model=leader, at=keys, duration_s=90.0)

    assert PLEASE in heard(kit)
    assert kit.tracker is not None
    assert all(record.answer is None for record in kit.tracker.ledger.items.values())
    assert kit.handoff is None or "silence" != kit.handoff.end_reason
