"""Who may answer, how sure it must be, and what a second thought does."""

from __future__ import annotations

import pytest

from obligations import AnswerKind, AnswerReading, QuestionText, ReplySpeaker, State, Tracker
from obligations.handoff import Handoff
from obligations.pathway import OnAnswer
from obligations.testing import PlainReader, ScriptedCall, a_group, a_pathway, a_point, a_question

pytestmark = pytest.mark.unit

REDNESS = a_question(
    "redness",
    "Is your eye red?",
    "red",
    critical=True,
    red_flag_answers=("yes",),
    confirm={"en": "Is it red, yes or no?"},
)
WORSE = a_group(
    "worse",
    [a_question("worse", "Is it getting worse?", "getting worse", critical=True)],
    trigger=OnAnswer(on="answer", question="redness", values=("yes",)),
)
PATHWAY = a_pathway(REDNESS, WORSE)


class UncertainReader(PlainReader):
    """Reads like the plain one and is never certain."""

    name = "uncertain"

    def read(self, question: QuestionText, reply: str, speaker: ReplySpeaker) -> AnswerReading:
        reading = super().read(question, reply, speaker)
        return AnswerReading(kind=reading.kind, value=reading.value, certain=False, reader=reading.reader)


def asked(reader: PlainReader | None = None, licences: tuple[str, ...] = ()) -> ScriptedCall:
    call = ScriptedCall(Tracker(PATHWAY, call_id="c", reader=reader or PlainReader(), licences=licences))
    call.say("Hello from the test clinic. Is your eye red?")
    return call


def state(call: ScriptedCall, item_id: str = "redness") -> State:
    return call.tracker.ledger.items[item_id].state


def ended(call: ScriptedCall) -> Handoff:
    return call.tracker.handoff("completed", call.now_s)


def test_an_inferred_speaker_closes_and_is_marked() -> None:
    """A reply too short for a voice decision takes the last decided voice."""
    call = asked()

    call.hear("No.", speaker=ReplySpeaker.INFERRED)

    answer = ended(call).answers[0]
    assert ("no", True) == (answer.value, answer.inferred)


def test_an_unsure_voice_gets_one_confirmation_and_closes_nothing_by_itself() -> None:
    """The confirmation's plain reply by the patient closes it."""
    call = asked()
    call.hear("No.", speaker=ReplySpeaker.UNSURE)
    unsure = state(call)

    confirm = call.speak()
    call.hear("No.")

    assert State.ASKED is unsure
    assert "Just to be sure I have this right. Is it red, yes or no?" == confirm.text
    assert State.ANSWERED is state(call)


def test_an_uncertain_reading_is_confirmed_by_the_same_answer_again() -> None:
    """Twice the same doubtful answer, the second to the confirmation, is a confirmed one."""
    call = asked(UncertainReader())
    call.hear("No.")
    doubtful = state(call)
    call.speak()
    call.hear("No.")

    answer = ended(call).answers[0]
    assert State.ASKED is doubtful
    assert ("no", "No.") == (answer.value, answer.confirmation_quote)


def test_two_different_doubtful_answers_stay_open() -> None:
    """One confirmation, never two: the hand-off says what is doubtful."""
    call = asked(UncertainReader())
    call.hear("No.")
    call.speak()
    call.hear("Yes.")

    assert State.ASKED is state(call)
    assert "confirm" != getattr(call.move(), "purpose", None)
    item = ended(call).open_items[0]
    assert ("unconfirmed", "yes", True) == (item.reason, item.doubtful_value, item.red_flag)


def test_a_licensed_reader_closes_without_a_confirmation() -> None:
    """The certificate is what makes an uncertain reading enough."""
    call = asked(UncertainReader(), licences=("uncertain@1",))

    call.hear("No.")

    assert State.ANSWERED is state(call)


def test_a_red_flag_is_raised_at_once_however_doubtful() -> None:
    """A hedge closes nothing but is flagged, and its follow-up waits for the plain answer."""
    call = asked()

    call.hear("A bit.")

    assert State.ASKED is state(call)
    assert State.DORMANT is state(call, "worse")
    flag = call.tracker.ledger.call.red_flags[0]
    assert ("redness", "yes", False) == (flag.item_id, flag.value, flag.certain)


def test_a_confirmed_red_flag_opens_its_follow_up() -> None:
    """And stands once in the hand-off, as certain."""
    call = asked()
    call.hear("A bit.")
    call.speak()
    call.hear("Yes.")

    assert State.OPEN is state(call, "worse")
    assert [("redness", True)] == [(flag.item_id, flag.certain) for flag in ended(call).red_flags]


def test_a_second_thought_corrects_the_answer() -> None:
    """A "no" and then "Yes." before anything else is said: the correction stands, and raises the flag."""
    call = asked()
    call.hear("No.")

    call.hear("Yes.")

    answer = ended(call).answers[0]
    assert ("yes", True) == (answer.value, answer.red_flag)


