"""Where in a text the amounts of a point stand, said in the same units or in others.

Owns the comparison of amounts by place: "every day" for "once a day", a number dictated in groups. Never decides what a
missing amount means.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from obligations.coverage.lexicon.function_words import EVERY
from obligations.coverage.mentions import Reading
from obligations.coverage.quantities import Amount, Bound
from obligations.coverage.slots import Slot

PHONE_MIN = 100_000
"""Smallest number that is dictated in groups."""
UNIT_OPTIONAL = frozenset({"degree", "share", "unit", "mmol", "mmhg"})
SPOKEN_WITHOUT_UNIT_MIN = 10
"""Smallest number of a mass or volume that may be said without its unit ("paracetamol five hundred")."""
_DAYPARTS = frozenset({"MORNING", "EVENING", "NIGHT", "NOON", "AFTERNOON"})
_PERIODS = {
    "EVERY_HOUR": Fraction(1, 24),
    "EVERY_DAY": Fraction(1),
    "EVERY_WEEK": Fraction(7),
    "EVERY_MONTH": Fraction(30),
    "EVERY_YEAR": Fraction(365),
}


@dataclass(frozen=True, slots=True)
class Place:
    """Where one slot or amount stands: token indices, both included."""

    first: int
    last: int


def amount_places(amount: Amount, reading: Reading, conditional: bool) -> list[Place]:
    """Find every place where an amount of the point is said; one of its condition may also be only asked about."""
    out = [
        Place(other.first, other.last)
        for other in reading.amounts
        if (reading.stated[other.first] or (conditional and reading.asked[other.first]))
        and bounds_fit(amount, other)
        and _same_amount(amount, other, reading)
    ]
    if not out and amount.dimension == "count" and amount.value >= PHONE_MIN:
        out.extend(_dictated(amount, reading))
    if not out and amount.dimension == "rate" and amount.value == 1 and not _rated(reading):
        daily = [Place(m.first, m.last) for m in reading.mentions if m.stated and "EVERY_DAY" in m.concepts]
        out.extend(daily or _every_daypart(reading))
    if not out and amount.dimension == "rate" and amount.value == 2:
        parts = [m for m in reading.mentions if m.stated and m.concepts & {"MORNING"}]
        later = [m for m in reading.mentions if m.stated and m.concepts & {"EVENING", "NIGHT"}]
        if parts and later:
            out.append(Place(min(parts[0].first, later[0].first), max(parts[0].last, later[0].last)))
    return out


def _rated(reading: Reading) -> bool:
    return any(a.dimension == "rate" for a in reading.amounts)


def _dictated(amount: Amount, reading: Reading) -> list[Place]:
    """Find a telephone number said in groups with pauses between them ("one one six, one two three")."""
    tokens = reading.source.tokens
    wanted = str(amount.value)
    for first in range(len(tokens)):
        said, k = "", first
        while k < len(tokens) and tokens[k].norm.isdecimal() and reading.stated[k] and len(said) < len(wanted):
            said += tokens[k].norm
            k += 1
        if said == wanted:
            return [Place(first, k - 1)]
    return []


def bounds_fit(wanted: Amount, said: Amount) -> bool:
    """Say whether a bound that was said keeps the bound that is wanted; "at least" keeps a plain duration."""
    if wanted.bound is said.bound or (wanted.after and said.bound is Bound.EXACT):
        return True
    return wanted.bound is Bound.EXACT and said.bound is Bound.OVER and wanted.dimension in {"time", "volume"}


def _same_amount(wanted: Amount, said: Amount, reading: Reading) -> bool:
    if wanted.same_value(said):
        return True
    if wanted.dimension == "rate" and not _rated(reading) and said.dimension == "count" and wanted.spoken == said.value:
        period = wanted.spoken / wanted.value
        rates = {c for m in reading.mentions if m.stated for c in m.concepts if c in _PERIODS}
        return any(_PERIODS[c] == period for c in rates)
    if said.dimension != "count" or wanted.spoken != said.value:
        return False
    if wanted.dimension in UNIT_OPTIONAL:
        return True
    return wanted.dimension in {"mass", "volume"} and wanted.spoken >= SPOKEN_WITHOUT_UNIT_MIN


def rate_places(slot: Slot, reading: Reading) -> list[Place]:
    """Find "every day" said as a rate ("three times a day", "once a week")."""
    periods = {_PERIODS[c] for c in slot.concepts if c in _PERIODS}
    if Fraction(1) in periods and (daily := _every_daypart(reading)):
        return daily
    return [
        Place(a.first, a.last)
        for a in reading.amounts
        if a.dimension == "rate" and a.value and reading.stated[a.first] and a.spoken / a.value in periods
    ]


def _every_daypart(reading: Reading) -> list[Place]:
    """Find "each evening" or "all the mornings", which say every day as well."""
    every = EVERY.get(reading.source.language, frozenset())
    tokens = reading.source.tokens
    return [
        Place(k, m.last)
        for m in reading.mentions
        if m.stated and not m.negated and m.concepts & _DAYPARTS
        for k in (m.first - 2, m.first - 1)
        if k >= 0 and tokens[k].norm in every and not any(t.before for t in tokens[k + 1 : m.first + 1])
    ]
