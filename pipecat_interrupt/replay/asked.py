"""Which of a pathway's questions a person asked in words of their own: a doctor or a nurse on a recording.

Owns that reading for replays. A voice agent speaks its pathway's wording, and the ledger's own rule is enough for it;
a person says "any temperatures?", asks for two things in one breath, and drops the verb. Pure; closes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from obligations.answers.idioms import idioms_for
from obligations.coverage.stems import stem
from obligations.coverage.text import base_language, fold
from obligations.ledger.events import WordingSpan
from obligations.pathway.models import Pathway
from obligations.pathway.words import Word, find_forms, forms_of, words_of
from pipecat_interrupt.replay.person_words import PersonWords, person_words

NEAR_WORDS = 3
"""Other words that may stand between the words of one focus: "pain in your chest" for "chest pain"."""

OF_WORDS = 4
"""So many words before a thing are looked at for one that hangs it on another."""

_POSSESSIVE = re.compile("['’]s$", re.IGNORECASE)
_SENTENCE = re.compile(r"[^.!?…]+[.!?…]*")


@dataclass(frozen=True, slots=True)
class _Sought:
    """One question: its focus as written, for each of its words the stems that name the same, and the word behind it.

    `asks_when`: which of a time, a length, a place, ... it asks for (`PersonWords.when`). `bare`: its focus is the
    asking alone ("how long").
    `own`, `wording`: the stems of its focus and of all its words.
    """

    id: str
    focus: tuple[str, ...]
    names: tuple[frozenset[str], ...]
    asks_when: int | None
    follows: str
    bare: bool
    own: frozenset[str]
    wording: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Hit:
    id: str
    first: int
    last: int


class AskedByAPerson:
    """Finds the questions of one pathway in what a person says.

    Args:
        pathway: Whose questions.
        language: BCP 47 tag of its wordings.
    """

    def __init__(self, pathway: Pathway, language: str) -> None:
        self._language = base_language(language)
        self._words = person_words(language)
        self._sought = tuple(
            _Sought(
                question.id,
                focus := forms_of(question.focus[language]),
                tuple(self._names(form) for form in focus),
                _asks_when(forms_of(question.wording[language]), self._words),
                _behind(forms_of(question.wording[language]), focus),
                self._words is not None and any(when.fullmatch(" ".join(focus)) for when in self._words.when),
                frozenset(self._stem(form) for form in focus),
                frozenset(self._stem(form) for form in forms_of(question.wording[language])),
            )
            for question in pathway.questions.values()
        )

    def find(self, text: str) -> tuple[WordingSpan, ...]:
        """Give the questions a text asks, in its order; each span is the part of the sentence that asks it.

        A question counts where a sentence asks, and holds its focus, another form of it, or a word of the same meaning.
        One that asks for a time or a place is never the one that asks whether there is something, nor the other way.
        """
        words, table = words_of(text), self._words
        if table is None:
            return ()
        found: dict[str, WordingSpan] = {}
        for sentence in _SENTENCE.finditer(text):
            inside = [w for w in words if sentence.start() <= w.start < sentence.end()]
            if inside and _asks(sentence[0], inside, table):
                for span in self._in_sentence(text, sentence[0], inside, table):
                    found.setdefault(span.id, span)
        return tuple(sorted(found.values(), key=lambda span: span.start))

    def names(self, question_id: str, text: str) -> bool:
        """Whether a text names what a question asks about."""
        forms = forms_of(text)
        stems = tuple(self._stem(form) for form in forms)
        sought = next(one for one in self._sought if one.id == question_id)
        return self._words is not None and _hit(sought, forms, stems, self._words) is not None

    def _in_sentence(self, text: str, sentence: str, inside: Sequence[Word], table: PersonWords) -> list[WordingSpan]:
        forms = tuple(word.form for word in inside)
        when = _asks_when(forms, table)
        stems = tuple(self._stem(_POSSESSIVE.sub("", text[word.start : word.end]).casefold()) for word in inside)
        named = [(sought, hit) for sought in self._sought if (hit := _hit(sought, forms, stems, table)) is not None]
        hits = [hit for sought, hit in named if sought.asks_when == when and not (sought.bare and len(named) > 1)]
        recalled = table.recalls.search(" ".join(forms))
        if recalled is not None:  # "you mentioned you live with your wife, is that right?" asks nothing new
            told = len(" ".join(forms)[: recalled.start()].split())
            hits = [hit for hit in hits if hit.last < told]
        hits = [hit for hit in hits if not self._of_another(hit, [s for s, h in named if h in hits], stems)]
        hits = _by_themselves(sorted(hits, key=lambda hit: (hit.last, hit.first)), forms, table)
        spans: list[WordingSpan] = []
        begin = 0
        for k, hit in enumerate(hits):
            end = hits[k + 1].first if k + 1 < len(hits) else len(inside)
            end = max(end, hit.last + 1)
            spans.append(
                WordingSpan(
                    id=hit.id,
                    start=inside[min(begin, hit.first)].start,
                    end=inside[end - 1].end,
                    need_end=inside[hit.last].end,
                    own=False,
                )
            )
            begin = min(end, len(inside) - 1)
        return spans

    @staticmethod
    def _of_another(hit: _Hit, asked: Sequence[_Sought], stems: Sequence[str]) -> bool:
        """Whether its words belong to another question asked there: "working" in "are your bowels working?"."""
        mine = next(sought for sought in asked if sought.id == hit.id)
        said = set(stems[hit.first : hit.last + 1])
        others = (sought for sought in asked if sought.id != hit.id)
        return any(said <= other.wording and not other.own & mine.wording for other in others)

    def _names(self, form: str) -> frozenset[str]:
        idioms = idioms_for(self._language)
        groups = idioms.synonyms if idioms is not None else ()
        own = fold(form)
        loose = self._words.loose if self._words is not None else frozenset[str]()
        same = {word for group in groups if own in group for word in group - loose}
        return frozenset(self._stem(word) for word in {own, *same})

    def _stem(self, form: str) -> str:
        return stem(fold(form), self._language)


def _asks(sentence: str, inside: Sequence[Word], table: PersonWords) -> bool:
    if "?" in sentence:
        return True
    forms = [word.form for word in inside]
    return table.asks.match(" ".join(forms[_opening(forms, table) :])) is not None


def _asks_when(forms: tuple[str, ...], table: PersonWords | None) -> int | None:
    """Which of a time, a length, a place, ... a sentence asks for; "what were you doing when it started?" for none."""
    if table is None:
        return None
    at = _opening(forms, table)
    said = " ".join(forms[at:])
    found = [(match.start(), k) for k, when in enumerate(table.when) if (match := when.search(said)) is not None]
    how_much = table.how_much.search(said)
    if not found or (how_much is not None and how_much.start() < min(found)[0]):
        return None
    first, kind = min(found)
    opens_polar = table.polar.match(said) is not None and table.tells.match(said[:first]) is None
    return None if opens_polar else kind


def _opening(forms: Sequence[str], table: PersonWords) -> int:
    """Where a sentence begins behind its sounds and small words."""
    at = 0
    while at < len(forms) and forms[at] in table.hesitates:
        at += 1
    return at


def _by_themselves(hits: Sequence[_Hit], forms: Sequence[str], table: PersonWords) -> list[_Hit]:
    """Leave out what hangs on another hit: "allergies to any medication" asks for allergies alone."""
    kept: list[_Hit] = []
    for hit in hits:
        between = forms[kept[-1].last + 1 : hit.first][-OF_WORDS:] if kept else ()
        if not any(form in table.of for form in between):
            kept.append(hit)
    return kept


def _behind(forms: tuple[str, ...], focus: tuple[str, ...]) -> str:
    """The word behind the focus in a wording; "" at its end."""
    end = find_forms(forms, focus) + len(focus)
    return forms[end] if end < len(forms) else ""


def _other_use(sought: _Sought, follows: str, table: PersonWords) -> bool:
    """Whether the word behind a focus makes something else of it: "before we start", "how long did it last"."""
    if sought.asks_when is not None:
        mine = next((group for group in table.helpers if sought.follows in group), None)
        return mine is not None and follows not in mine and any(follows in group for group in table.helpers)
    return len(sought.focus) == 1 and sought.focus[0] in table.joining and follows in table.joins


def _hit(sought: _Sought, forms: tuple[str, ...], stems: tuple[str, ...], table: PersonWords) -> _Hit | None:
    """Where a sentence names a question: as written, else each word of its focus in some form, close together."""
    at = find_forms(forms, sought.focus)
    if at >= 0 and _other_use(sought, " ".join(forms[at + len(sought.focus) :][:1]), table):
        return None
    if at >= 0:
        return _Hit(sought.id, at, at + len(sought.focus) - 1)
    places = [[k for k, word in enumerate(stems) if word in names] for names in sought.names]
    if not all(places):
        return None
    for first in places[0]:
        chosen = [min(options, key=lambda k: abs(k - first)) for options in places]
        begin, end = min(chosen), max(chosen)
        if len(set(chosen)) == len(chosen) and end - begin < len(chosen) + NEAR_WORDS:
            return _Hit(sought.id, begin, end)
    return None
