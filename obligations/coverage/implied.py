"""Places where something is said that implies a slot: a number to call, a reading that only a thermometer gives.

Owns the search for what is implied. Never lets a denial imply a demand, nor a demand a denial.
"""

from __future__ import annotations

from obligations.coverage.amount_places import PHONE_MIN, Place, bounds_fit
from obligations.coverage.lexicon.opposites import IMPLIED
from obligations.coverage.mentions import Reading
from obligations.coverage.quantities import Amount
from obligations.coverage.slots import PointSlots, Slot

FEVER_DEGREES = range(36, 43)
"""Degrees Celsius that, where a point speaks of fever, can be nothing but a temperature."""


def implied_places(slot: Slot, point: PointSlots, reading: Reading) -> list[Place]:
    """Find where a slot is implied; empty where it is not."""
    wanted = {c for name in slot.concepts for c in IMPLIED.get(name, ())}
    out = [
        Place(m.first, m.last)
        for m in reading.mentions
        if (m.stated or (slot.condition and m.asked)) and m.concepts & wanted and m.negated is (slot.sign == "-")
    ]
    if out or slot.sign == "-":
        return out
    return [Place(a.first, a.last) for a in reading.amounts if _implies(a, slot, point, reading)]


def _implies(said: Amount, slot: Slot, point: PointSlots, reading: Reading) -> bool:
    """Whether an amount implies the slot it belongs to: the same amount, of something it is only ever said of."""
    if not (reading.stated[said.first] or (slot.condition and reading.asked[said.first])):
        return False
    if "CALL" in slot.concepts and said.dimension == "count" and said.value >= PHONE_MIN:
        return True
    same = [a for a in point.amounts if said.dimension == a.dimension and said.value == a.value and bounds_fit(a, said)]
    if not same or said.dimension != "count":
        return False
    sugar = any(m.stated and not m.negated and "SUGARY" in m.concepts for m in reading.mentions)
    treated = sugar and any("SUGARY" in s.concepts for s in point.slots)
    return ("FEVER" in slot.concepts and said.value in FEVER_DEGREES) or ("BLOOD_SUGAR" in slot.concepts and treated)
