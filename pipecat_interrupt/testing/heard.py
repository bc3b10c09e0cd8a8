"""What the listener really heard, word by word: found by matching the ear's samples with the synthesised ones.

Owns the ground truth of scripted calls. It uses no frame, no counter and no Pipecat state, so it can judge code that
does.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from pipecat_interrupt.testing.transports import HeardPiece, ListenerOutput
from pipecat_interrupt.testing.tts import ScriptedTTS, SpokenContext
from pipecat_interrupt.testing.voice import Samples, SpokenWord

WORD_END_TOLERANCE_S = 0.002
"""A word whose last sample but these was heard counts as heard."""

MATCH_MIN_SAMPLES = 32
"""Fewer equal samples than this, silence aside, are chance: all words begin softly. That many are proof even between
two contexts with the same words, for the voice marks each of them (`tts.marked`)."""

CHANCE_SAMPLES = 600
"""How far back a context may begin before the end credited to the one before: a pause and a few chance samples."""


HOLE_S_MAX = 0.04
"""Most that Pipecat's transport swallows of a context whose audio still comes when the one before it ends: what has not
filled a chunk by then (`BaseOutputTransport.MediaSender._bot_stopped_speaking`). A word with such a hole is heard."""


@dataclass(frozen=True, slots=True)
class HeardWordAt:
    """A word that reached the ear whole: its text and the loop times at which it sounded."""

    text: str
    start_s: float
    end_s: float


@dataclass(frozen=True, slots=True)
class HeardContext:
    """One TTS context as the listener got it.

    Parameters:
        context_id: Pipecat's id.
        intended: All words synthesised.
        words: Words heard to their end.
        cut_word: The word in whose middle the sound ended, None if the cut fell between words or nothing is missing.
        begin: Index of its first sample in `ListenerOutput.stream()`.
        heard_samples: How many samples of the context reached the ear, one behind the other.
        total_samples: How many were synthesised.
        holes: What the transport swallowed in between: place in the context's own audio and length, samples.
        opened_by: Id of the frame that asked for it, when known.
    """

    context_id: str
    intended: str
    words: tuple[HeardWordAt, ...]
    cut_word: str | None
    begin: int
    heard_samples: int
    total_samples: int
    holes: tuple[tuple[int, int], ...] = ()
    opened_by: int | None = None

    @property
    def text(self) -> str:
        """The words heard."""
        return " ".join(word.text for word in self.words)

    @property
    def whole(self) -> bool:
        """Whether every sample was heard."""
        return self.heard_samples == self.total_samples


def heard_contexts(
    output: ListenerOutput, tts: ScriptedTTS, *, destination: str | None = None, until_s: float | None = None
) -> list[HeardContext]:
    """Find every context in what the listener heard.

    Args:
        output: The listener.
        tts: The voice, at the transport's rate (resampled or re-scaled audio cannot be matched).
        destination: Which of the transport's destinations.
        until_s: Only count sound up to this loop time; None is all.

    Returns:
        One entry for each context that was synthesised, in order of synthesis; contexts never heard have no words.
    """
    pieces = [p for p in output.pieces if p.destination == destination and len(p.audio)]
    pieces = [_until(piece, until_s, output.sample_rate) for piece in pieces]
    pieces = [p for p in pieces if len(p.audio)]
    ear = _Ear(pieces, output.sample_rate)
    spans = _spans(ear.stream, [context.samples for context in tts.contexts], round(HOLE_S_MAX * ear.rate))
    return [_heard(context, span, ear) for context, span in zip(tts.contexts, spans, strict=True)]


@dataclass(frozen=True, slots=True)
class _Span:
    """Where a context lies in the stream: first sample, how many follow, and the holes in it."""

    begin: int
    length: int
    holes: tuple[tuple[int, int], ...] = ()

    @property
    def reach(self) -> int:
        """How far in its own audio the context was heard, samples."""
        return self.length + sum(length for _, length in self.holes)

    def in_stream(self, sample: int) -> int:
        """Where a sample of the context lies in the stream; the edge of a hole for one inside it."""
        missing = sum(min(length, max(0, sample - at)) for at, length in self.holes)
        return self.begin + sample - missing


def _spans(stream: Samples, contexts: list[Samples], hole_max: int) -> list[_Span]:
    """Find every context in the stream, in order; length 0 for one that was never heard."""
    spans: list[_Span] = []
    at = 0
    for samples in contexts:
        begin, length = _match(stream, at, samples)
        if length and begin < at:  # silence taken for the last context's belongs to this one
            last = max(i for i, span in enumerate(spans) if span.length)
            spans[last] = replace(spans[last], length=spans[last].length - (at - begin))
        span = _past_holes(stream, samples, _Span(begin, length), hole_max) if length else _Span(begin, 0)
        spans.append(span)
        at = span.begin + span.length
    return spans


def _past_holes(stream: Samples, samples: Samples, span: _Span, hole_max: int) -> _Span:
    """Follow a context on behind what the transport swallowed of it."""
    while span.reach < len(samples) and (
        found := _hole(stream, span.begin + span.length, samples[span.reach :], hole_max)
    ):
        skipped, length = found
        span = _Span(span.begin, span.length + length, (*span.holes, (span.reach, skipped)))
    return span


def _hole(stream: Samples, at: int, rest: Samples, hole_max: int) -> tuple[int, int] | None:
    """Find how much of the rest of a context was left out at a place of the stream, and how much follows then.

    Silence proves nothing: what follows counts when enough of it sounds.
    """
    probe = stream[at : at + MATCH_MIN_SAMPLES]
    searched = rest[1 : hole_max + len(probe)]
    if len(probe) < MATCH_MIN_SAMPLES or len(searched) < len(probe):
        return None
    alike = (np.lib.stride_tricks.sliding_window_view(searched, len(probe)) == probe).all(axis=1)
    for skipped in (np.flatnonzero(alike) + 1).tolist():
        length = _common(stream, at, rest[skipped:])
        if np.count_nonzero(rest[skipped : skipped + length]) >= MATCH_MIN_SAMPLES:
            return skipped, length
    return None


def _heard(context: SpokenContext, span: _Span, ear: _Ear) -> HeardContext:
    whole, cut = _words(context, span.reach, ear.rate)
    words: list[HeardWordAt] = []
    for word in whole:
        first, last = round(word.start_s * ear.rate), min(span.reach, round(word.end_s * ear.rate)) - 1
        start_s, end_s = ear.time_of(span.in_stream(first)), ear.time_of(span.in_stream(last)) + 1 / ear.rate
        words.append(HeardWordAt(word.text, start_s, end_s))
    return HeardContext(
        context.context_id,
        context.text,
        tuple(words),
        cut,
        span.begin,
        span.length,
        len(context.samples),
        span.holes,
        context.opened_by,
    )


class _Ear:
    """The heard samples in one row, and when each of them sounded."""

    def __init__(self, pieces: list[HeardPiece], rate: int) -> None:
        self.rate = rate
        self.stream = np.concatenate([p.audio for p in pieces]) if pieces else np.zeros(0, np.int16)
        self._starts = np.cumsum([0, *[len(p.audio) for p in pieces]])
        self._pieces = pieces

    def time_of(self, sample: int) -> float:
        index = int(np.searchsorted(self._starts, sample, side="right")) - 1
        return self._pieces[index].start_s + (sample - int(self._starts[index])) / self.rate


def _until(piece: HeardPiece, until_s: float | None, rate: int) -> HeardPiece:
    if until_s is None or piece.end_s <= until_s:
        return piece
    keep = max(0, round((until_s - piece.start_s) * rate))
    return HeardPiece(piece.written_at_s, piece.start_s, until_s, piece.audio[:keep], piece.kind, piece.destination)


def _words(context: SpokenContext, heard: int, rate: int) -> tuple[list[SpokenWord], str | None]:
    whole = [w for w in context.words if w.end_s <= heard / rate + WORD_END_TOLERANCE_S]
    cut = next((w for w in context.words if w.start_s * rate < heard and w not in whole), None)
    return whole, cut.text if cut else None


def _match(stream: Samples, at: int, samples: Samples) -> tuple[int, int]:
    """Find where a context begins in the stream (after chunk padding) and how many of its samples follow unbroken.

    The context before it may have been credited with its first samples, where both happen to agree: it is looked for a
    little before `at` as well.

    Returns:
        Index of its first sample, and the count; (at, 0) if it is not there.
    """
    sounding, own = _first_sound(stream, max(0, at - CHANCE_SAMPLES)), _first_sound(samples, 0)
    later = _first_sound(stream, at)
    if sounding is None or own is None:
        return at, 0
    starts = [later - own] if later is not None else []
    starts += range(at, max(0, at - CHANCE_SAMPLES) - 1, -1)
    for begin in starts:
        length = _common(stream, begin, samples) if begin >= 0 else 0
        if length >= own + MATCH_MIN_SAMPLES and np.count_nonzero(samples[own:length]) >= MATCH_MIN_SAMPLES:
            return begin, length
    return at, 0


def _common(stream: Samples, begin: int, samples: Samples) -> int:
    """Count the equal samples from a place on; a look at the first few spares the rest."""
    n = min(len(stream) - begin, len(samples))
    probe = min(n, MATCH_MIN_SAMPLES)
    if n <= 0 or (stream[begin : begin + probe] != samples[:probe]).any():
        return 0
    wrong = np.flatnonzero(stream[begin : begin + n] != samples[:n])
    return int(wrong[0]) if len(wrong) else n


def _first_sound(samples: Samples, at: int, step: int = 4096) -> int | None:
    """Find the first sample from `at` on that is not silent, without looking at all the rest."""
    for start in range(at, len(samples), step):
        sounding = np.flatnonzero(samples[start : start + step])
        if len(sounding):
            return start + int(sounding[0])
    return None
