"""Amounts in a text: durations, doses, distances, counts and rates, each exact and with its words.

Owns finding amounts and comparing them. Two amounts are the same only when their units convert exactly, or a month
stands
for its weeks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from obligations.coverage.lexicon.amounts import AmountWords, amount_words
from obligations.coverage.text import Token

_TO_HOURS = {
    "sec": Fraction(1, 3600),
    "min": Fraction(1, 60),
    "hour": Fraction(1),
    "day": Fraction(24),
    "week": Fraction(168),
    "month": Fraction(730),
    "year": Fraction(8760),
}
_SCALES: dict[str, tuple[str, Fraction]] = {
    **{unit: ("time", factor) for unit, factor in _TO_HOURS.items()},
    "mcg": ("mass", Fraction(1, 1000)),
    "mg": ("mass", Fraction(1)),
    "g": ("mass", Fraction(1000)),
    "kg": ("mass", Fraction(1_000_000)),
    "ml": ("volume", Fraction(1)),
    "l": ("volume", Fraction(1000)),
    "mm": ("length", Fraction(1)),
    "cm": ("length", Fraction(10)),
    "m": ("length", Fraction(1000)),
    "km": ("length", Fraction(1_000_000)),
    "degree": ("degree", Fraction(1)),
    "%": ("share", Fraction(1)),
    "unit": ("unit", Fraction(1)),
    "mmol": ("mmol", Fraction(1)),
    "mmhg": ("mmhg", Fraction(1)),
}
_MONTHS_TOLERANCE = Fraction(1, 10)
_WORDS_NEAR = 3
_LIMIT_WORDS_NEAR = 9
"""So many words behind an amount its limit may still be named ("a litre and a half of fluid a day is the most")."""
_UNIT_LETTERS_MIN = 3
_DAYS_OF = {"hour": Fraction(1, 24), "day": Fraction(1), "week": Fraction(7), "month": Fraction(30)}


class Bound(StrEnum):
    """Whether an amount is a lower bound, an upper bound, or itself."""

    EXACT = "exact"
    OVER = "over"
    UNDER = "under"


@dataclass(frozen=True, slots=True)
class Amount:
    """One amount with the tokens it stands in.

    Parameters:
        dimension: "time", "mass", "volume", "length", "degree", "share", "unit", "mmol", "mmhg", "rate" or "count".
        value: In the dimension's base unit (hours, mg, ml, mm; times a day for "rate"); the bare number for "count".
        bound: Lower bound, upper bound, or exact.
        first: Index of its first token. last: index of its last.
        months: Whether it was said in months, which are only about four weeks each.
        spoken: The number as it was said, before any conversion.
        negator: Index of the negation that turned a lower bound into an upper one ("never more than eight"), -1 if
            none.
        after: Whether it is a lower bound only because it says after how long ("after fifteen minutes").
    """

    dimension: str
    value: Fraction
    bound: Bound
    first: int
    last: int
    months: bool = False
    spoken: Fraction = Fraction(0)
    negator: int = -1
    after: bool = False

    def same_value(self, other: Amount) -> bool:
        """Say whether both are the same amount, bounds apart."""
        if self.dimension != other.dimension:
            return False
        if self.value == other.value:
            return True
        if self.dimension == "time" and (self.months or other.months):
            return abs(self.value - other.value) <= _MONTHS_TOLERANCE * max(self.value, other.value)
        return False


def amounts(tokens: Sequence[Token], language: str) -> tuple[Amount, ...]:
    """Find the amounts in a token sequence, in order; an amount that was corrected at once is left out."""
    words = amount_words(language)
    if words is None:
        return ()
    found: list[Amount] = []
    i = 0
    while i < len(tokens):
        amount = _amount_at(tokens, i, words)
        if amount is None:
            i += 1
            continue
        found.append(amount)
        i = amount.last + 1
    found = [_with_range(tokens, a, found[k + 1 :], words) for k, a in enumerate(found)]
    standing: list[Amount] = []
    taken_back: Amount | None = None
    for k, amount in enumerate(found):
        if _corrected(tokens, amount, found[k + 1 :], words):
            taken_back = _limited(tokens, amount, words)
            continue
        limited = _limited(tokens, amount, words)
        standing.append(limited if taken_back is None else _in_place_of(taken_back, limited, tokens, words))
        taken_back = None
    return tuple(standing)


def _with_range(tokens: Sequence[Token], amount: Amount, later: Sequence[Amount], words: AmountWords) -> Amount:
    """Give the first number of a range the unit of the second ("four to six weeks")."""
    if amount.dimension != "count" or not later or later[0].first != amount.last + 2 or not later[0].spoken:
        return amount
    end = later[0]
    if tokens[amount.last + 1].norm not in words.to or end.dimension in {"count", "rate", "clock"}:
        return amount
    scaled = amount.value * end.value / end.spoken
    return replace(amount, dimension=end.dimension, value=scaled, months=end.months)


def _in_place_of(wrong: Amount, right: Amount, tokens: Sequence[Token], words: AmountWords) -> Amount:
    """Give a correction what it leaves unsaid of the amount it mends: the bound, and the unit ("two, sorry, four")."""
    if right.dimension == "count" and wrong.dimension == "time" and wrong.spoken and tokens[right.first].value:
        right = replace(right, dimension="time", value=wrong.value / wrong.spoken * right.value, months=wrong.months)
    if right.bound is Bound.EXACT and wrong.dimension in {right.dimension, "count"}:
        right = replace(right, bound=wrong.bound, negator=wrong.negator, after=wrong.after)
    return right


def _limited(tokens: Sequence[Token], amount: Amount, words: AmountWords) -> Amount:
    """Turn a negated lower bound into the upper bound it is, and note which negation a bound has used up."""
    if amount.bound is Bound.EXACT:
        return amount
    for k in range(amount.first - 1, max(-1, amount.first - 8), -1):
        if tokens[k].norm in words.negators:
            least = any(t.norm in words.less for t in tokens[k + 1 : amount.first])
            return replace(amount, bound=Bound.OVER if least else Bound.UNDER, negator=k)
        if tokens[k].opens_clause or tokens[k].norm not in words.limit_verbs:
            break
    return amount


def _amount_at(tokens: Sequence[Token], i: int, words: AmountWords) -> Amount | None:
    interval = _interval(tokens, i, words)
    if interval is not None:
        return interval
    times = words.times.get(tokens[i].norm)
    if times is not None:
        return _rate(tokens, i, i, Fraction(times), words)
    whole = _single_unit(tokens, i, words)
    if whole is not None:
        return whole
    token = tokens[i]
    if token.value is None or (token.norm in words.articles and not _counts(tokens, i, words)):
        return None
    if token.is_time:
        return Amount("clock", token.value, Bound.EXACT, i, i)
    unit_at = _unit_after(tokens, i, words)
    if unit_at is not None:
        return _with_unit(tokens, i, unit_at, words)
    if i + 1 < len(tokens) and tokens[i + 1].norm in words.times_nouns:
        return _rate(tokens, i, i + 1, token.value, words)
    rate = _rate_after(tokens, i, words)
    if rate is not None and i + 1 < len(tokens):
        return Amount("rate", token.value / rate[0], _bound(tokens, i, rate[1], words), i, i, spoken=token.value)
    return Amount("count", token.value, _count_bound(tokens, i, words), i, i, spoken=token.value)


def _count_bound(tokens: Sequence[Token], i: int, words: AmountWords) -> Bound:
    """The bound of a count, whose noun may stand between ("eight tablets is the most")."""
    for last in (i, i + 1, i + 2):
        if last >= len(tokens) or (last > i and tokens[last].before):
            break
        bound = _bound(tokens, i, last, words)
        if bound is not Bound.EXACT:
            return bound
    return Bound.EXACT


def _counts(tokens: Sequence[Token], i: int, words: AmountWords) -> bool:
    """Portuguese "um" counts only before a unit, or as "uma vez por dia"; elsewhere it is an article."""
    if i + 1 >= len(tokens) or tokens[i + 1].before:
        return False
    once = tokens[i + 1].norm in words.times_nouns and _rate_after(tokens, i + 1, words) is not None
    return tokens[i + 1].norm in _SCALES or once


def _unit_after(tokens: Sequence[Token], i: int, words: AmountWords) -> int | None:
    for k in range(i + 1, min(i + 3, len(tokens))):
        if tokens[k].before:
            return None
        if _unit_of(tokens[k], words) in _SCALES:
            return k
        if tokens[k].norm not in words.before_unit:
            return None
    return None


def _with_unit(tokens: Sequence[Token], i: int, unit_at: int, words: AmountWords) -> Amount:
    unit = _unit_of(tokens[unit_at], words)
    dimension, factor = _SCALES[unit]
    value = tokens[i].value
    assert value is not None
    part, last = _part_behind(tokens, unit_at, words) if value.denominator == 1 else (Fraction(0), unit_at)
    value += part
    if unit == "day" and value in words.weeks_said_in_days:
        value = words.weeks_said_in_days[int(value)]
    bound, after = _bound_after(tokens, i, last, words)
    return Amount(dimension, value * factor, bound, i, last, unit in {"month", "year"}, value, after=after)


def _unit_of(token: Token, words: AmountWords) -> str:
    """The unit a token names; nights are counted as days."""
    return "day" if token.norm in words.nights else token.norm


def _part_behind(tokens: Sequence[Token], unit_at: int, words: AmountWords) -> tuple[Fraction, int]:
    """Read the "and a half" of "a litre and a half": the part of one more unit, and where it ends."""
    if unit_at + 2 < len(tokens) and tokens[unit_at + 1].norm == words.joiner:
        part = tokens[unit_at + 2]
        behind = tokens[unit_at + 3].norm if unit_at + 3 < len(tokens) and not tokens[unit_at + 3].before else ""
        fits = part.value in {Fraction(1, 2), Fraction(1, 4)} and behind not in words.portions
        if fits and part.value is not None and not tokens[unit_at + 1].before:
            return part.value, unit_at + 2
    return Fraction(0), unit_at


def _single_unit(tokens: Sequence[Token], i: int, words: AmountWords) -> Amount | None:
    """A unit that stands for one of itself ("a whole month", "a fortnight"), never as a rate ("twice a day")."""
    token = tokens[i]
    if token.norm in words.fortnight:
        return Amount("time", Fraction(336), _bound(tokens, i, i, words), i, i)
    part, last = _part_behind(tokens, i, words)
    before = [t.norm for t in tokens[max(0, i - 3) : i]]
    if part and token.norm in _SCALES and len(tokens[i].lower) >= _UNIT_LETTERS_MIN:
        dimension, factor = _SCALES[token.norm]
        bound, after = _bound_after(tokens, i, last, words)
        months = token.norm in {"month", "year"}
        return Amount(dimension, (1 + part) * factor, bound, i, last, months, 1 + part, after=after)
    if token.norm not in {"hour", "day", "week", "month", "year"}:
        return None
    ordinal = _numbered(tokens, i, words)
    if ordinal is not None:
        return ordinal
    one = len(before) >= 2 and before[-1] in words.one and before[-2] in words.before_one
    first = bool(before) and before[-1] in words.first and token.norm in {"week", "month"}
    if tokens[i].before or not (one or first or any(w in words.one_whole for w in before)):
        return None
    if any(t.value is not None and t.norm not in words.articles for t in tokens[max(0, i - 3) : i]):
        return None
    dimension, factor = _SCALES[token.norm]
    return Amount(dimension, factor, _bound(tokens, i, i, words), i, i, token.norm in {"month", "year"})


def _numbered(tokens: Sequence[Token], i: int, words: AmountWords) -> Amount | None:
    """Read "until week twelve" as twelve weeks."""
    if i + 1 >= len(tokens) or tokens[i + 1].before or i == 0 or tokens[i - 1].norm not in words.until:
        return None
    value = tokens[i + 1].value
    behind = tokens[i + 2].norm if i + 2 < len(tokens) and not tokens[i + 2].before else ""
    if value is None or value.denominator != 1 or behind in _SCALES:
        return None
    dimension, factor = _SCALES[tokens[i].norm]
    return Amount(dimension, value * factor, Bound.EXACT, i, i + 1, tokens[i].norm == "month", value)


def _interval(tokens: Sequence[Token], i: int, words: AmountWords) -> Amount | None:
    """Read "every eight hours" and "de oito em oito horas" as so many times a day."""
    norms = [t.norm for t in tokens[i : i + 6]]
    if (
        norms[:1]
        and norms[0] in words.every
        and len(norms) > 2
        and tokens[i + 1].value is not None
        and norms[2] in _DAYS_OF
    ):
        value = tokens[i + 1].value
        days = (value or Fraction(0)) * _DAYS_OF[norms[2]]
        return Amount("rate", 1 / days, Bound.EXACT, i, i + 2) if days else None
    by_steps = len(norms) >= 5 and norms[0] == "de" and norms[2] == "em" and norms[1] == norms[3]
    if by_steps and norms[4] in _DAYS_OF:
        value = tokens[i + 1].value
        days = (value or Fraction(0)) * _DAYS_OF[norms[4]]
        return Amount("rate", 1 / days, Bound.EXACT, i, i + 4) if days else None
    return None


def _rate(tokens: Sequence[Token], first: int, last: int, value: Fraction, words: AmountWords) -> Amount | None:
    rate = _rate_after(tokens, last, words)
    if rate is None:
        return Amount("count", value, _bound(tokens, first, last, words), first, last, spoken=value)
    return Amount("rate", value / rate[0], _bound(tokens, first, rate[1], words), first, rate[1], spoken=value)


def _rate_after(tokens: Sequence[Token], at: int, words: AmountWords) -> tuple[Fraction, int] | None:
    """The days of one period after `at` ("a day", "por semana"), and where it ends."""
    for width in (2, 1):
        norms = tuple(t.norm for t in tokens[at + 1 : at + 1 + width])
        if len(norms) == width and norms in words.rates:
            return words.rates[norms], at + width
    return None


def _bound(tokens: Sequence[Token], first: int, last: int, words: AmountWords) -> Bound:
    start = first
    while start > max(0, first - 5) and not tokens[start].before:
        start -= 1
    stop = last + 1
    while stop < min(len(tokens), last + 1 + _WORDS_NEAR) and not tokens[stop].before:
        stop += 1
    before = " ".join(_spelled(t) for t in tokens[start:first])
    after = " ".join(_spelled(t) for t in tokens[last + 1 : stop])
    if words.under_before.search(before) or words.under_after.match(after) or _limit_behind(tokens, last, words):
        return Bound.UNDER
    if words.over_before.search(before) or words.over_after.match(after):
        return Bound.OVER
    if tokens[last].norm in {"min", "hour", "day", "week"} and words.after.search(before):
        return Bound.OVER
    return Bound.EXACT


def _bound_after(tokens: Sequence[Token], first: int, last: int, words: AmountWords) -> tuple[Bound, bool]:
    """The bound of a duration, and whether it is a lower one only because it says after how long."""
    bound = _bound(tokens, first, last, words)
    start = max(0, first - 3)
    before = " ".join(t.norm for t in tokens[start:first])
    return bound, bound is Bound.OVER and words.after.search(before) is not None


def _limit_behind(tokens: Sequence[Token], last: int, words: AmountWords) -> bool:
    """Whether a limit is named behind the amount, in its clause ("... of fluid a day is your top limit")."""
    stop = last + 1
    while stop < min(len(tokens), last + 1 + _LIMIT_WORDS_NEAR) and not tokens[stop].before:
        if tokens[stop].value is not None and tokens[stop].norm not in words.articles:
            break
        stop += 1
    return words.under_behind.search(" ".join(_spelled(t) for t in tokens[last + 1 : stop])) is not None


def _spelled(token: Token) -> str:
    """The word a phrase is written with: Portuguese "é" apart from "e"."""
    return "eh" if token.lower == "é" else token.norm


def _corrected(tokens: Sequence[Token], amount: Amount, later: Sequence[Amount], words: AmountWords) -> bool:
    """Whether a correction and another amount of the kind follow at once: "two, sorry, four weeks"."""
    if not later or later[0].first - amount.last > 6:
        return False
    between = " ".join(t.norm for t in tokens[amount.last + 1 : later[0].first])
    bare = between.split()
    return words.correction.search(between) is not None or (len(bare) <= 2 and bool(set(bare) & words.negators))
