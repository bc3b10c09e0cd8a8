"""What the ledger takes of words against a point: only heard ones, of an utterance that is over, after the telling."""

from __future__ import annotations

import pytest

from obligations import State
from obligations.ledger import Delivered, Evidence, Intended, ItemStep, Replied, Started, Step

from .test_ledger import HEARD_WATER, Writing

pytestmark = pytest.mark.unit

BACK = "Forget the water."
TAKEN_BACK = (Evidence(utterance_id="u2", start=0, end=16, quote=BACK[:16]),)


def told() -> Writing:
    """Water told and met."""
    writing = Writing().spoken()
    writing.step("water", Step.OPENED)
    writing.step("water", Step.HEARD, evidence=HEARD_WATER)
    return writing


def taking_back(writing: Writing, heard_chars: int | None = len(BACK)) -> Writing:
    """Say the words that take it back, heard so far; None while they are still being said."""
    writing(Intended, utterance_id="u2", text=BACK)
    writing(Started, utterance_id="u2")
    if heard_chars is not None:
        fields = {"delivered_chars": heard_chars, "heard_chars": heard_chars, "exactness": "exact"}
        complete = heard_chars == len(BACK)
        writing(Delivered, utterance_id="u2", complete=complete, interrupted=not complete, **fields)
    return writing


def test_a_met_point_is_open_again_with_the_words_that_took_it_back() -> None:
    """What was heard before counts no more; attempts are kept, so that the limits hold."""
    writing = taking_back(told())

    writing.step("water", Step.RETRACTED, evidence=TAKEN_BACK)

    record = writing.ledger.items["water"]
    assert (State.OPEN, (), TAKEN_BACK, 1, 1) == (
        record.state,
        record.evidence,
        record.mistold,
        record.retractions,
        record.attempts,
    )
    assert record.misled


def test_told_again_it_is_met_and_keeps_what_was_heard_against_it() -> None:
    """Whoever reads of it later sees both."""
    writing = taking_back(told())
    writing.step("water", Step.RETRACTED, evidence=TAKEN_BACK)

    writing.step("water", Step.HEARD, evidence=HEARD_WATER)

    record = writing.ledger.items["water"]
    assert (State.MET, HEARD_WATER, TAKEN_BACK, False) == (
        record.state,
        record.evidence,
        record.mistold,
        record.misled,
    )


def test_a_point_told_otherwise_stays_open() -> None:
    """`mistold` closes nothing and opens nothing."""
    writing = taking_back(Writing().spoken())
    writing.step("water", Step.OPENED)

    writing.step("water", Step.MISTOLD, evidence=TAKEN_BACK)

    record = writing.ledger.items["water"]
    assert (State.OPEN, TAKEN_BACK, 0) == (record.state, record.mistold, record.retractions)


@pytest.mark.parametrize(
    ("heard_chars", "why"),
    [(9, "beyond what was heard"), (0, "beyond what was heard")],
)
def test_words_nobody_heard_take_nothing_back(heard_chars: int, why: str) -> None:
    """The listener's ear decides, not the model's intention."""
    writing = taking_back(told(), heard_chars)

    assert why in writing.refuses(ItemStep, item_id="water", step=Step.RETRACTED, evidence=TAKEN_BACK)


def test_an_utterance_that_is_not_over_takes_nothing_back() -> None:
    """Until its end nobody knows how much of it was heard."""
    writing = taking_back(told(), None)
    writing(
        Replied,
        reply_id="r1",
        text="What?",
        speaker="primary",
        onset_during="u2",
        heard_chars_at_onset=len(BACK),
    )

    refused = writing.refuses(ItemStep, item_id="water", step=Step.RETRACTED, evidence=TAKEN_BACK)

    assert "known only at the end" in refused


def test_nothing_said_before_a_telling_takes_it_back() -> None:
    """The order of the call decides."""
    writing = Writing()
    writing(Intended, utterance_id="u2", text=BACK)
    fields = {"delivered_chars": len(BACK), "heard_chars": len(BACK), "exactness": "exact"}
    writing(Delivered, utterance_id="u2", complete=True, interrupted=False, **fields)
    writing.at_s = 2.0
    writing.spoken()
    writing.step("water", Step.OPENED)
    writing.step("water", Step.HEARD, evidence=HEARD_WATER)

    assert "nothing said before" in writing.refuses(ItemStep, item_id="water", step=Step.RETRACTED, evidence=TAKEN_BACK)


@pytest.mark.parametrize("step", [Step.RETRACTED, Step.MISTOLD])
def test_without_its_words_no_step_against_a_point_is_taken(step: Step) -> None:
    """No evidence, no step."""
    writing = told() if step is Step.RETRACTED else Writing()
    if step is Step.MISTOLD:
        writing.step("water", Step.OPENED)

    assert "without the words that were heard" in writing.refuses(ItemStep, item_id="water", step=step)
