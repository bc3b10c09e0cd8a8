"""The hold inside the transport: an output filter that simply does not return while the agent is held.

Owns the blocking of the transport's audio task. It stops after the chunk in flight and resumes at the next sample; it
needs no pacing. Default destination only, and it also stops a mixer's background sound: use the gate with a mixer.
"""

from __future__ import annotations

import asyncio

from loguru import logger
from pipecat.audio.filters.base_audio_filter import BaseAudioFilter
from pipecat.frames.frames import FilterControlFrame

BLOCK_S_MAX = 5.0
"""The filter lets go by itself after this time, whatever became of its controller: silence must not last for ever."""

DISCARD_S_MAX = 2.0
"""Longest time for which audio is thrown away while waiting for the end of a cut utterance."""


class HoldFilter(BaseAudioFilter):
    """Goes into `TransportParams.audio_out_filter`.

    Args:
        inner: A filter that was there before; it runs after the hold and never sees what is dropped.

    The owner is a `HoldController`; used alone it passes audio unchanged.
    """

    def __init__(self, inner: BaseAudioFilter | None = None) -> None:
        self.inner = inner
        self._open = asyncio.Event()
        self._open.set()
        self._drop_blocked = False
        self._waiting = False
        self._discard_until_s: float | None = None
        self._bytes_per_s = 0
        self._flight_end_s = 0.0

    @property
    def blocked(self) -> bool:
        """Whether audio is being held back."""
        return not self._open.is_set()

    @property
    def discarding(self) -> bool:
        """Whether audio is being thrown away until the end of a cut utterance has passed."""
        return self._discard_until_s is not None

    def outstanding_s(self, now_s: float) -> float:
        """Return how much of the chunk in flight still sounds, seconds."""
        return max(0.0, self._flight_end_s - now_s)

    def block(self) -> None:
        """Let no further audio pass."""
        self._drop_blocked = False
        self._open.clear()

    def release(self) -> None:
        """Go on from the same sample."""
        self._drop_blocked = False
        self._open.set()

    def drop(self, *, discard: bool, now_s: float) -> None:
        """Go on after an interruption has emptied the transport's queue; the chunk that waits here is dropped.

        It cannot be protected audio: a hold that finds protected speech next is refused or lifted by the controller.

        Args:
            discard: Throw away whatever comes until `end_discard`, to cut a protected utterance.
            now_s: Loop time.
        """
        self._discard_until_s = now_s + DISCARD_S_MAX if discard else None
        self._drop_blocked = self._waiting
        self._open.set()

    def end_discard(self) -> None:
        """Let audio pass again: the cut utterance has ended."""
        self._discard_until_s = None

    async def start(self, sample_rate: int) -> None:
        """Take the transport's rate."""
        self._bytes_per_s = sample_rate * 2
        if self.inner is not None:
            await self.inner.start(sample_rate)

    async def stop(self) -> None:
        """Let go of everything."""
        self.release()
        self.end_discard()
        if self.inner is not None:
            await self.inner.stop()

    async def process_frame(self, frame: FilterControlFrame) -> None:
        """Hand filter controls to the inner filter."""
        if self.inner is not None:
            await self.inner.process_frame(frame)

    async def filter(self, audio: bytes) -> bytes:
        """Pass audio on, wait while it is held, or swallow it.

        Returns:
            The audio, or b"" for audio that is dropped (Pipecat skips empty chunks).
        """
        if not self._open.is_set():
            await self._wait()
            if self._drop_blocked:
                self._drop_blocked = False
                return b""
        now_s = asyncio.get_running_loop().time()
        if self._discard_until_s is not None:
            if now_s < self._discard_until_s:
                return b""
            self._discard_until_s = None
        if self.inner is not None:
            audio = await self.inner.filter(audio)
        if audio and self._bytes_per_s:
            self._flight_end_s = now_s + len(audio) / self._bytes_per_s
        return audio

    async def _wait(self) -> None:
        self._waiting = True
        try:
            await asyncio.wait_for(self._open.wait(), BLOCK_S_MAX)
        except TimeoutError:
            logger.warning("hold filter let go after {} s without a decision", BLOCK_S_MAX)
            self._open.set()
        finally:
            self._waiting = False
