"""The small types every part of a pathway is made of."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field

Id = Annotated[str, Field(pattern=r"^[a-z0-9]+(?:[-_.][a-z0-9]+)*$", max_length=60)]
Language = Annotated[str, Field(pattern=r"^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-[A-Z]{2})?$")]
Line = Annotated[str, Field(min_length=1, max_length=400)]
Wording = dict[Language, Line]
Wordings = dict[Language, tuple[Line, ...]]


class Model(BaseModel):
    """Frozen, and strict about unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Copy, with every remembered view (items, digest, ...) left to be made anew from the copy's own content."""
        copied = super().model_copy(update=update, deep=deep)
        for name in [n for n in copied.__dict__ if isinstance(getattr(type(self), n, None), cached_property)]:
            object.__delattr__(copied, name)  # pydantic copies them along, and they would still describe the original
        return copied
