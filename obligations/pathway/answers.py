"""Answer patterns of a pathway: "yes", "no", a value, or a numeric bound such as ">=7".

Owns what such a pattern means. Reading a reply into a value is the answer reader's job.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from math import inf
from operator import ge, gt, le, lt

_BOUND = re.compile(r"^(>=|<=|>|<)\s*(-?\d+(?:\.\d+)?)$")
_NUMBER = re.compile(r"-?\d+(?:[.,]\d+)?")
_COMPARE: dict[str, Callable[[float, float], bool]] = {">=": ge, "<=": le, ">": gt, "<": lt}
_NUMERIC_TYPES = frozenset({"number", "scale", "duration"})
# What an answer of each kind lies between: a scale is asked from nought (or one) to ten, and nothing lasts less than
# nothing.
_RANGES = {"number": (-inf, inf), "scale": (0.0, 10.0), "duration": (0.0, inf)}
_OPERATORS = frozenset("<>=≤≥")


def is_answer_pattern(pattern: str, value_type: str) -> bool:
    """Say whether some answer of `value_type` could match `pattern`."""
    if value_type == "yes_no":
        return pattern in ("yes", "no")
    if value_type in _NUMERIC_TYPES:
        return _can_be_reached(pattern, *_RANGES[value_type])
    return bool(pattern.strip()) and not _OPERATORS & set(pattern)


def _can_be_reached(pattern: str, low: float, high: float) -> bool:
    """Say whether a number from `low` to `high` could match a bound, or be the number."""
    bound = _BOUND.match(pattern)
    if bound is None:
        return _NUMBER.fullmatch(pattern.strip()) is not None and low <= float(pattern.replace(",", ".")) <= high
    # A bound holds for one of the two ends, if for any number between them.
    return any(_COMPARE[bound[1]](end, float(bound[2])) for end in (low, high))


def matches_any(value: str, patterns: Iterable[str]) -> bool:
    """Say whether `value` matches one of the patterns; a bound compares the first number in `value`."""
    return any(_matches(value, pattern) for pattern in patterns)


def _matches(value: str, pattern: str) -> bool:
    bound = _BOUND.match(pattern)
    if bound is None:
        return value.strip().casefold() == pattern.strip().casefold()
    number = _NUMBER.search(value)
    if number is None:
        return False
    return _COMPARE[bound[1]](float(number[0].replace(",", ".")), float(bound[2]))
