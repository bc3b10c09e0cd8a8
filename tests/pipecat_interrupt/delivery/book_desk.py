"""A desk to drive a delivery book from: frames as plain calls, time by hand."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from pipecat_interrupt.delivery.book import DeliveryBook
from pipecat_interrupt.delivery.config import DeliveryConfig
from pipecat_interrupt.delivery.timeline import TimedWord
from pipecat_interrupt.facts import UtteranceRecord

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
