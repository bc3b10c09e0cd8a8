"""The committed clips are what their index says."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from benchmarks.rendering.clip_texts import LINES
from pipecat_interrupt.demo.clips import FOLDER, clips, load

pytestmark = pytest.mark.unit


def test_the_index_lists_exactly_the_files() -> None:
    """No orphan and no missing file, each with its digest."""
    index = clips()

    assert sorted(p.stem for p in FOLDER.glob("*.flac")) == sorted(index)
    assert {c.id: hashlib.sha256(c.path.read_bytes()).hexdigest() for c in index.values()} == {
        c.id: c.sha256 for c in index.values()
    }


def test_the_texts_are_those_that_were_rendered() -> None:
    """Changing a line without rendering it again is noticed."""
    assert [(c.id, c.text, c.voice) for c in clips().values()] == [(line.id, line.text, line.voice) for line in LINES]


def test_every_clip_has_its_length_and_level() -> None:
    """16 kHz mono at -22 dBFS RMS, within half a decibel (peaks are limited)."""
    for clip in clips().values():
        samples = load(clip.id)
        level = 20 * np.log10(np.sqrt(np.mean((samples / 32768.0) ** 2)))

        assert samples.dtype == np.int16
        assert len(samples) / 16000 == pytest.approx(clip.seconds, abs=0.001)
        assert level == pytest.approx(-22.0, abs=0.5)


def test_the_clips_stay_small() -> None:
    """They are in every checkout and wheel."""
    assert sum(p.stat().st_size for p in FOLDER.glob("*.flac")) < 1_000_000


def test_the_ear_was_right_about_what_the_demo_builds_on() -> None:
    """The denials, the questions and the goodbye came through word for word, apart from case and punctuation."""

    def plain(text: str | None) -> str:
        return "".join(ch for ch in (text or "").lower() if ch.isalnum() or ch == " ")

    misheard = {c.id for c in clips().values() if plain(c.whisper_base) != plain(c.text)}

    assert misheard == set()
