"""What a reply tells of without being asked: the symptoms a question names as emergencies, and every other emergency.

Reads by the table of words, and where that finds nothing by the safe-side model, which names no kind.

Owns that reading of a reply, whatever else the reply does. Raises flags, always uncertain, and takes back an answer
they contradict; closes nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from obligations.ledger.events import WORD_RULES, RedFlagRaised, Replied
from obligations.ledger.states import State
from obligations.pathway.emergencies import EMERGENCY, emergencies
from obligations.pathway.models import Question
from obligations.safe_side import SafeSideModel
from obligations.tracker.writer import Writer

POSSIBLE_DANGER = "possible-danger"
"""The kind of an emergency that the safe-side model alone reads out of a reply; raised once in a call."""


class Unasked:
    """Listens for emergencies in every reply of one call."""

    def __init__(
        self,
        writer: Writer,
        language: str,
        tells: Callable[[Replied, str], None],
        model: SafeSideModel | None = None,
    ) -> None:
        """`tells` is given a reply and the question whose red flag it tells of; no `model`: the table alone."""
        self._write, self._model = writer, model
        self._language = language
        self._table = emergencies(language)
        self._tells = tells

    def take(self, reply: Replied) -> None:
        """Raise what a reply tells of: the flag of each question that asks about it, else one for the call."""
        if reply.backchannel:
            return
        kinds = self._table.told(reply.text)
        asked, told_as = set[str](), False
        for question in self._write.ledger.pathway.questions.values():
            mine = [kind for kind in kinds if kind in question.emergencies]
            if not mine and not self._table.tells_as(reply.text, question.told_as.get(self._language, ())):
                continue
            told_as = True
            if self._may_be_asked(question):
                asked.update(mine)
                self._tells(reply, question.id)
        for kind in kinds:
            if kind not in asked:
                self._raise(reply, kind, WORD_RULES)
        if self._model is not None and not kinds and not told_as and self._model.tells_danger(reply.text):
            self._raise(reply, POSSIBLE_DANGER, self._model.name)

    def _may_be_asked(self, question: Question) -> bool:
        record = self._write.ledger.items[question.id]
        return record.state is not State.DORMANT and not record.refused

    def _raise(self, reply: Replied, kind: str, by: str) -> None:
        if any((f.item_id, f.value) == (EMERGENCY, kind) for f in self._write.ledger.call.red_flags):
            return
        self._write(
            RedFlagRaised,
            reply.at_s,
            item_id=EMERGENCY,
            value=kind,
            speaker=reply.speaker,
            label=reply.label,
            reply_id=reply.reply_id,
            certain=False,
            by=by,
        )
