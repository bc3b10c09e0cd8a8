"""What the tracker promises at its edges: unknown facts, facts after the end, a second worker, other languages."""

from __future__ import annotations

import pytest

from obligations import (
    AnswerKind,
    AnswerReading,
    Coverage,
    CoverageVerdict,
    Delivery,
    End,
    Release,
    Reply,
    ReplySpeaker,
    Span,
    Speak,
    State,
    Tracker,
    load_pathway,
)
from obligations.answers.reader import LocalAnswerReader
from obligations.errors import IllegalStep, UnknownItem, UnknownLanguage
from obligations.pathway import Point
from obligations.testing import PlainReader, ScriptedCall, a_pathway, a_point, a_question

pytestmark = pytest.mark.unit

CATARACT = load_pathway("cataract-followup")
PAIN = a_question("pain", "Do you have any pain?", "any pain", critical=True, red_flag_answers=("yes",))


def a_tracker() -> Tracker:
    return Tracker(CATARACT, call_id="c", reader=LocalAnswerReader())


def test_after_the_end_no_fact_changes_anything() -> None:
    """The ledger is closed; every method answers quietly."""
    tracker = a_tracker()
    tracker.intended("u1", "Hello.", 0.0)
    tracker.handoff("hangup", 1.0)
    before = tracker.ledger.digest()
    coverage = Coverage(verdict=CoverageVerdict.CONVEYED, matcher="m@1", spans=(Span(0, 1),))

    assert () == tracker.intended("u2", "Hello.", 2.0)
    assert () == tracker.started("u1", 2.0)
    assert () == tracker.delivered(Delivery(utterance_id="u1", delivered_chars=1, complete=False), 2.0)
    assert () == tracker.judged("u1", "light.reassurance", coverage, 2.0)
    assert () == tracker.reply(Reply(text="No.", now_s=2.0)).events
    assert () == tracker.signal("human-answered", False, 2.0)
    assert () == tracker.waive("pain", "because", 2.0)
    assert (None, None) == (tracker.note(), tracker.overdue(2.0))
    assert End("hangup") == tracker.next_move(2.0)
    assert "hangup" == getattr(tracker.may_end("end_frame", 2.0), "why", "")
    assert before == tracker.ledger.digest()


def test_facts_about_unknown_things_are_ignored() -> None:
    """An unknown utterance or precondition raises nothing and changes nothing."""
    tracker = a_tracker()
    before = tracker.ledger.digest()

    assert () == tracker.started("u9", 0.0)
    assert () == tracker.delivered(Delivery(utterance_id="u9", delivered_chars=5, complete=True), 0.0)
    assert () == tracker.signal("nothing", True, 0.0)
    assert () == tracker.waive("pain", "", 0.0)
    assert before == tracker.ledger.digest()


def test_an_unknown_item_is_not_waived_in_silence() -> None:
    """The application is told which items there are, and the ledger is as it was."""
    tracker = a_tracker()
    before = tracker.ledger.digest()

    with pytest.raises(UnknownItem, match="has no item 'nope' to waive; it has .*pain"):
        tracker.waive("nope", "because", 0.0)

    assert before == tracker.ledger.digest()


def test_a_reply_during_an_unknown_utterance_counts_as_said_in_silence() -> None:
    """Its words are kept; nothing is read into them."""
    tracker = a_tracker()

    outcome = tracker.reply(Reply(text="No.", now_s=1.0, onset_during="u9", heard_chars_at_onset=10))

    assert (None, None) == (outcome.question_id, outcome.reading)
    assert ["replied"] == [event.kind for event in outcome.events]


