"""Answer patterns of a pathway: "yes", "no", a value, or a numeric bound such as ">=7".

Owns what such a pattern means. Reading a reply into a value is the answer reader's job.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from operator import ge, gt, le, lt

_BOUND = re.compile(r"^(>=|<=|>|<)\s*(-?\d+(?:\.\d+)?)$")
_NUMBER = re.compile(r"-?\d+(?:[.,]\d+)?")
_COMPARE: dict[str, Callable[[float, float], bool]] = {">=": ge, "<=": le, ">": gt, "<": lt}
_NUMERIC_TYPES = frozenset({"number", "scale", "duration"})


def is_answer_pattern(pattern: str, value_type: str) -> bool:
    """Say whether some answer of `value_type` could match `pattern`."""
    if value_type == "yes_no":
        return pattern in ("yes", "no")
    if pattern[:1] in "<>":
        return value_type in _NUMERIC_TYPES and _BOUND.match(pattern) is not None
    return bool(pattern.strip())


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
