"""The trained reader beside the word rules: it raises in words the rules do not know, and does nothing else."""

from __future__ import annotations

import pytest

from obligations import ReplySpeaker, State, SteeringPolicy, Tracker, load_pathway
from obligations.answers.reader import LocalAnswerReader
from obligations.ledger import Ledger, RedFlagRaised, Replied, Step, from_json, to_json
from obligations.ledger.events import ItemStep
from obligations.pathway.emergencies import emergencies
from obligations.steering import Speak
from obligations.testing import ScriptedCall
from obligations.tracker.unasked import POSSIBLE_DANGER

pytestmark = pytest.mark.unit

EYE = load_pathway("cataract-followup")
OFF = SteeringPolicy(safe_side_model=False)
DANGER = {
    "en": "She's on the bathroom floor and I cannot get a word out of her",
    "pt-PT": "Ele está caído na sala e não me responde",
}
ANOTHER = {
    "en": "Nan can't manage the telephone so you've got me",
    "pt-PT": "Tem de falar comigo, que ele não está em condições",
}
LOOSENED = {
    "en": ("Mind you, a quick run round to the shop in daylight won't hurt.", "driving.wait"),
    "pt-PT": ("Uma voltinha de dia não lhe faz mal nenhum.", "driving.wait"),
}
MODEL = "safe-side@1"
both = pytest.mark.parametrize("language", ["en", "pt-PT"])


def a_call(language: str, policy: SteeringPolicy | None = None, pathway: str = "cataract-followup") -> ScriptedCall:
    tracker = Tracker(load_pathway(pathway), call_id="c", language=language, reader=LocalAnswerReader(), policy=policy)
    call = ScriptedCall(tracker)
    call.until_listening()
    return call


def flags(call: ScriptedCall) -> list[tuple[str, str, bool, str]]:
    raised = [event for event in call.tracker.events if isinstance(event, RedFlagRaised)]
    return [(flag.item_id, flag.value, flag.certain, flag.by) for flag in raised]


def told(language: str, policy: SteeringPolicy | None = None) -> ScriptedCall:
    """An advice told, and in the next turn loosened in words that no list holds."""
    words, item_id = LOOSENED[language]
    call = ScriptedCall(Tracker(EYE, call_id="c", language=language, reader=LocalAnswerReader(), policy=policy))
    call.say(" ".join(item.wording[language] for item in EYE.group("disclosure").items))
    call.say(EYE.points[item_id].wording[language])
    call.hear("Hm." if language == "en" else "Ah.")
    call.say(words)
    return call


def against(call: ScriptedCall) -> list[tuple[str, Step, str]]:
    steps = [event for event in call.tracker.events if isinstance(event, ItemStep)]
    return [(s.item_id, s.step, s.by) for s in steps if s.step in (Step.MISTOLD, Step.RETRACTED)]


@both
def test_a_danger_in_other_words_is_flagged_uncertain_and_a_person_promised_once(language: str) -> None:
    """The fact names the model; a second danger of the kind raises no second flag."""
    call = a_call(language)

    call.hear(DANGER[language])
    said = call.speak()
    call.until_listening()
    call.hear(DANGER[language])
    after = [move.text for move in call.until_listening()]

    assert (POSSIBLE_DANGER, False, MODEL) in [flag[1:] for flag in flags(call)]
    assert isinstance(said, Speak)
    assert EYE.phrases[language].person == said.text
    assert EYE.phrases[language].person not in after
    assert 1 == sum(flag[1] == POSSIBLE_DANGER for flag in flags(call))
    quotes = [flag.quote for flag in call.tracker.handoff("hang_up", call.now_s).red_flags]
    assert DANGER[language] in quotes


@both
def test_what_the_rules_read_is_theirs(language: str) -> None:
    """One flag, of their kind, by their name: the model adds none."""
    words = {"en": "I think I'm having a stroke.", "pt-PT": "Acho que estou a ter um AVC."}[language]
    call = a_call(language)

    call.hear(words)

    assert ("emergency", "stroke", False, "word-rules") in flags(call)
    assert POSSIBLE_DANGER not in [flag[1] for flag in flags(call)]


