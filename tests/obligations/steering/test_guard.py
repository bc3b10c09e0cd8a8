"""The guard holds a call's end for what is critical, a bounded number of times, and traps nobody."""

from __future__ import annotations

import pytest

from obligations import EndReason, Listen, Pathway, Release, ReplySpeaker, Speak, SteeringPolicy, Tracker, load_pathway
from obligations.answers.reader import LocalAnswerReader
from obligations.steering import End
from obligations.testing import ScriptedCall, a_group, a_pathway, a_point, a_question

pytestmark = pytest.mark.unit

LONG = "If your weight goes up by more than two kilos in three days, ring the heart failure team on the very same day"
PATHWAY = a_pathway(
    a_point("rest", "Rest when you are tired."),
    a_question("pain", "Do you have any pain?", "any pain", critical=True),
    a_point("ring", "Ring us if it gets worse.", critical=True),
)


def a_call(pathway: Pathway = PATHWAY, policy: SteeringPolicy | None = None) -> ScriptedCall:
    return ScriptedCall(Tracker(pathway, call_id="c", reader=LocalAnswerReader(), policy=policy))


def held(call: ScriptedCall, reason: EndReason = "end_frame") -> Speak:
    verdict = call.tracker.may_end(reason, call.now_s)
    assert isinstance(verdict, Speak), verdict
    return verdict


def released(call: ScriptedCall, reason: EndReason = "end_frame") -> Release:
    verdict = call.tracker.may_end(reason, call.now_s)
    assert isinstance(verdict, Release), verdict
    return verdict


@pytest.mark.parametrize("reason", ["agent_goodbye", "end_frame", "end_tool"])
def test_the_end_is_held_while_a_critical_item_is_open(reason: EndReason) -> None:
    """The guard speaks the most urgent critical item in its own wording."""
    verdict = held(a_call(), reason)

    assert ("pain",) == verdict.item_ids
    assert "Before you go, one important thing. Do you have any pain?" == verdict.text


def test_a_call_with_nothing_critical_open_is_let_go() -> None:
    """What is not critical is handed off, not held for."""
    call = a_call()
    call.say("Do you have any pain?")
    call.hear("No.")
    call.say("Ring us if it gets worse.")

    verdict = released(call)

    assert ("nothing_open", ()) == (verdict.why, verdict.open_critical)
    assert ["rest"] == [item.item_id for item in call.tracker.handoff("completed", 9.0).open_items]


def test_the_guard_waits_for_the_reply_to_its_own_question() -> None:
    """It does not ask a second time while the patient draws breath."""
    call = a_call()
    call.say(held(call).text)

    waits = call.tracker.may_end("end_frame", call.now_s)
    call.hear("No.")
    then = held(call)

    assert isinstance(waits, Listen)
    assert ("ring",) == then.item_ids


def test_the_guard_waits_while_the_agent_speaks() -> None:
    """An end asked for in mid-sentence is answered when the sentence is over."""
    call = a_call()
    call.tracker.intended("u", "Do you have any pain?", 0.0)
    call.tracker.started("u", 0.0)

    assert isinstance(call.tracker.may_end("end_frame", 0.5), Listen)


def test_the_guards_own_speech_may_be_cut_and_is_tried_again_a_bounded_number_of_times() -> None:
    """Two tries an item; then it lets go, and the hand-off says that it gave up."""
    call = a_call()
    for _ in range(4):
        verdict = held(call)
        call.say(verdict.text, until="Before you")
        call.hear("Yes yes.", onset_during=f"u{call._count}", heard_chars_at_onset=10)

    last = released(call)

    assert ("tries_spent", ("pain", "ring")) == (last.why, last.open_critical)
    items = call.tracker.handoff("completed", 99.0).open_items
    assert {"pain": "guard_gave_up", "ring": "guard_gave_up"} == {i.item_id: i.reason for i in items if i.critical}


def test_the_holds_of_one_call_are_bounded() -> None:
    """Whatever is open, the policy's number of holds is the most."""
    call = a_call(policy=SteeringPolicy(guard_holds_max=1))
    call.say(held(call).text)
    call.hear("No.")

    assert "tries_spent" == released(call).why


def test_a_caller_that_never_speaks_what_it_is_given_is_released() -> None:
    """Even then the end is not held for ever."""
    call = a_call()

    verdicts = [call.tracker.may_end("end_frame", float(i)) for i in range(1000)]

    assert isinstance(verdicts[-1], Release)
    assert 400 == sum(isinstance(verdict, Speak) for verdict in verdicts)


def test_a_goodbye_gets_one_offer_of_the_most_urgent_item() -> None:
    """Once, whether it is heard out or not."""
    call = a_call()
    call.hear("Goodbye.")

    offer = held(call, "patient_goodbye")
    call.say(offer.text, until="Before you go")
    call.hear("Bye!", onset_during="u1", heard_chars_at_onset=13)

    assert ("pain",) == offer.item_ids
    assert "offer_declined" == released(call, "patient_goodbye").why


