"""Where in a text the slots and amounts of a point stand, in the tightest stretch that holds them.

Owns finding places. Never decides what a missing or contradicted slot means.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from os.path import commonprefix

from rapidfuzz.distance import Indel

from obligations.coverage.amount_places import Place, amount_places, rate_places
from obligations.coverage.implied import implied_places
from obligations.coverage.lexicon.concepts import Lexicon, lexicon_for
from obligations.coverage.lexicon.function_words import CONNECTING
from obligations.coverage.lexicon.guarded import Guarded, guarded_for
from obligations.coverage.lexicon.opposites import DENIED, IMPLIED, SAID
from obligations.coverage.lexicon.polarity import polarity_words
from obligations.coverage.mentions import Mention, Reading
from obligations.coverage.slots import PointSlots, Slot
from obligations.coverage.sounds import sound_key

ENDING_CHARS_MAX = 2
"""Two names that differ in no more than so many last letters are one medicine in two languages, and no rivals."""
URGENT = frozenset({"AT_ONCE", "SAME_DAY", "TODAY"})
"""Phrases whose words say nothing when they stand apart ("three a day ... that same week" is no "same day")."""
COMPONENT_REACH = 8
"""Most tokens between the words of a phrase that stand apart."""
MISHEARD_CHARS_MIN = 6
SOUND_CHARS_MIN = 4
"""Fewest consonants by which a word may be known that was written as others that sound the same."""
MISHEARD_RATIO_MIN = 0.8
MISHEARD_PHRASE_RATIO_MIN = 0.9
MISHEARD_NAME_RATIO_MIN = 0.66
"""Likeness (0..1) of a misheard word; lower for a medicine's name, whose nearest name it must then be."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """Every place of each slot.

    Parameters:
        right: Places with the wanted sign, by slot number.
        wrong: Places with the opposite sign, by slot number.
    """

    right: Mapping[int, Sequence[Place]]
    wrong: Mapping[int, Sequence[Place]]


@dataclass(frozen=True, slots=True)
class Placed:
    """The tightest placing of a point in a text.

    Parameters:
        slots: Place by slot number; a slot that was not found is not in it.
        amounts: Place by amount number.
        wrong: Slots that stand in the text with the opposite sign.
        sentences: Numbers of the sentences the places stand in.
    """

    slots: Mapping[int, Place]
    amounts: Mapping[int, Place]
    wrong: Mapping[int, Sequence[Place]] = field(default_factory=dict[int, Sequence[Place]])
    sentences: frozenset[int] = frozenset()

    @property
    def places(self) -> tuple[Place, ...]:
        """Every place, in order."""
        return tuple(sorted((*self.slots.values(), *self.amounts.values()), key=lambda p: p.first))

    @property
    def first(self) -> int:
        """The first token of all places, 0 when there is none."""
        return min((p.first for p in self.places), default=0)

    @property
    def last(self) -> int:
        """The last token of all places, -1 when there is none."""
        return max((p.last for p in self.places), default=-1)

    def complete(self, point: PointSlots) -> bool:
        """Say whether every slot and amount has a place."""
        return len(self.slots) == len(point.slots) and len(self.amounts) == len(point.amounts)


def place(point: PointSlots, reading: Reading, language: str) -> Placed:
    """Find the tightest placing of a point in a text."""
    lexicon, guarded = lexicon_for(language), guarded_for(language)
    if lexicon is None:
        return Placed({}, {})
    candidates = _slot_places(point, reading, lexicon, guarded)
    said = {k: amount_places(a, reading, k in point.conditional) for k, a in enumerate(point.amounts)}
    keyed: dict[tuple[str, int], Sequence[Place]] = {
        **{("slot", k): v for k, v in candidates.right.items() if v},
        **{("amount", k): v for k, v in said.items() if v},
    }
    chosen = _apart(_tightest(keyed), keyed, point)
    sentences = frozenset(reading.sentence[i] for p in chosen.values() for i in (p.first, p.last))
    return Placed(
        {k: p for (kind, k), p in chosen.items() if kind == "slot"},
        {k: p for (kind, k), p in chosen.items() if kind == "amount"},
        {k: v for k, v in candidates.wrong.items() if v},
        sentences,
    )


def _apart(
    chosen: dict[tuple[str, int], Place], keyed: Mapping[tuple[str, int], Sequence[Place]], point: PointSlots
) -> dict[tuple[str, int], Place]:
    """Let no two slots stand on the same words: each must be said, but for what is IMPLIED."""
    out: dict[tuple[str, int], Place] = {}
    slots = [key for key in chosen if key[0] == "slot"]
    for key in sorted(slots, key=lambda k: len(keyed[k])):
        if point.slots[key[1]].concepts & IMPLIED.keys():
            out[key] = chosen[key]
            continue
        taken = {p for k, p in out.items() if not point.slots[k[1]].concepts & IMPLIED.keys()}
        free = next((p for p in (chosen[key], *keyed[key]) if p not in taken), None)
        if free is not None:
            out[key] = free
    return out | {key: p for key, p in chosen.items() if key[0] != "slot"}


def _slot_places(point: PointSlots, reading: Reading, lexicon: Lexicon, guarded: Guarded) -> Candidates:
    right: dict[int, list[Place]] = {}
    wrong: dict[int, list[Place]] = {}
    for k, slot in enumerate(point.slots):
        for mention in reading.mentions:
            said = mention.stated or (slot.condition and mention.asked)
            if not said or not _means(mention, slot, lexicon):
                continue
            fit = _sign_fits(mention, slot, point, reading)
            if fit is not None:
                (right if fit else wrong).setdefault(k, []).append(Place(mention.first, mention.last))
        if k not in right and (turned := _turned(slot, point, reading)):
            right[k] = turned
            wrong.pop(k, None)
        if k not in right and k not in wrong:
            right[k] = _other_places(slot, point, reading, lexicon, guarded)
    for k, slot in enumerate(point.slots):
        if (
            k in wrong
            and k not in right
            and slot.sign == "-"
            and (behind := _fronted(k, point, wrong[k], right, reading))
        ):
            right[k] = behind
            wrong.pop(k)
    return Candidates(right, wrong)


def _turned(slot: Slot, point: PointSlots, reading: Reading) -> list[Place]:
    """Find a slot said by its opposite: "do not get it wet" for "keep it dry", "leave the car" for "do not drive"."""
    denied = {c for name in slot.concepts for c in DENIED.get(name, ())} if slot.sign == "+" else set[str]()
    said = {c for name in slot.concepts for c in SAID.get(name, ())} if slot.sign == "-" else set[str]()
    return [
        Place(m.first, m.last)
        for m in reading.mentions
        if m.stated
        and (
            (m.negated and m.concepts & denied and _denies_directly(m, point, reading))
            or (not m.negated and m.concepts & said)
        )
    ]


def _fronted(
    k: int, point: PointSlots, places: Sequence[Place], right: Mapping[int, Sequence[Place]], reading: Reading
) -> list[Place]:
    """Places in front of a denial in their own clause, whose act is denied ("your care won't be affected")."""
    acts = [p for j, s in enumerate(point.slots) if j != k and s.sign == "-" for p in right.get(j, ())]
    tokens, words = reading.source.tokens, polarity_words(reading.source.language)
    out: list[Place] = []
    for place in places:
        for act in acts:
            negators = reading.reach[act.first]
            fronted = bool(negators) and place.last < negators[-1] < act.first
            between = tokens[place.last + 1 : act.first + 1]
            joined = words is None or any(t.opens_clause or t.norm in words.and_words for t in between)
            if fronted and not joined:
                out.append(place)
    return out


def _means(mention: Mention, slot: Slot, lexicon: Lexicon) -> bool:
    shared = mention.concepts & slot.concepts
    return bool(shared - lexicon.light)


def _sign_fits(mention: Mention, slot: Slot, point: PointSlots, reading: Reading) -> bool | None:
    """Whether a mention has the slot's sign; None when a negation reaches it over words that may change it."""
    if slot.sign == "":
        return True
    if slot.sign == "+":
        return not mention.negated
    if not mention.negated:
        return False
    return True if _denies_directly(mention, point, reading) else None


