"""The book: which audio is whose, when an utterance is over, one record each, no text lost."""

from __future__ import annotations

import pytest

from .book_desk import CHUNK_S, RATE_HZ, SENTENCE, Desk, sound

pytestmark = pytest.mark.unit


def test_a_cut_in_the_middle_gives_one_exact_record() -> None:
    """Thirteen words over 2.6 s, cut after 1.28 s: six words were heard."""
    desk = Desk()
    desk.reply()
    desk.words("c1", SENTENCE, 2.6)
    desk.play("c1", 1.28)
    desk.cut()

    record = desk.only
    assert record.delivered == "Take one tablet each morning. Do"
    assert record.cut is not None
    assert (record.cut.words, record.cut.exactness, record.cut.bound_words) == (6, "exact", 0)
    assert record.cut.partial_text == "not"
    assert record.cut.ms == pytest.approx(1280)
    assert (record.end_reason, record.llm_complete, record.source) == ("interruption", True, "llm")
    assert (record.model_id, record.configuration_hash, record.shape) == ("m", "c0ffee", "word_timings")
    assert desk.started == [(record.id, SENTENCE)]


def test_an_utterance_heard_to_its_end_is_whole_once() -> None:
    """The stop frame settles it; a later interruption finds nothing to settle."""
    desk = Desk()
    desk.reply()
    desk.words("c1", SENTENCE, 2.6)
    desk.play("c1", 2.6)
    desk.book.played("c1", desk.now_s, destination=None)
    desk.cut()

    assert desk.only.cut is None
    assert desk.only.delivered == SENTENCE
    assert desk.only.heard_whole


def test_an_interruption_behind_the_last_sound_settles_the_utterance_once() -> None:
    """The stop frame is dropped by the interruption, yet there is a record, and it says that all was heard."""
    desk = Desk()
    desk.reply()
    desk.words("c1", SENTENCE, 2.6)
    desk.play("c1", 2.6)
    desk.cut()
    desk.book.played("c1", desk.now_s, destination=None)

    assert desk.only.delivered == SENTENCE
    assert desk.only.end_reason == "complete"


def test_a_cut_before_the_first_sound_is_a_cut_at_zero() -> None:
    """D03: the attempt stands in the record with its text; nothing was delivered, exactly."""
    desk = Desk()
    desk.reply("Before we start, do you have any allergies?")
    desk.cut()

    assert (desk.only.delivered, desk.only.started_s) == ("", None)
    assert desk.only.cut is not None
    assert (desk.only.cut.chars, desk.only.cut.exactness) == (0, "exact")
    assert desk.started == []


def test_a_voice_that_had_only_begun_to_prepare_is_a_cut_at_zero_too() -> None:
    """Sound that was produced and never written was not heard."""
    desk = Desk()
    desk.reply()
    desk.words("c1", SENTENCE, 2.6)
    desk.cut()

    assert desk.only.delivered == ""
    assert desk.only.generated_ms == 2600


def test_a_model_that_was_stopped_is_incomplete() -> None:
    """The end of a reply within the moment of the interruption is the model's way out, not its end."""
    desk = Desk()
    desk.reply("Take one tablet", complete=False)
    desk.words("c1", "Take one tablet", 1.2, stop=False)
    desk.play("c1", 0.8)
    desk.book.reply_ended(desk.now_s)
    desk.cut()

    assert not desk.only.llm_complete
    assert desk.only.intended == "Take one tablet"


def test_what_the_model_wrote_beyond_the_voice_is_undelivered() -> None:
    """Text that never reached the voice still belongs to the utterance."""
    desk = Desk()
    desk.reply()
    desk.words("c1", "Take one tablet each morning.", 1.0, stop=False)
    desk.play("c1", 1.0)
    desk.cut()

    assert desk.only.intended == SENTENCE
    assert desk.only.delivered == "Take one tablet each"  # nobody knows yet that "morning." had ended


def test_a_sentence_the_voice_never_got_is_not_heard_whole() -> None:
    """The audio ended, the text did not: a filter or a fault of the voice cannot close anything."""
    desk = Desk()
    desk.reply()
    desk.words("c1", "Take one tablet each morning.", 1.0)
    desk.play("c1", 1.0)
    desk.book.played("c1", desk.now_s, destination=None)

    assert desk.only.delivered == "Take one tablet each morning."
    assert desk.only.end_reason == "lost"


