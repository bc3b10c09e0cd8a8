"""How one call's gate behaves: the settings its builder may choose."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from speaker_gate.enrolment import EnrolmentSettings
from speaker_gate.errors import CallerError


class GateSettings(BaseModel):
    """How one call's gate behaves.

    Parameters:
        language: Language of the call (en, pt-PT).
        before_enrolment: "open" lets every voice pass as assumed until somebody is enrolled; "first_voice" also takes
            the first voice of such a turn for the patient's, so that a second voice in it is attributed.
        learn_others: Remember other people's voices inside the call.
        check_rate: Watch for sound declared at the wrong rate.
        enrolment: Quality gates of the enrolment.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    language: str = "en"
    before_enrolment: Literal["open", "first_voice"] = "open"
    learn_others: bool = True
    check_rate: bool = True
    enrolment: EnrolmentSettings = Field(default_factory=EnrolmentSettings)


def checked_settings(settings: object) -> GateSettings:
    """Give back what it is given; the defaults for None.

    Raises:
        CallerError: It is no `GateSettings`.
    """
    if settings is not None and not isinstance(settings, GateSettings):
        raise CallerError(f"settings: is {type(settings).__name__}; give GateSettings(...)")
    return settings or GateSettings()
