"""What is said last is true, and a patient who leaves is offered what was cut before what was never begun."""

from __future__ import annotations

from functools import cache

import pytest

from obligations import Tracker, load_pathway
from obligations.answers.reader import LocalAnswerReader
from obligations.steering import Release, Speak
from obligations.testing import ScriptedCall

pytestmark = pytest.mark.unit

EVERYTHING = {"en": "everything I needed to ask", "pt-PT": "tudo o que precisava de perguntar"}
LEFT_THERE = {
    "en": "I will leave it there. The team will be told. Goodbye.",
    "pt-PT": "A equipa será informada. Adeus.",
}
LIGHT = {
    "en": ("No. Is it normal that bright light hurts?", "If you have severe pain", "contact the hospital at once"),
    "pt-PT": ("Não. É normal a luz forte incomodar?", "Se tiver dor forte", "contacte logo o hospital"),
}
NO = {"en": "No.", "pt-PT": "Não."}
BYE = {"en": "OK bye.", "pt-PT": "Ok, adeus."}
loaded = cache(load_pathway)


def a_call(language: str = "en") -> ScriptedCall:
    tracker = Tracker(loaded("cataract-followup"), call_id="c", language=language, reader=LocalAnswerReader())
    return ScriptedCall(tracker)


def rest_of(call: ScriptedCall, language: str) -> list[str]:
    """Answer every question with no until the call ends; what was spoken."""
    before = len(call.spoken)
    call.run(lambda said: NO[language] if said.text.endswith("?") else None)
    return call.spoken[before:]


@pytest.mark.parametrize("language", ["en", "pt-PT"])
def test_whoever_leaves_early_is_not_told_that_all_was_asked(language: str) -> None:
    """Four questions were never put: the agent leaves it there and says that the team will be told."""
    call = a_call(language)
    call.until_listening()
    call.hear(BYE[language])

    spoken = rest_of(call, language)

    assert LEFT_THERE[language] in spoken[-1]
    assert all(EVERYTHING[language] not in text for text in spoken)


@pytest.mark.parametrize("language", ["en", "pt-PT"])
def test_whoever_was_asked_everything_is_told_so(language: str) -> None:
    """The pathway's own goodbye, where it is true."""
    call = a_call(language)

    assert EVERYTHING[language] in rest_of(call, language)[-1]


@pytest.mark.parametrize("language", ["en", "pt-PT"])
def test_the_advice_that_was_cut_is_offered_first_and_the_question_too(language: str) -> None:
    """Both fit into the offer's bound, and the advice needs no reply."""
    asks, begun, end = LIGHT[language]
    call = a_call(language)
    call.until_listening()
    call.hear(asks)
    call.speak(until=begun)
    call.hear(BYE[language])

    offer = call.speak()

    assert ("light.escalation", "pain") == offer.item_ids
    assert end in offer.text
    assert len(offer.text) <= call.tracker.policy.goodbye_offer_s_max * call.tracker.policy.speech_chars_per_s
    call.hear(NO[language])
    items = call.tracker.ledger.items
    assert ("met", "answered") == (str(items["light.escalation"].state), str(items["pain"].state))


def test_advice_the_patient_asked_for_comes_before_questions_when_the_call_ends() -> None:
    """A patient who says nothing more hears it: it needs no reply, the questions do."""
    call = a_call()
    call.until_listening()
    call.hear(LIGHT["en"][0])

    first = call.tracker.may_end("end_frame", call.now_s)

    assert isinstance(first, Speak)
    assert ("light.escalation",) == first.item_ids


def test_a_model_led_call_closes_in_words_that_are_true() -> None:
    """What closes the call behind the guard claims nothing; to a line on which nobody speaks it says so."""
    call = a_call()
    call.until_listening()

    said = {why: call.tracker.leave_taking(why, opened=True) for why in ("tries_spent", "nobody_speaks", "refused")}

    assert LEFT_THERE["en"] in str(said["tries_spent"])
    assert "I cannot hear you" in str(said["nobody_speaks"])
    assert said["refused"] is None
    assert call.tracker.leave_taking("tries_spent", opened=False) is None


def test_leave_is_taken_once() -> None:
    """Two ways to say goodbye are one goodbye."""
    call = a_call()
    call.until_listening()
    call.hear(BYE["en"])
    spoken = rest_of(call, "en")

    assert 1 == sum("oodbye" in text for text in spoken)
    assert isinstance(call.tracker.may_end("patient_goodbye", call.now_s), Release)
