"""The languages whose call requests are known, by base language."""

from __future__ import annotations

from obligations.tracker.language import en, pt
from obligations.tracker.language.table import ALWAYS, NEVER, LanguageTable, plain

_TABLES: dict[str, LanguageTable] = {"en": en.TABLE, "pt": pt.TABLE}


# A language without a table: no request and no question is recognised, so that every word goes to the answer reader.
_UNKNOWN = LanguageTable(
    intents={},
    question_start=NEVER,
    question_inside=NEVER,
    tag_question=ALWAYS,
    but=NEVER,
    agrees=NEVER,
    negates=ALWAYS,
    own_voice=(),
    stop_words=frozenset(),
    consents=NEVER,
)


def table_of(language: str) -> LanguageTable:
    """Find the table of a BCP 47 tag by its base language; an empty one where there is none."""
    return _TABLES.get(language.split("-")[0].casefold(), _UNKNOWN)


__all__ = ["LanguageTable", "plain", "table_of"]
