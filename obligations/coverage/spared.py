"""What of a point need not be said, because another part of it already says it or because it only dresses it up.

Owns that choice over the point's own words. Never sees the text that is judged.
"""

from __future__ import annotations

from collections.abc import Sequence

from obligations.coverage.lexicon.concepts import Lexicon
from obligations.coverage.lexicon.spared import SparedWords, spared_words
from obligations.coverage.mentions import Mention, Reading

REASON_REACH = 8
ONCE_SAID = ("AT_ONCE", "ANY_TIME")
"""Concepts that a point may stress by saying them twice ("straight away; do not wait"); once is enough."""


def spared_tokens(reading: Reading, lexicon: Lexicon, conditions: set[int]) -> set[int]:
    """The tokens of a point that need no counterpart in a text."""
    words = spared_words(reading.source.language)
    if words is None:
        return set()
    out: set[int] = set()
    for part in (_perceived(reading, words, conditions), _examples(reading, words), _portions(reading, words)):
        out |= part
    out |= _dressing(reading, words, lexicon) | _said_twice(reading) | _kept(reading) | _this_line(reading, words)
    return out | _drunk(reading) | _only(reading, words)


def _tokens(mention: Mention) -> set[int]:
    return set(range(mention.first, mention.last + 1))


def _perceived(reading: Reading, words: SparedWords, conditions: set[int]) -> set[int]:
    """The "see" of a condition ("if you see pus"): what counts is that it is there."""
    tokens = reading.source.tokens
    return {k for k in conditions if k < len(tokens) and tokens[k].norm in words.perceives}


def _examples(reading: Reading, words: SparedWords) -> set[int]:
    """What follows "such as", to the end of its phrase."""
    out: set[int] = set()
    tokens = reading.source.tokens
    for k in range(len(tokens) - 1):
        width = next((n for n in (1, 2) if tuple(t.norm for t in tokens[k : k + n]) in words.for_example), 0)
        if not width:
            continue
        named = next((m for m in reading.chosen if m.first >= k + width and not m.light), None)
        if named is not None and not any(t.before for t in tokens[k + 1 : named.last + 1]):
            out |= set(range(k, named.last + 1))
    return out


def _portions(reading: Reading, words: SparedWords) -> set[int]:
    """The "dose" of "every dose of the inhaler": the thing itself says it."""
    tokens = reading.source.tokens
    return {
        k
        for k in range(1, len(tokens) - 1)
        if tokens[k].norm in words.portions and tokens[k + 1].norm in words.of and tokens[k - 1].norm in words.each
    }


def _dressing(reading: Reading, words: SparedWords, lexicon: Lexicon) -> set[int]:
    """What a thing is made of, and the place word before a part of the body ("the plastic shield over the eye")."""
    tokens = reading.source.tokens
    out = {k for k in range(len(tokens) - 1) if tokens[k].norm in words.materials and not tokens[k + 1].before}
    for mention in reading.chosen:
        if not any(lexicon.classes.get(c) == "organ" for c in mention.concepts):
            continue
        out |= {k for k in range(max(0, mention.first - 2), mention.first) if tokens[k].norm in words.places}
    return out


def _said_twice(reading: Reading) -> set[int]:
    out: set[int] = set()
    for name in ONCE_SAID:
        for mention in [m for m in reading.chosen if name in m.concepts][1:]:
            out |= _tokens(mention)
    return out


def _kept(reading: Reading) -> set[int]:
    """The "keep" of a thing that is kept dry: staying dry says it."""
    dry = [m.first for m in reading.chosen if "KEEP_DRY" in m.concepts]
    return {
        k
        for m in reading.chosen
        if "CONTINUE" in m.concepts and any(0 < d - m.first <= 5 for d in dry)
        for k in _tokens(m)
    }


def _this_line(reading: Reading, words: SparedWords) -> set[int]:
    """The line that is not for emergencies: whoever says so speaks on it."""
    stated = [m.first for m in reading.chosen if "NOT_EMERGENCY" in m.concepts]
    if not stated:
        return set()
    return {
        k
        for m in reading.chosen
        if m.first < stated[0]
        for k in _tokens(m)
        if reading.source.tokens[k].norm in words.lines or "CALL_NOUN" in m.concepts
    }


def _drunk(reading: Reading) -> set[int]:
    """The fluid that is drunk, beside "drink" and its amount."""
    drinking: Sequence[Mention] = [m for m in reading.chosen if "DRINK" in m.concepts]
    if not drinking:
        return set()
    if not any(a.dimension == "volume" for a in reading.amounts):
        fluids = [m.first for m in reading.chosen if "FLUID" in m.concepts and "DRINK" not in m.concepts]
        return {k for m in drinking if any(0 < f - m.last <= 2 for f in fluids) for k in _tokens(m)}
    return {k for m in reading.chosen if "FLUID" in m.concepts and m is not drinking[0] for k in _tokens(m)}


def _only(reading: Reading, words: SparedWords) -> set[int]:
    """The "only" of "once a week only, never every day": what is forbidden says it."""
    tokens = reading.source.tokens
    if not any(m.negated for m in reading.chosen):
        return set()
    near = {k for a in reading.amounts for k in (a.first - 1, a.last + 1)}
    return {k for k in near if 0 <= k < len(tokens) and tokens[k].norm in words.only}
