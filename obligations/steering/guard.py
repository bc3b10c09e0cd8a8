"""The guard: may this call end yet?

Owns the last look before the end. It holds while a critical item is open, a bounded number of times, and never traps
anybody: a goodbye gets one short offer, and a red flag told in leaving its own one; a refusal or a stop request gets
none, a hang-up gets silence. Whatever stays open stands in the hand-off.
"""

from __future__ import annotations

from dataclasses import dataclass

from obligations.ledger.events import Replied
from obligations.ledger.records import ItemRecord, UtteranceRecord
from obligations.steering.agenda import Agenda
from obligations.steering.moves import EndReason, Release, Speak
from obligations.steering.script import Script

# Whoever asked for one of these is not held for one sentence more.
_LETS_GO = frozenset({"stop", "end_call", "object", "person", "wrong_person", "callback", "absent", "bereaved"})

WAITS_FOR_REPLY = frozenset({"offered_once", "tries_spent", "time_up"})
"""Why the guard lets go after its last words: whoever they were said to may still answer them."""


def said_to(reply: Replied, offer: UtteranceRecord) -> bool:
    """Whether a reply can have been meant for an offer: it began when words of it had been heard.

    A goodbye that was under way when the guard began is no answer to it, although its text comes later.
    """
    if reply.at_s <= offer.intended_at_s:
        return False
    if reply.onset_during == offer.id:
        return (offer.heard_chars if reply.heard_chars_at_onset is None else reply.heard_chars_at_onset) > 0
    if reply.onset_during is None:
        return offer.ended and offer.heard_chars > len(offer.text) // 2
    return offer.heard_chars > 0


@dataclass(frozen=True, slots=True)
class Guard:
    """Decides whether a call may end."""

    agenda: Agenda
    script: Script

    def may_end(self, reason: EndReason) -> Speak | Release:
        """Hold the end with something to say, or release it. Changes nothing; the tracker counts the try."""
        call = self.agenda.ledger.call
        why = self._release_at_once(reason)
        if why:
            return self.release(why)
        records = self.agenda.guarded() or self._told(reason)
        if self.agenda.undecided():
            records = tuple(record for record in records if self.agenda.opening(record))
        if not records:
            return self.release("tries_spent" if self._open() else "nothing_open")
        if len(call.guard_reasons) >= self.agenda.policy.guard_holds_max:
            return self.release("tries_spent")
        if reason == "patient_goodbye":
            return self._offer(self._told(reason) or records)
        return self._hold(self.agenda.companions(records[0], records))

    def _release_at_once(self, reason: EndReason) -> str:
        call = self.agenda.ledger.call
        if reason == "hangup" or call.ended:
            return "hangup"
        if not self.agenda.policy.guard:
            return "guard_off"
        if call.transferred:
            return "transferred"
        if self.agenda.blocked() is not None:
            return "not_the_patient"
        if _LETS_GO & call.standing:
            return "refused"
        if self._turned_down(reason) and not self.agenda.told_in_leaving():
            return "offer_declined"
        if reason == "patient_goodbye" and self._offered() and not self._told(reason):
            return "offered_once"
        if call.silent_prompts >= self.agenda.policy.silent_prompts_max:
            return "nobody_speaks"
        return ""

    def _turned_down(self, reason: EndReason) -> bool:
        """Whether the patient's last words say goodbye to what the guard has just held the call for: they mean it.

        After a goodbye a refusal of what is offered says the same; otherwise it leaves the other items to be held for.
        """
        call = self.agenda.ledger.call
        last = call.replies.get(call.last_reply or "")
        if last is None or last.unconfirmed or not any(said_to(last, offer) for offer in self._offers()):
            return False
        return "goodbye" in last.intents or (reason == "patient_goodbye" and "refuse" in last.intents)

    def _offers(self) -> list[UtteranceRecord]:
        """What the guard has spoken so far, or tried to."""
        spoken = self.agenda.ledger.call.utterances.values()
        return [u for u in spoken if any(span.id == "phrase:guard" for span in u.spans)]

    def _offered(self) -> bool:
        """Whether a goodbye was held and a word of the offer reached the ear, or still may."""
        held = "patient_goodbye" in self.agenda.ledger.call.guard_reasons
        return held and any(offer.heard_chars > 0 or not offer.ended for offer in self._offers())

    def _told(self, reason: EndReason) -> tuple[ItemRecord, ...]:
        """A symptom told in leaving, and the advice it makes due: offered once each, whatever was offered before."""
        if reason != "patient_goodbye" or self.agenda.undecided():
            return ()
        return self.agenda.told_in_leaving()

    def _hold(self, records: tuple[ItemRecord, ...]) -> Speak:
        return self.script.speak(records, "guard", lead_in=self.script.phrases.guard)

    def _offer(self, records: tuple[ItemRecord, ...]) -> Speak | Release:
        """Offer what fits into the time left after a goodbye: the most urgent item that does, with its companions.

        Behind content, which asks nothing, one question is put as well where there is time for both.
        """
        limit_chars = self.agenda.policy.goodbye_offer_s_max * self.agenda.policy.speech_chars_per_s
        lead_in = self.script.phrases.guard
        for record in records:
            chosen = self.agenda.companions(record, records)
            for count in range(len(chosen), 0, -1):
                doubted = record.doubted is not None
                offer = self.script.speak(chosen[:count], "guard", lead_in=lead_in, acknowledge=False, confirm=doubted)
                if len(offer.text) <= limit_chars:
                    return self._with_question(chosen[:count], records, offer, limit_chars)
        return self.release("too_long")

    def _with_question(
        self, chosen: tuple[ItemRecord, ...], records: tuple[ItemRecord, ...], offer: Speak, limit_chars: float
    ) -> Speak:
        question = next((record for record in records if record.kind == "question"), None)
        if question is None or chosen[0].kind == "question" or question.doubted is not None:
            return offer
        lead_in = self.script.phrases.guard
        both = self.script.speak((*chosen, question), "guard", lead_in=lead_in, acknowledge=False)
        return both if len(both.text) <= limit_chars else offer

    def _open(self) -> tuple[str, ...]:
        return tuple(record.id for record in self.agenda.ledger.owed() if record.critical)

    def release(self, why: str) -> Release:
        """Let go, naming what stays open."""
        return Release(open_critical=self._open(), why=why)
