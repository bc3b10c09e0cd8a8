"""A second thought about an earlier question re-opens or changes that answer, and answers nothing else."""

from __future__ import annotations

import pytest

from obligations import ReplySpeaker, State, Tracker
from obligations.answers.reader import LocalAnswerReader
from obligations.pathway import OnAnswer
from obligations.testing import ScriptedCall, a_group, a_pathway, a_point, a_question

pytestmark = pytest.mark.unit

FLASHES = {"en": "Have you seen any flashing lights?", "pt-PT": "Tem visto luzes a piscar?"}
PAIN = {"en": "Do you have any pain in your eye?", "pt-PT": "Tem alguma dor no olho?"}
FOCUS = {"en": ("flashing lights", "pain in your eye"), "pt-PT": ("luzes a piscar", "dor no olho")}
CALL = {"en": "Call the eye clinic today.", "pt-PT": "Ligue hoje para a clínica."}


def asked(language: str = "en", first: str | None = None) -> ScriptedCall:
    """Flashing lights asked and denied, then pain asked."""
    fields = {"critical": True, "red_flag_answers": ("yes",), "language": language}
    pathway = a_pathway(
        a_question("flashes", FLASHES[language], FOCUS[language][0], **fields),
        a_question("pain", PAIN[language], FOCUS[language][1], **fields),
        a_group(
            "at-once",
            [a_point("call", CALL[language], critical=True, language=language)],
            trigger=OnAnswer(on="answer", question="flashes", values=("yes",)),
            due={"by": "at_once"},
        ),
        language=language,
    )
    call = ScriptedCall(Tracker(pathway, call_id="c", reader=LocalAnswerReader()))
    call.say(FLASHES[language])
    call.hear(first or ("No." if language == "en" else "Não."))
    call.say(PAIN[language])
    return call


def state(call: ScriptedCall, item_id: str) -> State:
    return call.tracker.ledger.items[item_id].state


def flags(call: ScriptedCall) -> set[str]:
    return {flag.item_id for flag in call.tracker.ledger.call.red_flags}


@pytest.mark.parametrize(
    "reply",
    [
        "Actually no, about the flashes, yes.",
        "Sorry, about the flashing lights, yes, I have.",
        "Wait, I said no to the flashes but yes, I have seen flashes.",
        "Going back to the flashing lights, yes, I see them.",
    ],
)
def test_a_named_second_thought_towards_the_flag_is_taken_at_once(reply: str) -> None:
    """The question that was put waits on; the flag is raised, and the advice or the one confirmation comes next."""
    call = asked()

    call.hear(reply)

    assert "flashes" in flags(call)
    assert "no" != getattr(call.tracker.ledger.items["flashes"].answer, "value", None)
    assert State.ASKED is state(call, "pain")
    assert getattr(call.move(), "item_ids", ()) in (("call",), ("flashes",))


@pytest.mark.parametrize("reply", ["Yes to the last one.", "Yes, to the previous question.", "Yes to the one before."])
def test_a_yes_that_only_points_back_is_confirmed_once_and_flags_both(reply: str) -> None:
    """Nobody knows for sure which one is meant: neither question is closed by it."""
    call = asked()

    call.hear(reply)

    assert {"flashes", "pain"} == flags(call)
    assert (State.ASKED, State.ASKED) == (state(call, "flashes"), state(call, "pain"))
    assert "confirm" == call.move().purpose
    call.speak()
    call.hear("Yes.")
    assert "yes" == call.tracker.ledger.items["flashes"].answer.value
    assert ("call",) == call.move().item_ids


def test_a_correction_away_from_the_flag_is_confirmed_and_never_taken_at_its_word() -> None:
    """A "yes" given before is owed again; until it is confirmed nothing is taken back."""
    call = asked(first="Yes.")

    call.hear("Sorry, about the flashes, no.")

    record = call.tracker.ledger.items["flashes"]
    assert (State.ASKED, "no") == (record.state, record.doubted.value)
    assert "flashes" in flags(call)


def test_a_declined_question_can_be_taken_up_again() -> None:
    """What the patient would not say before, they say now."""
    call = asked(first="I'd rather not say.")
    declined = state(call, "flashes")

    call.hear("Actually, about the flashes, yes.")

    assert State.DECLINED is declined
    assert "flashes" in flags(call)
    assert State.DECLINED is not state(call, "flashes")


def test_the_rest_of_the_reply_still_answers_the_question_that_was_put() -> None:
    """Two sentences, two questions."""
    call = asked()

    call.hear("No, no pain. Actually, about the flashes, yes I have seen flashes.")

    assert "no" == call.tracker.ledger.items["pain"].answer.value
    assert "flashes" in flags(call)


@pytest.mark.parametrize("reply", ["No.", "No, actually.", "Actually, no pain in my eye.", "Sorry, no, no pain."])
def test_a_cue_without_an_earlier_question_is_an_ordinary_answer(reply: str) -> None:
    """The words that correct are also words of politeness."""
    call = asked()

    call.hear(reply)

    assert "no" == call.tracker.ledger.items["flashes"].answer.value
    assert set() == flags(call)


def test_a_symptom_told_by_the_way_takes_an_earlier_no_back() -> None:
    """Without any cue: the no is no answer any more, and the question is confirmed once."""
    call = asked()

    call.hear("No. But I have seen some flashing lights.")

    assert "flashes" in flags(call)
    assert State.ANSWERED is not state(call, "flashes") or "yes" == call.tracker.ledger.items["flashes"].answer.value


@pytest.mark.parametrize("speaker", [ReplySpeaker.THIRD_PARTY, ReplySpeaker.UNSURE])
def test_nobody_else_takes_an_answer_back(speaker: ReplySpeaker) -> None:
    """A third party's or an unknown voice's second thought leaves the patient's answer."""
    call = asked()

    call.hear("Actually, about the flashes, yes.", speaker=speaker)

    assert State.ANSWERED is state(call, "flashes")


@pytest.mark.parametrize(
    "reply",
    [
        "Sim, à pergunta anterior.",
        "Afinal, quanto às luzes a piscar, sim.",
        "Desculpe, sobre as luzes, sim, tenho visto.",
    ],
)
def test_the_same_in_portuguese(reply: str) -> None:
    """By Portuguese words only."""
    call = asked("pt-PT")

    call.hear(reply)

    assert "flashes" in flags(call)
    assert "no" != getattr(call.tracker.ledger.items["flashes"].answer, "value", None)
    assert State.ASKED is state(call, "pain")


@pytest.mark.parametrize(
    "reply",
    ["No. Bright light bothers my eye a lot. Is that normal?", "No. The lights in the hall are too bright for me."],
)
def test_a_word_in_common_takes_no_answer_back(reply: str) -> None:
    """Bright light is no flashing light: the answer stands, and the call goes on."""
    call = asked()

    call.hear(reply)

    assert "no" == call.tracker.ledger.items["flashes"].answer.value
