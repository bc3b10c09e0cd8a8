"""What the agent may do next, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Purpose = Literal[
    "disclose", "ask", "convey", "return", "confirm", "guard", "unanswerable", "repeat", "close", "goodbye"
]

TransferReason = Literal["wants_person", "red_flag"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Speak:
    """Say this.

    Parameters:
        text: Everything to be spoken, acknowledgement and lead-in included.
        item_ids: The items it holds, in the order of the text.
        purpose: Why it is said; "close" reacts to a request that ends the call, "goodbye" is the last sentence.
        lead_in: The part of `text` that leads in the items; "" when there is none.
        acknowledge: `text` begins with an acknowledgement of the last reply.
        counted: It counts as an attempt at its items; False for a repetition the patient asked for.
    """

    text: str
    item_ids: tuple[str, ...]
    purpose: Purpose
    lead_in: str = ""
    acknowledge: bool = False
    counted: bool = True


@dataclass(frozen=True, slots=True)
class Listen:
    """Say nothing: the agent is speaking, or a reply is expected.

    Parameters:
        until_s: Ask again at this time on the call's clock, or when something happens; None for the latter only.
    """

    until_s: float | None = None


@dataclass(frozen=True, slots=True)
class PutThrough:
    """Put the call through to a person now, and report what came of it (`Tracker.transferred`).

    Parameters:
        reason: Why.
        escalation: Whom, by the pathway; None for anybody of the team.
    """

    reason: TransferReason
    escalation: str | None = None


@dataclass(frozen=True, slots=True)
class End:
    """Nothing is left to say: end the call and write the hand-off."""

    reason: str


@dataclass(frozen=True, slots=True)
class Release:
    """The guard lets the call end.

    Parameters:
        open_critical: Critical items that stay open and stand in the hand-off.
        why: Why it lets go: "nothing_open", "guard_off", "refused", "tries_spent", "offered_once",
            "offer_declined", "not_the_patient", "nobody_speaks", "too_long", "time_up", "transferred", "hangup".
    """

    open_critical: tuple[str, ...]
    why: str


Move = Speak | Listen | PutThrough | End
EndReason = Literal["agent_goodbye", "patient_goodbye", "end_frame", "end_tool", "hangup"]
