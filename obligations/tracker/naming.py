"""Which questions a text names: by their own words, or by none of them where a reader says so.

Owns the comparison of words. What a named question gets from it is `answering`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from obligations.pathway.models import Pathway
from obligations.tracker.correcting import topic
from obligations.tracker.language import table_of


class Naming:
    """The words that tell the questions of one pathway apart, in one language."""

    def __init__(self, pathway: Pathway, language: str) -> None:
        self._pathway, self._language = pathway, language
        self._table = table_of(language)
        asked = {item.id: topic(item.wording[language], language) for item in pathway.questions.values()}
        uses = Counter(word for words in asked.values() for word in words)
        shared = {word for word, count in uses.items() if count > 1}  # "eye" tells no question from another
        self._names = {
            item.id: [topic(part, language) - shared for part in self._table.either.split(item.focus[language])]
            for item in pathway.questions.values()
        }

    def named(self, question_id: str, text: str) -> bool:
        """Say whether a text holds one of a question's names whole ("flashing lights", or "blurry" for its "or")."""
        said = topic(text, self._language)
        return any(name and name <= said for name in self._names[question_id])

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
