"""The call's facts as RTVI server messages, through Pipecat's own `RTVIServerMessageFrame` and `RTVIObserver`.

Owns a bounded queue, the processor that empties it into the pipeline, and the moment before a planned end at which the
last messages must have left. Never holds up or breaks a call: what does not fit is dropped and counted, and the
client sees the gap in `n`.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable

from loguru import logger
from pipecat.frames.frames import EndFrame, Frame, OutputTransportMessageUrgentFrame, StartFrame
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor
from pipecat.processors.frameworks.rtvi.frames import RTVIServerMessageFrame

from obligations.ledger.events import Event
from obligations.pathway import Pathway
from pipecat_interrupt.hold.express import TALK_FRAMES, ExpressAudio
from pipecat_interrupt.journal.entries import JournalEntry
from pipecat_interrupt.live.messages import MESSAGE_TYPE, LiveMessage, LiveText
from pipecat_interrupt.live.translate import LiveTranslator

WAITING_MAX = 1000
"""Messages waiting to be sent; one more is dropped. A long call makes some thousands in all, a few a second."""

SETTLE_S_MAX = 30.0
"""Longest time a planned end waits for the last words to be heard, so that the hand-off can be sent before the
transport closes. Pipecat's transport waits for the same audio itself."""

LEAVE_S_MAX = 1.0
"""Longest time a planned end waits for the last message to reach the transport."""

LOOK_S = 0.02


class RtviFacts:
    """Tells RTVI clients what the call knows, while it runs. One object serves one call.

    With a kit: `InterruptKit(..., rtvi=RtviFacts())`. Alone: `journal.add_listener(facts.on_entry)` and
    `facts.outlet()` anywhere in the pipeline; only the last messages of a planned end need the kit.

    Args:
        text: Whether words of the call leave it; see `LiveText`. Off by default.
        waiting_max: Most messages waiting at once, >= 1.

    Raises:
        SettingsError: Unknown `text`.
    """

    def __init__(self, *, text: LiveText = "off", waiting_max: int = WAITING_MAX) -> None:
        if waiting_max < 1:
            raise ValueError(f"waiting_max must be at least 1, got {waiting_max}")
        self.translator = LiveTranslator(text)
        self.lost_messages = 0
        self.sending = True
        self._waiting: deque[LiveMessage] = deque()
        self._waiting_max = waiting_max
        self._wake = asyncio.Event()
        self._last_n: int | None = None
        self._left_n: int | None = None

    def bind(self, pathway: Pathway | None, before: Iterable[Event] = ()) -> None:
        """Name the call's pathway, before its first entry: obligations then come with state and criticality.

        Args:
            pathway: What the call must cover.
            before: Ledger events that an earlier worker of the call has journalled; () for a new call.
        """
        self.translator.bind(pathway, before)

    def on_entry(self, entry: JournalEntry) -> None:
        """Take a journal entry; on the pipeline's loop, returns at once."""
        if not self.sending:
            return
        message = self.translator.message(entry)
        if message is None:
            return
        if len(self._waiting) >= self._waiting_max:
            self.lost_messages += 1
            return
        self._waiting.append(message)
        self._last_n = message.n
        self._wake.set()

    def outlet(self) -> RtviOutlet:
        """The processor that sends the messages."""
        return RtviOutlet(self)

    def last_word(self, settled: Callable[[], bool], close: Callable[[str], None]) -> RtviLastWord:
        """The processor that lets the last messages out before a planned end; directly before the output's parts."""
        return RtviLastWord(self, settled, close)

    # ---- for the two processors

    async def next_message(self) -> LiveMessage:
        """Wait for the next message and take it."""
        while not self._waiting:
            self._wake.clear()
            await self._wake.wait()
        return self._waiting.popleft()

    def stop(self) -> None:
        """Nobody listens: make and keep nothing more."""
        self.sending = False
        self._waiting.clear()
        self._last_n = self._left_n = None

    def note_left(self, message: object) -> None:
        """A message went by on its way to the transport."""
        data = message.get("data") if isinstance(message, dict) else None
        if isinstance(data, dict) and data.get("type") == MESSAGE_TYPE:
            self._left_n = data.get("n")

    @property
    def all_left(self) -> bool:
        """Whether the newest message has gone by."""
        return self._last_n is None or (self._left_n is not None and self._left_n >= self._last_n)


