"""For a model-led bot: a bounded note, and own wording when the model does not come back."""

from __future__ import annotations

import pytest

from obligations import Release, Speak, SteeringPolicy, Tracker, load_pathway
from obligations.answers.reader import LocalAnswerReader
from obligations.testing import ScriptedCall, a_pathway, a_point

pytestmark = pytest.mark.unit

CATARACT = load_pathway("cataract-followup")
LIGHT = " ".join(item.wording["en"] for item in CATARACT.group("light-sensitivity").items)
NOTICE = " ".join(item.wording["en"] for item in CATARACT.group("disclosure").items)
REST, RING = "Rest your eyes in the evening.", "Ring us if it gets worse."
READER = LocalAnswerReader()
DRIVING = CATARACT.points["driving.wait"].wording["en"]


def a_call(**fields: object) -> ScriptedCall:
    policy = SteeringPolicy(**fields) if fields else None
    call = ScriptedCall(Tracker(CATARACT, call_id="c", reader=LocalAnswerReader(), policy=policy))
    call.say(NOTICE)
    return call


def cut_light(**fields: object) -> ScriptedCall:
    call = a_call(**fields)
    call.hear("Is it normal that bright light hurts?")
    call.say(LIGHT, until="after a cataract operation.")
    call.hear("And when can I drive again?", onset_during="u2", heard_chars_at_onset=64)
    return call


def test_the_note_says_what_was_cut_and_where() -> None:
    """The most urgent comes first, with the last words heard."""
    note = cut_light().tracker.note()

    assert note is not None
    lines = note.splitlines()
    assert lines[0].startswith("State of this call")
    assert '- Not heard (critical, go back to it, cut at "' in lines[1]
    assert "contact the hospital at once" in lines[1]


@pytest.mark.parametrize("limit", [200, 300, 600])
def test_the_note_is_bounded_and_says_when_it_left_something_out(limit: int) -> None:
    """At the limit lines are dropped whole, never cut."""
    note = cut_light().tracker.note(limit)

    assert note is not None
    assert len(note) <= limit
    assert note.endswith("(more is open)")


def test_there_is_no_note_when_nothing_is_open() -> None:
    """A covered call asks nothing of the model."""
    call = a_call()
    for item in CATARACT.group("symptoms").items:
        call.say(item.wording["en"])
        call.hear("No.")

    assert call.tracker.note() is None


def test_the_note_tells_the_model_what_to_say_to_a_question_outside_the_pathway() -> None:
    """Free advice is not asked for; the approved line is."""
    call = a_call()
    call.hear("What is my blood group?")

    note = call.tracker.note()

    assert note is not None
    assert "I can't answer that on this call; I will note it for the team." in note


def test_a_model_that_does_not_come_back_is_spoken_for_after_its_turn() -> None:
    """One turn is the model's; then the unheard points are said in own wording."""
    call = cut_light()

    at_once = call.tracker.overdue(call.now_s)
    call.say(DRIVING)
    call.hear("Okay.")
    move = call.tracker.overdue(call.now_s)

    assert at_once is None
    assert move is not None
    assert ("light.escalation", "light.mild-advice") == move.item_ids
    assert move.text.startswith("Let me finish what I was saying. If you have severe pain")


def test_what_is_said_in_the_models_place_reacts_to_the_reply_first() -> None:
    """Nobody else reacts to it, so the pathway's own acknowledgement stands before the return."""
    call = a_call()
    redness, pain = (CATARACT.questions[name].wording["en"] for name in ("redness", "pain"))
    call.say(redness, until="noticed any")
    call.hear("No.", onset_during="u2", heard_chars_at_onset=20)
    call.say(pain)
    call.hear("No.")

    behind, instead = call.tracker.overdue(call.now_s), call.tracker.overdue(call.now_s, acknowledge=True)

    assert behind is not None and instead is not None
    assert f"Let me ask you that again. {redness}" == behind.text
    assert f"Thank you. Let me ask you that again. {redness}" == instead.text


@pytest.mark.parametrize(
    ("words", "owed"),
    [
        ("No.", False),
        ("Okay, thank you.", False),
        ("Yes, go on.", False),
        ("Goodbye.", False),
        ("Hello? Are you there?", True),
        ("And when can I drive again?", True),
        ("What is the weather in Lisbon?", True),
        ("Sorry, can you repeat that?", True),
    ],
)
def test_an_answer_is_owed_to_whoever_asked_something(words: str, owed: bool) -> None:
    """A question, known or not, and a request come before anything that is overdue; an answer asks for nothing."""
    call = a_call()
    call.say(CATARACT.questions["redness"].wording["en"])

    call.hear(words)

    assert owed is call.tracker.reply_owed


def test_a_model_that_does_come_back_is_left_alone() -> None:
    """Its own return in the pathway's words settles it."""
    call = cut_light()
    call.say(DRIVING + " " + " ".join(LIGHT.split(". ")[1:]))
    call.hear("Okay.")

    assert call.tracker.overdue(call.now_s) is None


def test_words_of_its_own_do_not_fool_the_middleware() -> None:
    """A model that says it came back, and did not, is not believed."""
    call = cut_light()
    call.say("As I said about light, all of that is important.")
    call.hear("Okay.")

    move = call.tracker.overdue(call.now_s)

    assert move is not None
    assert "light.escalation" in move.item_ids


def test_a_model_that_ignores_a_patients_question_is_spoken_for() -> None:
    """An FAQ is due within the turns its group allows."""
    call = a_call()
    call.hear("Is it normal that bright light hurts?")
    call.say("Lovely weather today.")
    call.hear("Well, yes.")
    call.say("Indeed it is lovely.")
    call.hear("Yes.")

    move = call.tracker.overdue(call.now_s)

    assert move is not None
    assert ("light.reassurance", "light.escalation", "light.mild-advice") == move.item_ids