def test_a_fact_told_twice_counts_once() -> None:
    """Started, delivered and intended are idempotent by utterance id."""
    tracker = a_tracker()
    tracker.intended("u1", "Have you noticed any redness in your eye?", 0.0)
    delivery = Delivery(utterance_id="u1", delivered_chars=4, complete=False, interrupted=True)
    tracker.started("u1", 0.1)
    tracker.delivered(delivery, 1.0)
    before = tracker.ledger.digest()

    assert () == tracker.intended("u1", "Something else.", 2.0)
    assert () == tracker.started("u1", 2.0)
    assert () == tracker.delivered(Delivery(utterance_id="u1", delivered_chars=41, complete=True), 2.0)
    assert before == tracker.ledger.digest()


@pytest.mark.parametrize(("given", "played"), [(-5, 0), (10**9, 41)])
def test_an_impossible_extent_is_brought_into_the_text(given: int, played: int) -> None:
    """Delivered never lies outside intended, whatever the counter says."""
    tracker = a_tracker()
    tracker.intended("u1", "Have you noticed any redness in your eye?", 0.0)

    tracker.delivered(Delivery(utterance_id="u1", delivered_chars=given, complete=False, interrupted=True), 1.0)

    assert played == tracker.ledger.call.utterances["u1"].delivered_chars


def test_a_worker_that_takes_over_greets_nobody_twice() -> None:
    """From the events alone it knows what was heard and asked."""
    call = ScriptedCall(a_tracker())
    call.speak()
    call.speak()
    heir = Tracker.resume(CATARACT, call.tracker.events, reader=LocalAnswerReader())
    after = ScriptedCall(heir)
    after._count, after.now_s = 2, call.now_s

    outcome = after.hear("No.")
    move = after.move()

    assert "redness" == outcome.question_id
    assert isinstance(move, Speak)
    assert ("pain",) == move.item_ids
    assert "Hello" not in move.text


def test_nothing_cannot_be_resumed() -> None:
    """A call without its first event is nobody's call."""
    with pytest.raises(IllegalStep, match="without a first event"):
        Tracker.resume(CATARACT, [], reader=LocalAnswerReader())


def test_a_call_in_a_language_the_pathway_lacks_is_refused_at_the_start() -> None:
    """Before a word is spoken, not in the middle."""
    with pytest.raises(UnknownLanguage):
        Tracker(CATARACT, call_id="c", reader=LocalAnswerReader(), language="fr")


def test_in_a_language_without_a_table_every_word_goes_to_the_reader() -> None:
    """No request is guessed; the answer reader alone decides."""
    phrases = load_pathway("cataract-followup").phrases["en"]
    german = a_pathway(a_question("pain", "Haben Sie Schmerzen?", "Schmerzen", language="en")).model_copy(
        update={"phrases": {"de": phrases}, "languages": ("de",), "title": {"de": "x"}}
    )
    group = german.groups[0]
    question = group.items[0].model_copy(
        update={"wording": {"de": "Haben Sie Schmerzen?"}, "focus": {"de": "Schmerzen"}}
    )
    german = german.model_copy(update={"groups": (group.model_copy(update={"items": (question,)}),)})
    call = ScriptedCall(Tracker(german, call_id="c", reader=PlainReader()))
    call.say("Haben Sie Schmerzen?")

    outcome = call.hear("Goodbye. Was ist das?")

    assert ((), (), None) == (outcome.intents, outcome.matched_faq, outcome.unanswerable_question)
    assert outcome.reading is not None


def test_only_exact_words_convey_a_verbatim_point() -> None:
    """Even a licensed matcher of free words does not close a legal notice."""
    notice = Point(kind="point", id="notice", wording={"en": "This call is recorded."}, verbatim=True)
    tracker = Tracker(a_pathway(notice), call_id="c", reader=PlainReader(), licences=("judge@1",))
    text = "We tape what we say here."
    tracker.intended("u1", text, 0.0)
    tracker.delivered(Delivery(utterance_id="u1", delivered_chars=len(text), complete=True), 1.0)
    spans = (Span(0, len(text)),)

    tracker.judged("u1", "notice", Coverage(verdict=CoverageVerdict.CONVEYED, matcher="judge@1", spans=spans))
    free = tracker.ledger.items["notice"].state
    tracker.judged("u1", "notice", Coverage(verdict=CoverageVerdict.CONVEYED, matcher="own-wording@1", spans=spans))

    assert (State.OPEN, State.MET) == (free, tracker.ledger.items["notice"].state)


