"""Amounts that people say in words no numeral reader knows: a dozen, a litre and a quarter, litro e meio.

Owns writing them in figures before values are read. Never converts between units.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from obligations.coverage.text import base_language

_Rule = tuple[re.Pattern[str], Callable[[re.Match[str]], str]]
_EN_UNIT = (
    r"(litre|liter|kilo|pint|tablet|pill|cup|glass|mile|point|hour|bottle|slice|stone|unit|spoon|spoonful"
    r"|jug|mug|can)s?"
)
_PT_UNIT = r"(litro|quilo|comprimido|copo|hora|garrafa|unidade|colher)s?"
_WHOLE_EN = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_WHOLE_PT = {"um": 1, "uma": 1, "dois": 2, "duas": 2, "tres": 3, "três": 3, "quatro": 4, "cinco": 5, "": 1}
_PART_EN = {"half": 0.5, "quarter": 0.25, "bit": 0.0, "third": 0.33, "three quarters": 0.75}
_PART_PT = {"meio": 0.5, "meia": 0.5, "quarto": 0.25}


def _figure(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


_ONES = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_TEENS = tuple("ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split())
_ONES_PT = ("um", "dois", "três", "quatro", "cinco", "seis", "sete", "oito", "nove")


def _below_hundred(words: str) -> int:
    first, *rest = re.split(r"[\s-]+", words.lower())
    if first in _TEENS:
        return 10 + _TEENS.index(first)
    return 20 + 10 * _TENS.index(first) + (1 + _ONES.index(rest[0]) if rest else 0)


def _rules_en() -> Sequence[_Rule]:
    whole = "|".join(_WHOLE_EN)
    ones, tens, teens = "|".join(_ONES), "|".join(_TENS), "|".join(_TEENS)
    unlike = r"(?!\s+(?:minutes?|hours?|days?|weeks?|months?|years?|o'?clock|am|pm|hundred|pound|times?))"
    return (
        (
            re.compile(rf"\bthirty[\s-]+({'|'.join(_ONES[3:])})[\s-]+(nought|oh|zero|{ones})\b{unlike}", re.IGNORECASE),
            lambda m: (
                f"{31 + _ONES.index(m[1].lower())}.{1 + _ONES.index(m[2].lower()) if m[2].lower() in _ONES else 0}"
            ),
        ),
        (
            re.compile(
                rf"\b({'|'.join(_ONES[:5])})\s+((?:{tens})(?:[\s-]+(?:{ones}))?|{teens})\b{unlike}", re.IGNORECASE
            ),
            lambda m: str(100 * (1 + _ONES.index(m[1].lower())) + _below_hundred(m[2])),
        ),
        (
            re.compile(rf"\b({'|'.join(_ONES[:5])})\s+oh\s+({ones})\b", re.IGNORECASE),
            lambda m: str(100 * (1 + _ONES.index(m[1].lower())) + 1 + _ONES.index(m[2].lower())),
        ),
        (
            re.compile(rf"\b({whole})\s+{_EN_UNIT}\s+and\s+(?:a\s+)?(half|quarter|three\s+quarters)\b", re.IGNORECASE),
            lambda m: f"{_figure(_WHOLE_EN[m[1].lower()] + _PART_EN[' '.join(m[3].lower().split())])} {m[2]}s",
        ),
        (
            re.compile(rf"\b({whole})\s+and\s+(?:a\s+|one\s+)?(quarter|three\s+quarters)\b", re.IGNORECASE),
            lambda m: _figure(_WHOLE_EN[m[1].lower()] + _PART_EN[" ".join(m[2].lower().split())]),
        ),
        (re.compile(rf"\bhalf\s+an?\s+{_EN_UNIT}\b", re.IGNORECASE), lambda m: f"0.5 {m[1]}"),
        (
            re.compile(rf"\b(?:three\s+quarters|(a\s+)?quarter)\s+of\s+an?\s+{_EN_UNIT}\b", re.IGNORECASE),
            lambda m: f"{'0.75' if m[0].lower().startswith('three') else '0.25'} {m[2]}",
        ),
        (re.compile(r"\b(?:half\s+a|a\s+half)[\s-]+dozen\b", re.IGNORECASE), lambda _: "6"),
        (re.compile(r"\b(?:a\s+)?baker['’]?s\s+dozen\b", re.IGNORECASE), lambda _: "13"),
        (re.compile(r"\bdozen\s+and\s+a\s+half\b", re.IGNORECASE), lambda _: "18"),
        (re.compile(r"\btwo\s+dozen\b", re.IGNORECASE), lambda _: "24"),
        (re.compile(r"\b(?:a|one)\s+(?:round\s+|full\s+|good\s+)?dozen\b", re.IGNORECASE), lambda _: "12"),
        (re.compile(r"\b(?:a\s+)?pair\s+of\s+(?:them|those|tablets|pills)\b", re.IGNORECASE), lambda _: "2"),
        (re.compile(r"\b(?:a|one)\s+score\b", re.IGNORECASE), lambda _: "20"),
    )


def _rules_pt() -> Sequence[_Rule]:
    whole = "|".join(key for key in _WHOLE_PT if key)
    ones = "|".join(_ONES_PT)
    return (
        (
            re.compile(rf"\btrinta\s+e\s+({'|'.join(_ONES_PT[4:])})\s+(?:e\s+|vírgula\s+)?({ones})\b", re.IGNORECASE),
            lambda m: f"{31 + _ONES_PT.index(m[1].lower())},{1 + _ONES_PT.index(m[2].lower())}",
        ),
        (
            re.compile(rf"\b(?:({whole})\s+)?{_PT_UNIT}\s+e\s+(?:um\s+)?(meio|meia|quarto)\b", re.IGNORECASE),
            lambda m: f"{_figure(_WHOLE_PT[(m[1] or '').lower()] + _PART_PT[m[3].lower()])} {m[2]}s",
        ),
        (re.compile(rf"\b(?:meio|meia)\s+{_PT_UNIT}\b", re.IGNORECASE), lambda m: f"0,5 {m[1]}"),
        (re.compile(rf"\b(?:um\s+)?quarto\s+de\s+{_PT_UNIT}\b", re.IGNORECASE), lambda m: f"0,25 {m[1]}"),
        (re.compile(r"\bmeia\s+d[uú]zia\b", re.IGNORECASE), lambda _: "6"),
        (re.compile(r"\bduas\s+d[uú]zias\b", re.IGNORECASE), lambda _: "24"),
        (re.compile(r"\b(?:uma\s+)?d[uú]zia\b", re.IGNORECASE), lambda _: "12"),
    )


_RULES: Mapping[str, Sequence[_Rule]] = {"en": _rules_en(), "pt": _rules_pt()}


def in_figures(text: str, language: str) -> str:
    """Write the amounts of a text in figures ("a litre and a quarter" as "1.25 litres"); the rest stays as it is."""
    for pattern, written in _RULES.get(base_language(language), ()):
        text = pattern.sub(written, text)
    return text
