"""Words of a transcript in one plain form, whatever recogniser wrote them.

Owns normalisation only: which words mean what is the business of the language tables.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

WORDS_MAX = 400
"""Longest overlap text looked at, in words; the rest cannot change a verdict any more."""

_BRACKETED = re.compile(r"\[[^\]]*\]|\([^)]*\)|\*[^*]*\*|♪[^♪]*♪?")
_LETTERS_APART = re.compile(r"\b(?:[a-z]\.){2,}[a-z]?\.?|\b[a-z](?:[ _][a-z]\b){2,}")
_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*-?", re.UNICODE)
_UNPARTED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[\U00020000-\U0003ffff]"
)
_JOINED = re.compile(r"(?<=\w)[-‐‑](?=\w)")


def tokens(text: str) -> tuple[str, ...]:
    """Split a transcript into plain lower-case words.

    Letters spelt apart ("M.M.H.", "o_k", "m m h h m") become one word; parts joined by a hyphen become two; a word
    broken off ("ye-") keeps its hyphen; what stands in brackets or asterisks (a recogniser's sound tags) is left out.
    In a script that parts no words by blanks (Chinese, Japanese, Thai, Lao, Khmer, Burmese) each character is one.

    >>> tokens("Mm-hmm, O.K. ye- [cough]")
    ('mm', 'hmm', 'ok', 'ye-')
    """
    plain = unicodedata.normalize("NFKC", text).lower().replace("’", "'").replace("—", " ").replace("–", " ")
    plain = _BRACKETED.sub(" ", plain)
    plain = re.sub(r"\bo[_ ]k\b", "ok", plain)
    plain = _LETTERS_APART.sub(lambda m: " " + re.sub(r"[^a-z]", "", m.group()) + " ", plain)
    plain = _JOINED.sub(" ", plain)
    return tuple(_TOKEN.findall(_UNPARTED.sub(r" \g<0> ", plain))[:WORDS_MAX])


def word_changes(words: tuple[str, ...]) -> int:
    """Count words, one said again at once as one; two characters of a script without blanks make about one word.

    >>> word_changes(tokens("ja ja")), word_changes(tokens("嗯嗯")), word_changes(tokens("停一下我听不清楚"))
    (1, 1, 4)
    """
    changed = [word for i, word in enumerate(words) if i == 0 or word != words[i - 1]]
    characters = sum(1 for word in changed if _UNPARTED.fullmatch(word))
    return len(changed) - characters + (characters + 1) // 2


def is_tag_only(text: str) -> bool:
    """Say whether a transcript holds nothing but sound tags, marks and blanks ("[BLANK_AUDIO]", "...", "*cough*")."""
    return not tokens(text)


def ends_as_question(text: str) -> bool:
    """Say whether the recogniser put a question mark at the end."""
    return text.rstrip(" \"'»”").endswith(("?", "？", ";?"))


def parse_phrases(phrases: frozenset[tuple[str, ...]], words: tuple[str, ...], start: int) -> int:
    """Length of the longest phrase that begins at `start`, or 0."""
    for length in range(min(_longest(phrases), len(words) - start), 0, -1):
        if words[start : start + length] in phrases:
            return length
    return 0


@cache
def _longest(phrases: frozenset[tuple[str, ...]]) -> int:
    return max((len(p) for p in phrases), default=0)


def phrase_set(*phrases: str) -> frozenset[tuple[str, ...]]:
    """Make a phrase set out of plain strings; blank or wordless entries ("", "…") are left out."""
    return frozenset(parsed for phrase in phrases if (parsed := tokens(phrase)))


def phrases(listing: str) -> frozenset[tuple[str, ...]]:
    """Make a phrase set out of one comma-separated listing."""
    return phrase_set(*listing.split(","))
