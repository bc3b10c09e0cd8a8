"""For every freer wording that the slots accept, two that are only near to it and must not be.

One row of a paraphrase stands before its two near misses; they were written with the rules they test.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from obligations.coverage.protocol import CoverageVerdict, PointText
from obligations.coverage.slot_matcher import SlotMatcher

pytestmark = pytest.mark.unit

ROWS: list[dict[str, Any]] = [
    json.loads(line) for line in (Path(__file__).parent / "near.jsonl").read_text(encoding="utf-8").splitlines()
]


@pytest.mark.parametrize("row", ROWS, ids=[r["id"] for r in ROWS])
def test_a_paraphrase_is_conveyed_and_what_is_near_to_it_is_not(row: dict[str, Any]) -> None:
    """By its label, in both languages."""
    point = PointText(id=row["point_id"], wording=row["point"], language=row["lang"], critical=row["critical"])
    verdict = SlotMatcher().judge(point, row["text"]).verdict

    assert (row["label"] == "conveyed") is (verdict is CoverageVerdict.CONVEYED)
