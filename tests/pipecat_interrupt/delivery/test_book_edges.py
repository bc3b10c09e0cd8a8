"""The book at its edges: silent voices, blocks that are shown, ends of calls, accounts that cannot be read."""

from __future__ import annotations

import pytest

from pipecat_interrupt.delivery.account import Account
from pipecat_interrupt.delivery.playout import FixedLag, Heard

from .book_desk import RATE_HZ, SENTENCE, Desk, sound

pytestmark = pytest.mark.unit


def test_audio_without_any_id_is_one_utterance() -> None:
    """Speech-to-speech services give no ids: start and stop frames part the utterances."""
    desk = Desk()
    desk.book.synthesis_started(None, destination=None, append_to_context=True)
    desk.book.audio(None, sound(1.0), RATE_HZ, 1, destination=None, protected=False)
    desk.book.sentence_released(None, None, "Hello there.", None)
    desk.book.synthesis_stopped(None, destination=None)
    desk.book.playing(None, destination=None)
    desk.play("", 1.0, start=False)
    desk.book.played(None, desk.now_s, destination=None)

    assert desk.only.delivered == "Hello there."


def test_silence_between_utterances_is_nobodys() -> None:
    """Services push silence after an utterance; it opens no account."""
    desk = Desk()
    desk.book.audio(None, bytes(1600), RATE_HZ, 1, destination=None, protected=False)
    desk.book.ending("end", 1.0)

    assert desk.records == []


def test_a_voice_without_a_stop_is_over_when_the_output_falls_silent() -> None:
    """Nobody announces the end; the output's own silence does."""
    desk = Desk()
    desk.book.audio(None, sound(1.0), RATE_HZ, 1, destination=None, protected=False)
    desk.book.sentence_released(None, None, "Hello there.", None)
    desk.play("", 1.0, start=False)
    desk.book.fell_silent(desk.now_s + 3.0, destination=None)

    assert desk.only.delivered == "Hello there."


def test_a_voice_that_stays_silent_is_lost_not_heard() -> None:
    """A synthesis without audio was not heard, and says so."""
    desk = Desk()
    desk.reply("Take it.")
    desk.book.segment("c", 1, "Take it.", destination=None, protected=False)
    desk.book.synthesis_started("c", destination=None, append_to_context=True)
    desk.book.synthesis_stopped("c", destination=None)
    desk.book.playing("c", destination=None)
    desk.book.played("c", 1.0, destination=None)

    assert (desk.only.delivered, desk.only.end_reason) == ("", "lost")


def test_a_reply_no_voice_takes_up_is_lost_after_a_second() -> None:
    """The end of the reply came out of the output, its sound never did."""
    desk = Desk()
    desk.reply("Take it.")
    desk.book.reply_over(2.0)
    desk.book.settle_heard(2.5)
    assert desk.records == []

    desk.book.settle_heard(3.1)

    assert (desk.only.intended, desk.only.end_reason) == ("Take it.", "lost")


def test_a_block_that_is_shown_is_not_intended_for_the_ear() -> None:
    """Skipped text leaves the intended text before the voice speaks the rest."""
    desk = Desk()
    desk.reply("Look here: <code>x = 1</code> and take one.")
    desk.book.skipped("<code>x = 1</code>")
    desk.words("c", "Look here: and take one.", 1.0)
    desk.play("c", 1.0)
    desk.book.played("c", desk.now_s, destination=None)

    assert "code" not in desk.only.intended
    assert desk.only.cut is None


def test_a_new_synthesis_in_mid_reply_shares_the_reply() -> None:
    """Voices that open a context a sentence: two records, no character twice, none lost."""
    desk = Desk()
    desk.reply()
    desk.words("a", "Take one tablet each morning.", 1.0)
    desk.words("b", "Do not drink alcohol while you take it.", 1.6)
    desk.play("a", 1.0)
    desk.book.played("a", desk.now_s, destination=None)
    desk.play("b", 0.8)
    desk.cut()

    assert [(r.intended, r.delivered) for r in desk.records] == [
        ("Take one tablet each morning.", "Take one tablet each morning."),
        ("Do not drink alcohol while you take it.", "Do not drink alcohol"),
    ]


