"""Makes the model's history say what was heard: no more, no less, and marked where it was cut.

Owns what the assistant aggregator is given. Stock text frames are kept out of it; in their place comes the delivered
text of each record, before the frame that closes the turn. Only public frames are used (docs/decisions/0005).
"""

from __future__ import annotations

from collections import deque
from typing import Any, Literal, cast

from pipecat.frames.frames import (
    AggregatedTextFrame,
    BotStoppedSpeakingFrame,
    CancelFrame,
    EndFrame,
    Frame,
    InterruptionFrame,
    LLMAssistantPushAggregationFrame,
    LLMFullResponseEndFrame,
    LLMFullResponseStartFrame,
    LLMMessagesAppendFrame,
    TTSStartedFrame,
    TTSTextFrame,
    UserStoppedSpeakingFrame,
)
from pipecat.processors.frame_processor import FrameDirection

from pipecat_interrupt.delivery.frames import HeardTextFrame
from pipecat_interrupt.delivery.recorder import DeliveryRecorder
from pipecat_interrupt.facts import UtteranceRecord
from pipecat_interrupt.hold.express import AGENT_SPEECH, CONSTANT_FRAMES, TURN_NEWS, ExpressAudio

INTERRUPTED = "[interrupted]"
HELD_MAX = 64
"""Turn frames kept back at once; beyond it the oldest goes on, so that a lost record never stalls the history."""

CutMark = Literal["suffix", "note", "none"]


class ContextRepair(ExpressAudio):
    """Stands directly behind `recorder.delivered_tap()` and before the assistant aggregator.

    Args:
        recorder: The recorder of the same pipeline.
        cut_mark: How the model learns of a cut: "suffix" puts "[interrupted]" behind the heard text, "note" adds a
            developer message, "none" says nothing.

    Promises: the history gets the delivered text of every utterance that belongs there, once, in the order of its
    sound; text that was not delivered never; an utterance of which nothing was heard adds nothing. A turn is closed
    only when all of its sound has been heard or cut. Frames other than turn frames are never kept back.
    """

    # A record settled by the agent's audio goes out with the next frame that is taken in, or on the wake it asks for.
    # The aggregator may hand the history to the model at the end of a turn: that is taken in, behind the record.
    express_frames = CONSTANT_FRAMES | AGENT_SPEECH | TURN_NEWS - {BotStoppedSpeakingFrame, UserStoppedSpeakingFrame}
    glanced_frames = frozenset({TTSTextFrame})

    def __init__(self, recorder: DeliveryRecorder, *, cut_mark: CutMark = "suffix") -> None:
        super().__init__(enable_direct_mode=True)
        self._recorder = recorder
        self._cut_mark = cut_mark
        self._records: deque[UtteranceRecord] = deque()
        self._held: deque[tuple[Frame, frozenset[str]]] = deque()
        self._emitted: dict[str, int] = {}
        self._turn_open = False
        self._wake_pending = False
        recorder.add_listener(self)

    # -- from the recorder -----------------------------------------------------------------------------------------

    def on_record(self, record: UtteranceRecord) -> None:
        """Take a record; it goes out with the frame that settled it, or at once when time settled it."""
        self._records.append(record)
        if not self._wake_pending:
            self._wake_pending = True
            self.create_task(self._wake(), "context-repair")

    async def _wake(self) -> None:
        self._wake_pending = False
        await self._flush()

    # -- frames ------------------------------------------------------------------------------------------------------

    def glance(self, frame: Frame, direction: FrameDirection) -> None:
        """Keep stock text out of the history."""
        if isinstance(frame, TTSTextFrame) and direction is FrameDirection.DOWNSTREAM:
            frame.append_to_context = False

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Put delivered text in front of the frame that closes its turn."""
        await super().process_frame(frame, direction)
        await self._flush()
        if isinstance(frame, InterruptionFrame):
            self._held = deque(item for item in self._held if not item[0].interruptible)
            self._turn_open = False
        elif direction is FrameDirection.DOWNSTREAM:
            if isinstance(frame, TTSTextFrame):
                self.glance(frame, direction)
            elif isinstance(frame, AggregatedTextFrame) and frame.skip_tts:
                await self._emit_so_far()
            elif isinstance(frame, EndFrame | CancelFrame):
                await self._release(everything=True)
            elif self._is_turn_frame(frame):
                self._held.append((frame, self._playing_now()))
                await self._release(everything=len(self._held) > HELD_MAX)
                return
        await self.push_frame(frame, direction)

    @staticmethod
    def _is_turn_frame(frame: Frame) -> bool:
        if isinstance(frame, TTSStartedFrame):
            return frame.append_to_context is not False
        ends = (LLMFullResponseStartFrame, LLMFullResponseEndFrame, LLMAssistantPushAggregationFrame)
        return isinstance(frame, ends)

    def _playing_now(self) -> frozenset[str]:
        """Utterances whose sound has begun to come out and is not settled."""
        return frozenset(self._recorder.book.begun_utterances)

    async def _release(self, *, everything: bool = False) -> None:
        """Let kept turn frames go on, in order, as far as the sound before them is settled."""
        while self._held:
            frame, before = self._held[0]
            closes = isinstance(frame, LLMFullResponseEndFrame | LLMAssistantPushAggregationFrame)
            if closes and not everything and before & set(self._recorder.book.open_utterances):
                return
            self._held.popleft()
            self._turn_open = not closes
            await self.push_frame(frame)

    # -- text --------------------------------------------------------------------------------------------------------

    async def _flush(self) -> None:
        while self._records:
            record = self._records.popleft()
            from_char = self._emitted.pop(record.id, 0)
            if record.append_to_context:
                await self._commit(record, from_char)
        await self._release()

    async def _commit(self, record: UtteranceRecord, from_char: int) -> None:
        text = record.delivered[from_char:].strip()
        cut = record.cut is not None and bool(record.delivered)
        if cut and self._cut_mark == "suffix":
            text = f"{text} {INTERRUPTED}".strip()
        if text:
            await self._emit(text)
        if cut and self._cut_mark == "note":
            note = "The other side cut you off. Of your last message they heard only what stands there."
            await self._append({"role": "developer", "content": note})

    async def _emit_so_far(self) -> None:
        """A block that is shown, not spoken, comes now: what was heard before it goes first."""
        position = self._recorder.position()
        if position is None or not self._turn_open:
            return
        text = self._recorder.book.intended(position.utterance_id)
        start = self._emitted.get(position.utterance_id, 0)
        if text[start : position.chars].strip():
            self._emitted[position.utterance_id] = position.chars
            await self._emit(text[start : position.chars].strip())

    async def _emit(self, text: str) -> None:
        if self._turn_open:
            await self.push_frame(HeardTextFrame(text))
        else:
            await self._append({"role": "assistant", "content": text})

    async def _append(self, message: dict[str, str]) -> None:
        frame = LLMMessagesAppendFrame([cast(Any, message)], run_llm=False)
        frame.interruptible = False
        await self.push_frame(frame)
