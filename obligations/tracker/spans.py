"""Where an intended text holds the pathway's own wording, in written characters, and where it turns it.

Owns the match: word by word, whatever the case, punctuation and spacing. A model's free words are never matched here,
with one exception that is marked as not own: a sentence that asks, and holds the focus words of exactly one question.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from obligations.coverage.asking import bent_from
from obligations.coverage.beside import FOLLOWED, TURNED_BEHIND, changed_beside, one_sentence
from obligations.coverage.later import Later
from obligations.coverage.retraction import Sentence, free_sentences, taken_back, topic, whole_sentences
from obligations.coverage.stems import stem
from obligations.coverage.text import base_language, fold
from obligations.ledger.events import WordingSpan
from obligations.pathway.models import Pathway, Question
from obligations.pathway.words import Word, find_forms, forms_of, words_of

_SENTENCE = re.compile(r"[^.!?…]+[.!?…]*")
# A word of more items than these, and of more than this share of them, is no item's topic. Our choice.
_COMMON_ITEMS_MIN = 3
_COMMON_SHARE = 0.3
_PHRASE_NAMES = (
    "greeting",
    "goodbye",
    "unanswerable",
    "return_point",
    "correction",
    "return_question",
    "guard",
    "confirm",
    "confirm_report",
    "repeat",
    "stopped",
    "person",
    "emergency",
    "wrong_person",
    "silence",
    "farewell",
    "call_back",
    "objected",
    "fetch",
    "wait",
    "bereaved",
    "transfer",
    "not_transferred",
    "still_there",
    "patient_now",
    "words_please",
    "voicemail",
)


@dataclass(frozen=True, slots=True)
class _Pattern:
    id: str
    forms: tuple[str, ...]
    need: int  # words that must be heard, counted from the first
    advice: bool = False  # what stands beside it in the same sentence can make another advice of it


class _Match(NamedTuple):
    pattern: _Pattern
    begin: int  # its first word
    end: int  # one past its last


class Turned(NamedTuple):
    """An advice of known wording that the words around it make another one of.

    Parameters:
        id: The item.
        start: First character of its sentence, or of the one that turns it. end: one past the last.
        hard: It is no advice to do this any more, whoever has heard it before: an exception, an alternative, a denial.
    """

    id: str
    start: int
    end: int
    hard: bool


class WordingIndex:
    """Every wording of a pathway in one language, ready to be found.

    Cost: O(words of the text) look-ups by first word, plus the length of the wordings that begin with it.
    """

    def __init__(self, pathway: Pathway, language: str) -> None:
        self._language = language
        self._by_first: dict[str, list[_Pattern]] = {}
        self._focus: list[tuple[str, tuple[str, ...]]] = []
        for item in pathway.items.values():
            wording = item.wording[language]
            if isinstance(item, Question):
                focus = forms_of(item.focus[language])
                self._focus.append((item.id, focus))
                extra = (item.reask.get(language), item.confirm.get(language), *item.variants.get(language, ()))
                for text in (wording, *(text for text in extra if text)):
                    forms = forms_of(text)
                    self._add(_Pattern(item.id, forms, find_forms(forms, focus) + len(focus)))
            else:
                forms = forms_of(wording)
                self._add(_Pattern(item.id, forms, len(forms), advice=True))
        self._focus_stems = [(item_id, self._stems(focus)) for item_id, focus in self._focus]
        self._common = _common_stems(pathway, language)
        groups = {item_id: group.id for item_id, group in pathway.group_by_item.items()}
        wordings = {item.id: item.wording[language] for item in pathway.items.values()}
        wrong = {point.id: point.not_confused_with.get(language, ()) for point in pathway.points.values()}
        self.later = Later(wordings, groups, language, self._common, wrong)
        phrases = pathway.phrases[language]
        for name in _PHRASE_NAMES:
            forms = forms_of(getattr(phrases, name) or "")
            if not forms:
                continue
            self._add(_Pattern(f"phrase:{name}", forms, len(forms)))
        self._reactions = tuple(forms_of(text) for text in phrases.acknowledgements.texts())

    def _add(self, pattern: _Pattern) -> None:
        rivals = self._by_first.setdefault(pattern.forms[0], [])
        rivals.append(pattern)
        rivals.sort(key=lambda rival: -len(rival.forms))  # the longest wording that fits wins

    def find(self, text: str, asked: Sequence[WordingSpan] | None = None) -> tuple[WordingSpan, ...]:
        """Find the first occurrence of every item and phrase in `text`, in the order of the text.

        Args:
            text: What was to be said.
            asked: Questions of the pathway that it asks in other words, by somebody who knows more of the speaker than
                the words; those inside the pathway's own wording are passed over. None finds them by their focus.
        """
        words = words_of(text)
        matches = self._matches(tuple(word.form for word in words))
        turned = {match for match, _ in self._turned(text, words, matches)}
        kept = [match for match in matches if match not in turned]
        found: dict[str, WordingSpan] = {}
        taken = [False] * len(words)
        for pattern, at, end in kept:
            taken[at:end] = [True] * (end - at)
            found.setdefault(pattern.id, _span(pattern.id, words, at, end, at + pattern.need, own=True))
        free = self._by_focus(text, words, taken) if asked is None else _beside(words, taken, asked)
        for span in free:
            found.setdefault(span.id, span)
        own = tuple((words[m.begin].start, words[m.end - 1].end) for m in matches)
        questions = {item_id for item_id, _ in self._focus}
        found = {k: self._bent(span, text, own) if k in questions else span for k, span in found.items()}
        return tuple(sorted(found.values(), key=lambda span: span.start))

    def look(self, text: str) -> tuple[tuple[Turned, ...], tuple[Sentence, ...]]:
        """Give what `find` leaves out: advice that the words around it turn, and sentences of other words."""
        words = words_of(text)
        forms = tuple(word.form for word in words)
        matches = self._matches(forms)
        return self._looked_at(text, words, matches), self._free(text, words, forms, matches)

    def _looked_at(self, text: str, words: tuple[Word, ...], matches: Sequence[_Match]) -> tuple[Turned, ...]:
        out = list[Turned]()
        for match, cause in self._turned(text, words, matches):
            start, end = words[match.begin].start, words[match.end - 1].end
            if isinstance(cause, Sentence):
                hard = cause.start > start or self.later.calls_untrue(cause)
                start, end = min(start, cause.start), max(end, cause.end)
            else:
                hard = cause in TURNED_BEHIND
                if cause == FOLLOWED:
                    end = min(len(text), whole_sentences(text, start, end)[1] + 1)
            out.append(Turned(match.pattern.id, *_stripped(text, *whole_sentences(text, start, end)), hard))
        return tuple(out)

    def _free(
        self, text: str, words: tuple[Word, ...], forms: tuple[str, ...], matches: Sequence[_Match]
    ) -> tuple[Sentence, ...]:
        own = [(words[m.begin].start, words[m.end - 1].end) for m in matches]
        for reaction in self._reactions:
            at = find_forms(forms, reaction)
            if at >= 0:
                own.append((words[at].start, words[at + len(reaction) - 1].end))
        return free_sentences(text, self._language, own)

    def _bent(self, span: WordingSpan, text: str, own: Sequence[tuple[int, int]]) -> WordingSpan:
        """Mark a question that the words around it make another one of."""
        at = bent_from(text, self._language, span.start, span.end, own=own, common=self._common)
        return span if at is None else span.model_copy(update={"bent_from": at})

    def _at(self, forms: tuple[str, ...], at: int) -> _Pattern | None:
        for pattern in self._by_first.get(forms[at], ()):
            if forms[at : at + len(pattern.forms)] == pattern.forms:
                return pattern
        return None

    def _matches(self, forms: tuple[str, ...]) -> list[_Match]:
        matches: list[_Match] = []
        at = 0
        while at < len(forms):
            pattern = self._at(forms, at)
            if pattern is not None:
                matches.append(_Match(pattern, at, at + len(pattern.forms)))
            at += len(pattern.forms) if pattern is not None else 1
        return matches

    def _turned(
        self, text: str, words: tuple[Word, ...], matches: Sequence[_Match]
    ) -> list[tuple[_Match, str | Sentence]]:
        """Find every advice that other words of its sentence, or a sentence around it, make another one of, and how.

        Other wordings in the sentence are no such words; but what changes one of them, changes all of them.
        """
        begins = [words[match.begin].start for match in matches]
        ends = [words[match.end - 1].end for match in matches]
        own = tuple(zip(begins, ends, strict=True))
        reasons = list[str | None]()
        for k, match in enumerate(matches):
            floor, ceiling = ends[k - 1] if k else 0, begins[k + 1] if k + 1 < len(matches) else None
            beside = changed_beside(text, self._language, begins[k], ends[k], floor=floor, ceiling=ceiling)
            reasons.append(beside if match.pattern.advice else None)
        out, first = list[tuple[_Match, str | Sentence]](), 0
        for k, match in enumerate(matches):
            if k and not one_sentence(text, ends[k - 1], begins[k]):
                first = k
            if not match.pattern.advice:
                continue
            run = range(first, self._run_end(text, begins, ends, k))
            cause = reasons[k] or next((reason for i in run if (reason := reasons[i]) is not None), None)
            found = cause or taken_back(text, self._language, *own[k], own=own, common=self._common)
            if found is not None:
                out.append((match, found))
        return out

    @staticmethod
    def _run_end(text: str, begins: Sequence[int], ends: Sequence[int], k: int) -> int:
        """One past the last wording that stands in the same sentence as wording `k`."""
        while k + 1 < len(begins) and one_sentence(text, ends[k], begins[k + 1]):
            k += 1
        return k + 1

    def _by_focus(self, text: str, words: tuple[Word, ...], taken: list[bool]) -> list[WordingSpan]:
        """Find questions asked in other words: one sentence that asks, and the focus of one question only.

        Another form of the focus ("fevers" for "fever") counts where no sentence word is the focus itself.
        """
        spans: list[WordingSpan] = []
        for sentence in _SENTENCE.finditer(text):
            if "?" not in sentence[0]:
                continue
            inside = [i for i, word in enumerate(words) if sentence.start() <= word.start < sentence.end()]
            if not inside or any(taken[i] for i in inside):
                continue
            forms = tuple(words[i].form for i in inside)
            hits = _focus_hits(forms, self._focus) or _focus_hits(self._stems(forms), self._focus_stems)
            if len(hits) == 1:
                item_id, need = hits[0]
                first = inside[0]
                spans.append(_span(item_id, words, first, inside[-1] + 1, first + need, own=False))
        return spans

    def _stems(self, forms: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(stem(fold(form), base_language(self._language)) for form in forms)


def _beside(words: tuple[Word, ...], taken: Sequence[bool], asked: Sequence[WordingSpan]) -> list[WordingSpan]:
    """Those of given spans that lie within the words, and in which no word belongs to a wording of the pathway."""
    own = [word for word, is_own in zip(words, taken, strict=True) if is_own]
    last = words[-1].end if words else 0
    return [s for s in asked if s.end <= last and not any(s.start <= word.start < s.end for word in own)]


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    """Leave out the blanks at both ends of a range of characters."""
    inner = text[start:end]
    return start + len(inner) - len(inner.lstrip()), end - len(inner) + len(inner.rstrip())


def _focus_hits(forms: tuple[str, ...], wanted: list[tuple[str, tuple[str, ...]]]) -> list[tuple[str, int]]:
    """Each question whose focus stands in a sentence, and how many of its words end with the focus."""
    return [(item_id, at + len(focus)) for item_id, focus in wanted if (at := find_forms(forms, focus)) >= 0]


def _span(item_id: str, words: tuple[Word, ...], begin: int, end: int, need: int, *, own: bool) -> WordingSpan:
    return WordingSpan(
        id=item_id, start=words[begin].start, end=words[end - 1].end, need_end=words[need - 1].end, own=own
    )


def _common_stems(pathway: Pathway, language: str) -> frozenset[str]:
    """Give the stems that stand in too many items to tell one of them from another ("eye", in an eye pathway)."""
    counts = Counter(s for item in pathway.items.values() for s in set(topic(item.wording[language], language)))
    limit = max(_COMMON_ITEMS_MIN, len(pathway.items) * _COMMON_SHARE)
    return frozenset(s for s, count in counts.items() if count > limit)
