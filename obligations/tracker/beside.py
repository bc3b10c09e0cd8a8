"""A second symptom beside an answer: "yes, and my vision got worse", "no to this, but the pain, yes".

Owns finding the clause that tells of another question than the one that was put. It answers nothing else.
"""

from __future__ import annotations

import re

from obligations.answers.protocol import AnswerKind, AnswerReader, AnswerReading, QuestionText, ReplySpeaker
from obligations.ledger.ledger import Ledger
from obligations.ledger.records import ItemRecord
from obligations.ledger.states import State
from obligations.tracker.language import plain, table_of
from obligations.tracker.naming import Naming

_SENTENCE = re.compile(r"[^.!?…]+[.!?…]*")
# So many words of a refusal are looked at for a symptom beside it. Our choice: a long sentence.
_REFUSAL_WORDS_MAX = 20


def beside_refusal(reader: AnswerReader, question: QuestionText, text: str) -> AnswerReading | None:
    """Read the last words of a refusal that say yes by themselves ("I'd rather not say, it hurts"); None if none do."""
    words = text.split()
    for at in range(max(1, len(words) - _REFUSAL_WORDS_MAX), len(words) - 1):
        reading = reader.read(question, " ".join(words[at:]), ReplySpeaker.PRIMARY)
        if reading.kind is AnswerKind.YES and reading.certain:
            return reading
    return None


class Beside:
    """Finds such clauses in one language."""

    def __init__(self, ledger: Ledger, language: str) -> None:
        self._ledger, self._language, self._table = ledger, language, table_of(language)
        self._naming = Naming(ledger.pathway, language)

    def find(self, sentence: str, put: ItemRecord | None) -> tuple[tuple[ItemRecord, ...], str]:
        """Find the questions that clauses of a sentence tell of, and what is left of it for the one that was put."""
        told, rest = list[ItemRecord](), list[str]()
        for clause in self._clauses(sentence):
            record = self._of(clause, put)
            if record is None:
                rest.append(clause)
            else:
                told.append(record)
        return tuple(dict.fromkeys(told)), " ".join(rest) if told else sentence.strip()

    def gainsaid(self, text: str, put: ItemRecord, reader: AnswerReader) -> bool:
        """Say whether a no to `put` has its own words told behind it ("No. Oh, and it got worse this week")."""
        given = put.answer or put.doubted
        if given is None or given.value != "no":
            return False
        question = self._ledger.pathway.question_text(put.id, self._language)
        clauses = (clause for sentence in _SENTENCE.findall(text) for clause in self._clauses(sentence))
        named = (c for c in clauses if self._tells(c) and self._naming.named(put.id, c))
        return any(reader.read(question, c, ReplySpeaker.PRIMARY).kind is not AnswerKind.NO for c in named)

    def _tells(self, clause: str) -> bool:
        words, table = plain(clause), self._table
        if "?" in clause or table.negates.search(clause.casefold()) or table.supposes.search(words):
            return False
        return not (table.question_start.search(words) or table.question_inside.search(words))

    def _of(self, clause: str, put: ItemRecord | None) -> ItemRecord | None:
        if not self._tells(clause):
            return None
        scores = {record.id: self._naming.tells(record.id, clause) for record in self._flagged()}
        best = max(scores.values(), default=0)
        mine = scores.get(put.id, 0) if put is not None else 0
        first = [question_id for question_id, score in scores.items() if score == best]
        if best == 0 or mine >= best or len(first) > 1:
            return None
        return self._ledger.items[first[0]]

    def _flagged(self) -> list[ItemRecord]:
        """Questions whose "yes" is a red flag and that are due in this call."""
        flagged = [q.id for q in self._ledger.pathway.questions.values() if "yes" in q.red_flag_answers]
        return [r for r in (self._ledger.items[i] for i in flagged) if r.state is not State.DORMANT]

    def _clauses(self, sentence: str) -> list[str]:
        """Cut behind a leading yes or no and its comma, and before "and" or "but"."""
        lead = self._table.leading_polar.match(sentence)
        cuts = {lead[0].rfind(",") + 1} - {0} if lead is not None else set[int]()
        cuts |= {m.start() for m in self._table.but.finditer(sentence.casefold())}
        ends = [0, *sorted(cuts), len(sentence)]
        parts = [sentence[a:b].strip() for a, b in zip(ends, ends[1:], strict=False)]
        return [part for part in parts if re.search(r"\w", part)]
