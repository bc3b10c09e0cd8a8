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
    """

    dimension: str
    value: Fraction
    bound: Bound
    first: int
    last: int
    months: bool = False
    spoken: Fraction = Fraction(0)
    negator: int = -1

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
    standing = [a for k, a in enumerate(found) if not _corrected(tokens, a, found[k + 1 :], words)]
    return tuple(_limited(tokens, a, words) for a in standing)


def _limited(tokens: Sequence[Token], amount: Amount, words: AmountWords) -> Amount:
    """Turn a negated lower bound into the upper bound it is, and note which negation a bound has used up."""
    if amount.bound is Bound.EXACT:
        return amount
    for k in range(amount.first - 1, max(-1, amount.first - 8), -1):
        if tokens[k].norm in words.negators:
            return replace(amount, bound=Bound.UNDER, negator=k)
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
    if token.value is None or (token.norm in words.articles and not _counts(tokens, i)):
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


def _counts(tokens: Sequence[Token], i: int) -> bool:
    """Portuguese "um" counts only before a unit or a dose word; elsewhere it is an article."""
    return i + 1 < len(tokens) and tokens[i + 1].norm in _SCALES and not tokens[i + 1].before


def _unit_after(tokens: Sequence[Token], i: int, words: AmountWords) -> int | None:
    for k in range(i + 1, min(i + 3, len(tokens))):
        if tokens[k].before:
            return None
        if tokens[k].norm in _SCALES:
            return k
        if tokens[k].norm not in words.before_unit:
            return None
    return None


def _with_unit(tokens: Sequence[Token], i: int, unit_at: int, words: AmountWords) -> Amount:
    dimension, factor = _SCALES[tokens[unit_at].norm]
    value = tokens[i].value
    assert value is not None
    months = tokens[unit_at].norm in {"month", "year"}
    return Amount(dimension, value * factor, _bound(tokens, i, unit_at, words), i, unit_at, months, value)


def _single_unit(tokens: Sequence[Token], i: int, words: AmountWords) -> Amount | None:
    """A unit that stands for one of itself ("a whole month", "a fortnight"), never as a rate ("twice a day")."""
    token = tokens[i]
    if token.norm in words.fortnight:
        return Amount("time", Fraction(336), _bound(tokens, i, i, words), i, i)
    if token.norm not in {"hour", "day", "week", "month", "year"}:
        return None
    before = [t.norm for t in tokens[max(0, i - 3) : i]]
    one = len(before) >= 2 and before[-1] in words.one and before[-2] in words.before_one
    if tokens[i].before or not (one or any(w in words.one_whole for w in before)):
        return None
    if any(t.value is not None and t.norm not in words.articles for t in tokens[max(0, i - 3) : i]):
        return None
    dimension, factor = _SCALES[token.norm]
    return Amount(dimension, factor, _bound(tokens, i, i, words), i, i, token.norm in {"month", "year"})


def _interval(tokens: Sequence[Token], i: int, words: AmountWords) -> Amount | None:
    """Read "every eight hours" and "de oito em oito horas" as so many times a day."""
    norms = [t.norm for t in tokens[i : i + 6]]
    if (
        norms[:1]
        and norms[0] in words.every
        and len(norms) > 2
        and tokens[i + 1].value is not None
        and norms[2] == "hour"
    ):
        value = tokens[i + 1].value
        return Amount("rate", 24 / value, Bound.EXACT, i, i + 2) if value else None
    if len(norms) >= 5 and norms[0] == "de" and norms[2] == "em" and norms[1] == norms[3] and norms[4] == "hour":
        value = tokens[i + 1].value
        return Amount("rate", 24 / value, Bound.EXACT, i, i + 4) if value else None
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
    before = " ".join(t.norm for t in tokens[start:first])
    after = " ".join(t.norm for t in tokens[last + 1 : stop])
    if words.under_before.search(before) or words.under_after.match(after):
        return Bound.UNDER
    if words.over_before.search(before) or words.over_after.match(after):
        return Bound.OVER
    if tokens[last].norm in {"hour", "day", "week"} and words.after.search(before):
        return Bound.OVER
    return Bound.EXACT


def _corrected(tokens: Sequence[Token], amount: Amount, later: Sequence[Amount], words: AmountWords) -> bool:
    """Whether a correction and another amount of the kind follow at once: "two, sorry, four weeks"."""
    if not later or later[0].first - amount.last > 6:
        return False
    between = " ".join(t.norm for t in tokens[amount.last + 1 : later[0].first])
    bare = between.split()
    return words.correction.search(between) is not None or (len(bare) <= 2 and bool(set(bare) & words.negators))
