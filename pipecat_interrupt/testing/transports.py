"""Headless transports on loop time: a caller who talks by script, and a listener whose ear is on record.

Owns both audio channels of a scripted call. Nothing here touches a socket or a sound card, and both sides stamp with
`loop.time()`, so the two channels can be laid side by side to the sample.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from pipecat.audio.filters.base_audio_filter import BaseAudioFilter
from pipecat.frames.frames import (
    BotSpeakingFrame,
    EndFrame,
    Frame,
    InputAudioRawFrame,
    InterruptionFrame,
    OutputAudioRawFrame,
    OutputTransportMessageFrame,
    OutputTransportMessageUrgentFrame,
    StartFrame,
)
from pipecat.processors.frame_processor import FrameDirection
from pipecat.transports.base_input import BaseInputTransport
from pipecat.transports.base_output import BaseOutputTransport
from pipecat.transports.base_transport import TransportParams

from pipecat_interrupt.testing.voice import Samples, Speech, noise_floor

FRAME_S = 0.02
"""Length of one input frame, seconds: what telephony and WebRTC deliver."""

NOISE_PERIOD_FRAMES = 50
"""The line noise repeats after this many frames."""


@dataclass(frozen=True, slots=True)
class PlacedClip:
    """A clip on the input channel: loop time of its first sample, and its sound."""

    start_s: float
    speech: Speech


class ScriptedInput(BaseInputTransport):
    """Input transport that pumps 20 ms frames of line noise and mixes in clips placed to the sample.

    Args:
        sample_rate_hz: Rate of the input audio; None takes the pipeline's.
        silent: True pumps nothing at all (text-level runs without audio).
        noise_dbfs: Level of the line noise.
    """

    def __init__(self, *, sample_rate_hz: int | None = None, silent: bool = False, noise_dbfs: float = -72.0) -> None:
        super().__init__(TransportParams(audio_in_enabled=True, audio_in_sample_rate=sample_rate_hz))
        self.clips: list[PlacedClip] = []
        self.started_at_s = 0.0
        self._silent = silent
        self._noise_dbfs = noise_dbfs
        self._pump_task: asyncio.Task[None] | None = None
        self._sent_samples = 0

    def say(self, speech: Speech, *, at_s: float | None = None) -> float:
        """Place a clip; overlapping clips add up.

        Args:
            speech: The clip, at the input's rate.
            at_s: Loop time of its first sample; None is now. A time already pumped is moved to the next sample.

        Returns:
            Loop time at which its first sample is heard.
        """
        now_s = asyncio.get_running_loop().time()
        start_s = max(at_s if at_s is not None else now_s, now_s)
        if not self._silent and self.sample_rate:
            start_s = max(start_s, self.started_at_s + self._sent_samples / self.sample_rate)
        self.clips.append(PlacedClip(start_s, speech))
        return start_s

    async def start(self, frame: StartFrame) -> None:
        """Begin to pump."""
        await super().start(frame)
        await self.set_transport_ready(frame)
        self.started_at_s = asyncio.get_running_loop().time()
        if not self._silent and self._pump_task is None:
            self._pump_task = self.create_task(self._pump())

    async def cleanup(self) -> None:
        """Stop the pump."""
        if self._pump_task is not None:
            await self.cancel_task(self._pump_task)
            self._pump_task = None
        await super().cleanup()

    def heard(self, start_s: float, end_s: float) -> Samples:
        """Return what the microphone carried between two loop times, without the line noise; int16, mono."""
        return self._mix(start_s, round((end_s - start_s) * self.sample_rate))

    async def _pump(self) -> None:
        loop = asyncio.get_running_loop()
        n = round(self.sample_rate * FRAME_S)
        noise = noise_floor(n * NOISE_PERIOD_FRAMES, level_dbfs=self._noise_dbfs).reshape(NOISE_PERIOD_FRAMES, n)
        frames = 0
        while True:
            floor = noise[frames % NOISE_PERIOD_FRAMES]
            start_s = self.started_at_s + self._sent_samples / self.sample_rate
            sound = np.clip(self._mix(start_s, n).astype(np.int32) + floor, -32768, 32767).astype("<i2")
            self._sent_samples += n
            await self.push_audio_frame(InputAudioRawFrame(sound.tobytes(), self.sample_rate, 1))
            frames += 1
            await asyncio.sleep(max(0.0, self.started_at_s + frames * FRAME_S - loop.time()))

    def _mix(self, start_s: float, n: int) -> Samples:
        total = np.zeros(n, np.int32)
        for clip in self.clips:
            offset = round((clip.start_s - start_s) * self.sample_rate)
            low, high = max(0, offset), min(n, offset + len(clip.speech.samples))
            if low < high:
                total[low:high] += clip.speech.samples[low - offset : high - offset]
        return np.clip(total, -32768, 32767).astype(np.int16)


@dataclass(slots=True)
class HeardPiece:
    """One chunk at the listener's ear.

    Parameters:
        written_at_s: Loop time at which the transport wrote it.
        start_s: Loop time of its first sample at the ear.
        end_s: Loop time after its last sample at the ear.
        audio: int16 samples really heard; shorter than written when a buffer was cleared.
        kind: Class name of the frame, so that filler can be told from speech.
        destination: The transport destination, None for the default.
    """

    written_at_s: float
    start_s: float
    end_s: float
    audio: Samples
    kind: str
    destination: str | None


@dataclass(frozen=True, slots=True)
class Gap:
    """Silence between two pieces of agent audio: from `start_s`, `length_s` long."""

    start_s: float
    length_s: float


class ListenerOutput(BaseOutputTransport):
    """Output transport paced like a call, which records what the listener hears to the sample.

    The first chunk is written at once and each next one a chunk later, as Pipecat's websocket transports do.

    Args:
        sample_rate_hz: Rate of the output audio; None takes the pipeline's.
        audio_out_filter: Goes into `TransportParams.audio_out_filter`.
        ahead_s: How far the transport may run ahead of the ear (LiveKit: 1 s); 0 for websockets.
        clears_on_interruption: Whether what lies in that buffer is thrown away on an `InterruptionFrame`; None is True
            exactly when `ahead_s` > 0.
        delay_s: Network delay of chunk number i in seconds (jitter); None is no delay.
        jitter_buffer_s: How long the far end waits before it plays after a silence.
        chunk_10ms: Chunk length in units of 10 ms (Pipecat's default is 4).
        bot_speaking_frames: Whether Pipecat's periodic `BotSpeakingFrame` is sent. Only idle timers and wake phrases
            read it, and it is a third of all frames of a call: leave it out where thousands of calls are played.
        destinations: Further transport destinations.
        params: Further `TransportParams` fields.
    """

    reads_caller_audio = False

    def __init__(
        self,
        *,
        sample_rate_hz: int | None = None,
        audio_out_filter: BaseAudioFilter | None = None,
        ahead_s: float = 0.0,
        clears_on_interruption: bool | None = None,
        delay_s: Callable[[int], float] | None = None,
        jitter_buffer_s: float = 0.0,
        chunk_10ms: int = 4,
        bot_speaking_frames: bool = True,
        destinations: Sequence[str] = (),
        **params: Any,
    ) -> None:
        super().__init__(
            TransportParams(
                audio_out_enabled=True,
                audio_out_sample_rate=sample_rate_hz,
                audio_out_end_silence_secs=0,
                audio_out_filter=audio_out_filter,
                audio_out_10ms_chunks=chunk_10ms,
                audio_out_destinations=list(destinations),
                **params,
            )
        )
        self.pieces: list[HeardPiece] = []
        self.messages: list[Any] = []
        """What the client was sent beside audio, in order; such as RTVI messages."""

        self.buffers_ahead_s = ahead_s
        self._hung_up = False
        self._ahead_s = ahead_s
        self._clears = ahead_s > 0 if clears_on_interruption is None else clears_on_interruption
        self._delay_s = delay_s
        self._jitter_buffer_s = jitter_buffer_s
        self._bot_speaking_frames = bot_speaking_frames
        self._due_s: dict[str | None, float] = {}
        self._arrived_s: dict[str | None, float] = {}
        self._ear_end_s: dict[str | None, float] = {}

    async def start(self, frame: StartFrame) -> None:
        """Report ready at once."""
        await super().start(frame)
        await self.set_transport_ready(frame)

    async def register_audio_destination(self, destination: str) -> None:
        """Accept any destination."""

    async def send_message(self, frame: OutputTransportMessageFrame | OutputTransportMessageUrgentFrame) -> None:
        """Keep what a client would get; nothing gets through once the transport has closed."""
        if not self._hung_up:
            self.messages.append(frame.message)

    async def stop(self, frame: EndFrame) -> None:
        """Play what is queued, then close, as transports with a connection do."""
        await super().stop(frame)
        self._hung_up = True

    async def broadcast_frame(self, frame_cls: type[Frame], **kwargs: Any) -> None:
        """Broadcast, without the periodic frame when it was not asked for."""
        if self._bot_speaking_frames or frame_cls is not BotSpeakingFrame:
            await super().broadcast_frame(frame_cls, **kwargs)

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Clear the far buffer on an interruption, as carriers and LiveKit do."""
        await super().process_frame(frame, direction)
        if self._clears and isinstance(frame, InterruptionFrame):
            self._clear(asyncio.get_running_loop().time())

    async def write_audio_frame(self, frame: OutputAudioRawFrame) -> bool:
        """Let the listener hear the chunk and take as long as a real transport would."""
        now_s = asyncio.get_running_loop().time()
        key = frame.transport_destination
        length_s = frame.num_frames / frame.sample_rate
        delay_s = self._delay_s(len(self.pieces)) if self._delay_s else 0.0
        arrived_s = max(now_s + delay_s, self._arrived_s.get(key, 0.0))
        self._arrived_s[key] = arrived_s
        idle_until_s = self._ear_end_s.get(key, 0.0)
        start_s = idle_until_s if idle_until_s > arrived_s else arrived_s + self._jitter_buffer_s
        self._ear_end_s[key] = start_s + length_s
        samples = np.frombuffer(frame.audio, dtype="<i2").astype(np.int16)
        self.pieces.append(HeardPiece(now_s, start_s, start_s + length_s, samples, type(frame).__name__, key))
        self._due_s[key] = max(self._due_s.get(key, 0.0), now_s) + length_s
        await asyncio.sleep(max(0.0, self._due_s[key] - now_s - self._ahead_s))
        return True

    def stream(self, destination: str | None = None) -> Samples:
        """Return all that was heard on a destination, one piece after the other, gaps left out; int16, mono."""
        parts = [piece.audio for piece in self.pieces if piece.destination == destination]
        return np.concatenate(parts) if parts else np.zeros(0, np.int16)

    def heard(self, start_s: float, end_s: float, destination: str | None = None) -> Samples:
        """Return the ear's channel between two loop times, silence where nothing was heard; int16, mono."""
        channel = np.zeros(round((end_s - start_s) * self.sample_rate), np.int16)
        for piece in self.pieces:
            offset = round((piece.start_s - start_s) * self.sample_rate)
            low, high = max(0, offset), min(len(channel), offset + len(piece.audio))
            if piece.destination == destination and low < high:
                channel[low:high] = piece.audio[low - offset : high - offset]
        return channel

    def gaps(self, shortest_s: float = 0.015, destination: str | None = None) -> list[Gap]:
        """List the silences between consecutive pieces that last at least `shortest_s`."""
        pieces = [piece for piece in self.pieces if piece.destination == destination and len(piece.audio)]
        found = [Gap(a.end_s, b.start_s - a.end_s) for a, b in zip(pieces, pieces[1:], strict=False)]
        return [gap for gap in found if gap.length_s >= shortest_s]

    def silent_from(self, at_s: float, *, for_s: float = 0.3, destination: str | None = None) -> float:
        """Say when, at or after a loop time, the listener's ear first falls silent for at least `for_s`.

        Returns:
            Loop time of the last sample before that silence, `at_s` itself when nothing was sounding. The end of the
            recording counts as silence.
        """
        end_s = at_s
        for piece in self.pieces:
            if piece.destination != destination or piece.end_s <= at_s or not len(piece.audio):
                continue
            if piece.start_s >= end_s + for_s:
                break
            end_s = piece.end_s
        return end_s

    def _clear(self, now_s: float) -> None:
        for piece in self.pieces:
            if piece.end_s > now_s:
                keep = max(0, round((now_s - piece.start_s) * self.sample_rate))
                piece.audio = piece.audio[:keep]
                piece.end_s = max(piece.start_s, min(piece.end_s, now_s))
        for key in self._ear_end_s:
            self._ear_end_s[key] = min(self._ear_end_s[key], now_s)
            self._arrived_s[key] = min(self._arrived_s[key], now_s)
