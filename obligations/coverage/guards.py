"""What forbids "conveyed" although the words are there: the opposite sign, the past, a question, a mere option.

Owns the guards over signs and force. Each gives a short reason, or None when it has nothing against it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from obligations.coverage.lexicon.beside import beside_words
from obligations.coverage.lexicon.concepts import Lexicon, lexicon_for
from obligations.coverage.lexicon.opposites import FREED
from obligations.coverage.lexicon.polarity import PolarityWords, polarity_words
from obligations.coverage.mentions import Reading
from obligations.coverage.placing import Placed
from obligations.coverage.slots import PointSlots
from obligations.coverage.stems import stem

TIMED = re.compile(r" \d+ (?:sec|min|hour)(?!\S)")
"""A wait of so long ("wait fifteen minutes and test again") is a step of the advice, no putting off."""
OPENING_WORDS_MAX = 4
"""Longest clause before an advice that can still belong to it ("Tomorrow, ...")."""
UNTIL_REACH = 8
"""So many words before a lifting, the "until" that sets its time is looked for."""
DENIAL_REACH = 4
"""So many words before an act of not doing, a denial of it is looked for ("I don't want to leave it")."""


def reversal(point: PointSlots, placed: Placed, reading: Reading, language: str) -> str | None:
    """Say whether a slot stands only with the opposite sign."""
    for k, slot in enumerate(point.slots):
        if k not in placed.wrong or k in placed.slots or (slot.condition and slot.sign == "+"):
            continue
        if _opposite_in_point(k, point):
            continue
        if any(not _subordinate(p.first, reading, language) for p in placed.wrong[k]):
            return "said with the opposite sign"
    return None


def _opposite_in_point(k: int, point: PointSlots) -> bool:
    """Whether another slot of the point names the same thing with the other sign."""
    slot = point.slots[k]
    return any(o.concepts & slot.concepts and {o.sign, slot.sign} == {"+", "-"} for o in point.slots)


def both_signs(point: PointSlots, placed: Placed, reading: Reading, own: Reading, language: str) -> str | None:
    """Say whether, close by, a slot stands with both signs."""
    for k, slot in enumerate(point.slots):
        if k not in placed.slots or slot.sign == "" or _both_in_point(k, point, own):
            continue
        near = [p for p in placed.wrong.get(k, ()) if reading.sentence[p.first] in placed.sentences]
        if any(not _subordinate(p.first, reading, language) for p in near):
            return "said with both signs"
    return None


def _both_in_point(k: int, point: PointSlots, own: Reading) -> bool:
    """Whether the point itself names the thing with both signs ("test before you drive, and do not drive if ...")."""
    named = point.slots[k].concepts
    return len({m.negated for m in own.mentions if m.concepts & named and not m.light}) == 2


def denied_elsewhere(point: PointSlots, placed: Placed, reading: Reading, own: Reading) -> str | None:
    """Say whether the denial of what must go on is of something else ("do not stop eating, even without insulin")."""
    held = [placed.slots[k] for k, s in enumerate(point.slots) if s.concepts & FREED and k in placed.slots]
    if not held:
        return None
    reached = {n for p in held for k in range(p.first, p.last + 1) for n in (*reading.reach[k], k)}
    for k, slot in enumerate(point.slots):
        if slot.sign or k not in placed.slots or slot.concepts & FREED:
            continue
        if any(n not in reached for n in reading.reach[placed.slots[k].first]):
            return "denied elsewhere"
    return "something else is to go on" if _other_goes_on(point, placed, reading, own) else None


def _other_goes_on(point: PointSlots, placed: Placed, reading: Reading, own: Reading) -> bool:
    """Whether the first thing named behind "never stop" is none that the point names there."""
    for k, slot in enumerate(point.slots):
        if "NEVER_STOP" not in slot.concepts or k not in placed.slots:
            continue
        end = next((i for i in range(slot.at, len(own.source.tokens)) if own.source.tokens[i].opens_clause), None)
        mine = {c for s in point.slots if slot.at <= s.at and (end is None or s.at < end) for c in s.concepts}
        for mention in reading.chosen:
            if mention.first <= placed.slots[k].last or mention.light:
                continue
            if any(t.opens_clause for t in reading.source.tokens[placed.slots[k].last + 1 : mention.first + 1]):
                break
            if any(not c.startswith("w:") for c in mention.concepts):
                if not mention.concepts & mine:
                    return True
                break
    return False


def only_asked(point: PointSlots, placed: Placed, reading: Reading) -> str | None:
    """Say whether all of the main clause stands in a sentence with a question mark ("The drops go on for a month?")."""
    main = [p for k, p in placed.slots.items() if not point.slots[k].condition]
    if main and all(reading.questioned[p.first] for p in main):
        return "only asked"
    return None


def narrated(point: PointSlots, placed: Placed, reading: Reading, own: Reading, language: str) -> str | None:
    """Say whether an act of the main clause stands in the past with somebody as its subject ("and you started it")."""
    words = polarity_words(language)
    if words is None:
        return None
    tokens, lexicon = reading.source.tokens, lexicon_for(language)
    for k, place in placed.slots.items():
        slot = point.slots[k]
        if slot.condition or not words.past.fullmatch(tokens[place.first].norm):
            continue
        if words.past.fullmatch(own.source.tokens[slot.at].norm):
            continue
        before = [t.norm for t in tokens[max(0, place.first - 2) : place.first]]
        if slot.core and _acts_there(place.first, reading, lexicon):
            return "only told as past"
        told = before[-1:] and (
            before[-1] in words.subjects or (before[0] in words.subjects and before[-1] in words.adverbs)
        )
        if told and not _after_condition(place.first, reading, words.condition | words.tells_when):
            return "only told as past"
    return None


def _acts_there(at: int, reading: Reading, lexicon: Lexicon | None) -> bool:
    """Whether a person or place stands right before a past, as who did it ("the ward rang the same day")."""
    if lexicon is None:
        return False
    who = [m for m in reading.chosen if m.last == at - 1 and any(lexicon.classes.get(c) == "who" for c in m.concepts)]
    return bool(who) and not reading.source.tokens[at].opens_clause


def told_of_listener(placed: Placed, reading: Reading, language: str) -> str | None:
    """Say whether, amid the places, a main clause tells what the listener did ("you kept it going")."""
    words = polarity_words(language)
    if words is None:
        return None
    tokens = reading.source.tokens
    for k in range(max(0, placed.first - 2), min(placed.last, len(tokens) - 2) + 1):
        if tokens[k].norm not in words.listener or not words.past.fullmatch(tokens[k + 1].norm):
            continue
        if not _after_condition(k, reading, words.condition | words.relatives | words.tells_when):
            return "tells what the listener did"
    return None


def _after_condition(at: int, reading: Reading, condition: frozenset[str]) -> bool:
    for k in range(at - 1, -1, -1):
        token = reading.source.tokens[k]
        if token.norm in condition:
            return True
        if reading.source.tokens[k + 1].opens_clause:
            break
    return False


def _subordinate(at: int, reading: Reading, language: str) -> bool:
    """Whether a token stands in a clause of time ("before you have a sherry"), which neither gives nor forbids."""
    words = polarity_words(language)
    opens = words.subordinate if words is not None else frozenset[str]()
    for k in range(at, max(-1, at - 9), -1):
        if reading.source.tokens[k].norm in opens:
            return True
        if reading.source.tokens[k].opens_clause:
            break
    return False


def loose_wording(point: PointSlots, placed: Placed, reading: Reading, own: Reading, language: str) -> str | None:
    """Say whether the advice is made optional, or holds only sometimes, where the point's does not."""
    words = polarity_words(language)
    if words is None:
        return None
    flat = _flat(reading, placed.sentences, before_reason(placed, reading, words))
    mine = " ".join(t.norm for t in own.source.tokens)
    if words.doubtful.search(flat) and not words.doubtful.search(mine):
        return "said with a doubt"
    if _lifted(flat, point, words) and not words.lifts.search(mine):
        return "something is lifted beside it"
    if not point.permits and words.weak.search(flat) and not words.weak.search(mine):
        return "made optional"
    if _restricted(words.restricts.finditer(flat), flat) and not words.restricts.search(mine):
        return "made to hold only sometimes"
    return None


