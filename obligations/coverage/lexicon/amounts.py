"""The words around an amount: bounds, rates, "twice", and what takes an amount back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from obligations.coverage.flat import inside
from obligations.coverage.text import base_language


@dataclass(frozen=True, slots=True, kw_only=True)
class AmountWords:
    """One language's words around amounts, over token norms.

    Parameters:
        times: Adverbs that count ("twice").
        times_nouns: "times".
        rates: Words of a period, as the days in one.
        every: Words that open an interval ("every eight hours").
        one_whole: Words that make a bare unit one of itself ("a whole month").
        before_one: Words after which an article makes a unit one of itself ("within a week").
        one: The articles that do. "Durante a semana" is no week's length.
        fortnight: Words for two weeks.
        articles: Number words that are mostly articles.
        before_unit: Words that may stand between number and unit.
        over_before: Lower bounds before the number, at the end of what precedes it. over_after: after the unit.
        under_before: Upper bounds before the number. under_after: after the unit.
        correction: Words that take the amount before them back.
        after: Words that make a duration a lower bound ("still hot after two days").
        negators: Words that turn a lower bound into an upper one.
        limit_verbs: Words that may stand between such a negation and its bound ("never take more than").
        to: Words between the ends of a range.
        less: Words of an upper bound that a negation turns into a lower one.
        joiner: "and", before the half of "a litre and a half".
        portions: Things a half may be of; behind such a joiner it is then no half of the unit.
        nights: Words for nights, counted as days. first: words that make a week the first one. until: words before a
            numbered week ("until week twelve").
        weeks_said_in_days: Numbers of days that stand for whole weeks ("quinze dias"), as those weeks' days.
        under_behind: Words that name the amount before them a limit, in the same clause.
    """

    times: Mapping[str, int]
    times_nouns: frozenset[str]
    rates: Mapping[tuple[str, ...], Fraction]
    every: frozenset[str]
    one_whole: frozenset[str]
    before_one: frozenset[str]
    one: frozenset[str]
    fortnight: frozenset[str]
    articles: frozenset[str]
    before_unit: frozenset[str]
    over_before: re.Pattern[str]
    over_after: re.Pattern[str]
    under_before: re.Pattern[str]
    under_after: re.Pattern[str]
    correction: re.Pattern[str]
    after: re.Pattern[str]
    negators: frozenset[str]
    limit_verbs: frozenset[str]
    to: frozenset[str]
    less: frozenset[str]
    joiner: str
    portions: frozenset[str]
    nights: frozenset[str]
    first: frozenset[str]
    until: frozenset[str]
    under_behind: re.Pattern[str]
    weeks_said_in_days: Mapping[int, Fraction]


def _rates(words: Mapping[str, Fraction]) -> dict[tuple[str, ...], Fraction]:
    return {tuple(phrase.split()): days for phrase, days in words.items()}


_HOUR, _DAY, _WEEK, _MONTH, _YEAR = Fraction(1, 24), Fraction(1), Fraction(7), Fraction(30), Fraction(365)
_EN = AmountWords(
    times={"once": 1, "twice": 2, "thrice": 3},
    times_nouns=frozenset({"times", "time"}),
    rates=_rates(
        {
            f"{lead} {unit}": days
            for lead in ("a", "an", "every", "each", "per", "the")
            for unit, days in (("day", _DAY), ("week", _WEEK), ("month", _MONTH), ("year", _YEAR), ("hour", _HOUR))
        }
        | {"daily": _DAY, "weekly": _WEEK, "hourly": _HOUR, "monthly": _MONTH}
    ),
    every=frozenset({"every", "each"}),
    one_whole=frozenset("whole full entire complete another".split()),
    before_one=frozenset("in within for after about than over least lasts takes around nearly almost under".split()),
    one=frozenset({"a", "an"}),
    fortnight=frozenset({"fortnight"}),
    articles=frozenset(),
    before_unit=frozenset("full whole more further solid clear good consecutive straight whole".split()),
    over_before=re.compile(
        r"(?:more than|over|above|beyond|past|longer than|greater than|at least|at the least|"
        r"exceeds?|upwards of|further than|higher than|"
        r"goes? over|gone over|reaches|reached|reach|gets? to|hits?|climbs? to|rises? to|goes up to|"
        r"minimum of|no less than|not less than)"
        r"(?: (?:about|around|by|a|the|those|first|another|some))*\Z"
    ),
    over_after=re.compile(
        r"(?:or (?:more|over|above|longer|higher|so)|and (?:over|above|up|more)|plus|at least|"
        r"minimum|upwards)(?!\S)"
    ),
    under_before=re.compile(
        r"(?:no more than|not more than|never more than|less than|under|below|at most|at the most|"
        r"up to|before|prior to|fit in|fits in|fit inside|fits inside|fit into|"
        r"fewer than|lower than|within|inside|maximum of|max|maximum|upper limit of|"
        r"not exceed|never exceed|limit of|maximum is|most is|no longer than|drops below|"
        r"falls below|goes below)(?: (?:about|around|a|an|the|of|those|these))*\Z"
    ),
    under_after=re.compile(
        r"(?:or (?:less|under|below|fewer|lower)|at most|at the most|maximum|max|tops|and no more|"
        r"and not more|is the (?:most|limit|maximum)|or below|at the very most|at the absolute most|max)(?!\S)"
    ),
    after=re.compile(r"(?:after|past|beyond)(?: (?:about|around|the|those))*\Z"),
    negators=frozenset("not no never".split()),
    limit_verbs=frozenset(
        "take have use exceed go be drink eat give do swallow need want ever any more than over "
        "above at least beyond a an the about of "
        "let it you should must to put lift carry at most up within no fewer less under below maximum of".split()
    ),
    correction=inside(
        r"sorry|i mean|i beg|beg your pardon|pardon|rather|correction|actually|make that|"
        r"scratch that|excuse me|i should say|i meant|i nearly said|my mistake|let me correct that"
    ),
    to=frozenset({"to", "or"}),
    less=frozenset("less fewer under below".split()),
    joiner="and",
    weeks_said_in_days={},
    portions=frozenset("tablet tablets pill pills teaspoon spoon spoons sachet sachets glass glasses cup cups".split()),
    nights=frozenset({"nights"}),
    first=frozenset({"first"}),
    until=frozenset("until till to".split()),
    under_behind=inside(
        r"(?:is|are|be|as) (?:about |really )?(?:the|your|my|a|an|our)(?: \w+)? ?(?:most|limit|maximum|max|ceiling|"
        r"top)|"
        r"is (?:as much as|all) (?:\w+ ){0,2}(?:you|you should|your body)|is where (?:you|it) stops?|"
        r"at the (?:very |absolute )?(?:most|maximum|outside)|and no more|and not a drop more|tops|"
        r"is plenty and no more"
    ),
)
_PT = AmountWords(
    times={},
    times_nouns=frozenset({"vezes", "vez"}),
    rates=_rates(
        {
            f"{lead} {unit}": days
            for lead in ("por", "cada", "ao", "a", "todas", "todos", "na", "no")
            for unit, days in (("day", _DAY), ("week", _WEEK), ("month", _MONTH), ("year", _YEAR), ("hour", _HOUR))
        }
        | {"diarias": _DAY, "diarios": _DAY, "semanais": _WEEK}
    ),
    every=frozenset({"cada"}),
    one_whole=frozenset("num numa dum duma inteiro inteira completo completa todo toda mais".split()),
    before_one=frozenset("em durante de ha cerca quase ate dentro por apos".split()),
    one=frozenset({"um", "uma"}),
    fortnight=frozenset({"quinzena"}),
    articles=frozenset({"um", "uma"}),
    before_unit=frozenset("bons boas completos completas inteiros inteiras".split()),
    over_before=re.compile(
        r"(?:mais de|mais do que|mais que|acima de|acima dos|acima das|alem de|alem dos|superior a|"
        r"pelo menos|no minimo|passar de|passar dos|passar do|passe d[eoa]s?|passem d[eoa]s?|"
        r"exceder|chegar a|chegar ao|chegar aos|atingir|"
        r"atingir os|chega a|chega aos|"
        r"ultrapassar|a partir de|a partir dos|minimo de|ao fim de|depois de|passados|"
        r"passadas)(?: (?:cerca de|os|as|uns|umas))*\Z"
    ),
    over_after=re.compile(r"(?:ou (?:mais|superior)|e mais|para cima|no minimo|pelo menos|ou acima)(?!\S)"),
    under_before=re.compile(
        r"(?:nao mais de|nao mais do que|nunca mais de|menos de|menos do que|abaixo de|abaixo dos|"
        r"no maximo|ate|antes d[eoa]s?|antes de passarem|inferior a|maximo de|"
        r"nao passar de|baixar de|baixe de|descer de|desca de|nao tomar mais de|nao tome mais de|"
        r"nao ultrapassar|nao exceder|limite de|"
        r"maximo eh|dentro de|cabem? (?:em|num|numa|dentro d[eoa])|caber (?:em|num|numa|dentro d[eoa])|"
        r"mais de nao)(?: (?:cerca de|os|as|a|aos))*\Z"
    ),
    under_after=re.compile(r"(?:ou menos|no maximo|eh o (?:maximo|limite)|e nao mais|ou abaixo|para baixo)(?!\S)"),
    after=re.compile(r"(?:ao fim de|depois de|passados|passadas|apos)(?: (?:cerca de|os|as|uns|umas))*\Z"),
    negators=frozenset("nao nunca nem".split()),
    limit_verbs=frozenset(
        "tomar tome toma ter usar use beber beba comer coma ir dar de do que mais acima alem "
        "exceder passar ultrapassar o a um uma do da "
        "deve pode dever poder levantar pegar maximo no ate menos dentro abaixo passe passem tomem".split()
    ),
    correction=inside(r"desculpe|perdao|alias|minto|ou melhor|quer dizer|digo|enganei me|queria dizer|corrijo"),
    to=frozenset({"a", "ou"}),
    less=frozenset("menos abaixo inferior".split()),
    joiner="e",
    weeks_said_in_days={15: Fraction(14)},
    portions=frozenset("comprimido comprimidos colher colheres saqueta copo copos".split()),
    nights=frozenset({"noites"}),
    first=frozenset({"primeira", "primeiro"}),
    until=frozenset("ate a as".split()),
    under_behind=inside(
        r"(?:eh|sao|como|seja) (?:o|um|a|seu|o seu)(?: \w+)? ?(?:maximo|limite|teto|mais)|no maximo(?: dos maximos)?|"
        r"e (?:nem|nao) mais|e chega|eh o que pode|no total e nao mais"
    ),
)
_BY_LANGUAGE: Mapping[str, AmountWords] = {"en": _EN, "pt": _PT}


def amount_words(language: str) -> AmountWords | None:
    """Give a language's amount words; None when we have none for it."""
    return _BY_LANGUAGE.get(base_language(language))
