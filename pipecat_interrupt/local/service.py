"""Pipecat's OpenAI-compatible service, with its HTTP connections closed when the pipeline is done.

Owns nothing but that. Pipecat 1.14 leaves the client open; a process that serves one call after another would collect
sockets. `create_client` is Pipecat's own hook for a client of one's choice.
"""

from __future__ import annotations

from typing import Any

from pipecat.services.openai.llm import OpenAILLMService


class ClosingOpenAILLMService(OpenAILLMService):
    """`OpenAILLMService` that gives its connections back in `cleanup`."""

    _clients: list[Any]

    def create_client(self, *args: Any, **kwargs: Any) -> Any:
        """Make the client and remember it (Pipecat calls this while it constructs the service)."""
        client = super().create_client(*args, **kwargs)
        self._clients = [*self.__dict__.get("_clients", ()), client]
        return client

    async def cleanup(self) -> None:
        """Close every client that was made."""
        await super().cleanup()
        await self.close()

    async def close(self) -> None:
        """Close the connections of a service that never ran in a pipeline; safe to call twice."""
        clients: list[Any] = self.__dict__.get("_clients", [])
        while clients:
            await clients.pop().close()
