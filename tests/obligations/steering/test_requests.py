"""Requests about the call, silence, and what must hold before anything clinical is said."""

from __future__ import annotations

import pytest

from obligations import End, Listen, Release, ReplySpeaker, Speak, SteeringPolicy, Tracker, load_pathway
from obligations.answers.reader import LocalAnswerReader
from obligations.testing import ScriptedCall

pytestmark = pytest.mark.unit

CATARACT = load_pathway("cataract-followup")


def a_call() -> ScriptedCall:
    return ScriptedCall(Tracker(CATARACT, call_id="c", reader=LocalAnswerReader()))


def at_redness() -> ScriptedCall:
    call = a_call()
    call.speak()  # greeting and disclosure
    return call


def state(call: ScriptedCall, item_id: str) -> str:
    return str(call.tracker.ledger.items[item_id].state)


class TestRequests:
    def test_a_repair_request_repeats_the_last_words_without_counting(self) -> None:
        """A "say that again" is answered at once; the attempt is not counted twice."""
        call = at_redness()
        call.speak()
        call.hear("Sorry, can you say that again?")

        again = call.speak()

        assert ("repeat", ("redness",)) == (again.purpose, again.item_ids)
        assert "Of course, here it is again. Have you noticed any redness in your eye?" == again.text
        assert 1 == call.tracker.ledger.items["redness"].attempts

    def test_a_question_outside_the_pathway_is_noted_not_answered(self) -> None:
        """The agent says that it cannot answer, notes it for the team, and goes on."""
        call = at_redness()
        call.speak()
        call.hear("What is my blood group?")

        line = call.speak()
        after = call.speak()

        assert ("unanswerable", ()) == (line.purpose, line.item_ids)
        assert ("redness",) == after.item_ids
        assert ["What is my blood group?"] == [
            question.text for question in call.tracker.handoff("completed", 1.0).patient_questions
        ]

    def test_hesitation_is_waited_for(self) -> None:
        """A patient who looks for their glasses is not asked again at once."""
        call = at_redness()
        call.speak()
        call.hear("Um, hold on, let me see.")

        assert isinstance(call.move(), Listen)
        assert "asked" == state(call, "redness")

    def test_stop_is_obeyed_and_waited_on(self) -> None:
        """After "stop" the agent says that it has stopped, listens, and lets a silent patient go."""
        call = at_redness()
        call.speak(until="Have you")
        call.hear("Stop.", onset_during="u2", heard_chars_at_onset=8)

        said = call.speak()
        waits = call.move()
        call.now_s += 60
        farewell = call.speak()

        assert "All right, I have stopped. Tell me when I can go on." == said.text
        assert isinstance(waits, Listen)
        assert farewell.text.startswith("All right, I will leave it there.")
        assert End("asked_to_stop") == call.move()

    def test_a_patient_who_says_go_on_after_stop_is_taken_up_again(self) -> None:
        """The question that was stopped comes back."""
        call = at_redness()
        call.speak(until="Have you")
        call.hear("Stop.", onset_during="u2", heard_chars_at_onset=8)
        call.speak()
        call.hear("Okay, go on.")

        assert ("redness",) == call.speak().item_ids

    @pytest.mark.parametrize(
        ("words", "said", "reason"),
        [
            ("I want to speak to a real person.", "I will ask a member of the team to speak with you.", "wants_person"),
            ("You have the wrong number.", "I am sorry, I have called the wrong person.", "wrong_person"),
            ("I don't want to be recorded.", "I understand, I will stop here.", "objected"),
            ("Please stop calling me.", "All right, I will leave it there.", "patient_ended"),
            ("Can you call me back tomorrow?", "All right. I will ask the team to call", "callback_requested"),
        ],
    )
    def test_a_request_that_ends_the_call_is_respected_at_once(self, words: str, said: str, reason: str) -> None:
        """One approved sentence, then the end; the guard holds nobody."""
        call = at_redness()
        call.speak()
        call.hear(words)

        last = call.speak()

        assert last.text.startswith(said)
        assert End(reason) == call.move()
        assert "refused" == getattr(call.tracker.may_end("end_frame", call.now_s), "why", "")

    def test_a_refused_point_is_not_said_again(self) -> None:
        """An "I don't want to hear that" is respected; the point stands in the hand-off as declined."""
        call = at_redness()
        call.speak()
        call.hear("No. But is it normal that bright light hurts?")
        call.speak(until="after a cataract operation.")
        call.hear("I don't want to hear about that.", onset_during="u3", heard_chars_at_onset=86)

        assert ("pain",) == call.speak().item_ids
        items = {item.item_id: item.reason for item in call.tracker.handoff("completed", 9.0).open_items}
        assert "declined" == items["light.escalation"]

    def test_a_third_party_cannot_end_the_call(self) -> None:
        """Only the patient's requests move the call."""
        call = at_redness()
        call.speak()
        call.hear("Stop calling. Goodbye!", speaker=ReplySpeaker.THIRD_PARTY, label="S")

        move = call.move()

        assert isinstance(move, Speak)
        assert ("redness",) == move.item_ids


