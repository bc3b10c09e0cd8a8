"""The page on pathways says what the code does: its example loads, its diagrams are drawn from the table."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from obligations import list_pathways, load_pathway, parse_pathway
from obligations.handoff import OpenReason
from obligations.ledger import state_diagram

pytestmark = pytest.mark.unit

PAGE = Path(__file__).resolve().parents[3] / "docs" / "pathways.md"
TEXT = PAGE.read_text(encoding="utf-8")


def block(kind: str, name: str) -> str:
    found = re.search(rf"<!-- {kind}: {name} -->\n```mermaid\n(.*?)```\n<!-- end -->", TEXT, re.DOTALL)
    assert found is not None
    return found[1].strip()


@pytest.mark.parametrize("kind", ["point", "question"])
def test_the_diagrams_are_those_of_the_table(kind: str) -> None:
    """Stale? Paste the output of `obligations.ledger.state_diagram`."""
    assert state_diagram(kind) == block("state diagram", kind)  # type: ignore[arg-type]


def test_the_example_is_a_pathway() -> None:
    """A reader can copy it."""
    example = re.search(r"```yaml\n(.*?)```", TEXT, re.DOTALL)

    assert example is not None
    assert ["redness", "redness.worse", "light.escalation"] == list(parse_pathway(example[1]).items)


def test_every_bundled_pathway_is_listed_with_its_languages() -> None:
    """The table is complete."""
    listed = dict(re.findall(r"^\| `([a-z-]+)` \| ([a-zA-Z, -]+) \|", TEXT.split("## ")[0], re.MULTILINE))

    assert {name: ", ".join(load_pathway(name).languages) for name in list_pathways()} == listed


def test_every_reason_of_an_open_item_is_explained() -> None:
    """No code without a row."""
    explained = re.findall(r"^\| `([a-z_]+)` \| [a-z]", TEXT.split("## What the hand-off says")[1], re.MULTILINE)

    assert sorted(get_args(OpenReason)) == sorted(explained)
