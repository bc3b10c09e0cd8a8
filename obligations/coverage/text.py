"""Words with their places: a text as folded tokens that each know which characters they came from.

Owns tokenising, contractions, and the merging of spoken numbers, times and units into exact tokens. Every offset is in
the written text that came in.
Never decides meaning.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from obligations.coverage.lexicon.numerals import NumeralTable, numeral_table
from obligations.coverage.lexicon.units import ONLY_AFTER_NUMBER, UNIT_OF, UNITS
from obligations.coverage.numerals import digits_value, parse_numeral
from obligations.coverage.protocol import Span

_TOKEN = re.compile(
    r"[ap]\.\s?m\.?(?=\W|$)|A\s?&\s?E|\d{1,2}h\d{0,2}(?!\w)|\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)*|[%°€£$+=/&]",
    re.IGNORECASE,
)
_JOINED = re.compile(r"^[-‐‑]?$|^\s+$")
_NEGATED = re.compile(r"^(.+)n['’]t$")
_SUFFIXES = {"ll": "will", "ve": "have", "re": "are", "m": "am", "d": "would", "s": "s"}
_IRREGULAR_NOT = {"can't": "can", "won't": "will", "shan't": "shall", "ain't": "is"}
_BARE_NOT = {w + "nt": w for w in "do does did is are was were have has had should would could need must".split()} | {
    "cant": "can",
    "wont": "will",
    "cannot": "can",
}

__all__ = ["UNITS", "Token", "TokenText", "base_language", "fold", "raw_tokens", "tokenise"]


@dataclass(frozen=True, slots=True)
class Token:
    """One word, number or time, with the characters it came from.

    Parameters:
        norm: Folded form: lower case, no accents, numbers as digits ("0.5"), times as "8:30", units in one spelling.
        start: First character in the written text.
        end: One past its last character.
        lower: Lower case with accents kept; the raw form where it matters ("é", "e").
        value: Exact value of a number token, else None.
        before: The punctuation between the previous token and this one, blanks stripped.
        is_time: Whether it is a time of day; its value is then minutes after midnight or noon.
    """

    norm: str
    start: int
    end: int
    lower: str
    value: Fraction | None = None
    before: str = ""
    is_time: bool = False

    @property
    def opens_sentence(self) -> bool:
        """Whether a full stop, question mark or the like stands before it."""
        return any(mark in self.before for mark in ".?!…;:")

    @property
    def opens_clause(self) -> bool:
        """Whether any separating punctuation stands before it."""
        return bool(self.before) and self.before not in {"-", "‐", "‑", "'", "’", '"', "“", "”", "(", ")"}


@dataclass(frozen=True, slots=True)
class TokenText:
    """A text as tokens.

    Parameters:
        text: The written text.
        language: The base language the tokens were made by, "en" or "pt" or another.
        tokens: In order, not overlapping except where one written word gave two ("don't").
        tail: The punctuation after the last token.
    """

    text: str
    language: str
    tokens: tuple[Token, ...]
    tail: str

    def span(self, first: int, last: int) -> Span:
        """Give the written characters from token `first` to token `last`, both included."""
        return Span(self.tokens[first].start, self.tokens[last].end)


@lru_cache(maxsize=64)
def base_language(tag: str) -> str:
    """Give the primary language of a BCP 47 tag: "pt" for "pt-PT"."""
    return re.split(r"[-_]", tag.strip().lower(), maxsplit=1)[0]


def fold(text: str) -> str:
    """Lower-case and drop accents, keeping one character for one where the script allows."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.replace("’", "'").lower())
    return "".join(c for c in decomposed if not unicodedata.combining(c))


@lru_cache(maxsize=4096)
def tokenise(text: str, language: str) -> TokenText:
    """Split a text into folded tokens with numbers, times and units brought to one form.

    Args:
        text: The written text; offsets refer to it.
        language: BCP 47 tag; number words, contractions and units are those of its base language only.

    Returns:
        The tokens. An unknown language gets plain folded words and digits.
    """
    lang = base_language(language)
    tokens = list(raw_tokens(text, lang))
    table = numeral_table(lang)
    if table is not None:
        tokens = _merge_names(tokens, lang)
        tokens = _merge_times(tokens, lang, table)
        tokens = _merge_numbers(tokens, lang, table)
        tokens = _merge_digit_groups(tokens)
        tokens = _merge_units(tokens, lang)
    tail = text[tokens[-1].end :].strip() if tokens else text.strip()
    return TokenText(text, lang, tuple(tokens), tail)


