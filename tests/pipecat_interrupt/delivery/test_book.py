"""The book: which audio is whose, when an utterance is over, one record each, no text lost."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipecat_interrupt.delivery.account import Account
from pipecat_interrupt.delivery.book import DeliveryBook
from pipecat_interrupt.delivery.config import DeliveryConfig
from pipecat_interrupt.delivery.playout import FixedLag, Heard
from pipecat_interrupt.delivery.timeline import TimedWord
from pipecat_interrupt.facts import UtteranceRecord

pytestmark = pytest.mark.unit

RATE_HZ = 8000
CHUNK_S = 0.04
SENTENCE = "Take one tablet each morning. Do not drink alcohol while you take it."


def sound(seconds: float) -> bytes:
    t = np.arange(round(seconds * RATE_HZ))
    return (8000 * np.sin(t * 0.7)).astype("<i2").tobytes()


@dataclass
class Desk:
    """A book with its records, and the few sentences a test needs to fill it."""

    lag_s: float = 0.0
    now_s: float = 0.0
    records: list[UtteranceRecord] = field(default_factory=list)
    started: list[tuple[str, str]] = field(default_factory=list)
    trouble: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        config = DeliveryConfig(playout_lag_s=self.lag_s, model_id="m", configuration_hash="c0ffee")
        self.book = DeliveryBook(
            config,
            on_started=lambda u, text: self.started.append((u, text)),
            on_record=self.records.append,
            on_trouble=lambda where, _: self.trouble.append(where),
        )

    def reply(self, text: str = SENTENCE, *, complete: bool = True) -> None:
        self.book.reply_started()
        for token in text.split(" "):
            self.book.reply_text(token + " ")
        if complete:
            self.book.reply_ended(self.now_s)

    def words(
        self, context: str, text: str, seconds: float, *, stop: bool = True, destination: str | None = None
    ) -> None:
        """A voice with word timings speaks a text evenly over so many seconds."""
        book = self.book
        book.segment(context, 1, text, destination=destination, protected=False)
        book.synthesis_started(context, destination=destination, append_to_context=True)
        parts = text.split()
        for index, word in enumerate(parts):
            book.word(context, TimedWord(word, index * seconds / len(parts)), destination=destination)
        book.audio(context, sound(seconds), RATE_HZ, 1, destination=destination, protected=False)
        if stop:
            book.synthesis_stopped(context, destination=destination)

    def play(self, context: str, seconds: float, *, destination: str | None = None, start: bool = True) -> None:
        if start:
            self.book.playing(context, destination=destination)
        for _ in range(round(seconds / CHUNK_S)):
            self.now_s += CHUNK_S
            self.book.written(CHUNK_S, self.now_s, destination=destination)

    def cut(self, key: object = 1) -> None:
        self.now_s += 0.001
        self.book.mark_intended(key, self.now_s)
        self.book.mark_generated(key)
        self.book.interrupted(key, self.now_s)

    @property
    def only(self) -> UtteranceRecord:
        assert len(self.records) == 1, self.records
        return self.records[0]


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


def test_an_interruption_in_the_last_50_ms_settles_the_utterance_once() -> None:
    """The stop frame is dropped by the interruption, yet there is a record, and it says that all was heard."""
    desk = Desk()
    desk.reply()
    desk.words("c1", SENTENCE, 2.6)
    desk.play("c1", 2.56)
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

TEXTS = (
    "Take one tablet each morning.",
    "Take 0.5 mg at 8 a.m. Then rest.",
    "请每天吃药",
    "This call is recorded.",
    "Do not drink. Call us, please.",
)
STEP = st.sampled_from(["write", "write", "write", "audio", "audio", "stop", "cut", "new", "tick", "pause"])


@dataclass
class Story:
    """Drives a book through a random but possible call: the voice runs ahead of the output, the output keeps order."""

    desk: Desk
    shape: str
    queue: list[tuple[str, str, float]] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)
    meant: list[str] = field(default_factory=list)
    count: int = 0
    out: float = 0.0

    def new(self, source: str) -> None:
        text = TEXTS[self.count % len(TEXTS)]
        self.count += 1
        self.meant.append(text)
        context = f"c{self.count}"
        if source == "llm":
            self.desk.reply(text)
        else:
            self.desk.book.speak(text)
        self.queue.append((context, text, -1.0))
        self.desk.book.segment(context, self.count, text, destination=None, protected=False)

    def audio(self) -> None:
        if not self.queue:
            return
        context, text, made = self.queue[0]
        if made < 0:  # contexts play one after the other
            made = 0.0
            self.desk.book.synthesis_started(context, destination=None, append_to_context=True)
            self.waiting.append(f"start {context}")
            for index, word in enumerate(text.split() if self.shape == "words" else ()):
                self.desk.book.word(context, TimedWord(word, index * 0.2), destination=None)
        self.desk.book.audio(context, sound(0.2), RATE_HZ, 1, destination=None, protected=False)
        self.queue[0] = (context, text, made + 0.2)
        self.waiting += [f"chunk {context}"] * 5

    def stop(self) -> None:
        if self.queue and self.queue[0][2] > 0:
            context, text, _ = self.queue.pop(0)
            if self.shape != "words":
                self.desk.book.sentence_released(context, None, text, None)
            self.desk.book.synthesis_stopped(context, destination=None)
            self.waiting.append(f"stop {context}")

    def write(self) -> None:
        if not self.waiting:
            return
        what, _, context = self.waiting.pop(0).partition(" ")
        self.desk.now_s += CHUNK_S if what == "chunk" else 0.0
        if what == "start":
            self.desk.book.playing(context, destination=None)
        elif what == "chunk":
            self.desk.book.written(CHUNK_S, self.desk.now_s, destination=None)
        else:
            self.desk.book.played(context, self.desk.now_s, destination=None)

    def cut(self) -> None:
        stray = bool(self.waiting and self.waiting[0].startswith("chunk"))
        self.desk.cut(object())
        self.queue.clear()
        self.waiting.clear()
        if stray:
            self.desk.now_s += CHUNK_S
            self.desk.book.written(CHUNK_S, self.desk.now_s, destination=None)


@settings(max_examples=120, deadline=None)
@given(
    st.sampled_from(["words", "sound"]),
    st.sampled_from([0.0, 0.3]),
    st.lists(st.tuples(STEP, st.sampled_from(["llm", "speak"])), max_size=60),
)
def test_any_interleaving_keeps_one_record_an_utterance_and_every_character(
    shape: str, lag_s: float, steps: list[tuple[str, str]]
) -> None:
    """Whatever the order of text, sound, output and cuts: nothing twice, nothing lost, delivered is a prefix."""
    story = Story(Desk(lag_s=lag_s), shape)
    story.new("llm")
    for step, source in steps:
        if step == "new":
            story.new(source)
        elif step == "tick":
            story.desk.now_s += 0.1
            story.desk.book.settle_heard(story.desk.now_s)
        elif step == "pause":
            place = story.desk.book.position(story.desk.now_s)
            assert place is None or 0 <= place.chars <= len(story.desk.book.intended(place.utterance_id))
        else:
            getattr(story, step)()
    story.desk.book.ending("hang_up", story.desk.now_s + 5.0)

    records = story.desk.records
    assert sorted(r.intended for r in records) == sorted(story.meant)
    assert len({r.id for r in records}) == len(records)
    for record in records:  # the models themselves check that delivered + undelivered == intended
        assert record.intended.startswith(record.delivered)
        assert record.written_ms <= record.generated_ms + 1e-6
        assert not record.delivered or record.started_s is not None
    assert story.desk.trouble == []