class RtviOutlet(ExpressAudio):
    """Pushes waiting messages as `RTVIServerMessageFrame`s; passes everything else on."""

    express_frames = TALK_FRAMES

    def __init__(self, facts: RtviFacts) -> None:
        super().__init__(enable_direct_mode=True)
        self._facts = facts
        self._task: asyncio.Task[None] | None = None

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Begin to send when the pipeline starts."""
        await super().process_frame(frame, direction)
        await self.push_frame(frame, direction)
        if isinstance(frame, StartFrame) and self._task is None:
            if _has_rtvi(self):
                self._task = self.create_task(self._send(), "rtvi facts")
            else:
                logger.warning("facts for RTVI clients were asked for, but the worker runs without RTVI; none are sent")
                self._facts.stop()

    async def cleanup(self) -> None:
        """Stop sending."""
        self._facts.stop()
        if self._task is not None:
            await self.cancel_task(self._task)
            self._task = None
        await super().cleanup()

    async def _send(self) -> None:
        while True:
            message = await self._facts.next_message()
            try:
                await self.push_frame(RTVIServerMessageFrame(data=message.as_json()))
            except Exception as error:
                logger.warning("a message for RTVI clients was not sent: {}", type(error).__name__)


class RtviLastWord(FrameProcessor):
    """Holds a planned end until the call's last facts have left.

    A transport closes when the `EndFrame` reaches it, and the hand-off is made when everything before that was heard.
    So the end waits here, in front of the transport, for the audio to be heard, closes the call's books, lets the
    messages out and goes on. A cancel (hang-up) is never held: nobody is there to be told.

    Args:
        facts: Whose messages.
        settled: Whether every utterance is over.
        close: Closes the call's books; gets the end's reason.

    Promises: the end is held `SETTLE_S_MAX` + `LEAVE_S_MAX` at most; when the audio has not settled by then the books
    are left open for the ordinary end; a failing `close` lets the end go on.
    """

    reads_caller_audio = False

    def __init__(self, facts: RtviFacts, settled: Callable[[], bool], close: Callable[[str], None]) -> None:
        super().__init__()
        self._facts, self._settled, self._close = facts, settled, close

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Let everything pass; an end after the last messages."""
        await super().process_frame(frame, direction)
        if isinstance(frame, EndFrame) and direction is FrameDirection.DOWNSTREAM and self._facts.sending:
            try:
                await self._last_messages(str(frame.reason or ""))
            except Exception as error:
                logger.warning("the last facts were not sent before the end: {}", type(error).__name__)
        await self.push_frame(frame, direction)
        if isinstance(frame, OutputTransportMessageUrgentFrame):
            self._facts.note_left(frame.message)

    async def _last_messages(self, reason: str) -> None:
        if not await _within(SETTLE_S_MAX, self._settled):
            return
        self._close(reason)
        await _within(LEAVE_S_MAX, lambda: self._facts.all_left)


async def _within(seconds: float, true: Callable[[], bool]) -> bool:
    """Wait until something is true; say whether it became so."""
    until_s = asyncio.get_running_loop().time() + seconds
    while not true():
        if asyncio.get_running_loop().time() >= until_s:
            return False
        await asyncio.sleep(LOOK_S)
    return True


def _has_rtvi(processor: FrameProcessor) -> bool:
    """Whether the worker that runs a processor talks RTVI; `PipelineWorker.rtvi` raises when it does not."""
    try:
        return getattr(processor.pipeline_worker, "rtvi", None) is not None
    except Exception:
        return False
