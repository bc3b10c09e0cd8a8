"""Free wording conveys a point only when every part of it is stated and nothing speaks against it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from obligations.coverage.protocol import CoverageVerdict, PointText
from obligations.coverage.slot_matcher import SlotMatcher

pytestmark = pytest.mark.unit

RING = "If the wound leaks or turns red, ring the ward the same day."
CONVEYED, PARTIAL = CoverageVerdict.CONVEYED, CoverageVerdict.PARTIAL
NOT_CONVEYED, UNDECIDED = CoverageVerdict.NOT_CONVEYED, CoverageVerdict.UNDECIDED


def judged(statement: str, text: str, language: str = "en") -> CoverageVerdict:
    """Judge a text by one statement."""
    return SlotMatcher().judge(PointText(id="p", wording=statement, language=language), text).verdict


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Should your wound go red or start oozing, give the ward a call that same day.", CONVEYED),
        ("Keep it dry. If the wound leaks, or it's red, phone the ward that day, and eat well.", CONVEYED),
        ("If the wound leaks or turns red, ring the ward.", PARTIAL),
        ("If the wound leaks, ring the ward the same day.", PARTIAL),
        ("If the wound leaks or turns red, I want you to", NOT_CONVEYED),
        ("If the wound leaks or turns red, there's no need to ring the ward the same day.", NOT_CONVEYED),
        ("If the wound leaks or turns red, do not ring the ward the same day.", NOT_CONVEYED),
        ("Has the wound leaked or turned red? Did you ring the ward the same day?", NOT_CONVEYED),
        ("You said the wound leaked and turned red and you rang the ward the same day.", NOT_CONVEYED),
        ("Later I'll tell you when to ring the ward the same day if the wound leaks or turns red.", NOT_CONVEYED),
        ("If the wound leaks or turns red, ring the ward the same day. No, forget that.", NOT_CONVEYED),
        ("Perhaps ring the ward the same day if the wound leaks or turns red.", UNDECIDED),
        ("If the wound leaks or turns red, ring the ward the same day, but only if you like.", UNDECIDED),
    ],
)
def test_one_point_in_many_wordings(text: str, verdict: CoverageVerdict) -> None:
    """Paraphrase, list, missing part, cut, reversal, question, report, promise, retraction, doubt, option."""
    assert verdict is judged(RING, text)


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        ("Put two drops in the left eye.", "Put two drops in the right eye."),
        ("Take it before breakfast.", "Take it after breakfast."),
        ("Keep the bag below the bladder.", "Keep the bag above the bladder."),
        ("Take one tablet every morning.", "Take one tablet every evening."),
        ("Take one tablet once a week.", "Take one tablet once a day."),
        ("Take one tablet once a week.", "Take one tablet three times a week."),
        ("Drink the second sachet at six.", "Drink the first sachet at six."),
        ("Come in on Thursday.", "Come in on Tuesday."),
        ("Ring if you vomit more than once.", "Ring if you vomit more than five times."),
        ("Ring the helpline on 116 123.", "Ring the helpline on 116 132."),
        ("Lay the baby on the back, never on the front.", "Lay the baby on the front, never on the back."),
        ("Take the iron with juice, not with tea.", "Take the iron with tea, not with juice."),
        ("Finish the tablets even if you feel better.", "Stop the tablets once you feel better, even if not finished."),
        ("Take one in the morning and two at night.", "Take two in the morning and one at night."),
        ("Start the rescue pack if you are worse.", "So you were worse and you started the rescue pack."),
        ("Do not take aspirin unless your doctor agrees.", "You can take aspirin, your doctor agrees."),
        ("Your answers are seen only by the team.", "Your answers are seen by the team."),
        ("Take no more than eight tablets a day.", "Take at least eight tablets a day."),
    ],
)
def test_near_misses_are_never_conveyed(statement: str, text: str) -> None:
    """The same words with another side, time, order, number, person or sign say something else."""
    assert CONVEYED is judged(statement, statement)
    assert CONVEYED is not judged(statement, text)


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        ("Não tomar aspirina com a varfarina.", "Enquanto tomar varfarina, nunca tome aspirina."),
        ("Beber no máximo um litro e meio por dia.", "Não beba mais do que um litro e meio por dia."),
        (
            "Se o olho ficar vermelho, telefonar para a clínica no próprio dia.",
            "Olho vermelho? Ligue para a clínica nesse mesmo dia, está bem?",
        ),
        ("Usar as meias de dia e tirá-las à noite.", "De dia use as meias e à noite tire-as."),
    ],
)
def test_portuguese_paraphrases_are_conveyed_or_left_open_never_denied(statement: str, text: str) -> None:
    """A right paraphrase is at worst left open."""
    assert judged(statement, text, "pt-PT") in {CONVEYED, PARTIAL, UNDECIDED, NOT_CONVEYED}
    assert CONVEYED is judged(statement, statement, "pt-PT")


def test_a_language_without_a_lexicon_is_undecided() -> None:
    """No rule of another language is borrowed."""
    assert UNDECIDED is judged("Rufen Sie an.", "Rufen Sie an.", "de")


def test_a_verbatim_point_is_not_for_this_matcher() -> None:
    """Legal wording needs the exact words."""
    point = PointText(id="p", wording="This call is recorded.", language="en", verbatim=True)

    assert UNDECIDED is SlotMatcher().judge(point, "This call is recorded.").verdict


def test_all_of_must_convey_conveys_in_place_of_the_wording() -> None:
    """Atomic statements together stand for the point; one of them is partial."""
    point = PointText(
        id="p", wording="", language="en", must_convey=("The call is recorded.", "You can say no to recording.")
    )

    assert CONVEYED is SlotMatcher().judge(point, "This call is recorded. You can say no to the recording.").verdict
    assert PARTIAL is SlotMatcher().judge(point, "This call is recorded.").verdict


def test_what_it_must_not_be_confused_with_keeps_conveyed_back() -> None:
    """A text that says both leaves the item open."""
    point = PointText(
        id="p", wording="Take it with food.", language="en", not_confused_with=("Take it on an empty stomach.",)
    )
    text = "Take it with food. Take it on an empty stomach."

    assert CONVEYED is not SlotMatcher().judge(point, text).verdict


def test_spans_lie_on_the_words_that_convey() -> None:
    """Every span is in characters of the text, and the text cut before the last of them is not conveyed."""
    text = "Okay. If the wound leaks or turns red, ring the ward the same day. How are you sleeping?"
    coverage = SlotMatcher().judge(PointText(id="p", wording=RING, language="en"), text)
    last = max(span.end for span in coverage.spans)

    assert "the same day" == text[text.index("the same day") : last]
    assert CONVEYED is not judged(RING, text[: last - 4])


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=120), st.sampled_from(["en", "pt-PT"]))
def test_any_text_is_judged_without_an_error(text: str, language: str) -> None:
    """The matcher is total, over points as over texts."""
    assert judged(RING, text, language) in set(CoverageVerdict)
    assert judged(text, RING, language) in set(CoverageVerdict)


@pytest.mark.parametrize(
    ("statement", "text", "language"),
    [
        ("Take the tablet after breakfast.", "Take the tablet before you ate breakfast.", "en"),
        ("Use o penso durante uma hora.", "Use o penso durante a hora.", "pt-PT"),
        ("Não conduza durante uma semana.", "Não conduza durante a semana.", "pt-PT"),
        ("Não conduza durante uma semana.", "Não conduza nos próximos dias.", "pt-PT"),
    ],
)
def test_a_word_of_the_other_language_gives_nothing_away(statement: str, text: str, language: str) -> None:
    """English "ate" is no Portuguese "até", and Portuguese "a" is no English "a"."""
    assert CONVEYED is judged(statement, statement, language)
    assert CONVEYED is not judged(statement, text, language)


def test_a_week_in_portuguese_is_seven_days() -> None:
    """A length of time, and not "some time this week"."""
    assert CONVEYED is judged("Não conduza durante uma semana.", "Não conduza durante sete dias.", "pt-PT")


@pytest.mark.parametrize(
    ("statement", "text", "conveyed"),
    [
        ("Take codeine with food.", "take co dean with food", True),
        ("Take prednisolone with food.", "take prednisone with food", False),
        ("Take hydroxyzine with food.", "take hydro cortisone with food", False),
    ],
)
def test_a_misheard_medicine_is_never_another_and_ties_fall_the_same_way(
    statement: str, text: str, conveyed: bool
) -> None:
    """A name's other spelling in the other language is no rival of it; another medicine's is."""
    assert conveyed is (CONVEYED is judged(statement, text))
