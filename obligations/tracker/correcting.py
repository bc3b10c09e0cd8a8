"""Second thoughts about a question answered earlier: "yes to the last one", "actually, about the flashes, yes".

Owns finding the sentence of a reply that corrects, and the question it means. What that does to the answer is
`answering`. A sentence found here answers nothing else: it was not about the question that was put.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from obligations.answers.protocol import AnswerKind, AnswerReader, AnswerReading, ReplySpeaker
from obligations.ledger.ledger import Ledger
from obligations.ledger.records import ItemRecord
from obligations.ledger.states import State
from obligations.tracker.beside import Beside
from obligations.tracker.language import plain, table_of
from obligations.tracker.naming import topic

_SENTENCE = re.compile(r"[^.!?…]+[.!?…]*")
VALUED = frozenset({AnswerKind.YES, AnswerKind.NO, AnswerKind.VALUE})
_TAKEN = frozenset({State.ANSWERED, State.DECLINED})


@dataclass(frozen=True, slots=True)
class Correction:
    """One sentence about an earlier question.

    Parameters:
        record: The question it means.
        reading: What it says to that question.
        named: It names what the question asks about; False when it only points back ("the last one").
    """

    record: ItemRecord
    reading: AnswerReading
    named: bool


def yes_of(reader: str) -> AnswerReading:
    """A yes that a symptom told by the way amounts to: never certain, so that it is confirmed."""
    return AnswerReading(kind=AnswerKind.YES, certain=False, value=None, reader=reader)


class Corrections:
    """Finds second thoughts in one language."""

    def __init__(self, ledger: Ledger, language: str, reader: AnswerReader) -> None:
        self._ledger, self._language, self._reader = ledger, language, reader
        self._table = table_of(language)
        self._beside = Beside(ledger, language)

    def find(
        self, text: str, put: ItemRecord | None, speaker: ReplySpeaker, *, running: bool = False
    ) -> tuple[tuple[Correction, ...], str]:
        """Find what corrects, and what is left of the reply for the question that was put.

        Args:
            text: The part of a reply that may answer.
            put: The question that waits for an answer; None when none does.
            speaker: Whose voice.
            running: It began while the agent was speaking, so a bare "sorry, I meant yes" means what was answered last.
        """
        found, rest = list[Correction](), list[str]()
        for sentence in (m[0] for m in _SENTENCE.finditer(text)):
            correction = self._of(plain(sentence), put, speaker, running=running)
            if correction is not None and correction.reading.kind in VALUED:
                found.append(correction)
                continue
            beside, left = self._beside.find(sentence, put)
            found += [Correction(record, yes_of(self._reader.name), True) for record in beside]
            if not beside and correction is not None:
                found.append(correction)
            else:
                rest.append(left)
        return tuple(found), " ".join(part for part in rest if part) if found else text

    def _of(self, words: str, put: ItemRecord | None, speaker: ReplySpeaker, *, running: bool) -> Correction | None:
        back = self._table.earlier.search(words)
        cues = list(self._table.corrects.finditer(words))
        earlier = self._answered(put) if back or cues else ()
        if not earlier:
            return None
        named = self._named(words, earlier, put)
        if back is not None:
            record = named or earlier[0]
            said = f"{words[: back.start()]} {words[back.end() :]}".strip()
            return Correction(record, self._read(record, (said, words), speaker), named is not None)
        if named is None:
            return self._bare(words[cues[-1].end() :].strip(), words, earlier[0], speaker) if running else None
        return Correction(named, self._read(named, (words[cues[-1].end() :].strip(), words), speaker), True)

    def _bare(self, said: str, words: str, last: ItemRecord, speaker: ReplySpeaker) -> Correction | None:
        """Read "wait, yes I have", said right behind an answer, for what it was an answer to."""
        replies = [r for r in self._ledger.call.replies.values() if not (r.backchannel or r.holding)]
        before = replies[-2].reply_id if len(replies) > 1 else None
        if last.answer is None or last.answer.reply_id != before:
            return None
        reading = self._read(last, (said, words), speaker)
        same = reading.kind.value == last.answer.value
        return Correction(last, reading, False) if reading.kind in VALUED and not same else None

    def _answered(self, put: ItemRecord | None) -> tuple[ItemRecord, ...]:
        """Questions with an answer, the latest put first; not the one that waits, nor those of the opening."""
        waiting = put.id if put is not None and not put.closed else None
        records = [r for r in self._ledger.items.values() if r.kind == "question" and r.state in _TAKEN]
        order = self._ledger.pathway.order
        mine = [r for r in records if r.id != waiting and r.id not in self._ledger.pathway.opening]
        return tuple(sorted(mine, key=lambda r: (r.last_attempt_turn, order[r.id]), reverse=True))

    def _named(self, words: str, earlier: tuple[ItemRecord, ...], put: ItemRecord | None) -> ItemRecord | None:
        said = topic(words, self._language)
        about_put = len(said & self._topic(put.id)) if put is not None and not put.closed else 0
        scores = [(len(said & self._topic(record.id)), record) for record in earlier]
        best = max(score for score, _ in scores)
        if best == 0 or about_put >= best:
            return None
        return next(record for score, record in scores if score == best)

    def _topic(self, question_id: str) -> frozenset[str]:
        question = self._ledger.pathway.questions[question_id]
        return topic(question.focus[self._language], self._language)

    def _read(self, record: ItemRecord, ways: tuple[str, ...], speaker: ReplySpeaker) -> AnswerReading:
        """Read the words behind the cue, or all of them where those alone say nothing."""
        question = self._ledger.pathway.question_text(record.id, self._language)
        readings = [self._reader.read(question, way, speaker) for way in ways if way]
        return next((r for r in readings if r.kind in VALUED), readings[-1])
