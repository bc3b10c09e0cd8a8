"""Which meeting belongs to which part: meeting ids only, no data."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from benchmarks.training.overlaps.data import OverlapRow

Part = Literal["train", "dev", "test"]

SPLIT_FILE = Path(__file__).with_name("split.json")


def meetings(*parts: Part) -> frozenset[str]:
    """Meeting ids of these parts."""
    listed = json.loads(SPLIT_FILE.read_text(encoding="utf-8"))["parts"]
    return frozenset(meeting for part in parts for meeting in listed[part])


def part_of(rows: Iterable[OverlapRow], part: str) -> list[OverlapRow]:
    """Rows of a part: "test" (also every meeting the split does not know), "train", "dev", "fit" (both) or "all"."""
    fit = meetings("train", "dev")
    if part == "all":
        return list(rows)
    if part == "test":
        return [row for row in rows if row.meeting not in fit]
    wanted = fit if part == "fit" else meetings("train") if part == "train" else meetings("dev")
    return [row for row in rows if row.meeting in wanted]
