"""Any OpenAI-compatible endpoint as a model: a local server, OpenRouter, a provider.

Owns retries, timeouts and token counts. The key is read from the environment and is never logged or stored.
"""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.errors import EnvironmentFault, MissingExtra
from benchmarks.simulator.chat import Completion, Message, Usage, note_asked

ATTEMPTS_MAX = 4
BACKOFF_S = 1.0
NO_ADDRESS = frozenset({"UnsupportedProtocol", "InvalidURL", "LocalProtocolError"})
HINTS = {
    401: "; check the key (--key-env names its variable)",
    403: "; check the key (--key-env names its variable)",
    404: "; check --base-url and the model's name",
}
RETRY_STATUS = frozenset({408, 409, 429, 500, 502, 503, 504, 529})


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointSettings:
    """How an endpoint is used.

    Parameters:
        base_url: The endpoint's base, such as "http://127.0.0.1:8080/v1".
        model: The model's name there.
        temperature: Sampling temperature, 0..2.
        tokens_max: Longest answer in tokens.
        timeout_s: Longest wait for one answer.
        key_env: Environment variable that holds the key; a missing one is sent as "none", which local servers accept.
        body: Further fields of the request, such as {"reasoning": {"effort": "none"}}.
        backoff_s: Mean wait before the second attempt; doubles with each further one.
    """

    base_url: str
    model: str
    temperature: float = 0.7
    tokens_max: int = 256
    timeout_s: float = 60.0
    key_env: str = "OPENAI_API_KEY"
    body: dict[str, Any] | None = None
    backoff_s: float = BACKOFF_S


class EndpointModel:
    """A model behind an OpenAI-compatible endpoint.

    Args:
        settings: Where it is and how it is asked.
        client: A ready `httpx.AsyncClient` (a test passes one with a fake transport); None makes one.
    """

    def __init__(self, settings: EndpointSettings, client: Any = None) -> None:
        self._settings = settings
        self._client = client

    @property
    def name(self) -> str:
        """The model's name at the endpoint."""
        return self._settings.model

    def _open(self) -> Any:
        if self._client is None:
            try:
                import httpx
            except ModuleNotFoundError:
                raise MissingExtra("httpx") from None
            self._client = httpx.AsyncClient(timeout=self._settings.timeout_s)
        return self._client

    def _request(self, messages: Sequence[Message], seed: int) -> dict[str, Any]:
        settings = self._settings
        return {
            "model": settings.model,
            "messages": [{"role": m.role, "content": m.content} for m in messages],
            "temperature": settings.temperature,
            "max_tokens": settings.tokens_max,
            "seed": seed % 2**31,
            **(settings.body or {}),
        }

    async def complete(self, messages: Sequence[Message], *, seed: int) -> Completion:
        """Ask once, with up to four attempts on passing faults.

        Raises:
            EnvironmentFault: The endpoint refused, was unreachable or answered in another form.
        """
        client, settings = self._open(), self._settings
        headers = {"Authorization": f"Bearer {os.environ.get(settings.key_env, 'none')}"}
        url = settings.base_url.rstrip("/") + "/chat/completions"
        problem = ""
        for attempt in range(ATTEMPTS_MAX):
            if attempt:
                await asyncio.sleep(settings.backoff_s * 2 ** (attempt - 1) * (0.5 + random.random()))
            try:
                response = await client.post(url, json=self._request(messages, seed), headers=headers)
            except Exception as error:  # Any transport's error class: the client was passed in.
                problem = f"{type(error).__name__}; check --base-url"
                if type(error).__name__ in NO_ADDRESS:
                    break
                continue
            if response.status_code == 200:
                done = _read(response, settings.model)
                note_asked(settings.model, done.usage)
                return done
            problem = f"status {response.status_code}{HINTS.get(response.status_code, '')}"
            if response.status_code not in RETRY_STATUS:
                break
        raise EnvironmentFault(f"{settings.model} at {settings.base_url}: {problem}")

    async def aclose(self) -> None:
        """Close the connection, if one was opened."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None


def _read(response: Any, model: str) -> Completion:
    try:
        body = response.json()
        text = body["choices"][0]["message"]["content"] or ""
    except (ValueError, KeyError, IndexError, TypeError):
        raise EnvironmentFault(f"{model}: the endpoint answered in an unknown form") from None
    said: Any = body.get("usage")
    usage: dict[str, Any] = said if isinstance(said, dict) else {}
    return Completion(
        str(text).strip(), Usage(1, _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens")))
    )


def _count(said: object) -> int:
    """A count of tokens; what is no whole number from 0 on was not counted."""
    return said if isinstance(said, int) and not isinstance(said, bool) and said >= 0 else 0
