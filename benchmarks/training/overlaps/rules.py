"""The rules that others use, as functions of the same evidence: what ours is measured against.

Each answers whether the agent yields at the moment of decision; none of them is told more than ours.
"""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.training.overlaps.data import OverlapRow

LEXICON = frozenset("yeah yes yep ok o_k okay right sure mm-hmm uh-huh mhm hmm alright i see got it of course".split())
"""Own list of common listening words, of the size that peers ship; "mmm" and "oh" are not on such lists."""

LEXICON_WORDS_MAX = 2
LEXICON_S_MAX = 0.9


def vad(row: OverlapRow, at_s: float) -> bool:
    """Any voice takes the floor (Pipecat's default)."""
    return True


def min_words(count: int) -> Callable[[OverlapRow, float], bool]:
    """So many words known take the floor (bolna and LiveKit 2, unmute 3)."""

    def rule(row: OverlapRow, at_s: float) -> bool:
        return len(_known(row, at_s)) >= count

    return rule


def min_duration(seconds: float) -> Callable[[OverlapRow, float], bool]:
    """So much time since the onset, voiced to its end, takes the floor (LiveKit's default is 0.5 s)."""

    def rule(row: OverlapRow, at_s: float) -> bool:
        return _sounded_to_s(row, at_s) >= seconds

    return rule


def lexicon(row: OverlapRow, at_s: float) -> bool:
    """Anything but at most two listening words within 0.9 s takes the floor (as demystify's filter)."""
    known = [word.strip("<>").lower().rstrip(".,") for word in _known(row, at_s)]
    short = len(known) <= LEXICON_WORDS_MAX and _sounded_to_s(row, at_s) <= LEXICON_S_MAX
    return not (short and all(word in LEXICON for word in known))


RULES: dict[str, Callable[[OverlapRow, float], bool]] = {
    "vad": vad,
    "min_words_2": min_words(2),
    "min_words_3": min_words(3),
    "min_duration_0.5": min_duration(0.5),
    "lexicon_2w_0.9s": lexicon,
}


def _known(row: OverlapRow, at_s: float) -> list[str]:
    return [word for _, end, word in row.words if end <= at_s + 1e-9]


def _sounded_to_s(row: OverlapRow, at_s: float) -> float:
    return max((min(end, at_s) for start, end in row.spoken if start <= at_s), default=0.0)
