"""The models of this machine, loaded once for all calls; a lock lets one call at a time use each.

Owns their life. Whisper and Piper are not made for two threads at once; with a lock the second call waits a few hundred
milliseconds instead of reading the first one's state. How many calls a machine bears stands in docs/deploy.md.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from pipecat_interrupt.local.stt import Ear, TunedWhisperSTT
from pipecat_interrupt.local.threads import calm_threads
from pipecat_interrupt.local.tts import TimedPiperTTS, TimedVoice

if TYPE_CHECKING:
    from pipecat_interrupt.local.llm import LocalLLM
    from pipecat_interrupt.local.piper_voice import SpokenSentence
    from speaker_gate import Ears


class SharedEar:
    """An ear that several calls use in turn.

    Args:
        ear: The loaded one.
    """

    def __init__(self, ear: Ear) -> None:
        self._ear, self._lock = ear, threading.Lock()

    def hear(self, samples: np.ndarray, language: str | None) -> str | None:
        """Hear one segment when it is this call's turn."""
        with self._lock:
            return self._ear.hear(samples, language)


class SharedVoice:
    """A voice that several calls use in turn, a sentence at a time.

    Args:
        voice: The loaded one, warm already.
    """

    def __init__(self, voice: TimedVoice) -> None:
        self._voice, self._lock = voice, threading.Lock()

    def speak(self, text: str, rate_hz: int) -> Iterator[SpokenSentence]:
        """Yield the sentences; the lock is held while one is made, never while one is awaited."""
        sentences = iter(self._voice.speak(text, rate_hz))
        while True:
            with self._lock:
                sentence = next(sentences, None)
            if sentence is None:
                return
            yield sentence

    def warm_up(self) -> None:
        """Nothing to do: it was warmed when it was loaded, and a call must not wait for it again."""


class LocalModels:
    """Ear, voice, language model and gate, as far as they are asked for."""

    def __init__(self) -> None:
        self._ear: SharedEar | None = None
        self._voice: SharedVoice | None = None
        self._server: LocalLLM | None = None
        self.ears: Ears | None = None
        self.base_url, self.api_key, self.model_id = "", "none", "local"

    async def load(self, *, ear: bool, voice: bool, model: bool, gate: bool) -> None:
        """Load what is asked for, off the loop.

        Raises:
            InterruptError: A package or weights are missing.
        """
        calm_threads()
        if ear and self._ear is None:
            self._ear = await asyncio.to_thread(_load_ear)
        if voice and self._voice is None:
            self._voice = await asyncio.to_thread(_load_voice)
        if gate and self.ears is None:
            self.ears = await asyncio.to_thread(_load_gate)
        if model and self._server is None:
            from pipecat_interrupt.local.llm import LocalLLM

            self._server = await asyncio.to_thread(LocalLLM)
            await self._server.start()
            self.base_url, self.api_key = self._server.base_url, self._server.api_key
            self.model_id = self._server.model

    async def stop(self) -> None:
        """Stop the language model's process."""
        server, self._server = self._server, None
        if server is not None:
            await server.stop()

    def stt(self, language: str) -> TunedWhisperSTT:
        """A recogniser for one call."""
        return TunedWhisperSTT(ear=self._ear, language=language)

    def tts(self) -> TimedPiperTTS:
        """A voice for one call."""
        return TimedPiperTTS(engine=self._voice)


def _load_ear() -> SharedEar:
    from pipecat_interrupt.local.whisper_ear import WhisperEar
    from pipecat_interrupt.weights import ensure

    return SharedEar(WhisperEar(ensure("whisper-base")))


def _load_voice() -> SharedVoice:
    from pipecat_interrupt.local.piper_voice import PiperVoiceWithTimes
    from pipecat_interrupt.weights import ensure

    voice = PiperVoiceWithTimes(ensure("piper-joe"), 1)
    voice.warm_up()
    return SharedVoice(voice)


def _load_gate() -> Ears:
    from speaker_gate.adapters.shared import shared_ears

    return shared_ears()
