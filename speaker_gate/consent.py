"""Whether a voice print may be made and kept, who said so, and when. Pure.

Owns the consent record and the default: nothing stored, in-call use announced by the caller's own policy.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Protocol, runtime_checkable

from pydantic import BaseModel, ConfigDict, Field

from speaker_gate.errors import CallerError


class ConsentScope(StrEnum):
    """How far a consent goes."""

    NONE = "none"
    THIS_CALL = "this_call"
    STORED = "stored"


class Consent(BaseModel):
    """One person's consent to a voice print.

    Parameters:
        scope: How far it goes. THIS_CALL keeps everything in memory and drops it at hang-up.
        given_at_s: When, in seconds of the caller's clock (epoch seconds for STORED).
        by: Who gave it, as an id of the deployment; never a name.
        basis: What it rests on, such as the id of the spoken or signed statement.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    scope: ConsentScope
    given_at_s: float
    by: str = Field(default="patient", max_length=64)
    basis: str = Field(default="", max_length=200)


@runtime_checkable
class ConsentHook(Protocol):
    """Asked before the first voice print of a call, and again before anything is stored."""

    def __call__(self, call_id: str) -> Consent | None:
        """Return the consent for this call; None counts as declined. Must not block."""
        ...


def in_call_only(call_id: str) -> Consent:
    """Default hook: in-call use only, nothing stored. Deployments that must ask first pass their own."""
    del call_id
    return Consent(scope=ConsentScope.THIS_CALL, given_at_s=0.0, by="deployment", basis="in-call processing")


def declined(call_id: str) -> None:
    """Hook for calls without any voice print: the gate stays open and says so."""
    del call_id


def _checked(given: object) -> Consent | None:
    if given is None or isinstance(given, Consent):
        return given
    raise CallerError(f"consent: the hook gave {type(given).__name__}; give a Consent, or None for declined")


def asked(hook: ConsentHook, call_id: str) -> Consent | None:
    """Ask a hook; an answer that is no consent, or none at all, counts as declined.

    Raises:
        Exception: What the hook raised; to the caller, who goes on as declined.
    """
    return _checked(hook(call_id))


def allows_enrolment(consent: Consent | None) -> bool:
    """Say whether a voice print may be made for this call."""
    return consent is not None and consent.scope is not ConsentScope.NONE


def allows_storage(consent: Consent | None) -> bool:
    """Say whether it may be kept after the call."""
    return consent is not None and consent.scope is ConsentScope.STORED
