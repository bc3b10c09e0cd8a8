"""Words of a text with their places, made alike: case, punctuation, spacing and apostrophes do not count.

Owns the one notion of "the same words" in this room. Offsets always refer to the text as it was written.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

# Scripts written without blanks are matched sign by sign; everything else by runs of letters and digits.
_SIGN = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
# A letter may carry its accent as a sign of its own (decomposed text).
_LETTER = rf"(?:[^\W_{_SIGN}]|[\u0300-\u036f])"
_WORD = re.compile(rf"[{_SIGN}]|{_LETTER}+(?:['’]{_LETTER}+)*")


@dataclass(frozen=True, slots=True)
class Word:
    """One word: its normal form and its half-open character range in the written text."""

    form: str
    start: int
    end: int


def normal_form(word: str) -> str:
    """Bring a word to the form in which two spellings of it are equal (accents still count)."""
    if word.isascii():  # nothing to compose, and every word of a call comes by here
        return word.lower().replace("'", "")
    return (
        unicodedata.normalize("NFC", unicodedata.normalize("NFKC", word).casefold()).replace("’", "").replace("'", "")
    )


@lru_cache(maxsize=4096)
def words_of(text: str) -> tuple[Word, ...]:
    """Split a text into words, in order, with offsets into `text`."""
    return tuple(Word(normal_form(m[0]), m.start(), m.end()) for m in _WORD.finditer(text))


@lru_cache(maxsize=4096)
def forms_of(text: str) -> tuple[str, ...]:
    """The normal forms of a text's words, in order."""
    return tuple(word.form for word in words_of(text))


def find_forms(forms: tuple[str, ...], wanted: tuple[str, ...], begin: int = 0) -> int:
    """Find `wanted` as an unbroken run in `forms` from index `begin`; -1 when absent or when `wanted` is empty."""
    if not wanted:
        return -1
    last = len(forms) - len(wanted)
    for at in range(begin, last + 1):
        if forms[at] == wanted[0] and forms[at : at + len(wanted)] == wanted:
            return at
    return -1


def contains_words(text: str, wanted: str) -> bool:
    """Say whether the words of `wanted` occur in `text` as an unbroken run."""
    return find_forms(forms_of(text), forms_of(wanted)) >= 0
