"""The number words and written marks of each language, folded (lower case, no accents).

Owns the words only; how they make a number is `coverage.numerals`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

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
        joins_tens: The joiner stands between tens and units ("vinte e um").
        leading_point: Words of `point` that begin a number below one ("point five").
        no_half_before: Words before which a half is no fraction of one thing ("half past", "meio dia").
        article_behind_half: An article may stand behind a half ("half a tablet").
        part_of: The word between a quarter and the thing ("a quarter of an hour").
        decimal_mark: The sign before written decimals. thousands_mark: the sign between groups of three digits.
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
    joins_tens: bool
    leading_point: frozenset[str]
    no_half_before: frozenset[str]
    article_behind_half: bool
    part_of: frozenset[str]
    decimal_mark: str
    thousands_mark: str
    digit_zero: frozenset[str] = frozenset()
    repeaters: Mapping[str, int] = field(default_factory=dict[str, int])


_EN = NumeralTable(
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
    joins_tens=False,
    leading_point=frozenset({"point"}),
    no_half_before=frozenset({"past"}),
    article_behind_half=True,
    part_of=frozenset({"of"}),
    decimal_mark=".",
    thousands_mark=",",
    digit_zero=frozenset({"oh", "o", "nought", "naught"}),
    repeaters={"double": 2, "triple": 3, "treble": 3},
)
_PT = NumeralTable(
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
    joins_tens=True,
    leading_point=frozenset({"virgula"}),
    no_half_before=frozenset({"dia", "noite"}),
    article_behind_half=False,
    part_of=frozenset({"de"}),
    decimal_mark=",",
    thousands_mark=".",
    repeaters={},
)
_BY_LANGUAGE: Mapping[str, NumeralTable] = {"en": _EN, "pt": _PT}


def numeral_table(language: str) -> NumeralTable | None:
    """Give a language's number words, `language` without its region; None when we have none for it."""
    return _BY_LANGUAGE.get(language)
