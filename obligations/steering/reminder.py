"""For a bot whose language model leads: what to tell the model, and when to stop hoping.

Owns the developer note (bounded) and the rule by which the middleware speaks an item itself. Both count the agent's
turns, not the model's intentions, so they hold with a model that is deaf to the note or that loops.
"""

from __future__ import annotations

from dataclasses import dataclass

from obligations.ledger.records import ItemRecord
from obligations.steering.agenda import Agenda
from obligations.steering.moves import Speak
from obligations.steering.script import Script

_HEAD = "State of this call, kept by the system (not said by the patient):"
AGAIN_CHARS_MAX = 80
"""Longest quotation of a point that was told again. Our choice: enough to know it by."""
_MORE = "(more is open)"
_ASKS = frozenset({"repeat", "who", "hello"})  # requests that only an answer settles


@dataclass(frozen=True, slots=True)
class Reminder:
    """Speaks to the model, and for it when it does not come back."""

    agenda: Agenda
    script: Script

    def note(self, max_chars: int) -> str | None:
        """Say what was cut and what is open, most urgent first, in at most `max_chars`; None when nothing is."""
        lines = [line for record in self._ranked() if (line := self._line(record))]
        lines = [*self._again(), *lines]
        if self.agenda.ledger.call.note_due:
            lines.insert(
                0, f'- The patient asked something outside this call. Say: "{self.script.phrases.unanswerable}"'
            )
        if not lines:
            return None
        kept, used = list[str](), len(_HEAD)
        for line in lines:
            if used + 1 + len(line) > max_chars - len(_MORE) - 1:
                kept.append(_MORE)
                break
            kept.append(line)
            used += 1 + len(line)
        return "\n".join((_HEAD, *kept))[:max_chars]

    def reply_owed(self) -> bool:
        """Say whether the patient's last words ask something of the agent: the answer comes before anything else."""
        call = self.agenda.ledger.call
        asked = call.last_reply in call.faq_replies or any(noted.reply_id == call.last_reply for noted in call.noted)
        return asked or bool(_ASKS & set(call.intents_due))

    def overdue(self, *, acknowledge: bool = False) -> Speak | None:
        """Give the own wording of the most urgent item the model has not come back to; None while in time.

        Args:
            acknowledge: Begin with a reaction to the last reply, because the model does not react to it.
        """
        call = self.agenda.ledger.call
        if not self.agenda.policy.return_to_items or call.ended or call.in_flight or call.waiting:
            return None
        if self.agenda.blocked() is not None or call.standing & {
            "stop",
            "end_call",
            "goodbye",
            "person",
            "object",
            "callback",
            "absent",
            "bereaved",
            "wrong_person",
        }:
            return None
        doubtful = self.agenda.to_confirm()
        if doubtful is not None and self._late(doubtful):
            return self.script.confirmation(doubtful)
        late = tuple(record for record in self._ranked() if self._late(record))
        if not late:
            return None
        chosen = self.agenda.companions(late[0], late)
        begun = late[0].intents > 0 or late[0].misled
        if not begun:
            chosen = tuple(sorted(chosen, key=lambda record: self.agenda.pathway.order[record.id]))
        lead_in = self.script.return_lead_in(late[0]) if begun else ""
        return self.script.speak(
            chosen, "return" if begun else "convey", lead_in=lead_in, acknowledge=acknowledge, again=begun
        )

    def _ranked(self) -> tuple[ItemRecord, ...]:
        records = self.agenda.speakable()
        if self.agenda.undecided():
            records = tuple(record for record in records if self.agenda.opening(record))
        return tuple(sorted(records, key=lambda r: (r.intents == 0 and not r.misled, self.agenda.rank(r))))

    def _late(self, record: ItemRecord) -> bool:
        """Late: at once what was told otherwise; a begun item after the policy's turns, another after its group's.

        Whatever is owed is late when the model has lost the thread.
        """
        turns = self.agenda.ledger.call.agent_turns
        if self.agenda.contradicted(record):
            return record.critical or turns - record.mistold_agent_turn >= self.agenda.policy.return_within_turns
        if record.intents > 0:
            # The utterance that spoke it is a turn itself, once anything of it was heard.
            own_turn = 1 if record.attempts > 0 else 0
            since = turns - record.last_intent_agent_turn - own_turn
            return since >= self.agenda.policy.return_within_turns
        due = self.agenda.group(record).due
        if due.by == "before_end":
            return self._stalled()
        allowed = due.turns if due.turns is not None else 0
        return turns - record.opened_agent_turn > allowed

    def _stalled(self) -> bool:
        """Whether nothing has been begun or become owed for so many turns that the model will not get there by itself.

        A model that goes round in circles, talks of something else or has taken its part for the patient's would keep a
        caller on the line until they hang up.
        """
        items = self.agenda.ledger.items.values()
        last = max((max(r.opened_agent_turn, r.last_intent_agent_turn) for r in items), default=0)
        return self.agenda.ledger.call.agent_turns - last > self.agenda.policy.stalled_turns

    def _again(self) -> list[str]:
        """Name what the model has just said although it had been heard: a loop ends only when somebody notices it."""
        words = [self.script.own_words(self.agenda.ledger.items[i]) for i in self.agenda.ledger.call.told_again]
        return [f'- Heard already, do not say it again unless asked: "{text[:AGAIN_CHARS_MAX]}"' for text in words]

    def _line(self, record: ItemRecord) -> str:
        own = self.script.own_words(record)
        critical = "critical, " if record.critical else ""
        if record.kind == "question":
            if record.doubted is not None or record.reported is not None:
                return f'- Confirm with the patient ({critical}one time only): "{own}"'
            if record.intents > 0:
                return f'- Ask again ({critical}no answer yet): "{own}"'
            return f'- Not asked yet ({critical}in this order): "{own}"'
        if record.misled:
            said = record.mistold[-1].quote[:AGAIN_CHARS_MAX]
            return f'- Told otherwise ("{said}"); put it right ({critical}in these words): "{own}"'
        if record.cut_at is not None:
            heard = f', cut at "{record.cut_at}"' if record.cut_at else ""
            return f'- Not heard ({critical}go back to it{heard}): "{own}"'
        return f'- Not said yet ({critical}say it): "{own}"'
