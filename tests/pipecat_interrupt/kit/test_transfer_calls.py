"""Live transfers in a whole pipeline: on request and for a red flag, taken, refused, and with a line that closes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from pipecat.frames.frames import EndFrame

from pipecat_interrupt.demo.patient import PatientCue
from pipecat_interrupt.kit import InterruptKit
from pipecat_interrupt.steering import CallFrame, TransferFailed, TransferRequest
from pipecat_interrupt.testing.call import CallParts

from .framed import WHO, framed_call, heard

pytestmark = pytest.mark.pipeline

CHEST = (
    PatientCue(WHO, "Yes."),
    PatientCue("in your calf", "No."),
    PatientCue("sudden shortness of breath", "Yes."),
    PatientCue("right now", "Yes."),
    PatientCue("your wound", "No."),
    PatientCue("fever", "No."),
)
PERSON = (PatientCue(WHO, "Yes, but I want to speak to a real person."),)


async def until(holds: Callable[[], bool]) -> None:
    """Wait in virtual time, a minute at most."""
    for _ in range(600):
        if holds():
            return
        await asyncio.sleep(0.1)


class Carrier:
    """A carrier that takes, refuses, or never answers."""

    def __init__(self, refuses: str = "", takes_s: float = 0.5) -> None:
        self.asked: list[TransferRequest] = []
        self._refuses, self._takes_s = refuses, takes_s

    async def __call__(self, request: TransferRequest) -> None:
        """Answer as made."""
        self.asked.append(request)
        await asyncio.sleep(self._takes_s)
        if self._refuses:
            raise TransferFailed(self._refuses)


@pytest.mark.parametrize("leader", [None, "deaf", "looping"])
def test_a_person_who_is_wanted_takes_the_call(leader: str | None) -> None:
    """Told once, put through once; the agent leaves, and what is open is handed to whoever took over."""
    carrier = Carrier()
    kit, result = framed_call(*PERSON, model=leader, frame=lambda: CallFrame(transfer=carrier))

    assert kit.handoff is not None
    assert ["wants_person"] == [request.reason for request in carrier.asked]
    assert heard(kit).endswith("Please stay on the line.")
    assert ("transferred", {"transferred"}) == (kit.handoff.end_reason, {i.reason for i in kit.handoff.open_items})
    assert result.ended_itself


def test_a_red_flag_is_put_through_once_its_advice_was_heard() -> None:
    """The ambulance first, then the emergency line; the flag stands first in the hand-off."""
    carrier = Carrier()
    kit, _ = framed_call(*CHEST, pathway="hip-knee-after-surgery", frame=lambda: CallFrame(transfer=carrier))

    assert kit.handoff is not None
    assert [("red_flag", "emergency")] == [(r.reason, r.escalation) for r in carrier.asked]
    assert heard(kit).index("call an ambulance") < heard(kit).index("I am putting you through")
    assert {"chest", "chest.now"} == {flag.item_id for flag in kit.handoff.red_flags}
    assert kit.handoff.transfers[0].accepted


def test_a_refused_transfer_is_said_and_the_call_goes_on() -> None:
    """The patient knows, the hand-off knows why, and the next question is asked."""
    carrier = Carrier(refuses="busy")
    kit, _ = framed_call(
        *CHEST, pathway="hip-knee-after-surgery", frame=lambda: CallFrame(transfer=carrier), duration_s=100.0
    )

    assert kit.handoff is not None
    told = heard(kit)
    assert told.index("I could not put you through") < told.index("Is your wound red")
    assert [(False, "busy")] == [(t.accepted, t.detail) for t in kit.handoff.transfers]


def test_a_carrier_without_an_answer_does_not_keep_the_patient_waiting() -> None:
    """After its bound the patient is told, and the call ends with a hand-off."""
    kit, result = framed_call(*PERSON, frame=lambda: CallFrame(transfer=Carrier(takes_s=3600)))

    assert kit.handoff is not None
    assert heard(kit).endswith("I will ask the team to call you.")
    assert "did not answer" in kit.handoff.transfers[0].detail
    assert result.ended_itself


def test_a_line_that_closes_before_the_carrier_answers_is_not_called_a_transfer() -> None:
    """Nobody knows whether a person took over: the hand-off says so, and every item stays open."""

    async def hang_up(parts: CallParts, kit: InterruptKit) -> None:
        await until(lambda: "stay on the line" in heard(kit))
        await asyncio.sleep(2.0)
        await parts.worker.cancel()

    kit, _ = framed_call(*PERSON, frame=lambda: CallFrame(transfer=Carrier(takes_s=8.0)), at=[(1.0, hang_up)])

    assert kit.handoff is not None
    assert "hang_up" == kit.handoff.end_reason
    assert "the line closed before the carrier answered" == kit.handoff.transfers[0].detail
    assert {"hang_up"} == {item.reason for item in kit.handoff.open_items}


def test_an_end_while_a_person_has_the_call_is_not_held() -> None:
    """The guard has nothing to say to a line that belongs to somebody else."""

    async def end(parts: CallParts, kit: InterruptKit) -> None:
        await until(lambda: kit.tracker is not None and kit.tracker.ledger.call.transferred)
        await parts.worker.queue_frame(EndFrame())

    kit, result = framed_call(*PERSON, frame=lambda: CallFrame(transfer=Carrier()), at=[(1.0, end)])

    assert result.ended_itself
    assert heard(kit).endswith("Please stay on the line.")
