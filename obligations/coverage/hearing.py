"""A text as it was meant where a recogniser stumbled: words said twice, begun twice, or written as another word.

Owns mending the tokens of the free-wording matcher, each token keeping the characters it came from. Own wording and
answers do not read through it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import zip_longest

from obligations.coverage.lexicon.function_words import FUNCTION
from obligations.coverage.lexicon.hearing import HearingWords, hearing_words
from obligations.coverage.lexicon.polarity import polarity_words
from obligations.coverage.text import Token, TokenText

REPEATED_WORDS_MAX = 5
"""Longest run of words that counts as said twice when it stands twice in a row."""
BEGUN_CHARS_MIN = 2
BEGUN_CHARS_MAX = 3
"""Length of a word that was begun and said again whole."""


def as_meant(source: TokenText) -> TokenText:
    """Mend the tokens of a text; in a language without tables they stay as they are."""
    words = hearing_words(source.language)
    if words is None:
        return source
    tokens = _phrases(source.tokens, words)
    tokens = [_homophone(tokens, i, words) for i in range(len(tokens))]
    tokens = _digits(tokens, words)
    tokens = _without_repeats(tokens)
    tokens = _without_beginnings(_without_false_starts(tokens, words), source.language)
    return replace(source, tokens=tuple(tokens))


def _phrases(tokens: Sequence[Token], words: HearingWords) -> list[Token]:
    out: list[Token] = []
    i = 0
    while i < len(tokens):
        found = next(
            (p for p in words.phrases if _stands(p, tokens, i)),
            None,
        )
        if found is None:
            out.append(tokens[i])
            i += 1
            continue
        last = tokens[i + len(found) - 1]
        out.append(replace(tokens[i], norm=words.phrases[found], lower=words.phrases[found], end=last.end, value=None))
        i += len(found)
    return out


def _stands(phrase: tuple[str, ...], tokens: Sequence[Token], at: int) -> bool:
    run = tokens[at : at + len(phrase)]
    return tuple(t.norm for t in run) == phrase and not any(t.before for t in run[1:])


def _homophone(tokens: Sequence[Token], i: int, words: HearingWords) -> Token:
    token = tokens[i]
    if token.value is not None:
        return token
    unit = words.behind_number.get(token.norm)
    if unit is not None and i > 0 and not token.before:
        previous = tokens[i - 1]
        counted = previous.value is not None or (unit == "week" and previous.norm in words.before_week)
        if counted:
            return replace(token, norm=unit, lower=unit)
    other = words.anywhere.get(token.norm)
    return token if other is None else replace(token, norm=other, lower=other)


def _digits(tokens: Sequence[Token], words: HearingWords) -> list[Token]:
    """Read "seventy to hours" as seventy-two: between a ten and a unit nothing but a digit can stand."""
    out: list[Token] = []
    i = 0
    while i < len(tokens):
        token, value = tokens[i], tokens[i].value
        digit = words.unit_digits.get(tokens[i + 1].norm) if i + 2 < len(tokens) and not tokens[i + 1].before else None
        ten = value is not None and value.denominator == 1 and 20 <= value < 100 and value % 10 == 0
        if ten and value is not None and digit is not None and tokens[i + 2].norm in words.units:
            whole = value + Fraction(digit)
            out.append(replace(token, norm=str(whole), value=whole, end=tokens[i + 1].end))
            i += 2
        else:
            out.append(token)
            i += 1
    return out


def _without_repeats(tokens: Sequence[Token]) -> list[Token]:
    """Leave out the first of two equal runs in a row; a lone number said twice stays, it may be two amounts."""
    out = list(tokens)
    for width in range(REPEATED_WORDS_MAX, 0, -1):
        i = 0
        while i + 2 * width <= len(out):
            one, two = out[i : i + width], out[i + width : i + 2 * width]
            equal = [t.norm for t in one] == [t.norm for t in two]
            apart = any(t.before for t in (*one[1:], *two))
            if equal and not apart and not (width == 1 and one[0].value is not None):
                out[i + width] = replace(two[0], before=one[0].before)
                del out[i : i + width]
            else:
                i += 1
    return out


def _without_false_starts(tokens: Sequence[Token], words: HearingWords) -> list[Token]:
    """Leave out a number begun and begun again whole ("one and a, one and a half litres")."""
    out: list[Token] = []
    i = 0
    while i < len(tokens):
        value, k = tokens[i].value, i + 1
        while value is not None and k < min(len(tokens), i + 4) and tokens[k].norm in words.joins_number:
            k += 1
        again = tokens[k].value if i + 1 < k < len(tokens) else None
        if value is not None and again is not None and value < again < value + 1:
            out.append(replace(tokens[k], before=tokens[i].before))
            i = k + 1
        else:
            out.append(tokens[i])
            i += 1
    return out


def _without_beginnings(tokens: Sequence[Token], language: str) -> list[Token]:
    """Leave out the beginning of a word that was then said whole ("un until", "fif fifteen")."""
    signs = polarity_words(language)
    whole = FUNCTION.get(language, frozenset[str]())
    if signs is not None:
        whole = whole | signs.determiners | signs.negators
    return [
        token
        for token, following in zip_longest(tokens, tokens[1:])
        if following is None or token.norm in whole or not _begins(token, following)
    ]


def _begins(token: Token, following: Token) -> bool:
    """Whether a word is only the beginning of the next: before a number of any length, else a syllable."""
    if following.before or token.value is not None or not following.lower.startswith(token.lower):
        return False
    long = BEGUN_CHARS_MIN <= len(token.lower) < len(following.lower)
    return long and (following.value is not None or len(token.lower) <= BEGUN_CHARS_MAX)