def _denies_directly(mention: Mention, point: PointSlots, reading: Reading) -> bool:
    """Whether between the negation and what it denies stand only words of the point or words without weight."""
    negator = mention.negators[-1]
    low, high = sorted((negator, mention.first))
    for other in reading.chosen:
        if not low < other.first < high or other.light or other.concepts & point.vocabulary:
            continue
        if negator > mention.first and not any(not c.startswith("w:") for c in other.concepts):
            continue
        token = reading.source.tokens[other.first]
        if token.norm not in CONNECTING.get(reading.source.language, frozenset()):
            return False
    return True


def _other_places(slot: Slot, point: PointSlots, reading: Reading, lexicon: Lexicon, guarded: Guarded) -> list[Place]:
    apart_allowed = slot.sign != "-" and not slot.concepts & URGENT
    if apart_allowed and slot.component and (apart := _components(slot, reading, lexicon)) is not None:
        return [apart]
    if implied := implied_places(slot, point, reading):
        return implied
    misheard = _misheard(slot, reading, guarded)
    return [misheard] if misheard is not None else rate_places(slot, reading)


def _components(slot: Slot, reading: Reading, lexicon: Lexicon) -> Place | None:
    """Find the words of a phrase standing apart but close, all stated and none denied."""
    if len(slot.component) < 2:
        return None
    spots: list[int] = []
    for part in slot.component:
        hits = [
            m.first
            for m in reading.mentions
            if m.stated and not m.negated and (m.concepts & part) - lexicon.light and m.first not in spots
        ]
        if not hits:
            return None
        spots.append(min(hits, key=lambda h: abs(h - spots[-1])) if spots else hits[0])
    low, high = min(spots), max(spots)
    return Place(low, high) if high - low <= COMPONENT_REACH else None


