"""How somebody says on the telephone that they are not the patient: the table of each language."""

from __future__ import annotations

from obligations.tracker.language.stand_in_en import STAND_IN_EN
from obligations.tracker.language.stand_in_pt import STAND_IN_PT
from obligations.tracker.language.stand_in_table import StandInTable

_TABLES = {"en": STAND_IN_EN, "pt": STAND_IN_PT}


def stand_in_table(language: str) -> StandInTable:
    """Give the table of a language; one that matches nothing when there is none."""
    return _TABLES.get(language.split("-")[0].casefold(), StandInTable())