def test_the_offer_fits_into_fifteen_seconds() -> None:
    """Points beyond the time left after a goodbye are not squeezed in; the most urgent is."""
    pathway = a_pathway(*(a_point(f"p{i}", f"{LONG} {'and again ' * i}.", critical=True) for i in range(3)))
    call = a_call(pathway)
    call.hear("Goodbye.")

    offer = held(call, "patient_goodbye")

    assert ("p0",) == offer.item_ids
    assert len(offer.text) / SteeringPolicy().speech_chars_per_s <= 15.0


def test_the_flow_offers_before_it_says_goodbye() -> None:
    """A pathway-led agent answers a goodbye with one offer, then the goodbye, then the end."""
    call = a_call()
    call.say("Hello from the test clinic.")
    call.hear("I have to go now. Bye.")

    offer = call.speak()
    call.hear("No. Bye.")
    goodbye = call.speak()

    assert ("guard", ("pain",)) == (offer.purpose, offer.item_ids)
    assert "goodbye" == goodbye.purpose
    assert End("patient_goodbye") == call.move()
    assert "answered" == call.tracker.ledger.items["pain"].state


def test_a_patient_who_stays_after_all_takes_the_goodbye_back() -> None:
    """A "go on" after a goodbye: the call goes on where it stood, and the guard holds again."""
    call = a_call()
    call.say("Hello from the test clinic.")
    call.hear("Goodbye.")
    call.speak()
    call.hear("Oh, all right, go on.")

    move = call.speak()
    call.hear("No.")

    assert ("return", ("pain",)) == (move.purpose, move.item_ids)
    assert "rest" in call.speak().item_ids


@pytest.mark.parametrize(
    "words", ["Stop.", "Leave me alone.", "I want to speak to a person.", "I do not want to be recorded."]
)
def test_whoever_refuses_is_not_held_for_one_more_sentence(words: str) -> None:
    """No offer, no hold."""
    call = a_call()
    call.hear(words)

    assert "refused" == released(call).why
    assert "refused" == released(call, "patient_goodbye").why


def test_an_item_the_patient_refused_is_not_forced_on_them() -> None:
    """Refusing one item leaves the others to be held for."""
    call = a_call()
    call.say("Ring us if it gets worse.", until="Ring us")
    call.hear("I don't want to hear that.", onset_during="u1", heard_chars_at_onset=7)
    call.say("Do you have any pain?")
    call.hear("No.")

    assert ("nothing_open", "tries_spent").count(released(call).why) == 1
    assert ("ring",) == released(call).open_critical


def test_with_the_guard_off_the_call_ends_politely_and_tells_the_truth() -> None:
    """Stock behaviour: nothing is held, everything open is handed off."""
    call = a_call(policy=SteeringPolicy(guard=False))

    assert ("guard_off", ("pain", "ring")) == (released(call).why, released(call).open_critical)


def test_a_doubtful_answer_confirmed_in_vain_is_not_asked_for_a_third_time() -> None:
    """One confirmation, never two: the guard leaves it to the hand-off."""
    call = a_call()
    call.say("Do you have any pain?")
    call.hear("Yes.", speaker=ReplySpeaker.UNSURE)
    confirm = call.speak() if isinstance(call.move(), Speak) else None
    call.say("Do you have any pain?") if confirm is None or confirm.purpose != "confirm" else None
    call.hear("Yes.", speaker=ReplySpeaker.UNSURE)

    assert ("ring",) == held(call).item_ids
    item = next(i for i in call.tracker.handoff("completed", 9.0).open_items if i.item_id == "pain")
    assert ("unconfirmed", "yes") == (item.reason, item.doubtful_value)


def test_the_whole_cataract_call_can_be_led_by_the_guard_alone() -> None:
    """A model that asks nothing and wants to end: every critical item is spoken before the end is released."""
    call = ScriptedCall(Tracker(load_pathway("cataract-followup"), call_id="c", reader=LocalAnswerReader()))
    call.say("Hi there, everything fine? Great.")

    for _ in range(40):
        verdict = call.tracker.may_end("end_tool", call.now_s)
        if isinstance(verdict, Release):
            break
        if isinstance(verdict, Speak):
            call.say(verdict.text)
            call.hear("No.")

    assert Release((), "nothing_open") == verdict
    assert call.tracker.handoff("end_tool", call.now_s).complete


@pytest.mark.parametrize("reason", ["end_frame", "end_tool", "agent_goodbye"])
def test_a_goodbye_to_what_the_guard_has_said_ends_it(reason: EndReason) -> None:
    """Whoever answers the hold goes on being held for what is open; whoever says goodbye to it is let go."""
    answers, leaves = a_call(), a_call()
    for call, reply in ((answers, "No."), (leaves, "Goodbye.")):
        call.say(held(call, reason).text)
        call.hear(reply)

    assert ("ring",) == held(answers, reason).item_ids
    assert "offer_declined" == released(leaves, reason).why
    assert {"pain", "ring"} <= {item.item_id for item in leaves.tracker.handoff("completed", leaves.now_s).open_items}


