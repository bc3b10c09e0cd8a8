"""What forbids "conveyed" although the words are there: another number or person, the opposite sign, a mere option.

Owns the guards of the slot matcher. Each gives a short reason, or None when it has nothing against it.
"""

from __future__ import annotations

from collections.abc import Iterable

from obligations.coverage.lexicon.concepts import lexicon_for
from obligations.coverage.lexicon.polarity import polarity_words
from obligations.coverage.mentions import Mention, Reading
from obligations.coverage.placing import Placed, bounds_fit
from obligations.coverage.quantities import Amount
from obligations.coverage.slots import PointSlots

HARD_CLASSES = frozenset({"daypart", "rate", "meal", "organ", "startstop", "wet", "temp"})
"""Exclusive classes whose other member in place of the wanted one says something else."""
SOFT_CLASSES = frozenset({"who", "urgency", *HARD_CLASSES})
"""Exclusive classes whose other member beside the wanted one leaves it open which is meant."""
RELATION_REACH = 4


def reversal(point: PointSlots, placed: Placed) -> str | None:
    """Say whether a slot stands only with the opposite sign."""
    for k, slot in enumerate(point.slots):
        if k in placed.wrong and k not in placed.slots and not (slot.condition and slot.sign == "+"):
            return "said with the opposite sign"
    return None


def both_signs(point: PointSlots, placed: Placed, reading: Reading) -> str | None:
    """Say whether, close by, a slot stands with both signs."""
    for k, slot in enumerate(point.slots):
        if k not in placed.slots or slot.sign == "":
            continue
        if any(reading.sentence[p.first] in placed.sentences for p in placed.wrong.get(k, ())):
            return "said with both signs"
    return None


def amount_conflict(point: PointSlots, placed: Placed, reading: Reading) -> str | None:
    """Say whether another amount of the same kind stands where a wanted one is missing."""
    near = [a for a in reading.amounts if reading.stated[a.first] and reading.sentence[a.first] in placed.sentences]
    for k, wanted in enumerate(point.amounts):
        if k in placed.amounts:
            continue
        for said in near:
            if said.dimension != wanted.dimension or any(said.same_value(o) for o in point.amounts if o is not wanted):
                continue
            if not said.same_value(wanted) or _bounds_oppose(wanted, said):
                return "another amount"
    return None


def _bounds_oppose(wanted: Amount, said: Amount) -> bool:
    return not bounds_fit(wanted, said) and {wanted.bound.value, said.bound.value} == {"over", "under"}


def class_conflict(point: PointSlots, placed: Placed, reading: Reading, language: str) -> str | None:
    """Say whether another member of an exclusive class stands in place of a wanted one ("evening" for "morning")."""
    lexicon = lexicon_for(language)
    if lexicon is None:
        return None
    for k, slot in enumerate(point.slots):
        wanted = {lexicon.classes[c] for c in slot.concepts if c in lexicon.classes} & HARD_CLASSES
        if not wanted or k in placed.slots:
            continue
        for mention in _near(placed, reading):
            classes = {lexicon.classes[c] for c in mention.concepts if c in lexicon.classes}
            if classes & wanted and not mention.concepts & point.vocabulary:
                return f"another {sorted(classes & wanted)[0]}"
    for wanted_amount in (a for k, a in enumerate(point.amounts) if a.dimension == "rate" and k not in placed.amounts):
        period = _period_of(wanted_amount)
        if any("rate" in {lexicon.classes.get(c) for c in m.concepts} for m in _near(placed, reading)) and period:
            return "another rate"
    return None


def _period_of(amount: Amount) -> bool:
    return bool(amount.value)


def extra_member(point: PointSlots, placed: Placed, reading: Reading, language: str) -> str | None:
    """Say whether, amid the places, another member of a wanted class is named as well."""
    lexicon = lexicon_for(language)
    if lexicon is None:
        return None
    wanted = {lexicon.classes[c] for s in point.slots for c in s.concepts if c in lexicon.classes} & SOFT_CLASSES
    for mention in reading.chosen:
        if (
            not placed.first <= mention.first <= placed.last
            or not mention.stated
            or mention.concepts & point.vocabulary
        ):
            continue
        named = [c for c in mention.concepts if c in lexicon.classes]
        if named and all(lexicon.classes[c] in wanted for c in named):
            return f"another {lexicon.classes[named[0]]} beside it"
    return None


def foreign_modifier(point: PointSlots, placed: Placed, reading: Reading, language: str) -> str | None:
    """Say whether a named person or place carries another modifier than the point's ("the ear clinic")."""
    lexicon = lexicon_for(language)
    if lexicon is None or reading.source.language != "en":
        return None
    for k, place in placed.slots.items():
        if not any(lexicon.classes.get(c) == "who" for c in point.slots[k].concepts):
            continue
        before = next((m for m in reading.chosen if m.last == place.first - 1), None)
        if before is None or before.light or before.concepts & point.vocabulary or place.first == 0:
            continue
        named = any(not c.startswith("w:") for c in before.concepts)
        token = reading.source.tokens[before.first]
        if (
            named
            and not reading.source.tokens[place.first].before
            and token.value is None
            and "CALL" not in before.concepts
        ):
            return "another person or place"
    return None


def opposite_relation(point: PointSlots, placed: Placed, reading: Reading, own: Reading, language: str) -> str | None:
    """Say whether "before" stands for "after", or "without" for "with", at the same thing."""
    words = polarity_words(language)
    if words is None:
        return None
    for k, place in placed.slots.items():
        mine = next((m for m in own.mentions if m.concepts == point.slots[k].concepts), None)
        if mine is None:
            continue
        wanted, said = _relation(own, mine.first), _relation(reading, place.first)
        for one, other in words.opposites:
            if (wanted in one and said in other) or (wanted in other and said in one):
                return "the opposite relation"
    return None


def _relation(reading: Reading, at: int) -> str:
    for k in range(at - 1, max(-1, at - 1 - RELATION_REACH), -1):
        token = reading.source.tokens[k]
        if token.norm in _RELATIONS:
            return token.norm
        if reading.source.tokens[k + 1].opens_clause:
            break
    return ""


_RELATIONS = frozenset(
    "before after following with without until till from since antes depois apos seguir com sem ate desde".split()
)


def loose_wording(point: PointSlots, placed: Placed, reading: Reading, own: Reading, language: str) -> str | None:
    """Say whether the advice is made optional, or holds only sometimes, where the point's does not."""
    words = polarity_words(language)
    if words is None:
        return None
    flat = _flat(reading, placed.sentences)
    mine = " ".join(t.norm for t in own.source.tokens)
    if not point.permits and words.weak.search(flat) and not words.weak.search(mine):
        return "made optional"
    if words.restricts.search(flat) and not words.restricts.search(mine):
        return "made to hold only sometimes"
    return None


def _flat(reading: Reading, sentences: Iterable[int]) -> str:
    wanted = set(sentences)
    return " ".join(
        t.norm for i, t in enumerate(reading.source.tokens[: len(reading.sentence)]) if reading.sentence[i] in wanted
    )


def _near(placed: Placed, reading: Reading) -> list[Mention]:
    return [m for m in reading.mentions if m.stated and reading.sentence[m.first] in placed.sentences]
