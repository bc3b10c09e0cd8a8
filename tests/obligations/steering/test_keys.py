"""A telephone key is no answer and no silence: the agent asks for words, once a question."""

from __future__ import annotations

import pytest

from obligations import State, Tracker, load_pathway
from obligations.answers.reader import LocalAnswerReader
from obligations.steering import Listen
from obligations.testing import ScriptedCall, a_pathway, a_point, a_question

pytestmark = pytest.mark.unit

PLEASE = "I cannot take an answer from the keys. Please tell me in words."
PATHWAY = a_pathway(
    a_question("pain", "Do you have any pain?", "any pain", critical=True),
    a_question("red", "Is your eye red?", "red", critical=True),
)


def asked() -> ScriptedCall:
    call = ScriptedCall(Tracker(PATHWAY, call_id="c", reader=LocalAnswerReader()))
    call.say("Hello from the test clinic. Do you have any pain?")
    return call


def press(call: ScriptedCall) -> None:
    call.now_s += 1.0
    call.tracker.key_pressed(call.now_s)


def test_a_key_after_a_question_brings_the_request_for_words_at_once() -> None:
    """The question is put again behind it; nothing is closed by the key."""
    call = asked()
    press(call)

    again = call.speak()
    state = call.tracker.ledger.items["pain"].state
    call.hear("No.")

    assert f"{PLEASE} Do you have any pain?" == again.text
    assert State.ASKED is state
    assert "no" == call.tracker.ledger.items["pain"].answer.value


def test_words_are_asked_for_once_a_question() -> None:
    """A second key leaves the agent waiting as for any reply; the next question has its own request."""
    call = asked()
    press(call)
    call.speak()
    press(call)
    second = call.move()
    call.hear("No.")
    call.speak()
    press(call)

    assert isinstance(second, Listen)
    assert call.speak().text.startswith(PLEASE)


def test_whoever_presses_keys_is_never_let_go_as_silent() -> None:
    """Somebody is there: the questions stand in the hand-off as asked and unanswered, not as silence."""
    call = asked()
    spoken: list[str] = []
    for _ in range(40):
        press(call)
        move = call.move()
        if isinstance(move, Listen):
            call.now_s = max(call.now_s, move.until_s or 0.0)
            continue
        if not hasattr(move, "text"):
            break
        spoken.append(move.text)
        call.say(move.text)

    handoff = call.tracker.handoff(getattr(move, "reason", ""), call.now_s)
    assert "silence" != getattr(move, "reason", "")
    assert {"pain", "red"} == {item.item_id for item in handoff.open_items}
    assert 2 == sum(text.startswith(PLEASE) for text in spoken)


def test_a_key_while_no_question_waits_changes_nothing() -> None:
    """Over an advice, or before anything was asked."""
    call = ScriptedCall(Tracker(a_pathway(a_point("rest", "Rest.")), call_id="c", reader=LocalAnswerReader()))
    before = call.move()
    press(call)

    assert before == call.move()


@pytest.mark.parametrize("language", ["en", "pt-PT"])
def test_the_bundled_pathways_can_ask_for_words(language: str) -> None:
    """In each of their languages."""
    assert load_pathway("cataract-followup").phrases[language].words_please


def test_with_a_model_that_leads_the_frame_asks() -> None:
    """The model knows nothing of keys."""
    call = asked()
    press(call)

    assert PLEASE in call.tracker.frame_move(call.now_s).text
