"""Loads the demo's models once, for both calls: ear, voice, and the language model that reacts.

Owns their life. A model server given by address is used as it is; else the local one is started in a child process.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType

from pipecat_interrupt.local.llm import LocalLLM
from pipecat_interrupt.local.piper_voice import PiperVoiceWithTimes
from pipecat_interrupt.local.whisper_ear import WhisperEar
from pipecat_interrupt.weights import ensure

Step = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """Which language model reacts.

    Parameters:
        base_url: OpenAI-compatible address ending in `/v1`; None starts the local model.
        model: Model id at that address.
        api_key: Key of that server.
        weights: Local weights to use instead of the default, by name.
        writes: Let the model write its own line (checked) instead of picking an approved one; for larger models.
    """

    base_url: str | None = None
    model: str = "local"
    api_key: str = "none"
    weights: str | None = None
    writes: bool = False


class DemoModels:
    """The loaded models; use as an async context manager.

    Args:
        choice: Which language model.
        tell: Told each step of loading.
    """

    def __init__(self, choice: ModelChoice, tell: Step = lambda _: None) -> None:
        self.choice, self._tell = choice, tell
        self._server: LocalLLM | None = None
        self.ready_s = 0.0

    async def __aenter__(self) -> DemoModels:
        begun_s = time.monotonic()
        self._tell("speech recogniser (Whisper base)")
        self.ear = WhisperEar(ensure("whisper-base"))
        self._tell("voice (Piper)")
        self.voice = PiperVoiceWithTimes(ensure("piper-joe"), 1)
        self.voice.warm_up()
        try:
            await self._start_model()
        except BaseException:
            await self._stop()
            raise
        self.ready_s = time.monotonic() - begun_s
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stop()

    async def _start_model(self) -> None:
        choice = self.choice
        if choice.base_url is None:
            self._tell("language model (child process)")
            self._server = LocalLLM(ensure(choice.weights) if choice.weights else None)
            await self._server.start()
            self.base_url, self.api_key, self.model_id = self._server.base_url, self._server.api_key, self._server.model
        else:
            self.base_url, self.api_key, self.model_id = choice.base_url, choice.api_key, choice.model

    async def _stop(self) -> None:
        if self._server is not None:
            await self._server.stop()