@pytest.mark.parametrize("words", ["Stop.", "Goodbye.", "Please stop calling me."])
def test_nobody_is_spoken_to_who_asked_to_stop(words: str) -> None:
    """A stop or a goodbye ends the reminders; the guard has its own rule."""
    call = cut_light()
    call.say(DRIVING)
    call.hear(words)

    assert call.tracker.overdue(call.now_s) is None


@pytest.mark.parametrize(
    "line", ["Okay.", LIGHT.split(". ")[0] + ".", "Is there anything else I can do for you today?"]
)
def test_no_critical_item_is_lost_with_a_deaf_or_looping_model(line: str) -> None:
    """A model that only ever says one line: every critical item is heard and answered before the end is released."""
    call = a_call()
    for turn in range(60):
        move = call.tracker.overdue(call.now_s)
        if move is None and turn > 12:
            verdict = call.tracker.may_end("end_tool", call.now_s)
            if isinstance(verdict, Release):
                break
            move = verdict if isinstance(verdict, Speak) else None
            call.now_s += 10.0 if move is None else 0.0
        call.say(move.text if move is not None else line)
        call.hear("Is it normal that bright light hurts?" if turn == 3 else "No.")

    handoff = call.tracker.handoff("end_tool", call.now_s)
    assert [] == [item.item_id for item in handoff.open_items if item.critical]
    heard = [point.item_id for point in handoff.delivered]
    assert {"light.escalation", "light.mild-advice"} <= set(heard)
    assert 5 == len(handoff.answers)


def test_an_utterance_cut_before_its_first_word_is_also_come_back_to() -> None:
    """Nothing was heard, so nothing counts as an attempt, and yet it is overdue."""
    call = a_call()
    call.say("Have you noticed any redness in your eye?", until="")
    call.hear("Hello?")
    call.say("Yes, hello.")
    call.hear("Yes.")

    move = call.tracker.overdue(call.now_s)

    assert move is not None
    assert ("redness",) == move.item_ids
    assert 0 == call.tracker.ledger.items["redness"].attempts


class TestWhatWasHeardAlready:
    def test_a_point_said_again_is_named_to_the_model_and_counted(self) -> None:
        """A loop ends only when somebody notices it; nothing is taken out of the model's mouth."""
        call = ScriptedCall(
            Tracker(a_pathway(a_point("rest", REST), a_point("ring", RING)), call_id="c", reader=READER)
        )
        call.say(REST)
        call.hear("Okay.")
        before = call.tracker.note()
        call.say(f"As I said. {REST}")
        after = call.tracker.note()
        call.say(RING)

        handoff = call.tracker.handoff("completed", call.now_s)
        assert "Heard already" not in (before or "")
        assert f'- Heard already, do not say it again unless asked: "{REST}"' in (after or "")
        assert [("rest", 1), ("ring", 0)] == [(point.item_id, point.told_again) for point in handoff.delivered]

    def test_the_next_utterance_takes_the_line_back(self) -> None:
        """The note speaks of what was just said."""
        call = ScriptedCall(
            Tracker(a_pathway(a_point("rest", REST), a_point("ring", RING)), call_id="c", reader=READER)
        )
        for words in (REST, REST, "Let us go on."):
            call.say(words)

        assert "Heard already" not in (call.tracker.note() or "")

    @pytest.mark.parametrize("request_", ["Can you say that again?", "Sorry, what was that?"])
    def test_what_the_patient_asked_for_is_no_repetition(self, request_: str) -> None:
        """Neither counted nor held against the model."""
        call = ScriptedCall(
            Tracker(a_pathway(a_point("rest", REST), a_point("ring", RING)), call_id="c", reader=READER)
        )
        call.say(REST)
        call.hear(request_)
        call.say(REST)

        assert 0 == call.tracker.ledger.items["rest"].told_again

    def test_a_second_time_that_was_cut_is_none(self) -> None:
        """Half of it again is not it again."""
        call = ScriptedCall(Tracker(a_pathway(a_point("rest", REST)), call_id="c", reader=READER))
        call.say(REST)
        call.say(REST, until="Rest")

        assert 0 == call.tracker.ledger.items["rest"].told_again


@pytest.mark.parametrize("line", ["No questions have been asked yet.", "I'm ready for you to ask the next question."])
def test_a_model_that_has_lost_the_thread_is_spoken_for_again_and_again(line: str) -> None:
    """Every question gets asked, in a bounded number of turns, though none of them was overdue."""
    call = a_call()
    asked: list[str] = []
    for _ in range(40):
        move = call.tracker.overdue(call.now_s, acknowledge=True)
        if move is None:
            call.say(line)
            call.hear("Okay, thank you.")
        else:
            asked += move.item_ids
            call.say(move.text)
            call.hear("No, nothing like that.")

    assert list(CATARACT.questions)[:5] == [q for q in dict.fromkeys(asked) if q in CATARACT.questions][:5]
    assert all(call.tracker.ledger.items[q].closed for q in asked)


def test_an_answer_and_small_talk_are_the_models() -> None:
    """Three turns of its own, and each question it puts itself gives it three more."""
    call = a_call()
    for line in ("How are you today?", "I am glad to hear that."):
        call.say(line)
        call.hear("Yes.")
    before = call.tracker.overdue(call.now_s)
    call.say("Have you noticed any redness in your eye?")
    call.hear("No.")
    for line in ("Good.", "I am glad."):
        call.say(line)
        call.hear("Yes.")

    assert (before, call.tracker.overdue(call.now_s)) == (None, None)
    call.say("And the weather holds.")
    call.hear("Yes.")
    move = call.tracker.overdue(call.now_s)
    assert move is not None and move.item_ids == ("pain",)
