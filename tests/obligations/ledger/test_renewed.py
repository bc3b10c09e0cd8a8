"""What opens again: the opening alone, and only when another person comes to the telephone."""

from __future__ import annotations

import pytest

from obligations.ledger import ItemStep, PartyChanged, State, Step
from obligations.testing import a_group, a_pathway, a_point, a_question

from .test_ledger import Writing

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(("item_id", "new_party"), [("who", False), ("water", True), ("who", True)])
def test_only_the_opening_opens_again_and_only_for_somebody_new(item_id: str, new_party: bool) -> None:
    """Without another person on the line, or outside the opening, what is closed stays closed."""
    opening = a_group("opening", [a_question("who", "Are you the patient?", "the patient")], phase="opening")
    writing = Writing(a_pathway(opening, a_point("water", "Drink water."))).replied()
    writing.step("who", Step.OPENED)
    writing.step("water", Step.OPENED)
    if new_party:
        writing(PartyChanged, reply_id="r1")

    if item_id == "who" and new_party:
        writing.step("who", Step.RENEWED, why="another person")
        assert State.OPEN is writing.ledger.items["who"].state
    else:
        assert "opens again for nobody new" in writing.refuses(
            ItemStep, item_id=item_id, step=Step.RENEWED, why="another person"
        )
