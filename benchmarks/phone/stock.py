"""The same phone bot as anybody would write it with Pipecat alone: its transport, serializer and turn strategies.

Owns the comparison's other side. Webhook, services and pipeline order are as in our server; nothing of ours is in it.
"""

from __future__ import annotations

import asyncio
import json
import socket
import uuid

import uvicorn
from fastapi import FastAPI, Request, Response, WebSocket
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import LLMContextAggregatorPair, LLMUserAggregatorParams
from pipecat.serializers.twilio import TwilioFrameSerializer
from pipecat.transports.websocket.fastapi import FastAPIWebsocketParams, FastAPIWebsocketTransport
from pipecat.turns.user_start import TranscriptionUserTurnStartStrategy, VADUserTurnStartStrategy
from pipecat.turns.user_stop import SpeechTimeoutUserTurnStopStrategy
from pipecat.turns.user_turn_strategies import UserTurnStrategies
from pipecat.workers.runner import WorkerRunner

from benchmarks.phone.bank import PhoneBank
from pipecat_interrupt.serve import Provider
from pipecat_interrupt.serve.registry import PhoneCall

RATE_HZ = 16_000


class StockServer(uvicorn.Server):
    """A server with one route for the webhook and one for media streams.

    Args:
        port: 0 for a free one.
        bank: Makes the services; the same as for ours.
    """

    def __init__(self, port: int, bank: PhoneBank) -> None:
        app = FastAPI()
        super().__init__(
            uvicorn.Config(app, port=port, access_log=False, log_config=None, ws_per_message_deflate=False)
        )
        self._bank = bank
        self._up = asyncio.Event()
        app.add_api_route("/twilio/voice", self._answer, methods=["POST"])
        app.add_api_websocket_route("/media/{token}", self._talk)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to listen (uvicorn calls this)."""
        await super().startup(sockets)
        self._up.set()

    async def listening(self) -> None:
        """Wait until it listens."""
        await self._up.wait()

    @property
    def port(self) -> int:
        """The port that is listened on."""
        return self.servers[0].sockets[0].getsockname()[1]

    async def _answer(self, request: Request) -> Response:
        del request
        url = f"wss://calls.example.org/media/{uuid.uuid4().hex}"
        xml = f'<Response><Connect><Stream url="{url}"/></Connect></Response>'
        return Response(xml, media_type="application/xml")

    async def _talk(self, websocket: WebSocket) -> None:
        await websocket.accept()
        start = {}
        while start.get("event") != "start":
            start = json.loads(await websocket.receive_text())
        serializer = TwilioFrameSerializer(
            start["start"]["streamSid"], params=TwilioFrameSerializer.InputParams(auto_hang_up=False)
        )
        params = FastAPIWebsocketParams(
            audio_in_enabled=True, audio_out_enabled=True, add_wav_header=False, serializer=serializer
        )
        transport = FastAPIWebsocketTransport(websocket, params)
        call = PhoneCall(uuid.uuid4().hex, Provider.TWILIO, str(start["start"]["callSid"]))
        services = await self._bank.services(call)
        strategies = UserTurnStrategies(
            start=[VADUserTurnStartStrategy(), TranscriptionUserTurnStartStrategy()],
            stop=[SpeechTimeoutUserTurnStopStrategy(user_speech_timeout=0.4)],
        )
        pair = LLMContextAggregatorPair(
            LLMContext(),
            user_params=LLMUserAggregatorParams(vad_analyzer=services.vad, user_turn_strategies=strategies),
        )
        chain = [transport.input(), services.stt, pair.user(), services.llm, services.tts, transport.output()]
        worker = PipelineWorker(
            Pipeline([*chain, pair.assistant()]),
            params=PipelineParams(audio_in_sample_rate=RATE_HZ, audio_out_sample_rate=RATE_HZ),
            cancel_on_idle_timeout=False,
            enable_rtvi=False,
        )

        @transport.event_handler("on_client_disconnected")
        async def _(_transport: object, _socket: object) -> None:
            await worker.cancel()

        runner = WorkerRunner(handle_sigint=False)
        await runner.add_workers(worker)
        await runner.run()