@lru_cache(maxsize=4096)
def raw_tokens(text: str, language: str) -> tuple[Token, ...]:
    """Split a text into folded words with contractions opened, numbers left as they were said."""
    lang = base_language(language)
    tokens: list[Token] = []
    previous_end = 0
    for match in _TOKEN.finditer(text):
        raw, start, end = match.group(), match.start(), match.end()
        gap = text[previous_end:start]
        before = "" if _JOINED.match(gap) else gap.strip()
        tokens.extend(_pieces(raw, start, end, before, lang))
        previous_end = end
    return tuple(tokens)


def _pieces(raw: str, start: int, end: int, before: str, lang: str) -> list[Token]:
    lower = raw.lower().replace("’", "'")
    if re.fullmatch(r"[ap]\.\s?m\.?", lower):
        return [Token(lower[0] + "m", start, end, lower, before=before)]
    if re.fullmatch(r"a\s?&\s?e", lower):
        return [Token("a&e", start, end, lower, before=before)]
    if lower[0].isdecimal():
        return [_digits_token(lower, start, end, before, lang)]
    if lang == "en":
        split = _contraction(lower)
        if split is not None:
            head, tail, cut = split
            return [
                Token(fold(head), start, start + cut, head, before=before),
                Token(tail, start + cut, end, tail),
            ]
    if "'" in lower:
        lower = lower.replace("'", "")
    return [Token(fold(lower), start, end, lower, before=before)]


def _digits_token(lower: str, start: int, end: int, before: str, lang: str) -> Token:
    clock = re.fullmatch(r"(\d{1,2})(?::|h)(\d{2})", lower)
    if clock and int(clock[1]) < 24 and int(clock[2]) < 60:
        return _time_token(int(clock[1]), int(clock[2]), start, end, lower, before)
    hour = re.fullmatch(r"(\d{1,2})h", lower)
    if hour:
        return Token(str(int(hour[1])), start, end, lower, Fraction(int(hour[1])), before)
    value = digits_value(lower, numeral_table(lang))
    if value is None:
        return Token(lower, start, end, lower, before=before)
    norm = lower if lower.isdecimal() else _plain(value)
    return Token(norm, start, end, lower, value, before)


def _time_token(hour: int, minute: int, start: int, end: int, lower: str, before: str) -> Token:
    if minute == 0:
        return Token(str(hour), start, end, lower, Fraction(hour), before)
    return Token(f"{hour}:{minute:02d}", start, end, lower, Fraction(hour * 60 + minute), before, is_time=True)


def _plain(value: Fraction) -> str:
    if value.denominator == 1:
        return str(value.numerator)
    return f"{float(value):.6f}".rstrip("0").rstrip(".")


def _contraction(lower: str) -> tuple[str, str, int] | None:
    if lower in _IRREGULAR_NOT:
        return _IRREGULAR_NOT[lower], "not", len(lower) - 3
    if lower in _BARE_NOT:
        head = _BARE_NOT[lower]
        return head, "not", len(lower) - (3 if lower == "cannot" else 2)
    negated = _NEGATED.match(lower)
    if negated:
        return negated[1], "not", len(negated[1])
    head, mark, suffix = lower.rpartition("'")
    if mark and suffix in _SUFFIXES and head:
        return head, _SUFFIXES[suffix], len(head)
    return None


def _breaks(tokens: Sequence[Token]) -> list[bool]:
    return [bool(t.before) for t in tokens]


def _merged(
    tokens: Sequence[Token], first: int, last: int, norm: str, value: Fraction | None, *, is_time: bool = False
) -> Token:
    head = tokens[first]
    lower = " ".join(t.lower for t in tokens[first : last + 1])
    return Token(norm, head.start, tokens[last].end, lower, value, head.before, is_time)


def _merge_names(tokens: list[Token], lang: str) -> list[Token]:
    """Spelled-out short names that are one word in writing: "A and E", "a m"."""
    out: list[Token] = []
    i = 0
    while i < len(tokens):
        words = [t.norm for t in tokens[i : i + 3]]
        open_run = all(not t.before for t in tokens[i + 1 : i + 3])
        if lang == "en" and words == ["a", "and", "e"] and open_run:
            out.append(_merged(tokens, i, i + 2, "a&e", None))
            i += 3
        elif (
            lang == "en"
            and words[:2] in (["a", "m"], ["p", "m"])
            and (len(tokens) > i + 1 and not tokens[i + 1].before)
        ):
            out.append(_merged(tokens, i, i + 1, words[0] + "m", None))
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def _merge_times(tokens: list[Token], lang: str, table: NumeralTable) -> list[Token]:
    out: list[Token] = []
    i = 0
    words = [t.norm for t in tokens]
    breaks = _breaks(tokens)
    while i < len(tokens):
        found = _english_time(words, i, breaks, table) if lang == "en" else None
        if found is None:
            out.append(tokens[i])
            i += 1
            continue
        hour, minute, used = found
        merged = _merged(tokens, i, i + used - 1, "", None)
        out.append(_time_token(hour, minute, merged.start, merged.end, merged.lower, merged.before))
        i += used
    return out


