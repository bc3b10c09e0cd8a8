"""The three taps: frames in, plain calls to the book out. Direct mode: no interruption can overtake what they saw.

Owns the translation of Pipecat's frames. A tap passes every frame on unchanged, whatever happens to its accounting.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipecat.frames.frames import (
    AggregatedTextFrame,
    BotStoppedSpeakingFrame,
    CancelFrame,
    EagerTranscriptionFrame,
    EndFrame,
    Frame,
    InterimTranscriptionFrame,
    InterruptionFrame,
    LLMFullResponseEndFrame,
    LLMFullResponseStartFrame,
    LLMTextFrame,
    StartFrame,
    TextFrame,
    TranscriptionFrame,
    TranslationFrame,
    TTSAudioRawFrame,
    TTSSpeakFrame,
    TTSStartedFrame,
    TTSStoppedFrame,
    TTSTextFrame,
)
from pipecat.processors.frame_processor import FrameDirection
from pipecat.utils.text.base_text_aggregator import TextType

from pipecat_interrupt.delivery.frames import FillerAudioFrame
from pipecat_interrupt.delivery.timeline import TimedWord
from pipecat_interrupt.delivery.written import ends_with_cjk
from pipecat_interrupt.hold.express import AGENT_SPEECH, CONSTANT_FRAMES, TURN_NEWS, ExpressAudio

if TYPE_CHECKING:
    from pipecat_interrupt.delivery.recorder import DeliveryRecorder

BASELINE_MAX_S = 10.0
"""A first word this late in its audio is no word time but a wrong baseline."""


def is_speech_audio(frame: Frame) -> bool:
    """Whether a frame is audio of the agent's voice, not filler written while audio is held."""
    return isinstance(frame, TTSAudioRawFrame) and not isinstance(frame, FillerAudioFrame)


