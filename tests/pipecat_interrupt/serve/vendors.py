"""Deepgram and OpenAI on this machine, as far as their wire goes: for contract tests, with no key and no network.

Sources (read November 2026): Deepgram "Live audio" (listen: Results, Finalize, KeepAlive, CloseStream) and "Text to
speech streaming" (speak: Speak, Flush, Clear, Close); OpenAI "Chat completions" with and without streaming.
"""

from __future__ import annotations

import json
import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from aiohttp import WSMsgType, web

KEY = "a-key-for-tests"
LOUD = 500.0


@dataclass(frozen=True)
class Heard:
    """One utterance the recogniser will find: words with the label of who said each."""

    words: tuple[tuple[str, int], ...]

    @property
    def text(self) -> str:
        return " ".join(word for word, _ in self.words)


@dataclass
class Vendors:
    """Both vendors on one port; what was asked of them is kept.

    Parameters:
        heard: What the recogniser finds, one a stretch of sound.
        lines: What the model says when it streams.
        pick: The line a model picks, when it is asked for one; "" picks none of the approved.
    """

    heard: list[Heard] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    pick: str = ""
    port: int = 0
    listen_queries: list[dict[str, str]] = field(default_factory=list)
    control: list[str] = field(default_factory=list)
    spoken: list[str] = field(default_factory=list)
    chats: list[dict[str, Any]] = field(default_factory=list)
    refused: int = 0

    def application(self) -> web.Application:
        app = web.Application()
        app.router.add_get("/v1/listen", self._listen)
        app.router.add_get("/v1/speak", self._speak)
        app.router.add_post("/v1/chat/completions", self._chat)
        return app

    # ---- Deepgram hears

    async def _listen(self, request: web.Request) -> web.StreamResponse:
        if request.headers.get("Authorization") != f"Token {KEY}":
            self.refused += 1
            return web.Response(status=401)
        self.listen_queries.append(dict(request.query))
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        rate, samples, onset_s = int(request.query["sample_rate"]), 0, None
        async for message in socket:
            if message.type is WSMsgType.BINARY:
                chunk = np.frombuffer(message.data, "<i2").astype(np.float64)
                samples += len(chunk)
                if onset_s is None and self.heard and math.sqrt(float(np.mean(chunk**2))) > LOUD:
                    onset_s = samples / rate
                    first = Heard(self.heard[0].words[:1])
                    await socket.send_json(_results(first, onset_s, samples / rate, final=False, finalized=False))
            elif message.type is WSMsgType.TEXT:
                said = json.loads(message.data)["type"]
                self.control.append(said)
                if said == "Finalize":
                    found = self.heard.pop(0) if onset_s is not None and self.heard else Heard(())
                    at_s, onset_s = onset_s or samples / rate, None
                    await socket.send_json(_results(found, at_s, samples / rate, final=True, finalized=True))
                elif said == "CloseStream":
                    break
        await socket.close()
        return socket

    # ---- Deepgram speaks

    async def _speak(self, request: web.Request) -> web.StreamResponse:
        if request.headers.get("Authorization") != f"Token {KEY}":
            self.refused += 1
            return web.Response(status=401)
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        rate, waiting = int(request.query["sample_rate"]), ""
        async for message in socket:
            if message.type is not WSMsgType.TEXT:
                continue
            said = json.loads(message.data)
            if said["type"] == "Speak":
                waiting = f"{waiting} {said['text']}".strip()
            elif said["type"] == "Flush":
                self.spoken.append(waiting)
                await socket.send_bytes(_tone(0.06 * len(waiting), rate))
                await socket.send_json({"type": "Flushed", "sequence_id": len(self.spoken)})
                waiting = ""
            elif said["type"] == "Clear":
                await socket.send_json({"type": "Cleared", "sequence_id": len(self.spoken)})
            elif said["type"] == "Close":
                break
        await socket.close()
        return socket

    # ---- OpenAI thinks

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        if request.headers.get("Authorization") != f"Bearer {KEY}":
            self.refused += 1
            return web.json_response({"error": {"message": "wrong key", "type": "invalid_request_error"}}, status=401)
        asked = await request.json()
        self.chats.append(asked)
        if not asked.get("stream"):
            return web.json_response(_completion(asked, json.dumps({"line": self.pick})))
        response = web.StreamResponse(headers={"content-type": "text/event-stream"})
        await response.prepare(request)
        text = self.lines.pop(0) if self.lines else ""
        pieces = [f"{word} " for word in text.split()]
        for index, piece in enumerate([*pieces, None]):
            delta = {"role": "assistant", "content": piece} if piece is not None else {}
            choice = {"index": 0, "delta": delta, "finish_reason": None if index < len(pieces) else "stop"}
            await response.write(f"data: {json.dumps(_chunk(asked, choice))}\n\n".encode())
        await response.write(b"data: [DONE]\n\n")
        await response.write_eof()
        return response


def _results(heard: Heard, at_s: float, until_s: float, *, final: bool, finalized: bool) -> dict[str, Any]:
    each_s = max(0.01, (until_s - at_s) / max(1, len(heard.words)))
    words = [
        {
            "word": word.lower().strip(".?,"),
            "punctuated_word": word,
            "start": round(at_s + n * each_s, 3),
            "end": round(at_s + (n + 1) * each_s, 3),
            "confidence": 0.99,
            "speaker": speaker,
        }
        for n, (word, speaker) in enumerate(heard.words)
    ]
    return {
        "type": "Results",
        "channel_index": [0, 1],
        "duration": round(until_s - at_s, 3),
        "start": round(at_s, 3),
        "is_final": final,
        "speech_final": final,
        "from_finalize": finalized,
        "channel": {"alternatives": [{"transcript": heard.text, "confidence": 0.99, "words": words}]},
        "metadata": {
            "request_id": "r",
            "model_info": {"name": "nova-3", "version": "1", "arch": "nova-3"},
            "model_uuid": "m",
        },
    }


def _tone(seconds: float, rate: int) -> bytes:
    at_s = np.arange(round(seconds * rate)) / rate
    return (8000 * np.sin(2 * np.pi * 220 * at_s)).astype("<i2").tobytes()


def _completion(asked: dict[str, Any], text: str) -> dict[str, Any]:
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    base = {"id": "c", "object": "chat.completion", "created": 0, "model": asked["model"]}
    return base | {"choices": [choice], "usage": usage}


def _chunk(asked: dict[str, Any], choice: dict[str, Any]) -> dict[str, Any]:
    base = {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": asked["model"]}
    return base | {"choices": [choice]}


@asynccontextmanager
async def vendors(**script: Any) -> AsyncIterator[Vendors]:
    """Run both vendors for a test."""
    made = Vendors(**script)
    runner = web.AppRunner(made.application())
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    made.port = runner.addresses[0][1]
    try:
        yield made
    finally:
        await runner.cleanup()
