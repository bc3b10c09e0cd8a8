"""An advice told otherwise, or taken back later within earshot, is owed and handed off with the words that did it."""

from __future__ import annotations

import pytest

from obligations import (
    Coverage,
    CoverageVerdict,
    Listen,
    Release,
    ReplySpeaker,
    Span,
    Speak,
    State,
    SteeringPolicy,
    Tracker,
    load_pathway,
)
from obligations.answers.reader import LocalAnswerReader
from obligations.handoff.models import OpenItem
from obligations.ledger import ItemStep, Ledger, Step, from_json, to_json
from obligations.testing import ScriptedCall, a_group, a_pathway, a_point, a_question

pytestmark = pytest.mark.unit

EYE = load_pathway("cataract-followup")
PAIN = EYE.points["light.escalation"].wording["en"]
DROPS = EYE.points["drops.continue"].wording["en"]
DRIVE = EYE.points["driving.wait"].wording["en"]
NOTICE = " ".join(item.wording["en"] for item in EYE.group("disclosure").items)
BACK = "Forget what I said about the drops, you can stop them."
WEEKEND = f"{PAIN[:-1]}, unless it is the weekend."


def a_call(policy: SteeringPolicy | None = None) -> ScriptedCall:
    """The opening told."""
    call = ScriptedCall(Tracker(EYE, call_id="c", reader=LocalAnswerReader(), policy=policy))
    call.say(NOTICE)
    return call


def taken_back(until: str | None = None) -> ScriptedCall:
    """The drops told on request, then taken back in the next turn, heard until these words."""
    call = a_call()
    call.hear("Can I stop the drops?")
    call.say(DROPS)
    call.hear("Are you sure?")
    call.say(BACK, until=until)
    return call


def state(call: ScriptedCall, item_id: str) -> State:
    return call.tracker.ledger.items[item_id].state


def steps_against(call: ScriptedCall) -> list[tuple[str, Step]]:
    steps = [event for event in call.tracker.events if isinstance(event, ItemStep)]
    return [(step.item_id, step.step) for step in steps if step.step in (Step.MISTOLD, Step.RETRACTED)]


def left_open(call: ScriptedCall, item_id: str, end: str = "completed") -> OpenItem:
    return next(item for item in call.tracker.handoff(end, call.now_s).open_items if item.item_id == item_id)


def test_an_advice_taken_back_in_a_later_turn_is_owed_again() -> None:
    """With the sentence that did it as evidence; the hand-off says so when it stays like that."""
    call = taken_back()

    assert State.OPEN is state(call, "drops.continue")
    item = left_open(call, "drops.continue")
    assert ("not_as_required", f'was said, then taken back: "{BACK}"') == (item.reason, item.detail)
    assert [("u3", BACK)] == [(piece.utterance_id, piece.quote) for piece in item.mistold]


@pytest.mark.parametrize("until", ["", "Forget"])
def test_a_taking_back_that_nobody_heard_takes_nothing_back(until: str) -> None:
    """Cut before it said anything, the advice stands."""
    call = taken_back(until)

    assert State.MET is state(call, "drops.continue")
    assert [] == steps_against(call)


def test_it_is_said_again_at_once_in_its_own_words_and_the_call_ends_with_it_right() -> None:
    """The middleware does not wait for the model to come round."""
    call = taken_back()
    call.hear("Oh. All right.")

    move = call.tracker.overdue(call.now_s)
    assert isinstance(move, Speak)
    call.say(move.text)

    assert f"I have to put right something that was said. {DROPS}" in move.text
    told = next(p for p in call.tracker.handoff("completed", call.now_s).delivered if p.item_id == "drops.continue")
    assert ([BACK], 0) == ([piece.quote for piece in told.mistold], told.told_again)


def test_a_model_that_takes_it_back_again_and_again_is_countered_within_the_limits() -> None:
    """No more often than the pathway allows attempts, then it stands in the hand-off."""
    call = taken_back()
    spoken = 1

    for _ in range(10):
        call.hear("Are you sure?")
        move = call.tracker.overdue(call.now_s)
        if move is not None and "drops.continue" in move.item_ids:
            call.say(move.text)
            spoken += 1
            call.hear("Oh.")
        call.say(BACK)

    assert EYE.group("drops").attempts_max == spoken
    assert "not_as_required" == left_open(call, "drops.continue").reason


def test_an_advice_told_with_a_condition_is_handed_off_so_and_not_as_never_reached() -> None:
    """The nurse reads what the patient was told."""
    call = a_call()
    call.hear("Is it normal that bright light hurts?")
    call.say(WEEKEND)

    item = left_open(call, "light.escalation")

    assert ("not_as_required", f'only said otherwise: "{WEEKEND}"') == (item.reason, item.detail)
    assert "never_reached" == left_open(call, "light.mild-advice").reason


def test_cut_before_its_condition_it_is_cut_and_not_told_otherwise() -> None:
    """The condition was never heard; the advice itself is not believed to have been."""
    call = a_call()
    call.hear("Is it normal that bright light hurts?")
    call.say(WEEKEND, until="contact the hospital at once")

    item = left_open(call, "light.escalation")

    assert ("cut", ()) == (item.reason, item.mistold)
    assert "contact the hospital at once" in item.detail


