"""The tracker: facts of a live call in, events and moves out.

Owns the order in which a fact is written down. Synchronous, without a clock and without a network; after the end of
the call, and for facts about utterances it does not know, every method does nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from obligations.answers.protocol import AnswerReader, ReplySpeaker
from obligations.coverage.protocol import Coverage
from obligations.errors import IllegalStep
from obligations.handoff.build import build_handoff
from obligations.handoff.models import Handoff
from obligations.ledger import events as ev
from obligations.ledger.ledger import Ledger
from obligations.pathway.models import Pathway
from obligations.safe_side import load_model
from obligations.steering.agenda import Agenda
from obligations.steering.flow import Flow
from obligations.steering.guard import WAITS_FOR_REPLY, Guard
from obligations.steering.moves import End, EndReason, Listen, Move, Release, Speak, TransferReason
from obligations.steering.policy import SteeringPolicy
from obligations.steering.reminder import Reminder
from obligations.steering.script import Script
from obligations.tracker.endings import Endings
from obligations.tracker.facts import Delivery, Reply, ReplyOutcome
from obligations.tracker.language import table_of
from obligations.tracker.leaving import said_back
from obligations.tracker.replies import Replies
from obligations.tracker.spans import WordingIndex
from obligations.tracker.writer import Writer

# Texts longer than this are not a sentence anybody heard; the rest is left out of the ledger. Our choice.
TEXT_CHARS_MAX = 8000
# A held end is asked for again and again while somebody speaks; past this the caller is taken not to speak at all.
HOLDS_PER_TRY_MAX = 25
# Turns kept while it is not known whether a person or a machine has answered; more is a long greeting.
EARLY_REPLIES_MAX = 10


class Tracker:
    """Keeps one call's ledger and says what comes next.

    Promises: nothing but delivered text and attributed replies closes an item; `handoff` names every item that is not
    closed; a second `handoff` returns the first one; `resume` from the events of a dead worker continues without a
    second greeting.
    """

    def __init__(
        self,
        pathway: Pathway,
        *,
        call_id: str,
        reader: AnswerReader,
        language: str | None = None,
        policy: SteeringPolicy | None = None,
        licences: Iterable[str] = (),
        now_s: float = 0.0,
    ) -> None:
        """Begin a call.

        Args:
            pathway: What the call must cover.
            call_id: The call's name in every record.
            reader: Reads replies.
            language: BCP 47 tag of the call; the pathway's first language when None.
            policy: How hard to steer; the defaults when None.
            licences: ``name@version`` of the matchers and readers that may close critical items without confirmation.
            now_s: The call's clock.

        Raises:
            UnknownLanguage: The pathway has no wording in `language`.
        """
        tag = pathway.resolve_language(language)
        self._set_up(Ledger(pathway), tag, reader, policy or SteeringPolicy(), licences)
        self._write(
            ev.CallBegan,
            now_s,
            call_id=call_id,
            pathway_id=pathway.id,
            pathway_version=pathway.version,
            pathway_digest=pathway.digest,
            language=tag,
        )
        self._write.begin_phase("opening", now_s)
        self._write.begin_phase("main", now_s)

    @classmethod
    def resume(
        cls,
        pathway: Pathway,
        events: Iterable[ev.Event],
        *,
        reader: AnswerReader,
        policy: SteeringPolicy | None = None,
        licences: Iterable[str] = (),
    ) -> Tracker:
        """Go on with a call from the events another worker wrote.

        Raises:
            ReplayMismatch: They belong to another pathway or version.
            IllegalStep: They are not the events of a ledger, or there are none.
        """
        ledger = Ledger.replay(pathway, events)
        if ledger.next_seq == 0:
            raise IllegalStep("a call without a first event cannot be resumed")
        tracker = cls.__new__(cls)
        language = ledger.call.language or pathway.languages[0]
        tracker._set_up(ledger, language, reader, policy or SteeringPolicy(), licences)
        return tracker

    def _set_up(
        self, ledger: Ledger, language: str, reader: AnswerReader, policy: SteeringPolicy, licences: Iterable[str]
    ) -> None:
        self.ledger = ledger
        self.language = language
        self.policy = policy
        self.licences = frozenset(licences)
        self._write = Writer(ledger)
        self._index = WordingIndex(ledger.pathway, language)
        model = load_model(language) if policy.safe_side_model else None
        self._endings = Endings(self._write, self._index, self._licensed, model)
        self._replies = Replies(self._write, language, reader, self._licensed, model)
        agenda, script = Agenda(ledger, policy), Script(ledger, language)
        self._flow, self._guard, self._reminder = Flow(agenda, script), Guard(agenda, script), Reminder(agenda, script)
        self._proposed: Speak | None = None
        self._held: tuple[EndReason, Speak] | None = None
        self._holds, self._time_up = 0, False
        self._unfinished: tuple[str, ReplySpeaker] | None = None
        self._early: list[Reply] = []
        self._handoff: Handoff | None = None

    @property
    def events(self) -> tuple[ev.Event, ...]:
        """Every event so far, in order."""
        return self.ledger.events

    @property
    def pathway(self) -> Pathway:
        """What the call must cover."""
        return self.ledger.pathway

    @property
    def ended(self) -> bool:
        """The hand-off has been made."""
        return self.ledger.call.ended

    def intended(
        self, utterance_id: str, text: str, now_s: float, *, asked: Sequence[ev.WordingSpan] | None = None
    ) -> tuple[ev.Event, ...]:
        """Note a text handed to the voice, with the items found in it (`asked`: `WordingIndex.find`). Moves no item."""
        if self.ended or utterance_id in self.ledger.call.utterances:
            return ()
        begin, text = self.ledger.next_seq, text[:TEXT_CHARS_MAX]
        spans = self._index.find(text, asked)
        items = frozenset(span.id for span in spans if not span.id.startswith("phrase:"))
        proposed, held = self._proposed, self._held
        asked_for = proposed is not None and not proposed.counted and items <= frozenset(proposed.item_ids)
        counted = not asked_for and all(span.id != "phrase:repeat" for span in spans)
        self._proposed = self._held = None
        self._write(ev.Intended, now_s, utterance_id=utterance_id, text=text, spans=spans, counted=counted)
        if held is not None and items and items <= frozenset(held[1].item_ids):
            self._write(ev.GuardTried, now_s, reason=held[0], item_ids=held[1].item_ids)
        return self.ledger.events_since(begin)

    def judged(
        self, utterance_id: str, point_id: str, coverage: Coverage, now_s: float | None = None
    ) -> tuple[ev.Event, ...]:
        """Note a matcher's verdict on the intended text; it counts once, and only as far as, the text was delivered.

        Args:
            utterance_id: The utterance it judged.
            point_id: The content point.
            coverage: The verdict.
            now_s: When it came; the utterance's own end when None.
        """
        utterance = self.ledger.call.utterances.get(utterance_id)
        if self.ended or utterance is None or point_id not in self.pathway.points:
            return ()
        begin = self.ledger.next_seq
        self._endings.judged(utterance, point_id, coverage, now_s)
        return self.ledger.events_since(begin)

    def started(self, utterance_id: str, now_s: float) -> tuple[ev.Event, ...]:
        """Note the first audible sample of an utterance: an attempt at each item in it."""
        known = self.ledger.call.utterances.get(utterance_id)
        fresh = known is not None and not known.started and not known.ended and not self.ended
        return (self._write(ev.Started, now_s, utterance_id=utterance_id),) if fresh else ()

    def delivered(self, delivery: Delivery, now_s: float) -> tuple[ev.Event, ...]:
        """Note the end of an utterance and how much of it was heard: the only fact that moves an item's words."""
        utterance = self.ledger.call.utterances.get(delivery.utterance_id)
        if self.ended or utterance is None or utterance.ended:
            return ()
        begin, length = self.ledger.next_seq, len(utterance.text)
        played = max(0, min(delivery.delivered_chars, length))
        # Facts that contradict each other count as the one by which less was heard.
        complete = delivery.complete and played == length
        heard = played if complete else max(0, played - max(0, delivery.margin_chars))
        if played > 0:
            self.started(utterance.id, now_s)
        self._write(
            ev.Delivered,
            now_s,
            utterance_id=utterance.id,
            delivered_chars=played,
            heard_chars=heard,
            complete=complete,
            interrupted=delivery.interrupted and not complete,
            exactness=delivery.exactness,
        )
        self._replies.read_again(utterance, now_s)
        self._endings.take(utterance, now_s)
        return self.ledger.events_since(begin)

    def hearing(self, text: str, speaker: ReplySpeaker = ReplySpeaker.PRIMARY) -> None:
        """Note words still being said; if the call ends first they stand in the hand-off, marked partial."""
        self._unfinished = (text, speaker) if text.strip() else None

    def reply(self, reply: Reply) -> ReplyOutcome:
        """Take what somebody said: an answer, a report, a question, a request, or none of these."""
        if self.ended:
            return ReplyOutcome()
        self._unfinished = self._held = None
        if self._flow.frame.awaiting(reply.now_s) is not None:
            self._early = [*self._early, reply][-EARLY_REPLIES_MAX:]  # perhaps a machine's: it answers nothing yet
            return ReplyOutcome()
        return self._replies.take(reply)

    def await_signal(self, precondition_id: str, until_s: float, now_s: float) -> tuple[ev.Event, ...]:
        """Keep silent until something outside has decided a precondition, until `until_s` at the latest.

        Replies until then are held: they count when a person has answered, and are kept as words when a machine has.
        """
        known = any(p.id == precondition_id for p in self.pathway.preconditions)
        if self.ended or not known or precondition_id in self.ledger.call.signals:
            return ()
        return (self._write(ev.SignalAwaited, now_s, precondition_id=precondition_id, until_s=until_s),)

    def signal(self, precondition_id: str, holds: bool, now_s: float) -> tuple[ev.Event, ...]:
        """Note what something outside decided about a precondition, such as a voicemail detector."""
        if self.ended or all(p.id != precondition_id for p in self.pathway.preconditions):
            return ()
        given = self._write(ev.SignalGiven, now_s, precondition_id=precondition_id, holds=holds)
        if holds:
            self._take_early(now_s)
        return self.ledger.events_since(given.seq)

    def key_pressed(self, now_s: float) -> tuple[ev.Event, ...]:
        """Note a telephone key: no answer and no silence. At most once until the agent has spoken or been answered."""
        if self.ended or self.ledger.call.key_due or self._flow.frame.awaiting(now_s) is not None:
            return ()
        return (self._write(ev.KeyPressed, now_s),)

    def transferred(
        self, reason: TransferReason, escalation: str | None, accepted: bool, now_s: float, detail: str = ""
    ) -> tuple[ev.Event, ...]:
        """Note what came of putting the call through to a person."""
        if self.ended or self.ledger.call.transferred:
            return ()
        fields = {"reason": reason, "escalation": escalation, "accepted": accepted, "detail": detail}
        return (self._write(ev.TransferTried, now_s, **fields),)

    def waive(self, item_id: str, why: str, now_s: float) -> tuple[ev.Event, ...]:
        """Let an item go for a reason from outside; it stands in the hand-off. `UnknownItem` for one there is not."""
        begin = self.ledger.next_seq
        self._write.waive(item_id, "" if self.ended else why, now_s)
        return self.ledger.events_since(begin)

    def next_move(self, now_s: float) -> Move:
        """Say what a pathway-led agent does next. Asking again without a new fact gives the same move."""
        self._answered_in_vain(now_s)
        move = self._flow.next_move(now_s)
        if move is None:
            self._write.begin_phase("closing", now_s)
            move = self._flow.closing()
        if self._leaves(move):
            by_patient = "goodbye" in self.ledger.call.standing
            guarded = self.may_end("patient_goodbye" if by_patient else "agent_goodbye", now_s)
            move = move if isinstance(guarded, Release) else guarded
        self._proposed = move if isinstance(move, Speak) else None
        return move

    def _leaves(self, move: Move) -> bool:
        """Whether a move takes leave for the first time, or again although a red flag was told in leaving."""
        ends = isinstance(move, End) and move.reason in ("patient_goodbye", "completed")
        goodbye = isinstance(move, Speak) and move.purpose == "goodbye"
        first = goodbye and not {"goodbye", "farewell"} & set(self.ledger.call.phrases_tried)
        return first or ((goodbye or ends) and bool(self._flow.agenda.told_in_leaving()))

    def frame_move(self, now_s: float) -> Move | None:
        """Say what the frame asks for in a call that a model leads; None when it asks for nothing."""
        self._answered_in_vain(now_s)
        move = self._flow.frame_move(now_s)
        self._proposed = move if isinstance(move, Speak) else None
        return move

    def frame_leads(self, now_s: float) -> bool:
        """Say whether the frame leads now: whoever is asked for words otherwise is not asked for any."""
        return not self.ended and self._flow.frame.leads(now_s)

    def leave_taking(self, why: str, *, opened: bool) -> str | None:
        """The sentence that closes a call after the guard let go; None for those who are let go without a word.

        Args:
            why: Why it let go.
            opened: The guard has opened the call again behind somebody's goodbye.
        """
        return self._flow.frame.leave_taking(why) if why == "time_up" or opened else None

    def note(self, max_chars: int | None = None) -> str | None:
        """Tell a language model what was cut and what is open, in bounded length; None when nothing is."""
        return None if self.ended else self._reminder.note(max_chars or self.policy.note_chars_max)

    @property
    def reply_owed(self) -> bool:
        """The last reply asked something of the agent."""
        return self._reminder.reply_owed()

    def overdue(self, now_s: float, *, acknowledge: bool = False) -> Speak | None:
        """Give the own wording to speak when the model has not come back to an item; None while in time."""
        self._proposed = self._reminder.overdue(acknowledge=acknowledge)
        return self._proposed

    def in_place_of_a_model(self, now_s: float) -> Speak | None:
        """Say what the pathway would say now, for a model that came to nothing; None when that is not to speak."""
        move = self._flow.next_move(now_s)
        self._proposed = move if isinstance(move, Speak) else None
        return self._proposed

    def time_up(self) -> None:
        """The end of the call may be held no longer: the guard lets go at its next look."""
        self._time_up = True

    def may_end(self, reason: EndReason, now_s: float) -> Speak | Listen | Release:
        """Ask the guard: speak this first, wait for the reply to it, or let the call end.

        Whatever ends the call, the goodbye of a patient who stays by it comes first (`Agenda.leaving`), unless it only
        returns the agent's: a model that leads asks for the end in its own name. A try counts when its words are handed
        to the voice. Bounded all the same: a caller that never speaks what it is given is released after
        `HOLDS_PER_TRY_MAX` times the policy's holds.
        """
        if not self.ended and reason != "hangup" and self.policy.guard:
            self._write.begin_phase("closing", now_s)
        sent_off = said_back(self.ledger.call, table_of(self.ledger.call.language))
        if reason != "hangup" and self._flow.agenda.leaving() and not sent_off:
            reason = "patient_goodbye"
        verdict = self._guard.release("time_up") if self._time_up else self._guard.may_end(reason)
        waits = not isinstance(verdict, Release) or verdict.why in WAITS_FOR_REPLY
        waiting = (self._flow.frame.awaiting(now_s) or self._flow.listening(now_s)) if waits else None
        if isinstance(waiting, Listen):
            return waiting
        if isinstance(verdict, Release):
            return verdict
        self._holds += 1
        if self._holds > self.policy.guard_holds_max * HOLDS_PER_TRY_MAX:
            return self._guard.release("tries_spent")
        self._held = (reason, verdict)
        return verdict

    def handoff(self, end_reason: str, now_s: float) -> Handoff:
        """End the call and say what became of every obligation; later calls return the first result."""
        if self._handoff is None:
            if not self.ended:
                self._end(end_reason, now_s)
            self._handoff = build_handoff(self.ledger)
        return self._handoff

    def _end(self, end_reason: str, now_s: float) -> None:
        for utterance_id in tuple(self.ledger.call.in_flight):
            # Its end was never reported: no evidence, so nothing of it counts as heard.
            lost = Delivery(utterance_id=utterance_id, delivered_chars=0, complete=False, exactness="estimated")
            self.delivered(lost, now_s)
        self._write.begin_phase("closing", now_s)
        for early in self._early:
            self._write(ev.WordsLeft, now_s, text=early.text[:TEXT_CHARS_MAX], speaker=early.speaker)
        if self._unfinished is not None:
            self._replies.broke_off(self._unfinished[0][:TEXT_CHARS_MAX], self._unfinished[1], now_s)
        self._write(ev.CallEnded, now_s, reason=end_reason)

    def _answered_in_vain(self, now_s: float) -> None:
        """Take in what was said early, once nothing is waited for any more and no machine was found."""
        if self._early and self._flow.frame.awaiting(now_s) is None and not self._machine_answered:
            self._take_early(now_s)

    @property
    def _machine_answered(self) -> bool:
        return False in self.ledger.call.signals.values()

    def _take_early(self, now_s: float) -> None:
        early, self._early = self._early, []
        for reply in early:
            self._replies.take(replace(reply, now_s=now_s))

    def _licensed(self, name_version: str) -> bool:
        return name_version in self.licences
