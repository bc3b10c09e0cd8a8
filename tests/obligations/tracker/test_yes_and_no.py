"""A reply that says yes and no raises the flag and is confirmed once; so is a no beside words nobody knows."""

from __future__ import annotations

import pytest

from obligations import ReplySpeaker, State, Tracker
from obligations.answers.reader import LocalAnswerReader
from obligations.testing import ScriptedCall, a_pathway, a_question

pytestmark = pytest.mark.unit

PAIN = {"en": "Do you have any pain in your eye?", "pt-PT": "Tem alguma dor no olho?"}
FOCUS = {"en": "pain in your eye", "pt-PT": "dor no olho"}
NO = {"en": "No.", "pt-PT": "Não."}


def asked(language: str) -> ScriptedCall:
    """Pain asked and heard whole."""
    question = a_question(
        "pain", PAIN[language], FOCUS[language], critical=True, red_flag_answers=("yes",), language=language
    )
    call = ScriptedCall(Tracker(a_pathway(question, language=language), call_id="c", reader=LocalAnswerReader()))
    call.say(PAIN[language])
    return call


def flags(call: ScriptedCall) -> list[tuple[str, bool]]:
    return [(flag.value, flag.certain) for flag in call.tracker.ledger.call.red_flags]


@pytest.mark.parametrize(
    ("language", "reply"),
    [
        ("en", "No, I mean yes."),
        ("en", "No. Actually yes."),
        ("en", "Yes no."),
        ("en", "Oh no, not again! Yes, terribly."),
        ("en", "Yes, in the other eye."),
        ("pt-PT", "Não, sim."),
        ("pt-PT", "Sim. Não."),
        ("pt-PT", "Sim, no outro olho."),
    ],
)
def test_a_yes_beside_a_no_is_flagged_at_once_and_confirmed_once(language: str, reply: str) -> None:
    """The later no is recorded as an answer, the flag keeps the first words."""
    call = asked(language)
    call.hear(reply)
    raised, held = flags(call), call.tracker.ledger.items["pain"].state
    call.speak()
    call.hear(NO[language])
    handoff = call.tracker.handoff("completed", call.now_s)

    assert ([("yes", False)], State.ASKED) == (raised, held)
    assert ("no", NO[language]) == (handoff.answers[0].value, handoff.answers[0].quote)
    assert [("yes", False, reply)] == [(flag.value, flag.certain, flag.quote) for flag in handoff.red_flags]


@pytest.mark.parametrize(
    ("language", "reply"), [("en", "No, murky and purple."), ("en", "No, marmalade."), ("pt-PT", "Não, marmelada.")]
)
def test_a_no_with_unknown_words_is_confirmed_and_both_replies_are_quoted(language: str, reply: str) -> None:
    """Whoever reads the hand-off sees the words that could not be read."""
    call = asked(language)
    call.hear(reply)
    held = call.tracker.ledger.items["pain"].state
    call.speak()
    call.hear(NO[language])
    answer = call.tracker.handoff("completed", call.now_s).answers[0]

    assert State.ASKED is held
    assert ("no", reply, NO[language]) == (answer.value, answer.quote, answer.confirmation_quote)


@pytest.mark.parametrize("reply", ["No! Stop calling me.", "No. I want to speak to a nurse.", "No! Leave me alone."])
def test_a_no_beside_a_request_about_the_call_closes_nothing(reply: str) -> None:
    """It may deny the call."""
    call = asked("en")
    call.hear(reply)

    assert State.ASKED is call.tracker.ledger.items["pain"].state


def test_a_yes_and_no_after_the_answer_takes_it_back() -> None:
    """Over the same question, the doubtful second thought raises the flag and owes the question again."""
    call = asked("en")
    call.hear("No.")
    call.hear("Well, no... yes.")

    assert ([("yes", False)], State.ASKED) == (flags(call), call.tracker.ledger.items["pain"].state)


def test_an_unknown_voice_takes_nothing_back_by_saying_both() -> None:
    """It raises the flag, no more."""
    call = asked("en")
    call.hear("No.")
    call.hear("No, yes.", speaker=ReplySpeaker.UNSURE)

    assert ([("yes", False)], State.ANSWERED) == (flags(call), call.tracker.ledger.items["pain"].state)


@pytest.mark.parametrize(("language", "reply"), [("en", "No, can you repeat?"), ("pt-PT", "Não, pode repetir?")])
def test_a_no_before_a_request_to_repeat_brings_the_question_again(language: str, reply: str) -> None:
    """No confirmation of a no that nobody gave, and no "I cannot answer that"."""
    call = asked(language)
    outcome = call.hear(reply)

    assert "repeat" in outcome.intents
    assert FOCUS[language] in call.speak().text
