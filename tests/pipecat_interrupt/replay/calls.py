"""Small recorded calls for these tests: who says what from when, at a steady pace."""

from __future__ import annotations

from collections.abc import Sequence

from pipecat_interrupt.replay.engine import Replayed, replay_timeline
from pipecat_interrupt.replay.settings import ReplaySettings
from pipecat_interrupt.replay.values import Piece, Timeline, Word

WORD_S = 0.3
"""Every word lasts this long, one straight after the other."""


def piece(start_s: float, text: str, *, intended: str | None = None, recognised: bool = False) -> Piece:
    """A stretch of speech that begins at a time."""
    words = [Word(word, start_s + i * WORD_S, start_s + (i + 1) * WORD_S - 0.01) for i, word in enumerate(text.split())]
    return Piece(tuple(words), intended=intended, recognised=recognised)


def call(agent: Sequence[Piece], far: Sequence[Piece], *, seconds: float | None = None) -> Timeline:
    """A recorded call."""
    last_s = max(p.end_s for p in (*agent, *far))
    return Timeline("c1", tuple(agent), tuple(far), seconds or last_s + 1.0, "en")


def replayed(
    agent: Sequence[Piece], far: Sequence[Piece], *, pathway: object = None, settings: ReplaySettings | None = None
) -> Replayed:
    """Replay a recorded call."""
    return replay_timeline(call(agent, far), pathway, settings)  # pyright: ignore[reportArgumentType]


def at_word(start_s: float, index: int) -> float:
    """When the word with this index begins, of a stretch that begins at `start_s`."""
    return start_s + index * WORD_S