class _Tap(ExpressAudio):
    """Sees every frame that matters, passes every frame on."""

    glanced_frames = frozenset({TTSAudioRawFrame, TTSTextFrame})

    def __init__(self, recorder: DeliveryRecorder) -> None:
        super().__init__(enable_direct_mode=True)
        self._recorder = recorder
        self._book = recorder.book

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Account for a frame and pass it on."""
        await super().process_frame(frame, direction)
        try:
            if isinstance(frame, StartFrame):
                self._recorder.attach_clock(self.get_clock().get_time)
            self._account(frame, direction)
            self._recorder.after_frame()
        except Exception as error:  # noqa: BLE001  # nothing of ours stops a call
            self._recorder.report(type(self).__name__, error)
            await self.push_error(f"delivery accounting failed: {type(error).__name__}", exception=error)
        await self.push_frame(frame, direction)

    def glance(self, frame: Frame, direction: FrameDirection) -> None:
        """Account for sound and words that go by on the short way."""
        try:
            self._account(frame, direction)
            self._recorder.after_frame()
        except Exception as error:  # noqa: BLE001  # nothing of ours stops a call
            self._recorder.report(type(self).__name__, error)

    def _account(self, frame: Frame, direction: FrameDirection) -> None:
        raise NotImplementedError


class IntendedTap(_Tap):
    """Directly before the voice: what the agent means to say."""

    express_frames = CONSTANT_FRAMES | TURN_NEWS | {LLMTextFrame}
    glanced_frames = frozenset({LLMTextFrame})

    def _account(self, frame: Frame, direction: FrameDirection) -> None:
        if direction is not FrameDirection.DOWNSTREAM:
            if isinstance(frame, InterruptionFrame):
                self._book.stopping(self._recorder.now_s)
            return
        if isinstance(frame, InterruptionFrame):
            self._in_reply, self._last = False, ""
            self._book.mark_intended(frame.id, self._recorder.now_s)
        elif isinstance(frame, LLMFullResponseStartFrame):
            if not frame.skip_tts:
                self._in_reply, self._last = True, ""
                self._book.reply_started()
        elif isinstance(frame, LLMFullResponseEndFrame):
            if not frame.skip_tts:
                self._in_reply = False
                self._book.reply_ended(self._recorder.now_s)
        elif isinstance(frame, TTSSpeakFrame):
            self._book.speak(
                frame.text, protected=not frame.interruptible, append_to_context=frame.append_to_context is not False
            )
        elif self._is_agent_text(frame):
            self._take_text(frame)

    _in_reply = False
    _last = ""

    @staticmethod
    def _is_agent_text(frame: Frame) -> bool:
        others = (
            TranscriptionFrame,
            InterimTranscriptionFrame,
            EagerTranscriptionFrame,
            TranslationFrame,
            TTSTextFrame,
        )
        return isinstance(frame, TextFrame) and not isinstance(frame, others) and not frame.skip_tts

    def _take_text(self, frame: Frame) -> None:
        assert isinstance(frame, TextFrame)
        text = (frame.raw_text or frame.text) if isinstance(frame, AggregatedTextFrame) else frame.text
        if isinstance(frame, AggregatedTextFrame) and self._last and not self._last[-1].isspace():
            text = text if text[:1].isspace() or ends_with_cjk(self._last) else f" {text}"
        self._last = text or self._last
        if self._in_reply:
            self._book.reply_text(text)
        else:  # text outside a reply: an application speaks by itself
            self._book.reply_started()
            self._book.reply_text(text)
            self._book.reply_ended(self._recorder.now_s)


class GeneratedTap(_Tap):
    """Directly behind the voice: what it made of the text."""

    express_frames = CONSTANT_FRAMES | AGENT_SPEECH | TURN_NEWS

    def __init__(self, recorder: DeliveryRecorder) -> None:
        super().__init__(recorder)
        self._words = _WordClock()

    def _account(self, frame: Frame, direction: FrameDirection) -> None:
        if direction is not FrameDirection.DOWNSTREAM:
            return
        if isinstance(frame, TTSAudioRawFrame):
            if is_speech_audio(frame):
                self._take_audio(frame)
        elif isinstance(frame, TTSTextFrame):
            self._take_spoken_text(frame)
        elif isinstance(frame, AggregatedTextFrame):
            self._take_announcement(frame)
        elif isinstance(frame, TTSStartedFrame):
            self._book.synthesis_started(
                frame.context_id,
                destination=frame.transport_destination,
                append_to_context=frame.append_to_context is not False,
            )
        elif isinstance(frame, TTSStoppedFrame):
            self._words.stopped(frame.context_id)
            self._book.synthesis_stopped(frame.context_id, destination=frame.transport_destination)
        elif isinstance(frame, InterruptionFrame):
            self._words.interrupted()
            self._book.mark_generated(frame.id)

    def _take_audio(self, frame: TTSAudioRawFrame) -> None:
        self._words.audio(frame.context_id, self.get_clock().get_time(), protected=not frame.interruptible)
        self._book.audio(
            frame.context_id,
            frame.audio,
            frame.sample_rate,
            frame.num_channels,
            destination=frame.transport_destination,
            protected=not frame.interruptible,
        )

    def _take_announcement(self, frame: AggregatedTextFrame) -> None:
        text = frame.raw_text or frame.text
        if frame.will_be_spoken and frame.context_id:
            self._book.segment(
                frame.context_id,
                frame.id,
                text,
                destination=frame.transport_destination,
                protected=not frame.interruptible,
            )
        elif frame.skip_tts:
            self._book.skipped(text)

    def _take_spoken_text(self, frame: TTSTextFrame) -> None:
        destination = frame.transport_destination
        if frame.pts:
            for word in self._words.place(frame, self.get_clock().get_time()):
                self._book.word(frame.context_id, word, destination=destination)
        elif frame.text_type != TextType.WORD:
            text = frame.raw_text or frame.text
            self._book.sentence_released(frame.context_id, frame.segment_id, text, destination)


class _WordClock:
    """Turns the time stamps of word frames back into seconds of their utterance's audio.

    Pipecat stamps a word with the moment its audio begins if the context's first audio plays now, or behind the last
    word of the context before it. The same rule, at the same instant, gives the baseline back.
    """

    def __init__(self) -> None:
        self._base_ns: dict[str | None, int] = {}
        self._playing: str | None = None
        self._playing_protected = False
        self._last_ns = 0
        self._last_protected_ns = 0
        self._last_word_ns: dict[str | None, int] = {}

    def audio(self, context_id: str | None, now_ns: int, *, protected: bool) -> None:
        """The first audio of a context fixes its baseline."""
        self._playing, self._playing_protected = context_id, protected
        self._base_ns.setdefault(context_id, max(self._last_ns, now_ns))

    def place(self, frame: TTSTextFrame, now_ns: int) -> list[TimedWord]:
        """Place the word or words of a frame."""
        assert frame.pts
        context, pts = frame.context_id, frame.pts
        base = self._base_ns.setdefault(context, self._baseline(pts, now_ns))
        previous = self._last_word_ns.get(context)
        self._last_word_ns[context] = self._last_ns = pts
        if not frame.interruptible:
            self._last_protected_ns = pts
        start_s = max(0.0, (pts - base) / 1e9)
        inside = frame.raw_text is None and not frame.append_to_context and frame.segment_id is not None
        parts = frame.text.split()
        if len(parts) < 2:
            return [TimedWord(frame.text, start_s, written=frame.raw_text, inside=inside)]
        if previous is not None and pts <= previous:  # text the voice never timed, released at its end
            return [TimedWord(frame.text, start_s, written=frame.raw_text, untimed=True)]
        # Words the framework could not place come with the next one it could: they end before that one begins.
        earlier_s = max(0.0, ((previous or base) - base) / 1e9)
        head = frame.text[: frame.text.rstrip().rfind(parts[-1])]
        return [TimedWord(head, earlier_s), TimedWord(parts[-1], start_s, written=None)]

    def stopped(self, context_id: str | None) -> None:
        """The context is over; when it goes on later it gets a new baseline."""
        self._base_ns.pop(context_id, None)
        self._last_word_ns.pop(context_id, None)

    def interrupted(self) -> None:
        """Pipecat starts counting anew behind the words an interruption spared."""
        if not self._playing_protected:
            self._last_ns = self._last_protected_ns
            self._base_ns.clear()
            self._last_word_ns.clear()

    def _baseline(self, pts: int, now_ns: int) -> int:
        for base in (max(self._last_ns, now_ns), now_ns, self._last_protected_ns):
            if -20_000_000 <= pts - base <= BASELINE_MAX_S * 1e9:
                return base
        return pts


class DeliveredTap(_Tap):
    """Directly behind the output: what was written, and when it was over."""

    express_frames = CONSTANT_FRAMES | AGENT_SPEECH | TURN_NEWS - {BotStoppedSpeakingFrame}

    def _account(self, frame: Frame, direction: FrameDirection) -> None:
        now_s = self._recorder.now_s
        if isinstance(frame, InterruptionFrame):
            self._book.interrupted(frame.id, now_s, destination=frame.transport_destination)
        if direction is not FrameDirection.DOWNSTREAM:
            return
        destination = frame.transport_destination
        if isinstance(frame, TTSAudioRawFrame):
            if is_speech_audio(frame) and frame.sample_rate > 0:
                self._book.written(frame.num_frames / frame.sample_rate, now_s, destination=destination)
        elif isinstance(frame, TTSTextFrame):
            if frame.text_type == TextType.WORD:
                self._book.released(frame.context_id, frame.text, destination=destination)
        elif isinstance(frame, TTSStartedFrame):
            self._book.playing(frame.context_id, destination=destination)
        elif isinstance(frame, TTSStoppedFrame):
            self._book.played(frame.context_id, now_s, destination=destination)
        elif isinstance(frame, LLMFullResponseEndFrame):
            self._book.reply_over(now_s)
        elif isinstance(frame, BotStoppedSpeakingFrame):
            self._book.fell_silent(now_s, destination=destination)
        elif isinstance(frame, EndFrame | CancelFrame):
            self._recorder.end("end" if isinstance(frame, EndFrame) else "hang_up")

    async def cleanup(self) -> None:
        """Settle what is open when the pipeline is torn down without an end frame."""
        self._recorder.end("hang_up")
        await super().cleanup()
