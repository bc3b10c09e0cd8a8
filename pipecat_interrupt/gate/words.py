"""Reads words with times and speaker labels out of a recogniser's own result, where it gives any."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pipecat.frames.frames import TranscriptionFrame

from speaker_gate import Word

WordReader = Callable[[TranscriptionFrame, float], Sequence[Word]]
"""Gives the words of a transcript; the second argument is the turn's start in seconds of sound the recogniser heard."""

WORDS_MAX = 400
"""Most words read of one transcript."""


def read_words(frame: TranscriptionFrame, turn_start_s: float) -> Sequence[Word]:
    """Read words of the two common shapes: Deepgram's `channel.alternatives[0].words` and a flat `words` list.

    Args:
        frame: The transcript; its `result` is the recogniser's own object, or None.
        turn_start_s: Where the turn begins in the recogniser's sound, seconds.

    Returns:
        Words with times from the start of the turn; empty where the result has none.
    """
    entries = _entries(frame.result)
    words: list[Word] = []
    for entry in entries[:WORDS_MAX]:
        text, start, end = (_get(entry, name) for name in ("punctuated_word", "start", "end"))
        text = text or _get(entry, "word") or _get(entry, "text")
        if not isinstance(text, str) or not isinstance(start, int | float) or not isinstance(end, int | float):
            return ()
        label = _get(entry, "speaker")
        words.append(
            Word(text, float(start) - turn_start_s, float(end) - turn_start_s, None if label is None else str(label))
        )
    return words


def no_words(frame: TranscriptionFrame, turn_start_s: float) -> Sequence[Word]:
    """Read nothing: for recognisers whose times do not count from the start of the stream."""
    del frame, turn_start_s
    return ()


def _entries(result: Any) -> list[Any]:
    if result is None:
        return []
    channel = _get(result, "channel")
    alternatives = _get(channel, "alternatives") if channel is not None else _get(result, "alternatives")
    if isinstance(alternatives, Sequence) and alternatives:
        words = _get(alternatives[0], "words")
    else:
        words = _get(result, "words")
    return list(words) if isinstance(words, Sequence) and not isinstance(words, str) else []


def _get(of: Any, name: str) -> Any:
    if isinstance(of, Mapping):
        return of.get(name)
    return getattr(of, name, None)
