"""How the agent reacts to a reply before it goes on: by the pathway's line, a model's choice, or a checked line.

Owns the `Acknowledger` seam. Whatever an acknowledger does, only a line that is approved or has passed `hazards_of` is
spoken, and the pathway's own line stands ready within a bound.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from loguru import logger

from pipecat_interrupt.steering.free_text import hazards_of

ACKNOWLEDGE_S_MAX = 1.0


class Acknowledger(Protocol):
    """Chooses or writes one short reaction.

    Promises: no side effect on the call. It may be slow or fail: the caller waits `ACKNOWLEDGE_S_MAX` at most.
    """

    async def acknowledge(self, reply: str, default: str, approved: Sequence[str], language: str) -> str:
        """Give the line to say.

        Args:
            reply: The patient's words.
            default: The pathway's line for this situation.
            approved: Every line the pathway approves, `default` among them.
            language: BCP 47 tag of the call.
        """
        ...


class PathwayAcknowledger:
    """Says the pathway's own line; needs no model."""

    async def acknowledge(self, reply: str, default: str, approved: Sequence[str], language: str) -> str:
        """Give the default."""
        return default


class ChoosingAcknowledger:
    """Lets a model pick among the approved lines.

    Args:
        pick: Takes the patient's words and the approved lines, gives one of them.
    """

    def __init__(self, pick: Callable[[str, Sequence[str]], Awaitable[str]]) -> None:
        self._pick = pick

    async def acknowledge(self, reply: str, default: str, approved: Sequence[str], language: str) -> str:
        """Give the picked line, or the default when the pick is not approved."""
        line = await self._pick(reply, approved)
        return line if line in approved else default


class WritingAcknowledger:
    """Lets a larger model write the line; what reassures, advises, claims or asks is replaced by the default.

    Args:
        write: Takes the patient's words, gives a line.
        on_refused: Told the names of the hazards of every refused line (never its words).
    """

    def __init__(
        self, write: Callable[[str], Awaitable[str]], on_refused: Callable[[tuple[str, ...]], None] | None = None
    ) -> None:
        self._write, self._on_refused = write, on_refused

    async def acknowledge(self, reply: str, default: str, approved: Sequence[str], language: str) -> str:
        """Give the written line when it is a bare acknowledgement, else the default."""
        line = (await self._write(reply)).strip()
        hazards = hazards_of(line, language, approved)
        if not line or hazards:
            if self._on_refused is not None:
                self._on_refused(tuple(h.value for h in hazards))
            return default
        return line


async def acknowledged(
    acknowledger: Acknowledger, reply: str, default: str, approved: Sequence[str], language: str
) -> str:
    """Ask an acknowledger within its bound; the default on any delay or failure."""
    if not default or len(approved) < 2:
        return default
    try:
        async with asyncio.timeout(ACKNOWLEDGE_S_MAX):
            return await acknowledger.acknowledge(reply, default, approved, language) or default
    except TimeoutError:
        return default
    except Exception as error:
        logger.warning("acknowledger failed: {}", type(error).__name__)
        return default