def test_a_synthesis_that_pauses_goes_on_as_the_same_reply() -> None:
    """A slow model: the voice stops, and takes the reply up again under the same id."""
    desk = Desk()
    desk.reply("Take one tablet. ", complete=False)
    desk.words("c", "Take one tablet.", 1.0)
    desk.play("c", 1.0)
    desk.book.played("c", desk.now_s, destination=None)
    desk.book.reply_text("Then rest.")
    desk.book.reply_ended(desk.now_s)
    desk.words("c", "Then rest.", 0.8)
    desk.play("c", 0.8)
    desk.book.played("c", desk.now_s, destination=None)

    assert [(r.intended, r.delivered) for r in desk.records] == [
        ("Take one tablet.", "Take one tablet."),
        ("Then rest.", "Then rest."),
    ]


@pytest.mark.parametrize(("reason", "expected"), [("end", "end"), ("hang_up", "hang_up")])
def test_the_end_of_the_call_settles_what_is_open(reason: str, expected: str) -> None:
    """D11: what was heard up to the hang-up stands in the record, and what waited behind it too."""
    desk = Desk()
    desk.reply("Your test is on Monday at nine. Bring your card.")
    desk.book.speak("Goodbye.")
    desk.words("c", "Your test is on Monday at nine. Bring your card.", 2.0)
    desk.play("c", 1.0)
    desk.book.ending(reason, desk.now_s)  # type: ignore[arg-type]  # both are end reasons
    desk.book.ending(reason, desk.now_s)  # type: ignore[arg-type]  # a second end changes nothing

    assert [(r.delivered, r.end_reason) for r in desk.records] == [("Your test is on Monday", expected), ("", expected)]


def test_an_account_that_cannot_be_read_says_the_least() -> None:
    """A fault of ours never claims that something was heard, and never stops the call."""

    class Broken:
        def heard(self, account: Account, now_s: float) -> Heard:
            raise RuntimeError("no clock")

    desk = Desk()
    desk.reply()
    desk.words("c1", SENTENCE, 2.6)
    desk.play("c1", 1.28)
    desk.book.playout = Broken()
    desk.cut()

    assert desk.only.delivered == ""
    assert desk.only.cut is not None
    assert (desk.only.cut.exactness, desk.only.cut.extent, desk.only.cut.bound_words) == ("estimated", "unknown", 13)
    assert desk.trouble == ["position"]


def test_a_lag_out_of_range_is_refused() -> None:
    """A negative lag would claim the future."""
    with pytest.raises(ValueError, match="between 0 and"):
        FixedLag(-0.1)


def test_the_place_in_the_utterance_can_be_asked_at_any_time() -> None:
    """Overlap judgement needs what had been heard at the onset of the other voice."""
    desk = Desk()
    assert desk.book.position(0.0) is None
    desk.reply()
    desk.words("c1", SENTENCE, 2.6)
    desk.play("c1", 0.6)

    place = desk.book.position(desk.now_s)

    assert place is not None
    assert SENTENCE[: place.chars] == "Take one tablet"
    assert (place.words, place.ms) == (3, 600.0)
    assert desk.book.intended(place.utterance_id) == SENTENCE


# -- any interleaving --------------------------------------------------------------------------------------------------


def test_what_a_voice_still_sends_for_a_cut_utterance_takes_no_other_wording() -> None:
    """A voice that is told late of an interruption from below sends on: the wording that waits is not its own."""
    desk = Desk()
    desk.book.speak("Take it.")
    desk.book.speak("This call is recorded.", protected=True)
    desk.book.segment("cut", 1, "Take it.", destination=None, protected=False)
    desk.book.synthesis_started("cut", destination=None, append_to_context=True)
    desk.book.interrupted("below", desk.now_s)
    desk.book.audio("cut", sound(0.2), RATE_HZ, 1, destination=None, protected=False)
    desk.book.segment("next", 2, "This call is recorded.", destination=None, protected=True)
    desk.book.synthesis_started("next", destination=None, append_to_context=True)
    desk.book.sentence_released("cut", None, "Take it.", None)
    desk.book.audio("next", sound(1.0), RATE_HZ, 1, destination=None, protected=True)
    desk.book.synthesis_stopped("next", destination=None)
    desk.play("next", 1.2)
    desk.book.played("next", desk.now_s, destination=None)
    desk.book.ending("end", desk.now_s)

    told = [(r.source, r.intended, r.delivered) for r in desk.records]
    assert told == [("speak", "Take it.", ""), ("speak", "This call is recorded.", "This call is recorded.")]
