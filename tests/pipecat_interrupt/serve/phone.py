"""A phone server on a free port with scripted services, and a caller who is heard by them: helpers of these tests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fastapi import FastAPI

from obligations.pathway import Pathway, load_pathway
from obligations.stores import LedgerStore
from pipecat_interrupt.serve import CallRegistry, Limits, Provider, ServeConfig, create_app
from pipecat_interrupt.serve.registry import PhoneCall
from pipecat_interrupt.serve.secrets import Secrets
from pipecat_interrupt.serve.server import PhoneServer
from pipecat_interrupt.serve.services import CallServices
from pipecat_interrupt.testing import EnergyVAD, ScriptedLLM, ScriptedSTT, ScriptedTTS, speech
from pipecat_interrupt.testing.carrier import CallIds, LineConditions, SimulatedCall, ring
from pipecat_interrupt.testing.carrier.ringing import CarrierSecrets

TWILIO_TOKEN = "a-secret-of-a-carrier-0123456789"


class ScriptedBank:
    """Services from a script; `spoil` may break those of one call."""

    def __init__(self, lines: tuple[str, ...] = (), spoil: Callable[[PhoneCall], None] | None = None) -> None:
        self.made: dict[str, CallServices] = {}
        self.started = self.stopped = 0
        self._lines, self._spoil = lines, spoil

    async def start(self) -> None:
        self.started += 1

    async def stop(self) -> None:
        self.stopped += 1

    async def services(self, call: PhoneCall) -> CallServices:
        if self._spoil is not None:
            self._spoil(call)
        self.made[call.carrier_id] = made = CallServices(
            stt=ScriptedSTT(delay_s=0.05),
            llm=ScriptedLLM(self._lines),
            tts=ScriptedTTS("words", first_audio_s=0.02, speed=40.0),
            vad=EnergyVAD(),
        )
        return made


@dataclass
class Phone:
    """A running server."""

    server: PhoneServer
    app: FastAPI
    config: ServeConfig
    bank: Any
    secrets: CarrierSecrets = field(default_factory=CarrierSecrets)

    @property
    def registry(self) -> CallRegistry:
        return self.app.state.registry

    @property
    def http(self) -> str:
        return f"http://127.0.0.1:{self.server.port}"

    async def stream_url(self, ids: CallIds, query: str = "") -> str:
        """Ask the webhook, as the carrier would, and give the stream's address on this port."""
        provider = self.config.provider.value
        path = f"/{provider}/voice{query}"
        url = await ring(self.http + path, provider, ids, self.secrets, public_url=self.config.base_url + path)
        return f"ws://127.0.0.1:{self.server.port}/media/{url.rsplit('/', 1)[1]}"

    async def call(self, ids: CallIds | None = None, conditions: LineConditions | None = None) -> SimulatedCall:
        """Place a call."""
        named = ids or CallIds()
        line = SimulatedCall(self.config.provider.value, named, conditions)
        await line.open(await self.stream_url(named))
        return line

    def say(self, line: SimulatedCall, text: str) -> None:
        """The caller says something, and the scripted recogniser will know what."""
        clip = speech(text)
        loop = asyncio.get_running_loop()
        line.say(clip.samples, clip.sample_rate_hz)
        self.bank.made[line.ids.call].stt.hear(clip, at_s=loop.time())

    def folder(self, carrier_id: str) -> Path:
        """Where a call's records stand."""
        calls = (*self.registry.calls, *self.registry.finished)
        return self.config.out / next(c.id for c in calls if c.carrier_id == carrier_id)

    async def over(self, carrier_id: str, within_s: float = 10.0) -> PhoneCall:
        """Wait until a call is over."""
        async with asyncio.timeout(within_s):
            while True:
                for call in self.registry.finished:
                    if call.carrier_id == carrier_id:
                        return call
                await asyncio.sleep(0.01)


@asynccontextmanager
async def serving(
    out: Path,
    *,
    pathway: str | Pathway | None = None,
    provider: Provider = Provider.TWILIO,
    bank: Any = None,
    limits: Limits | None = None,
    secrets: Secrets | None = None,
    signs: CarrierSecrets | None = None,
    store: LedgerStore | None = None,
    **more: Any,
) -> AsyncIterator[Phone]:
    """Run a server for a test."""
    config = ServeConfig(
        pathway=pathway,
        provider=provider,
        port=0,
        out=out,
        unsigned=secrets is None,
        public_url="https://calls.example.org",
        limits=limits or Limits(),
        end_silence_s=0,
        **more,
    )
    scripted = bank or ScriptedBank()
    app = create_app(config, scripted, secrets=secrets or Secrets(), store=store)
    server = PhoneServer(app, config)
    running = asyncio.ensure_future(server.serve())
    up = asyncio.ensure_future(server.listening())
    await asyncio.wait([up, running], timeout=20, return_when=asyncio.FIRST_COMPLETED)
    if running.done():
        running.result()
    try:
        yield Phone(server, app, config, scripted, signs or CarrierSecrets())
    finally:
        server.should_exit = True
        async with asyncio.timeout(20):
            await running


def bundled(name: str = "ai-disclosure") -> Pathway:
    """A bundled pathway."""
    return load_pathway(name, "en")
