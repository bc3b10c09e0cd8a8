"""The hazard log proves what it says: each hazard is whole, and each test that it names exists."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

pytestmark = pytest.mark.unit

ROOT = Path(__file__).resolve().parents[2]
LOG = (ROOT / "docs" / "hazards.md").read_text(encoding="utf-8")
ROWS = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in LOG.splitlines() if line.startswith("| H")]
LINK = re.compile(r"\[([^\]]+)\]\(\.\./([^)#]+)\)")
# The hazards that issue 4 names, by a word of each.
NAMED = ("unheard", "third party", "hang-up", "backchannel", "traps", "reassurance", "stale", "language")


@cache
def _tests_of(path: str) -> frozenset[str]:
    """Give the names of the test functions and methods of a file."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    found = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return frozenset(node.name for node in found if node.name.startswith("test_"))


@pytest.mark.parametrize("row", ROWS, ids=[row[0].strip("| ") for row in ROWS])
def test_a_hazard_has_every_part_and_real_tests(row: list[str]) -> None:
    """Hazard, cause, effect and control are said, and at least one named test proves the control."""
    links = LINK.findall(row[5])

    assert 6 == len(row)
    assert all(row)
    assert links
    assert [] == [(path, name) for name, path in links if not (ROOT / path).is_file() or name not in _tests_of(path)]


def test_the_hazards_are_numbered_without_a_gap() -> None:
    """A hazard is never dropped in silence."""
    assert [f"H{n}" for n in range(1, len(ROWS) + 1)] == [row[0].strip("| ") for row in ROWS]


@pytest.mark.parametrize("word", NAMED)
def test_every_hazard_that_was_asked_for_is_there(word: str) -> None:
    """One row names it."""
    assert [row[0] for row in ROWS if word in row[1]]
