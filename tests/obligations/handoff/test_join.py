"""Joining parts of a call: nothing that was heard, answered or flagged in any of them is lost, and doubt stays open."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from obligations import Handoff, Tracker
from obligations.handoff import join, to_markdown
from obligations.testing import PlainReader, ScriptedCall, a_pathway, a_point, a_question

pytestmark = pytest.mark.unit

PATHWAY = a_pathway(
    a_question("pain", "Have you had any pain?", "pain", critical=True, red_flag_answers=("yes",)),
    a_point("drops", "Use the drops twice a day.", critical=True),
    a_point("bye", "Goodbye from the clinic."),
)


def part(*said: str, end: str = "hang_up", reply: str | None = None) -> Handoff:
    """A part of the call in which this was said, and the last utterance perhaps replied to."""
    call = ScriptedCall(Tracker(PATHWAY, call_id="c", reader=PlainReader()))
    for text in said:
        call.say(text)
    if reply is not None:
        call.hear(reply)
    return call.tracker.handoff(end, call.now_s)


def lists(handoff: Handoff) -> dict[str, list[str]]:
    names: dict[str, Any] = {
        "answers": handoff.answers,
        "delivered": handoff.delivered,
        "open": handoff.open_items,
        "aside": handoff.set_aside,
    }
    return {name: sorted(item.item_id for item in items) for name, items in names.items()}


ASKED_NO = part("Have you had any pain?", reply="No.", end="crash")
ASKED_YES = part("Have you had any pain?", reply="Yes.", end="lost")
ADVISED = part("Use the drops twice a day.")


def test_what_was_closed_in_any_part_is_closed() -> None:
    """The answer of one, the advice of the other; how the one ended that did not merely break off."""
    whole = join(ASKED_NO, [ADVISED])

    assert {"answers": ["pain"], "delivered": ["drops"], "open": ["bye"], "aside": []} == lists(whole)
    assert ("hang_up", 2, False) == (whole.end_reason, whole.parts, whole.complete)
    assert "Joined from 2 parts" in to_markdown(whole)


def test_two_answers_that_contradict_each_other_are_open_and_the_red_flag_stays() -> None:
    """Whichever came first, and however often it is joined."""
    for one, two in permutations((ASKED_NO, ASKED_YES)):
        whole = join(one, [two])

        (item,) = [item for item in whole.open_items if item.item_id == "pain"]
        assert "unconfirmed" == item.reason and '"yes"' in item.detail and '"no"' in item.detail
        assert item.red_flag and [] == lists(whole)["answers"]
        assert ["pain"] == [flag.item_id for flag in whole.red_flags]
        assert whole == join(whole, [one, two])


def test_the_more_telling_reason_of_two_stays() -> None:
    """Asked and not answered says more than never reached."""
    asked = part("Have you had any pain?")

    for one, two in permutations((asked, ADVISED)):
        (item,) = [item for item in join(one, [two]).open_items if item.item_id == "pain"]
        assert "never_reached" != item.reason and 1 == item.attempts


def test_a_part_that_adds_nothing_changes_nothing() -> None:
    """No new version for nothing new."""
    assert ASKED_NO is join(ASKED_NO, [ASKED_NO, ASKED_NO.model_copy(update={"version": 9})])


def test_joining_in_any_order_and_twice_closes_and_opens_the_same() -> None:
    """Of three parts."""
    parts = (ASKED_NO, ADVISED, part("Goodbye from the clinic.", end="lost"))
    wholes = [join(first, rest) for first, *rest in permutations(parts)]

    assert 1 == len({str(lists(whole)) for whole in wholes})
    assert all(lists(whole) == lists(join(whole, parts)) and whole.complete for whole in wholes)
