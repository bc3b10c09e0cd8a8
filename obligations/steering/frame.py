"""The frame around the content: who is on the line, whether anybody is, and how a call ends before its end.

Owns the rules that hold whoever leads the talk: silence until a person has answered, nothing clinical to anybody but
the patient, somebody else asked to fetch them, a person put on the line, every way out said in one approved sentence.
Pure queries over the ledger, like the flow that asks them.
"""

from __future__ import annotations

from dataclasses import dataclass

from obligations.pathway.emergencies import EMERGENCY
from obligations.steering.agenda import NOT_VERIFIED, Agenda
from obligations.steering.moves import End, Listen, Move, PutThrough, TransferReason
from obligations.steering.script import Script

# Requests and news that end a call: intent, the phrase said first, the end reason.
EXITS: tuple[tuple[str, str, str], ...] = (
    ("bereaved", "bereaved", "deceased"),
    ("wrong_person", "wrong_person", "wrong_person"),
    ("object", "objected", "objected"),
    ("person", "person", "wants_person"),
    ("end_call", "farewell", "patient_ended"),
    ("callback", "call_back", "callback_requested"),
    ("absent", "call_back", "not_available"),
)
# What is said when a precondition asked of the listener fails; anything else is a farewell.
_FAILED = {"wrong_person": "wrong_person", "objected": "objected", NOT_VERIFIED: "call_back"}
# A sentence that a pathway may lack, and the one it must have that stands in for it.
_STAND_INS = {"objected": "person", "not_transferred": "person", "bereaved": "wrong_person"}

# Why the guard lets go of a call that is then closed by a sentence.
_LEAVES_BY_WORD = frozenset({"nothing_open", "tries_spent", "offered_once", "nobody_speaks", "time_up"})
# Times somebody is asked in one call whether the patient is on the line now. Our choice: once for each hand-over that
# can be heard, and once more where it was cut.
WHO_TRIES_MAX = 4


