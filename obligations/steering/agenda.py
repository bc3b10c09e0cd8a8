"""Which open items come next, and which have had their share of tries.

Owns order and limits: most urgent first, never past the attempts of the pathway. Pure queries over the ledger;
chooses no words.
"""

from __future__ import annotations

from dataclasses import dataclass

from obligations.ledger.items import MAY_ANSWER
from obligations.ledger.ledger import Ledger
from obligations.ledger.records import ItemRecord
from obligations.ledger.states import State
from obligations.pathway.models import Group, OnAnswer, OnFaq, OnPhase, Pathway, Phase, Precondition, Question
from obligations.steering.policy import SteeringPolicy

NOT_VERIFIED = "not_verified"
SOMEBODY_ELSE = frozenset({"someone_else", "fetching"})
"""What somebody says who is not the patient."""

LEAVE_SPANS = frozenset({"phrase:goodbye", "phrase:farewell"})
"""By what the agent takes leave: when all was said, and when not."""


@dataclass(frozen=True, slots=True)
class Agenda:
    """The open items of one call, seen by a policy."""

    ledger: Ledger
    policy: SteeringPolicy

    @property
    def pathway(self) -> Pathway:
        """The pathway of the call."""
        return self.ledger.pathway

    def group(self, record: ItemRecord) -> Group:
        """The group an item belongs to."""
        return self.pathway.group_by_item[record.id]

    def spent(self, record: ItemRecord) -> bool:
        """Say whether to leave an item alone: refused, confirmed once in vain, or tried as often as allowed."""
        if record.refused or self._confirmed_in_vain(record) or self._told_by_stand_in(record):
            return True
        if not self.policy.return_to_items:
            return record.intents > 0
        limit = self.group(record).attempts_max
        if record.attempts >= limit or record.intents >= limit * self.policy.intents_per_attempt_max:
            return True
        return self._astray(record) >= self._astray_max(record)

    def voiced(self, record: ItemRecord) -> int:
        """How often the words of an item were handed to the voice, whatever they were counted as."""
        return record.intents + self._astray(record)

    def speakable(self) -> tuple[ItemRecord, ...]:
        """Items that are open and may still be spoken, in speaking order."""
        return tuple(record for record in self.ledger.owed() if not self.spent(record))

    def of_phase(self, phase: Phase) -> tuple[ItemRecord, ...]:
        """Speakable items owed by a phase."""
        return tuple(r for r in self.speakable() if _phase(self.group(r)) == phase)

    def of_group(self, group_id: str) -> tuple[ItemRecord, ...]:
        """Speakable items of one group."""
        return tuple(r for r in self.speakable() if self.group(r).id == group_id)

    def urgent(self) -> tuple[ItemRecord, ...]:
        """Speakable items that an answer made due at once."""
        return tuple(r for r in self.speakable() if isinstance(self.group(r).trigger, OnAnswer) and self._at_once(r))

    def contradicted(self, record: ItemRecord) -> bool:
        """Say whether an item was told otherwise and its own words have not been handed to the voice since."""
        return record.misled and record.mistold_agent_turn > record.last_intent_agent_turn

    def to_return_to(self, *, spaced: bool) -> tuple[ItemRecord, ...]:
        """Items begun and not finished, most urgent first.

        Args:
            spaced: Leave out those whose spacing since the last attempt is not over. Where nobody said a word since
                (a cough, silence), the agent goes on with what it was at: no turn was taken, so none is waited for.
        """
        begun = [r for r in self.speakable() if r.intents > 0 and _phase(self.group(r)) != "closing"]
        if spaced:
            turn, unanswered = self.ledger.call.turn, self._unanswered()
            begun = [
                r for r in begun if r.id in unanswered or turn - r.last_attempt_turn >= self.group(r).spacing_turns
            ]
        return tuple(sorted(begun, key=self.rank))

    def untried(self) -> tuple[ItemRecord, ...]:
        """Items owed and never spoken, in speaking order; the closing phase comes later."""
        return tuple(r for r in self.speakable() if r.intents == 0 and _phase(self.group(r)) != "closing")

    def to_confirm(self) -> ItemRecord | None:
        """The first question whose doubtful or reported answer has not had its one confirmation."""
        per_attempt = self.policy.intents_per_attempt_max
        for record in self.ledger.owed():
            if self._told_by_stand_in(record) or record.refused or not _doubtful(record):
                continue
            counted, tries_max = record.confirmations == 0, (self.group(record).attempts_max + 1) * per_attempt
            if counted and record.intents < tries_max and self._astray(record) < self._astray_max(record):
                return record
        return None

    def guarded(self) -> tuple[ItemRecord, ...]:
        """Critical or red-flagged open items the guard may still speak, most urgent first.

        Whoever is silent is told what needs no reply before they are asked anything a second time.
        """
        wanted = (r for r in self.ledger.owed() if r.critical or r.red_flag)
        owed = (r for r in wanted if not r.refused and not self._confirmed_in_vain(r))
        if self.stood_in():  # whoever stands in is not asked twice; only the patient could answer
            owed = (r for r in owed if r.kind == "point" or r.attempts == 0)
        tries_max = self.policy.guard_tries_max
        left = [r for r in owed if r.guard_tries < tries_max and not self._evaded(r)]
        left = [r for r in left if self._astray(r) < self._astray_max(r) + tries_max]
        silent = self.ledger.call.silent_prompts > 0 or self.ledger.call.waiting
        return tuple(
            sorted(left, key=lambda r: (silent and r.kind == "question" and r.guard_tries > 0, self.guard_rank(r)))
        )

    def told_in_leaving(self) -> tuple[ItemRecord, ...]:
        """What a red flag makes owed that was told with a goodbye or after it, each until the guard has offered it.

        The question itself while it is open, then what its answer makes due at once; most urgent first.
        """
        call = self.ledger.call
        replied = [r.at_s for r in call.replies.values() if "goodbye" in r.intents]
        spoken = [u.intended_at_s for u in call.utterances.values() if any(s.id in LEAVE_SPANS for s in u.spans)]
        leaving_s = min((*replied, *spoken), default=None)
        told = {flag.item_id for flag in call.red_flags if leaving_s is not None and flag.at_s >= leaving_s}
        if not told:
            return ()
        owed = (r for r in self.ledger.owed() if not r.refused and not self._confirmed_in_vain(r) and not r.guard_tries)
        return tuple(sorted((r for r in owed if r.id in told or self._follows(r, told)), key=self.rank))

    def leaving(self) -> bool:
        """Say whether the patient has said goodbye and stays by it.

        "Go on" takes it back, and so does an answer to a question that was put after it: whoever answers on has stayed,
        or never meant to leave. An answer to the guard's offer, or a symptom told in leaving, is no such answer.
        """
        call = self.ledger.call
        if "goodbye" not in call.standing:
            return False
        left_s = max(r.at_s for r in call.replies.values() if "goodbye" in r.intents)
        put = (r for r in self.ledger.items.values() if r.answer is not None and not r.guard_tries and not r.red_flag)
        answered = (call.replies.get(r.answer.reply_id) for r in put if r.answer is not None)
        return not any(reply is not None and reply.at_s > left_s for reply in answered)

    def stood_in(self) -> bool:
        """Say whether somebody on the line has said not to be the patient, whom the patient did not let answer.

        Where a right-party check stands before the content, nothing is told to them at all (`failed`).
        """
        call = self.ledger.call
        if "someone_else" not in call.standing or self.pathway.right_party is not None:
            return False
        delegated = call.replies.get(call.intents.get("delegate", ""))
        return delegated is None or delegated.speaker not in MAY_ANSWER or delegated.unconfirmed

    def _astray(self, record: ItemRecord) -> int:
        """How often its words were handed to the voice and counted only as something else that says the same.

        No such asking spends the item, so without a bound of its own it would be asked for ever.
        """
        utterances = self.ledger.call.utterances.values()
        if len(utterances) <= record.intents:
            return 0
        item, language = self.pathway.items[record.id], self.ledger.call.language
        given = (item.wording, item.reask, item.confirm) if isinstance(item, Question) else (item.wording,)
        own = {words[language] for words in given if language in words}
        others = (said for said in utterances if said.spans and all(span.id != record.id for span in said.spans))
        return sum(any(text in said.text for text in own) for said in others)

    def _astray_max(self, record: ItemRecord) -> int:
        return self.group(record).attempts_max + self.policy.intents_per_attempt_max

    def _evaded(self, record: ItemRecord) -> bool:
        """Whether the patient has replied to a question as often as it may be asked, and answered it never."""
        return record.unanswered >= self.group(record).attempts_max and not record.red_flag

    def _told_by_stand_in(self, record: ItemRecord) -> bool:
        return record.reported is not None and self.stood_in()

    def _follows(self, record: ItemRecord, told: set[str]) -> bool:
        trigger = self.group(record).trigger
        return isinstance(trigger, OnAnswer) and trigger.question in told and self._at_once(record)

    def rank(self, record: ItemRecord) -> tuple[bool, bool, bool, bool, int]:
        """Order of urgency: due at once, a red flag, told otherwise though critical, critical, the pathway's order."""
        return (
            not self._at_once(record),
            not record.red_flag,
            not (record.critical and record.misled),
            not record.critical,
            self.pathway.order[record.id],
        )

    def guard_rank(self, record: ItemRecord) -> tuple[bool, bool, bool, bool, bool, int]:
        """Order of urgency at the end: as `rank`, but what was cut or asked for, and needs no reply, before the rest.

        To a patient who says nothing more, any content comes before a question.
        """
        at_once, flag, misled, critical, order = self.rank(record)
        wanted = (
            record.intents > 0 or isinstance(self.group(record).trigger, OnFaq) or self.ledger.call.silent_prompts > 0
        )
        return at_once, flag, misled, critical, not (record.kind == "point" and wanted), order

    def unsaid(self) -> bool:
        """Say whether something owed was never put or told whole: "that was everything" would be untrue."""
        return any(record.state in (State.OPEN, State.PARTIAL) for record in self.ledger.owed())

    def companions(self, record: ItemRecord, among: tuple[ItemRecord, ...]) -> tuple[ItemRecord, ...]:
        """The item and the other unheard content points of its group, to be spoken in one go; a question goes alone."""
        if record.kind == "question":
            return (record,)
        group = self.group(record).id
        return tuple(r for r in among if r.kind == "point" and self.group(r).id == group)

    def blocked(self) -> str | None:
        """The end reason of a precondition that does not hold; None when none fails."""
        failed = self.failed()
        return failed[1] if failed is not None else None

    def failed(self) -> tuple[Precondition, str] | None:
        """The first precondition that does not hold, and its end reason.

        Its own reason when somebody said so; `NOT_VERIFIED` when its question was declined or asked in vain.
        """
        for precondition in self.pathway.preconditions:
            if precondition.question is None:
                if self.ledger.call.signals.get(precondition.id) is False:
                    return precondition, precondition.otherwise
                continue
            record = self.ledger.items[precondition.question]
            if record.answer is not None and record.answer.value not in precondition.needs:
                return precondition, precondition.otherwise
            if precondition.right_party and self.ledger.call.standing & SOMEBODY_ELSE:
                return precondition, precondition.otherwise
            if record.state is State.DECLINED or (record.owed and self.spent(record)):
                return precondition, NOT_VERIFIED
        return None

    def awaited_until(self, now_s: float) -> float | None:
        """Until when the agent keeps silent for a decision from outside; None when nothing is waited for."""
        call = self.ledger.call
        times = [until_s for name, until_s in call.awaited.items() if name not in call.signals and until_s > now_s]
        return max(times, default=None)

    def undecided(self) -> bool:
        """Say whether a precondition's question has not been answered yet, so that nothing clinical may be spoken."""
        asked = [p.question for p in self.pathway.preconditions if p.question is not None]
        return any(self.ledger.items[question].answer is None for question in asked)

    def opening(self, record: ItemRecord) -> bool:
        """Say whether an item belongs to the opening, the only thing spoken before the preconditions hold."""
        return _phase(self.group(record)) == "opening"

    def _unanswered(self) -> frozenset[str]:
        call = self.ledger.call
        last = call.utterances.get(call.last_utterance or "")
        return frozenset(span.id for span in last.spans) if last is not None and call.waiting else frozenset()

    def _confirmed_in_vain(self, record: ItemRecord) -> bool:
        return _doubtful(record) and record.confirmations > 0

    def _at_once(self, record: ItemRecord) -> bool:
        return self.group(record).due.by == "at_once"


def _doubtful(record: ItemRecord) -> bool:
    return record.doubted is not None or record.reported is not None


def _phase(group: Group) -> Phase | None:
    return group.trigger.phase if isinstance(group.trigger, OnPhase) else None
