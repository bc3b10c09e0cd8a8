"""Dialogue idioms, one data file a language; a language without one has none, and none are borrowed."""

from __future__ import annotations

from collections.abc import Mapping

from obligations.answers.idioms.load import load_idioms
from obligations.answers.idioms.model import Idioms
from obligations.coverage.text import base_language

_BY_LANGUAGE: Mapping[str, Idioms] = {name: load_idioms(name) for name in ("en", "pt")}


def idioms_for(language: str) -> Idioms | None:
    """Give the idioms of a language tag; None when we have none for it."""
    return _BY_LANGUAGE.get(base_language(language))


__all__ = ["Idioms", "idioms_for"]
