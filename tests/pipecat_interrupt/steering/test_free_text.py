"""Free text of a model: what reassures, advises, claims or asks is refused; a bare acknowledgement passes."""

from __future__ import annotations

import pytest

from pipecat_interrupt.steering.free_text import ACKNOWLEDGEMENT_WORDS_MAX, Hazard, hazards_of

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "hazard"),
    [
        ("I'm sure you'll be fine tomorrow.", Hazard.REASSURES),
        ("Bright light can hurt, but it's not a big deal.", Hazard.REASSURES),
        ("Don\u2019t worry about that.", Hazard.REASSURES),
        ("That sounds perfectly normal.", Hazard.REASSURES),
        ("You should rest for a few days.", Hazard.ADVISES),
        ("Try to avoid driving.", Hazard.ADVISES),
        ("Take paracetamol if it hurts.", Hazard.ADVISES),
        ("That happens because of the new lens.", Hazard.CLAIMS),
        ("It takes 4 weeks.", Hazard.CLAIMS),
        ("Does it hurt at night?", Hazard.ASKS),
    ],
)
def test_a_line_that_goes_beyond_an_acknowledgement_is_refused(text: str, hazard: Hazard) -> None:
    """Each kind of unsafe line is named."""
    assert hazard in hazards_of(text, "en")


@pytest.mark.parametrize(
    "text", ["Thank you for telling me.", "All right.", "I see.", "Okay, let me answer that.", "Of course."]
)
def test_a_bare_acknowledgement_passes(text: str) -> None:
    """Nothing in it can be taken for advice."""
    assert hazards_of(text, "en") == ()


def test_portuguese_has_its_own_table() -> None:
    """No rule of one language is applied to another."""
    assert Hazard.REASSURES in hazards_of("Não se preocupe, vai passar.", "pt-PT")
    assert hazards_of("Obrigado por me dizer.", "pt-PT") == ()
    assert Hazard.REASSURES not in hazards_of("Don't worry", "pt-PT")


def test_a_language_without_a_table_refuses_everything() -> None:
    """What cannot be checked is not spoken."""
    assert hazards_of("Merci.", "fr") == (Hazard.LANGUAGE,)


def test_the_length_limit_holds_at_its_edge() -> None:
    """The longest allowed line passes, one word more does not."""
    assert hazards_of("word " * ACKNOWLEDGEMENT_WORDS_MAX, "en") == ()
    assert hazards_of("word " * (ACKNOWLEDGEMENT_WORDS_MAX + 1), "en") == (Hazard.TOO_LONG,)


def test_the_pathways_own_wording_is_always_allowed() -> None:
    """Approved text may advise: a clinician can read it beforehand."""
    assert hazards_of("Wear sunglasses outside, please.", "en", approved=["Wear sunglasses outside, please!"]) == ()