def _misheard(slot: Slot, reading: Reading, guarded: Guarded) -> Place | None:
    """Find one long word of the point as a recogniser may have heard it, in one to three words."""
    word = slot.words.replace(" ", "") if slot.component else slot.words
    if " " in word or len(word) < MISHEARD_CHARS_MIN or any(c.isdecimal() for c in word) or word in guarded.exact:
        return None
    tokens = reading.source.tokens
    best: tuple[float, Place] | None = None
    for at in range(len(tokens)):
        joined = ""
        for width in range(3):
            k = at + width
            if k >= len(tokens) or (width and tokens[k].opens_clause) or not reading.stated[k]:
                break
            if tokens[k].norm in guarded.exact or tokens[k].value is not None:
                break
            joined += tokens[k].norm
            likeness = _likeness(word, joined, width, guarded, reading.source.language, phrase=" " in slot.words)
            if likeness is not None and (best is None or likeness > best[0]):
                best = (likeness, Place(at, k))
    if best is None:
        return None
    at = best[1].first
    reach = reading.reach[at] or reading.reach[best[1].last]
    if not reach and at > 0 and not tokens[at].before:
        reach = reading.reach[at - 1]
    negated = len(reach) % 2 == 1
    return best[1] if slot.sign == "" or negated is (slot.sign == "-") else None


def _same_medicine(one: str, other: str) -> bool:
    """Whether two names are one medicine's in two languages ("codeine", "codeina")."""
    return len(commonprefix([one, other])) >= max(len(one), len(other)) - ENDING_CHARS_MAX


def _likeness(word: str, heard: str, width: int, guarded: Guarded, language: str, *, phrase: bool) -> float | None:
    if len(heard) < len(word) - 3 or len(heard) > len(word) + 4 or guarded.opposed(word, heard):
        return None
    ratio = Indel.normalized_similarity(word, heard)
    if heard in guarded.names and heard != word:
        return None
    key = sound_key(word, language)
    if len(key) >= SOUND_CHARS_MIN and key == sound_key(heard, language):
        return max(ratio, MISHEARD_PHRASE_RATIO_MIN)
    if word in guarded.names:
        rivals = (n for n in guarded.names if not _same_medicine(n, word))
        rival = max(Indel.normalized_similarity(n, heard) for n in rivals)
        return ratio if ratio > rival and ratio >= MISHEARD_NAME_RATIO_MIN else None
    floor = MISHEARD_PHRASE_RATIO_MIN if phrase else MISHEARD_RATIO_MIN + 0.03 * width
    return ratio if ratio >= floor else None


def _tightest(keyed: Mapping[tuple[str, int], Sequence[Place]]) -> dict[tuple[str, int], Place]:
    """Choose one place for each key so that all stand in the shortest stretch."""
    events = sorted(
        ((p.first, p.last, key) for key, places in keyed.items() for p in places), key=lambda e: (e[0], e[1])
    )
    best: dict[tuple[str, int], Place] = {}
    best_width = -1
    for start in range(len(events)):
        chosen: dict[tuple[str, int], Place] = {}
        for first, last, key in events[start:]:
            chosen.setdefault(key, Place(first, last))
            if len(chosen) == len(keyed):
                break
        if len(chosen) < len(keyed):
            break
        width = max(p.last for p in chosen.values()) - events[start][0]
        if best_width < 0 or width < best_width:
            best, best_width = chosen, width
    return best
