"""The seam between the simulator and whatever conducts the call: a transcript, a Pipecat pipeline, a running bot.

Owns what a system gets and what it must hand back. What it hands back as *truth* (turns) comes from the listener's
side; what the system itself says it did is a *claim* and is checked against the truth.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol, runtime_checkable

from benchmarks.simulator.chat import ChatModel, Usage
from benchmarks.simulator.patient import Patient
from benchmarks.simulator.transcript import Turn


class EndReason(StrEnum):
    """How a call ended."""

    AGENT_CLOSED = "agent_closed"
    PATIENT_HUNG_UP = "patient_hung_up"
    TURN_LIMIT = "turn_limit"
    TIME_LIMIT = "time_limit"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class CallBounds:
    """Where a call is ended by force.

    Parameters:
        agent_turns_max: Agent utterances.
        call_s_max: Seconds on the system's own clock; a transcript has none.
    """

    agent_turns_max: int = 40
    call_s_max: float = 900.0


@dataclass(frozen=True, slots=True)
class Call:
    """What a system is asked to conduct.

    Parameters:
        agent: The agent under test.
        agent_prompt: Its system prompt.
        patient: The patient.
        bounds: Where the call ends by force.
        seed: The trial's seed.
    """

    agent: ChatModel
    agent_prompt: str
    patient: Patient
    bounds: CallBounds
    seed: int


@dataclass(frozen=True, slots=True)
class Claims:
    """What the system says of the obligations at the end; None throughout when it keeps no ledger.

    Parameters:
        closed: Ids it holds for met, answered, declined or waived.
        open: Ids it holds for open.
        handed_off: Ids that stand as open in its hand-off.
    """

    closed: tuple[str, ...] | None = None
    open: tuple[str, ...] | None = None
    handed_off: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class CallRecord:
    """What came of a call.

    Parameters:
        turns: Every turn in order, agent turns with intended and delivered text.
        end: How it ended.
        claims: What the system says of its obligations.
        usage: What the agent's completions cost.
        duration_s: Seconds on the system's clock; None for a transcript.
        notes: Faults and remarks, no transcript text.
    """

    turns: tuple[Turn, ...]
    end: EndReason
    claims: Claims = field(default_factory=Claims)
    usage: Usage = field(default_factory=Usage)
    duration_s: float | None = None
    notes: tuple[str, ...] = ()


@runtime_checkable
class System(Protocol):
    """Conducts a call.

    Promises: ends within the bounds; asks `plan_cut` exactly once an agent utterance, before any of it sounds, and
    `reply` once a patient turn; a delivered text is what the patient heard, whatever the system believes.
    """

    @property
    def name(self) -> str:
        """What is compared: "replica", "tracked", "stock", "ours"."""
        ...

    @property
    def level(self) -> str:
        """How real it is: "transcript", "text", "audio" or "realtime"."""
        ...

    async def converse(self, call: Call) -> CallRecord:
        """Conduct one call from the agent's greeting to its end."""
        ...