def _lifted(flat: str, point: PointSlots, words: PolarityWords) -> bool:
    """Whether something is lifted, other than at the end the point itself sets ("until she says you can stop")."""
    for found in words.lifts.finditer(flat):
        before = set(flat[: found.start()].split()[-UNTIL_REACH:])
        if not (point.until and before & (words.subordinate | words.condition)):
            return True
    return False


def added_beside(point: PointSlots, placed: Placed, reading: Reading, own: Reading, language: str) -> str | None:
    """Say whether, in the sentences of the advice, a way out stands that the point does not have ("or wait").

    An act of not doing, an option, an alternative, another pace, amount or time of day. Whichever words the point
    itself uses are its own; a point that forbids agrees with an act of not doing, one that permits with an option.
    """
    words, signs = beside_words(language), polarity_words(language)
    if words is None or signs is None:
        return None
    flat = _nearby(placed, reading, before_reason(placed, reading, signs))
    mine = {t.norm for t in own.source.tokens}
    forbids = bool(mine & (signs.negators | signs.avoiders))
    if not forbids and _added(words.undoes, flat, own, signs):
        return "an act of not doing is put beside it"
    if not point.permits and _added(words.option, flat, own, signs, whole=True):
        return "it is left to the listener"
    if _added(words.added, flat, own, signs) or _further_amount(point, placed, reading):
        return "another pace, amount or time is put beside it"
    hurried = any(s.concepts & {"AT_ONCE", "SAME_DAY"} for s in point.slots)
    if hurried and _delayed(_flat(reading, (*placed.sentences, max(placed.sentences) + 1)), signs):
        return "it is put off"
    after = _flat(reading, (max(placed.sentences) + 1,))
    return "the next sentence limits it" if words.attaches.match(after) else None


