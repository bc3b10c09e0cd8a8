"""The processor between TTS and transport: audio order, pacing, and the gate back-end's hold.

Owns the release of the agent's speech. It runs in direct mode with one release task of its own, so an interruption can
neither overtake nor lose what it saw, and a frame's order is decided in one place.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

from pipecat.audio.resamplers.base_audio_resampler import BaseAudioResampler
from pipecat.audio.utils import create_stream_resampler
from pipecat.frames.frames import (
    BotStartedSpeakingFrame,
    BotStoppedSpeakingFrame,
    CancelFrame,
    Frame,
    InputAudioRawFrame,
    InterimTranscriptionFrame,
    InterruptionFrame,
    InterruptionWorkerFrame,
    MetricsFrame,
    StartFrame,
    SystemFrame,
    TTSAudioRawFrame,
    TTSStoppedFrame,
    UserStartedSpeakingFrame,
    UserStoppedSpeakingFrame,
    VADUserStartedSpeakingFrame,
    VADUserStoppedSpeakingFrame,
)
from pipecat.processors.frame_processor import FrameCallback, FrameDirection, FrameProcessorSetup
from pipecat.transports.base_output import BaseOutputTransport

from pipecat_interrupt.hold.express import AGENT_SPEECH, CALLER_AUDIO, CONSTANT_FRAMES, ExpressAudio
from pipecat_interrupt.hold.flight import FlightLog
from pipecat_interrupt.hold.frames import HoldKeepAliveFrame, ProtectedEndFrame
from pipecat_interrupt.hold.ordering import AudioOrder, Slot
from pipecat_interrupt.hold.pacing import NoPacer, Pacer

QUEUED_AUDIO_S_MAX = 600.0
"""Audio the gate queues at most; beyond it the TTS waits until there is room."""


class GateOwner(Protocol):
    """What the gate tells its controller."""

    @property
    def blocks_gate(self) -> bool:
        """Whether audio must stay in the gate now."""
        ...

    def on_audio_waiting(self) -> None:
        """Audio has been queued or released: check whether protected speech is next."""
        ...

    def on_interruption(self) -> str | None:
        """An interruption passes; returns the context of a protected utterance to cut, if any."""
        ...

    def on_voice(self, active: bool) -> None:
        """The patient's voice has begun or ended."""
        ...

    def on_end(self) -> None:
        """The last audio has been written: nothing will be held any more."""
        ...

    def on_cancel(self) -> None:
        """The call is cut off: nothing will be heard any more."""
        ...


class _NoOwner:
    blocks_gate = False

    def on_audio_waiting(self) -> None: ...

    def on_interruption(self) -> str | None:
        return None

    def on_voice(self, active: bool) -> None: ...

    def on_end(self) -> None: ...

    def on_cancel(self) -> None: ...


