"""Putting the call through to a person: the seam to a carrier, and its bound.

Owns the `Transfer` protocol and the wait for it. A carrier that is slow, refuses or fails is told apart only by a short
detail; the call then goes on, and the hand-off says so.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from loguru import logger

from obligations.steering.moves import PutThrough, TransferReason
from obligations.tracker import Tracker
from pipecat_interrupt.journal import JournalWriter
from pipecat_interrupt.journal.entries import MoveMade
from pipecat_interrupt.steering.safely import Safely

TRANSFER_S_MAX = 10.0
DETAIL_CHARS_MAX = 120


class TransferFailed(Exception):
    """The carrier did not take the transfer; the message says why, without a word of the call."""


@dataclass(frozen=True, slots=True)
class TransferRequest:
    """What a carrier may know of a transfer.

    Parameters:
        call_id: The call's name in every record of ours.
        reason: "wants_person" or "red_flag".
        escalation: Whom, by the pathway ("emergency"); None for anybody of the team. The map from it to a number is the
            deployment's.
    """

    call_id: str
    reason: TransferReason
    escalation: str | None


class Transfer(Protocol):
    """Puts a live call through to a person.

    Promises: returns once the carrier has taken the transfer, and raises when it has not; may be slow (it is given
    `TRANSFER_S_MAX`) and is safe to cancel. It does not end the agent's leg: the agent leaves by the call's own end.
    """

    async def __call__(self, request: TransferRequest) -> None:
        """Put the call through.

        Raises:
            TransferFailed: The carrier refused, with the reason; any other exception counts as one without.
        """
        ...


class PuttingThrough:
    """One attempt to put a call through, and what came of it: told to the tracker and the journal once.

    Args:
        tracker: Takes the outcome.
        journal: Likewise.
        now_s: The call's clock.
        moved: Called when the ledger has moved.

    `move` is the attempt that is under way; None when none is.
    """

    def __init__(
        self, tracker: Tracker, journal: JournalWriter, now_s: Callable[[], float], moved: Callable[[], None]
    ) -> None:
        self._tracker, self._journal, self._now_s, self._moved = tracker, journal, now_s, moved
        self.move: PutThrough | None = None

    async def through(self, move: PutThrough, transfer: Transfer | None, then: Callable[[], Awaitable[None]]) -> None:
        """Try it, and go on where the attempt was still under way when the carrier answered."""
        taken, detail = await put_through(transfer, self._tracker.ledger.call.call_id, move)
        if self.move is move:
            self._ended(move, taken, detail)
            await then()

    def line_closed(self) -> None:
        """The call is over: an attempt that is under way has failed."""
        if self.move is not None:
            self._ended(self.move, False, "the line closed before the carrier answered")

    def _ended(self, move: PutThrough, taken: bool, detail: str) -> None:
        self.move = None
        with Safely(self._journal, self._now_s, "transfer"):
            self._tracker.transferred(move.reason, move.escalation, taken, self._now_s(), detail)
            self._moved()
            made = "put through" if taken else detail
            self._journal.write(MoveMade(purpose="put_through", reason=made), self._now_s())


async def put_through(transfer: Transfer | None, call_id: str, move: PutThrough) -> tuple[bool, str]:
    """Try a transfer within its bound; None is no carrier, and takes nothing.

    Returns:
        Whether the carrier took it, and why not ("" when it did).
    """
    if transfer is None:
        return False, "no way to transfer is set up"
    try:
        async with asyncio.timeout(TRANSFER_S_MAX):
            await transfer(TransferRequest(call_id, move.reason, move.escalation))
    except TimeoutError:
        return False, f"the carrier did not answer within {TRANSFER_S_MAX:.0f} s"
    except TransferFailed as error:
        return False, str(error)[:DETAIL_CHARS_MAX]
    except Exception as error:
        logger.warning("a transfer failed: {}", type(error).__name__)
        return False, type(error).__name__
    return True, ""
