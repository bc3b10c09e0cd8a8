"""Told without being asked: a flag at once, uncertain; one route; words in the hand-off; never closed in silence."""

from __future__ import annotations

import pytest

from obligations import End, Pathway, Speak, SteeringPolicy, Tracker, load_pathway
from obligations.answers.protocol import ReplySpeaker
from obligations.answers.reader import LocalAnswerReader
from obligations.handoff import Handoff
from obligations.steering.moves import PutThrough
from obligations.testing import ScriptedCall, a_group, a_pathway, a_question

pytestmark = pytest.mark.unit

SIGHT = a_question(
    "sight",
    "Has your vision become blurry?",
    "vision become blurry",
    critical=True,
    red_flag_answers=("yes",),
    emergencies=("loss-of-sight",),
    told_as={"en": ("like|as looking through soup",)},
    confirm={"en": "Has your vision become blurry, yes or no?"},
)
PAIN = a_question("pain", "Do you have any pain?", "any pain", critical=True, red_flag_answers=("yes",))
PATHWAY = a_pathway(a_group("symptoms", [SIGHT, PAIN], escalation="clinic"))
LIVE = a_pathway(a_group("symptoms", [SIGHT, PAIN], escalation="clinic"), live_transfer=("clinic",))
LOST = (
    "There is a curtain over my eye.",
    "I can't see anything out of that eye.",
    "I've gone blind.",
    "It is like looking through soup.",
)
EMERGENCIES = {
    "stroke": "I think I'm having a stroke.",
    "breathing": "I can't breathe.",
    "help-wanted": "Call an ambulance.",
}


def begun(pathway: Pathway = PATHWAY, language: str = "en", policy: SteeringPolicy | None = None) -> ScriptedCall:
    tracker = Tracker(pathway, call_id="c", reader=LocalAnswerReader(), language=language, policy=policy)
    call = ScriptedCall(tracker)
    call.say(pathway.phrases[language].greeting)
    return call


def ended(call: ScriptedCall, patient: str = "No.") -> Handoff:
    """Go on to the end with a patient who denies everything else."""
    end = call.run(lambda said: patient if said.purpose in ("ask", "confirm", "return", "guard") else None)
    return call.tracker.handoff(end.reason, call.now_s)


@pytest.mark.parametrize("words", LOST)
@pytest.mark.parametrize(
    "when", ["to its own question", "to another", "over the goodbye", "after the goodbye", "with a goodbye"]
)
def test_what_a_question_asks_about_raises_its_flag_and_is_confirmed(words: str, when: str) -> None:
    """Before it, to it, long after a plain no, in leaving: the flag at once, and the question once more."""
    call = begun()
    if when != "to another":
        call.say("Has your vision become blurry?")
    if when != "to its own question":
        call.hear("No.") if when != "to another" else None
        call.say("Do you have any pain?")
    if when not in ("to its own question", "to another"):
        call.hear("No.")
        if when == "with a goodbye":
            words = f"{words} I have to go now, goodbye."
        else:
            call.speak(until="That is" if when == "over the goodbye" else None)
    call.hear(words)

    assert [("sight", "yes")] == [(f.item_id, f.value) for f in call.tracker.ledger.call.red_flags]
    spoken = list[Speak]()
    for _ in range(3):
        move = call.move()
        if isinstance(move, Speak):
            spoken.append(call.speak())
        elif "pain" in spoken[-1].item_ids:
            call.hear("No.")
    handoff = call.tracker.handoff("hangup", call.now_s)
    assert any("sight" in move.item_ids for move in spoken)
    assert not handoff.complete
    assert "sight" in {item.item_id for item in handoff.open_items}
    assert handoff.red_flags[0].quote == words


def test_a_yes_to_the_confirmation_makes_it_certain() -> None:
    """And a no leaves the flag standing, uncertain."""
    for reply, certain, value in (("Yes.", True, "yes"), ("No.", False, "no")):
        call = begun()
        call.say("Do you have any pain?")
        call.hear("No.")
        call.say("Has your vision become blurry?")
        call.hear("No.")
        call.hear("I can't see anything out of that eye.")
        asked = call.speak()
        call.hear(reply)

        handoff = call.tracker.handoff("hangup", call.now_s)
        assert asked.item_ids == ("sight",)
        assert [certain] == [flag.certain for flag in handoff.red_flags]
        assert value in {a.value for a in handoff.answers if a.item_id == "sight"} | {"no"}


@pytest.mark.parametrize(("kind", "words"), EMERGENCIES.items(), ids=EMERGENCIES)
@pytest.mark.parametrize("when", ["to a question", "over the goodbye", "after the goodbye"])
def test_what_no_question_asks_is_flagged_for_a_person_and_said_so_once(kind: str, words: str, when: str) -> None:
    """The pathway's own sentence, once; then the call goes on as it would have."""
    call = begun()
    call.say("Has your vision become blurry?")
    if when != "to a question":
        call.hear("No.")
        call.say("Do you have any pain?")
        call.hear("No.")
        call.speak(until="That is" if when == "over the goodbye" else None)
    call.hear(words)
    first = call.speak()
    call.hear(words)
    handoff = ended(call)

    assert PATHWAY.phrases["en"].person == first.text
    assert call.spoken.count(first.text) == 1
    (flag,) = (f for f in handoff.red_flags if f.item_id.startswith("emergency"))
    assert (f"emergency.{kind}", False, words, "clinic") == (flag.item_id, flag.certain, flag.quote, flag.escalation)