def test_several_wordings_in_a_row_get_a_record_each() -> None:
    """Queued wordings are told apart by what they say, and cut ones by what was not begun."""
    desk = Desk()
    for text in ("Good morning.", "This call is recorded.", "Are you well?"):
        desk.book.speak(text)
    desk.words("a", "Good morning.", 0.8)
    desk.words("b", "This call is recorded.", 1.2)
    desk.play("a", 0.8)
    desk.book.played("a", desk.now_s, destination=None)
    desk.play("b", 0.64)
    desk.cut()

    assert [(r.intended, r.delivered, r.end_reason) for r in desk.records] == [
        ("Good morning.", "Good morning.", "complete"),
        ("This call is recorded.", "This call", "interruption"),
        ("Are you well?", "", "interruption"),
    ]
    assert {r.source for r in desk.records} == {"speak"}


def test_protected_speech_outlives_an_interruption() -> None:
    """An interruption neither closes it nor cuts it short; its record comes at its own end."""
    desk = Desk()
    desk.book.speak("This call is recorded for your safety.", protected=True)
    desk.book.segment("p", 1, "This call is recorded for your safety.", destination=None, protected=True)
    desk.book.synthesis_started("p", destination=None, append_to_context=True)
    desk.book.audio("p", sound(2.0), RATE_HZ, 1, destination=None, protected=True)
    desk.book.synthesis_stopped("p", destination=None)
    desk.play("p", 1.0)
    desk.cut()
    assert desk.records == []

    desk.play("p", 1.0, start=False)
    desk.book.played("p", desk.now_s, destination=None)

    assert desk.only.protected
    assert desk.only.delivered == "This call is recorded for your safety."


def test_the_chunk_in_flight_belongs_to_nobody() -> None:
    """The chunk written after the interruption is not the first sound of the next utterance."""
    desk = Desk()
    desk.reply()
    desk.words("c1", SENTENCE, 2.6)
    desk.play("c1", 1.0)
    desk.cut()
    desk.book.speak("Of course.")
    desk.words("c2", "Of course.", 0.8)
    desk.now_s += CHUNK_S
    desk.book.written(CHUNK_S, desk.now_s, destination=None)

    assert desk.book.audible() is None
    assert len(desk.started) == 1


def test_destinations_are_accounted_for_apart() -> None:
    """Pipecat flushes only the destination of the frame: what plays elsewhere goes on with what it has."""
    desk = Desk()
    desk.book.speak("For the patient.")
    desk.words("a", "For the patient.", 1.0)
    desk.book.speak("Para o doente.")
    desk.words("b", "Para o doente.", 1.0, destination="pt")
    desk.play("a", 0.4)
    desk.play("b", 0.4, destination="pt")
    desk.cut()
    assert [(r.delivered, r.destination) for r in desk.records] == [("For", None)]

    desk.play("b", 0.6, destination="pt", start=False)
    desk.book.settle_heard(desk.now_s)

    assert [(r.delivered, r.destination) for r in desk.records[1:]] == [("Para o doente.", "pt")]


def test_a_listener_behind_hears_less() -> None:
    """With a lag of 0.4 s the last 0.4 s written are not heard yet."""
    desk = Desk(lag_s=0.4)
    desk.reply()
    desk.words("c1", SENTENCE, 2.6)
    desk.play("c1", 1.28)
    desk.cut()

    assert desk.only.delivered == "Take one tablet each"


def test_an_utterance_is_whole_only_when_the_listener_has_caught_up() -> None:
    """Written to the end is not heard to the end; time settles it."""
    desk = Desk(lag_s=0.5)
    desk.reply()
    desk.words("c1", SENTENCE, 2.6)
    desk.play("c1", 2.6)
    desk.book.played("c1", desk.now_s, destination=None)
    assert desk.records == []
    assert desk.book.waits

    desk.book.settle_heard(desk.now_s + 0.51)

    assert desk.only.delivered == SENTENCE
    assert not desk.book.waits


def test_a_word_that_lacks_the_end_of_its_sound_was_not_heard() -> None:
    """The sixth word ends at 1.29 s, where the seventh begins; at 1.28 s it has not been heard."""
    desk = Desk()
    desk.reply()
    desk.words("c1", SENTENCE, 13 * 0.215)
    desk.play("c1", 1.28)
    desk.cut()

    assert desk.only.delivered == "Take one tablet each morning."
    assert desk.only.cut is not None and desk.only.cut.partial_text == "Do"


def test_an_utterance_cut_in_its_last_sound_was_not_heard_whole() -> None:
    """Forty milliseconds of the last word are missing, and there is no pause behind it: the word does not count."""
    desk = Desk()
    desk.reply("Take one tablet each morning.")
    desk.words("c1", "Take one tablet each morning.", 1.0)
    desk.play("c1", 0.96)
    desk.cut()

    assert desk.only.delivered == "Take one tablet each"
    assert desk.only.cut is not None and desk.only.cut.partial_text == "morning."
