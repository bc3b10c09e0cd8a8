"""Carrier marks in a pipeline: set behind the output, read in the serializer, answered to the recorder.

Owns the shell around `MarkBook`. The mark is sent after the chunk it stands for has been written, so it can come late
but never early: holds, resampling and re-chunking before the output cannot move it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from loguru import logger
from pipecat.frames.frames import Frame, OutputTransportMessageUrgentFrame, TTSAudioRawFrame, TTSStoppedFrame
from pipecat.processors.frame_processor import FrameDirection

from pipecat_interrupt.carrier.marks import LagFigures, MarkBook, MarkConfig
from pipecat_interrupt.carrier.protocols import MarkProtocol
from pipecat_interrupt.delivery.account import Account
from pipecat_interrupt.delivery.playout import Heard
from pipecat_interrupt.hold.express import TALK_FRAMES, ExpressAudio

if TYPE_CHECKING:
    from pipecat_interrupt.delivery.recorder import DeliveryRecorder


class CarrierPlayback:
    """What the carrier has played, for one call.

    Use it as the recorder's `playout`, give it to the marking serializer, and put `tap()` behind the delivered tap::

        playback = CarrierPlayback()
        serializer = TwilioMarkSerializer(stream_sid, playback=playback, ...)
        recorder = DeliveryRecorder(playout=playback)
        Pipeline([..., transport.output(), recorder.delivered_tap(), playback.tap(recorder), ...])

    Args:
        config: Steps and bounds.
    """

    def __init__(self, config: MarkConfig | None = None) -> None:
        self.marks = MarkBook(config)
        self.protocol: MarkProtocol | None = None
        self._recorder: DeliveryRecorder | None = None

    def tap(self, recorder: DeliveryRecorder) -> MarkTap:
        """Give the processor that sets the marks; it goes directly behind `recorder.delivered_tap()`."""
        self._recorder = recorder
        return MarkTap(self, recorder)

    def heard(self, account: Account, now_s: float) -> Heard:
        """Say how much of an utterance was played; see `Playout`."""
        if account.destination is not None:  # marks belong to the default destination
            return Heard(account.written_s, account.written_s, final=account.written_done_s is not None)
        return self.marks.heard(account, now_s)

    @property
    def playout_lag(self) -> LagFigures:
        """The measured lag of the call so far."""
        return self.marks.figures()

    # -- from the serializer -----------------------------------------------------------------------------------------

    def mark_came_back(self, name: str) -> None:
        """The carrier sent a mark back."""
        if self._recorder is not None:
            self.marks.came_back(name, self._recorder.now_s)
            self._recorder.look_again()

    def clear_wanted(self) -> bool:
        """An interruption is about to clear the carrier's buffer: say whether it may, and take note if so.

        Protected speech in that buffer would be lost with it, so it stays while a protected utterance is playing.
        """
        if self._recorder is None:
            return True
        accounts = self._recorder.book.begun_accounts(None)
        if any(account.protected for account in accounts):
            return False
        self.marks.cleared(list(accounts), self._recorder.now_s)
        return True


class MarkTap(ExpressAudio):
    """Sets a mark behind every step of written audio, and one behind the last of an utterance."""

    express_frames = TALK_FRAMES - {TTSAudioRawFrame, TTSStoppedFrame}

    def __init__(self, playback: CarrierPlayback, recorder: DeliveryRecorder) -> None:
        super().__init__(enable_direct_mode=True)
        self._playback = playback
        self._recorder = recorder
        self._writing: str | None = None
        self._written_s = 0.0

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Pass a frame on, and a mark up when one is due."""
        await super().process_frame(frame, direction)
        name: str | None = None
        try:
            if direction is FrameDirection.DOWNSTREAM and frame.transport_destination is None:
                name = self._mark_for(frame)
        except Exception as error:  # noqa: BLE001  # without marks the recorder falls back to the measured lag
            logger.opt(exception=error).error("carrier marks: setting a mark failed")
        if name is not None and self._playback.protocol is not None:
            message = self._playback.protocol.write(name)
            await self.push_frame(OutputTransportMessageUrgentFrame(message=message), FrameDirection.UPSTREAM)
        await self.push_frame(frame, direction)

    def _mark_for(self, frame: Frame) -> str | None:
        marks = self._playback.marks
        if isinstance(frame, TTSAudioRawFrame):
            account = self._recorder.book.being_written()
            if account is None:
                return None
            self._writing, self._written_s = account.id, account.written_s
            return marks.due(account.id, account.written_s, self._recorder.now_s)
        if isinstance(frame, TTSStoppedFrame) and self._writing is not None:
            writing, self._writing = self._writing, None
            return marks.due(writing, self._written_s, self._recorder.now_s, end=True)
        return None
