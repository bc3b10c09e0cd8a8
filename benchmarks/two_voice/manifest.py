"""What a built set is: each clip with its words, voices, draws and checks. The manifest can be committed without audio.

Owns the form and the places of the files: `two_voice/` and `twins/` are laid out as `eval third-party` reads them.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from benchmarks.errors import MissingData
from benchmarks.files import read_json, write_text

FILE = "manifest.json"


class Role(StrEnum):
    """What a clip is for.

    TWO_VOICES: the patient and somebody else. TWIN: the same words by the patient alone. HARD_NEGATIVE: the patient
    alone, in words that sound like another's interruption. ENROLMENT: the patient alone, to enrol on. SHORT: the
    patient's one-word answers and stop requests. PRIMARY, THIRD_PARTY: each side of a case alone.
    """

    TWO_VOICES = "two_voices"
    TWIN = "twin"
    HARD_NEGATIVE = "hard_negative"
    ENROLMENT = "enrolment"
    SHORT = "short"
    PRIMARY = "primary"
    THIRD_PARTY = "third_party"


class Clip(BaseModel):
    """One sound file.

    Parameters:
        path: From the set's folder.
        role: What it is for.
        voice: Of the patient, or of whoever speaks alone.
        text: Everything said in it, in order.
        seconds: Its length.
        sha256: Of the file.
        case: Id of the case ("" for enrolments and short answers).
        scenario: Its scenario.
        category: Its family.
        kind: Kind of the third party's words.
        actionable: Gold of the kind; None where nobody else speaks.
        timing: within_sentence or after_completion; "" outside cases.
        other_voice: Of the third party; "" where one voice speaks.
        primary: The patient's words of the case.
        third_party: The other's words.
        overlap_s: Seconds both speak; 0 in single-voice clips.
        onset_s: Where the third party's words begin.
        primary_end_s: Where the patient's words end.
        heard_as: What the recogniser made of each voice's line alone.
        word_error_rate: Of that, the worst line.
        alike: Score of the two voices' enrolments against each other at 16 kHz; None where not measured.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    path: str
    role: Role
    voice: str
    text: str
    seconds: float
    sha256: str
    case: str = ""
    scenario: str = ""
    category: str = ""
    kind: str = ""
    actionable: bool | None = None
    timing: str = ""
    other_voice: str = ""
    primary: str = ""
    third_party: str = ""
    overlap_s: float = 0.0
    onset_s: float | None = None
    primary_end_s: float | None = None
    heard_as: tuple[str, ...] = ()
    word_error_rate: float | None = None
    alike: float | None = None


class Rejected(BaseModel):
    """A case left out, and why."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    case: str
    why: str


class Manifest(BaseModel):
    """A built set.

    Parameters:
        version: Of the form; 1.
        strategy: Name of the strategy file.
        strategy_sha256: Of its content.
        language: Of all words.
        seed: Of every draw.
        overlap_mean_s: Mean of the drawn gap between the voices; negative is overlap.
        overlap_sd_s: Its standard deviation.
        word_error_rate_max: Worst rate of a line that was accepted.
        synthesiser: What spoke, with its version.
        recogniser: What checked; "" when nothing did.
        likeness: What refused voices liker than two people's; "" when nothing did.
        clips: All of them.
        rejected: Cases left out.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: Literal[1] = 1
    strategy: str
    strategy_sha256: str
    language: str
    seed: int
    overlap_mean_s: float
    overlap_sd_s: float
    word_error_rate_max: float
    synthesiser: str
    recogniser: str = ""
    likeness: str = ""
    clips: tuple[Clip, ...] = Field(default=())
    rejected: tuple[Rejected, ...] = ()

    def of(self, *roles: Role) -> list[Clip]:
        """The clips of some roles, in order."""
        return [clip for clip in self.clips if clip.role in roles]


def write_manifest(folder: Path, manifest: Manifest) -> Path:
    """Write a set's manifest beside its clips."""
    return write_text(folder / FILE, manifest.model_dump_json(indent=1, exclude_defaults=True) + "\n")


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest of a built set.

    Raises:
        MissingData: There is none; the line says how to build a set.
        UnreadableRow: It is not a manifest.
    """
    path = folder / FILE if folder.is_dir() else folder
    if not path.exists():
        raise MissingData(f"no {FILE} in {folder}; build a set with: python -m benchmarks two-voice --out DIR")
    return read_json(path, Manifest, "a manifest of a two-voice set")
