"""The start strategy of overlap judgement: it sees what passes the user aggregator and tells the processor.

Owns no verdict. It must be the only start strategy: any other one starts turns the judgement has refused.
"""

from __future__ import annotations

from typing import Protocol

from pipecat.frames.frames import (
    BotStartedSpeakingFrame,
    BotStoppedSpeakingFrame,
    Frame,
    InputDTMFFrame,
    ProposedUserStartedSpeakingFrame,
    ProposedUserStoppedSpeakingFrame,
    VADUserStartedSpeakingFrame,
    VADUserStoppedSpeakingFrame,
)
from pipecat.turns.types import ProcessFrameResult
from pipecat.turns.user_start import BaseUserTurnStartStrategy

OVERLAP_FRAMES = (
    BotStartedSpeakingFrame,
    BotStoppedSpeakingFrame,
    VADUserStartedSpeakingFrame,
    VADUserStoppedSpeakingFrame,
    ProposedUserStartedSpeakingFrame,
    ProposedUserStoppedSpeakingFrame,
    InputDTMFFrame,
)


class OverlapOwner(Protocol):
    """Who takes the strategy's reports: the overlap processor."""

    async def observe(self, frame: Frame) -> bool:
        """Take one of `OVERLAP_FRAMES`; True when a user turn was started because of it."""
        ...

    async def turn_started(self) -> None:
        """A user turn has started."""
        ...

    async def turn_stopped(self) -> None:
        """The user turn has stopped."""
        ...


class OverlapStartStrategy(BaseUserTurnStartStrategy):
    """Starts a user turn when the overlap judgement says so, and only then.

    Voice over a silent agent starts a turn at once; voice over an audible one is held, judged, and starts a turn
    when it takes the floor. Proposals of services with their own turn detection are judged the same way.

    Promises: never raises into the aggregator; an exception of ours starts the turn (the safe side).
    """

    def __init__(self, owner: OverlapOwner) -> None:
        """Make the strategy of one overlap processor; call `OverlapProcessor.start_strategy()` instead."""
        super().__init__()
        self._owner = owner

    @property
    def resolves_proposed_turn_start_frames(self) -> bool:
        """Proposed turn starts are decided here."""
        return True

    async def process_frame(self, frame: Frame) -> ProcessFrameResult:
        """Report a frame to the processor."""
        if not isinstance(frame, OVERLAP_FRAMES):
            return ProcessFrameResult.CONTINUE
        started = await self._owner.observe(frame)
        return ProcessFrameResult.STOP if started else ProcessFrameResult.CONTINUE

    async def handle_user_turn_started(self) -> None:
        """Pass the turn start on."""
        await super().handle_user_turn_started()
        await self._owner.turn_started()

    async def handle_user_turn_stopped(self) -> None:
        """Pass the turn stop on."""
        await super().handle_user_turn_stopped()
        await self._owner.turn_stopped()
