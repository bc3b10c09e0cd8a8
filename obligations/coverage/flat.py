"""Flat text: folded words with contractions opened and no punctuation, the form phrase patterns are written against.

Owns the flat form and the helpers that compile patterns over it. Never decides meaning.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from obligations.coverage.text import Token, base_language, raw_tokens

_HAS_NEXT = frozenset(
    "been got gone come stopped had cleared settled healed disappeared gotten swollen started".split()
)
_IS_BEFORE = frozenset(
    "it that this there he she what who where when how everything nothing everyone nobody here".split()
)


def whole(*alternatives: str) -> re.Pattern[str]:
    """Compile alternatives that must match a whole flat text."""
    return re.compile(r"(?:" + "|".join(alternatives) + r")\Z")


def inside(*alternatives: str) -> re.Pattern[str]:
    """Compile alternatives that may stand anywhere in a flat text, at word boundaries."""
    return re.compile(r"(?<!\S)(?:" + "|".join(alternatives) + r")(?!\S)")


def flat_words(tokens: Sequence[Token], language: str) -> list[str]:
    """Give the flat words of raw tokens: "'s" opened to "is" or "has", Portuguese "é" written "eh"."""
    words: list[str] = []
    for i, token in enumerate(tokens):
        word = token.norm
        if language == "pt" and token.lower == "é":
            word = "eh"
        elif language == "en" and word == "s" and i > 0:
            following = tokens[i + 1].norm if i + 1 < len(tokens) else ""
            previous = words[-1] if words else ""
            word = (
                "us"
                if previous == "let"
                else "has"
                if following in _HAS_NEXT
                else "is"
                if previous in _IS_BEFORE
                else "s"
            )
        words.append(word)
    return words


@lru_cache(maxsize=4096)
def flatten(text: str, language: str) -> str:
    """Give a whole text as one flat string, punctuation dropped."""
    lang = base_language(language)
    return " ".join(flat_words(raw_tokens(text, lang), lang))
