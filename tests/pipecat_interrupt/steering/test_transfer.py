"""The seam to a carrier: bounded, and nothing it does reaches the call but yes, no and a short reason."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest

from obligations.steering import PutThrough
from pipecat_interrupt.steering import CallFrame, TransferFailed, TransferRequest, lint_transfer
from pipecat_interrupt.steering.transfer import DETAIL_CHARS_MAX, TRANSFER_S_MAX, put_through
from pipecat_interrupt.testing import run_virtual

pytestmark = pytest.mark.unit

MOVE = PutThrough("red_flag", "emergency")


def test_a_transfer_that_is_taken_is_told_who_is_wanted() -> None:
    """The carrier learns call, reason and escalation, and nothing that was said."""
    asked: list[TransferRequest] = []

    async def carrier(request: TransferRequest) -> None:
        asked.append(request)

    assert (True, "") == run_virtual(lambda: put_through(carrier, "c1", MOVE))
    assert [TransferRequest("c1", "red_flag", "emergency")] == asked


@pytest.mark.parametrize(
    ("error", "detail"),
    [
        (TransferFailed("busy"), "busy"),
        (RuntimeError("secret"), "RuntimeError"),
        (TransferFailed("x" * 500), "x" * 120),
    ],
)
def test_a_transfer_that_fails_gives_a_short_reason(error: Exception, detail: str) -> None:
    """A foreign error is named by its kind alone; no reason is longer than its bound."""

    async def carrier(request: TransferRequest) -> None:
        raise error

    assert (False, detail) == run_virtual(lambda: put_through(carrier, "c1", MOVE))
    assert len(detail) <= DETAIL_CHARS_MAX


def test_a_carrier_that_never_answers_is_given_up() -> None:
    """The patient is not left waiting for a dead API."""

    async def carrier(request: TransferRequest) -> None:
        await asyncio.sleep(3600)

    async def tried() -> tuple[tuple[bool, str], float]:
        begun = asyncio.get_running_loop().time()
        return await put_through(carrier, "c1", MOVE), asyncio.get_running_loop().time() - begun

    (taken, detail), took_s = run_virtual(tried)
    assert (False, f"the carrier did not answer within {TRANSFER_S_MAX:.0f} s") == (taken, detail)
    assert TRANSFER_S_MAX == pytest.approx(took_s)


@pytest.mark.parametrize(("hangs_up", "warnings"), [(True, 1), (False, 0)])
def test_a_serializer_that_would_hang_up_on_the_person_is_named(hangs_up: bool, warnings: int) -> None:
    """Pipecat's carrier serializers end the call when the agent leaves, unless told not to."""

    async def carrier(request: TransferRequest) -> None:
        return

    serializer = SimpleNamespace(_params=SimpleNamespace(auto_hang_up=hangs_up))
    output = SimpleNamespace(_params=SimpleNamespace(serializer=serializer))

    assert warnings == len(lint_transfer(output, CallFrame(transfer=carrier)))  # type: ignore[arg-type]
    assert [] == lint_transfer(output, CallFrame())  # type: ignore[arg-type]
