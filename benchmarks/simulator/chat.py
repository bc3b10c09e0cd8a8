"""The seam to every model of the simulator: messages in, one completion out.

Agents, patient stages and judges all use it; a scripted stand-in is an ordinary model here. Owns the meter that counts
what each model behind an endpoint was asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
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
class Asked:
    """What one model was asked for in a trial or a verdict; prices are put to it later.

    Parameters:
        model: Its name at its endpoint.
        calls: Completions it gave.
        prompt_tokens: Tokens it read; 0 where the endpoint does not say.
        completion_tokens: Tokens it wrote.
    """

    model: str
    calls: int
    prompt_tokens: int
    completion_tokens: int


class Meter:
    """Counts what each model was asked for while it is in place; see `metered`."""

    def __init__(self) -> None:
        self._asked: dict[str, Usage] = {}

    def note(self, model: str, usage: Usage) -> None:
        """Add one completion."""
        self._asked[model] = self._asked.get(model, Usage()) + usage

    def asked(self) -> tuple[Asked, ...]:
        """Give the counts, in order of the models' names."""
        return tuple(
            Asked(name, usage.calls, usage.prompt_tokens, usage.completion_tokens)
            for name, usage in sorted(self._asked.items())
        )


_METER: ContextVar[Meter | None] = ContextVar("meter", default=None)


@contextmanager
def metered() -> Iterator[Meter]:
    """Count what is asked inside, also in tasks that are started there; what runs beside it has its own meter."""
    meter = Meter()
    token = _METER.set(meter)
    try:
        yield meter
    finally:
        _METER.reset(token)


def note_asked(model: str, usage: Usage) -> None:
    """Tell the meter in place, if there is one, of one completion; every model behind an endpoint does."""
    meter = _METER.get()
    if meter is not None:
        meter.note(model, usage)


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
