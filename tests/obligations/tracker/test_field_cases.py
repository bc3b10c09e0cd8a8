"""Public faults of other systems, replayed on the tracker: what was heard decides, and nothing open is lost."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from obligations import Pathway, ReplySpeaker, State, Tracker
from obligations.answers.reader import LocalAnswerReader
from obligations.steering import Speak
from obligations.testing import PlainReader, ScriptedCall, a_group, a_pathway, a_point, a_question

pytestmark = pytest.mark.unit


Caller = Callable[[Pathway], ScriptedCall]


@pytest.fixture(params=[PlainReader, LocalAnswerReader])
def a_call(request: pytest.FixtureRequest) -> Caller:
    """Make a call with the fake reader, then with the real one: the safe outcome must not hang on the reader."""
    return lambda pathway: ScriptedCall(Tracker(pathway, call_id="c", reader=request.param()))


def states(call: ScriptedCall) -> dict[str, str]:
    return {item_id: str(record.state) for item_id, record in call.tracker.ledger.items.items()}


def tablets() -> Pathway:
    return a_pathway(
        a_point("dose", "Take one tablet each morning.", critical=True),
        a_point("no-alcohol", "Do not drink alcohol while you take it.", critical=True),
    )


def allergies() -> Pathway:
    return a_pathway(
        a_question("allergies", "Before we start, do you have any allergies?", "any allergies", critical=True)
    )


def notice() -> Pathway:
    return a_pathway(
        a_group(
            "notice",
            [
                a_point("automated", "This is an automated call from the clinic.", critical=True),
                a_point("recorded", "The call is recorded.", critical=True),
                a_point("objection", "Press star to object.", critical=True),
            ],
            phase="opening",
        ),
        a_question("pain", "Do you have any pain?", "any pain", critical=True),
    )


def blood_thinners() -> Pathway:
    return a_pathway(
        a_question(
            "thinners", "Do you take blood thinners?", "blood thinners", critical=True, red_flag_answers=("yes",)
        )
    )


def consent() -> Pathway:
    return a_pathway(
        a_question(
            "consent",
            "May we share your results with your family doctor?",
            "share your results with your family doctor",
        )
    )


class TestD01WholeReplyRememberedAlthoughHalfWasHeard:
    def test_only_the_sentence_that_was_heard_is_ticked(self, a_call: Caller) -> None:
        """The dose was heard whole and is met; of the alcohol advice one word was heard, so it stays open."""
        call = a_call(tablets())

        call.say("Take one tablet each morning. Do not drink alcohol while you take it.", until="Do")
        call.hear("How big is it?", onset_during="u1", heard_chars_at_onset=len("Take one tablet each morning. Do"))

        assert {"dose": "met", "no-alcohol": "partial"} == states(call)

    def test_the_note_to_the_model_does_not_claim_the_unheard_half(self, a_call: Caller) -> None:
        """The model is told that the advice was not heard, with the place of the cut."""
        call = a_call(tablets())

        call.say("Take one tablet each morning. Do not drink alcohol while you take it.", until="Do")

        note = call.tracker.note()
        assert note is not None
        assert 'Not heard (critical, go back to it, cut at "Take one tablet each morning. Do")' in note
        assert 'Take one tablet each morning."' not in note

    def test_a_margin_before_the_cut_does_not_count_as_heard(self, a_call: Caller) -> None:
        """An estimate errs short: words within the margin of the cut stay open."""
        call = a_call(tablets())

        call.say(
            "Take one tablet each morning. Do not drink alcohol while you take it.", until="morning.", margin_chars=3
        )

        assert {"dose": "partial", "no-alcohol": "open"} == states(call)

    def test_the_return_speaks_only_the_half_that_was_not_heard(self, a_call: Caller) -> None:
        """What was heard is never repeated."""
        call = a_call(tablets())
        call.say("Take one tablet each morning. Do not drink alcohol while you take it.", until="Do")
        call.hear("Okay.", onset_during="u1", heard_chars_at_onset=32)

        move = call.move()

        assert isinstance(move, Speak)
        assert ("no-alcohol",) == move.item_ids
        assert "tablet" not in move.text


class TestD03CutBeforeTheFirstWord:
    def test_a_question_nobody_heard_is_not_asked_and_not_counted(self, a_call: Caller) -> None:
        """Nothing was audible: the question stays open, no attempt is counted, the intended text is kept."""
        call = a_call(allergies())

        call.say("Before we start, do you have any allergies?", until="")
        call.hear("Sorry, who is this?", onset_during="u1", heard_chars_at_onset=0)

        record = call.tracker.ledger.items["allergies"]
        assert (State.OPEN, 0, "") == (record.state, record.attempts, record.cut_at)
        assert "Before we start, do you have any allergies?" == call.tracker.ledger.call.utterances["u1"].text
        assert "Sorry, who is this?" == call.tracker.ledger.call.replies["r1"].text

    def test_the_handoff_says_that_no_word_was_heard(self, a_call: Caller) -> None:
        """A call that ends there hands the question over with its reason."""
        call = a_call(allergies())
        call.say("Before we start, do you have any allergies?", until="")

        handoff = call.tracker.handoff("agent_ended", call.now_s)

        assert [("allergies", "cut", "cut before the first word was heard")] == [
            (item.item_id, item.reason, item.detail) for item in handoff.open_items
        ]


class TestD10CallerSpeaksWhileALookUpRuns:
    def test_a_holding_phrase_is_logged_as_cut_and_owes_nothing(self, a_call: Caller) -> None:
        """The words "one moment, I am looking you up" are no obligation: nothing of it is returned to or handed off."""
        call = a_call(allergies())
        call.say("One moment, I am looking you up.", until="One moment, I")
        call.hear("It is under my maiden name.", onset_during="u1", heard_chars_at_onset=13)

        utterance = call.tracker.ledger.call.utterances["u1"]
        handoff = call.tracker.handoff("hangup", 9.0)

        assert ("One moment, I", False, ()) == (utterance.heard, utterance.complete, utterance.spans)
        assert ["allergies"] == [item.item_id for item in handoff.open_items]
        assert ["It is under my maiden name."] == [words.text for words in handoff.other_words]


class TestD11HangUpInMidSentence:
    def test_what_was_heard_and_what_was_not_both_stand_in_the_handoff(self, a_call: Caller) -> None:
        """Cut at "Monday": the time and the card are open because the line was dropped."""
        pathway = a_pathway(
            a_point("day", "Your test is on Monday", critical=True),
            a_point("time", "at nine.", critical=True),
            a_point("card", "Bring your card."),
        )
        call = a_call(pathway)
        call.say("Your test is on Monday at nine. Bring your card.", until="Monday", interrupted=False)

        handoff = call.tracker.handoff("hangup", call.now_s)

        assert ["day"] == [point.item_id for point in handoff.delivered]
        assert "Your test is on Monday" == handoff.delivered[0].evidence[0].quote
        assert [("time", "hang_up"), ("card", "hang_up")] == [(i.item_id, i.reason) for i in handoff.open_items]
        assert all('cut at "Your test is on Monday"' in item.detail for item in handoff.open_items)

    def test_unfinished_patient_words_appear_marked_partial(self, a_call: Caller) -> None:
        """The words "I have chest" are kept although the sentence never ended."""
        call = a_call(allergies())
        call.tracker.hearing("I have")
        call.tracker.hearing("I have chest")

        handoff = call.tracker.handoff("hangup", 2.0)

        assert [("I have chest", True)] == [(words.text, words.partial) for words in handoff.other_words]

    def test_words_that_became_a_reply_are_not_also_unfinished(self, a_call: Caller) -> None:
        """The complete reply replaces its beginnings."""
        call = a_call(allergies())
        call.tracker.hearing("I have a new")
        call.hear("I have a new rash.")

        handoff = call.tracker.handoff("hangup", 2.0)

        assert [("I have a new rash.", False)] == [(words.text, words.partial) for words in handoff.other_words]

    def test_a_hang_up_after_a_planned_end_gives_the_same_single_handoff(self, a_call: Caller) -> None:
        """The first end decides; the second one changes nothing."""
        call = a_call(allergies())

        first = call.tracker.handoff("completed", 5.0)
        second = call.tracker.handoff("hangup", 5.02)

        assert first is second
        assert "completed" == second.end_reason
        assert 1 == sum(event.kind == "call_ended" for event in call.tracker.events)

    def test_nothing_is_spoken_on_a_hang_up(self, a_call: Caller) -> None:
        """The guard lets a dropped line go, whatever is open."""
        call = a_call(allergies())

        verdict = call.tracker.may_end("hangup", 1.0)

        assert ("hangup", ("allergies",)) == (verdict.why, verdict.open_critical)

    def test_an_utterance_whose_end_was_never_reported_counts_as_unheard(self, a_call: Caller) -> None:
        """The line drops while the agent speaks and nobody says how far it came."""
        call = a_call(tablets())
        call.tracker.intended("u1", "Take one tablet each morning.", 0.0)
        call.tracker.started("u1", 0.1)

        handoff = call.tracker.handoff("hangup", 1.0)

        assert ["dose", "no-alcohol"] == [item.item_id for item in handoff.open_items]


class TestD12OpeningNoticeTalkedOver:
    TEXT = "This is an automated call from the clinic. The call is recorded. Press star to object."

    def test_only_the_part_that_was_heard_is_met(self, a_call: Caller) -> None:
        """A "Hello?" over the notice leaves recording and objection open."""
        call = a_call(notice())

        call.say(self.TEXT, until="clinic.")
        call.hear("Hello?", onset_during="u1", heard_chars_at_onset=42)

        assert {"automated": "met", "recorded": "open", "objection": "open", "pain": "open"} == states(call)

    def test_the_notice_is_finished_before_any_clinical_question(self, a_call: Caller) -> None:
        """The agent goes back to the unheard rest of the notice first."""
        call = a_call(notice())
        call.say(self.TEXT, until="clinic.")
        call.hear("Hello?", onset_during="u1", heard_chars_at_onset=42)

        first = call.speak()
        second = call.speak()

        assert (("recorded", "objection"), "disclose") == (first.item_ids, first.purpose)
        assert "automated" not in first.text
        assert (("pain",), "ask") == (second.item_ids, second.purpose)


class TestD18SomebodyElseAnswersForThePatient:
    def test_a_report_ticks_nothing_until_the_patient_confirms(self, a_call: Caller) -> None:
        """S's word is held as S's; the question stays open."""
        call = a_call(blood_thinners())
        call.say("Do you take blood thinners?")

        call.hear("She takes warfarin, five milligrams.", speaker=ReplySpeaker.THIRD_PARTY, label="S")

        record = call.tracker.ledger.items["thinners"]
        assert (State.ASKED, None) == (record.state, record.answer)
        assert record.reported is not None
        assert "S" == record.reported.label

    def test_the_patients_yes_records_reported_by_s_confirmed_by_p(self, a_call: Caller) -> None:
        """Both replies stand behind the answer."""
        call = a_call(blood_thinners())
        call.say("Do you take blood thinners?")
        call.hear("She takes warfarin, five milligrams.", speaker=ReplySpeaker.THIRD_PARTY, label="S")

        call.hear("Yes, that is right.")

        answer = call.tracker.handoff("completed", 9.0).answers[0]
        assert ("yes", "S", "Yes, that is right.") == (answer.value, answer.reported_by, answer.confirmation_quote)
        assert ReplySpeaker.PRIMARY is answer.speaker
        assert "She takes warfarin, five milligrams." == answer.reported_quote

    def test_a_report_that_is_never_confirmed_stands_in_the_handoff_as_such(self, a_call: Caller) -> None:
        """Third party only is a reason of its own."""
        call = a_call(blood_thinners())
        call.say("Do you take blood thinners?")
        call.hear("Yes.", speaker=ReplySpeaker.THIRD_PARTY, label="S")

        item = call.tracker.handoff("hangup", 9.0).open_items[0]

        assert ("third_party_only", "yes", "S") == (item.reason, item.reported_value, item.reported_by)

    def test_the_patient_is_asked_once_to_confirm_and_not_twice(self, a_call: Caller) -> None:
        """One confirmation, never two, whatever the patient makes of it."""
        call = a_call(blood_thinners())
        call.say("Do you take blood thinners?")
        call.hear("Yes.", speaker=ReplySpeaker.THIRD_PARTY, label="S")

        confirm = call.speak()
        call.hear("Well, what she said about it.")

        assert "confirm" == confirm.purpose
        assert "confirm" != getattr(call.move(), "purpose", "")

    def test_a_patient_who_contradicts_the_report_is_asked_and_then_believed(self, a_call: Caller) -> None:
        """The patient's own plain word decides after one confirmation."""
        call = a_call(blood_thinners())
        call.say("Do you take blood thinners?")
        call.hear("Yes.", speaker=ReplySpeaker.THIRD_PARTY, label="S")

        call.hear("No.")
        contradicted = states(call)
        call.speak()
        call.hear("No.")

        assert {"thinners": "asked"} == contradicted
        answer = call.tracker.ledger.items["thinners"].answer
        assert answer is not None
        assert ("no", None) == (answer.value, answer.reported_by)

    def test_a_patient_may_let_another_speak_for_them(self, a_call: Caller) -> None:
        """From "talk to my daughter" on S's plain answers count, marked as S's, with the consent they rest on."""
        call = a_call(blood_thinners())
        call.say("Do you take blood thinners?")
        call.hear(
            "I am her daughter, she cannot hear well, I will answer for her.",
            speaker=ReplySpeaker.THIRD_PARTY,
            label="S",
        )
        before = states(call)
        call.hear("Please talk to my daughter.")
        call.speak()
        call.hear("No.", speaker=ReplySpeaker.THIRD_PARTY, label="S")

        handoff = call.tracker.handoff("completed", 9.0)
        assert {"thinners": "asked"} == before
        assert ("no", ReplySpeaker.THIRD_PARTY, "S") == (
            handoff.answers[0].value,
            handoff.answers[0].speaker,
            handoff.answers[0].speaker_label,
        )
        assert "Please talk to my daughter." == handoff.answers[0].confirmation_quote
        assert "delegate" in handoff.requests

    def test_a_red_flag_reported_by_another_is_raised_at_once_and_marked(self, a_call: Caller) -> None:
        """A report closes nothing but is not kept quiet."""
        call = a_call(blood_thinners())
        call.say("Do you take blood thinners?")
        call.hear("Yes.", speaker=ReplySpeaker.THIRD_PARTY, label="S")

        flag = call.tracker.handoff("hangup", 9.0).red_flags[0]

        assert ("thinners", "yes", False, "S") == (flag.item_id, flag.value, flag.certain, flag.speaker_label)


