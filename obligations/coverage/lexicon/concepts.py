"""The clinical concept lexicon: many ways of saying one thing, read once from ``concepts.txt``.

Owns the file's form and its compiled phrases. A concept never spans languages within one text: each language has its
own
phrases for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from obligations.coverage.lexicon.polarity import PolarityWords, polarity_words
from obligations.coverage.stems import stem
from obligations.coverage.text import Token, base_language, tokenise

_ORDER = ("en", "pt")


@dataclass(frozen=True, slots=True)
class Phrase:
    """One way of saying one or more concepts.

    Parameters:
        stems: Its stems in order, determiners left out.
        concepts: What it may mean.
        negated: Whether it holds a negation of its own ("do not wait").
        exact: Whether its determiners count, because little else is left of it ("a day").
    """

    stems: tuple[str, ...]
    concepts: frozenset[str]
    negated: bool
    exact: bool


@dataclass(frozen=True, slots=True)
class Lexicon:
    """One language's phrases by their first stem, longest first.

    Parameters:
        by_first: Phrases by first stem.
        classes: Exclusive class of a concept, where it has one.
        light: Concepts that carry no meaning of their own.
    """

    by_first: Mapping[str, tuple[Phrase, ...]]
    classes: Mapping[str, str]
    light: frozenset[str]

    def knows(self, stemmed: str) -> bool:
        """Say whether a single stem is a phrase of its own."""
        return any(len(p.stems) == 1 for p in self.by_first.get(stemmed, ()))

    def means(self, stemmed: str) -> frozenset[str]:
        """Give the concepts a single stem may mean; empty when it is no phrase of its own."""
        phrases = self.by_first.get(stemmed, ())
        return frozenset(name for p in phrases if len(p.stems) == 1 for name in p.concepts)


def phrase_stems(text: str, language: str, words: PolarityWords) -> tuple[tuple[str, ...], bool]:
    """Give the stems of a phrase as the matcher sees them, and whether its determiners count.

    Determiners are dropped; where only one word would be left of several they are kept, and must then stand in the
    text.
    """
    tokens = tokenise(text, language).tokens
    kept = [t for t in tokens if t.norm not in words.determiners]
    exact = len(kept) <= 1 < len(tokens) or any(t.norm in words.negators for t in tokens)
    return tuple(token_stem(t, language) for t in (tokens if exact else kept)), exact


_ACCENTED = {"bebé": "bebé", "bebés": "bebé"}
"""Words whose accent alone tells them from a common other word."""


def token_stem(token: Token, language: str) -> str:
    """Give the stem a token is matched by: digits as they are, accents only where they tell words apart."""
    if token.value is not None:
        return token.norm
    return _ACCENTED.get(token.lower) or stem(token.norm, language)


@lru_cache(maxsize=8)
def lexicon_for(language: str) -> Lexicon | None:
    """Give the lexicon of a language tag; None when there is none."""
    lang = base_language(language)
    words = polarity_words(lang)
    if lang not in _ORDER or words is None:
        return None
    lines = resources.files("obligations.coverage.lexicon").joinpath("concepts.txt").read_text(encoding="utf-8")
    return _compile(lines.splitlines(), lang, words)


def _compile(lines: Sequence[str], lang: str, words: PolarityWords) -> Lexicon:
    meanings: dict[tuple[tuple[str, ...], bool], set[str]] = {}
    negating = {stem(w, lang) for w in words.negators}
    avoiding = negating | words.avoiders
    classes: dict[str, str] = {}
    light: set[str] = set()
    for line in lines:
        head, mark, body = line.partition("=")
        if not mark or line.startswith("#"):
            continue
        name, *flags = head.split()
        for flag in flags:
            if flag == "~":
                light.add(name)
            else:
                classes[name] = flag.removeprefix("!")
        column = body.split("||")[_ORDER.index(lang)]
        for written in column.split(";"):
            stems, exact = phrase_stems(written, lang, words)
            if stems and not (len(stems) == 1 and stems[0] in negating):
                meanings.setdefault((stems, exact), set()).add(name)
    by_first: dict[str, list[Phrase]] = {}
    for (stems, exact), names in meanings.items():
        denying = negating if stems[1:] == () else avoiding
        phrase = Phrase(stems, frozenset(names), bool(set(stems) & denying), exact)
        by_first.setdefault(stems[0], []).append(phrase)
    ordered = {first: tuple(sorted(group, key=lambda p: -len(p.stems))) for first, group in by_first.items()}
    return Lexicon(ordered, classes, frozenset(light))
