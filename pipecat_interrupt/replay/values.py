"""A recorded call as values: who said which words when, what is known beyond the words, what is odd about the file.

Owns the one form into which every reader turns its input. Reads nothing, decides nothing. Times are seconds from the
start of the recording.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.int16]
Side = Literal["agent", "far"]
"""agent: whoever works through the pathway (a voice agent, a nurse, a doctor). far: the patient's end of the line."""

RATE_HZ = 16_000
"""Rate of all audio inside this room."""


@dataclass(frozen=True, slots=True)
class Word:
    """One word with its times, 0 <= start_s <= end_s."""

    text: str
    start_s: float
    end_s: float


@dataclass(frozen=True, slots=True)
class Piece:
    """One stretch of speech of one side.

    Parameters:
        words: Its words in order; at least one.
        intended: What was meant to be said, where that is known (agent only); its beginning is what was said.
        exact: Whether the words' times were measured; False where they were spread over an interval.
        recognised: Whether a recogniser made the words from the sound: its last word before a cut may be a guess.
        label: The voice's label in the source, such as "1" of a diarising recogniser; "" when it has none.
    """

    words: tuple[Word, ...]
    intended: str | None = None
    exact: bool = True
    recognised: bool = False
    label: str = ""

    @property
    def start_s(self) -> float:
        """When it begins."""
        return self.words[0].start_s

    @property
    def end_s(self) -> float:
        """When it ends."""
        return max(word.end_s for word in self.words)

    @property
    def text(self) -> str:
        """Its words, joined by blanks."""
        return " ".join(word.text for word in self.words)

    def moved(self, offset_s: float, rate: float = 1.0) -> Piece:
        """The same piece on another clock: each time t becomes offset_s + rate * t, not below 0."""
        words = tuple(
            Word(w.text, max(0.0, offset_s + rate * w.start_s), max(0.0, offset_s + rate * w.end_s)) for w in self.words
        )
        return replace(self, words=words)


NoteCode = Literal[
    "mono",
    "channels_doubled",
    "channels_swapped",
    "channels_by_convention",
    "crosstalk",
    "gap",
    "drift_corrected",
    "drift_uncertain",
    "times_spread",
    "intended_inferred",
    "silent_side",
    "clipped",
    "voices_by_wording",
    "words_out_of_order",
    "differs_from_live",
    "another_pathway",
    "not_a_transcript",
    "resampled",
    "gate_failed",
]


@dataclass(frozen=True, slots=True)
class Note:
    """Something a reader of the results must know about the file.

    Parameters:
        code: A stable code.
        text: One sentence; no words of the call.
        at_s: Where, if it is one place.
    """

    code: NoteCode
    text: str
    at_s: float | None = None


@dataclass(frozen=True, slots=True)
class Timeline:
    """A call, ready to be replayed.

    Parameters:
        call_id: The call's name in every record.
        agent: The agent's pieces, in order of time.
        far: The far end's pieces, in order of time.
        duration_s: Length of the recording, or the end of the last word.
        language: BCP 47 tag the source gives; None when it gives none.
        notes: What is odd.
        far_audio: The far end's sound, int16 mono at `RATE_HZ`, for the speaker gate; None without audio.
        agent_audio: The agent's sound, likewise.
        ended: How the call ended, in the words of the source; "recording_ended" when it does not say.
        by_person: The source names a person as the one who works through the pathway ("doctor").
        patient_named: It names the far end's voice as the patient's.
    """

    call_id: str
    agent: tuple[Piece, ...]
    far: tuple[Piece, ...]
    duration_s: float
    language: str | None = None
    notes: tuple[Note, ...] = ()
    far_audio: Samples | None = field(default=None, repr=False, compare=False)
    agent_audio: Samples | None = field(default=None, repr=False, compare=False)
    ended: str = "recording_ended"
    by_person: bool = False
    patient_named: bool = False

    def noted(self, *notes: Note) -> Timeline:
        """The same call with further notes."""
        return replace(self, notes=(*self.notes, *notes))


def spread(text: str, start_s: float, end_s: float) -> tuple[Word, ...]:
    """Give the words of an interval times in proportion to their letters."""
    from pipecat_interrupt.local.word_times import spread_by_letters

    texts = text.split()
    if not texts:
        return ()
    starts = [start_s + offset for offset in spread_by_letters(texts, max(0.0, end_s - start_s))]
    ends = [*starts[1:], end_s]
    return tuple(Word(t, a, b) for t, a, b in zip(texts, starts, ends, strict=True))


def split_at_pauses(words: Iterable[Word], pause_s: float) -> list[tuple[Word, ...]]:
    """Part words, which must be in order of time, wherever the silence between two is at least `pause_s`."""
    parts: list[list[Word]] = []
    for word in words:
        if parts and word.start_s - parts[-1][-1].end_s < pause_s:
            parts[-1].append(word)
        else:
            parts.append([word])
    return [tuple(part) for part in parts]
