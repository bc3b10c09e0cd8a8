"""The seam every judge fits, and the form in which a verdict is stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, runtime_checkable

from pydantic import BaseModel, ConfigDict

from benchmarks.simulator.chat import Asked
from benchmarks.simulator.transcript import HeardTurn


class Outcome(StrEnum):
    """What a judge found; UNSCORED is neither a pass nor a fail and enters no rate."""

    FAIL = "fail"
    PASS = "pass"
    UNSCORED = "unscored"


@dataclass(frozen=True, slots=True)
class Verdict:
    """One judge's verdict on one patient-side transcript.

    Parameters:
        outcome: Fail when the reference was not asked or conveyed.
        reason: Why, in one line; ids and counts, no transcript text.
        items: Outcome by item id, where the reference has several.
    """

    outcome: Outcome
    reason: str
    items: dict[str, Outcome]


@runtime_checkable
class Judge(Protocol):
    """Judges whether the reference survived.

    Promises: sees the patient-side transcript alone; what it cannot decide is UNSCORED, never a guess; a model that
    cannot be reached or understood gives UNSCORED with that reason.
    """

    @property
    def name(self) -> str:
        """The stable name, such as "target-question/rules"."""
        ...

    @property
    def version(self) -> str:
        """Changes whenever any verdict could change; pinned together with `signature`."""
        ...

    @property
    def signature(self) -> str:
        """Hash of everything a verdict depends on: code, prompt, references."""
        ...

    async def judge(self, reference: str, transcript: Sequence[HeardTurn], *, seed: int = 0) -> Verdict:
        """Judge one transcript against one reference id."""
        ...


class StoredVerdict(BaseModel):
    """A verdict as stored beside its trial.

    Parameters:
        trial_id: The trial.
        judge: The judge's name.
        version: Its version.
        signature: Its signature.
        outcome: Fail, pass or unscored.
        reason: Why.
        items: Outcome by item.
        models: What the judge's model was asked for; none when it has no model.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    trial_id: str
    judge: str
    version: str
    signature: str
    outcome: Outcome
    reason: str
    items: dict[str, Outcome] = {}
    models: tuple[Asked, ...] = ()
