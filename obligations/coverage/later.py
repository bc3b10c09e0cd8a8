"""Whether an utterance turns advice that an earlier one gave: takes it back, or lets the listener do otherwise.

Owns the look at one utterance's free sentences against every point of a pathway. Words that are the pathway's own turn
nothing, and neither does a question.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from obligations.coverage.flat import flatten
from obligations.coverage.lexicon.later import LaterWords, later_words
from obligations.coverage.lexicon.retraction import RetractionWords, retraction_words
from obligations.coverage.loosened import Loosened, Point
from obligations.coverage.retraction import Sentence, key_of, topic, unsays

_CLAUSES = re.compile(r"[,;]")
# Words before and behind a lifted or denied duty in which its act must stand ("no need to keep using the drops").
_REACH_WORDS = 3
# The act of an advice stands in its first words of weight ("keep using", "contact").
_ACT_WORDS = 2
# Who does otherwise stands no further before the act than this ("most people drive").
_PERMITS_WORDS = 4


class Later:
    """The points of one pathway in one language, ready to be looked at behind every utterance.

    Cost: O(sentences x points), all of it look-ups of words and phrases; nothing in a language without tables.
    """

    def __init__(
        self,
        wordings: Mapping[str, str],
        groups: Mapping[str, str],
        language: str,
        common: Collection[str],
        wrong: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        """Read the points.

        Args:
            wordings: Every item's wording by id, questions included.
            groups: Every item's group by id.
            language: BCP 47 tag.
            common: Stems of words that tell none of the pathway's items from another.
            wrong: Known wrong versions of an item, by id.
        """
        self._language = language
        self._words, self._near = later_words(language), retraction_words(language)
        if self._words is None or self._near is None:
            self._points = dict[str, Point]()
            return
        self._loosened = Loosened(language, self._words, self._near)
        wrong = wrong or {}
        telling = {key_of(word, language) for word in self._words.telling}
        dull = telling | set(common)
        topics = {item_id: set(topic(text, language)) - dull for item_id, text in wordings.items()}
        self._points = {
            item_id: self._read(
                text, dull, topics[item_id] - _of_others(item_id, topics, groups), wrong.get(item_id, ())
            )
            for item_id, text in wordings.items()
        }

    @property
    def points(self) -> Mapping[str, Point]:
        """Every point as the looks see it, by id; none in a language without tables."""
        return self._points

    def _read(self, text: str, dull: set[str], own: set[str], wrong: Sequence[str]) -> Point:
        words, near = self._words, self._near
        assert words is not None and near is not None
        flat = flatten(text, self._language)
        told = frozenset(topic(text, self._language)) - dull
        act = tuple(stem for stem in topic(self._act(text, words, near), self._language) if stem not in dull)
        loosened = self._loosened
        allows, urgent, machine = loosened.kind(text)
        return Point(
            act=act,
            told=told,
            own=frozenset(own),
            verbs=loosened.verbs(text, act),
            condition=loosened.condition(text, act, told),
            prohibits=bool(near.prohibits.match(flat)),
            states=bool(words.states.match(flat)),
            allows=allows,
            urgent=urgent,
            machine=machine,
            wrong=loosened.read_wrong(wrong, frozenset(topic(text, self._language))),
        )

    def _act(self, text: str, words: LaterWords, near: RetractionWords) -> str:
        """The part of an advice that asks for something, without the condition before or behind it."""
        clauses = [clause.strip() for clause in _CLAUSES.split(text)]
        first = flatten(clauses[0], self._language)
        if near.condition.match(first) or words.under.match(first):
            return clauses[-1]
        flat = flatten(text, self._language)
        condition = near.condition.search(flat)
        head = flat[: condition.start()] if condition is not None else flat
        return head if topic(head, self._language) else flat

    def turned(
        self,
        text: str,
        sentences: Sequence[Sentence],
        ids: Collection[str],
        *,
        told: Collection[str],
        last: Collection[str],
        answered: bool,
        reply: str = "",
    ) -> dict[str, Sentence]:
        """Find the points that an utterance takes back or contradicts.

        Args:
            text: What was heard of it.
            sentences: Those of its sentences that are not the pathway's own.
            ids: The points to look at.
            told: Those of them that were told before: only these can be taken back.
            last: Those of them the utterance before this one told: "forget that" means them.
            answered: Somebody spoke between the two; then "that is wrong" is said of their words.
            reply: What they said; "yes" to "so I can drive?" lets the listener drive.

        Returns:
            The first sentence against each such point.
        """
        found = dict[str, Sentence]()
        if not ids:
            return found  # most utterances are behind nothing that was told: they are not even taken apart
        for sentence in sentences:
            if sentence.mark == "?" or not self._points:
                continue
            said, clauses = set(topic(sentence.flat, self._language)), self._clauses(text, sentence)
            agreed = self._loosened.answered(reply, sentence.flat) if sentence is sentences[0] else None
            for item_id in ids:
                if item_id not in found and (
                    self._turns(sentence, clauses, said, item_id, last, reply)
                    or (item_id in told and agreed is not None and self._agrees(agreed, item_id, last))
                ):
                    found[item_id] = sentence
            gone = self._taken_back(sentence, said, told, last, answered=answered)
            found.update({item_id: sentence for item_id in ids if item_id in gone and item_id not in found})
        return found

    def meant(
        self, sentence: Sentence, told: Collection[str], last: Collection[str], reply: str = ""
    ) -> tuple[str, ...]:
        """Name the advice that a sentence may speak of: what it names, else what the utterance before it told.

        Args:
            sentence: A sentence of other words; a question speaks of none.
            told: The points that may be meant.
            last: Those the utterance before this one told.
            reply: What was said in between.

        Returns:
            Ids of what asks or forbids, without what is left to those who gave the advice.
        """
        if sentence.mark == "?":
            return ()
        flat = self._loosened.flat(sentence.flat) if self._points else ""
        said = set(topic(flat, self._language))
        of = {i: self._points[i] for i in told if i in self._points}
        named = [i for i, point in of.items() if point.own & said]
        return tuple(
            i
            for i in (named or [i for i in of if i in last])
            if not (of[i].states or of[i].machine or of[i].allows or self._loosened.spared(flat, of[i], reply))
        )

    def _turns(
        self,
        sentence: Sentence,
        clauses: Sequence[str],
        said: set[str],
        item_id: str,
        last: Collection[str],
        reply: str,
    ) -> bool:
        """Whether a sentence turns a point by what it says of it, or of nothing, right behind it."""
        point, loosened = self._points[item_id], self._loosened
        flat = loosened.flat(sentence.flat)
        if loosened.spared(flat, point, reply):
            return False
        said = said | set(topic(flat, self._language))
        if self._against(clauses, said, point):
            return True
        just = item_id in last
        if loosened.loosens(flat, clauses, said, point, last=just):
            return True
        return just and point.prohibits and loosened.lets_short(reply, sentence.flat, point)

    def _agrees(self, made: str, item_id: str, last: Collection[str]) -> bool:
        """Whether what "yes" or "no" makes of a question turns a point."""
        point, said = self._points[item_id], set(topic(made, self._language))
        if self._against((made,), said, point):
            return True
        return self._loosened.loosens(made, (made,), said, point, last=item_id in last)

    def _clauses(self, text: str, sentence: Sentence) -> tuple[str, ...]:
        """The flat clauses of a sentence, without a condition at its head ("if they tell you to stop the drops, ...").

        A condition that no comma ends is the whole sentence.
        """
        near = self._near
        assert near is not None
        parts = (self._loosened.flat(part) for part in _CLAUSES.split(text[sentence.start : sentence.end]))
        clauses = tuple(part for part in parts if part)
        return clauses[1:] if len(clauses) > 1 and near.condition.match(clauses[0]) else clauses

    def calls_untrue(self, sentence: Sentence) -> bool:
        """Say whether a sentence calls what comes behind it untrue ("Myth number one:")."""
        return self._words is not None and self._words.untrue.search(sentence.flat) is not None

    def _taken_back(
        self, sentence: Sentence, said: set[str], told: Collection[str], last: Collection[str], *, answered: bool
    ) -> Collection[str]:
        words, flat = self._words, sentence.flat
        assert words is not None
        withdrawn = words.withdraws.search(flat) is not None and words.stands_by.search(flat) is None
        if withdrawn and words.sweeping.search(flat):
            return told
        named = {item_id for item_id, point in self._points.items() if point.own & said}
        if withdrawn:
            return named & set(told) or ([] if named else last)
        stopped = self._stopped(flat)
        if stopped and last:
            meant = named & set(told)
            return [i for i in last if self._asks(i) and (not meant or i in meant)]
        gone = words.releases.search(flat) is not None or (not answered and unsays(sentence, self._language))
        return [item_id for item_id in last if not named or item_id in named] if gone else []

    def _asks(self, item_id: str) -> bool:
        """Whether a point asks for something to be done."""
        point = self._points[item_id]
        return not point.prohibits and not point.states

    def _stopped(self, flat: str) -> bool:
        """Whether what was asked for last may be ended, by a pronoun alone, and that is not denied."""
        words, near = self._words, self._near
        assert words is not None and near is not None
        for match in words.stops.finditer(flat):
            before = flat[: match.start()].split()
            if not any(w in near.negates for w in before[-_REACH_WORDS:]) and not _ends(near.condition, before[:-1]):
                return True
        return False

    def _against(self, clauses: Sequence[str], said: set[str], point: Point) -> bool:
        if not said & set(point.act):
            return False
        if point.prohibits:
            return self._permitted(" ".join(clauses), point)
        if point.states:
            return any(self._negated(flat, said, point) for flat in clauses)
        looks = (self._lifted, self._undone)
        return any(look(flat, point) for look in looks for flat in clauses) or any(
            self._forbidden(flat, said, point) for flat in clauses
        )

    def _keys(self, words: Sequence[str]) -> list[str]:
        return [key_of(word, self._language) for word in words]

    def _permitted(self, flat: str, point: Point) -> bool:
        """Whether the forbidden act is let, other than on the advice's own condition."""
        words, near = self._words, self._near
        assert words is not None and near is not None
        said = flat.split()
        places = [i for i, key in enumerate(self._keys(said)) if key in point.act[:1]]
        for i in places:
            before, behind = said[max(0, i - _PERMITS_WORDS - 2) : i], " ".join(said[i + 1 :])
            ahead = before if words.permitted.match(behind) else self._let(before)
            if ahead is not None and not any(word in near.negates for word in ahead[-_PERMITS_WORDS:]):
                condition = near.condition.search(behind)
                if condition is None or not set(topic(behind[condition.end() :], self._language)) & point.told:
                    return True
        return False

    def _let(self, before: list[str]) -> list[str] | None:
        """Give the words before a permission, or before others who do it, that stands right before an act.

        None where there is none, or where it hangs on something.
        """
        words = self._words
        assert words is not None
        while before and not _ends(words.permits, before) and words.adverbs.fullmatch(before[-1]):
            before = before[:-1]
        flat = " ".join(before)
        found = next((m for m in (*words.permits.finditer(flat), *words.people.finditer(flat)) if _at_end(m)), None)
        ahead = flat[: found.start()].split() if found is not None else None
        return None if ahead is None or _ends(words.hangs, ahead) else ahead

    def _lifted(self, flat: str, point: Point) -> bool:
        words, near = self._words, self._near
        assert words is not None and near is not None
        for match in (*near.lifts.finditer(flat), *words.lifts.finditer(flat)):
            rest = flat[match.end() :].strip()
            lead = words.lead.match(rest)
            rest = rest[lead.end() :].strip() if lead is not None else rest
            if words.comforts.match(rest) or near.undoes.match(rest) or self._loosened.hoped(flat, match.start()):
                continue
            behind, before = rest.split()[:_REACH_WORDS], flat[: match.start()].split()[-_REACH_WORDS:]
            closes = len(rest.split()) < _REACH_WORDS
            if set(self._keys(behind)) & set(point.act) or (closes and set(self._keys(before)) & set(point.act)):
                return True
        return False

    def _undone(self, flat: str, point: Point) -> bool:
        words, near = self._words, self._near
        assert words is not None and near is not None
        for match in (*near.undoes.finditer(flat), *words.undoes.finditer(flat)):
            before, behind = flat[: match.start()].split(), flat[match.end() :].split()[:_REACH_WORDS]
            behind = match[0].split() + behind
            if _ends(near.condition, before[:-1]) or self._loosened.hoped(flat, match.start()):
                continue  # "if you forget a tablet"
            if not any(w in near.negates for w in before[-_REACH_WORDS:]) and set(self._keys(behind)) & set(point.act):
                return True
        return False

    def _forbidden(self, flat: str, said: set[str], point: Point) -> bool:
        """Whether what the advice asks for is forbidden: a negation, its act, and what it is done to."""
        words = self._words
        assert words is not None
        behind = [flat[match.end() :].split()[:_REACH_WORDS] for match in words.refuses.finditer(flat)]
        if any(set(self._keys(near)) & set(point.act) for near in behind):
            return True
        tokens = flat.split()
        for i, word in enumerate(tokens):
            if word not in words.forbids or words.tells_state.search(" ".join(tokens[:i])):
                continue
            near = set(self._keys(tokens[i + 1 : i + 1 + _ACT_WORDS])) & set(point.act[:_ACT_WORDS])
            if near and said & (set(point.act) - near):
                return True
        return False

    def _negated(self, flat: str, said: set[str], point: Point) -> bool:
        """Whether what the advice says is so, is said not to be."""
        near = self._near
        assert near is not None
        tokens = flat.split()
        for i, word in enumerate(tokens):
            if word not in near.negates:
                continue
            hit = set(self._keys(tokens[i + 1 : i + 1 + _ACT_WORDS])) & set(point.act)
            if hit and (said & (set(point.told) - hit) or word in ("nothing", "nada")):
                return True
        return False


def _of_others(item_id: str, topics: Mapping[str, set[str]], groups: Mapping[str, str]) -> set[str]:
    return {stem for other, stems in topics.items() if groups[other] != groups[item_id] for stem in stems}


def _ends(pattern: re.Pattern[str], words: Sequence[str]) -> bool:
    """Whether a pattern stands right at the end of some words."""
    return any(_at_end(match) for match in pattern.finditer(" ".join(words)))


def _at_end(match: re.Match[str]) -> bool:
    return match.end() == len(match.string)
