"""Spoken and written numbers, brought to one exact value each, by one language's number words.

Owns the grammar of numbers; the words are `lexicon.numerals`. Never rounds and never guesses: what is not a well-formed
number stays the words it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from obligations.coverage.lexicon.numerals import NumeralTable


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number found in a word list.

    Parameters:
        value: The exact value.
        length: How many words it took, >= 1.
        digits: The digit string when it was spoken digit by digit ("nine one one"), else "".
    """

    value: Fraction
    length: int
    digits: str = ""


def parse_numeral(words: Sequence[str], at: int, table: NumeralTable, breaks: Sequence[bool] = ()) -> Numeral | None:
    """Read the number that begins at `words[at]`, the longest well-formed one.

    Args:
        words: Folded words; a token of digits counts as a word.
        at: Where to begin.
        table: The language's number words.
        breaks: For each word whether punctuation stands before it; no number runs over a break. Empty means no breaks.

    Returns:
        The number and how many words it took; None when no number begins there.
    """
    stop = at + 1
    while stop < len(words) and not (stop < len(breaks) and breaks[stop]):
        stop += 1
    run = words[at:stop]
    spelled = _digit_string(run, table)
    if spelled is not None:
        return spelled
    lone = _lone_fraction(run, table)
    if lone is not None:
        return lone
    whole = _whole(run, table)
    if whole is None:
        return _leading_point(run, table)
    value, used = whole
    decimals = _decimals(run, used, table)
    if decimals is not None:
        digits, used = decimals
        return Numeral(value + Fraction(int(digits), 10 ** len(digits)), used)
    fraction = _fraction(run, used, table)
    if fraction is not None:
        part, used = fraction
        return Numeral(value + part, used)
    return Numeral(value, used)


def _digit_of(word: str, table: NumeralTable) -> str | None:
    if word in table.digit_zero:
        return "0"
    value = table.small.get(word)
    return str(value) if value is not None and value < 10 else None


def _digit_string(run: Sequence[str], table: NumeralTable) -> Numeral | None:
    digits, used = "", 0
    while used < len(run):
        times = table.repeaters.get(run[used])
        if times is not None and used + 1 < len(run):
            digit = _digit_of(run[used + 1], table)
            if digit is None:
                break
            digits, used = digits + digit * times, used + 2
            continue
        digit = _digit_of(run[used], table)
        if digit is None:
            break
        digits, used = digits + digit, used + 1
    following = run[used] if used < len(run) else ""
    if len(digits) < 3 or following in table.point or following in table.hundred or following in table.thousand:
        return None
    return Numeral(Fraction(int(digits)), used, digits)


def _group(run: Sequence[str], at: int, table: NumeralTable) -> tuple[int, int] | None:
    """A number below 1000 at `run[at]`: value and the index after it."""
    if at >= len(run):
        return None
    word = run[at]
    if word in table.hundreds:
        value, nxt = table.hundreds[word], at + 1
        rest = _below_hundred(run, nxt + 1, table) if nxt < len(run) and run[nxt] == table.joiner else None
        return (value + rest[0], rest[1]) if rest is not None and rest[0] > 0 else (value, nxt)
    small = _below_hundred(run, at, table)
    start_value, nxt = small if small is not None else (1, at + 1) if word in table.articles else (-1, at)
    if start_value < 1 or nxt >= len(run) or run[nxt] not in table.hundred:
        return small
    value, nxt = start_value * 100, nxt + 1
    skip = 1 if nxt < len(run) and run[nxt] == table.joiner else 0
    rest = _below_hundred(run, nxt + skip, table)
    return (value + rest[0], rest[1]) if rest is not None and rest[0] > 0 else (value, nxt)


def _below_hundred(run: Sequence[str], at: int, table: NumeralTable) -> tuple[int, int] | None:
    if at >= len(run):
        return None
    word = run[at]
    if word in table.small:
        return table.small[word], at + 1
    if word not in table.tens:
        return None
    value, nxt = table.tens[word], at + 1
    skip = 1 if table.joins_tens and nxt < len(run) and run[nxt] == table.joiner else 0
    if nxt + skip < len(run) and 0 < table.small.get(run[nxt + skip], 0) < 10 and (skip or not table.joins_tens):
        return value + table.small[run[nxt + skip]], nxt + skip + 1
    return value, nxt


