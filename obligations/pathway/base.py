"""The small types every part of a pathway is made of."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Id = Annotated[str, Field(pattern=r"^[a-z0-9]+(?:[-_.][a-z0-9]+)*$", max_length=60)]
Language = Annotated[str, Field(pattern=r"^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-[A-Z]{2})?$")]
Line = Annotated[str, Field(min_length=1, max_length=400)]
Wording = dict[Language, Line]
Wordings = dict[Language, tuple[Line, ...]]


class Model(BaseModel):
    """Frozen, and strict about unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")
