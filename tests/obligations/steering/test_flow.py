"""The pathway-led conversation: what is said next, and what is never said twice."""

from __future__ import annotations

import pytest

from obligations import STOCK, End, Listen, Speak, State, SteeringPolicy, Tracker, load_pathway
from obligations.answers.reader import LocalAnswerReader
from obligations.testing import ScriptedCall, a_group, a_pathway, a_point, a_question

pytestmark = pytest.mark.unit

CATARACT = load_pathway("cataract-followup")
FAQ = "Is it normal that bright light hurts?"


def a_call(policy: SteeringPolicy | None = None, language: str = "en") -> ScriptedCall:
    return ScriptedCall(Tracker(CATARACT, call_id="c", reader=LocalAnswerReader(), policy=policy, language=language))


def at_redness(policy: SteeringPolicy | None = None) -> ScriptedCall:
    call = a_call(policy)
    call.speak()  # greeting and disclosure
    return call


def state(call: ScriptedCall, item_id: str) -> str:
    return str(call.tracker.ledger.items[item_id].state)


class TestOrder:
    def test_the_call_opens_with_greeting_and_disclosure_in_one_utterance(self) -> None:
        """Before anything else the patient hears who calls, and that the call is automated and recorded."""
        first = a_call().move()

        assert isinstance(first, Speak)
        assert first.text.startswith("Hello, I am calling from the eye clinic")
        assert ("disclosure.automated", "disclosure.recorded", "disclosure.objection") == first.item_ids
        assert "disclose" == first.purpose

    def test_questions_come_in_the_pathways_order(self) -> None:
        """A patient who answers every question hears the five in order, then the goodbye."""
        call = a_call()

        asked: list[str] = []
        end = call.run(lambda last: asked.extend(last.item_ids) or "No.")

        assert ["redness", "pain", "blurry-vision", "floaters", "flashing-lights"] == asked
        assert "completed" == end.reason
        assert call.spoken[-1].endswith("Goodbye.")
        assert call.tracker.handoff(end.reason, call.now_s).complete

    def test_the_agent_listens_after_a_question(self) -> None:
        """It waits for the reply, and says until when."""
        call = at_redness()
        call.speak()

        move = call.move()

        assert isinstance(move, Listen)
        assert move.until_s == pytest.approx(call.now_s + SteeringPolicy().reply_wait_s)

    def test_asking_twice_for_the_next_move_gives_the_same_move(self) -> None:
        """Without a new fact nothing changes."""
        call = a_call()

        assert call.move() == call.move()

    def test_a_red_flag_opens_its_follow_up_before_the_next_question(self) -> None:
        """A yes to redness is followed at once by how it goes on."""
        call = at_redness()
        call.speak()
        call.hear("Yes, it is quite red.")

        move = call.move()

        assert isinstance(move, Speak)
        assert ("redness.worse",) == move.item_ids
        assert move.text.startswith("Thank you for telling me.")

    def test_a_call_that_is_over_stays_over(self) -> None:
        """After the hand-off every move is the end, with the first reason."""
        call = a_call()
        call.tracker.handoff("hangup", 1.0)

        assert End("hangup") == call.move() == call.move()


class TestGatheringCells:
    def test_a_no_to_a_truncated_stem_is_followed_by_the_whole_question(self) -> None:
        """Recognitional overlap: the dismissive "no" ticks nothing, the question is asked again with a lead-in."""
        call = at_redness()
        call.speak(until="Have you noticed any")
        call.hear("No.", onset_during="u2", heard_chars_at_onset=len("Have you noticed any"))

        move = call.move()

        assert "open" == state(call, "redness")
        assert isinstance(move, Speak)
        assert ("return", ("redness",)) == (move.purpose, move.item_ids)
        assert move.text == "All right. Let me ask you that again. Have you noticed any redness in your eye?"

    def test_a_no_after_the_focus_was_heard_answers_the_question(self) -> None:
        """The words "any redness" were heard: the question was asked, although its end was cut."""
        call = at_redness()
        heard = len("Have you noticed any redness")
        call.tracker.intended("u2", "Have you noticed any redness in your eye?", call.now_s)
        call.tracker.started("u2", call.now_s)

        call.hear("No.", onset_during="u2", heard_chars_at_onset=heard)

        assert "answered" == state(call, "redness")

    def test_a_topic_shift_is_followed_by_a_return_to_the_question(self) -> None:
        """Competitive overlap: the new symptom is flagged and the redness question comes back."""
        call = at_redness()
        call.speak(until="Have you noticed")
        call.hear("Actually my vision is blurry.", onset_during="u2", heard_chars_at_onset=16)

        move = call.move()

        assert isinstance(move, Speak)
        assert ("redness",) == move.item_ids
        assert ["blurry-vision"] == [flag.item_id for flag in call.tracker.ledger.call.red_flags]

    @pytest.mark.parametrize(
        "reply", ["No. But my vision is blurry.", "Sorry, my vision is blurry.", "No, and now my vision is blurry."]
    )
    def test_a_symptom_told_behind_an_answer_is_flagged(self, reply: str) -> None:
        """The answer to the question that was put does not swallow what is told after it."""
        call = at_redness()
        call.speak()

        call.hear(reply)

        flags = [(flag.item_id, flag.certain) for flag in call.tracker.ledger.call.red_flags]
        assert ("blurry-vision", False) in flags

    def test_a_volunteered_symptom_is_asked_about_sooner_and_closes_nothing(self) -> None:
        """After the question at hand the volunteered symptom is the next question."""
        call = at_redness()
        call.speak(until="Have you noticed")
        call.hear("Actually my vision is blurry.", onset_during="u2", heard_chars_at_onset=16)
        call.speak()
        call.hear("No.")

        move = call.move()

        assert isinstance(move, Speak)
        assert ("blurry-vision",) == move.item_ids
        assert "open" == state(call, "blurry-vision")