def test_a_doubtful_second_thought_corrects_only_towards_the_red_flag() -> None:
    """A "not really" does not take a plain yes back; "a bit" takes a plain no back."""
    taken_back = asked()
    taken_back.hear("No.")
    taken_back.hear("A bit.")
    kept = asked()
    kept.hear("Yes.")
    kept.hear("Not really.")

    assert "yes" == ended(taken_back).answers[0].value
    assert "yes" == ended(kept).answers[0].value


def test_a_corrected_red_flag_is_kept_and_marked_as_not_confirmed() -> None:
    """Nobody can make a red flag vanish from the hand-off by a later word."""
    call = asked()
    call.hear("Yes.")
    call.hear("No.")

    handoff = ended(call)
    assert "no" == handoff.answers[0].value
    assert [("yes", False)] == [(flag.value, flag.certain) for flag in handoff.red_flags]


def test_a_refused_question_is_declined_and_not_asked_again() -> None:
    """Declined is closed; the hand-off sets it aside."""
    call = asked()
    call.hear("I'd rather not say.")

    handoff = ended(call)

    assert State.DECLINED is state(call)
    assert [("redness", "declined")] == [(item.item_id, item.how) for item in handoff.set_aside]


@pytest.mark.parametrize("speaker", [ReplySpeaker.UNSURE, ReplySpeaker.THIRD_PARTY])
def test_only_the_patient_declines(speaker: ReplySpeaker) -> None:
    """Somebody else's refusal leaves the question open."""
    call = asked()

    call.hear("I'd rather not say.", speaker=speaker, label="S")

    assert State.ASKED is state(call)


def test_a_listening_sound_answers_nothing() -> None:
    """Judged a backchannel, even a "no" moves nothing."""
    call = asked()

    outcome = call.hear("No.", backchannel=True)

    assert State.ASKED is state(call)
    assert (None, None) == (outcome.question_id, outcome.reading)


def test_a_short_remark_between_question_and_reply_keeps_the_question() -> None:
    """After "Okay." the reply still belongs to the question before it."""
    call = asked()
    call.say("Take your time.")

    call.hear("No.")

    assert State.ANSWERED is state(call)


@pytest.mark.parametrize(
    "between", ["And how are you otherwise?", "The clinic is open from nine to five on all weekdays."]
)
def test_other_words_between_question_and_reply_part_them(between: str) -> None:
    """A reply to something else closes nothing."""
    call = asked()
    call.say(between)

    call.hear("No.")

    assert State.ASKED is state(call)


def test_a_question_in_a_models_own_words_needs_a_confirmation_when_critical() -> None:
    """Asked by its focus word only: the reply is held until own wording has been answered."""
    call = ScriptedCall(Tracker(PATHWAY, call_id="c", reader=PlainReader()))
    call.say("And would you say that the eye is red at the moment?")
    call.hear("No.")
    first = state(call)
    call.speak()
    call.hear("No.")

    assert State.ASKED is first
    assert State.ANSWERED is state(call)


def test_two_questions_in_one_sentence_are_neither() -> None:
    """Asked "is it red, or is there pain?", one no answers neither."""
    pathway = a_pathway(REDNESS, a_question("pain", "Any pain?", "pain", critical=True))
    call = ScriptedCall(Tracker(pathway, call_id="c", reader=PlainReader()))
    call.say("So, is there redness, is it red, or is there pain?")

    call.hear("No.")

    assert {State.OPEN} == {record.state for record in call.tracker.ledger.items.values()}


def test_a_reply_that_begins_in_the_agents_next_words_is_no_answer_to_the_last_question() -> None:
    """It overlapped words that asked nothing."""
    pathway = a_pathway(REDNESS, a_point("rest", "Rest your eye in the evening.", critical=True))
    call = ScriptedCall(Tracker(pathway, call_id="c", reader=PlainReader()))
    call.say("Is your eye red?")
    call.say("Rest your eye in the evening.", until="Rest your eye in the")

    call.hear("No.", onset_during="u2", heard_chars_at_onset=20)

    assert State.ASKED is state(call)


def test_numbers_are_values_and_bounds_are_red_flags() -> None:
    """Seven or more on the scale is flagged; six is not."""
    scale = a_question("pain", "How bad is it?", "How bad", value_type="scale", red_flag_answers=(">=7",))
    flags: dict[str, int] = {}
    for said in ("6", "7", "10"):
        call = ScriptedCall(Tracker(a_pathway(scale), call_id="c", reader=PlainReader()))
        call.say("How bad is it?")
        call.hear(said)
        flags[ended(call).answers[0].value] = len(ended(call).red_flags)

    assert {"6": 0, "7": 1, "10": 1} == flags


def test_what_was_read_is_told_to_the_caller() -> None:
    """The outcome names the question, the reading and the events."""
    call = asked()

    outcome = call.hear("No.")

    assert "redness" == outcome.question_id
    assert outcome.reading is not None
    assert AnswerKind.NO is outcome.reading.kind
    assert ["replied", "item_step"] == [event.kind for event in outcome.events]