@both
def test_the_test_sentences_are_none_of_the_rules(language: str) -> None:
    """Else these tests would prove nothing of the model."""
    assert () == emergencies(language).told(DANGER[language])
    off = a_call(language, OFF)
    off.hear(ANOTHER[language])
    assert "someone_else" not in off.tracker.ledger.call.standing


@both
def test_somebody_else_in_other_words_is_asked_for_the_patient_once(language: str) -> None:
    """What they say is a report; after the patient's yes the model never asks again."""
    call = a_call(language)
    who = EYE.phrases[language].patient_now
    assert who is not None

    call.hear(ANOTHER[language])
    asked = [move.text for move in call.until_listening()]
    call.hear("Yes, it's me." if language == "en" else "Sim, sou eu.")
    call.until_listening()
    call.hear(ANOTHER[language])
    call.until_listening()

    first = next(event for event in call.tracker.events if isinstance(event, Replied))
    assert (ReplySpeaker.THIRD_PARTY, MODEL) == (first.speaker, first.whose_by)
    assert [who] == [text for text in asked if text.endswith(who)]
    assert 1 == sum(who in text for text in call.spoken)


def test_behind_a_right_party_check_the_model_asks_nothing() -> None:
    """There the patient has said who they are; only plain words move the call away from them."""
    call = a_call("en", pathway="heart-failure-discharge")
    call.hear("Yes, speaking.")
    call.until_listening()

    call.hear(ANOTHER["en"])

    assert "someone_else" not in call.tracker.ledger.call.standing


@both
def test_an_advice_loosened_in_other_words_is_owed_again(language: str) -> None:
    """With the sentence and who read it as evidence."""
    words, item_id = LOOSENED[language]
    call = told(language)

    record = call.tracker.ledger.items[item_id]
    assert State.OPEN is record.state
    assert [(words, MODEL)] == [(piece.quote, piece.by) for piece in record.mistold]
    assert [(item_id, Step.RETRACTED, MODEL)] == against(call)


@both
def test_the_model_owes_one_advice_again_once_in_a_call(language: str) -> None:
    """One more telling is all that its reading may cost."""
    words, item_id = LOOSENED[language]
    call = told(language)
    call.say(EYE.points[item_id].wording[language])
    call.hear("Hm." if language == "en" else "Ah.")

    call.say(words)

    assert State.MET is call.tracker.ledger.items[item_id].state
    assert 1 == len(against(call))


@both
def test_the_model_alone_says_of_no_point_that_it_was_told_otherwise(language: str) -> None:
    """A point that is still owed is told anyway; that the agent told it wrong is said by the rules only."""
    words, item_id = LOOSENED[language]
    call = ScriptedCall(Tracker(EYE, call_id="c", language=language, reader=LocalAnswerReader()))
    call.say(EYE.points[item_id].wording[language], until=EYE.points[item_id].wording[language].split()[0])

    call.say(words)

    assert [] == against(call)
    assert () == call.tracker.ledger.items[item_id].mistold


def test_half_a_sentence_owes_nothing_again() -> None:
    """What a cut sentence was to say is not known."""
    words, item_id = LOOSENED["en"]
    call = ScriptedCall(Tracker(EYE, call_id="c", language="en", reader=LocalAnswerReader()))
    call.say(EYE.points[item_id].wording["en"])
    call.hear("Hm.")

    call.say(words, until="shop in daylight")

    assert State.MET is call.tracker.ledger.items[item_id].state


@both
def test_switched_off_the_rules_read_alone(language: str) -> None:
    """One setting for the three."""
    call = a_call(language, OFF)
    call.hear(DANGER[language])
    call.hear(ANOTHER[language])

    assert [] == [flag for flag in flags(call) if flag[3] == MODEL]
    assert "someone_else" not in call.tracker.ledger.call.standing
    assert [] == against(told(language, OFF))


@both
def test_a_call_with_the_model_is_rebuilt_from_its_facts(language: str) -> None:
    """Replay asks no model: who raised what stands in the facts."""
    call = told(language)
    call.hear(DANGER[language])

    again = Ledger.replay(EYE, [from_json(to_json(event)) for event in call.tracker.events])

    assert call.tracker.ledger.items == again.items
    assert call.tracker.ledger.call.red_flags == again.call.red_flags
