"""Gives the words of a turn to its voices: by word times where there are any, else by share of the speech. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from speaker_gate.facts import SpokenPart, Stretch, TurnVerdict, Word

CLAUSE_REACH_WORDS = 3
"""Without word times, the cut may move this many words to fall behind a clause end."""


def spread_words(text: str, verdict: TurnVerdict) -> tuple[Word, ...]:
    """Give words without times an estimated place: evenly by characters over the turn's stretches.

    Args:
        text: The transcript of the turn.
        verdict: The turn.
    """
    tokens = text.split()
    if not tokens:
        return ()
    start_s, end_s = verdict.stretches[0].start_s, verdict.stretches[-1].end_s
    weights = [len(token) + 1 for token in tokens]
    total = sum(weights)
    words: list[Word] = []
    done = 0
    for token, weight in zip(tokens, weights, strict=True):
        words.append(
            Word(
                token,
                start_s + (end_s - start_s) * done / total,
                start_s + (end_s - start_s) * (done + weight) / total,
            )
        )
        done += weight
    return tuple(words)


def attribute_words(words: Sequence[Word], verdict: TurnVerdict, *, estimated: bool = False) -> tuple[SpokenPart, ...]:
    """Split the words of a turn at its changes of voice.

    A word belongs to the stretch its middle lies in, so a word cut by the change goes to the voice that said most of
    it.

    Args:
        words: Words in order, with places in the turn's audio.
        verdict: The turn.
        estimated: True for places made by `spread_words`: the cut then moves to the nearest clause end within
            `CLAUSE_REACH_WORDS`.

    Returns:
        One part a stretch that has words; a turn with one voice gives one part.
    """
    if not words:
        return ()
    cuts = [_first_word_after(words, change_s) for change_s in verdict.change_times_s]
    if estimated:
        cuts = [_to_clause_end(words, cut) for cut in cuts]
    edges = [0, *(max(0, min(cut, len(words))) for cut in cuts), len(words)]
    parts = [
        _part(words[start:end], stretch)
        for start, end, stretch in zip(edges[:-1], edges[1:], verdict.stretches, strict=True)
        if end > start
    ]
    return tuple(parts)


def _first_word_after(words: Sequence[Word], change_s: float) -> int:
    return next((i for i, word in enumerate(words) if (word.start_s + word.end_s) / 2 >= change_s), len(words))


def _to_clause_end(words: Sequence[Word], cut: int) -> int:
    """Move a cut to the nearest place behind a word that ends a clause; of two as near, the later one.

    The voice before a change is the patient's more often than not, and their words must not be left out with another's.
    """
    near = sorted(range(max(1, cut - CLAUSE_REACH_WORDS), min(len(words), cut + CLAUSE_REACH_WORDS + 1)))
    ends = [place for place in near if re.search(r"[.!?…,;]$", words[place - 1].text)]
    return min(ends, key=lambda place: (abs(place - cut), -place), default=cut)


def _part(words: Sequence[Word], stretch: Stretch) -> SpokenPart:
    return SpokenPart(
        text=" ".join(word.text for word in words),
        decision=stretch.decision,
        start_s=words[0].start_s,
        end_s=words[-1].end_s,
        labels=frozenset(word.label for word in words if word.label is not None),
    )
