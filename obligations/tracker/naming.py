"""Which questions a text names: by their own words, or by none of them where a reader says so.

Owns the comparison of words. What a named question gets from it is `answering`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from obligations.coverage.stems import stem
from obligations.pathway.models import OnAnswer, Pathway
from obligations.tracker.language import LanguageTable, plain, table_of

# Shorter words name nothing by themselves. Our choice.
NAMING_CHARS_MIN = 3


def topic(text: str, language: str) -> frozenset[str]:
    """Give the stems of the words of a text that name something."""
    table = table_of(language)
    kept = (w for w in plain(text).split() if len(w) >= NAMING_CHARS_MIN and w not in table.stop_words)
    return frozenset(stem(w, language) for w in kept if w not in table.names_nothing)


def behind_polar(text: str, table: LanguageTable) -> str:
    """Cut a leading "no, but" off; never the "no" of "no, and no pain", which denies what follows it."""
    lead = table.leading_polar.match(text)
    if lead is None:
        return text
    marks = [m.end() for m in re.finditer(r"[,.;:!?…]", lead[0])]
    first = re.match(r"\W*\w+\W*", lead[0])
    end = marks[-1] if marks else first.end() if first is not None else 0
    return text[end:].strip()


class Naming:
    """The words that tell the questions of one pathway apart, in one language."""

    def __init__(self, pathway: Pathway, language: str) -> None:
        self._pathway, self._language = pathway, language
        self._table = table_of(language)
        asked = {item.id: topic(item.wording[language], language) for item in pathway.questions.values()}
        follows = {q for q in asked if isinstance(pathway.group_by_item[q].trigger, OnAnswer)}
        uses = Counter(word for q, words in asked.items() if q not in follows for word in words)
        self._asked = asked
        common = frozenset(word for word, count in uses.items() if count > 1)  # "eye" tells no question from another
        shared = {q: frozenset(uses) if q in follows else common for q in asked}  # nor does "pain" its follow-up
        self._names = {
            item.id: [
                topic(part, language) - shared[item.id] for part in self._table.either.split(item.focus[language])
            ]
            for item in pathway.questions.values()
        }

    def named(self, question_id: str, text: str) -> bool:
        """Say whether a text holds one of a question's names whole ("flashing lights", or "blurry" for its "or")."""
        said = topic(text, self._language)
        return any(name and name <= said for name in self._names[question_id])

    def tells(self, question_id: str, text: str) -> int:
        """Count the words of a question in a text that is about it: a whole name, or a word of one and another word."""
        said = topic(text, self._language)
        shared = len(said & self._asked[question_id])
        focus = topic(self._pathway.questions[question_id].focus[self._language], self._language)
        about = self.named(question_id, text) or (bool(said & focus) and shared >= 2)
        return max(shared, 1) if about else 0

    def meant(self, told: Sequence[str], text: str) -> frozenset[str]:
        """Of the questions a reader takes a text to tell of: those it names, else those it has no word of.

        "My eye hurts" has no word of "pain"; "the lights in the hall" has one too few of "flashing lights".
        """
        named = frozenset(question_id for question_id in told if self.named(question_id, text))
        said = topic(text, self._language)
        return named or frozenset(q for q in told if not said & frozenset[str]().union(*self._names[q]))

    def words_of(self, question_id: str, text: str) -> int:
        """Count the longer words of a question that a text uses itself."""
        asked = self._pathway.question_text(question_id, self._language).text
        words = [set(re.findall(r"\w{4,}", given.casefold())) for given in (asked, text)]
        return len((words[0] & words[1]) - self._table.names_nothing)
