"""The pathway-led conversation: what the agent says next, decided from the ledger alone.

Owns the order of moves. Keeps no state: everything it needs is in the ledger, so a call continues on another worker
where it stood. The first rule that has something to say wins; the list in `next_move` is the policy of this module.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from obligations.ledger.records import ItemRecord, UtteranceRecord
from obligations.steering.agenda import Agenda
from obligations.steering.moves import End, Listen, Move, Speak
from obligations.steering.script import Script

# Requests that end a call: intent, the phrase said first, the end reason.
EXITS: tuple[tuple[str, str, str], ...] = (
    ("wrong_person", "wrong_person", "wrong_person"),
    ("object", "person", "objected"),
    ("person", "person", "wants_person"),
    ("end_call", "goodbye", "patient_ended"),
    ("callback", "goodbye", "callback_requested"),
)


@dataclass(frozen=True, slots=True)
class Flow:
    """Decides the next move of one call."""

    agenda: Agenda
    script: Script

    def next_move(self, now_s: float) -> Move | None:
        """Say what comes next; None when everything that can be said before the closing phase has been said."""
        rules: tuple[Callable[[float], Move | None], ...] = (
            self._over,
            self._speaking,
            self._exit,
            self._silence,
            self._wait,
            self._request,
            self._farewell,
            self._opening,
            self._confirm,
            self._urgent,
            self._faq,
            self._unanswerable,
            self._return,
            self._untried,
            self._return_unspaced,
        )
        for rule in rules:
            move = rule(now_s)
            if move is not None:
                return move
        return None

    def listening(self, now_s: float) -> Listen | None:
        """Say until when to wait: the agent is speaking, or a reply is expected; None when it is the agent's turn."""
        for move in (self._speaking(now_s), self._wait(now_s)):
            if isinstance(move, Listen):
                return move
        return None

    def closing(self) -> Move:
        """Say what is left once the closing phase has begun: its items, the goodbye, the end."""
        call = self.agenda.ledger.call
        records = self.agenda.of_phase("closing")
        if records:
            chosen = self.agenda.companions(records[0], records)
            return self.script.speak(chosen, "ask" if chosen[0].kind == "question" else "convey")
        return self._last_words("goodbye", "patient_goodbye" if "goodbye" in call.standing else "completed")

    def _over(self, now_s: float) -> Move | None:
        call = self.agenda.ledger.call
        return End(call.end_reason) if call.end_reason is not None else None

    def _speaking(self, now_s: float) -> Move | None:
        call, stuck_s = self.agenda.ledger.call, self.agenda.policy.stuck_after_s
        for utterance_id in call.in_flight:
            since_s = call.utterances[utterance_id].intended_at_s
            if now_s - since_s < stuck_s:
                return Listen(since_s + stuck_s)
        return None

    def _exit(self, now_s: float) -> Move | None:
        call = self.agenda.ledger.call
        for intent, phrase, reason in EXITS:
            if intent in call.standing:
                return self._last_words(phrase, reason)
        failed = self.agenda.blocked()
        if failed is not None:
            return self._last_words("wrong_person" if failed == "wrong_person" else "goodbye", failed)
        return None

    def _silence(self, now_s: float) -> Move | None:
        call, policy = self.agenda.ledger.call, self.agenda.policy
        if call.silent_prompts < policy.silent_prompts_max:
            return None
        return self._wait(now_s) or self._last_words("silence", "silence")

    def _wait(self, now_s: float) -> Move | None:
        call, policy = self.agenda.ledger.call, self.agenda.policy
        if not call.waiting:
            return None
        last = call.utterances.get(call.last_utterance or "")
        wait_s = policy.cut_wait_s if last is not None and last.interrupted else policy.reply_wait_s
        until_s = call.waiting_since_s + wait_s
        return Listen(until_s) if now_s < until_s else None

    def _request(self, now_s: float) -> Move | None:
        """React to a request about the conversation itself."""
        call = self.agenda.ledger.call
        if "stop" in call.standing:
            # Stopped: say so once, then listen; a patient who says no more is let go.
            if "stop" in call.intents_due and self._may_try("stopped"):
                return self.script.phrase("stopped", "close")
            return self._last_words("goodbye", "asked_to_stop")
        if "who" in call.intents_due and "greeting" in call.phrases_heard and self._may_repeat("greeting"):
            told = [r for r in self.agenda.ledger.items.values() if r.kind == "point" and self.agenda.opening(r)]
            words = [self.script.own_words(record) for record in told]
            text = " ".join((self.script.phrases.greeting, *words))
            return Speak(text=text, item_ids=tuple(r.id for r in told), purpose="repeat", counted=False)
        if "repeat" in call.intents_due:
            return self._repetition()
        return None

    def _repetition(self) -> Move | None:
        call, lead_in = self.agenda.ledger.call, self.script.phrases.repeat
        last = call.utterances.get(call.last_heard or "")
        if last is None or not self._may_repeat("repeat"):
            return None
        records = [self.agenda.ledger.items[item_id] for item_id in _items_of(last)]
        if records:
            return self.script.speak(records, "repeat", lead_in=lead_in, acknowledge=False, counted=False)
        words = last.text.removeprefix(lead_in).strip()
        return Speak(text=f"{lead_in} {words}", item_ids=(), purpose="repeat", lead_in=lead_in, counted=False)

    def _opening(self, now_s: float) -> Move | None:
        records = self.agenda.of_phase("opening")
        points = tuple(record for record in records if record.kind == "point")
        greeting = self._greeting()
        if points:
            begun = any(record.intents > 0 for record in points)
            lead_in = greeting or (self.script.phrases.return_point if begun else "")
            return self.script.speak(points, "disclose", lead_in=lead_in)
        if records:
            again = records[0].intents > 0
            lead_in = greeting or (self.script.phrases.return_question if again else "")
            return self.script.speak(records[:1], "ask", lead_in=lead_in, again=again)
        return self.script.phrase("greeting", "disclose") if greeting else None

    def _greeting(self) -> str:
        call = self.agenda.ledger.call
        begun_without = call.agent_turns > 0 and "greeting" not in call.phrases_tried
        if begun_without or "greeting" in call.phrases_heard or not self._may_try("greeting"):
            return ""
        return self.script.phrases.greeting

    def _confirm(self, now_s: float) -> Move | None:
        if not self.agenda.policy.return_to_items:
            return None
        record = self.agenda.to_confirm()
        if record is None:
            return None
        return self.script.confirmation(record)

    def _urgent(self, now_s: float) -> Move | None:
        records = self.agenda.urgent()
        return self._say(records[0], records) if records else None

    def _faq(self, now_s: float) -> Move | None:
        for group_id in self.agenda.ledger.call.faq_due:
            records = self.agenda.of_group(group_id)
            if records:
                return self.script.speak(records, "convey")
            told = [self.agenda.ledger.items[item.id] for item in self.agenda.pathway.group(group_id).items]
            limit = self.agenda.policy.repeats_max
            if self.agenda.policy.return_to_items and all(record.intents < limit for record in told):
                # Asked again after all was heard: a repetition on request.
                return self.script.speak(told, "repeat", counted=False)
        return None

    def _unanswerable(self, now_s: float) -> Move | None:
        call, tries_max = self.agenda.ledger.call, self.agenda.policy.phrase_tries_max
        if not call.note_due or call.phrases_tried.get("unanswerable", 0) >= tries_max * len(call.noted):
            return None
        return self.script.phrase("unanswerable", "unanswerable")

    def _farewell(self, now_s: float) -> Move | None:
        """After the patient's goodbye only their own last question is taken up; offers are the guard's."""
        if "goodbye" not in self.agenda.ledger.call.standing:
            return None
        return self._faq(now_s) or self._last_words("goodbye", "patient_goodbye")

    def _return(self, now_s: float) -> Move | None:
        records = self.agenda.to_return_to(spaced=True)
        return self._say(records[0], records) if records else None

    def _untried(self, now_s: float) -> Move | None:
        records = self.agenda.untried()
        flagged = tuple(record for record in records if record.red_flag)
        return self._say((*flagged, *records)[0], records) if records else None

    def _return_unspaced(self, now_s: float) -> Move | None:
        records = self.agenda.to_return_to(spaced=False)
        return self._say(records[0], records) if records else None

    def _say(self, record: ItemRecord, among: tuple[ItemRecord, ...]) -> Speak:
        chosen = self.agenda.companions(record, among)
        if record.intents > 0:
            return self.script.speak(chosen, "return", lead_in=self.script.return_lead_in(record), again=True)
        return self.script.speak(chosen, "ask" if record.kind == "question" else "convey")

    def _may_try(self, phrase: str) -> bool:
        tried = self.agenda.ledger.call.phrases_tried.get(phrase, 0)
        return tried < self.agenda.policy.phrase_tries_max

    def _may_repeat(self, phrase: str) -> bool:
        return self.agenda.ledger.call.phrases_tried.get(phrase, 0) < self.agenda.policy.repeats_max

    def _last_words(self, phrase: str, reason: str) -> Move:
        if phrase in self.agenda.ledger.call.phrases_heard or not self._may_try(phrase):
            return End(reason)
        return self.script.phrase(phrase, "goodbye" if phrase == "goodbye" else "close")


def _items_of(utterance: UtteranceRecord) -> tuple[str, ...]:
    return tuple(span.id for span in utterance.spans if not span.id.startswith("phrase:"))
