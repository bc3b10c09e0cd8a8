"""When each written word is heard, from the phonemes a voice really spoke.

Pure: phonemes and sample counts in, word starts out. The voice speaks merged, reduced and expanded forms ("I have" as
one phoneme word, "the" as /ðə/, "10" as "ten"), so words are placed by aligning the phonemes of each word spoken alone
with the phonemes of the whole sentence. What cannot be placed is put between its neighbours; the order never breaks.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

MATCH, MISMATCH, GAP = 2, -1, -1
BOUNDARY = " "


def place_words(alone: Sequence[Sequence[str]], heard: Sequence[str]) -> list[int | None]:
    """Find, for each word, the heard phoneme it begins with.

    Args:
        alone: The phonemes of each word spoken alone, in word order; a word may have none.
        heard: All phonemes of the utterance, in order; " " between groups.

    Returns:
        One index into `heard` a word, non-decreasing; None for a word of which nothing could be aligned.
    """
    symbols: list[str] = []
    owner: list[int] = []
    for word, phonemes in enumerate(alone):
        if symbols:
            symbols.append(BOUNDARY)
            owner.append(-1)
        symbols.extend(phonemes)
        owner.extend([word] * len(phonemes))
    starts: list[int | None] = [None] * len(alone)
    for i, j in _aligned(symbols, heard):
        word = owner[i]
        if word >= 0 and starts[word] is None and heard[j] != BOUNDARY and symbols[i] != BOUNDARY:
            starts[word] = j
    return starts


def _aligned(a: Sequence[str], b: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs (i, j) of a best global alignment with linear gap cost, in order; substitutions are pairs too."""
    if not a or not b:
        return []
    codes = {s: n for n, s in enumerate(dict.fromkeys([*a, *b]))}
    code_a, code_b = np.array([codes[s] for s in a]), np.array([codes[s] for s in b])
    ramp = np.arange(len(b) + 1) * -GAP
    table = np.empty((len(a) + 1, len(b) + 1), dtype=np.int64)
    table[0] = -ramp
    for i in range(1, len(a) + 1):
        above = table[i - 1]
        best = above + GAP
        best[1:] = np.maximum(best[1:], above[:-1] + np.where(code_b == code_a[i - 1], MATCH, MISMATCH))
        table[i] = np.maximum.accumulate(best + ramp) - ramp  # gaps along the row, all at once
    pairs: list[tuple[int, int]] = []
    i, j = len(a), len(b)
    while i and j:
        step = MATCH if code_a[i - 1] == code_b[j - 1] else MISMATCH
        if table[i, j] == table[i - 1, j - 1] + step:
            i, j = i - 1, j - 1
            pairs.append((i, j))
        elif table[i, j] == table[i - 1, j] + GAP:
            i -= 1
        else:
            j -= 1
    return pairs[::-1]


def fill_gaps(starts: Sequence[float | None], end: float, silent: Sequence[bool] = ()) -> list[float]:
    """Give every word a start.

    Unplaced words that sound are spread evenly between their placed neighbours. Silent ones (a lone dash) begin where
    the next word begins: a word ends where its successor starts, so a dash must not end the word before it early.

    Args:
        starts: Start of each word, or None; the known ones non-decreasing.
        end: Where the utterance ends, same unit.
        silent: For each word whether it has no sound of its own. Empty: every word sounds.

    Returns:
        Starts in [0, end], non-decreasing.
    """
    if not any(silent):
        return _spread(starts, end)
    sounding = _spread([s for s, mute in zip(starts, silent, strict=True) if not mute], end)
    filled: list[float] = []
    for mute in reversed(silent):
        filled.append((filled[-1] if filled else end) if mute else sounding.pop())
    return filled[::-1]


def _spread(starts: Sequence[float | None], end: float) -> list[float]:
    filled: list[float] = []
    i = 0
    while i < len(starts):
        known = starts[i]
        if known is not None:
            filled.append(min(max(known, filled[-1] if filled else 0.0), end))
            i += 1
            continue
        stop = next((k for k in range(i, len(starts)) if starts[k] is not None), len(starts))
        upper = starts[stop] if stop < len(starts) else end
        lower = filled[-1] if filled else 0.0
        upper = max(lower, min(end if upper is None else upper, end))
        first = 0 if not filled else 1  # an unplaced first word begins at the beginning
        parts = stop - i + first
        filled.extend(lower + (upper - lower) * (k + first) / parts for k in range(stop - i))
        i = stop
    return filled


def spread_by_letters(words: Sequence[str], seconds: float) -> list[float]:
    """Starts in proportion to the letters before each word: the fallback where a voice tells no durations."""
    weights = [len(w) + 1 for w in words]
    total = sum(weights) or 1
    return [seconds * sum(weights[:i]) / total for i in range(len(words))]
