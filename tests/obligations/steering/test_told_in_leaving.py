"""A symptom told over a goodbye takes the red flag's way once: confirmed, followed by its advice, then the goodbye."""

from __future__ import annotations

import pytest

from obligations import End, Pathway, Release, Speak, SteeringPolicy, Tracker
from obligations.answers.reader import LocalAnswerReader
from obligations.pathway import OnAnswer
from obligations.testing import ScriptedCall, a_group, a_pathway, a_point, a_question

pytestmark = pytest.mark.unit

PATHWAY = a_pathway(
    a_question(
        "flashes",
        "Have you seen any flashing lights?",
        "flashing lights",
        critical=True,
        red_flag_answers=("yes",),
        confirm={"en": "Have you seen flashing lights, yes or no?"},
    ),
    a_question("pain", "Do you have any pain in your eye?", "pain in your eye", critical=True),
    a_group(
        "at-once",
        [a_point("call", "Call the eye clinic today.", critical=True)],
        trigger=OnAnswer(on="answer", question="flashes", values=("yes",)),
        due={"by": "at_once"},
    ),
)
LIMIT_CHARS = SteeringPolicy().goodbye_offer_s_max * SteeringPolicy().speech_chars_per_s


def at_the_end(pathway: Pathway = PATHWAY) -> ScriptedCall:
    """The questions asked and answered."""
    call = ScriptedCall(Tracker(pathway, call_id="c", reader=LocalAnswerReader()))
    call.say("Hello from the test clinic. Have you seen any flashing lights?")
    call.hear("No.")
    call.say("Do you have any pain in your eye?")
    call.hear("No.")
    return call


def offered(call: ScriptedCall) -> Speak:
    """Take the next move, which must be an offer short enough for a leave-taking."""
    move = call.speak()
    assert len(move.text) <= LIMIT_CHARS
    return move


@pytest.mark.parametrize("over", ["before the goodbye", "over the goodbye", "after the goodbye"])
def test_with_the_patients_goodbye(over: str) -> None:
    """Asked once whether it is so; on a yes its advice; then the goodbye and the end."""
    call = at_the_end()
    if over == "before the goodbye":
        call.hear("Goodbye. Oh, I have seen some flashing lights.")
    else:
        call.hear("Goodbye.")
        call.speak(until="That is" if over == "over the goodbye" else None)
        call.hear("Oh, I have seen some flashing lights.")

    confirm = offered(call)
    call.hear("Yes.")
    advice = offered(call)
    call.hear("Okay.")
    call.until_listening()

    assert (("flashes",), ("call",)) == (confirm.item_ids, advice.item_ids)
    assert isinstance(call.move(), End)
    handoff = call.tracker.handoff("patient_goodbye", call.now_s)
    assert ([], ["yes", "no"]) == (list(handoff.open_items), [answer.value for answer in handoff.answers])


def test_a_plain_second_thought_brings_the_advice_at_once() -> None:
    """There is nothing to confirm."""
    call = at_the_end()
    call.hear("Goodbye.")
    call.speak(until="That is")
    call.hear("Oh wait, about the flashing lights, yes, I have seen flashing lights.")

    assert ("call",) == offered(call).item_ids


def test_over_the_agents_goodbye() -> None:
    """The goodbye waits until the symptom has been confirmed and its advice given."""
    call = at_the_end()
    call.speak(until="That is")
    call.hear("But I have seen some flashing lights.")

    confirm = call.speak()
    call.hear("Yes.")
    advice = call.speak()

    assert (("flashes",), ("call",)) == (confirm.item_ids, advice.item_ids)


def test_it_is_offered_once_and_then_stands_in_the_handoff() -> None:
    """Whoever does not answer is let go."""
    call = at_the_end()
    call.hear("Goodbye. Oh, I have seen some flashing lights.")
    offered(call)
    call.hear("Goodbye now.")
    spoken = call.until_listening()

    assert ["goodbye"] == [move.purpose for move in spoken]
    assert isinstance(call.move(), End)
    handoff = call.tracker.handoff("patient_goodbye", call.now_s)
    assert ["flashes"] == [item.item_id for item in handoff.open_items]
    assert ["flashes"] == [flag.item_id for flag in handoff.red_flags]


@pytest.mark.parametrize("refusal", ["Stop calling me.", "I don't want to talk any more."])
def test_whoever_refuses_is_let_go_at_once(refusal: str) -> None:
    """The flag stands in the hand-off; nothing is pressed on anybody."""
    call = at_the_end()
    call.hear(f"Goodbye. I have seen some flashing lights. {refusal}")

    verdict = call.tracker.may_end("patient_goodbye", call.now_s)

    assert isinstance(verdict, Release)
    assert ["flashes"] == [flag.item_id for flag in call.tracker.handoff("patient_goodbye", call.now_s).red_flags]


def test_an_earlier_offer_does_not_use_up_the_red_flags() -> None:
    """The one offer of a goodbye was another item; the symptom told then is still taken up."""
    rest = a_group("rest", [a_point("rest", "Rest your eyes.", critical=True)])
    call = at_the_end(a_pathway(*PATHWAY.groups, rest))
    call.hear("Goodbye.")
    first = call.speak()
    call.hear("Oh, I have seen some flashing lights.")

    assert (("rest",), ("flashes",)) == (first.item_ids, call.speak().item_ids)


def test_with_the_patients_goodbye_where_a_model_leads() -> None:
    """The model asks for the end in its own name; the symptom is confirmed and its advice given, then the end."""
    call = at_the_end()
    call.hear("Goodbye. Oh, I have seen some flashing lights.")
    call.say("Take care then.")
    spoken = list[Speak]()
    for reply in ("Yes.", "Okay."):
        move = call.tracker.may_end("end_frame", call.now_s)
        assert isinstance(move, Speak) and len(move.text) <= LIMIT_CHARS
        spoken.append(move)
        call.say(move.text)
        call.hear(reply)

    assert [("flashes",), ("call",)] == [move.item_ids for move in spoken]
    assert isinstance(call.tracker.may_end("end_frame", call.now_s), Release)
