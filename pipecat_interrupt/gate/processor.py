"""The speaker gate in a pipeline: between the recogniser and overlap judgement.

Owns the translation between frames and one call's `speaker_gate.CallGate`. Sound passes at once; transcripts wait for
the verdict of their turn and pass as the patient's, or are re-typed. It is also the `SpeakerEvidence` that overlap
judgement asks. Every exception of ours lets the frame pass.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Executor

from loguru import logger
from pipecat.frames.frames import (
    BotStartedSpeakingFrame,
    BotStoppedSpeakingFrame,
    CancelFrame,
    EndFrame,
    Frame,
    InputAudioRawFrame,
    InterimTranscriptionFrame,
    LLMFullResponseEndFrame,
    LLMFullResponseStartFrame,
    ProposedUserStartedSpeakingFrame,
    ProposedUserStoppedSpeakingFrame,
    TranscriptionFrame,
    UserStartedSpeakingFrame,
    UserStoppedSpeakingFrame,
    VADUserStartedSpeakingFrame,
    VADUserStoppedSpeakingFrame,
)
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor

from pipecat_interrupt.gate.agent_words import AgentWords
from pipecat_interrupt.gate.breath import WaitingText, join_breath
from pipecat_interrupt.gate.facts import GateFact, GateListener, enrolment_fact, ruling_fact, turn_voice_fact
from pipecat_interrupt.gate.frames import ThirdPartySpeechFrame, as_patients, speaker_of, unruled
from pipecat_interrupt.gate.listening import GateEar, HeardTurn, is_other
from pipecat_interrupt.gate.notes import ModelNotes
from pipecat_interrupt.gate.settings import GatePipelineSettings
from pipecat_interrupt.gate.taps import AgentAudioTap
from pipecat_interrupt.gate.words import WordReader, read_words
from pipecat_interrupt.overlap.evidence import Speaker
from pipecat_interrupt.overlap.processor import OverlapProcessor
from speaker_gate import Action, CallGate, Relevance, Ruling, TurnVerdict, Voice, Why, WordsHeard
from speaker_gate.facts import unknown

_SPEAKERS = {
    Voice.PRIMARY: Speaker.PRIMARY,
    Voice.THIRD_PARTY: Speaker.THIRD_PARTY,
    Voice.AGENT_ECHO: Speaker.AGENT_ECHO,
    Voice.UNSURE: Speaker.UNSURE,
}

WAIT_S_MIN = 0.005
"""A wait shorter than this is none: it would end where it began."""


class SpeakerGateProcessor(FrameProcessor):
    """Lets only the right voice move things.

    Place it directly behind the recogniser, pass it as `speaker=` to overlap judgement (or `InterruptKit`), and put
    `agent_tap()` behind the transport's output so that the agent's own sound is recognised.

    Args:
        gate: The call's gate; make one a call.
        settings: When it listens and how long others wait.
        overlap: Overlap judgement behind it: told of verdicts at once, and of transcripts that never come.
        executor: Where the model runs; None is the event loop's own pool.
        read: Reads words with times and labels out of the recogniser's result.
        listeners: Told of every fact.

    Promises: a transcript passes at most once, in order; ignored words reach neither the aggregator nor the model;
    nothing is held longer than the settings say; no exception leaves it.
    """

    def __init__(
        self,
        gate: CallGate,
        *,
        settings: GatePipelineSettings | None = None,
        overlap: OverlapProcessor | None = None,
        executor: Executor | None = None,
        read: WordReader = read_words,
        listeners: Sequence[GateListener] = (),
    ) -> None:
        super().__init__(enable_direct_mode=True)
        self.gate = gate
        self.settings = settings or GatePipelineSettings()
        self.overlap = overlap
        self.ear = GateEar(gate, self.settings, executor, self._verdict_changed)
        self._read = read
        self._listeners = list(listeners)
        self._agent_speaking = self._agent_thinking = self._user_turn = False
        self._agent_stopped_s = -1e9
        self._agent_said = AgentWords(self.settings.agent_text_s)
        self._before = ""
        self._asked = False
        self._interims: deque[InterimTranscriptionFrame] = deque()
        self._finals: deque[WaitingText] = deque()
        self._draining: asyncio.Task[None] | None = None
        self._news = asyncio.Event()
        self._notes = ModelNotes(self, self.settings.attributed_run_delay_s, self._somebody_speaks)
        self._passed_turn: HeardTurn | None = None

    def agent_tap(self) -> AgentAudioTap:
        """The tap that belongs behind `transport.output()`."""
        return AgentAudioTap(self.gate)

    def add_listener(self, listener: GateListener) -> None:
        """Tell one more listener from now on."""
        self._listeners.append(listener)

    def attribution(self) -> Speaker | None:
        """Whose voice speaks now; None from the onset of a voice until it was scored (`SpeakerEvidence`)."""
        verdict = self.ear.verdict
        says = None if verdict is None else self._speaker(verdict)
        return None if self.ear.open and says is Speaker.UNSURE else says

    def _speaker(self, verdict: TurnVerdict) -> Speaker:
        return Speaker.THIRD_PARTY if self._likely_other(verdict) else _SPEAKERS[verdict.voice]

    def _likely_other(self, verdict: TurnVerdict | None) -> bool:
        """Over the agent, a voice that is likelier somebody else's does not take the floor by going on."""
        turn = self.ear.turn
        if turn is None or turn is self._passed_turn or not turn.over_agent:
            return False
        return self.gate.likely_other(verdict)

    def segments(self, *, in_order: bool) -> None:
        """The recogniser hears whole segments; `in_order`: it reports those without words to `segment_empty`."""
        self.ear.segmented, self.ear.in_order = True, in_order

    def segment_empty(self) -> None:
        """The recogniser has closed a segment without words."""
        self.ear.no_text(self._now_s())

    def agent_words(self, text: str) -> None:
        """Note what the agent says, so that its words are recognised when they come back."""
        self._agent_said.note(self._now_s(), text)

    @property
    def may_ask_who(self) -> bool:
        """Whether the speaker of the pending item's reply has not been asked for yet."""
        return not self._asked

    def asked_who(self) -> None:
        """The flow has asked whose reply it was: not twice about one item."""
        self._asked = True

    def new_item(self) -> None:
        """Another question is pending: its speaker has not been asked for yet."""
        self._asked = False

    # ---- what comes in

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Take sound and transcripts; let everything else pass."""
        await super().process_frame(frame, direction)
        try:
            if direction is FrameDirection.DOWNSTREAM and isinstance(frame, TranscriptionFrame):
                await self._final(frame)
                return
            if direction is FrameDirection.DOWNSTREAM and isinstance(frame, InterimTranscriptionFrame):
                await self._interim(frame)
                return
            self._observe(frame)
        except Exception as error:
            logger.warning("speaker gate failed, frame passes: {}", type(error).__name__)
        if isinstance(frame, EndFrame | CancelFrame):
            await self._finish()
        if isinstance(frame, InputAudioRawFrame):
            frame = self._maybe_silent(frame)
        await self.push_frame(frame, direction)

    async def cleanup(self) -> None:
        """Drop every voice."""
        await self._finish()
        await super().cleanup()

    def _observe(self, frame: Frame) -> None:
        now_s = self._now_s()
        if isinstance(frame, InputAudioRawFrame):
            if frame.num_channels == 1:
                active, over = self._agent_active(now_s), self._agent_speaking
                self.ear.hear(frame.audio, frame.sample_rate, agent_active=active, over_agent=over)
        elif isinstance(frame, VADUserStartedSpeakingFrame | ProposedUserStartedSpeakingFrame):
            self._notes.cancel()
            proposed = isinstance(frame, ProposedUserStartedSpeakingFrame)
            self.ear.start(now_s, over_agent=self._agent_speaking, proposed=proposed)
            self._news.set()
        elif isinstance(frame, VADUserStoppedSpeakingFrame | ProposedUserStoppedSpeakingFrame):
            self.ear.stop(now_s, proposed=isinstance(frame, ProposedUserStoppedSpeakingFrame))
        elif isinstance(frame, BotStartedSpeakingFrame | BotStoppedSpeakingFrame):
            self._agent_speaking = isinstance(frame, BotStartedSpeakingFrame)
            self._agent_stopped_s = now_s
        elif isinstance(frame, LLMFullResponseStartFrame | LLMFullResponseEndFrame):
            self._agent_thinking = isinstance(frame, LLMFullResponseStartFrame)
        elif isinstance(frame, UserStartedSpeakingFrame | UserStoppedSpeakingFrame):
            self._user_turn = isinstance(frame, UserStartedSpeakingFrame)

    def _agent_active(self, now_s: float) -> bool:
        recently = now_s - self._agent_stopped_s < self.settings.active_after_agent_s
        held = self.overlap is not None and self.overlap.hold.held  # silent for the sake of this very voice
        return self._agent_speaking or self._agent_thinking or recently or held

    def _maybe_silent(self, frame: InputAudioRawFrame) -> InputAudioRawFrame:
        """Silence, never nothing: voice detection that gets no sound at all reports an end of its own."""
        if self.settings.silence_others and self.ear.open and is_other(self.ear.verdict):
            return InputAudioRawFrame(bytes(len(frame.audio)), frame.sample_rate, frame.num_channels)
        return frame

    # ---- transcripts

    async def _interim(self, frame: InterimTranscriptionFrame) -> None:
        """Unfinished words wait while it is undecided who speaks over the agent: somebody else's would take the floor.

        Words that ask the agent to stop, and alarms, do not wait.
        """
        if is_other(self.ear.verdict):
            self._interims.clear()
            return
        now_s, turn = self._now_s(), self.ear.turn
        undecided = self.attribution() is None and self.ear.open and self.gate.voices.enroller.stands
        waits = turn is not None and now_s - turn.opened_s < self.settings.interim_wait_s
        presses = self._stops(frame) or self.gate.alarms(frame.text)
        if undecided and waits and self._agent_active(now_s) and not presses:
            self._interims.append(frame)
            while len(self._interims) > self.settings.transcripts_max:
                self._interims.popleft()
            return
        await self._release_interims()
        await self.push_frame(unruled(frame, self.attribution(), self.gate))

    async def _release_interims(self) -> None:
        if self._interims:
            newest = self._interims[-1]
            self._interims.clear()
            await self.push_frame(unruled(newest, self.attribution(), self.gate))

    async def _final(self, frame: TranscriptionFrame) -> None:
        frame.interruptible = False
        self._interims.clear()
        now_s = self._now_s()
        self.ear.stop(now_s, proposed=True)  # such a recogniser tells its text first, and then that the turn is over
        words = self._read(frame, 0.0)
        turn = self.ear.turn_of_text(now_s, words[0].start_s if words else None)
        turn = turn or self.ear.look_back(now_s, over_agent=self._agent_speaking)
        self._finals.append((frame, turn))
        if self.overlap is not None:
            self.overlap.session.final_on_its_way()
        self._news.set()
        if self._draining is None and len(self._finals) == 1 and self._passes_at_once(frame, turn):
            await self._pass_next()
        elif len(self._finals) > self.settings.transcripts_max:
            await self._pass_next()
        elif self._draining is None:
            self._draining = self.create_task(self._drain(), "speaker gate transcripts")

    def _passes_at_once(self, frame: TranscriptionFrame, turn: HeardTurn | None) -> bool:
        now_s = self._now_s()
        return turn is None or (turn.settled and max(self.ear.waits_s(turn, now_s), self._breath_s(frame, turn)) <= 0)

    def _breath_s(self, frame: TranscriptionFrame, turn: HeardTurn) -> float:
        return 0.0 if self.gate.alarms(frame.text) else self.ear.breath_left_s(turn, self._now_s())

    async def _drain(self) -> None:
        try:
            while self._finals:
                frame, turn = self._finals[0]
                if turn is not None:
                    await self._settle(turn)
                    while (left_s := self._breath_s(frame, turn)) > WAIT_S_MIN:
                        await self._news_within(left_s)
                await self._pass_next()
        finally:
            self._draining = None

    async def _settle(self, turn: HeardTurn) -> None:
        """Wait for the verdict of a text's turn; undecided words that go on at once wait for that voice's verdict."""
        if turn.closed_s is None:
            await asyncio.sleep(min(self.settings.step_s, self.settings.verdict_wait_s))
        await self.ear.settle(turn, self.settings.verdict_wait_s)
        while turn.closed_s is not None and (left_s := self.ear.waits_s(turn, self._now_s())) > WAIT_S_MIN:
            await self._news_within(left_s)

    async def _news_within(self, wait_s: float) -> None:
        self._news.clear()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._news.wait(), wait_s)

    async def _pass_next(self) -> None:
        frame, turn = self._finals.popleft()
        try:
            frame = join_breath((frame, turn), self._finals, self.ear)
            await self._rule(frame, turn)
        except Exception as error:
            logger.warning("speaker gate failed, transcript passes: {}", type(error).__name__)
            await self.push_frame(frame)

    async def _rule(self, frame: TranscriptionFrame, turn: HeardTurn | None) -> None:
        heard = WordsHeard(
            text=frame.text,
            now_s=self._now_s(),
            words=tuple(self._read(frame, turn.heard_start_s if turn is not None else 0.0)),
            before=self._before,
            agent_said=self._recent_agent_text(),
            confirmation_asked=self._asked,
            aside=turn is not None and turn.over_agent and not self._stops(frame),
        )
        rulings = self.gate.rule(heard, self.ear.verdict_on(turn) if turn is not None else unknown(Why.NO_VOICE))
        if not rulings:
            await self.push_frame(frame)
            return
        passed = False
        for ruling in rulings:
            self._tell(ruling_fact(ruling, heard.now_s))
            age_s = self.ear.age_s(turn, heard.now_s)
            passed = await self._carry_out(ruling, frame, whole=len(rulings) == 1, age_s=age_s) or passed
        self._before = frame.text
        if not passed and self.overlap is not None:
            await self.overlap.segment_empty()

    def _stops(self, frame: TranscriptionFrame | InterimTranscriptionFrame) -> bool:
        """Words that ask the agent to stop take the floor unless the voice is surely another's."""
        return self.overlap is not None and self.overlap.asks_to_stop(frame)

    async def _carry_out(self, ruling: Ruling, frame: TranscriptionFrame, *, whole: bool, age_s: float | None) -> bool:
        """Do what the ruling says; True when words passed as the patient's."""
        action = ruling.choice.action
        if action in (Action.PASS, Action.PASS_MARKED, Action.ASK_WHO):
            if self.overlap is not None and not ruling.part.decision.decided:
                self._passed_turn = self.ear.turn  # its words are judged, whatever was thought of the voice
                await self.overlap.attributed(Speaker.UNSURE)
            await self.push_frame(as_patients(frame, ruling, whole=whole))
            if ruling.note is not None and not self._asked:
                self._asked = True
                await self._notes.tell(ruling.note, run=False)
            return True
        relevance = ruling.choice.relevance.value if ruling.choice.relevance is not None else ""
        speaker = speaker_of(ruling)
        note = ruling.note or ""
        await self.push_frame(
            ThirdPartySpeechFrame(
                ruling.part.text, action.value, relevance, speaker, frame.user_id, frame.timestamp, note, age_s
            )
        )
        if action is Action.ALERT:
            await self.broadcast_interruption()
            await self._notes.tell(note, run=True)
        elif action is Action.ATTRIBUTE:
            await self._notes.tell(note, run=False)
            if ruling.choice.relevance is not Relevance.IGNORABLE:
                self._notes.run_later()
        return False

    def _somebody_speaks(self) -> bool:
        return self._agent_speaking or self._agent_thinking or self._user_turn or self.ear.open

    # ---- verdicts

    def _verdict_changed(self, verdict: TurnVerdict) -> None:
        if verdict.final:
            now_s, turn = self._now_s(), self.ear.turn
            ended_s = now_s if turn is None or turn.closed_s is None else turn.closed_s
            self._tell(turn_voice_fact(verdict, self.ear.turn_start_s, ended_s, now_s))
            if self.gate.last_enrolment is not None:
                self._tell(enrolment_fact(self.gate.last_enrolment, self._now_s()))
        self._news.set()
        if verdict.decision.decided or verdict.final or self._likely_other(verdict):
            if self.overlap is not None:
                self.create_task(self.overlap.attributed(self._speaker(verdict)), "speaker gate attribution")
            if self._interims and not is_other(verdict):
                self.create_task(self._release_interims(), "speaker gate interims")

    def _tell(self, fact: GateFact) -> None:
        for listener in self._listeners:
            try:
                listener.on_gate(fact)
            except Exception as error:
                logger.warning("gate listener failed: {}", type(error).__name__)

    def _recent_agent_text(self) -> str:
        noted = self._agent_said.recent(self._now_s())
        return noted if noted or self.overlap is None else self.overlap.floor.recent_text()

    def _now_s(self) -> float:
        return asyncio.get_running_loop().time()

    async def _finish(self) -> None:
        self._notes.cancel()
        if self._draining is not None:
            task, self._draining = self._draining, None
            await self.cancel_task(task)
        while self._finals:
            await self._pass_next()
        await self.ear.finish()
