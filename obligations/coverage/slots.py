"""A point taken apart: what must be there, said of what, how much, when, and with which sign.

Owns the slots of a point, made from its own words alone. Never sees the text that is judged.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from obligations.coverage.lexicon.concepts import Lexicon, lexicon_for
from obligations.coverage.lexicon.function_words import BOUNDS, CHANGE_VERBS, FUNCTION
from obligations.coverage.lexicon.guarded import guarded_for
from obligations.coverage.lexicon.opposites import FREED
from obligations.coverage.lexicon.polarity import PolarityWords, polarity_words
from obligations.coverage.mentions import Mention, Reading, read_text
from obligations.coverage.quantities import Amount
from obligations.coverage.spared import spared_tokens

TIMES = frozenset({"urgency", "daypart", "rate"})
"""Exclusive classes that say when; a missing one makes a statement partial, never conveyed."""

_WEEK_HOURS = 168


@dataclass(frozen=True, slots=True)
class Slot:
    """One thing a text must say.

    Parameters:
        concepts: What may stand for it; any one of them.
        words: Its own words, for the journal of a developer and for likeness to misheard ones.
        sign: "+" when it must be said plainly, "-" when it must be denied or forbidden, "" when either will do.
        condition: Whether it stands in the point's condition ("if the wound leaks").
        core: Whether without it nothing of the advice is there.
        at: Index of its first token in the point.
        component: For a phrase of several words, the concepts of each; all of them close together stand for it too.
    """

    concepts: frozenset[str]
    words: str
    sign: str
    condition: bool
    core: bool
    at: int
    component: tuple[frozenset[str], ...] = ()


@dataclass(frozen=True, slots=True)
class PointSlots:
    """A point as slots.

    Parameters:
        slots: What must be said, in order.
        amounts: The amounts that must be said.
        permits: Whether the point itself gives leave ("you can say no").
        vocabulary: Everything its own words may mean, to tell them from others'.
        length: Its length in tokens.
        conditional: Numbers of the amounts that stand in its condition.
        until: Whether it says until when: then going on agrees with the stop behind it.
    """

    slots: tuple[Slot, ...]
    amounts: tuple[Amount, ...]
    permits: bool
    vocabulary: frozenset[str]
    length: int
    conditional: frozenset[int] = frozenset()
    until: bool = False


@lru_cache(maxsize=1024)
def slots_of(statement: str, language: str) -> PointSlots | None:
    """Take a point apart; None in a language without a lexicon or when nothing of it can be named."""
    reading, lexicon, words = read_text(statement, language), lexicon_for(language), polarity_words(language)
    if reading is None or lexicon is None or words is None:
        return None
    conditions = _condition_tokens(reading, words)
    amount_tokens = {k for a in reading.amounts for k in range(a.first, a.last + 1)} | _bound_tokens(reading)
    optional = (
        _optional_tokens(reading, words) | _modifier_tokens(reading, lexicon) | _conceded_tokens(reading, lexicon)
    )
    optional |= _form_tokens(reading) | _opening_verbs(reading)
    spared = spared_tokens(reading, lexicon, conditions)
    bounds = BOUNDS.get(reading.source.language, frozenset())
    slots: list[Slot] = []
    for mention in reading.chosen:
        named = any(not c.startswith("w:") for c in mention.concepts)
        if mention.first in optional or set(range(mention.first, mention.last + 1)) <= spared:
            continue
        within = set(range(mention.first, mention.last + 1)) <= amount_tokens
        rate = any(lexicon.classes.get(c) == "rate" for c in mention.concepts)
        bound = all(t.norm in bounds for t in reading.source.tokens[mention.first : mention.last + 1])
        if within and (rate or bound or not (named and (mention.last > mention.first or _digits(mention, reading)))):
            continue
        if mention.light or _function_word(mention, reading, words):
            continue
        slots.append(_slot(mention, reading, mention.first in conditions, words))
    slots = _free_beside_denial(slots, reading)
    slots = _with_core(_without_repeats(slots), lexicon)
    if not slots:
        return None
    flat = " ".join(t.norm for t in reading.source.tokens)
    vocabulary = frozenset(c for m in reading.mentions for c in m.concepts)
    real = tuple(a for a in reading.amounts if not _inside_mention(a, reading, lexicon))
    conditional = frozenset(k for k, a in enumerate(real) if a.first in conditions)
    permits = words.permits.search(flat) is not None
    until = any(t.norm in words.until for t in reading.source.tokens)
    return PointSlots(tuple(slots), real, permits, vocabulary, len(reading.source.tokens), conditional, until)


def _sign(mention: Mention, reading: Reading, words: PolarityWords) -> str:
    """Say which sign a mention has in the point: only what stands before a "with" or "during" is itself forbidden."""
    if not mention.negated:
        return "+"
    negator = mention.negators[-1]
    ends = [k for k in range(negator + 1, mention.first) if reading.source.tokens[k].norm in words.heads_end]
    heads = [m for m in reading.chosen if negator < m.first < (ends[0] if ends else mention.first) and not m.light]
    return "" if ends and any(not _function_word(m, reading, words) for m in heads) else "-"


def _free_beside_denial(slots: list[Slot], reading: Reading) -> list[Slot]:
    """In a clause that forbids, what is not itself forbidden may stand with either sign; elsewhere it may not."""
    denying = {_clause_of(s.at, reading) for s in slots if s.sign == "-" or s.concepts & FREED}
    held = [s for s in slots if s.concepts & FREED]
    return [
        replace(s, sign="") if s.sign == "+" and s not in held and _clause_of(s.at, reading) in denying else s
        for s in slots
    ]


def _clause_of(at: int, reading: Reading) -> int:
    """The number of the clause a token stands in, counted by punctuation."""
    return sum(t.opens_clause for t in reading.source.tokens[: at + 1])


def _without_repeats(slots: list[Slot]) -> list[Slot]:
    out: list[Slot] = []
    for slot in slots:
        if not any(slot.concepts == o.concepts and slot.sign == o.sign for o in out):
            out.append(slot)
    return out


def _digits(mention: Mention, reading: Reading) -> bool:
    """Whether a mention is or holds a number that is a name ("999", "two doses together")."""
    values = [t.value for t in reading.source.tokens[mention.first : mention.last + 1]]
    return any(v is not None and v.denominator == 1 for v in values)


def _inside_mention(amount: Amount, reading: Reading, lexicon: Lexicon) -> bool:
    """Whether an amount is part of a phrase that already says it ("two doses together", "999")."""
    a_rate = amount.dimension != "time" or amount.value < _WEEK_HOURS
    return amount.dimension != "rate" and any(
        m.first <= amount.first
        and amount.last <= m.last
        and not m.light
        and any(not c.startswith("w:") and (a_rate or lexicon.classes.get(c) != "rate") for c in m.concepts)
        for m in reading.chosen
    )


def _slot(mention: Mention, reading: Reading, condition: bool, words: PolarityWords) -> Slot:
    tokens = reading.source.tokens[mention.first : mention.last + 1]
    parts: tuple[frozenset[str], ...] = ()
    if mention.last > mention.first and not any(t.norm in words.negators for t in tokens):
        inner = [
            m for m in reading.mentions if mention.first <= m.first and m.last <= mention.last and m.first == m.last
        ]
        parts = tuple(m.concepts for m in inner if not m.light)
    return Slot(
        mention.concepts,
        " ".join(t.norm for t in tokens),
        _sign(mention, reading, words),
        condition,
        core=False,
        at=mention.first,
        component=parts,
    )


def _function_word(mention: Mention, reading: Reading, words: PolarityWords) -> bool:
    if mention.last > mention.first:
        return False
    token = reading.source.tokens[mention.first]
    named = any(not c.startswith("w:") for c in mention.concepts)
    listed = token.norm in FUNCTION.get(reading.source.language, frozenset()) or token.norm in words.determiners
    return listed and not named


def _condition_tokens(reading: Reading, words: PolarityWords) -> set[int]:
    """The tokens of a condition: from its opening word to the next comma, or to the end of the sentence."""
    inner = {k for m in reading.chosen if m.last > m.first for k in range(m.first, m.last + 1)}
    out: set[int] = set()
    inside = False
    for i, token in enumerate(reading.source.tokens):
        if inside and token.opens_clause:
            inside = False
        counted = any(a.first <= i <= a.last for a in reading.amounts)
        if token.norm in words.condition and not inside and i not in inner and not counted:
            inside = True
        if inside:
            out.add(i)
    return out


def _bound_tokens(reading: Reading) -> set[int]:
    """Words of a bound just before an amount ("no more than eight"), which are not slots of their own."""
    out: set[int] = set()
    language = reading.source.language
    bounds, verbs = BOUNDS.get(language, frozenset()), CHANGE_VERBS.get(language, frozenset())
    for amount in reading.amounts:
        k = amount.first - 1
        while k >= 0 and reading.source.tokens[k].norm in bounds and amount.first - k <= 5:
            out.add(k)
            k -= 1
        if k >= 0 and reading.source.tokens[k].norm in verbs:
            out.add(k)
    return out


def _optional_tokens(reading: Reading, words: PolarityWords) -> set[int]:
    """What follows "do not wait" only says for what; the urgency is in the phrase itself."""
    out: set[int] = set()
    tokens = reading.source.tokens
    for mention in reading.chosen:
        if "AT_ONCE" not in mention.concepts or not _holds_negation(mention, reading, words):
            continue
        k = mention.last + 1
        while k < len(tokens) and not tokens[k].opens_clause:
            out.add(k)
            k += 1
    return out


def _holds_negation(mention: Mention, reading: Reading, words: PolarityWords) -> bool:
    return any(t.norm in words.negators for t in reading.source.tokens[mention.first : mention.last + 1])


def _modifier_tokens(reading: Reading, lexicon: Lexicon) -> set[int]:
    """What only says which nurse or clinic ("heart failure nurse"): heard without it, it is still that one."""
    out: set[int] = set()
    english = reading.source.language == "en"
    for k, mention in enumerate(reading.chosen):
        if not any(lexicon.classes.get(c) == "who" for c in mention.concepts):
            continue
        beside = reversed(reading.chosen[:k]) if english else iter(reading.chosen[k + 1 :])
        edge = mention.first if english else mention.last
        for other in beside:
            gap = edge - other.last - 1 if english else other.first - edge - 1
            if gap > (0 if english else 1) or other.light or not _modifies(other, reading, lexicon):
                break
            out.update(range(other.first, other.last + 1))
            edge = other.first if english else other.last
    return out


def _modifies(other: Mention, reading: Reading, lexicon: Lexicon) -> bool:
    """Whether a mention beside a person or place can be its modifier: a thing, not an act, a time or a joining word."""
    token = reading.source.tokens[other.first]
    if (
        token.norm in FUNCTION.get(reading.source.language, frozenset())
        or token.value is not None
        or token.opens_clause
    ):
        return False
    named = {c for c in other.concepts if not c.startswith("w:")}
    acts = {"CALL", "GET", "TAKE", "BRING", "CALL_YOU", "TALK_TO", "ASK_FOR", "SHARE_INFO"}
    return not named & acts and not any(c in lexicon.classes and lexicon.classes[c] != "organ" for c in named)


def _opening_verbs(reading: Reading) -> set[int]:
    """The verb of a phrase that holds its object ("keep the cast dry"): the rest of the phrase says it."""
    opened = {m.first for m in reading.mentions if m.gapped and not m.light}
    return {m.first for m in reading.chosen if m.first in opened and m.first == m.last}


def _form_tokens(reading: Reading) -> set[int]:
    """Find "tablets" beside a medicine's name: the name alone says what is taken."""
    names = guarded_for(reading.source.language).names
    out: set[int] = set()
    for k, mention in enumerate(reading.chosen):
        near = [*reading.chosen[max(0, k - 1) : k], *reading.chosen[k + 1 : k + 3]]
        named = any(reading.source.tokens[o.first].norm in names and abs(o.first - mention.last) <= 2 for o in near)
        if "TABLET" in mention.concepts and named:
            out.update(range(mention.first, mention.last + 1))
    return out


