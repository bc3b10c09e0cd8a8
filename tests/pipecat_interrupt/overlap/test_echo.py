"""The agent's own words, come back."""

from __future__ import annotations

import pytest

from pipecat_interrupt.overlap.echo import echo_similarity, is_echo

pytestmark = pytest.mark.unit

QUESTION = "Do you have pain when you breathe?"


def test_d17_the_agents_own_words_are_echo_and_the_patients_use_of_them_is_not() -> None:
    """D17: both share most words; only the echo keeps the agent's order."""
    assert is_echo("you have pain when you breathe", QUESTION, question_open=True)
    assert not is_echo("pain when I breathe, yes", QUESTION, question_open=True)


@pytest.mark.parametrize(
    "answer", ["in the morning", "two tablets in the morning", "in the morning, two tablets", "at night"]
)
def test_an_answer_that_takes_up_a_piece_of_the_question_is_kept(answer: str) -> None:
    """A patient who chooses among the agent's words answers."""
    asked = "Do you take two tablets in the morning or do you take them at night before you go to bed?"

    assert not is_echo(answer, asked, question_open=True)


def test_a_recogniser_may_lose_or_change_a_word_of_an_echo() -> None:
    """Echo comes through a room; one wrong word in seven does not save it."""
    said = "Take one tablet each morning with a full glass of water."

    assert is_echo("one tablet each morning with a fool glass", said)
    assert not is_echo("one tablet", said)


@pytest.mark.parametrize(("text", "said"), [("", QUESTION), ("hello", ""), ("", "")])
def test_nothing_is_similar_to_nothing(text: str, said: str) -> None:
    """Empty sides give no similarity."""
    assert 0.0 == echo_similarity(text, said)


def test_similarity_is_one_for_the_agents_own_stretch() -> None:
    """The measure's two ends."""
    assert 1.0 == echo_similarity("pain when you breathe", QUESTION)
    assert 0.0 == echo_similarity("good afternoon", QUESTION)
