"""Whether the words around a question of known wording make another question of it, and from where on.

Owns the look at its sentence, at the sentence before and at the questions behind it. A reply to a bent question is no
plain answer to the pathway's.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from obligations.coverage.flat import flatten
from obligations.coverage.lexicon.asking import AskingWords, asking_words
from obligations.coverage.retraction import Sentence, blank, free_sentences, names

_ENDS = re.compile(r"[.?!:…。！？\n](?!\d)")
_ENDS_BEFORE = re.compile(r"[.?!:…。！？\n](?!\d)(?=[^.?!:…。！？\n]*\Z)")


def bent_from(
    text: str,
    language: str,
    start: int,
    end: int,
    *,
    own: Sequence[tuple[int, int]] = (),
    common: Collection[str] = (),
) -> int | None:
    """Say from which character on the question at ``text[start:end]`` is no longer the pathway's.

    Args:
        text: The whole text.
        language: BCP 47 tag. In a language without a table no question is called bent.
        start: First character of the question.
        end: One past its last.
        own: Where the pathway's own wordings stand in the text.
        common: Stems of words that tell none of the pathway's items from another.

    Returns:
        `start` when a condition, another time or a report stands before it; the place behind it where its sentence goes
        on otherwise, or where another question begins; None when it stands as it is.
    """
    words = asking_words(language)
    if words is None:
        return None
    free = blank(text, (*own, (start, end)))
    last = _ENDS_BEFORE.search(free, 0, start)
    begin = last.end() if last else 0
    sentences = free_sentences(free, language, ())
    if _bent_before(flatten(free[begin:start], language), [s for s in sentences if s.end <= begin], words):
        return start
    stop = _ENDS.search(text, end)
    if not words.harmless.match(flatten(free[end : stop.start() if stop else len(free)], language)):
        return end
    behind = (s for s in sentences if stop is not None and s.start >= stop.start() and "?" in free[s.start : s.end])
    question = text[start:end]
    return next((s.start for s in behind if _another(s, question, language, words, common)), None)


def _bent_before(before: str, earlier: Sequence[Sentence], words: AskingWords) -> bool:
    if words.conditions.search(before) or words.reports.search(before):
        return True
    frame = earlier[-1] if earlier else None
    if frame is None or frame.mark == "?":
        return False
    opening = frame.mark == ":" and words.conditions.search(frame.flat) is not None
    return opening or words.reports.search(frame.flat) is not None


def _another(sentence: Sentence, question: str, language: str, words: AskingWords, common: Collection[str]) -> bool:
    if words.asks_same.match(sentence.flat) or words.harmless.match(sentence.flat):
        return False
    return not names(sentence, question, language, common=common) or words.conditions.search(sentence.flat) is not None
