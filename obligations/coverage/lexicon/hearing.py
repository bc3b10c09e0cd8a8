"""Words a recogniser writes for another that sounds the same, each only where it can be nothing else.

Owns the words only. A pair is listed where the word as written makes no sense in its place; no number, no medicine and
no word of negation is ever put for another, save a digit between a ten and its unit ("seventy to hours").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from obligations.coverage.text import base_language


@dataclass(frozen=True, slots=True, kw_only=True)
class HearingWords:
    """One language's misheard words, over token norms.

    Parameters:
        anywhere: Words that are put for another wherever they stand.
        behind_number: Words that are a unit right behind a number or an article ("two ours").
        unit_digits: Words that are a digit between a ten and a unit ("seventy to hours").
        units: Words before which such a digit stands.
        phrases: Runs of words that are one word.
        before_week: Words before "weak" that make it a week. joins_number: words inside a number ("one and a half").
    """

    anywhere: Mapping[str, str]
    behind_number: Mapping[str, str]
    unit_digits: Mapping[str, int]
    units: frozenset[str]
    phrases: Mapping[tuple[str, ...], str]
    before_week: frozenset[str]
    joins_number: frozenset[str]


_EN = HearingWords(
    anywhere={
        "knight": "night",
        "knights": "nights",
        "daze": "day",
        "saws": "sores",
        "soar": "sore",
        "soars": "sores",
        "bleading": "bleeding",
    },
    behind_number={
        "ours": "hour",
        "our": "hour",
        "daze": "day",
        "weak": "week",
        "weaks": "week",
        "leaders": "l",
        "leader": "l",
        "liters": "l",
        "meters": "m",
        "mills": "ml",
        "minuets": "min",
    },
    unit_digits={"to": 2, "too": 2, "two": 2, "for": 4, "fore": 4, "won": 1, "ate": 8},
    units=frozenset("hour day week month min ours weeks weak daze".split()),
    phrases={
        ("a", "an", "e"): "a&e",
        ("a", "n", "e"): "a&e",
        ("a", "end", "e"): "a&e",
        ("straight", "a", "way"): "straightaway",
        ("right", "a", "way"): "straightaway",
        ("all", "write"): "alright",
        ("all", "rite"): "alright",
        ("after", "words"): "afterwards",
        ("to", "morrow"): "tomorrow",
    },
    joins_number=frozenset({"and", "a"}),
    before_week=frozenset({"a", "every", "each", "per", "one", "first"}),
)
_PT = HearingWords(
    anywhere={},
    behind_number={"oras": "hour", "ora": "hour", "meses": "month"},
    unit_digits={},
    units=frozenset(),
    phrases={("em", "fermeira"): "enfermeira", ("de", "pois"): "depois", ("a", "gora"): "agora"},
    joins_number=frozenset({"e", "um", "uma"}),
    before_week=frozenset(),
)
_BY_LANGUAGE: Mapping[str, HearingWords] = {"en": _EN, "pt": _PT}


def hearing_words(language: str) -> HearingWords | None:
    """Give a language's misheard words; None when we have none for it."""
    return _BY_LANGUAGE.get(base_language(language))