def test_an_advice_that_nobody_had_asked_for_is_owed_once_it_was_told_otherwise() -> None:
    """What a model volunteers wrongly has to be put right."""
    call = a_call()
    call.say(f"Myth number one: {DRIVE}")

    assert State.OPEN is state(call, "driving.wait")
    assert [("driving.wait", Step.MISTOLD)] == steps_against(call)


def test_an_advice_said_again_with_an_exception_no_longer_stands() -> None:
    """The patient keeps what they heard last."""
    call = a_call()
    call.say(PAIN)
    call.hear("And at the weekend?")
    call.say(WEEKEND)

    assert [("light.escalation", Step.RETRACTED)] == steps_against(call)


@pytest.mark.parametrize(
    "again",
    [
        PAIN,
        f"Of course. {PAIN}",
        f"Let me finish what I was saying. {PAIN}",
        f"Before you go, one important thing. {PAIN} Wash your hands before you put the drops in.",
        f"{PAIN[:-1]}, and tell them about the operation.",
        f"As the nurses say: {PAIN}",
    ],
)
def test_an_advice_said_again_still_stands(again: str) -> None:
    """A repetition, a reminder, the guard's own sentence, other small words around it."""
    call = a_call()
    call.say(PAIN)
    call.hear("Can you say that again?")

    call.say(again)

    assert (State.MET, []) == (state(call, "light.escalation"), steps_against(call))


def test_forget_that_means_the_advice_right_before_it() -> None:
    """Behind other own words in its utterance it means those, not what the utterance before told."""
    call = a_call()
    call.say(f"In Germany the rule is this. {DRIVE} You are in Portugal so it does not apply.")

    assert [("driving.wait", Step.MISTOLD)] == steps_against(call)


def test_nothing_the_pathway_says_by_itself_is_taken_for_a_taking_back() -> None:
    """A whole call led by it, in every language, with every advice asked for, holds no such step."""
    for tag in EYE.languages:
        call = ScriptedCall(Tracker(EYE, call_id="c", reader=LocalAnswerReader(), language=tag))
        asked = iter([e for g in EYE.groups for e in getattr(g.trigger, "examples", {}).get(tag, ())[:1]])
        no = {"en": "No.", "pt-PT": "Não."}[tag]
        call.run(lambda _, asked=asked, no=no: next(asked, no))  # type: ignore[misc]

        assert [] == steps_against(call)


# What a pathway lists as sounding alike, and what is not against the advice: another limit, another sentence of it.
_BESIDE = ("The call comes from the clinic.", "A chamada vem da clínica.", "Ring if your weight goes down.")


@pytest.mark.parametrize("name", ["cataract-followup", "heart-failure-discharge", "hip-knee-after-surgery"])
@pytest.mark.parametrize("apart", [False, True])
def test_a_known_wrong_version_behind_the_advice_is_against_it(name: str, apart: bool) -> None:
    """In the same breath as in the next one."""
    pathway = load_pathway(name)
    wrong = [(p, lang, text) for p in pathway.points.values() for lang in p.not_confused_with
             for text in p.not_confused_with[lang] if text not in _BESIDE]  # fmt: skip
    stand = list[str]()
    for point, language, text in wrong:
        call = ScriptedCall(Tracker(pathway, call_id="c", reader=LocalAnswerReader(), language=language))
        for said in (point.wording[language], text) if apart else (f"{point.wording[language]} {text}",):
            call.say(said)
        stand += [f"{point.id}: {text}"] if state(call, point.id) is State.MET else []

    assert len(wrong) > 4
    assert [] == stand


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("wrong", ["Do not call the hospital.", "Never ring the hospital for that."])
def test_the_advised_act_forbidden_by_another_verb_is_against_it(wrong: str, apart: bool) -> None:
    """The same breath or the next; what is said of something else, or bids the same, is not."""
    call = a_call()
    call.hear("Why does bright light hurt?")
    for said in (PAIN, wrong) if apart else (f"{PAIN} {wrong}",):
        call.say(said)

    assert (State.OPEN, [("light.escalation", Step.RETRACTED)]) == (
        state(call, "light.escalation"),
        steps_against(call),
    )


@pytest.mark.parametrize(
    "fine", ["Call the hospital, do not wait.", "Do you have their number?", "I am sorry it hurts."]
)
def test_what_bids_the_same_behind_the_advice_leaves_it_told(fine: str) -> None:
    """And a question does too."""
    call = a_call()
    call.hear("Why does bright light hurt?")
    call.say(f"{PAIN} {fine}")

    assert (State.MET, []) == (state(call, "light.escalation"), steps_against(call))


def test_a_verdict_that_comes_late_looks_at_its_own_utterance_too() -> None:
    """Words of a model that tell an advice and loosen it in the next sentence tell it no more than a wording would."""
    call = a_call()
    text = "Go on with your drops just as the hospital said."
    told = call.say(f"{text} But you can stop them now.")
    verdict = Coverage(
        verdict=CoverageVerdict.CONVEYED, matcher="own-wording@1", spans=(Span(0, len(text) - 1),), why="test"
    )
    call.tracker.judged(told, "drops.continue", verdict, call.now_s)

    assert State.OPEN is state(call, "drops.continue")


