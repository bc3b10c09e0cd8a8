"""Spoken and written numbers, brought to one exact value each, per language.

Owns the number words of English and European Portuguese. Never rounds and never guesses: what is not a well-formed
number stays the words it was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

_EN_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
).split()
_EN_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_PT_SMALL = (
    "zero um dois tres quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezasseis "
    "dezassete dezoito dezanove"
).split()
_PT_TENS = "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa".split()
_PT_HUNDREDS = "cento duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos".split()


@dataclass(frozen=True, slots=True)
class NumeralTable:
    """The number words of one language, folded (lower case, no accents).

    Parameters:
        small: 0 to 19.
        tens: 20 to 90.
        hundreds: Words that are hundreds by themselves, such as "duzentos".
        hundred: Words that multiply by a hundred ("hundred"), or None where the language has none.
        thousand: Words that multiply by a thousand.
        point: Words between the whole and the decimal digits.
        joiner: The word inside a compound number, "and" or "e".
        halves: Words for a half after a joiner ("and a half", "e meia").
        quarters: Words for a quarter after a joiner and an article.
        articles: Words that may stand before a multiplier or a fraction ("a hundred").
        digit_zero: Extra words for the digit zero in digit strings ("oh", "nought").
        repeaters: Words that repeat the next digit, with how often ("double", "triple").
        single_is_word: Number words that alone are mostly another word ("um" is also an article); never joined to digit
            strings by themselves.
    """

    small: Mapping[str, int]
    tens: Mapping[str, int]
    hundreds: Mapping[str, int]
    hundred: frozenset[str]
    thousand: frozenset[str]
    point: frozenset[str]
    joiner: str
    halves: frozenset[str]
    quarters: frozenset[str]
    articles: frozenset[str]
    digit_zero: frozenset[str] = frozenset()
    repeaters: Mapping[str, int] = field(default_factory=dict[str, int])


EN = NumeralTable(
    small={w: i for i, w in enumerate(_EN_SMALL)},
    tens={w: 20 + 10 * i for i, w in enumerate(_EN_TENS)} | {"fourty": 40},
    hundreds={},
    hundred=frozenset({"hundred"}),
    thousand=frozenset({"thousand"}),
    point=frozenset({"point"}),
    joiner="and",
    halves=frozenset({"half"}),
    quarters=frozenset({"quarter"}),
    articles=frozenset({"a", "an"}),
    digit_zero=frozenset({"oh", "o", "nought", "naught"}),
    repeaters={"double": 2, "triple": 3, "treble": 3},
)
PT = NumeralTable(
    small={w: i for i, w in enumerate(_PT_SMALL)}
    | {"uma": 1, "duas": 2, "quatorze": 14, "dezesseis": 16, "dezessete": 17, "dezenove": 19},
    tens={w: 20 + 10 * i for i, w in enumerate(_PT_TENS)} | {"cinqüenta": 50},
    hundreds={w: 100 * (i + 1) for i, w in enumerate(_PT_HUNDREDS)}
    | {"cem": 100}
    | {w[:-2] + "as": 100 * (i + 2) for i, w in enumerate(_PT_HUNDREDS[1:])},
    hundred=frozenset(),
    thousand=frozenset({"mil"}),
    point=frozenset({"virgula", "ponto"}),
    joiner="e",
    halves=frozenset({"meio", "meia"}),
    quarters=frozenset({"quarto"}),
    articles=frozenset({"um", "uma"}),
    repeaters={},
)
TABLES: Mapping[str, NumeralTable] = {"en": EN, "pt": PT}


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
    skip = 1 if table.joiner == "e" and nxt < len(run) and run[nxt] == "e" else 0
    if nxt + skip < len(run) and 0 < table.small.get(run[nxt + skip], 0) < 10 and (skip or table.joiner != "e"):
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
    if len(run) > 1 and run[0] in table.digit_zero - {"oh", "o"}:
        decimals = _decimals(run, 1, table)
    elif run and run[0] in table.point - {"ponto"}:
        decimals = _decimals(run, 0, table)
    elif len(run) > 1 and run[0] in table.digit_zero and run[1] in table.point:
        decimals = _decimals(run, 1, table)
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
    if run[at] in table.halves and following not in {"past", "dia", "noite"}:
        skip = 1 if following in table.articles and table.joiner == "and" else 0
        return Numeral(Fraction(1, 2), at + 1 + skip)
    if run[at] in table.quarters and at == 1 and following in {"of", "de"}:
        return Numeral(Fraction(1, 4), at + 3 if at + 2 < len(run) and run[at + 2] in table.articles else at + 2)
    return None


def digits_value(raw: str, language: str) -> Fraction | None:
    """Read a written number such as "0.5", "0,5", "1,000" or "1.000" by the language's own separators.

    Returns:
        The exact value; None when the separators fit no reading in that language.
    """
    decimal, thousands = (",", ".") if language == "pt" else (".", ",")
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
