"""One table a language: what its words do in an overlap. No table is ever used for another language."""

from pipecat_interrupt.overlap.languages.table import LanguageTable, Reading, table_for

__all__ = ["LanguageTable", "Reading", "table_for"]