ENDS: tuple[EndReason, ...] = ("end_frame", "end_tool", "agent_goodbye")


@pytest.mark.parametrize("reason", ENDS)
def test_whoever_asks_for_the_end_the_patients_goodbye_gets_its_one_offer(reason: EndReason) -> None:
    """A model that leads ends the call in its own name; the patient who said goodbye gets the offer all the same."""
    call = a_call()
    call.hear("I have to go now. Bye.")
    call.say("Goodbye then.")

    offer = held(call, reason)
    call.say(offer.text)
    waits = call.tracker.may_end(reason, call.now_s)
    call.hear("No.")

    assert ("pain",) == offer.item_ids
    assert isinstance(waits, Listen)
    assert ("offered_once", ("ring",)) == (released(call, reason).why, released(call, reason).open_critical)
    assert {"rest", "ring"} == {item.item_id for item in call.tracker.handoff("completed", call.now_s).open_items}


def test_the_patients_goodbye_bounds_the_offer_whoever_ends_the_call() -> None:
    """At most fifteen seconds, the most urgent first."""
    call = a_call(a_pathway(*(a_point(f"p{i}", f"{LONG} {'and again ' * i}.", critical=True) for i in range(3))))
    call.hear("Goodbye.")

    offer = held(call)

    assert ("p0",) == offer.item_ids
    assert len(offer.text) / SteeringPolicy().speech_chars_per_s <= 15.0


@pytest.mark.parametrize("words", ["No thanks, I have to go.", "Goodbye.", "I don't want to hear that."])
def test_whoever_turns_the_offer_down_is_let_go(words: str) -> None:
    """What was offered and the rest stand in the hand-off."""
    call = a_call()
    call.hear("Goodbye.")
    call.say(held(call).text, until="Before you go")
    call.hear(words, onset_during="u1", heard_chars_at_onset=13)

    assert ("offer_declined", ("pain", "ring")) == (released(call).why, released(call).open_critical)


def test_a_stop_during_the_offer_ends_it() -> None:
    """No further word."""
    call = a_call()
    call.hear("Goodbye.")
    call.say(held(call).text, until="Before you go")
    call.hear("Stop.", onset_during="u1", heard_chars_at_onset=13)

    assert "refused" == released(call).why


def test_the_offer_is_waited_for_and_then_let_go() -> None:
    """Silence after the offer's question is bounded."""
    call = a_call()
    call.hear("Goodbye.")
    call.say(held(call).text)

    waits = call.tracker.may_end("end_frame", call.now_s)
    assert isinstance(waits, Listen) and waits.until_s is not None
    call.now_s = waits.until_s

    assert "offered_once" == released(call).why


def test_whoever_answers_on_after_a_goodbye_has_stayed() -> None:
    """A model that goes on asking, and a patient who answers it: the end is held for all that is open."""
    call = a_call(a_pathway(a_question("red", "Is it red?", "it red"), *PATHWAY.groups[0].items))
    call.hear("My husband has got to go.")
    call.say("Is it red?")
    call.hear("No.")
    for expected in ("pain", "ring"):
        move = held(call)
        call.say(move.text)
        call.hear("No.")
        assert (expected,) == move.item_ids


def test_go_on_takes_the_goodbye_back_whoever_leads() -> None:
    """Then the end is held for everything critical again."""
    call = a_call()
    call.hear("Goodbye.")
    call.say("Shall we stop here?")
    call.hear("Oh, go on.")

    for expected in ("pain", "ring"):
        move = held(call)
        call.say(move.text)
        call.hear("No.")
        assert (expected,) == move.item_ids


@pytest.mark.parametrize("reason", ENDS)
def test_a_goodbye_that_returns_the_agents_own_is_no_wish_to_leave(reason: EndReason) -> None:
    """The agent took leave with critical items open: all of a group's are told in one go, however long it takes."""
    points = [a_point(f"p{i}", f"{LONG} {'and again ' * i}.", critical=True) for i in range(2)]
    call = a_call(a_pathway(a_group("advice", points)))
    call.say("All right. Thank you for your time. Goodbye.")
    call.hear("Goodbye.")

    assert ("p0", "p1") == held(call, reason).item_ids


def test_a_goodbye_that_was_under_way_when_the_guard_began_does_not_turn_it_down() -> None:
    """Its text comes after the first word was to be spoken, of which nothing was heard: the offer is made again."""
    call = a_call()
    call.hear("I have to go now. Bye.")
    call.say(held(call).text, until="")
    call.hear("Goodbye.")

    assert ("pain",) == held(call).item_ids
