"""The scenarios of the yield protocol (seed 002) and what each expects of the agent."""

from __future__ import annotations

import hashlib
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from benchmarks.cells.load import read_model
from benchmarks.errors import UnknownName
from benchmarks.files import read_file

HERE = Path(__file__).parent / "scenarios"


class ScenarioClass(StrEnum):
    """The protocol's five classes."""

    STOP_REQUEST = "stop_request"
    CORRECTION = "correction"
    BACKCHANNEL = "backchannel"
    HESITATION = "hesitation"
    THIRD_PARTY = "third_party"


class IntendedAction(StrEnum):
    """What the agent should do."""

    YIELD = "yield"
    YIELD_AND_CORRECT = "yield_and_use_correction"
    CONTINUE = "continue"
    WAIT = "wait_for_the_turn_to_end"


ACTIONS = {
    ScenarioClass.STOP_REQUEST: IntendedAction.YIELD,
    ScenarioClass.CORRECTION: IntendedAction.YIELD_AND_CORRECT,
    ScenarioClass.BACKCHANNEL: IntendedAction.CONTINUE,
    ScenarioClass.HESITATION: IntendedAction.WAIT,
    ScenarioClass.THIRD_PARTY: IntendedAction.CONTINUE,
}
COUNTS = {
    ScenarioClass.STOP_REQUEST: 3,
    ScenarioClass.CORRECTION: 3,
    ScenarioClass.BACKCHANNEL: 2,
    ScenarioClass.HESITATION: 2,
    ScenarioClass.THIRD_PARTY: 2,
}
PAUSES_S = (0.5, 1.0, 2.0)  # Section 3: planned hesitation lengths.


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class Segment(_Frozen):
    """A stretch of the user's turn.

    Parameters:
        say: The words.
        pause: "planned" where the manifest's hesitation follows, else None.
    """

    say: str = Field(min_length=1)
    pause: Literal["planned"] | None = None


class Scenario(_Frozen):
    """One scripted scenario.

    Parameters:
        id: Its id, with its language.
        kind: Its class.
        agent: What the agent says before or while the user speaks.
        user: The user's turn.
        speaker: "primary" or "third_party".
        onset_s: Seconds after the agent's first audible sample at which the user begins; in a hesitation, after its
            end.
        reply: What a scripted agent answers.
        must_use: Words one of which the next substantive response must hold (corrections).
        must_not_use: Words it must not hold.
    """

    id: str
    kind: ScenarioClass = Field(alias="class")
    agent: str = Field(min_length=1)
    user: tuple[Segment, ...] = Field(min_length=1)
    speaker: Literal["primary", "third_party"] = "primary"
    onset_s: float = Field(ge=0, le=10)
    reply: str = Field(min_length=1)
    must_use: tuple[str, ...] = ()
    must_not_use: tuple[str, ...] = ()

    @property
    def intended_action(self) -> IntendedAction:
        """What the agent should do."""
        return ACTIONS[self.kind]

    @model_validator(mode="after")
    def _fits_its_class(self) -> Self:
        pauses = sum(segment.pause is not None for segment in self.user)
        if (self.kind is ScenarioClass.HESITATION) is not (pauses == 1 and len(self.user) == 2):
            raise ValueError("a hesitation has two segments with one planned pause, and nothing else has one")
        if (self.kind is ScenarioClass.THIRD_PARTY) is not (self.speaker == "third_party"):
            raise ValueError("a third-party scenario is spoken by a third party, and nothing else is")
        if (self.kind is ScenarioClass.CORRECTION) is not bool(self.must_use):
            raise ValueError("a correction names the corrected detail in must_use, and nothing else does")
        return self


class NativeReview(_Frozen):
    """Whether a native speaker has reviewed the scripts."""

    status: Literal["pending", "done", "not_needed"]
    note: str = ""


class ScenarioSet(_Frozen):
    """All scenarios of one language.

    Parameters:
        language: BCP 47 tag.
        native_review: State of the review that the protocol requires before collection.
        scenarios: Twelve: three stop requests, three corrections, two of each other class.
    """

    language: str
    native_review: NativeReview
    scenarios: tuple[Scenario, ...]

    @model_validator(mode="after")
    def _counts_are_the_protocols(self) -> Self:
        counts = {kind: sum(s.kind is kind for s in self.scenarios) for kind in ScenarioClass}
        if counts != COUNTS:
            raise ValueError(f"expected {COUNTS}, got {counts}")
        if len({s.id for s in self.scenarios}) != len(self.scenarios):
            raise ValueError("two scenarios share an id")
        return self


def languages() -> list[str]:
    """Name the languages there are scenarios for."""
    return sorted(path.stem for path in HERE.glob("*.yaml"))


@cache
def scripts_digest() -> str:
    """Give the SHA-256 of every language's script file: a plan names scenarios, and this says what they were."""
    whole = hashlib.sha256()
    for language in languages():
        whole.update(language.encode() + b"\0" + read_file(HERE / f"{language}.yaml", "a file of scenarios"))
    return f"sha256:{whole.hexdigest()}"


@cache
def load_scenarios(language: str) -> ScenarioSet:
    """Give one language's scenarios.

    Raises:
        UnknownName: There are none for this language.
    """
    if language not in languages():
        raise UnknownName("language", language, languages())
    return read_model(HERE / f"{language}.yaml", ScenarioSet)
