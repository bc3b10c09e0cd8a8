"""The bank that `ServeConfig.speech` describes: each of ear, model and voice from its own place.

Owns the choice and what calls share. A loaded model is shared and guarded by a lock; everything else is made for one
call. Vendors are imported when they are chosen.
"""

from __future__ import annotations

import asyncio

from pipecat.services.stt_service import STTService
from pipecat.services.tts_service import TTSService

from pipecat_interrupt.gate import SpeakerGateProcessor
from pipecat_interrupt.kit import caller_vad
from pipecat_interrupt.local.service import ClosingOpenAILLMService
from pipecat_interrupt.serve.banks.local import LocalModels
from pipecat_interrupt.serve.config import ServeConfig
from pipecat_interrupt.serve.registry import PhoneCall
from pipecat_interrupt.serve.secrets import Secrets
from pipecat_interrupt.serve.services import CallServices
from pipecat_interrupt.steering import Acknowledger, ServiceAcknowledger, WritingAcknowledger, service_writer

DEEPGRAM_VOICE_URL = "wss://api.deepgram.com"


class ConfiguredBank:
    """Makes services as the settings say; see `ServiceBank`.

    Args:
        config: What the server runs.
        secrets: Keys of the vendors.
    """

    def __init__(self, config: ServeConfig, secrets: Secrets) -> None:
        self._config, self._speech, self._secrets = config, config.speech, secrets
        self._models = LocalModels()
        self._started = False

    async def start(self) -> None:
        """Check the keys, then load the models that are on this machine.

        Raises:
            SettingsError: A key is missing.
            InterruptError: A model or a package is missing.
        """
        if self._started:
            return
        speech = self._speech
        if "deepgram" in (speech.stt, speech.tts):
            self._secrets.need("deepgram_api_key", "Deepgram hears or speaks")
            _need_package("deepgram", "Deepgram", "pip install 'pipecat-interrupt[deepgram]'")
        if speech.tts == "openai" or (speech.llm == "openai" and speech.llm_base_url is None):
            self._secrets.need("openai_api_key", "OpenAI thinks or speaks")
        await self._models.load(
            ear=speech.stt == "local", voice=speech.tts == "local", model=speech.llm == "local", gate=speech.gate
        )
        self._started = True

    async def stop(self) -> None:
        """Stop the language model's process, where there is one."""
        self._started = False
        await self._models.stop()

    async def services(self, call: PhoneCall) -> CallServices:
        """Make the services of one call."""
        vad = await asyncio.to_thread(caller_vad)  # 0.1 s of loading must not stand in other calls' way
        llm = self._llm()
        return CallServices(
            stt=self._stt(),
            llm=llm,
            tts=self._tts(),
            vad=vad,
            acknowledger=self._acknowledger(llm),
            gate=await self._gate(call),
            model_id=self._model_id(),
            agent_id=f"{self._speech.tts}:{self._speech.tts_voice or 'default'}",
        )

    def _stt(self) -> STTService:
        if self._speech.stt == "local":
            return self._models.stt(self._config.language)
        from pipecat.services.deepgram.stt import DeepgramSTTService

        return DeepgramSTTService(
            api_key=self._secrets.need("deepgram_api_key", "Deepgram hears"),
            base_url=self._speech.stt_base_url or "",
            settings=DeepgramSTTService.Settings(
                model=self._speech.stt_model,
                language=self._config.language,
                interim_results=True,
                punctuate=True,
                diarize=True,
            ),
        )

    def _llm(self) -> ClosingOpenAILLMService:
        speech = self._speech
        local = speech.llm == "local"
        told = None if self._config.leads else speech.instructions
        settings = ClosingOpenAILLMService.Settings(model=self._model_id(), temperature=0.0, system_instruction=told)
        return ClosingOpenAILLMService(
            api_key=self._models.api_key if local else self._secrets.value("openai_api_key") or "none",
            base_url=self._models.base_url if local else speech.llm_base_url,
            settings=settings,
        )

    def _tts(self) -> TTSService:
        speech = self._speech
        if speech.tts == "local":
            return self._models.tts()
        if speech.tts == "deepgram":
            from pipecat.services.deepgram.tts import DeepgramTTSService

            return DeepgramTTSService(
                api_key=self._secrets.need("deepgram_api_key", "Deepgram speaks"),
                base_url=speech.tts_base_url or DEEPGRAM_VOICE_URL,
                settings=DeepgramTTSService.Settings(voice=speech.tts_voice) if speech.tts_voice else None,
            )
        from pipecat.services.openai.tts import OpenAITTSService

        chosen = OpenAITTSService.Settings(voice=speech.tts_voice) if speech.tts_voice else None
        key = self._secrets.need("openai_api_key", "OpenAI speaks")
        return OpenAITTSService(api_key=key, base_url=speech.tts_base_url, settings=chosen)

    def _acknowledger(self, llm: ClosingOpenAILLMService) -> Acknowledger:
        return WritingAcknowledger(service_writer(llm)) if self._speech.llm_writes else ServiceAcknowledger(llm)

    async def _gate(self, call: PhoneCall) -> SpeakerGateProcessor | None:
        if self._models.ears is None:
            return None
        from speaker_gate import CallGate, GateSettings

        settings = GateSettings(language=self._config.language)
        return SpeakerGateProcessor(CallGate(self._models.ears, call_id=call.id, settings=settings))

    def _model_id(self) -> str:
        return self._models.model_id if self._speech.llm == "local" else self._speech.llm_model


def _need_package(module: str, what: str, install: str) -> None:
    from importlib.util import find_spec

    from pipecat_interrupt.errors import MissingExtra

    if find_spec(module) is None:
        raise MissingExtra(what, install)