def _conceded_tokens(reading: Reading, lexicon: Lexicon) -> set[int]:
    """The part named in "even if the eye feels fine": what is conceded is the feeling fine."""
    out: set[int] = set()
    for k, mention in enumerate(reading.chosen):
        if "EVEN_IF" not in mention.concepts:
            continue
        for other in reading.chosen[k + 1 :]:
            if reading.source.tokens[other.first].opens_clause:
                break
            if any(lexicon.classes.get(c) == "organ" for c in other.concepts):
                out.update(range(other.first, other.last + 1))
    return out


def _with_core(slots: list[Slot], lexicon: Lexicon) -> list[Slot]:
    """Mark the first slot of the main clause that does not say when; without it nothing of the advice is there."""
    for pool in ([s for s in slots if not s.condition], slots):
        core = next((s for s in pool if not is_time(s, lexicon)), None)
        if core is not None:
            return [_as_core(s) if s is core else s for s in slots]
    return slots


def _as_core(slot: Slot) -> Slot:
    return replace(slot, core=True)


def is_time(slot: Slot, lexicon: Lexicon) -> bool:
    """Say whether a slot says only when or how often."""
    named = {c for c in slot.concepts if not c.startswith("w:")}
    return bool(named) and all(
        lexicon.classes.get(c) in TIMES or c in {"FIRST_DAYS", "ANY_TIME", "FEW_DAYS"} for c in named
    )