def _delayed(flat: str, signs: PolarityWords) -> bool:
    """Whether something is put off, and that not denied itself ("don't hang on until your appointment")."""
    return any(
        not set(flat[: m.start()].split()[-DENIAL_REACH:]) & signs.negators and not flat[: m.start()].endswith("than ")
        for m in signs.delays.finditer(flat)
    )


def _further_amount(point: PointSlots, placed: Placed, reading: Reading) -> bool:
    """Whether a fraction stands amid the places of a point that has no amount ("call half an ambulance")."""
    amid = reading.source.tokens[placed.first : placed.last + 1]
    return not point.amounts and any(t.value is not None and t.value.denominator != 1 for t in amid)


def _added(pattern: re.Pattern[str], flat: str, own: Reading, signs: PolarityWords, *, whole: bool = False) -> bool:
    """Whether a phrase stands there that is not the point's own, by a word or as a whole, and is not denied itself."""
    lang = own.source.language
    words = {t.norm for t in own.source.tokens}
    mine = {stem(t.norm, lang) for t in own.source.tokens if t.norm not in signs.determiners and len(t.norm) > 3}
    for found in pattern.finditer(flat):
        denied = set(flat[: found.start()].split()[-DENIAL_REACH:]) & signs.negators
        said = found.group().split()
        if TIMED.match(flat, found.end()):
            continue
        if not denied and not set(said) <= words and (whole or not {stem(w, lang) for w in said} & mine):
            return True
    return False


def unconditioned(point: PointSlots, reading: Reading, placed: Placed, own: Reading, language: str) -> str | None:
    """Say whether the point depends on something that the text tells as a fact ("... and you have chest pain")."""
    words, beside = polarity_words(language), beside_words(language)
    if words is None or beside is None or not any(slot.condition for slot in point.slots):
        return None
    flat = _flat(reading, placed.sentences)
    posed = any(reading.asked[p.first] for p in placed.places)
    if posed and not point.permits and words.permits.search(flat):
        return "after a question it is only offered"
    asked = posed or any(reading.questioned[p.first] for p in placed.slots.values())
    if asked or words.condition & set(flat.split()) or not words.condition & {t.norm for t in own.source.tokens}:
        return None
    return "its condition is told as a fact" if beside.told.search(flat) else None


def _restricted(matches: Iterable[re.Match[str]], flat: str) -> bool:
    """Whether a restriction is followed by what it restricts to; one that was cut off there restricts nothing heard."""
    return any(len(flat[m.end() :].split()) >= 2 for m in matches)


def before_reason(placed: Placed, reading: Reading, words: PolarityWords) -> int:
    """The token at which, behind an advice, only its reason begins ("or else you could ..."); the end where none does.

    What may happen without the advice leaves nothing of it to the listener.
    """
    tokens = reading.source.tokens
    for k in range(placed.last + 1, len(reading.sentence)):
        if reading.sentence[k] != reading.sentence[placed.last]:
            break
        if tokens[k].norm in words.reasons:
            return k
    return len(reading.sentence)


def _nearby(placed: Placed, reading: Reading, stop: int) -> str:
    """The words of the advice's sentences from its own clause, and a short one before it, to the clause behind it.

    Among several points told in one breath, what stands with another point changes nothing of this one.
    """
    tokens = reading.source.tokens[: len(reading.sentence)]
    start = placed.first
    while start > 0 and not tokens[start].opens_clause:
        start -= 1
    before = start - 1
    while before > 0 and not tokens[before].opens_clause:
        before -= 1
    if 0 <= before and start - before <= OPENING_WORDS_MAX:
        start = before
    end, clauses = placed.last + 1, 0
    while end < len(tokens):
        clauses += tokens[end].opens_clause
        if clauses > 1:
            break
        end += 1
    return " ".join(
        t.norm for i, t in enumerate(tokens[: min(end, stop)]) if i >= start and reading.sentence[i] in placed.sentences
    )


def _flat(reading: Reading, sentences: Iterable[int], stop: int | None = None) -> str:
    wanted = set(sentences)
    return " ".join(
        t.norm
        for i, t in enumerate(reading.source.tokens[: len(reading.sentence) if stop is None else stop])
        if reading.sentence[i] in wanted
    )
