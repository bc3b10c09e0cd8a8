"""A short word and a pause: what a streaming recogniser is about to say is waited for before the agent goes on."""

from __future__ import annotations

import pytest

from pipecat_interrupt.overlap.actions import Action, Forward, Refuse
from pipecat_interrupt.overlap.session import OverlapSession

from .session_script import SILENT, SPEAKING, named, said, session, streaming

pytestmark = pytest.mark.unit


def _short_voice(s: OverlapSession, at_s: float = 1.0) -> list[str]:
    s.voice_started(at_s, at_s - 0.2, SPEAKING)
    return named(s.voice_stopped(at_s + 0.4, SPEAKING))


def test_the_agent_is_held_for_words_on_their_way_and_a_stop_request_finds_it_silent() -> None:
    """In "Wait, [pause] wait a moment" the first word is known 0.1 s after the detector's silence."""
    s = streaming()

    at_stop = _short_voice(s)
    at_word = named(s.text(1.48, said(1, "Wait,", final=False), SPEAKING))

    assert [] == at_stop
    assert ["report stop_request True", "start turn"] == at_word


@pytest.mark.parametrize(
    ("language", "word"), [("pt-PT", "Afinal,"), ("pt-PT", "Não,"), ("en", "No,"), ("en", "Well,")]
)
def test_a_word_that_does_more_than_listen_keeps_the_hold(language: str, word: str) -> None:
    """A denial can still become thanks ("no problem"): nothing is settled, but the agent does not speak on."""
    s = streaming(language)
    _short_voice(s)

    at_word = named(s.text(1.5, said(1, word, final=False), SPEAKING))

    assert [] == at_word
    assert 3.4 == pytest.approx(s.deadline_s or 0)  # as long as a hold may last


def test_a_listening_word_lets_the_agent_go_on_the_moment_it_is_known() -> None:
    """The wait is no longer than it takes to hear that nobody wants the floor."""
    s = streaming()
    _short_voice(s)

    assert ["resume"] == named(s.text(1.47, said(1, "Yeah", final=False), SPEAKING))


def test_words_that_do_not_come_are_waited_for_no_longer_than_set() -> None:
    """0.15 s, then the agent goes on provisionally; text may still cut it."""
    s = streaming()
    _short_voice(s)

    assert 1.55 == pytest.approx(s.deadline_s or 0)
    assert ["resume"] == named(s.tick(1.55))
    assert ["report stop_request True", "start turn", "forward Stop."] == named(s.text(2.1, said(1, "Stop."), SPEAKING))


def test_a_recogniser_that_told_whole_sentences_at_once_is_not_waited_for() -> None:
    """A segmented recogniser has no unfinished words, so the wait would buy nothing."""
    s = streaming()
    s.text(0.1, said(1, "Yes, that is fine."), SILENT)
    s.turn_stopped(0.5)

    assert ["resume"] == _short_voice(s, at_s=4.0)


def test_one_word_at_once_shows_nothing_and_unfinished_words_show_a_stream() -> None:
    """A stream tells a single word whole too."""
    s = streaming()
    s.text(0.1, said(1, "Yes."), SILENT)
    s.turn_stopped(0.5)
    single = _short_voice(s, at_s=4.0)
    s.tick(4.55)
    s.text(4.6, said(2, "Yeah", final=False), SPEAKING)
    s.text(4.7, said(2, "Yeah, that is right."), SPEAKING)
    s.turn_stopped(5.0)

    assert [] == single
    assert [] == _short_voice(s, at_s=9.0)


def test_a_recogniser_known_to_be_segmented_is_never_waited_for() -> None:
    """Said once when the pipeline is put together: from the first overlap of the call on."""
    s = streaming()
    s.segmented()

    assert ["resume"] == _short_voice(s)


def _two_stretches(s: OverlapSession, final: str) -> list[str]:
    """A word, a pause that voice detection sees, more words; the recogniser has one final text for both."""
    s.voice_started(1.0, 0.8, SPEAKING)
    s.voice_stopped(1.3, SPEAKING)
    s.text(1.38, said(1, final.split()[0], final=False), SPEAKING)
    s.voice_started(1.5, 1.4, SPEAKING)
    s.voice_stopped(2.1, SPEAKING)
    return named(s.text(2.2, said(2, final), SPEAKING))


