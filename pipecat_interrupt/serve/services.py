"""The seam between the server and what hears, thinks and speaks: one bank a process, one set of services a call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from pipecat.audio.vad.vad_analyzer import VADAnalyzer
from pipecat.services.llm_service import LLMService
from pipecat.services.stt_service import STTService
from pipecat.services.tts_service import TTSService
from pipecat.turns.user_stop import BaseUserTurnStopStrategy

from pipecat_interrupt.gate import SpeakerGateProcessor
from pipecat_interrupt.serve.registry import PhoneCall
from pipecat_interrupt.steering import Acknowledger


@dataclass(slots=True)
class CallServices:
    """What one call hears, thinks and speaks with; made for it and used by no other.

    Parameters:
        stt: The recogniser.
        llm: The language model.
        tts: The voice.
        vad: Voice detection.
        acknowledger: How replies are reacted to; None takes the pathway's own lines.
        gate: Whose voice speaks; None: every voice counts as the primary speaker's, so marked.
        stop: When a turn is over; None waits for a short silence.
        model_id: Goes into every record of the model's replies.
        agent_id: Goes into every record.
    """

    stt: STTService
    llm: LLMService[Any]
    tts: TTSService
    vad: VADAnalyzer
    acknowledger: Acknowledger | None = None
    gate: SpeakerGateProcessor | None = None
    stop: Sequence[BaseUserTurnStopStrategy] | None = None
    model_id: str = ""
    agent_id: str = "agent"


class ServiceBank(Protocol):
    """Makes the services of each call.

    Promises: `start` and `stop` are idempotent; `services` shares nothing between two calls that one could spoil for
    the other, and what it must share (a loaded model) it guards.
    """

    async def start(self) -> None:
        """Load what all calls share.

        Raises:
            InterruptError: Something is missing; the message says what and how to get it.
        """
        ...

    async def stop(self) -> None:
        """Release it."""
        ...

    async def services(self, call: PhoneCall) -> CallServices:
        """Make the services of one call; a failure ends this call only."""
        ...
