"""Turns what happened in the pipeline into facts for the tracker, and the tracker's moves into what is said next.

Owns one call's timing: when the agent may speak again, which move is on its way to the voice, when the guard has had
its say. Knows no frames: it speaks through two callbacks. Every entry point catches its own failures; the safe side is
to say nothing and to leave items open.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

from obligations.answers.protocol import ReplySpeaker
from obligations.steering import End, EndReason, Listen, PutThrough, Release, Speak
from obligations.tracker import Reply, Tracker
from pipecat_interrupt.facts import OverlapFact, UtteranceRecord
from pipecat_interrupt.journal import JournalWriter
from pipecat_interrupt.journal.entries import LedgerMoved, MoveMade, NoteGiven, PatientTurn
from pipecat_interrupt.steering.acknowledge import Acknowledger, PathwayAcknowledger
from pipecat_interrupt.steering.alarm import Alarm
from pipecat_interrupt.steering.call_frame import Answered
from pipecat_interrupt.steering.door import HOLD_LIMIT
from pipecat_interrupt.steering.model_watch import ModelWatch
from pipecat_interrupt.steering.reactions import approved_reactions, spoken_at, waits_for_words, with_reaction
from pipecat_interrupt.steering.safely import Safely
from pipecat_interrupt.steering.settings import END_GAP_S, SteeringSettings
from pipecat_interrupt.steering.told import Said, delivery_of
from pipecat_interrupt.steering.transfer import PuttingThrough, Transfer

WATCH_S = 2.0
STUCK_S_MAX = 20.0
"""A wording or reply that has not begun to sound after this long is given up; the ledger still owes it."""

Words = Callable[[str], Awaitable[None]]


class Conductor:
    """Leads one call through its obligations.

    Args:
        tracker: What the call owes.
        journal: Takes every ledger event, move and patient turn.
        now_s: The call's clock.
        acknowledger: How replies are reacted to.
        settings: Timing and who leads.
        journalled: Ledger events that stand in the journal already, when another worker began the call.

    `on_moved` is called whenever the ledger may have moved; it must be quick. The processor sets `say` (speak this
    text) and `finish` (end the call) before the call starts.
    """

    def __init__(
        self,
        tracker: Tracker,
        journal: JournalWriter,
        now_s: Callable[[], float],
        *,
        acknowledger: Acknowledger | None = None,
        settings: SteeringSettings | None = None,
        journalled: int = 0,
    ) -> None:
        self.tracker, self.journal, self.now_s = tracker, journal, now_s
        self.acknowledger: Acknowledger = acknowledger or PathwayAcknowledger()
        self.settings = settings or SteeringSettings()
        self.say: Words | None = None
        self.finish: Words | None = None
        self.interrupt: Callable[[], Awaitable[None]] | None = None
        self.release_end: Callable[[], Awaitable[None]] | None = None
        self.agent_audible: Callable[[], bool] = lambda: False
        self.words_owed: Callable[[bool], bool] = lambda closing: False
        self.words_age_s: Callable[[], float | None] = lambda: None
        self.on_moved: Callable[[], None] = lambda: None
        self.answered: Answered | None = None
        self.transfer: Transfer | None = None
        self._putting = PuttingThrough(tracker, journal, now_s, self.write_ledger)
        self._known: set[str] = set()
        self._on_its_way: Speak | None = None
        self._onset: tuple[str | None, int | None] | None = None
        self._voice_on = self._turn_open = self._script_turn = False
        self.model = ModelWatch(self.settings.model_wait_s)
        self._end_asked: EndReason | None = None
        self._ending = self._over = self._guard_spoke = self._leave_taken = False
        self.end_reason: str | None = None
        self._last_reply, self._journalled, self._end_asked_at_s = "", journalled, 0.0
        self._alarm = Alarm(self.advance)
        self._waiting_since_s: float | None = None
        self._lock = asyncio.Lock()

    # ---- what the agent did

    def on_started(self, utterance_id: str, intended: str) -> None:
        """The first audio of an utterance was written."""
        with self._safely("utterance started"):
            self._intend(utterance_id, intended)
            self.tracker.started(utterance_id, self.now_s())
            self.write_ledger()

    def on_record(self, record: UtteranceRecord) -> None:
        """An utterance is settled: the ledger moves by what was delivered of it."""
        with self._safely("utterance over"):
            self._intend(record.id, record.intended)
            self.tracker.delivered(delivery_of(record), self.now_s())
            self.write_ledger()
        if record.source == "llm":
            self.model.over()
        if record.end_reason == "lost":
            self._alarm.set(self.settings.lost_gap_s)
        elif record.cut is None or record.end_reason != "interruption":
            self._alarm.set(self.settings.turn_gap_s)
        else:
            self._alarm.set(self.settings.cut_gap_s)

    # ---- what the far end did

    def overlap_judged(self, fact: OverlapFact, takes_floor: bool) -> None:
        """An overlap took the floor: the turn that follows began during an utterance."""
        if takes_floor:
            self._onset = (fact.utterance_id, fact.heard_chars_at_onset)

    def voice(self, on: bool) -> None:
        """Voice activity of the far end."""
        self._voice_on = on
        with self._safely("voicemail"):
            if self.answered is not None:
                self.answered.heard()
        if not on and not self._turn_open:
            self._alarm.set(self.settings.turn_gap_s)

    def key(self) -> None:
        """A telephone key was pressed: it answers nothing, but somebody is there."""
        with self._safely("key"):
            self.tracker.key_pressed(self.now_s())
            self._alarm.set(self.settings.turn_gap_s)

    def turn(self, is_open: bool) -> None:
        """A user turn opened or closed."""
        self._turn_open = is_open
        if is_open:
            self._alarm.stop()
        else:
            self._alarm.set(self.settings.empty_turn_gap_s)

    def interrupted(self) -> None:
        """What was on its way to the voice was dropped, unless the voice had it already (then its record comes)."""
        self._on_its_way = None
        self.model.over()

    async def replied(self, said: Said) -> None:
        """A turn of the far end is complete; take it in and, when we lead, go on at once."""
        text, speaker = said.text, said.speaker
        (at, chars), self._onset = self._onset or (None, None), None
        with self._safely("reply"):
            spoken_s = spoken_at(self.words_age_s() if said.spoken else None, now_s := self.now_s())
            turn = PatientTurn(text=text, speaker=speaker, onset_utterance_id=at, heard_chars_at_onset=chars)
            known = {"by_voice": said.by_voice, "spoken_s": spoken_s, "unconfirmed": said.unconfirmed}
            self.journal.write(turn.model_copy(update=known), now_s)
            reply = Reply(text=text, now_s=now_s, speaker=speaker, onset_during=at, heard_chars_at_onset=chars)
            self.tracker.reply(replace(reply, **known))
            self.write_ledger()
        self._last_reply = text
        if self.leads_now or self.guarding:
            self._turn_open = False
            await self.advance()

    def reported(self, text: str, age_s: float | None = None, *, unconfirmed: bool = False) -> None:
        """A third party said something useful: held as a report until the patient confirms it; nobody's turn ends."""
        with self._safely("report"):
            spoken_s, speaker = spoken_at(age_s, now_s := self.now_s()), ReplySpeaker.THIRD_PARTY
            known = {"spoken_s": spoken_s, "unconfirmed": unconfirmed}
            self.journal.write(PatientTurn(text=text, speaker=speaker).model_copy(update=known), now_s)
            self.tracker.reply(replace(Reply(text=text, now_s=now_s, speaker=speaker, label="third party"), **known))
            self.write_ledger()
        self._alarm.set(self.settings.turn_gap_s)

    # ---- what comes next

    def begin(self) -> None:
        """The line is open: say the first thing, once it is known that a person has answered."""
        self.open_line()
        self._alarm.set(0.0)

    def open_line(self) -> None:
        """The line is open; again changes nothing."""
        with self._safely("voicemail"):
            if self.answered is not None:
                self.answered.open()

    def answered_by(self, person: bool) -> None:
        """A detector has decided who has answered."""
        with self._safely("voicemail"):
            if self.answered is not None:
                self.answered.decided(person)
            self.write_ledger()
        if not person:  # the detector keeps the rest of the greeting from us, its end included
            self._turn_open = self._voice_on = False
        self._alarm.set(0.0)

    @property
    def leads_now(self) -> bool:
        """Whether what is said next is ours to say, and not the model's."""
        with self._safely("frame"):
            return self.settings.leads or (self.settings.frames and self.tracker.frame_leads(self.now_s()))
        return True

    def note(self) -> str | None:
        """Give the developer note for the model's next reply, None when there is nothing to say."""
        with self._safely("note"):
            text = self.tracker.note(self.settings.note_chars_max)
            if text:
                self.journal.write(NoteGiven(text=text), self.now_s())
            return text
        return None

    @property
    def guarding(self) -> bool:
        """Whether the guard leads the rest of the call: the model is asked no more but what the patient asks.

        Left to itself it would open a new subject on a line that is about to close.
        """
        leads = self._end_asked is not None or self._ending
        return leads and (self.end_reason == HOLD_LIMIT or not self.tracker.reply_owed)

    @property
    def end_just_asked(self) -> bool:
        """Whether the end was asked for this moment, so that what the model was asked for before it is still due."""
        return self._end_asked is not None and self.now_s() - self._end_asked_at_s < END_GAP_S

    def overdue(self) -> str | None:
        """Give the wording the model has failed to come back to, to be spoken right behind its next reply."""
        with self._safely("overdue"):
            move = self.tracker.overdue(self.now_s())
            if move is not None:
                self._note_move(move, move.text)
                return move.text
        return None

    async def take_turn(self) -> bool:
        """Say what is overdue in place of the model, where the patient's words ask nothing of it; tell whether it was.

        Spoken behind a deaf model's next question it would get no answer, and every later one would be asked twice.
        """
        if self.guarding or self._voice_on or self.tracker.reply_owed:
            return False
        self._turn_open = False
        with self._safely("overdue"):
            move = self.tracker.overdue(self.now_s(), acknowledge=True)
            if move is not None:
                await self._speak(move)
                return True
        return False

    def model_asked(self) -> None:
        """The model was asked for a reply: nobody speaks before it has spoken, or come to nothing."""
        self.model.asked(self.now_s())
        self._alarm.set(WATCH_S)

    def model_failed(self) -> None:
        """The model came to nothing: the pathway speaks in its place, this once."""
        self.model.failed()
        self._script_turn = True
        self._alarm.set(self.settings.turn_gap_s)

    def time_up(self) -> None:
        """The end may be held no longer: whoever speaks is let finish, leave is taken, and the call ends."""
        self.tracker.time_up()
        self.end_reason = HOLD_LIMIT
        self._alarm.set(0.0)

    async def may_end(self, reason: EndReason) -> bool:
        """Say whether the call may end now; when it may not, the guard speaks and `release_end` comes later."""
        if self._ending or self._over:
            return True
        self._end_asked, self._end_asked_at_s = reason, self.now_s()
        await self.advance()
        return self._end_asked is None

    async def advance(self) -> None:
        """Say the next thing, if it is the agent's turn to speak."""
        if self._over:
            return
        async with self._lock:
            if self._turn_open or self._voice_on or self._over or self._putting.move is not None:
                return
            if self._on_its_way is not None or self.model.busy or self.agent_audible():
                await self._look_again()
                return
            with self._safely("next move"):
                move = self._next()
                self.write_ledger()
                await self._act(move)

    def approved_reactions(self) -> tuple[str, ...]:
        """The reactions a model may choose from, the neutral one first."""
        return approved_reactions(self.tracker)

    def close(self) -> None:
        """The call is over; nothing is said any more."""
        self._over = True
        self._putting.line_closed()
        self._alarm.close()

    def _next(self) -> Speak | Listen | PutThrough | End | Release | None:
        now_s = self.now_s()
        if self._end_asked is not None:
            return self.tracker.may_end(self._end_asked, now_s)
        if self.settings.leads:
            return self.tracker.next_move(now_s)
        framed = self.tracker.frame_move(now_s) if self.settings.frames else None
        in_place, self._script_turn = self._script_turn, False
        if (framed is None or isinstance(framed, Listen)) and in_place:
            return self.tracker.in_place_of_a_model(now_s)
        if (framed is None or isinstance(framed, Listen)) and not self.leads_now:
            return self.tracker.overdue(now_s) or framed
        return framed

    async def _act(self, move: Speak | Listen | PutThrough | End | Release | None) -> None:
        if (isinstance(move, Speak) and self.end_just_asked) or waits_for_words(move, self.words_owed):
            self._alarm.set(END_GAP_S)
        elif isinstance(move, Speak):
            self._guard_spoke = self._guard_spoke or self._end_asked is not None
            await self._speak(move)
        elif isinstance(move, PutThrough):
            self._putting.move = move
            self._alarm.spawn(self._putting.through(move, self.transfer, self.advance))
        elif isinstance(move, Listen) and move.until_s is not None:
            self._alarm.set(max(0.05, move.until_s - self.now_s()))
        elif isinstance(move, Release):
            if await self._take_leave(move.why):
                return
            self._end_asked, self._ending = None, True
            self.end_reason = self.end_reason or "completed"
            self.journal.write(MoveMade(purpose="release", item_ids=move.open_critical, reason=move.why), self.now_s())
            if self.release_end is not None:
                await self.release_end()
        elif isinstance(move, End) and not self._ending:
            self._ending, self.end_reason = True, move.reason
            self.journal.write(MoveMade(purpose="end", reason=move.reason), self.now_s())
            if self.finish is not None:
                await self.finish(move.reason)

    async def _take_leave(self, why: str) -> bool:
        """Close what the guard opened again after the model's goodbye; tell whether something is being said.

        The end itself is let go only when this was heard or cut: Pipecat loses an end that waits behind speech when
        the speech is interrupted, and the call would never be over.
        """
        text = self.tracker.leave_taking(why, opened=self._guard_spoke and not self.settings.leads)
        if self._leave_taken or text is None:
            return False
        self._leave_taken = True
        await self._speak(Speak(text=text, item_ids=(), purpose="goodbye"))
        return True

    async def _speak(self, move: Speak) -> None:
        text = await with_reaction(move, self.tracker, self.acknowledger, self._last_reply)
        if self._over or self._turn_open:
            return
        self._on_its_way = move
        self._note_move(move, text)
        if self.say is not None:
            await self.say(text)

    def _note_move(self, move: Speak, text: str) -> None:
        self.journal.write(MoveMade(purpose=move.purpose, item_ids=move.item_ids, text=text), self.now_s())

    def _intend(self, utterance_id: str, intended: str) -> None:
        self._waiting_since_s = None
        if utterance_id not in self._known:
            self._known.add(utterance_id)
            self._on_its_way = None
            self.tracker.intended(utterance_id, intended, self.now_s())

    def write_ledger(self) -> None:
        """Journal the ledger's new events, and say that it moved."""
        for event in self.tracker.ledger.events_since(self._journalled):
            self.journal.write(LedgerMoved(event=event.model_dump(mode="json")), self.now_s())
            self._journalled += 1
        self.on_moved()

    # ---- waiting

    async def _look_again(self) -> None:
        """Something is on its way or sounding; its end re-arms us, and should it never come, this does."""
        now_s = self.now_s()
        if self.model.late(now_s) and not self.agent_audible():
            # What is said in its place would queue behind a model that hangs.
            self.model_failed()
            if self.interrupt is not None:
                await self.interrupt()
            return
        if self._waiting_since_s is None:
            self._waiting_since_s = now_s
        if now_s - self._waiting_since_s > STUCK_S_MAX:
            self._on_its_way, self._waiting_since_s = None, None
            self.model.over()
        self._alarm.set(WATCH_S)

    def _safely(self, where: str) -> Safely:
        return Safely(self.journal, self.now_s, where)
