"""What forbids "conveyed" although the words are there: another number, person, time, place, side or order.

Owns the guards over things. Each gives a short reason, or None when it has nothing against it.
"""

from __future__ import annotations

from dataclasses import dataclass

from obligations.coverage.amount_places import Place, bounds_fit
from obligations.coverage.lexicon.concepts import Lexicon, lexicon_for
from obligations.coverage.lexicon.polarity import PolarityWords, polarity_words
from obligations.coverage.mentions import Mention, Reading
from obligations.coverage.placing import Placed
from obligations.coverage.quantities import Amount
from obligations.coverage.slots import TIMES, PointSlots

HARD_CLASSES = frozenset(
    {"daypart", "rate", "meal", "organ", "startstop", "wet", "temp", "level", "weekday", "month", "side"}
)
"""Exclusive classes whose other member in place of the wanted one says something else."""
WIDE_CLASSES = frozenset({"startstop", "wet", "temp", "level", "side", "change"})
"""Exclusive classes so close to a sign that another member anywhere in the sentence leaves it open."""
SOFT_CLASSES = frozenset({"who", "urgency", *HARD_CLASSES})
"""Exclusive classes whose other member beside the wanted one leaves it open which is meant."""
DENIABLE = frozenset({"wet", "startstop"})
"""Exclusive classes whose other member, denied, says the same ("do not get it wet")."""
GOING_ON = frozenset({"CONTINUE", "NEVER_STOP"})
"""Concepts that both say to go on."""
RELATION_REACH = 6
ADJACENT_WORDS = 4
"""So many words apart two amounts are said of the same thing, where nothing else stands between."""


def swapped(point: PointSlots, placed: Placed, language: str) -> str | None:
    """Say whether two times or amounts of a kind have changed partners ("one in the morning and two at night")."""
    lexicon = lexicon_for(language)
    if lexicon is None or not placed.complete(point):
        return None
    items = _items(point, placed, lexicon)
    for kind in {i.kind for i in items if i.kind}:
        same = [i for i in items if i.kind == kind]
        others = [i for i in items if i.kind != kind]
        if len(same) < 2 or not others:
            continue
        partners = [min(others, key=lambda o: abs(o.at - i.at)) for i in same]
        for a in range(len(same)):
            for b in range(a + 1, len(same)):
                if partners[a] != partners[b] and _crossed(same[a], partners[a], same[b], partners[b]):
                    return "its times or amounts are swapped"
    return None


@dataclass(frozen=True, slots=True)
class _ItemPlace:
    """A slot or amount with its place in the point and in the text; kind "" when it is neither time nor amount."""

    kind: str
    at: int
    place: int


def _items(point: PointSlots, placed: Placed, lexicon: Lexicon) -> list[_ItemPlace]:
    out = [_ItemPlace(a.dimension, a.first, placed.amounts[k].first) for k, a in enumerate(point.amounts)]
    for k, slot in enumerate(point.slots):
        classes = {lexicon.classes[c] for c in slot.concepts if c in lexicon.classes} & TIMES
        out.append(_ItemPlace(min(classes, default=""), slot.at, placed.slots[k].first))
    return out


def _crossed(x: _ItemPlace, px: _ItemPlace, y: _ItemPlace, py: _ItemPlace) -> bool:
    return abs(x.place - px.place) > abs(x.place - py.place) and abs(y.place - py.place) > abs(y.place - px.place)


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


def nearer_amount(point: PointSlots, placed: Placed, reading: Reading) -> str | None:
    """Say whether, between the core of the advice and its amount, another amount of the kind stands."""
    core = next((placed.slots[k].first for k, s in enumerate(point.slots) if s.core and k in placed.slots), None)
    if core is None or len(point.amounts) != 1 or not placed.amounts:
        return None
    wanted, place = point.amounts[0], placed.amounts[0]
    low, high = sorted((core, place.first))
    for said in reading.amounts:
        if said.dimension != wanted.dimension or said.same_value(wanted) or not reading.stated[said.first]:
            continue
        if low < said.first < high:
            return "another amount stands nearer"
        one, other = sorted((place, Place(said.first, said.last)), key=lambda p: p.first)
        if 0 < other.first - one.last <= ADJACENT_WORDS and not _weighty(one.last + 1, other.first, reading):
            return "another amount stands beside it"
    return None


def _weighty(first: int, stop: int, reading: Reading) -> bool:
    """Whether something of weight, or the end of a sentence, stands in a stretch of tokens."""
    named = any(
        first <= m.first < stop and not m.light and any(not c.startswith("w:") for c in m.concepts)
        for m in reading.chosen
    )
    return named or reading.sentence[first - 1] != reading.sentence[stop]


