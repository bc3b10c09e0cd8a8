"""The three kinds of overlap, on the paper's own situations (own sentences)."""

from __future__ import annotations

import pytest

from pipecat_interrupt.overlap.evidence import AgentFloor, OverlapKind, Verdict
from pipecat_interrupt.overlap.kinds import kind_at_onset, kind_of, place_of
from pipecat_interrupt.overlap.languages import table_for

pytestmark = pytest.mark.unit

ANSWER_OF_UNITS = "Bright light can be uncomfortable. Sunglasses help, and it gets better. Call us if your sight fades."


def at(delivered: str, whole: str = ANSWER_OF_UNITS, question_open: bool = False) -> AgentFloor:
    """A floor cut behind `delivered`."""
    assert whole.startswith(delivered)
    return AgentFloor(delivered_text=delivered, remaining_text=whole[len(delivered) :], question_open=question_open)


@pytest.mark.parametrize(
    ("delivered", "trp"),
    [
        ("Bright light can be uncomfortable.", True),
        ("Bright light can be uncomfortable. Sunglasses", True),
        ("Bright light can be uncomfortable. Sunglasses help,", True),
        ("Bright light can be uncomfortable. Sunglasses help, and it gets", False),
        ("Bright light can be", False),
        ("", False),
    ],
)
def test_a_trp_is_the_end_of_a_unit_or_the_first_two_words_after_it(delivered: str, trp: bool) -> None:
    """A listener who reacts to an end overlaps the next unit's beginning."""
    assert trp is place_of(at(delivered), table_for("en")).trp


def test_an_acknowledgement_at_the_first_unit_of_a_longer_answer_is_transitional() -> None:
    """provision-transitional: "okay, thanks" at the first TRP."""
    place = place_of(at("Bright light can be uncomfortable. Sunglasses"), table_for("en"))

    assert OverlapKind.TRANSITIONAL_SUB_UNIT is kind_of(place, Verdict.BACKCHANNEL)


def test_a_no_in_mid_question_is_recognitional() -> None:
    """gathering-recognitional: the dismissive answer to a truncated stem."""
    floor = at("Do you have any redness in", "Do you have any redness in your eye?", question_open=True)

    assert OverlapKind.RECOGNITIONAL is kind_of(place_of(floor), Verdict.ANSWER)
    assert OverlapKind.RECOGNITIONAL is kind_at_onset(place_of(floor), floor)


@pytest.mark.parametrize("verdict", ["topic_shift", "question", "correction", "stop_request", "repair_request"])
def test_a_redirect_in_the_interior_is_competitive(verdict: str) -> None:
    """provision-competitive and gathering-competitive: far from any end, the speaker wants something else."""
    place = place_of(at("Bright light can be uncomfortable. Sunglasses help, and it gets"))

    assert OverlapKind.COMPETITIVE is kind_of(place, Verdict(verdict), takes_floor=True)


def test_a_turn_of_one_unit_has_no_transitional_overlap() -> None:
    """The paper: a single-unit question does not give the patient an early-unit TRP to act on."""
    floor = at("Do you have any", "Do you have any redness in your eye?")

    assert OverlapKind.TRANSITIONAL_SUB_UNIT is not kind_of(place_of(floor), Verdict.BACKCHANNEL)


@pytest.mark.parametrize("delivered", [ANSWER_OF_UNITS, ANSWER_OF_UNITS[: -len(" sight fades.")]])
def test_an_overlap_of_the_last_words_is_terminal_and_none_of_the_three(delivered: str) -> None:
    """Terminal overlap is excluded by the paper; it still lies at a TRP."""
    place = place_of(at(delivered))

    assert place.terminal and place.trp
    assert kind_of(place, Verdict.TOPIC_SHIFT) is None


@pytest.mark.parametrize("verdict", [Verdict.NOISE, Verdict.ECHO])
def test_what_is_no_speech_of_a_person_has_no_kind(verdict: Verdict) -> None:
    """A cough overlaps, but is nobody's turn."""
    assert kind_of(place_of(at("Bright light can be")), verdict) is None


def test_conjunctions_that_begin_a_unit_are_the_languages_own() -> None:
    """A comma before "mas" ends a unit in Portuguese and not in English."""
    whole = "Pode tomar banho, mas não deve molhar o olho durante uma semana inteira."
    floor = at("Pode tomar banho, mas", whole)

    assert place_of(floor, table_for("pt-PT")).trp
    assert not place_of(floor, table_for("en")).trp
