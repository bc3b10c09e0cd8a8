"""Fakes that ship: voices made of tones and an embedder that hears them. No model, no file.

A fake voice is a tone of its own; the fake embedder measures how much of each tone a stretch holds. So a mixture of
two voices lies between them, silence has no vector, and what passes a telephone line keeps its voice.
"""

from speaker_gate.testing.fakes import (
    FAKE_EMBEDDER,
    FAKE_VOICES_HZ,
    FakeEmbedder,
    FakeSegmenter,
    FixedReader,
    fake_ears,
    fake_record,
    quiet,
    say,
)

__all__ = [
    "FAKE_EMBEDDER",
    "FAKE_VOICES_HZ",
    "FakeEmbedder",
    "FakeSegmenter",
    "FixedReader",
    "fake_ears",
    "fake_record",
    "quiet",
    "say",
]
