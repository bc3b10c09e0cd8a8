"""The sentences the safe-side model is trained on and scored by, and the form of a row.

Owns reading them. All were written for this project by language models in the voices of imagined people: no patient
said any of them (docs/safe-side-model-card.md). `AUTHORS` developed the model; `HELD_OUT` was opened once that was
frozen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from benchmarks.rows import read_rows
from obligations.coverage.later import Later
from obligations.coverage.loosened import Point
from obligations.safe_side import Kind

ROWS = Path(__file__).parent / "rows"
AUTHORS = ("a", "b", "c", "e", "t")
HELD_OUT = ROWS / "heldout-d.jsonl"
Lang = Literal["en", "pt-PT"]
LANGS: tuple[Lang, ...] = ("en", "pt-PT")


class SafeSideRow(BaseModel):
    """One sentence.

    Parameters:
        kind: Which reader it is for; "talk" is ordinary talk of patients, which neither reader of replies may raise.
        label: 1 where it is to be raised, 0 where it only looks so.
        text: What is said.
        advice: The advice it comes after; "" but for the kind "loosened".
        author: Who wrote it; "" where nobody says.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Kind | Literal["talk"]
    lang: Lang
    label: Literal[0, 1]
    text: str
    advice: str = ""
    author: str = ""


def development_rows() -> list[SafeSideRow]:
    """Read the rows of every development author."""
    return [row for author in AUTHORS for row in read_rows(ROWS / f"{author}.jsonl", SafeSideRow)]


def of(rows: Iterable[SafeSideRow], kind: Kind, lang: str) -> list[SafeSideRow]:
    """Keep the rows of one kind in one language."""
    return [row for row in rows if (row.kind, row.lang) == (kind, lang)]


def beside(rows: Iterable[SafeSideRow], kind: Kind, lang: str) -> list[SafeSideRow]:
    """Give the rows of other kinds that a reader of replies must not raise either, as negatives of this kind.

    Whoever tells of an emergency may well not be the patient, so those rows are no negatives of an introduction.
    """
    if kind == "loosened":
        return []
    other = "introduction" if kind == "emergency" else "emergency"
    kept = [
        r
        for r in rows
        if r.lang == lang and (r.kind == "talk" or (r.kind == other and not (kind == "introduction" and r.label)))
    ]
    return [row.model_copy(update={"kind": kind, "label": 0}) for row in kept]


def as_recognised(text: str) -> str:
    """The same words as a recogniser without punctuation gives them."""
    return re.sub(r"[^\w\s'’-]", "", text).lower()


@lru_cache(maxsize=8192)
def pathway_of(advice: str, lang: str) -> Later:
    """A pathway of one advice, ready for the readers of what comes behind it."""
    return Later({"advice": advice}, {"advice": "advice"}, lang, ())


def point_of(row: SafeSideRow) -> Point | None:
    """The advice of a row as the readers see it; None where it has none."""
    return advice_of(row.advice, row.lang)


def advice_of(advice: str, lang: str) -> Point | None:
    """An advice as the readers see it; None for none."""
    return pathway_of(advice, lang).points["advice"] if advice else None