class TestThirdParties:
    def call(self) -> ScriptedCall:
        call = ScriptedCall(Tracker(a_pathway(PAIN), call_id="c", reader=LocalAnswerReader()))
        call.say("Do you have any pain?")
        return call

    def test_an_aside_is_neither_a_report_nor_an_answer(self) -> None:
        """Somebody talks about something else in the room."""
        call = self.call()

        call.hear("Where did you put the keys?", speaker=ReplySpeaker.THIRD_PARTY, label="S")

        record = call.tracker.ledger.items["pain"]
        assert (State.ASKED, None) == (record.state, record.reported)

    def test_a_report_against_the_patients_own_no_is_flagged(self) -> None:
        """The answer stands; the contradiction is not kept quiet."""
        call = self.call()
        call.hear("No.")
        call.hear("Yes, she has pain, she told me.", speaker=ReplySpeaker.THIRD_PARTY, label="S")

        handoff = call.tracker.handoff("completed", 9.0)

        assert "no" == handoff.answers[0].value
        assert [("yes", False, "S")] == [(f.value, f.certain, f.speaker_label) for f in handoff.red_flags]

    def test_a_denial_by_another_is_not_turned_round_by_the_patients_yes(self) -> None:
        """A "she has no pain" and then "yes": two meanings, so it is asked once more."""
        call = self.call()
        call.hear("No, she has no pain.", speaker=ReplySpeaker.THIRD_PARTY, label="S")

        call.hear("Yes.")

        assert State.ASKED is call.tracker.ledger.items["pain"].state
        assert "confirm" == getattr(call.move(), "purpose", "")

    def test_the_patients_that_is_right_confirms_a_denial(self) -> None:
        """Words of agreement take the report as it was made."""
        call = self.call()
        call.hear("No, she has no pain.", speaker=ReplySpeaker.THIRD_PARTY, label="S")

        call.hear("That's right.")

        answer = call.tracker.handoff("completed", 9.0).answers[0]
        assert ("no", "S") == (answer.value, answer.reported_by)

    def test_a_reader_may_give_the_value_of_a_report(self) -> None:
        """The value the reader found is the one reported."""

        class Reporter(PlainReader):
            def read(self, question: object, reply: str, speaker: ReplySpeaker) -> AnswerReading:
                third = speaker is ReplySpeaker.THIRD_PARTY
                kind = AnswerKind.REPORTED_BY_THIRD_PARTY if third else AnswerKind.UNCLEAR
                return AnswerReading(kind=kind, value="no" if third else None, reader="r@1")

        call = ScriptedCall(Tracker(a_pathway(PAIN), call_id="c", reader=Reporter()))
        call.say("Do you have any pain?")
        call.hear("Nothing hurts her.", speaker=ReplySpeaker.THIRD_PARTY, label="S")

        record = call.tracker.ledger.items["pain"]
        assert record.reported is not None
        assert "no" == record.reported.value


def test_a_late_yes_after_other_words_of_the_agent_corrects_nothing() -> None:
    """After "no" and "thank you" a yes is no second thought about the question."""
    call = ScriptedCall(Tracker(a_pathway(PAIN), call_id="c", reader=LocalAnswerReader()))
    call.say("Do you have any pain?")
    call.hear("No.")
    call.say("Thank you.")

    call.hear("Yes.")

    assert "no" == call.tracker.handoff("completed", 9.0).answers[0].value