class HoldGate(ExpressAudio):
    """Stands directly before the output transport.

    Args:
        pacer: How far released audio may run ahead; None is not at all paced.
        output: The transport, for its chunk length and rate; None takes 40 ms and the pipeline's rate.
        destination: The transport destination whose speech is ordered and held; frames of others pass untouched.

    Audio whose rate is not the transport's is resampled here, so that the transport's own resampler, whose delay would
    lose acknowledgements and audio across a hold, has nothing to do.
    """

    # Of the news of turns only system frames: all others keep their place among the words.
    express_frames = CONSTANT_FRAMES | {
        BotStartedSpeakingFrame,
        BotStoppedSpeakingFrame,
        InterimTranscriptionFrame,
        MetricsFrame,
        UserStartedSpeakingFrame,
        UserStoppedSpeakingFrame,
    }
    glanced_frames = CALLER_AUDIO

    def __init__(
        self,
        *,
        pacer: Pacer | None = None,
        output: BaseOutputTransport | None = None,
        destination: str | None = None,
    ) -> None:
        super().__init__(enable_direct_mode=True)
        self.pacer: Pacer = pacer or NoPacer()
        self.order = AudioOrder()
        self.flights = FlightLog()
        self._paced = not isinstance(self.pacer, NoPacer)
        self.owner: GateOwner = _NoOwner()
        self.resampled_rates: set[int] = set()
        self.on_caller_audio: Callable[[bytes, int, float], None] | None = None
        self._output = output
        self._destination = destination
        self._rate_hz = 0
        self._resamplers: dict[str, BaseAudioResampler] = {}
        self._wake = asyncio.Event()
        self._room = asyncio.Event()
        self._release_task: asyncio.Task[None] | None = None

    async def setup(self, setup: FrameProcessorSetup) -> None:
        """Learn the transport's rate and chunk."""
        await super().setup(setup)
        self._rate_hz = setup.audio_out_sample_rate

    def learn_output(self) -> None:
        """Read rate and chunk off the transport once it is set up."""
        output = self._output
        if output is None or not output.sample_rate:
            return
        self._rate_hz = output.sample_rate
        channels = max(1, output._params.audio_out_channels)
        chunk_s = output.audio_chunk_size / (2 * channels * output.sample_rate)
        if chunk_s > 0:
            self.order.chunk_s = chunk_s

    async def cleanup(self) -> None:
        """Stop the release task."""
        if self._release_task is not None:
            await self.cancel_task(self._release_task)
            self._release_task = None
        await super().cleanup()

    def wake(self) -> None:
        """Look again whether something may be released."""
        self._wake.set()

    # ---- frames

    def glance(self, frame: Frame, direction: FrameDirection) -> None:
        """Tell who listens of the caller's audio going by."""
        if self.on_caller_audio is not None and isinstance(frame, InputAudioRawFrame) and frame.num_channels == 1:
            self.on_caller_audio(frame.audio, frame.sample_rate, asyncio.get_running_loop().time())

    async def queue_frame(
        self,
        frame: Frame,
        direction: FrameDirection = FrameDirection.DOWNSTREAM,
        callback: FrameCallback | None = None,
    ) -> None:
        """Take the agent's sound and words in at once, as `process_frame` would; the rest goes its usual way."""
        if type(frame) in AGENT_SPEECH and direction is FrameDirection.DOWNSTREAM and callback is None:
            if not self._cancelling and not self._is_for_others(frame):
                await self._queue(frame)
                return
        await super().queue_frame(frame, direction, callback)

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Queue what belongs to the agent's speech, pass the rest."""
        await super().process_frame(frame, direction)
        if isinstance(frame, StartFrame):
            self.learn_output()
            if self._release_task is None:
                self._release_task = self.create_task(self._release())
        if isinstance(frame, InterruptionFrame):
            await self._interrupt(frame, direction)
        elif direction == FrameDirection.UPSTREAM or isinstance(frame, SystemFrame):
            self._notice(frame)
            await self.push_frame(frame, direction)
        elif self._is_for_others(frame):
            await self.push_frame(frame, direction)
        else:
            await self._queue(frame)

    async def interrupt_pipeline(self) -> None:
        """Ask for an interruption, when nobody else has made one.

        It comes from the head of the pipeline, so that the TTS has stopped before it reaches the gate: one made here
        would leave the TTS time to send more of what is being dropped.
        """
        await self.push_frame(InterruptionWorkerFrame(), FrameDirection.UPSTREAM)

    def _is_for_others(self, frame: Frame) -> bool:
        """Whether the frame is bound for another destination."""
        return frame.transport_destination != self._destination and _is_addressed(frame)

    def _notice(self, frame: Frame) -> None:
        if isinstance(frame, VADUserStartedSpeakingFrame):
            self.owner.on_voice(True)
        elif isinstance(frame, VADUserStoppedSpeakingFrame):
            self.owner.on_voice(False)
        elif isinstance(frame, CancelFrame):
            self.owner.on_cancel()

    async def _interrupt(self, frame: InterruptionFrame, direction: FrameDirection) -> None:
        cut = self._drop()
        await self.push_frame(frame, direction)
        await self._end_cut(cut)
        self._wake.set()

    def _drop(self) -> str | None:
        """Throw away what an interruption throws away; return the protected context that is cut unfinished."""
        cut = self.owner.on_interruption()
        self.order.interrupt()
        self.flights.interrupted()
        self.pacer.interrupted()
        self._resamplers = {name: self._resamplers[name] for name in self.order.open_ids & self._resamplers.keys()}
        self._room.set()
        if cut is None:
            return None
        self.flights.forget(cut)
        return cut if self.order.cut(cut) else None

    async def _end_cut(self, context_id: str | None) -> None:
        """End a protected utterance downstream whose own end has been thrown away."""
        if context_id is None:
            return
        stopped = TTSStoppedFrame(context_id=context_id)
        stopped.interruptible = False
        stopped.transport_destination = self._destination
        await self.push_frame(stopped)
        await self.push_frame(ProtectedEndFrame(context_id))

    async def _queue(self, frame: Frame) -> None:
        while self.order.queued_audio_s > QUEUED_AUDIO_S_MAX and isinstance(frame, TTSAudioRawFrame):
            self._room.clear()
            await self._room.wait()
        for ready in await self._at_rate(frame):
            self.order.add(ready, self.get_clock().get_time())
        self.owner.on_audio_waiting()
        self._wake.set()

    async def _at_rate(self, frame: Frame) -> list[Frame]:
        """Bring audio to the transport's rate; a stop frame first brings what the resampler still holds."""
        context_id = getattr(frame, "context_id", None)
        if isinstance(frame, TTSStoppedFrame) and context_id in self._resamplers:
            tail = await self._resamplers.pop(context_id).flush()
            return [*([self._audio(frame, tail, 1)] if tail else []), frame]
        if not isinstance(frame, TTSAudioRawFrame) or not context_id or not self._rate_hz:
            return [frame]
        if frame.sample_rate == self._rate_hz:
            return [frame]
        self.resampled_rates.add(frame.sample_rate)
        resampler = self._resamplers.setdefault(context_id, create_stream_resampler(clear_after_secs=None))
        audio = await resampler.resample(frame.audio, frame.sample_rate, self._rate_hz)
        return [self._audio(frame, audio, frame.num_channels)]

    def _audio(self, like: TTSAudioRawFrame | TTSStoppedFrame, audio: bytes, channels: int) -> TTSAudioRawFrame:
        frame = TTSAudioRawFrame(audio, self._rate_hz, channels, context_id=like.context_id)
        frame.interruptible = like.interruptible
        frame.transport_destination = like.transport_destination
        return frame

    # ---- release

    async def _release(self) -> None:
        while True:
            while (slot := self.order.head) is not None and self._may_go(slot):
                await self._send(self.order.pop() if self._paced else self.order.pop_run())
            self._wake.clear()
            waits = self._wait_s()
            try:
                await asyncio.wait_for(self._wake.wait(), waits)
            except TimeoutError:
                self.pacer.waited(self._now_s())

    async def _send(self, slot: Slot) -> None:
        frame = slot.frame
        if isinstance(frame, TTSAudioRawFrame):
            self.pacer.released(slot.duration_s, self._now_s())
            self.flights.released(slot.duration_s, protected=not frame.interruptible, context_id=slot.context_id)
            self._room.set()
            self.owner.on_audio_waiting()
        await self.push_frame(frame)

    def _may_go(self, slot: Slot) -> bool:
        if not slot.is_audio:
            return True
        return not self.owner.blocks_gate and self.pacer.may_release(slot.duration_s, self._now_s())

    def _wait_s(self) -> float | None:
        slot = self.order.head
        if slot is None or self.owner.blocks_gate:
            return None
        return self.pacer.wait_s(slot.duration_s, self._now_s())

    async def keep_alive(self) -> None:
        """Keep the transport from calling a held agent stopped."""
        await self.push_frame(HoldKeepAliveFrame())

    def _now_s(self) -> float:
        return asyncio.get_running_loop().time()


class WordsInAudioOrder(HoldGate):
    """The gate without pacing: words reach the aggregator with their sound, and nothing is ever held in it."""

    def __init__(self, *, output: BaseOutputTransport | None = None, destination: str | None = None) -> None:
        super().__init__(pacer=NoPacer(), output=output, destination=destination)


def _is_addressed(frame: Frame) -> bool:
    """Whether the frame is bound for a destination of its own (others follow the default speech in order)."""
    return frame.transport_destination is not None or isinstance(frame, TTSAudioRawFrame)
