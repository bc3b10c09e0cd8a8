"""The words of a move: acknowledgement, lead-in, own wording, joined as one voice speaks them.

Owns how sentences are put together. Every sentence is the pathway's own; nothing is made up here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from obligations.ledger.ledger import Ledger
from obligations.ledger.records import ItemRecord
from obligations.pathway.models import Question
from obligations.pathway.phrases import Phrases
from obligations.steering.moves import Purpose, Speak


@dataclass(frozen=True, slots=True)
class Script:
    """The approved sentences of one call in its language."""

    ledger: Ledger
    language: str

    @property
    def phrases(self) -> Phrases:
        """The sentences around the items."""
        return self.ledger.pathway.phrases[self.language]

    def own_words(self, record: ItemRecord, *, again: bool = False, confirm: bool = False) -> str:
        """The wording of an item; its wording for a second asking or for a confirmation when it has one."""
        item = self.ledger.pathway.items[record.id]
        if isinstance(item, Question):
            if confirm and self.language in item.confirm:
                return item.confirm[self.language]
            if again and self.language in item.reask:
                return item.reask[self.language]
        return item.wording[self.language]

    def speak(
        self,
        records: Sequence[ItemRecord],
        purpose: Purpose,
        *,
        lead_in: str = "",
        acknowledge: bool = True,
        again: bool = False,
        confirm: bool = False,
        counted: bool = True,
    ) -> Speak:
        """Put the items' own words behind an acknowledgement of the last reply and a lead-in."""
        reaction = self.acknowledgement() if acknowledge else ""
        words = [self.own_words(record, again=again, confirm=confirm) for record in records]
        return Speak(
            text=" ".join(part for part in (reaction, lead_in, *words) if part),
            item_ids=tuple(record.id for record in records),
            purpose=purpose,
            lead_in=lead_in,
            acknowledge=bool(reaction),
            counted=counted,
        )

    def confirmation(self, record: ItemRecord) -> Speak:
        """The one confirmation of a doubtful or reported answer."""
        lead_in = self.phrases.confirm if record.doubted is not None else self.phrases.confirm_report
        return self.speak((record,), "confirm", lead_in=lead_in, acknowledge=False, confirm=True)

    def phrase(self, name: str, purpose: Purpose) -> Speak:
        """Say one of the sentences around the items; the pathway must have it (see `has`)."""
        return Speak(text=str(getattr(self.phrases, name)), item_ids=(), purpose=purpose)

    def has(self, name: str) -> bool:
        """Say whether the pathway has this sentence."""
        return bool(getattr(self.phrases, name))

    def return_lead_in(self, record: ItemRecord) -> str:
        """The sentence that leads back to an item, or that puts right what was said of it."""
        if record.misled and self.phrases.correction is not None:
            return self.phrases.correction
        return self.phrases.return_question if record.kind == "question" else self.phrases.return_point

    def acknowledgement(self) -> str:
        """The reaction to the last reply; "" when it was reacted to already, or when it calls for none."""
        tag = self._mood()
        return self.phrases.acknowledgements.pick(tag) if tag else ""

    def _mood(self) -> str:
        call = self.ledger.call
        if call.reacted or call.last_reply is None:
            return ""
        reply = call.replies[call.last_reply]
        answered = [
            r for r in self.ledger.items.values() if r.answer is not None and reply.reply_id == r.answer.reply_id
        ]
        if call.faq_due:
            return "after_question"
        if answered and answered[0].answer is not None:
            value = answered[0].answer.value
            # A yes is told of something only where it is a symptom; a yes to "may we go on" is not.
            told = value == "yes" and answered[0].red_flag
            return "after_yes" if told else "after_no" if value == "no" else "neutral"
        if reply.onset_during is not None and call.utterances[reply.onset_during].interrupted:
            return "after_interruption"
        return ""