def test_a_verdict_that_comes_late_looks_at_what_was_said_since() -> None:
    """A judge takes its time; the words that took the advice back are not forgotten meanwhile."""
    call = a_call()
    text = "Go on with your drops just as the hospital said."
    told = call.say(text)
    call.hear("Okay.")
    call.say(BACK)

    verdict = Coverage(
        verdict=CoverageVerdict.CONVEYED, matcher="own-wording@1", spans=(Span(0, len(text) - 1),), why="test"
    )
    call.tracker.judged(told, "drops.continue", verdict, call.now_s)

    assert (State.OPEN, 1) == (state(call, "drops.continue"), call.tracker.ledger.items["drops.continue"].retractions)


def test_the_call_replays_bit_for_bit_and_goes_on_elsewhere() -> None:
    """The steps are events like any other."""
    call = taken_back()
    written = [from_json(to_json(event)) for event in call.tracker.events]

    again = Tracker.resume(EYE, written, reader=LocalAnswerReader())

    assert Ledger.replay(EYE, written).digest() == call.tracker.ledger.digest()
    assert call.tracker.overdue(call.now_s) == again.overdue(call.now_s)


def test_a_silent_patient_is_told_what_needs_no_reply_before_a_question_is_put_twice() -> None:
    """Each waits at most for its own turn."""
    pathway = a_pathway(
        a_question("pain", "Do you have any pain?", "any pain", critical=True),
        a_point("ring", "Ring us if it gets worse.", critical=True),
    )
    call = ScriptedCall(Tracker(pathway, call_id="c", reader=LocalAnswerReader()))
    held = list[tuple[str, ...]]()
    while not isinstance(verdict := call.tracker.may_end("end_frame", call.now_s), Release):
        if isinstance(verdict, Listen):
            assert verdict.until_s is not None
            call.now_s = verdict.until_s
            continue
        held.append(verdict.item_ids)
        call.say(verdict.text)

    assert [("pain",), ("ring",), ("pain",)] == held


def test_what_was_told_otherwise_is_put_right_before_other_critical_items() -> None:
    """A wrong advice does harm; an unasked question does not yet."""
    pathway = a_pathway(
        a_group("ask", [a_question("pain", "Do you have any pain?", "any pain", critical=True)]),
        a_group("tell", [a_point("ring", "Ring us if it gets worse.", critical=True)]),
    )
    call = ScriptedCall(Tracker(pathway, call_id="c", reader=LocalAnswerReader()))
    call.say("Ring us if it gets worse, unless it is the weekend.")

    verdict = call.tracker.may_end("end_frame", call.now_s)

    assert isinstance(verdict, Speak)
    assert ("ring",) == verdict.item_ids


def test_the_note_tells_the_model_what_to_put_right() -> None:
    """With the words that were heard instead."""
    note = taken_back().tracker.note() or ""

    assert f'- Told otherwise ("{BACK}"); put it right (critical, in these words): "{DROPS}"' in note


@pytest.mark.parametrize(
    ("end", "tail"),
    [
        ("completed", ""),
        ("hangup", "; the call ended: the line was dropped (hangup)"),
        ("patient_ended", "; the call ended: asked to end the call"),
    ],
)
def test_the_reason_says_how_the_call_ended_with_it(end: str, tail: str) -> None:
    """The false belief comes first, whatever ended the call."""
    item = left_open(taken_back(), "drops.continue", end)

    assert ("not_as_required", f'was said, then taken back: "{BACK}"{tail}') == (item.reason, item.detail)


def test_a_refusal_a_cut_and_a_held_end_stand_behind_it() -> None:
    """What was tried to put it right is said too."""
    refused = taken_back()
    refused.say(f"I have to put right something that was said. {DROPS}", until="Keep using")
    refused.hear("I don't want to hear that.", onset_during="u4", heard_chars_at_onset=60)
    held = taken_back()
    verdict = held.tracker.may_end("end_frame", held.now_s)
    assert isinstance(verdict, Speak)
    held.say(verdict.text, until="Keep using")
    moved = taken_back()
    moved.tracker.transferred("wants_person", None, True, moved.now_s)

    assert left_open(refused, "drops.continue").detail.endswith("; then the patient did not want to hear it")
    assert left_open(held, "drops.continue").detail.endswith('Keep using"; held the call 1 time(s) for it')
    assert left_open(moved, "drops.continue").detail.endswith("; the call ended: a person took the call over")


def test_a_third_voice_in_between_changes_nothing() -> None:
    """Who spoke between the two does not matter; only the agent's own words do."""
    call = a_call()
    call.say(DROPS)
    call.hear("He can stop them, I think.", speaker=ReplySpeaker.THIRD_PARTY, label="S")
    call.say("Thank you.")

    assert State.MET is state(call, "drops.continue")
