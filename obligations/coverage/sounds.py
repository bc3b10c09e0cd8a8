"""How a word sounds, roughly: the consonants a recogniser keeps when it writes down another word.

Owns the key. Two words with one key may be one word misheard; two with different keys never are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from obligations.coverage.text import base_language

_EN = (
    (r"[aeiou]ugh(?=t)", ""),
    (r"(?:ou|au)gh", "f"),
    (r"u?ff", "f"),
    (r"igh", ""),
    (r"(?:t|s)ion|shun", "Sn"),
    (r"ph|th", "f"),
    (r"sch|sh|ch|tch", "S"),
    (r"ck|q|c", "k"),
    (r"ng\b|ng(?=[^aeiou])", "n"),
    (r"dg|j", "j"),
    (r"wr", "r"),
    (r"\bkn", "n"),
    (r"z", "s"),
    (r"x", "ks"),
)
_PT = (
    (r"lh", "l"),
    (r"nh", "n"),
    (r"ch|x", "s"),
    (r"qu", "k"),
    (r"[csz]+", "s"),
)
_BY_LANGUAGE: Mapping[str, tuple[tuple[str, str], ...]] = {"en": _EN, "pt": _PT}


@lru_cache(maxsize=8192)
def sound_key(word: str, language: str) -> str:
    """Give the consonants of a folded word in the order they sound; a leading vowel as "A".

    A language without rules gets the word itself, so that there nothing is a misheard other.
    """
    rules = _BY_LANGUAGE.get(base_language(language))
    if rules is None:
        return word
    key = word
    for pattern, sound in rules:
        key = re.sub(pattern, sound, key)
    head, tail = key[:1], key[1:]
    head = "A" if head and head in "aeiouy" else head
    key = head + re.sub(r"[aeiouyhw]", "", tail)
    return re.sub(r"(.)\1+", r"\1", key)
