"""The facts keep their promises or refuse to exist."""

from __future__ import annotations

from enum import StrEnum

import pytest
from pydantic import ValidationError

from pipecat_interrupt.facts import Cut, OverlapFact, UtteranceRecord

pytestmark = pytest.mark.unit

TEXT = "Take one tablet each morning. Do not drink alcohol."


def record(**changes: object) -> UtteranceRecord:
    values: dict[str, object] = {
        "id": "u1",
        "intended": TEXT,
        "delivered": "Take one tablet each morning. Do",
        "undelivered": " not drink alcohol.",
        "cut": Cut(chars=32, words=6, ms=1900.0, exactness="exact"),
        "end_reason": "interruption",
    }
    return UtteranceRecord.model_validate(values | changes)


def test_a_cut_record_keeps_all_three_texts_apart() -> None:
    """Delivered, undelivered and intended stand side by side and add up."""
    made = record()

    assert made.delivered == "Take one tablet each morning. Do"
    assert made.delivered + made.undelivered == made.intended
    assert not made.heard_whole


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"delivered": "Take two"}, "must equal intended"),
        ({"undelivered": "not drink alcohol."}, "must equal intended"),
        ({"cut": None}, "needs its cut"),
        ({"cut": Cut(chars=31, words=6, ms=0, exactness="exact")}, "after 31 characters but 32"),
        ({"end_reason": "complete"}, "has no cut"),
        ({"spoken": "x"}, "Extra inputs"),
    ],
)
def test_a_record_that_contradicts_itself_is_refused(changes: dict[str, object], message: str) -> None:
    """Text outside the intended text, a lost tail or a wrong cut cannot be written down."""
    with pytest.raises(ValidationError, match=message):
        record(**changes)


def test_a_record_is_frozen() -> None:
    """Facts are not edited afterwards."""
    with pytest.raises(ValidationError, match="frozen"):
        record().delivered = TEXT  # type: ignore[misc]  # the refusal is what is tested


def test_a_model_that_was_stopped_did_not_say_all_it_meant() -> None:
    """All that was written was heard, yet the reply is not whole when the model was cut off while writing."""
    made = record(delivered=TEXT, undelivered="", cut=None, end_reason="complete", llm_complete=False)

    assert not made.heard_whole


def test_a_record_survives_json() -> None:
    """What is journalled is what is read back."""
    overlap = OverlapFact(onset_s=2.0, verdict="question", kind="competitive", speaker="primary", words="How big?")
    made = record().with_overlap(overlap)

    assert UtteranceRecord.model_validate_json(made.model_dump_json()) == made


def test_an_enum_of_another_room_becomes_its_plain_word() -> None:
    """Equal facts are equal, whoever filled them in."""

    class Verdict(StrEnum):
        ANSWER = "answer"

    fact = OverlapFact(onset_s=0.0, verdict=Verdict.ANSWER)  # type: ignore[arg-type]  # a StrEnum of another room

    assert type(fact.verdict) is str
    assert fact == OverlapFact(onset_s=0.0, verdict="answer")


def test_an_unknown_verdict_is_refused() -> None:
    """The vocabulary is closed."""
    with pytest.raises(ValidationError):
        OverlapFact(onset_s=0.0, verdict="barge_in")  # type: ignore[arg-type]  # the refusal is what is tested
