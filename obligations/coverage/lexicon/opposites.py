"""Concepts that say one another: one denied ("do not get it wet" is "keep it dry"), or one that implies the other.

Owns the pairs only.
"""

from __future__ import annotations

from collections.abc import Mapping

DENIED: Mapping[str, frozenset[str]] = {
    "KEEP_DRY": frozenset({"WET"}),
    "NEVER_STOP": frozenset({"STOP"}),
    "CONTINUE": frozenset({"STOP"}),
    "UPRIGHT": frozenset({"LIE_DOWN"}),
    "SAME_DAY": frozenset({"TOMORROW"}),
}
"""A concept that is to be said, with those whose denial says it too."""

SAID: Mapping[str, frozenset[str]] = {
    "DRIVE": frozenset({"NOT_DRIVE"}),
    "WALK": frozenset({"STAY_PUT"}),
    "STAND": frozenset({"CANNOT_STAND"}),
    "WET": frozenset({"KEEP_DRY"}),
    "STOP": frozenset({"NEVER_STOP"}),
}
"""A concept that is to be denied, with those that say so when stated plainly."""

FREED = frozenset({"NEVER_STOP", "KEEP_DRY"})
"""Concepts that may be said by a denial: what they are about may then stand in a text under that denial."""

IMPLIED: Mapping[str, frozenset[str]] = {
    "CALL": frozenset({"AMBULANCE", "HELPLINE"}),
    "BLEED": frozenset({"STILL_BLEED", "NOSEBLEED"}),
    "PAST": frozenset({"SPREAD_PAST"}),
    "SPREAD": frozenset({"SPREAD_PAST"}),
    "LIFT": frozenset({"HEAVY"}),
}
"""A concept that another's mention implies: who is told a number is told to call it."""
