"""Lets the pipeline's own language model service pick an approved reaction, or write one that is then checked.

Owns the prompts and the constraint. Free text of small models reassures and advises falsely, so a pick is constrained
to the approved lines by a JSON schema where the service can enforce one, and compared with them in any case.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.services.llm_service import LLMService

REPLY_CHARS_MAX = 300
TOKENS_MAX = 48
RULES = 'Choose the one line that a nurse on the phone says next to the caller. Answer with JSON: {"line": "..."}'

WRITING_RULES = (
    "You are on the phone for a clinic. The caller has just spoken. React with one short sentence that only shows you"
    " heard them. Give no advice, no reassurance and no facts, and ask nothing."
)


class ServiceAcknowledger:
    """Asks a Pipecat language model service.

    Args:
        service: Any service with `run_inference`; the one in the pipeline.
    """

    def __init__(self, service: LLMService[Any]) -> None:
        self._service = service
        self._schema_known = "response_schema" in inspect.signature(service.run_inference).parameters

    async def warm(self, approved: Sequence[str]) -> None:
        """Put the prompt's beginning into the server's cache, so that the first reply of a call does not pay for it.

        Raises:
            Exception: Whatever the service raises when the server cannot be reached.
        """
        await self._ask("Yes, that is fine.", approved)

    async def acknowledge(self, reply: str, default: str, approved: Sequence[str], language: str) -> str:
        """Give the picked line; the default when the reply is none of the approved lines."""
        answer = await self._ask(reply, approved)
        return _line_in(answer, approved) or default

    async def _ask(self, reply: str, approved: Sequence[str]) -> str:
        shown = "\n".join(f"- {line}" for line in approved)
        messages: list[Any] = [{"role": "user", "content": f"CALLER: {' '.join(reply.split())[-REPLY_CHARS_MAX:]}"}]
        options: dict[str, Any] = {"response_schema": _schema(approved)} if self._schema_known else {}
        answer = await self._service.run_inference(
            LLMContext(messages), max_tokens=TOKENS_MAX, system_instruction=f"{RULES}\n{shown}", **options
        )
        return answer or ""


def service_writer(service: LLMService[Any]) -> Callable[[str], Awaitable[str]]:
    """Make a function that lets a service write a reaction, for `WritingAcknowledger`, which checks every line."""

    async def write(reply: str) -> str:
        messages: list[Any] = [{"role": "user", "content": " ".join(reply.split())[-REPLY_CHARS_MAX:]}]
        answer = await service.run_inference(
            LLMContext(messages), max_tokens=TOKENS_MAX, system_instruction=WRITING_RULES
        )
        return answer or ""

    return write


def _schema(approved: Sequence[str]) -> dict[str, Any]:
    return {
        "title": "acknowledgement",
        "type": "object",
        "properties": {"line": {"type": "string", "enum": list(approved)}},
        "required": ["line"],
        "additionalProperties": False,
    }


def _line_in(answer: str, approved: Sequence[str]) -> str | None:
    """The approved line an answer holds: as JSON, or bare."""
    try:
        answer = str(json.loads(answer)["line"])
    except (ValueError, KeyError, TypeError):
        pass
    folded = answer.strip().strip("\"'").casefold()
    return next((line for line in approved if line.casefold() == folded), None)