class TestD19YesBeforeTheQuestionWasHeard:
    def test_a_yes_to_the_stem_ticks_nothing(self, a_call: Caller) -> None:
        """Only "May we" was heard; "Yes, yes, I can hear you." is no consent."""
        call = a_call(consent())

        call.say("May we share your results with your family doctor?", until="May we")
        call.hear("Yes, yes, I can hear you.", onset_during="u1", heard_chars_at_onset=6)

        record = call.tracker.ledger.items["consent"]
        assert (State.OPEN, None, "May we") == (record.state, record.answer, record.cut_at)

    @pytest.mark.parametrize("reply", ["Okay, hold on, not with him", "Sure, but what would he see?"])
    def test_a_reply_that_only_begins_like_a_yes_leaves_it_open(self, a_call: Caller, reply: str) -> None:
        """Words that begin with a yes and mean something else close nothing."""
        call = a_call(consent())
        call.say("May we share your results with your family doctor?")

        call.hear(reply)

        assert {"consent": "asked"} == states(call)

    def test_a_plain_yes_after_the_whole_question_ticks_it(self, a_call: Caller) -> None:
        """Only the last reply closes the item."""
        call = a_call(consent())
        call.say("May we share your results with your family doctor?", until="May we")
        call.hear("Yes, yes, I can hear you.", onset_during="u1", heard_chars_at_onset=6)
        call.speak()
        call.hear("Yes, that is fine.")

        assert {"consent": "answered"} == states(call)

    def test_an_untouched_item_is_in_the_report_with_a_reason(self, a_call: Caller) -> None:
        """Nothing required is lost in silence."""
        call = a_call(consent())

        handoff = call.tracker.handoff("hangup", 1.0)

        assert [("consent", "hang_up", "never reached; then the line was dropped (hangup)")] == [
            (item.item_id, item.reason, item.detail) for item in handoff.open_items
        ]
