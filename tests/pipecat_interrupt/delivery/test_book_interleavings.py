"""The book under any interleaving: one record an utterance, every character in exactly one of them."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipecat_interrupt.delivery.timeline import TimedWord

from .book_desk import CHUNK_S, RATE_HZ, Desk, sound

pytestmark = pytest.mark.unit


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