def test_one_final_text_for_two_stretches_of_voice_is_judged_and_not_spoken_over() -> None:
    """A recogniser that streams has no second text to give: 0.5 s later its words are taken for all of them."""
    s = streaming()

    at_text = _two_stretches(s, "No, nothing.")

    assert [] == at_text
    assert 2.7 == pytest.approx(s.deadline_s or 0)
    assert ["report correction True", "start turn", "forward No, nothing."] == named(s.tick(2.7))


def test_more_final_words_within_the_wait_are_judged_together() -> None:
    """A recogniser may still give each stretch a text of its own."""
    s = streaming()
    _two_stretches(s, "No,")

    assert ["report correction True", "start turn", "forward No,", "forward that is wrong."] == named(
        s.text(2.4, said(3, "that is wrong."), SPEAKING)
    )


def test_final_words_are_never_dropped_for_a_text_that_did_not_come() -> None:
    """A segmented recogniser that loses the second stretch: what it gave for the first is judged at the deadline."""
    s = session()
    s.segmented()
    s.voice_started(1.0, 0.8, SPEAKING)
    s.voice_stopped(1.7, SPEAKING)
    s.voice_started(1.9, 1.8, SPEAKING)
    s.text(2.3, said(1, "No, nothing."), SPEAKING)
    s.voice_stopped(2.5, SPEAKING)
    at_deadline = named(s.tick(s.deadline_s or 0.0))

    assert "forward No, nothing." in at_deadline
    assert "start turn" in at_deadline


def test_listening_words_for_two_stretches_end_as_listening_words() -> None:
    """They were let go as undecided once, and the model never learned of them."""
    s = streaming()

    at_text = _two_stretches(s, "Yeah, okay.")
    later = named(s.tick(s.deadline_s or 0.0))

    assert [] == at_text
    assert ["resume", "report backchannel False", "refuse Yeah, okay. as backchannel"] == later


def _one_text_for_two_voices(words: str) -> OverlapSession:
    """A segmented recogniser has told of the first of two stretches of voice, and the other's text is waited for."""
    s = session()
    s.segmented()
    s.voice_started(1.0, 0.8, SPEAKING)
    s.voice_stopped(1.7, SPEAKING)
    s.voice_started(1.9, 1.8, SPEAKING)
    s.text(2.3, said(1, words), SPEAKING)
    s.voice_stopped(2.5, SPEAKING)
    return s


def test_a_new_voice_does_not_drop_final_words_that_wait_for_more() -> None:
    """Whatever closes an overlap judges its words first: here the agent went on, then the caller speaks again."""
    s = _one_text_for_two_voices("No,")

    at_voice = named(s.voice_started(4.2, 4.0, SPEAKING))

    assert ["start turn", "forward No,"] == [name for name in at_voice if not name.startswith("report")]
    assert s.turn_open


def test_listening_words_are_told_before_the_next_voice_opens_an_overlap() -> None:
    """Not refused as undecided, which told nobody of them."""
    s = _one_text_for_two_voices("Yeah.")

    at_voice = named(s.voice_started(5.0, 4.8, SPEAKING))

    assert "refuse Yeah. as backchannel" in at_voice
    assert "hold" in at_voice


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("No, nothing", ["report correction True", "start turn", "forward No, nothing"]),
        ("Mhm", ["report backchannel False", "refuse Mhm as backchannel"]),
    ],
)
def test_unfinished_words_that_never_become_final_are_judged_when_nothing_more_is_waited_for(
    words: str, expected: list[str]
) -> None:
    """A recogniser that dies in mid-word has heard the caller all the same; what it gave is marked as unconfirmed."""
    s = streaming()
    _short_voice(s)
    s.text(1.5, said(1, words, final=False), SPEAKING)
    told: list[Action] = []
    while s.open_overlap and s.deadline_s is not None:
        told += s.tick(s.deadline_s)

    assert expected == [name for name in named(told) if name != "resume"]
    assert [True] == [action.text.low_certainty for action in told if isinstance(action, Forward | Refuse)]
