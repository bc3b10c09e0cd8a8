"""Reads annotated packs back; a block that is missing, empty or wrong is named by file and dialogue."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, RootModel, ValidationError
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from benchmarks.annotation.pack import BLOCK_END, BLOCK_START
from benchmarks.errors import UnreadableRow
from benchmarks.files import first_problem, read_json, read_text

_DIALOGUE = re.compile(r"^## Dialogue (\d+)\s*$", flags=re.MULTILINE)


def _yes_no(value: object) -> object:
    """YAML 1.1 reads a bare yes as True; take either."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value.strip().casefold() if isinstance(value, str) else value


YesNo = Annotated[Literal["yes", "no"], BeforeValidator(_yes_no)]
PassFail = Annotated[Literal["pass", "fail"], BeforeValidator(_yes_no)]


class Annotation(BaseModel):
    """One annotator's label of one dialogue.

    Parameters:
        number: The dialogue's number in the pack.
        trial_id: The trial behind it.
        verdict: "pass" or "fail".
        reasoning: Why, if given.
        placement_realism: Whether the cut lies at a believable place; None in a baseline.
        content_realism: Whether the patient's words fit the kind of overlap; None in a baseline.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    number: int
    trial_id: str
    verdict: PassFail
    reasoning: str | None = None
    placement_realism: YesNo | None = None
    content_realism: YesNo | None = None


class Key(RootModel[dict[Annotated[str, Field(pattern=r"^[0-9]+$")], str]]):
    """A pack's key: number of the dialogue to trial id."""


def read_pack(path: Path, key: Path) -> list[Annotation]:
    """Read one annotator's copy.

    Raises:
        MissingData: A file is not there.
        UnreadableRow: A block is missing, empty or wrong; names file and line.
    """
    text = read_text(path, "an annotator's copy of a pack")
    trials = read_json(key, Key, "the key of a pack").root
    starts = list(_DIALOGUE.finditer(text))
    read: list[Annotation] = []
    for place, start in enumerate(starts):
        end = starts[place + 1].start() if place + 1 < len(starts) else len(text)
        read.append(_annotation(path, text, start.end(), end, start[1], trials))
    missing = sorted(set(trials) - {str(a.number) for a in read}, key=int)
    if missing:
        raise UnreadableRow(path, text.count("\n") + 1, f"dialogue {missing[0]} is missing")
    return read


def _annotation(path: Path, text: str, start: int, end: int, number: str, trials: dict[str, str]) -> Annotation:
    begin = text.find(BLOCK_START, start, end)
    stop = text.find(BLOCK_END, begin + len(BLOCK_START), end) if begin >= 0 else -1
    line = text.count("\n", 0, begin if begin >= 0 else start) + 1
    if stop < 0:
        raise UnreadableRow(path, line, f"dialogue {number} has no annotation block")
    try:
        block: Any = YAML(typ="safe", pure=True).load(text[begin + len(BLOCK_START) : stop])
    except YAMLError as error:
        raise UnreadableRow(path, line, f"dialogue {number}: not YAML: {getattr(error, 'problem', error)}") from None
    if number not in trials:
        raise UnreadableRow(path, line, f"dialogue {number} is not in the key")
    try:
        return Annotation.model_validate({"number": int(number), "trial_id": trials[number], **(block or {})})
    except ValidationError as error:
        raise UnreadableRow(path, line, f"dialogue {number}: {first_problem(error)}") from None