@dataclass(frozen=True, slots=True)
class Frame:
    """Decides what the frame of one call asks for now."""

    agenda: Agenda
    script: Script

    def awaiting(self, now_s: float) -> Move | None:
        """Keep silent until it is known whether a person or a machine has answered."""
        until_s = self.agenda.awaited_until(now_s)
        return Listen(until_s) if until_s is not None else None

    def leads(self, now_s: float) -> bool:
        """Say whether the frame leads now, whoever else would: a model is not asked for a word."""
        call = self.agenda.ledger.call
        return (
            call.transferred
            or self.agenda.awaited_until(now_s) is not None
            or self.agenda.undecided()
            or self.agenda.blocked() is not None
            or (self.agenda.stood_in() and (self._who_due() or "fetching" in call.standing))
            or any(intent in call.standing for intent, _, _ in EXITS)
        )

    def exit(self, now_s: float) -> Move | None:
        """End a call that somebody wants ended, or that may not go on."""
        call = self.agenda.ledger.call
        if call.transferred:
            return End("transferred")
        if "person" in call.standing and not call.standing & {"bereaved", "wrong_person", "object"}:
            move = self._put_through("wants_person", None)
            if move is not None:
                return move
        for intent, phrase, reason in EXITS:
            if intent in call.standing:
                tried = intent == "person" and bool(call.transfers)
                return self.last_words("not_transferred" if tried else phrase, reason)
        failed = self.agenda.failed()
        if failed is None or self.elsewhere():
            return None
        precondition, reason = failed
        if precondition.question is None:  # a machine answered: nothing is said to it but what the pathway allows
            return self.last_words("voicemail", reason) if self.script.has("voicemail") else End(reason)
        if reason == NOT_VERIFIED:  # asked for the last time, and the answer may still come
            if (waits := self.wait(now_s)) is not None:
                return waits
            if call.turn == 0 and call.keys == 0:
                return self.last_words("silence", "silence")
        return self.last_words(_FAILED.get(reason, "farewell"), reason)

    def wait(self, now_s: float) -> Listen | None:
        """Wait for a reply that is expected."""
        call, policy = self.agenda.ledger.call, self.agenda.policy
        if not call.waiting:
            return None
        last = call.utterances.get(call.last_utterance or "")
        wait_s = policy.cut_wait_s if last is not None and last.interrupted else policy.reply_wait_s
        until_s = call.waiting_since_s + wait_s
        return Listen(until_s) if now_s < until_s else None

    def elsewhere(self) -> bool:
        """Say whether the patient is not on the line, by the word of whoever is."""
        condition, failed = self.agenda.pathway.right_party, self.agenda.failed()
        return condition is not None and failed is not None and failed[0] is condition and failed[1] != NOT_VERIFIED

    def party(self, now_s: float) -> Move | None:
        """Ask whoever is on the line to fetch the patient, once, and wait a bounded time."""
        if not self.elsewhere():
            return None
        call, condition = self.agenda.ledger.call, self.agenda.pathway.right_party
        assert condition is not None
        if "fetching" in call.standing:
            if self._say_once("wait"):
                return self.script.phrase("wait", "close")
            return self._wait_for_them(now_s)
        if call.party_changes > 0:
            return self.last_words("call_back", "not_available")
        if not self.script.has("fetch"):
            return self.last_words("wrong_person", condition.otherwise)
        if self._say_once("fetch"):
            return self.script.phrase("fetch", "close")
        return self._wait_for_them(now_s)

    def stand_in(self, now_s: float) -> Move | None:
        """Ask somebody who has said not to be the patient whether the patient is on the line now; wait if fetched."""
        call = self.agenda.ledger.call
        if not self.agenda.stood_in():
            return None
        if "fetching" in call.standing:
            if self.script.has("wait") and self._say_once("wait"):
                return self.script.phrase("wait", "close")
            return self._wait_for_them(now_s)
        return self.script.phrase("patient_now", "confirm") if self._who_due() else None

    def quiet(self, now_s: float) -> Move | None:
        """Ask into a silence whether anybody is there, a bounded number of times, and let the call end."""
        call, policy = self.agenda.ledger.call, self.agenda.policy
        wait_s = policy.quiet_wait_s
        if wait_s is None and self.agenda.pathway.preconditions:
            wait_s = policy.reply_wait_s
        last = call.utterances.get(call.last_utterance or "")
        if wait_s is None or last is None or last.ended_at_s is None or not self.script.has("still_there"):
            return None
        until_s = self._last_sign_s() + wait_s
        if now_s < until_s:
            return Listen(until_s)
        if call.silent_prompts >= policy.silent_prompts_max:
            return self.last_words("silence", "silence")
        return self.script.phrase("still_there", "close")

    def red_flag(self, now_s: float) -> Move | None:
        """Put the call through for a red flag that the pathway wants a person for; say so once when that failed."""
        call, pathway = self.agenda.ledger.call, self.agenda.pathway
        for flag in call.red_flags:
            group = pathway.group_by_item.get(flag.item_id)
            escalation = group.escalation if group is not None else None
            if flag.certain and escalation in pathway.live_transfer:
                move = self._put_through("red_flag", escalation)
                if move is not None:
                    return move
        failed = any(tried.reason == "red_flag" and not tried.accepted for tried in call.transfers)
        if failed and self.script.has("not_transferred") and self._say_once("not_transferred"):
            return self.script.phrase("not_transferred", "close")
        return None

    def emergency(self, now_s: float) -> Move | None:
        """Put the call through once for an emergency told unasked; else say once that a person will be asked.

        The pathway's own route and its own sentences only: no advice is made up.
        """
        call, pathway = self.agenda.ledger.call, self.agenda.pathway
        if all(flag.item_id != EMERGENCY for flag in call.red_flags):
            return None
        if pathway.live_transfer and (move := self._put_through("red_flag", pathway.emergency_route)) is not None:
            return move
        if any(tried.reason == "red_flag" and not tried.accepted for tried in call.transfers):
            return None  # what is said then is `red_flag`'s
        name = "emergency" if self.script.has("emergency") else "person"
        return self.script.phrase(name, "close") if self._say_once(name) else None

    def leave(self, reason: str) -> Move:
        """Take leave and end: in words that are true of what was said before."""
        call = self.agenda.ledger.call
        if call.phrases_heard & {"goodbye", "farewell"}:
            return End(reason)
        tried = sum(call.phrases_tried.get(name, 0) for name in ("goodbye", "farewell"))
        if tried >= self.agenda.policy.phrase_tries_max:
            return End(reason)
        return self.script.phrase(self.leaving_phrase(), "goodbye")

    def leave_taking(self, why: str) -> str | None:
        """Give the sentence that closes a call the guard let go of; None where whoever refused is let go in silence."""
        if why not in _LEAVES_BY_WORD:
            return None
        return str(getattr(self.script.phrases, "silence" if why == "nobody_speaks" else self.leaving_phrase()))

    def leaving_phrase(self) -> str:
        """Name the sentence that takes leave now: the pathway's goodbye claims that all was asked."""
        return "farewell" if self.agenda.unsaid() and self.script.has("farewell") else "goodbye"

    def last_words(self, phrase: str, reason: str) -> Move:
        """Say one last sentence, as often as a cut one may be tried, and end."""
        if not self.script.has(phrase):
            phrase = _STAND_INS.get(phrase, "goodbye")
        if not self._say_once(phrase):
            return End(reason)
        return self.script.phrase(phrase, "goodbye" if phrase == "goodbye" else "close")

    def _who_due(self) -> bool:
        call = self.agenda.ledger.call
        tried = call.phrases_tried.get("patient_now", 0)
        return call.who_due and tried < WHO_TRIES_MAX and self.script.has("patient_now")

    def _put_through(self, reason: TransferReason, escalation: str | None) -> Move | None:
        call, policy = self.agenda.ledger.call, self.agenda.policy
        tried = any((t.reason, t.escalation) == (reason, escalation) for t in call.transfers)
        if not policy.transfer or call.transferred or tried:
            return None
        if self.script.has("transfer") and self._say_once("transfer"):
            return self.script.phrase("transfer", "close")
        return PutThrough(reason, escalation)

    def _wait_for_them(self, now_s: float) -> Move:
        until_s = self._last_sign_s() + self.agenda.policy.fetch_wait_s
        return Listen(until_s) if now_s < until_s else self.last_words("call_back", "not_available")

    def _last_sign_s(self) -> float:
        """When anybody was last heard, the agent or the other end."""
        call = self.agenda.ledger.call
        spoken = [u.ended_at_s for u in (call.utterances.get(call.last_utterance or ""),) if u is not None]
        replied = [r.at_s for r in (call.replies.get(call.last_reply or ""),) if r is not None]
        return max([time_s for time_s in (*spoken, *replied) if time_s is not None], default=0.0)

    def _say_once(self, phrase: str) -> bool:
        call = self.agenda.ledger.call
        tried = call.phrases_tried.get(phrase, 0)
        return phrase not in call.phrases_heard and tried < self.agenda.policy.phrase_tries_max