def _english_time(
    words: Sequence[str], i: int, breaks: Sequence[bool], table: NumeralTable
) -> tuple[int, int, int] | None:
    """Read "half past eight", "a quarter to nine", "ten past six"; and "eight thirty a m"."""
    start = i + 1 if words[i] == "a" and i + 1 < len(words) and words[i + 1] == "quarter" else i
    named = {"half": 30, "quarter": 15}.get(words[start])
    minute, used = (named, start + 1 - i) if named is not None else (None, 0)
    if minute is None:
        numeral = parse_numeral(words, i, table, breaks)
        if numeral is None or numeral.digits or numeral.value.denominator != 1 or not 0 < numeral.value < 60:
            return None
        minute, used = int(numeral.value), numeral.length
        after = words[i + used] if i + used < len(words) else ""
        if after in {"minutes", "minute"}:
            used += 1
    link = words[i + used] if i + used < len(words) else ""
    hour = (
        parse_numeral(words, i + used + 1, table, breaks)
        if link in {"past", "to"} and i + used + 1 < len(words)
        else None
    )
    if (
        hour is not None
        and hour.length == 1
        and hour.value.denominator == 1
        and 1 <= hour.value <= 12
        and minute in {5, 10, 15, 20, 25, 30}
    ):
        h = int(hour.value)
        if link == "to":
            h, minute = (12 if h == 1 else h - 1), 60 - minute
        elif named == 30 and link != "past":
            return None
        return h, minute, used + 1 + hour.length
    return _hour_minutes(words, i, breaks, table)


def _hour_minutes(
    words: Sequence[str], i: int, breaks: Sequence[bool], table: NumeralTable
) -> tuple[int, int, int] | None:
    hour = table.small.get(words[i])
    if hour is None or not 1 <= hour <= 12 or i + 1 >= len(words):
        return None
    minutes = parse_numeral(words, i + 1, table, breaks) if not breaks[i + 1] else None
    if minutes is None or minutes.digits or not 10 <= minutes.value < 60:
        return None
    after = words[i + 1 + minutes.length] if i + 1 + minutes.length < len(words) else ""
    if after in {"am", "pm"} or (
        i > 0 and words[i - 1] == "at" and after in {"", "in", "this", "tonight", "tomorrow", "every"}
    ):
        return hour, int(minutes.value), 1 + minutes.length
    return None


def _merge_numbers(tokens: list[Token], lang: str, table: NumeralTable) -> list[Token]:
    words = [t.norm for t in tokens]
    breaks = _breaks(tokens)
    out: list[Token] = []
    i = 0
    while i < len(tokens):
        numeral = (
            None if tokens[i].value is not None and not words[i].isdecimal() else parse_numeral(words, i, table, breaks)
        )
        if numeral is None:
            out.append(tokens[i])
        elif numeral.length == 1 and not words[i].isdecimal():
            lone = table.small.get(words[i]) == 1 and lang == "pt"
            norm = words[i] if lone else numeral.digits or _plain(numeral.value)
            out.append(replace(tokens[i], norm=norm, value=numeral.value))
        elif numeral.length == 1:
            out.append(tokens[i])
        else:
            norm = numeral.digits or _plain(numeral.value)
            out.append(_merged(tokens, i, i + numeral.length - 1, norm, numeral.value))
        i += numeral.length if numeral is not None else 1
    return out


def _merge_digit_groups(tokens: list[Token]) -> list[Token]:
    """Phone numbers: groups of digits side by side, six digits or more in all, become one token."""
    out: list[Token] = []
    i = 0
    while i < len(tokens):
        j = i
        while (
            j < len(tokens)
            and tokens[j].norm.isdecimal()
            and tokens[j].value is not None
            and (j == i or not tokens[j].before)
        ):
            j += 1
        digits = "".join(t.norm for t in tokens[i:j])
        if j - i > 1 and len(digits) >= 6:
            out.append(_merged(tokens, i, j - 1, digits, Fraction(int(digits))))
            i = j
        else:
            out.append(tokens[i])
            i += 1
    return out


def _merge_units(tokens: list[Token], lang: str) -> list[Token]:
    units = UNIT_OF[lang]
    out: list[Token] = []
    for token in tokens:
        unit = units.get(token.norm)
        after_number = bool(out) and out[-1].value is not None
        if unit is None or (token.norm in ONLY_AFTER_NUMBER and not after_number):
            out.append(token)
        elif token.norm == "a" or token.before:
            out.append(token)
        else:
            out.append(replace(token, norm=unit))
    return out
