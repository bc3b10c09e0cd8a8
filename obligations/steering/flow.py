"""The pathway-led conversation: what the agent says next, decided from the ledger alone.

Owns the order of moves. Keeps no state: everything it needs is in the ledger, so a call continues on another worker
where it stood. The first rule that has something to say wins; the list in `next_move` is the policy of this module.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from obligations.ledger.records import ItemRecord, UtteranceRecord
from obligations.steering.agenda import NOT_VERIFIED, Agenda
from obligations.steering.frame import Frame
from obligations.steering.moves import End, Listen, Move, Speak
from obligations.steering.script import Script


@dataclass(frozen=True, slots=True)
class Flow:
    """Decides the next move of one call."""

    agenda: Agenda
    script: Script

    @property
    def frame(self) -> Frame:
        """The rules that hold whoever leads the talk."""
        return Frame(self.agenda, self.script)

    def next_move(self, now_s: float) -> Move | None:
        """Say what comes next; None when everything that can be said before the closing phase has been said."""
        around: tuple[Callable[[float], Move | None], ...] = (
            self._over,
            self._speaking,
            self.frame.awaiting,
            self.frame.exit,
            self.frame.emergency,
            self._elsewhere,
            self._key,
            self._silence,
            self.frame.wait,
            self._request,
            self._farewell,
            self.frame.stand_in,
            self._opening,
        )
        content: tuple[Callable[[float], Move | None], ...] = (
            self._not_verified,
            self._confirm,
            self._urgent,
            self.frame.red_flag,
            self._faq,
            self._unanswerable,
            self._return,
            self._untried,
            self._return_unspaced,
        )
        return _first((*around, *content), now_s)

    def frame_move(self, now_s: float) -> Move | None:
        """Say what the frame asks for in a call that a model leads; None when it asks for nothing."""
        around: tuple[Callable[[float], Move | None], ...] = (
            self._over,
            self._speaking,
            self.frame.awaiting,
            self.frame.exit,
            self.frame.emergency,
            self._elsewhere,
            self._key,
        )
        move = _first(around, now_s)
        if move is None and self.agenda.stood_in() and not self.agenda.ledger.call.in_flight:
            move = self.frame.wait(now_s) or self.frame.stand_in(now_s)
        if move is None and self.agenda.undecided():
            move = _first((self._silence, self.frame.wait, self._request, self._opening, self._not_verified), now_s)
        if move is None and not self.agenda.urgent():
            move = self.frame.red_flag(now_s)
        return move or self.frame.quiet(now_s)

    def listening(self, now_s: float) -> Listen | None:
        """Say until when to wait: the agent is speaking, or a reply is expected; None when it is the agent's turn."""
        for move in (self._speaking(now_s), self.frame.wait(now_s)):
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
        return self.frame.leave("patient_goodbye" if "goodbye" in call.standing else "completed")

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

    def _elsewhere(self, now_s: float) -> Move | None:
        """Whoever is on the line is not the patient: tell them who calls if they ask, and no more."""
        if not self.frame.elsewhere():
            return None
        asked = self.agenda.ledger.call.intents_due
        move = self._request(now_s) if "who" in asked or "repeat" in asked else None
        return move or self.frame.party(now_s)

    def _not_verified(self, now_s: float) -> Move | None:
        """Nothing is left of the opening and still nobody is known to be the patient: no content is spoken."""
        return self.frame.last_words("call_back", NOT_VERIFIED) if self.agenda.undecided() else None

    def _key(self, now_s: float) -> Move | None:
        """A key where words are expected is no answer and no silence: ask for words, once a question."""
        call, agenda = self.agenda.ledger.call, self.agenda
        record = agenda.ledger.items.get(call.pending_question or "")
        if not call.key_due or record is None or record.closed or record.refused or not self.script.has("words_please"):
            return None
        if any(_asked_for_words(u, record.id) for u in call.utterances.values()) or not self._may_repeat(
            "words_please"
        ):
            return None
        lead_in = str(self.script.phrases.words_please)
        doubted = record.doubted is not None
        return self.script.speak((record,), "ask", lead_in=lead_in, acknowledge=False, again=True, confirm=doubted)

    def _silence(self, now_s: float) -> Move | None:
        call, policy = self.agenda.ledger.call, self.agenda.policy
        if call.silent_prompts < policy.silent_prompts_max:
            return None
        return self.frame.wait(now_s) or self.frame.last_words("silence", "silence")

    def _request(self, now_s: float) -> Move | None:
        """React to a request about the conversation itself."""
        call = self.agenda.ledger.call
        if "stop" in call.standing:
            # Stopped: say so once, then listen; a patient who says no more is let go.
            if "stop" in call.intents_due and self._may_try("stopped"):
                return self.script.phrase("stopped", "close")
            return self.frame.last_words("farewell", "asked_to_stop")
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
        begun_without = call.agent_turns > 0 and "greeting" not in call.phrases_tried and not call.party_changes
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
            if self.agenda.policy.return_to_items and all(self.agenda.voiced(r) < limit for r in told):
                # Asked again after all was heard: a repetition on request.
                return self.script.speak(told, "repeat", counted=False)
        return None

    def _unanswerable(self, now_s: float) -> Move | None:
        call, tries_max = self.agenda.ledger.call, self.agenda.policy.phrase_tries_max
        if not call.note_due or call.phrases_tried.get("unanswerable", 0) >= tries_max * len(call.noted):
            return None
        return self.script.phrase("unanswerable", "unanswerable")

    def _farewell(self, now_s: float) -> Move | None:
        """After the patient's goodbye only their last question or a red flag is taken up; offers are the guard's."""
        if "goodbye" not in self.agenda.ledger.call.standing:
            return None
        asked = None if self.agenda.undecided() else self._faq(now_s) or self.frame.red_flag(now_s)
        return asked or self.frame.leave("patient_goodbye")

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
        if record.intents > 0 or record.misled:
            return self.script.speak(chosen, "return", lead_in=self.script.return_lead_in(record), again=True)
        return self.script.speak(chosen, "ask" if record.kind == "question" else "convey")

    def _may_try(self, phrase: str) -> bool:
        tried = self.agenda.ledger.call.phrases_tried.get(phrase, 0)
        return tried < self.agenda.policy.phrase_tries_max

    def _may_repeat(self, phrase: str) -> bool:
        return self.agenda.ledger.call.phrases_tried.get(phrase, 0) < self.agenda.policy.repeats_max


def _first(rules: tuple[Callable[[float], Move | None], ...], now_s: float) -> Move | None:
    for rule in rules:
        move = rule(now_s)
        if move is not None:
            return move
    return None


def _asked_for_words(utterance: UtteranceRecord, question_id: str) -> bool:
    heard = {span.id for span in utterance.spans if span.end <= utterance.heard_chars}
    return "phrase:words_please" in heard and any(span.id == question_id for span in utterance.spans)


def _items_of(utterance: UtteranceRecord) -> tuple[str, ...]:
    return tuple(span.id for span in utterance.spans if not span.id.startswith("phrase:"))
