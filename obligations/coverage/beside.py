"""What stands beside an advice that was found: nothing of weight, or something that makes another advice of it.

Owns the look at the rest of the sentence, and at a next sentence that still belongs to it. What it cannot call harmless
counts as a change: an advice left open is spoken again, one wrongly taken for told is lost.
"""

from __future__ import annotations

import re

from obligations.coverage.flat import flatten
from obligations.coverage.lexicon.beside import BesideWords, beside_words
from obligations.coverage.text import tokenise

WORDS_AFTER_MAX = 14
"""So far behind an advice another clause may still change it, where no punctuation ends the sentence."""
WORDS_BEFORE_MAX = 10
"""The same in front of it."""
EXCEPTED = "an exception, an alternative or an act of not doing stands behind it"
FOLLOWED = "the next sentence limits it"
TURNED_BEHIND = frozenset({EXCEPTED, FOLLOWED})
"""Reasons that make another advice of it even for a listener who has heard it as it is."""
_ENDS = re.compile(r"[.?!:…。！？\n](?!\d)")
_ENDS_BEFORE = re.compile(r"[.?!:…。！？\n](?!\d)(?=[^.?!:…。！？\n]*\Z)")
_PARTS = re.compile(r"[,;()—–]|\s-\s")


def changed_beside(
    text: str, language: str, start: int, end: int, *, floor: int = 0, ceiling: int | None = None
) -> str | None:
    """Say what beside the words ``text[start:end]`` makes another advice of them, or None when nothing does.

    Args:
        text: The whole text.
        language: BCP 47 tag. In a language without a table any further word in the sentence counts as a change.
        start: First character of the advice.
        end: One past its last.
        floor: Nothing before this character is looked at: another approved wording ends there.
        ceiling: Nothing from this character on is looked at: another approved wording begins there.

    Returns:
        A short reason without any of the text's words.
    """
    words = beside_words(language)
    marked = _ENDS.search(text) is not None
    top = len(text) if ceiling is None else ceiling
    last = _ENDS_BEFORE.search(text, 0, start)
    before = text[max(floor, last.end() if last else 0) : start]
    stop = _ENDS.search(text, end, top)
    after, following = (text[end : stop.start()], text[stop.end() : top]) if stop else (text[end:top], "")
    if words is None:
        more = flatten(before, language) or flatten(after, language)
        return "other words stand in its sentence" if more else None
    return (
        _before(before, language, words)
        or _after(after, language, words, marked=marked)
        or _following(following, language, words)
    )


def one_sentence(text: str, end: int, start: int) -> bool:
    """Say whether no sentence ends between two places."""
    return _ENDS.search(text, end, start) is None


def _before(raw: str, language: str, words: BesideWords) -> str | None:
    flat = " ".join(flatten(raw, language).split()[-WORDS_BEFORE_MAX:])
    if words.limits.search(flat):
        return "a condition, an option, a time or a denial stands before it"
    if any(t.value is not None and t.value != 1 for t in tokenise(raw, language).tokens[-WORDS_BEFORE_MAX:]):
        return "an amount stands before it"
    return None


def _after(raw: str, language: str, words: BesideWords, *, marked: bool) -> str | None:
    parts = [flat for piece in _PARTS.split(raw) if (flat := flatten(piece, language))]
    apart = bool(_PARTS.match(raw.lstrip()))
    rest = " ".join(parts)
    first, rest = parts[0] if parts else "", " ".join(rest.split()[:WORDS_AFTER_MAX])
    while (polite := words.harmless.match(rest)) is not None:
        rest, first = rest[polite.end() :].strip(), first[polite.end() :].strip()
        apart = apart or not first
    if not rest:
        return None
    if words.changes.search(rest):
        return EXCEPTED
    head, _, more = rest.partition(" ")
    opens = words.opens if marked else words.opens_talk | words.opens
    own_clause = head in opens if apart or not marked else False
    if head in words.joins:
        own_clause = not more or more.split()[0] in words.opens
    return None if own_clause or words.reason.match(rest) else "other words stand behind it"


def _following(raw: str, language: str, words: BesideWords) -> str | None:
    stop = _ENDS.search(raw, 1)
    flat = flatten(raw[: stop.start()] if stop else raw, language)
    return FOLLOWED if words.attaches.match(flat) else None
