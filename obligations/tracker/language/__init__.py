"""The languages whose call requests are known, by base language."""

from __future__ import annotations

from obligations.tracker.language import en, pt
from obligations.tracker.language.table import LanguageTable, plain

_TABLES: dict[str, LanguageTable] = {"en": en.TABLE, "pt": pt.TABLE}


def table_of(language: str) -> LanguageTable | None:
    """Find the table of a BCP 47 tag by its base language; None when there is none: no request is recognised."""
    return _TABLES.get(language.split("-")[0].casefold())


__all__ = ["LanguageTable", "plain", "table_of"]