def test_the_pathway_may_have_a_sentence_of_its_own_for_it() -> None:
    """Its author knows what may be said; nothing is made up."""
    phrases = PATHWAY.phrases["en"].model_copy(update={"emergency": "I am telling the duty nurse now."})
    call = begun(PATHWAY.model_copy(update={"phrases": {"en": phrases}}))
    call.say("Do you have any pain?")
    call.hear("I think I'm having a stroke.")

    assert "I am telling the duty nurse now." == call.speak().text


@pytest.mark.parametrize("leads", ["pathway", "model"])
@pytest.mark.parametrize("accepted", [True, False])
def test_where_a_person_can_be_reached_the_call_is_put_through_once(leads: str, accepted: bool) -> None:
    """And when that fails it is said once."""
    call = begun(LIVE, policy=SteeringPolicy(transfer=True))
    call.say("Do you have any pain?")
    call.hear("I think I'm having a stroke.")
    moves = (lambda: call.tracker.frame_move(call.now_s)) if leads == "model" else call.move
    said = moves()
    assert isinstance(said, Speak)
    call.say(said.text)

    assert moves() == PutThrough("red_flag", "clinic")

    call.tracker.transferred("red_flag", "clinic", accepted, call.now_s)
    after = moves()
    if accepted:
        assert after == End("transferred")
    else:
        assert isinstance(after, Speak)
        assert after.text == LIVE.phrases["en"].not_transferred
        call.say(after.text)
        assert moves() != after


@pytest.mark.parametrize("speaker", [ReplySpeaker.THIRD_PARTY, ReplySpeaker.UNSURE, ReplySpeaker.INFERRED])
def test_whoever_says_it(speaker: ReplySpeaker) -> None:
    """Somebody else on the line sees it first; the flag says whose word it is."""
    call = begun()
    call.say("Do you have any pain?")
    call.hear("She is unconscious.", speaker=speaker, label="speaker 2")

    handoff = call.tracker.handoff("hangup", call.now_s)
    assert [("emergency.unconscious", speaker)] == [(f.item_id, f.speaker) for f in handoff.red_flags]


@pytest.mark.parametrize(
    ("language", "words", "flagged"),
    [
        ("en", "There is a curtain over my eye since yesterday.", "blurry-vision"),
        ("en", "I can't see anything out of that eye.", "blurry-vision"),
        ("en", "I think I'm having a stroke, call an ambulance.", "emergency"),
        ("pt-PT", "Tenho uma cortina à frente do olho.", "blurry-vision"),
        ("pt-PT", "Não vejo nada desse olho.", "blurry-vision"),
        ("pt-PT", "Acho que estou a ter um AVC, chame uma ambulância.", "emergency"),
    ],
)
@pytest.mark.parametrize("goodbye", [True, False], ids=["over the goodbye", "to the first question"])
def test_the_bundled_cataract_pathway(language: str, words: str, flagged: str, goodbye: bool) -> None:
    """In both its languages, wherever it is said."""
    pathway = load_pathway("cataract-followup")
    call = begun(pathway, language)
    no = "No." if language == "en" else "Não."
    if goodbye:
        for item in ("redness", "pain", "blurry-vision", "floaters", "flashing-lights"):
            call.say(pathway.questions[item].wording[language])
            call.hear(no)
        call.say(" ".join(point.wording[language] for point in list(pathway.points.values())[:3]))
        call.speak()
    else:
        call.say(pathway.questions["redness"].wording[language])
    call.hear(words)
    reaction = call.speak()

    handoff = call.tracker.handoff("hangup", call.now_s)
    assert flagged in {flag.item_id.split(".")[0] for flag in handoff.red_flags}
    assert words in {flag.quote for flag in handoff.red_flags}
    if goodbye:
        assert reaction.text != pathway.phrases[language].goodbye
        assert handoff.complete is (flagged == "emergency")


def test_a_resumed_call_keeps_it() -> None:
    """The flag is an event like any other."""
    call = begun()
    call.say("Do you have any pain?")
    call.hear("I think I'm having a stroke.")
    again = Tracker.resume(PATHWAY, call.tracker.events, reader=LocalAnswerReader())

    assert again.next_move(call.now_s) == call.move()
    assert again.handoff("hangup", 9.0).red_flags == call.tracker.handoff("hangup", 9.0).red_flags


@pytest.mark.parametrize(
    ("words", "flagged"), [("I can't see anything out of", "sight"), ("call an ambulance", "emergency")]
)
def test_words_that_the_line_cut_off(words: str, flagged: str) -> None:
    """They flag what they tell of, and are quoted."""
    call = begun()
    call.say("Has your vision become blurry?")
    call.hear("No.")
    call.say("Do you have any pain?")
    call.tracker.hearing(words)

    (flag,) = call.tracker.handoff("hangup", call.now_s).red_flags
    assert (flagged, words) == (flag.item_id.split(".")[0], flag.quote)