def test_a_doubtful_answer_is_confirmed_for_a_model_that_does_not() -> None:
    """The reminder asks the model to confirm, and then confirms itself."""
    call = ScriptedCall(Tracker(a_pathway(PAIN), call_id="c", reader=LocalAnswerReader()))
    call.say("Do you have any pain?")
    call.hear("Yes.", speaker=ReplySpeaker.UNSURE)
    note = call.tracker.note()
    call.say("I see, well, let us go on then, shall we.")
    call.hear("Okay.")

    move = call.tracker.overdue(call.now_s)

    assert note is not None
    assert 'Confirm with the patient (critical, one time only): "Do you have any pain?"' in note
    assert move is not None
    assert "confirm" == move.purpose


def test_what_is_no_item_is_repeated_in_its_own_words() -> None:
    """A repair request after a free sentence gets that sentence."""
    pathway = a_pathway(a_point("rest", "Rest your eye."), PAIN)
    call = ScriptedCall(Tracker(pathway, call_id="c", reader=LocalAnswerReader()))
    call.say("The clinic is in the new building.")
    call.hear("Sorry, what was that?")

    assert "Of course, here it is again. The clinic is in the new building." == call.speak().text


def test_repetitions_are_bounded() -> None:
    """After the policy's number the agent goes on."""
    call = ScriptedCall(Tracker(a_pathway(PAIN), call_id="c", reader=LocalAnswerReader()))
    call.say("Do you have any pain?")
    purposes: list[str] = []
    for _ in range(8):
        call.hear("Pardon?")
        move = call.move()
        assert isinstance(move, Speak | End)
        purposes.append(move.purpose if isinstance(move, Speak) else "end")
        if isinstance(move, Speak):
            call.say(move.text)

    assert 5 == purposes.count("repeat")
    assert "repeat" != purposes[5]


def test_an_offer_that_cannot_be_short_is_not_made() -> None:
    """A goodbye is not answered with a lecture."""
    words = "It is important that you ring us about this. "
    long = a_point("long", (words * 8).strip().replace(". ", ", "), critical=True)
    pathway = a_pathway(a_point("x", "Rest.")).model_copy()
    group = pathway.groups[0].model_copy(update={"items": (long,)})
    call = ScriptedCall(Tracker(pathway.model_copy(update={"groups": (group,)}), call_id="c", reader=PlainReader()))
    call.hear("Goodbye.")

    verdict = call.tracker.may_end("patient_goodbye", call.now_s)

    assert Release(("long",), "too_long") == verdict


@pytest.mark.parametrize(
    ("before", "gap_s", "asked"),
    [
        ("Bright light bothers my eye a lot.", 2.0, ("light-sensitivity",)),
        ("Bright light bothers my eye a lot.", 30.0, ()),
        ("Is it normal that bright light bothers me?", 2.0, ()),
    ],
)
def test_a_question_is_about_the_reply_before_it_for_a_while(before: str, gap_s: float, asked: tuple[str, ...]) -> None:
    """Not half a minute later, and not when that reply was a question of its own ("Are you sure?")."""
    call = ScriptedCall(a_tracker())
    call.say("Hello.")
    call.hear(before)
    call.now_s += gap_s

    assert asked == call.hear("Is that normal?").matched_faq


@pytest.mark.parametrize(
    ("spoken_s", "states"),
    [(None, ("asked", "answered")), (30.0, ("asked", "answered")), (3.0, ("answered", "asked"))],
)
def test_words_spoken_before_a_question_never_answer_it(spoken_s: float | None, states: tuple[str, str]) -> None:
    """They may answer the one before it; a voice whose end nobody knows answers what was put last, as ever."""
    call = ScriptedCall(a_tracker())
    call.say("Have you noticed any redness in your eye?")
    call.now_s = 10.0
    call.say("Do you have any pain in your eye?")

    call.tracker.reply(Reply(text="No.", now_s=31.0, spoken_s=spoken_s))

    items = call.tracker.ledger.items
    assert states == (items["redness"].state.value, items["pain"].state.value)
