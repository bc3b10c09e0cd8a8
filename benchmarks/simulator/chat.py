"""The seam to every model of the simulator: messages in, one completion out.

Agents, patient stages and judges all use it; a scripted stand-in is an ordinary model here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a chat.

    Parameters:
        role: "system", "developer", "user" or "assistant".
        content: Its text.
    """

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Usage:
    """What completions cost.

    Parameters:
        calls: Completions asked for.
        prompt_tokens: Tokens read; 0 where the model does not say.
        completion_tokens: Tokens written.
    """

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
        )


@dataclass(frozen=True, slots=True)
class Completion:
    """One answer of a model.

    Parameters:
        text: The answer, stripped.
        usage: What it cost.
    """

    text: str
    usage: Usage = field(default_factory=lambda: Usage(calls=1))


@runtime_checkable
class ChatModel(Protocol):
    """A model that continues a chat.

    Promises: no state between calls, so calls may run side by side; a failure is an `EnvironmentFault`.
    """

    @property
    def name(self) -> str:
        """The model's name in logs and reports, such as "deaf" or "openai/gpt-4o"."""
        ...

    async def complete(self, messages: Sequence[Message], *, seed: int) -> Completion:
        """Continue a chat; `seed` makes the answer repeatable where the model can."""
        ...