def _whole(run: Sequence[str], table: NumeralTable) -> tuple[Fraction, int] | None:
    if run and run[0].isdecimal():
        return Fraction(int(run[0])), 1
    group = _group(run, 0, table)
    bare_thousand = bool(run) and run[0] in table.thousand
    article_thousand = len(run) > 1 and run[0] in table.articles and run[1] in table.thousand
    if group is None and not bare_thousand and not article_thousand:
        return None
    value, nxt = group if group is not None else (1, 0 if bare_thousand else 1)
    if nxt < len(run) and run[nxt] in table.thousand:
        value, nxt = value * 1000, nxt + 1
        skip = 1 if nxt < len(run) and run[nxt] == table.joiner else 0
        rest = _group(run, nxt + skip, table)
        if rest is not None and rest[0] > 0:
            value, nxt = value + rest[0], rest[1]
    return Fraction(value), nxt


def _decimals(run: Sequence[str], at: int, table: NumeralTable) -> tuple[str, int] | None:
    if at + 1 >= len(run) or run[at] not in table.point:
        return None
    digits, nxt = "", at + 1
    while nxt < len(run):
        digit = _digit_of(run[nxt], table) or (run[nxt] if run[nxt].isdecimal() else None)
        if digit is None:
            break
        digits, nxt = digits + digit, nxt + 1
    if digits:
        return digits, nxt
    pair = _below_hundred(run, at + 1, table)
    return (str(pair[0]), pair[1]) if pair is not None else None


def _leading_point(run: Sequence[str], table: NumeralTable) -> Numeral | None:
    if len(run) > 1 and run[0] in table.digit_zero:
        decimals = _decimals(run, 1, table)
    elif run and run[0] in table.leading_point:
        decimals = _decimals(run, 0, table)
    else:
        return None
    if decimals is None:
        return None
    digits, used = decimals
    return Numeral(Fraction(int(digits), 10 ** len(digits)), used)


def _fraction(run: Sequence[str], at: int, table: NumeralTable) -> tuple[Fraction, int] | None:
    if at + 1 >= len(run) or run[at] != table.joiner:
        return None
    nxt = at + 1
    if run[nxt] in table.articles and nxt + 1 < len(run):
        nxt += 1
    if run[nxt] in table.halves:
        return Fraction(1, 2), nxt + 1
    if nxt > at + 1 and run[nxt] in table.quarters:
        return Fraction(1, 4), nxt + 1
    return None


def _lone_fraction(run: Sequence[str], table: NumeralTable) -> Numeral | None:
    """Read "half a tablet", "a quarter of an hour", "meio comprimido": a fraction of one thing."""
    at = 1 if len(run) > 1 and run[0] in table.articles and (run[1] in table.halves or run[1] in table.quarters) else 0
    if not run or at >= len(run):
        return None
    following = run[at + 1] if at + 1 < len(run) else ""
    if run[at] in table.halves and following not in table.no_half_before:
        skip = 1 if table.article_behind_half and following in table.articles else 0
        return Numeral(Fraction(1, 2), at + 1 + skip)
    if run[at] in table.quarters and at == 1 and following in table.part_of:
        return Numeral(Fraction(1, 4), at + 3 if at + 2 < len(run) and run[at + 2] in table.articles else at + 2)
    return None


def digits_value(raw: str, table: NumeralTable | None) -> Fraction | None:
    """Read a written number such as "0.5", "0,5", "1,000" or "1.000" by the language's own separators.

    Args:
        raw: The signs.
        table: The language's marks; None for a language without any here, which is read by "." for decimals.

    Returns:
        The exact value; None when the separators fit no reading in that language.
    """
    decimal, thousands = (table.decimal_mark, table.thousands_mark) if table is not None else (".", ",")
    head, _, tail = raw.partition(decimal)
    groups = head.split(thousands)
    grouped = len(groups) > 1 and all(len(g) == 3 for g in groups[1:]) and 0 < len(groups[0]) <= 3 and groups[0] != "0"
    if not head or (len(groups) > 1 and not grouped):
        return _other_decimal(raw, thousands)
    whole = "".join(groups)
    if not whole.isdecimal() or (decimal in raw and not tail.isdecimal()):
        return None
    return Fraction(int(whole)) + (Fraction(int(tail), 10 ** len(tail)) if tail else 0)


def _other_decimal(raw: str, mark: str) -> Fraction | None:
    """The other language's decimal mark, accepted only where it can be nothing else ("0.5" in Portuguese text)."""
    head, _, tail = raw.partition(mark)
    if not head.isdecimal() or not tail.isdecimal() or (len(tail) == 3 and head != "0"):
        return None
    return Fraction(int(head)) + Fraction(int(tail), 10 ** len(tail))
