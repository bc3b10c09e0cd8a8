"""Whether the sentences around a told advice take it back, deny it, relativise it, or only quote it.

Owns the look at neighbouring sentences, in the same text and in a later one; what stands in the advice's own sentence
is `beside`. Words that are the pathway's own never take anything back.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from obligations.coverage.flat import flatten
from obligations.coverage.lexicon.function_words import FUNCTION
from obligations.coverage.lexicon.guarded import guarded_for
from obligations.coverage.lexicon.retraction import RetractionWords, retraction_words
from obligations.coverage.stems import stem
from obligations.coverage.text import base_language, tokenise

_SENTENCE = re.compile(r"(?:[^.?!:…。！？\n]|[.?!:…](?=\d))+[.?!:…。！？\n]*")
# A shorter word tells of no topic ("it", "at"). Our choice.
_TOPIC_CHARS_MIN = 3
# Portuguese verbs keep no more than this through their forms ("conduza", "conduzir"). Our choice.
_STEM_CHARS_PT = 6
# So many words may stand between a negation and what it turns ("nothing is recorded").
_NEGATION_REACH = 2


class Sentence(NamedTuple):
    """One sentence of words that are not the pathway's own.

    Parameters:
        start: First character of its words. end: one past its last.
        flat: Its flat words. mark: its closing sign, "" when it has none.
    """

    start: int
    end: int
    flat: str
    mark: str


def blank(text: str, own: Iterable[tuple[int, int]]) -> str:
    """Put blanks in the place of the characters at `own`; every other keeps its place."""
    chars = list(text)
    for start, end in own:
        chars[start:end] = " " * (end - start)
    return "".join(chars)


def free_sentences(text: str, language: str, own: Iterable[tuple[int, int]]) -> tuple[Sentence, ...]:
    """Cut a text into sentences, leaving out the characters at `own`; one of own words alone is none."""
    masked, out = blank(text, own), list[Sentence]()
    for match in _SENTENCE.finditer(masked):
        flat = flatten(match[0], language)
        if flat:
            stripped = match[0].strip()
            start = match.start() + match[0].index(stripped)
            mark = stripped[-1] if not stripped[-1].isalnum() else ""
            out.append(Sentence(start, start + len(stripped), flat, mark))
    return tuple(out)


def whole_sentences(text: str, start: int, end: int) -> tuple[int, int]:
    """Widen two places to the sentences they stand in."""
    inside = [match for match in _SENTENCE.finditer(text) if match.end() > start and match.start() < end]
    return (min(inside[0].start(), start), max(inside[-1].end(), end)) if inside else (start, end)


def taken_back(
    text: str,
    language: str,
    start: int,
    end: int,
    *,
    own: Sequence[tuple[int, int]] = (),
    common: Collection[str] = (),
) -> Sentence | None:
    """Find the sentence that takes back, denies, relativises or only quotes the advice at ``text[start:end]``.

    Args:
        text: The whole text.
        language: BCP 47 tag. In a language without a table nothing is found.
        start: First character of the advice.
        end: One past its last.
        own: Where the pathway's own wordings stand in the text.
        common: Stems of words that tell none of the pathway's items from another.

    Returns:
        The sentence, or the free rest of the advice's own; None when the advice stands.
    """
    words = retraction_words(language)
    if words is None:
        return None
    sentences = free_sentences(text, language, (*own, (start, end)))
    before = [sentence for sentence in sentences if sentence.start < start]
    if before and _denied(before[-1], words):
        return before[-1]
    advice = text[start:end]
    later = (sentence for sentence in sentences if sentence.start >= end)
    return next((s for s in later if _unsays(s, words) or contradicts(s, advice, language, common=common)), None)


def unsays(sentence: Sentence, language: str) -> bool:
    """Say whether a sentence takes back or relativises what was said right before it, whatever that was."""
    words = retraction_words(language)
    return words is not None and _unsays(sentence, words)


def contradicts(sentence: Sentence, advice: str, language: str, *, common: Collection[str] = ()) -> bool:
    """Say whether a sentence speaks of what an advice is about, and lets the listener do otherwise."""
    words = retraction_words(language)
    if words is None:
        return False
    told = topic(advice, language)
    named, said = [s for s in told if s not in common], set(topic(sentence.flat, language))
    if not said & set(named):
        return False
    if words.prohibits.match(flatten(advice, language)):
        first = named[:1]
        return bool(said & set(first)) and _allowed(sentence.flat, words, set(told), first[0], language)
    return (
        words.lifts.search(sentence.flat) is not None
        or _undone(sentence.flat, words)
        or _negated(sentence.flat, words, set(named), language)
    )


def names(sentence: Sentence, advice: str, language: str, *, common: Collection[str] = ()) -> bool:
    """Say whether a sentence names what an advice is about."""
    return bool((set(topic(advice, language)) - set(common)) & set(topic(sentence.flat, language)))


@lru_cache(maxsize=2048)
def topic(text: str, language: str) -> tuple[str, ...]:
    """Give the stems of the words of weight, in their order."""
    light = guarded_for(language).light | FUNCTION.get(base_language(language), frozenset())
    norms = (token.norm for token in tokenise(text, language).tokens if token.value is None)
    return tuple(key_of(norm, language) for norm in norms if norm not in light and len(norm) >= _TOPIC_CHARS_MIN)


def key_of(norm: str, language: str) -> str:
    """Give the form under which a word is compared with others of its topic."""
    key = stem(norm, language)
    return key[:_STEM_CHARS_PT] if base_language(language) == "pt" else key


def _denied(sentence: Sentence, words: RetractionWords) -> bool:
    """Whether a sentence in front colours the advice behind it: a denial before a colon, hearsay, another country."""
    if sentence.mark == "?":
        return False
    if sentence.mark == ":" and words.takes_back.search(sentence.flat):
        return True
    refers_back = sentence.mark != ":" and words.refers_back.match(sentence.flat) is not None
    return not refers_back and words.denies.search(sentence.flat) is not None


def _unsays(sentence: Sentence, words: RetractionWords) -> bool:
    if words.takes_back.search(sentence.flat):
        return True
    opening = words.contrast.match(sentence.flat)
    return opening is not None and words.soft.search(sentence.flat, opening.end()) is not None


def _allowed(flat: str, words: RetractionWords, told: set[str], first: str, language: str) -> bool:
    """Whether what was forbidden is allowed, other than on the advice's own condition ("once your team says so")."""
    allows = words.allows.search(flat)
    if allows is None:
        return False
    rest = flat.replace(allows[0], " ", 1)
    if any(word in words.negates for word in rest.split()):
        return False
    condition = words.condition.search(flat)
    return condition is None or not (set(topic(flat[condition.end() :], language)) & told - {first})


def _undone(flat: str, words: RetractionWords) -> bool:
    """Whether an act of not doing is asked for, and not itself denied ("do not stop the drops")."""
    for match in words.undoes.finditer(flat):
        before = flat[: match.start()].split()[-_NEGATION_REACH - 1 :]
        if not any(word in words.negates for word in before):
            return True
    return False


def _negated(flat: str, words: RetractionWords, named: set[str], language: str) -> bool:
    """Whether a negation stands right before what the advice asks for."""
    said = flat.split()
    for i, word in enumerate(said):
        near = said[i + 1 : i + 1 + _NEGATION_REACH] if word in words.negates else ()
        if any(key_of(other, language) in named for other in near) and not words.undoes.search(" ".join(near)):
            return True
    return False
