"""The live part: between the recogniser and the user aggregator, it holds transcripts back until the verdict.

Owns frames, timers and tasks; every decision is the session's. Place it directly before the user aggregator and give
`start_strategy()` to the aggregator as its only start strategy.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence

from loguru import logger
from pipecat.frames.frames import (
    BotStartedSpeakingFrame,
    BotStoppedSpeakingFrame,
    CancelFrame,
    EagerTranscriptionFrame,
    EndFrame,
    Frame,
    InputAudioRawFrame,
    InputDTMFFrame,
    InterimTranscriptionFrame,
    LLMContextUserTurnFrame,
    ProposedUserStartedSpeakingFrame,
    ProposedUserStoppedSpeakingFrame,
    TranscriptionFrame,
    UserBackchannelFrame,
    VADUserStartedSpeakingFrame,
    VADUserStoppedSpeakingFrame,
)
from pipecat.processors.frame_processor import FrameDirection

from pipecat_interrupt.hold.express import CALLER_AUDIO, CONSTANT_FRAMES, TURN_NEWS, ExpressAudio
from pipecat_interrupt.hold.protocol import PRIMARY_STOP, Hold
from pipecat_interrupt.overlap.actions import (
    Action,
    DropAudio,
    Forward,
    HoldAudio,
    Refuse,
    Report,
    ResumeAudio,
    StartTurn,
    Text,
)
from pipecat_interrupt.overlap.backlog import Backlog
from pipecat_interrupt.overlap.evidence import AgentFloor, Speaker, Verdict
from pipecat_interrupt.overlap.facts import OverlapListener
from pipecat_interrupt.overlap.judge import OverlapJudge
from pipecat_interrupt.overlap.late import LOW_CERTAINTY_KEY, merge_late_piece
from pipecat_interrupt.overlap.level import listen_on
from pipecat_interrupt.overlap.onset import OnsetFinder
from pipecat_interrupt.overlap.owed import WordsOwed
from pipecat_interrupt.overlap.protocols import FloorContext, NoHold, SpeakerEvidence, UnknownFloor
from pipecat_interrupt.overlap.session import OverlapSession
from pipecat_interrupt.overlap.strategy import OverlapStartStrategy
from pipecat_interrupt.overlap.transcripts import asks_to_stop, language_of
from pipecat_interrupt.overlap.waiting import WaitingFrames


class OverlapProcessor(ExpressAudio):
    """Judges overlaps live: holds the agent, keeps refused text from the model, starts turns through its strategy.

    Promises:
        Refused text never passes; forwarded text passes once, in order, after the turn start it caused. Each
        decision is made on the pipeline's loop without a network or a model of more than milliseconds. An exception
        of ours yields the floor and lets the text through; it never leaves this object.
    """

    express_frames = CONSTANT_FRAMES | TURN_NEWS - {InterimTranscriptionFrame, LLMContextUserTurnFrame}
    glanced_frames = CALLER_AUDIO

    def __init__(
        self,
        *,
        judge: OverlapJudge | None = None,
        floor: FloorContext | None = None,
        hold: Hold | None = None,
        speaker: SpeakerEvidence | None = None,
        listeners: Sequence[OverlapListener] = (),
    ) -> None:
        """Make the processor.

        Args:
            judge: Rules and model; the default judge when None.
            floor: Where the agent is; None = only whether it speaks.
            hold: What stops the agent's audio; None = it speaks on until the verdict.
            speaker: Whose voice it is; None = every voice counts as the primary speaker's.
            listeners: Who is told of overlaps; more can be added with `add_listener`.
        """
        super().__init__(enable_direct_mode=True)
        self.session, self.owed, self.backlog = OverlapSession(judge), WordsOwed(), Backlog()
        self.floor: FloorContext = floor or UnknownFloor()
        self.hold: Hold = hold or NoHold()
        self.speaker = speaker
        self._listeners = list(listeners)
        self._strategy: OverlapStartStrategy | None = None
        self._finder = OnsetFinder()
        self._frames = WaitingFrames()
        self._queue: deque[Action] = deque()
        self._draining = False
        self._timer: asyncio.TimerHandle | None = None
        self._attributed: Speaker | None = None
        self._last_turn_text = ""

    def start_strategy(self) -> OverlapStartStrategy:
        """The start strategy that belongs to this processor; the same one at every call."""
        if self._strategy is None:
            self._strategy = OverlapStartStrategy(self)
        return self._strategy

    def add_listener(self, listener: OverlapListener) -> None:
        """Tell one more listener of overlaps from now on."""
        self._listeners.append(listener)

    # ---- what comes in

    def takes_short_way(self, frame: Frame) -> bool:
        """Only while an overlap is open is anything asked at a frame that is only passing."""
        return type(frame) in self.express_frames and not self.session.open_overlap

    def glance(self, frame: Frame, direction: FrameDirection) -> None:
        """Keep the levels of the caller's audio that goes by on the short way."""
        if isinstance(frame, InputAudioRawFrame):
            self._audio(frame)

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Take transcripts into judgement; let everything else pass."""
        await super().process_frame(frame, direction)
        if direction is FrameDirection.DOWNSTREAM:
            if isinstance(frame, TranscriptionFrame | InterimTranscriptionFrame):
                await self._transcript(frame)
                return
            if isinstance(frame, EagerTranscriptionFrame) and not self.session.turn_open:
                return
            if isinstance(frame, InputAudioRawFrame):
                self._audio(frame)
            elif isinstance(frame, EndFrame | CancelFrame):
                await self._do(self.session.end(self._now_s()))
        elif isinstance(frame, LLMContextUserTurnFrame):
            self._last_turn_text = frame.text
        await self.push_frame(frame, direction)
        if self.session.open_overlap:
            await self._ask_speaker()
            if isinstance(frame, InputAudioRawFrame):
                await self._do(listen_on(self.session, self._finder, self._now_s()))

    async def observe(self, frame: Frame) -> bool:
        """Take a frame the start strategy saw; True when it started a turn."""
        before = self.session.turn_open
        try:
            await self._do(self._observed(frame, self._now_s()))
        except Exception as error:
            await self._fail_open(error)
        return self.session.turn_open and not before

    def _observed(self, frame: Frame, now_s: float) -> list[Action]:
        if isinstance(frame, BotStartedSpeakingFrame | BotStoppedSpeakingFrame):
            if isinstance(self.floor, UnknownFloor):
                self.floor.speaking = isinstance(frame, BotStartedSpeakingFrame)
            self.session.agent_heard(now_s)
            return []
        floor, utterance_id = self._floor()
        if isinstance(frame, VADUserStartedSpeakingFrame):
            self._attributed = None
            onset_s = self._finder.onset(now_s, frame.start_secs)
            self.owed.voice(now_s, True, onset_s)
            return self.session.voice_started(now_s, onset_s, floor, utterance_id)
        if isinstance(frame, VADUserStoppedSpeakingFrame):
            self.owed.voice(now_s, False)
            return self.session.voice_stopped(now_s, floor)
        if isinstance(frame, ProposedUserStartedSpeakingFrame):
            return self.session.proposed_start(now_s, floor, utterance_id)
        if isinstance(frame, ProposedUserStoppedSpeakingFrame):
            return self.session.proposed_stop(now_s, floor)
        if isinstance(frame, InputDTMFFrame):
            return self.session.key(now_s, str(frame.button.value), floor, utterance_id)
        return []

    async def on_segment(self, text: str | None) -> None:
        """The callback for a segmented recogniser: each segment's text, None for one without any."""
        if text is None or not text.strip():
            await self.segment_empty()

    async def segment_empty(self) -> None:
        """Tell that the recogniser closed a segment without text (a segmented service sends no frame then)."""
        self.owed.answered(self._now_s(), text=False)
        try:
            await self._do(self.session.segment_empty(self._now_s(), self._floor()[0]))
        except Exception as error:
            await self._fail_open(error)

    async def attributed(self, speaker: Speaker) -> None:
        """Tell whose voice the overlap is, as soon as the gate knows (it is also asked)."""
        try:
            self._attributed = speaker
            await self._do(self.session.attributed(self._now_s(), speaker))
        except Exception as error:
            await self._fail_open(error)

    def asks_to_stop(self, frame: TranscriptionFrame | InterimTranscriptionFrame) -> bool:
        """Say whether a text, taken alone, asks the agent to stop."""
        return asks_to_stop(self.session.judge, frame, self.floor)

    def words_late(self) -> bool:
        """Say whether words that come now may be of sound that came late; ask before they are counted as come."""
        return self.backlog.stale(self._now_s(), self.owed.onset_s(self._now_s()))

    async def turn_started(self) -> None:
        """A user turn has started, by us or by somebody else."""
        await self._do(self.session.turn_started(self._now_s()))

    async def turn_stopped(self) -> None:
        """The user turn has stopped."""
        self.session.turn_stopped(self._now_s())

    async def cleanup(self) -> None:
        """Stop the timer."""
        self._disarm()
        await super().cleanup()

    async def _transcript(self, frame: TranscriptionFrame | InterimTranscriptionFrame) -> None:
        final = isinstance(frame, TranscriptionFrame)
        if final:
            if self.words_late():
                frame.metadata[LOW_CERTAINTY_KEY] = True
            self.owed.answered(self._now_s())
        # A turn start of ours comes back as an interruption: it must neither cancel nor flush what it is about.
        frame.interruptible = not final
        number = self._frames.keep(frame)
        try:
            says = await self._ask_speaker()
            text = Text(number, frame.text, final, language_of(frame, self.floor.language()))
            floor, utterance_id = self._floor()
            await self._do(self.session.text(self._now_s(), text, floor, utterance_id, says))
        except Exception as error:
            await self._fail_open(error)
            if self._frames.drop(number) is not None:
                await self.push_frame(frame)

    def _audio(self, frame: InputAudioRawFrame) -> None:
        now_s = asyncio.get_running_loop().time()
        self.backlog.push(frame.num_frames / max(1, frame.sample_rate), now_s)
        if frame.num_channels == 1:
            self._finder.push(frame.audio, frame.sample_rate, now_s)

    async def _ask_speaker(self) -> Speaker | None:
        if self.speaker is None:
            return None
        try:
            says = self.speaker.attribution()
        except Exception as error:
            logger.warning("speaker evidence failed: {}", type(error).__name__)
            return None
        if says is not None and says is not self._attributed:
            await self.attributed(says)
        return says

    def _floor(self) -> tuple[AgentFloor, str | None]:
        """Where the agent is; a floor that fails counts as an agent that is not audible, which yields."""
        asked = self.floor
        try:
            audible = asked.agent_audible() or self.hold.held
            floor = AgentFloor(
                audible=audible,
                delivered_text=asked.delivered_text(),
                remaining_text=asked.remaining_text(),
                question_open=asked.question_open(),
                focus_heard=asked.focus_heard(),
                recent_text=asked.recent_text(),
            )
            return floor, asked.utterance_id()
        except Exception as error:
            logger.warning("floor context failed: {}", type(error).__name__)
            return AgentFloor(audible=False), None

    def _now_s(self) -> float:
        return asyncio.get_running_loop().time()

    # ---- what goes out

    async def _do(self, actions: list[Action]) -> None:
        """Carry out actions in order; a second caller's actions queue behind those under way."""
        if not self._queue and not self._draining:
            while actions and isinstance(actions[0], HoldAudio | ResumeAudio | DropAudio | Report):
                self._at_once(actions.pop(0))
        self._queue.extend(actions)
        if self._queue and not self._draining:
            self._draining = True
            # Its own task: an interruption cancels the caller's task, not the rest of what it began.
            await asyncio.shield(self.create_task(self._drain(), "overlap actions"))
        self._arm()

    async def _drain(self) -> None:
        try:
            while self._queue:
                action = self._queue.popleft()
                try:
                    await self._one(action)
                except Exception as error:
                    logger.warning("overlap action {} failed: {}", type(action).__name__, type(error).__name__)
        finally:
            self._draining = False

    async def _one(self, action: Action) -> None:
        if isinstance(action, StartTurn):
            await self._start_turn(action)
        elif isinstance(action, Forward):
            await self._forward(action)
        elif isinstance(action, Refuse):
            await self._refuse(action)
        else:
            self._at_once(action)

    def _at_once(self, action: Action) -> None:
        """Actions that need no waiting."""
        if isinstance(action, HoldAudio):
            if not self.hold.hold(action.reason):
                self.session.hold_refused()
        elif isinstance(action, ResumeAudio):
            self.hold.resume(action.reason)
        elif isinstance(action, DropAudio):
            self.hold.drop(action.reason)
        elif isinstance(action, Report):
            for listener in self._listeners:
                try:
                    listener.on_overlap(action.report)
                except Exception as error:
                    logger.warning("overlap listener failed: {}", type(error).__name__)

    async def _start_turn(self, action: StartTurn) -> None:
        if action.by_stop_request:
            self.hold.hold(PRIMARY_STOP)
        if self.hold.held:
            self.hold.drop("interruption")
        if self._strategy is not None:
            await self._strategy.trigger_user_turn_started()

    async def _forward(self, action: Forward) -> None:
        frame = self._frames.take(action.text)
        if frame is None:
            return
        if action.joins_turn and self.session.judge.config.merge_late_pieces:
            for extra in merge_late_piece(self._last_turn_text, frame):
                await self.push_frame(extra)
        await self.push_frame(frame)

    async def _refuse(self, action: Refuse) -> None:
        frame = self._frames.drop(action.text.number)
        if frame is None or action.verdict is not Verdict.BACKCHANNEL:
            return
        said = UserBackchannelFrame(action.text.text, frame.user_id, frame.timestamp)
        said.interruptible = False
        await self.push_frame(said)

    async def _fail_open(self, error: Exception) -> None:
        """Our own fault: report it, and let the caller have the floor."""
        try:
            await self.push_error(f"overlap judgement failed: {type(error).__name__}", exception=error)
            await self._do(self.session.turn_started(self._now_s()))
            self.hold.drop("interruption")
            if self._strategy is not None:
                await self._strategy.trigger_user_turn_started()
        except Exception as second:
            logger.warning("overlap judgement could not fail open: {}", type(second).__name__)

    # ---- the one timer

    def _arm(self) -> None:
        self._disarm()
        deadline_s = self.session.deadline_s
        if deadline_s is not None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_at(deadline_s, self._due)

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _due(self) -> None:
        self._timer = None
        self.create_task(self._tick(), "overlap deadline")

    async def _tick(self) -> None:
        try:
            await self._ask_speaker()
            await self._do(self.session.tick(self._now_s(), *self._floor()))
        except Exception as error:
            await self._fail_open(error)
