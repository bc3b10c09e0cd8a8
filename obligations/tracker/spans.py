"""Where an intended text holds the pathway's own wording, in written characters.

Owns the match: word by word, whatever the case, punctuation and spacing. A model's free words are never matched here,
with one exception that is marked as not own: a sentence that asks, and holds the focus words of exactly one question.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from obligations.ledger.events import WordingSpan
from obligations.pathway.models import Pathway, Question
from obligations.pathway.words import Word, find_forms, forms_of, words_of

_SENTENCE = re.compile(r"[^.!?…]+[.!?…]*")
_ENDS = frozenset(".!?…。！？")
_DENIAL_WORDS_MAX = 4
_DENIALS = frozenset(
    (
        "not never don't dont doesn't won't wouldn't shouldn't mustn't needn't can't cannot without stop avoid ignore "
        "forget nao não nunca jamais sem evite esqueca esqueça"
    ).split()
)
_PHRASE_NAMES = (
    "greeting",
    "goodbye",
    "unanswerable",
    "return_point",
    "return_question",
    "guard",
    "confirm",
    "confirm_report",
    "repeat",
    "stopped",
    "person",
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
    "voicemail",
)


@dataclass(frozen=True, slots=True)
class _Pattern:
    id: str
    forms: tuple[str, ...]
    need: int  # words that must be heard, counted from the first
    advice: bool = False  # a denial before it in the same sentence makes another advice of it


class WordingIndex:
    """Every wording of a pathway in one language, ready to be found.

    Cost: O(words of the text) look-ups by first word, plus the length of the wordings that begin with it.
    """

    def __init__(self, pathway: Pathway, language: str) -> None:
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
        phrases = pathway.phrases[language]
        for name in _PHRASE_NAMES:
            forms = forms_of(getattr(phrases, name) or "")
            if not forms:
                continue
            self._add(_Pattern(f"phrase:{name}", forms, len(forms)))

    def _add(self, pattern: _Pattern) -> None:
        rivals = self._by_first.setdefault(pattern.forms[0], [])
        rivals.append(pattern)
        rivals.sort(key=lambda rival: -len(rival.forms))  # the longest wording that fits wins

    def find(self, text: str) -> tuple[WordingSpan, ...]:
        """Find the first occurrence of every item and phrase in `text`, in the order of the text."""
        words = words_of(text)
        forms = tuple(word.form for word in words)
        found: dict[str, WordingSpan] = {}
        taken = [False] * len(words)
        at = 0
        while at < len(words):
            pattern = self._at(forms, at)
            if pattern is None:
                at += 1
                continue
            end = at + len(pattern.forms)
            if pattern.advice and _taken_back(text, words, at):
                at += 1
                continue
            taken[at:end] = [True] * (end - at)
            span = _span(pattern.id, words, at, end, at + pattern.need, own=True)
            found.setdefault(pattern.id, span)
            at = end
        for span in self._by_focus(text, words, taken):
            found.setdefault(span.id, span)
        return tuple(sorted(found.values(), key=lambda span: span.start))

    def _at(self, forms: tuple[str, ...], at: int) -> _Pattern | None:
        for pattern in self._by_first.get(forms[at], ()):
            if forms[at : at + len(pattern.forms)] == pattern.forms:
                return pattern
        return None

    def _by_focus(self, text: str, words: tuple[Word, ...], taken: list[bool]) -> list[WordingSpan]:
        """Find questions asked in other words: one sentence that asks, and the focus of one question only."""
        spans: list[WordingSpan] = []
        for sentence in _SENTENCE.finditer(text):
            if "?" not in sentence[0]:
                continue
            inside = [i for i, word in enumerate(words) if sentence.start() <= word.start < sentence.end()]
            if not inside or any(taken[i] for i in inside):
                continue
            forms = tuple(words[i].form for i in inside)
            hits = [(item_id, at, focus) for item_id, focus in self._focus if (at := find_forms(forms, focus)) >= 0]
            if len(hits) == 1:
                item_id, at, focus = hits[0]
                first = inside[0]
                spans.append(_span(item_id, words, first, inside[-1] + 1, first + at + len(focus), own=False))
        return spans


def _taken_back(text: str, words: tuple[Word, ...], begin: int) -> bool:
    """Whether one of the last words before a wording, in the same sentence, denies it ("please don't ever ...")."""
    for at in range(begin - 1, max(-1, begin - 1 - _DENIAL_WORDS_MAX), -1):
        if _ENDS & set(text[words[at].end : words[at + 1].start]):
            return False
        if words[at].form.replace("’", "'") in _DENIALS:
            return True
    return False


def _span(item_id: str, words: tuple[Word, ...], begin: int, end: int, need: int, *, own: bool) -> WordingSpan:
    return WordingSpan(
        id=item_id, start=words[begin].start, end=words[end - 1].end, need_end=words[need - 1].end, own=own
    )
