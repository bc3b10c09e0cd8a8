"""A reply in another of the pathway's languages than the call's: what it may tell is flagged, and nothing is closed.

Owns that reading. The call's own language stays what it is; the words are looked at in the other one's tables only to
raise a flag, never for an answer.
"""

from __future__ import annotations

from collections.abc import Iterator

from obligations.answers.beside import spoken_instead
from obligations.answers.protocol import AnswerKind, AnswerReader, ReplySpeaker
from obligations.ledger.events import Replied
from obligations.ledger.items import ItemRecord
from obligations.ledger.ledger import Ledger
from obligations.ledger.states import State
from obligations.tracker.answering import Answering
from obligations.tracker.verdicts import Pending


class OtherTongue:
    """Looks at the replies of one call that are in another language."""

    def __init__(self, ledger: Ledger, language: str, reader: AnswerReader, answering: Answering) -> None:
        self._ledger = ledger
        self._language = language
        self._reader = reader
        self._answering = answering

    def look(self, reply: Replied, pending: Pending | None) -> None:
        """Raise the uncertain flags a reply in another language calls for.

        Args:
            reply: What was said.
            pending: The question it may answer: a plain yes to it is enough, where any other must be told of.
        """
        tag = spoken_instead(reply.text, self._language, self._ledger.pathway.languages)
        if tag is None:
            return
        mine = pending.record.id if pending is not None and pending.focus_heard else None
        told, silent = list[ItemRecord](), 0
        for record in self._flagged():
            question = self._ledger.pathway.question_text(record.id, tag)
            reading = self._reader.read(question, reply.text, ReplySpeaker.PRIMARY)
            silent += reading.kind is AnswerKind.NOT_AN_ANSWER
            if record.id == mine and (reading.kind is AnswerKind.YES or reading.suspects == "yes"):
                self._answering.suspect(reply, record, "yes")
            elif record.id != mine and reading.kind is AnswerKind.YES and reading.certain:
                told.append(record)
        for record in told if silent >= max(1, len(told)) else ():  # a bare yes fits every question and tells of none
            self._answering.suspect(reply, record, "yes")

    def _flagged(self) -> Iterator[ItemRecord]:
        """The yes-or-no questions whose yes is a red flag and which this call may ask."""
        for question in self._ledger.pathway.questions.values():
            record = self._ledger.items[question.id]
            if question.value_type == "yes_no" and "yes" in question.red_flag_answers:
                if record.state is not State.DORMANT:
                    yield record