class TestProvisionCells:
    def asked(self, policy: SteeringPolicy | None = None) -> ScriptedCall:
        call = at_redness(policy)
        call.speak()
        call.hear("No. But is it normal that bright light hurts?")
        return call

    def test_one_reply_may_answer_and_ask(self) -> None:
        """The "no" answers the question, the rest opens the answer to the patient's own."""
        call = self.asked()

        move = call.move()

        assert "answered" == state(call, "redness")
        assert isinstance(move, Speak)
        assert ("light.reassurance", "light.escalation", "light.mild-advice") == move.item_ids

    def test_after_a_competitive_cut_the_new_question_is_answered_first_and_the_rest_comes_back(self) -> None:
        """The redirect gets its answer; then only the unheard points follow, the critical one first."""
        call = self.asked()
        call.speak(until="after a cataract operation.")
        cut = len("I can help with that. Some sensitivity to light is normal after a cataract operation.")
        call.hear("And when can I drive again?", onset_during="u3", heard_chars_at_onset=cut)

        driving = call.speak()
        back = call.speak()

        assert ("driving.wait",) == driving.item_ids
        assert ("return", ("light.escalation", "light.mild-advice")) == (back.purpose, back.item_ids)
        assert "Let me finish what I was saying." == back.lead_in
        assert "Some sensitivity" not in back.text

    def test_a_cooperative_okay_thanks_does_not_close_what_was_not_heard(self) -> None:
        """Transitional overlap: after "okay, thanks" the unheard points are still said."""
        call = self.asked()
        call.speak(until="after a cataract operation.")
        call.hear("Okay, thanks.", onset_during="u3", heard_chars_at_onset=86)

        back = call.speak()

        assert ("light.escalation", "light.mild-advice") == back.item_ids
        assert "met" == state(call, "light.mild-advice")

    def test_a_point_that_keeps_being_cut_is_left_to_the_handoff_after_its_attempts(self) -> None:
        """No nagging: after the pathway's three attempts steering stops, and the guard has its two."""
        call = self.asked()
        for _ in range(30):
            move = call.move()
            if isinstance(move, Speak) and "light.escalation" in move.item_ids:
                call.speak(until=move.text[: move.text.index("If you have severe") + 12])
                call.hear("Yes yes.", onset_during=f"u{call._count}", heard_chars_at_onset=10)
            elif isinstance(move, Speak):
                call.speak()
            else:
                call.hear("No.")

        record = call.tracker.ledger.items["light.escalation"]
        assert State.PARTIAL is record.state
        assert (2, 5) == (record.guard_tries, record.attempts)
        item = next(i for i in call.tracker.handoff("completed", 99.0).open_items if i.item_id == "light.escalation")
        assert "guard_gave_up" == item.reason
        assert 'cut at "' in item.detail

    def test_stock_behaviour_never_goes_back_but_the_ledger_tells_the_truth(self) -> None:
        """Without our steering the flow moves on once a thing was intended; what was not heard stays open."""
        call = self.asked(STOCK)
        call.speak(until="after a cataract operation.")
        call.hear("And when can I drive again?", onset_during="u3", heard_chars_at_onset=86)

        end = call.run(lambda last: "No.")
        rest = [text for text in call.spoken if "severe pain" in text]

        handoff = call.tracker.handoff(end.reason, call.now_s)
        assert ([], "completed") == (rest, end.reason)
        assert ["light.escalation", "light.mild-advice"] == [item.item_id for item in handoff.open_items]

    def test_asking_again_gets_the_whole_answer_again(self) -> None:
        """A repetition the patient asks for is given and does not count as an attempt."""
        call = self.asked()
        call.speak()
        call.speak()
        call.hear("No. But why is my eye so sensitive to light?")

        again = call.speak()

        assert ("repeat", ("light.reassurance", "light.escalation", "light.mild-advice")) == (
            again.purpose,
            again.item_ids,
        )
        assert 1 == call.tracker.ledger.items["light.escalation"].attempts


def test_closing_items_are_said_before_the_goodbye() -> None:
    """The closing phase begins when the rest is done."""
    pathway = a_pathway(
        a_question("pain", "Any pain?", "pain"),
        a_group("end", [a_point("machine", "You talked with a machine.")], phase="closing"),
    )
    call = ScriptedCall(Tracker(pathway, call_id="c", reader=LocalAnswerReader()))

    end = call.run(lambda last: "No.")

    assert ["You talked with a machine.", "That is all. Goodbye."] == [call.spoken[-2][-26:], call.spoken[-1]]
    assert call.tracker.handoff(end.reason, 9.0).complete


def test_the_portuguese_call_goes_the_same_way() -> None:
    """European Portuguese: a cut question comes back, a question gets its answer."""
    call = a_call(language="pt-PT")
    call.speak()
    call.speak(until="Notou alguma")
    call.hear("Não.", onset_during="u2", heard_chars_at_onset=12)
    back = call.speak()
    call.hear("Não. Mas é normal que a luz forte incomode?")
    told = call.speak()

    assert ("redness",) == back.item_ids
    assert "Deixe-me perguntar outra vez." == back.lead_in
    assert ("light.reassurance", "light.escalation", "light.mild-advice") == told.item_ids