def turned_relation(point: PointSlots, placed: Placed, reading: Reading, own: Reading, language: str) -> str | None:
    """Say whether what stands behind an amount, or before a comparison, is turned ("before the test")."""
    words = polarity_words(language)
    if words is None:
        return None
    for k, place in placed.amounts.items():
        wanted, said = _behind(own, point.amounts[k].last, words), _behind(reading, place.last, words)
        if any((wanted in a and said in b) or (wanted in b and said in a) for a, b in words.opposites):
            return "the opposite relation"
    for k, place in placed.slots.items():
        wanted, said = _word_before(own, point.slots[k].at), _word_before(reading, place.first)
        one, other = words.comparatives
        if (wanted in one and said in other) or (wanted in other and said in one):
            return "compared the other way"
    return None


def _behind(reading: Reading, at: int, words: PolarityWords) -> str:
    """The relation right behind an amount."""
    tokens = reading.source.tokens
    norms = [t.norm for t in tokens[at + 1 : at + 3]]
    clause = len(norms) > 1 and norms[1] in words.subjects
    return norms[0] if norms and norms[0] in words.relations and not clause else ""


def _word_before(reading: Reading, at: int) -> str:
    return reading.source.tokens[at - 1].norm if at > 0 and not reading.source.tokens[at].opens_clause else ""


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
            if mention.negated and wanted <= DENIABLE:
                continue
            classes = {lexicon.classes[c] for c in mention.concepts if c in lexicon.classes}
            if _agrees(mention, point):
                continue
            if classes & wanted and not mention.concepts & point.vocabulary:
                return f"another {sorted(classes & wanted)[0]}"
    missing_rate = any(a.dimension == "rate" and k not in placed.amounts for k, a in enumerate(point.amounts))
    if missing_rate and any("rate" in {lexicon.classes.get(c) for c in m.concepts} for m in _near(placed, reading)):
        return "another rate"
    return _put_off(point, placed, reading)


def _agrees(mention: Mention, point: PointSlots) -> bool:
    """Whether going on is what the point says in other words, or says until when."""
    if not mention.concepts & GOING_ON:
        return False
    return point.until or any(s.concepts & GOING_ON and s.sign != "-" for s in point.slots)


def _put_off(point: PointSlots, placed: Placed, reading: Reading) -> str | None:
    """Whether what must be done at once is put off to tomorrow or to waiting."""
    hurried = any(s.concepts & {"AT_ONCE", "SAME_DAY"} and k not in placed.slots for k, s in enumerate(point.slots))
    waits = any(m.concepts & {"TOMORROW", "WAIT"} and not m.negated and not m.light for m in _near(placed, reading))
    return "put off" if hurried and waits else None


def extra_member(point: PointSlots, placed: Placed, reading: Reading, language: str) -> str | None:
    """Say whether, amid the places, another member of a wanted class is named as well."""
    lexicon = lexicon_for(language)
    if lexicon is None:
        return None
    wanted = {lexicon.classes[c] for s in point.slots for c in s.concepts if c in lexicon.classes} & SOFT_CLASSES
    for mention in reading.chosen:
        if not mention.stated or mention.concepts & point.vocabulary:
            continue
        sooner = "AT_ONCE" in mention.concepts and any("SAME_DAY" in point.slots[k].concepts for k in placed.slots)
        if (mention.negated and wanted <= DENIABLE) or _agrees(mention, point) or sooner:
            continue
        named = [lexicon.classes[c] for c in mention.concepts if c in lexicon.classes]
        amid = placed.first <= mention.first <= placed.last
        near = reading.sentence[mention.first] in placed.sentences and set(named) <= WIDE_CLASSES
        if named and (amid or near) and set(named) <= wanted:
            return f"another {named[0]} beside it"
    return None


def other_ordinal(placed: Placed, reading: Reading, own: Reading, language: str) -> str | None:
    """Say whether amid the places another ordinal stands than the point's ("the second sachet" for "the first")."""
    words = polarity_words(language)
    if words is None:
        return None
    mine = {t.norm for t in own.source.tokens} & words.ordinals
    said = {t.norm for t in reading.source.tokens[max(0, placed.first - 1) : placed.last + 5]} & words.ordinals
    return "another ordinal" if mine and said and not said & mine else None


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
            and not before.concepts & {"CALL", "AT_ONCE"}
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
        wanted, said = _relation(own, mine.first, words), _relation(reading, place.first, words)
        if wanted in words.until and said in words.subordinate - words.until and not reading.reach[place.first]:
            if not any(s.sign == "-" for s in point.slots):
                return "the opposite relation"
        for one, other in words.opposites:
            if (wanted in one and said in other) or (wanted in other and said in one):
                return "the opposite relation"
    return None


def _relation(reading: Reading, at: int, words: PolarityWords) -> str:
    for k in range(at - 1, max(-1, at - 1 - RELATION_REACH), -1):
        token = reading.source.tokens[k]
        if token.norm in words.relations:
            return token.norm
        if reading.source.tokens[k + 1].opens_clause:
            break
    return ""


def _near(placed: Placed, reading: Reading) -> list[Mention]:
    return [m for m in reading.mentions if m.stated and reading.sentence[m.first] in placed.sentences]