class TestSilence:
    def test_a_cut_without_words_is_taken_up_again_after_a_short_wait(self) -> None:
        """A cough stops the agent: it waits, then goes back to what was cut."""
        call = at_redness()
        call.speak(until="Have you")

        waits = call.move()
        call.now_s += SteeringPolicy().cut_wait_s
        back = call.move()

        assert isinstance(waits, Listen)
        assert isinstance(back, Speak)
        assert ("redness",) == back.item_ids

    def test_a_silent_patient_is_prompted_a_bounded_number_of_times_and_let_go(self) -> None:
        """Then the silence line, the end, and every question in the hand-off."""
        call = a_call()

        end = call.run(lambda last: None)

        assert "silence" == end.reason
        assert call.spoken[-1].startswith("I cannot hear you")
        assert (
            4 == sum("redness" in text for text in call.spoken) or sum("redness" in text for text in call.spoken) <= 4
        )
        assert 5 == len(call.tracker.handoff(end.reason, call.now_s).open_items)

    def test_a_voice_that_never_sounds_does_not_loop(self) -> None:
        """With a dead voice every retry is bounded and the call ends."""
        call = a_call()
        for _ in range(200):
            move = call.move()
            if isinstance(move, End):
                break
            if isinstance(move, Speak):
                call.say(move.text, until="")
                call.hear("Hello?")
            elif move.until_s is not None:
                call.now_s = move.until_s
        else:
            pytest.fail("the agent never ends")

        assert not call.tracker.handoff("completed", call.now_s).complete

    def test_an_utterance_whose_end_never_comes_is_given_up(self) -> None:
        """The agent does not wait for ever for a report of its own speech."""
        call = at_redness()
        call.tracker.intended("lost", "Have you noticed any redness in your eye?", call.now_s)

        waits = call.move()
        call.now_s += SteeringPolicy().stuck_after_s

        assert isinstance(waits, Listen)
        assert isinstance(call.move(), Speak)


class TestPreconditions:
    def pathway(self) -> ScriptedCall:
        return ScriptedCall(Tracker(load_pathway("heart-failure-discharge"), call_id="c", reader=LocalAnswerReader()))

    def test_nothing_clinical_is_said_before_the_right_person_is_confirmed(self) -> None:
        """Asked in vain, the call ends without a clinical word."""
        call = self.pathway()

        end = call.run(lambda last: "Well, what is this about then?")

        assert "not_verified" == end.reason
        assert not any("breath" in text or "weight" in text for text in call.spoken)

    def test_the_wrong_person_hears_nothing_further(self) -> None:
        """A wrong number ends the call with an apology."""
        call = self.pathway()

        end = call.run(lambda last: "No, you have the wrong number.")

        assert "wrong_person" == end.reason
        assert call.spoken[-1].startswith("I am sorry, I have called the wrong person.")

    def test_a_voicemail_ends_the_call_before_anything_is_said(self) -> None:
        """A detector's signal stops the call; the guard speaks no clinical content to a machine."""
        call = self.pathway()
        call.tracker.signal("human-answered", False, 0.5)

        verdict = call.tracker.may_end("end_frame", 0.6)

        assert isinstance(verdict, Release)
        assert "not_the_patient" == verdict.why
        assert End("voicemail") == call.move()
        assert [] == call.spoken

    def test_the_guard_speaks_only_the_opening_while_identity_is_open(self) -> None:
        """Before the right person is confirmed the guard may finish the notice and ask who is there, no more."""
        call = self.pathway()

        verdict = call.tracker.may_end("end_frame", 0.1)

        assert isinstance(verdict, Speak)
        assert ("disclosure.automated", "disclosure.recorded") == verdict.item_ids
