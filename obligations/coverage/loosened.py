"""Whether a sentence loosens an advice it need not name: less of it, later, this once, or "yes" to what it forbids.

Owns the looks at one sentence against one point. A false find costs one more telling, a miss leaves a wrong advice
standing; the looks are wide on purpose, and spare what those who gave the advice decide.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from obligations.coverage.flat import flatten
from obligations.coverage.lexicon.later import LaterWords
from obligations.coverage.lexicon.loosened import loosened_words
from obligations.coverage.lexicon.retraction import RetractionWords
from obligations.coverage.retraction import key_of, topic

# Words before what loosens in which a negation denies it ("do not wait until the morning").
_REACH_WORDS = 3
# Words between an act and what lets it ("driving again after two days is usual"), either way.
_LET_WORDS = 6
# Share of the telling words of a known wrong version that a sentence must have. Our choice.
_WRONG_SHARE_MIN = 0.7
# Ask for what stands behind them not to be done, without a negation.
_SHUNS = frozenset({"avoid", "evite", "evitar"})
# An answer of "yes" is no longer than this; a longer one says itself what it means.
_YES_WORDS_MAX = 12


@dataclass(frozen=True, slots=True)
class Point:
    """One advice, as the looks at later words need it: stems of words, and what kind of advice it is.

    Parameters:
        act: Words of weight, without those of its condition. told: all of them.
        own: Those that no item of another group has.
        verbs: What is done or not to be done. condition: what it is for.
        prohibits: Forbids. states: Says how it is. allows: Allows.
        urgent: Is not to be left for later. machine: Says that no person speaks.
        wrong: What known wrong versions of it say: all stems, and those it does not share; and whether it denies.
    """

    act: tuple[str, ...]
    told: frozenset[str]
    own: frozenset[str]
    verbs: frozenset[str]
    condition: frozenset[str]
    prohibits: bool
    states: bool
    allows: bool
    urgent: bool
    machine: bool
    wrong: tuple[Wrong, ...]


@dataclass(frozen=True, slots=True)
class Wrong:
    """A known wrong version of an advice.

    Parameters:
        first: Its first word of weight. stems: all of them. telling: those the advice does not have.
        denies: Whether it holds a negation. conditioned: Whether it holds a condition.
        states: Whether it says how it is.
    """

    first: str
    stems: frozenset[str]
    telling: frozenset[str]
    denies: bool
    conditioned: bool
    states: bool


class Loosened:
    """The looks, in one language."""

    def __init__(self, language: str, words: LaterWords, near: RetractionWords) -> None:
        found = loosened_words(language)
        assert found is not None, "every language with words of later utterances has words of loosening"
        self._language, self._words, self._near, self._own = language, words, near, found

    def flat(self, text: str) -> str:
        """Flatten a text and give other words for an act their plain word."""
        flat = flatten(text, self._language)
        for pattern, word in self._own.same:
            flat = pattern.sub(word, flat)
        return flat

    def read_wrong(self, statements: Sequence[str], told: Collection[str]) -> tuple[Wrong, ...]:
        """Read the known wrong versions of an advice of which `told` are the stems."""
        out = list[Wrong]()
        for text in statements:
            flat, words = self.flat(text), topic(text, self._language)
            if not words:
                continue
            stems = frozenset(words)
            denies, conditioned = self._negates(flat), self._near.condition.search(flat) is not None
            states = self._words.states.match(flat) is not None
            out.append(Wrong(words[0], stems, stems - set(told), denies, conditioned, states))
        return tuple(out)

    def verbs(self, text: str, act: Sequence[str]) -> frozenset[str]:
        """Give the stems of what is done: the first of an act, and the one joined to it ("rub or press")."""
        keys = [key_of(word, self._language) for word in self.flat(text).split()]
        joins = {"or", "ou", "nem"}
        first = set(act[1:2] if _SHUNS & set(self.flat(text).split()[:1]) else act[:1])
        for i, key in enumerate(keys[:-2]):
            if key in first and keys[i + 1] in joins and keys[i + 2] in act:
                first.add(keys[i + 2])
            if key in first and keys[i + 1] in {"press", "carreg"}:
                first.add(keys[i + 1])
        return frozenset(first)

    def kind(self, text: str) -> tuple[bool, bool, bool]:
        """Say of an advice whether it allows, is urgent, and says that no person speaks."""
        own, flat = self._own, self.flat(text)
        found = (own.allows.match(flat), own.urgent.search(flat), own.machine.search(flat))
        return found[0] is not None, found[1] is not None, found[2] is not None

    def condition(self, text: str, act: Sequence[str], told: Collection[str]) -> frozenset[str]:
        """Give the stems of what an advice is for ("if you lose vision"), none where it holds at all times."""
        return frozenset(told) - set(act) if self._own.under.search(self.flat(text)) else frozenset()

    def spared(self, flat: str, point: Point, reply: str) -> bool:
        """Whether a sentence leaves it to those who gave the advice, or speaks of what the advice is not for."""
        own = self._own
        if own.clears.search(flat):
            return True
        if not point.condition or not self._asks(point):
            return False
        if self._near.condition.match(flat) and own.mild.search(flat):
            return True
        denied = self._negates(flatten(reply, self._language)) or reply.strip().lower().startswith(("no", "não"))
        return denied and own.relief.match(flat) is not None

    def hoped(self, flat: str, at: int) -> bool:
        """Whether right before a place stand words that say it of nobody."""
        return any(flat[m.end() : at].strip() == "" for m in self._own.spares.finditer(flat) if m.end() <= at + 1)

    def loosens(self, flat: str, clauses: Sequence[str], said: set[str], point: Point, *, last: bool) -> bool:
        """Say whether a sentence loosens an advice.

        Args:
            flat: The sentence.
            clauses: Its clauses, without a condition at their head.
            said: The stems of its words of weight.
            point: The advice.
            last: Whether the utterance before this one told it, so that it need not be named.
        """
        if self._known_wrong(flat, said, point, last=last):
            return True
        if point.machine:
            return self._own.alive.search(flat) is not None
        if point.states:
            return False
        if point.prohibits:
            return any(self._let(clause, point) for clause in clauses) or self._freed(flat, clauses, point, last=last)
        if point.allows:
            return any(self._denied_act(clause, point) for clause in clauses)
        return self._less(clauses, said, point, last=last) or (
            point.urgent and self._later(flat, said, point, last=last)
        )

    def answered(self, reply: str, flat: str) -> str | None:
        """Give the statement that an answer makes of the listener's question; None when it makes none of it."""
        own = self._own
        asked = flatten(reply, self._language)
        if not asked or len(flat.split()) > _YES_WORDS_MAX or own.clears.search(flat):
            return None
        rules = own.asked if own.affirms.match(flat) else own.doubted if own.denies.match(flat) else ()
        if rules is own.asked and self._negates(own.let.sub(" ", own.affirms.sub(" ", flat, count=1))):
            return None
        made = self.flat(reply)
        for pattern, word in rules:
            made = pattern.sub(word, made)
        return made if rules and made != self.flat(reply) else None

    def lets_short(self, reply: str, flat: str, point: Point) -> bool:
        """Whether a question that leaves its act out ("even to the shops?") is answered by letting it be."""
        asked = self.flat(reply)
        short = "?" in reply and self._own.short.match(asked) is not None and not self._keys(asked) & point.verbs
        lets = self._said(self._own.let, flat) or flat.endswith((" you can", " you may", " pode"))
        return short and (lets or self._own.affirms.match(flat) is not None)

    def _asks(self, point: Point) -> bool:
        return not point.prohibits and not point.states and not point.allows

    def _keys(self, flat: str) -> set[str]:
        return {key_of(word, self._language) for word in flat.split()}

    def _negates(self, flat: str) -> bool:
        return any(word in self._near.negates for word in flat.split())

    def _said(self, pattern: re.Pattern[str], flat: str) -> bool:
        """Whether a pattern stands in a text and is neither denied nor said of nobody."""
        for match in pattern.finditer(flat):
            before = flat[: match.start()].split()[-_REACH_WORDS:]
            if any(word in self._near.negates for word in before) or self.hoped(flat, match.start()):
                continue
            ahead = flat[: match.start()].split()[:-1]
            if not any(m.end() == len(" ".join(ahead)) for m in self._near.condition.finditer(" ".join(ahead))):
                return True  # and not "if you stop them"
        return False

    def _known_wrong(self, flat: str, said: set[str], point: Point, *, last: bool) -> bool:
        keys = said | self._keys(flat)
        conditioned, denies = self._near.condition.search(flat) is not None, self._negates(flat)
        for wrong in point.wrong:
            if denies is not wrong.denies or (conditioned and not wrong.conditioned):
                continue
            if not wrong.telling or not (keys & wrong.stems & point.told or (last and not wrong.states)):
                continue
            if wrong.first not in keys:
                continue
            share = len(keys & wrong.stems) / len(wrong.stems)
            if share >= _WRONG_SHARE_MIN and len(keys & wrong.telling) * 2 >= len(wrong.telling):
                return True
        return False

    def _let(self, clause: str, point: Point) -> bool:
        """Whether what is forbidden is let: words that let it beside it, or it is plainly asked for."""
        own, words = self._own, clause.split()
        for i, word in enumerate(words):
            if key_of(word, self._language) not in point.verbs:
                continue
            before = " ".join(words[:i])
            if _SHUNS & set(words[:i]):
                continue
            if any(w in self._near.negates for w in words[max(0, i - _REACH_WORDS) : i]) and not own.let.search(before):
                continue
            if own.begins.fullmatch(f"{before} " if before else "") and not self._noun(word, words[i + 1 :]):
                return True
            near = words[max(0, i - _LET_WORDS) : i], words[i + 1 : i + 1 + _LET_WORDS + 3]
            if self._said(own.let, " ".join(near[1])) or self._said(own.let, " ".join(near[0])):
                return not self._others(words[max(0, i - _LET_WORDS) : i])
        return False

    def _noun(self, word: str, behind: Sequence[str]) -> bool:
        """Whether an act at the head of a clause is only named ("driving is hard"), not asked for."""
        return word.endswith(("ing", "ir", "ar", "er")) or not behind

    def _others(self, before: Sequence[str]) -> bool:
        """Whether somebody else does it ("it is fine that your son drives")."""
        flat = " ".join(before)
        return any(match.end() == len(flat) for match in self._own.whose.finditer(flat))

    def _freed(self, flat: str, clauses: Sequence[str], point: Point, *, last: bool) -> bool:
        """Whether the listener need not wait for leave, or is let without a word of what."""
        own = self._own
        if last and any(own.free.fullmatch(clause) for clause in clauses):
            return True
        for match in (*self._near.lifts.finditer(flat), *self._words.lifts.finditer(flat)):
            behind = flat[match.end() :].split()[:5]
            if self._named(point, self._keys(flat), last=last) and set(behind) & own.awaited:
                return True
        return last and any(
            self._keys(" ".join(flat[m.end() :].split()[:_REACH_WORDS])) & point.verbs for m in own.easy.finditer(flat)
        )

    def _named(self, point: Point, keys: set[str], *, last: bool) -> bool:
        return last or bool(keys & (point.own & point.told))

    def _less(self, clauses: Sequence[str], said: set[str], point: Point, *, last: bool) -> bool:
        own, flat = self._own, " ".join(clauses)
        named = bool(said & set(point.act) & (point.own or point.told))
        if point.condition or own.elsewhere.search(flat) or not (named or last):
            return False
        if named and any(
            self._keys(" ".join(flat[m.end() :].split()[:2])) & point.told for m in own.in_place.finditer(flat)
        ):
            return True
        return any(self._said(pattern, flat) for pattern in (own.less, own.drops_it, own.indifferent, own.lax)) or (
            named and any(self._no_reason(clause, point) for clause in clauses)
        )

    def _no_reason(self, flat: str, point: Point) -> bool:
        """Whether what lifts an advice stands further before its act than where the act alone is looked for."""
        for match in self._near.lifts.finditer(flat):
            rest = flat[match.end() :].split()
            free = self._words.lead.sub("", " ".join(rest), count=1).strip()
            if self._words.comforts.match(free) or self._near.undoes.match(free) or self._negates(" ".join(rest)):
                continue
            if self._keys(" ".join(rest[:_LET_WORDS])) & set(point.act) and not self.hoped(flat, match.start()):
                return True
        return False

    def _later(self, flat: str, said: set[str], point: Point, *, last: bool) -> bool:
        own = self._own
        keys = said | self._keys(flat)
        named = bool(keys & (point.condition | set(point.act)) & point.own)
        if not named and not last:
            return False
        for match in own.in_place.finditer(flat):
            if self._keys(" ".join(flat[match.end() :].split()[:2])) & set(point.act):
                return not self._negates(flat[: match.start()])
        if own.elsewhere.search(flat) is None or named:
            if self._said(own.delays, flat) or self._said(own.later_call, flat):
                return True
        spoken_of = bool(keys & point.condition)
        return spoken_of and own.mild.search(flat) is None and self._said(own.plays_down, flat)

    def _denied_act(self, clause: str, point: Point) -> bool:
        """Whether what is allowed is forbidden."""
        words = clause.split()
        for i, word in enumerate(words):
            if word in self._words.forbids and not self._words.tells_state.search(" ".join(words[:i])):
                near = words[i + 1 : i + 1 + _REACH_WORDS]
                if self._keys(" ".join(near)) & set(point.act[:2]):
                    return True
        return False
