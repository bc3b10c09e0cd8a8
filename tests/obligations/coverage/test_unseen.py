"""Rows of others: wordings by language models that had not seen the rules, now rows to develop on (see unseen/CARD.md).

Their first readings are in docs/metrics/coverage.md; what is checked here is that they do not get worse.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from obligations.coverage.protocol import CoverageVerdict, PointText
from obligations.coverage.slot_matcher import SlotMatcher

pytestmark = pytest.mark.unit

UNSEEN = Path(__file__).parent / "unseen"
RECALL_MIN = {"e": 0.7, "g": 0.72, "h": 0.8}


@pytest.mark.parametrize("name", sorted(RECALL_MIN))
def test_no_row_of_a_set_is_falsely_conveyed_and_most_of_it_is_found(name: str) -> None:
    """Critical or not; undecided and partial count as misses."""
    rows = [json.loads(line) for line in (UNSEEN / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
    said = [r for r in rows if _verdict(r) is CoverageVerdict.CONVEYED]
    conveyed = sum(r["label"] == "conveyed" for r in rows)

    assert [] == [r["id"] for r in said if r["label"] != "conveyed"]
    assert len(said) >= RECALL_MIN[name] * conveyed


def _verdict(row: dict[str, Any]) -> CoverageVerdict:
    point = PointText(id=row["point_id"], wording=row["point"], language=row["lang"], critical=row["critical"])
    return SlotMatcher().judge(point, row["text"]).verdict
