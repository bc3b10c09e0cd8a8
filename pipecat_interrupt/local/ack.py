"""Lets a language model choose among approved lines, never write one. Owns the choice; the caller owns the lines.

Free text of small models reassures and advises falsely, so here the model only picks: its output is constrained to the
lines where the server can do that, and compared with them in any case. Whatever goes wrong, the neutral line is said.
Pick lines that are safe after *any* reply: the choice is a matter of manners, not of content.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

TIMEOUT_S = 0.8
PREPARE_TIMEOUT_S = 30.0
REPLY_CHARS_MAX = 300
CHARS_PER_TOKEN_MIN = 2  # a bound for max_tokens, not an estimate


class Constraint(StrEnum):
    """How the server is made to answer with a line."""

    GRAMMAR = "grammar"
    """GBNF grammar in the request body (llama.cpp and its relatives)."""
    JSON_SCHEMA = "json_schema"
    """Structured output with an enum (OpenAI, vLLM, ...)."""
    NONE = "none"
    """Nothing; the reply must match a line by itself."""


class Refusal(StrEnum):
    """Why the neutral line was taken."""

    TIMEOUT = "timeout"
    UNREACHABLE = "unreachable"
    REJECTED = "rejected"
    NOT_A_LINE = "not_a_line"
    ONLY_ONE = "only_one"


@dataclass(frozen=True, slots=True)
class AckChoice:
    """One chosen acknowledgement.

    Parameters:
        line: What to say; always one of the approved lines.
        refusal: Why the neutral line was taken, or None when the model chose.
        took_s: Seconds from question to choice.
    """

    line: str
    refusal: Refusal | None
    took_s: float


class AckPicker:
    """Chooses an acknowledgement for a patient's reply.

    `pick` never raises and never takes longer than `timeout_s` by more than the loop's own delay.

    Args:
        lines: Approved lines, each once, none empty.
        neutral: The line for every doubt; added to `lines` if it is not one of them.
        base_url: OpenAI-compatible address, ending in `/v1`.
        model: Model id.
        api_key: Key of that server.
        examples: (patient's reply, line) pairs shown to the model first.
        timeout_s: Longest wait of one choice.
        client: An `AsyncOpenAI` (or its double) to use instead of making one for `base_url`.

    Raises:
        ValueError: A line is empty, or an example names a line that is not approved.
    """

    def __init__(
        self,
        lines: Sequence[str],
        neutral: str,
        *,
        base_url: str,
        model: str,
        api_key: str = "none",
        examples: Sequence[tuple[str, str]] = (),
        timeout_s: float = TIMEOUT_S,
        client: Any = None,
    ) -> None:
        self.lines = tuple(dict.fromkeys([*lines, neutral]))
        self.neutral = neutral
        if any(not line.strip() for line in self.lines):
            raise ValueError("an acknowledgement is empty")
        if strange := [line for _, line in examples if line not in self.lines]:
            raise ValueError(f"an example names a line that is not approved: {strange[0]!r}")
        self._by_form = {_form(line): line for line in self.lines}
        self._examples = tuple(examples)
        self._model = model
        self._timeout_s = timeout_s
        self._base_url, self._api_key = base_url, api_key
        self._client = client
        self.constraint = Constraint.GRAMMAR

    async def prepare(self) -> Constraint:
        """Find out before the call which constraint the server honours, and warm its cache with our prompt.

        Returns:
            The constraint that `pick` will use. Where none gave a line: `NONE`, and doubtful replies stay neutral.
        """
        for constraint in Constraint:
            self.constraint = constraint
            choice = await self._pick("Yes, that is fine.", PREPARE_TIMEOUT_S)
            if choice.refusal in (None, Refusal.ONLY_ONE, Refusal.UNREACHABLE):
                break
        return self.constraint

    async def pick(self, reply: str) -> AckChoice:
        """Choose a line for what the patient said.

        Args:
            reply: The patient's words; only the last 300 characters are shown to the model.

        Returns:
            The choice; on timeout, failure or any other reply than a line: the neutral line, with the reason.
        """
        return await self._pick(reply, self._timeout_s)

    async def close(self) -> None:
        """Close the connection."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    def messages(self, reply: str) -> list[dict[str, str]]:
        """The whole prompt for one choice; everything but its last message is the same in every choice."""
        rules = "Choose the one line a nurse says next to the caller. Answer with that line only.\n" + "\n".join(
            f"- {line}" for line in self.lines
        )
        shown = [{"role": "system", "content": rules}]
        for said, line in self._examples:
            shown += [{"role": "user", "content": f"CALLER: {said}"}, {"role": "assistant", "content": line}]
        return [*shown, {"role": "user", "content": f"CALLER: {' '.join(reply.split())[-REPLY_CHARS_MAX:]}"}]

    async def _pick(self, reply: str, timeout_s: float) -> AckChoice:
        started_s = time.monotonic()
        line, refusal = self.neutral, None
        if len(self.lines) == 1:
            refusal = Refusal.ONLY_ONE
        else:
            try:
                async with asyncio.timeout(timeout_s):
                    found = self._match(await self._ask(reply))
                line, refusal = (found, None) if found else (self.neutral, Refusal.NOT_A_LINE)
            except TimeoutError:
                refusal = Refusal.TIMEOUT
            except Exception as error:  # noqa: BLE001 - whatever the server does, the call goes on with the neutral line
                refusal = Refusal.REJECTED if hasattr(error, "status_code") else Refusal.UNREACHABLE
        return AckChoice(line, refusal, time.monotonic() - started_s)

    async def _ask(self, reply: str) -> str:
        if self._client is None:
            from openai import AsyncOpenAI

            self._client = AsyncOpenAI(base_url=self._base_url, api_key=self._api_key, max_retries=0)
        messages: Any = self.messages(reply)
        longest = max(len(line) for line in self.lines)
        options: dict[str, Any] = {"max_tokens": longest // CHARS_PER_TOKEN_MIN + 24, "temperature": 0.0}
        if self.constraint is Constraint.GRAMMAR:
            options["extra_body"] = {"grammar": grammar_of(self.lines)}
        elif self.constraint is Constraint.JSON_SCHEMA:
            options["response_format"] = _schema_of(self.lines)
        answer = await self._client.chat.completions.create(model=self._model, messages=messages, **options)
        return answer.choices[0].message.content or ""

    def _match(self, answer: str) -> str | None:
        """The approved line that the answer is, apart from case, quotes and outer punctuation."""
        if self.constraint is Constraint.JSON_SCHEMA:
            try:
                answer = str(json.loads(answer)["line"])
            except (ValueError, KeyError, TypeError):
                return None
        return self._by_form.get(_form(answer))


def grammar_of(lines: Sequence[str]) -> str:
    """A GBNF grammar whose only sentences are `lines`."""
    return "root ::= " + " | ".join(json.dumps(line, ensure_ascii=False) for line in lines)


def _schema_of(lines: Sequence[str]) -> dict[str, Any]:
    schema = {
        "type": "object",
        "properties": {"line": {"type": "string", "enum": list(lines)}},
        "required": ["line"],
        "additionalProperties": False,
    }
    return {"type": "json_schema", "json_schema": {"name": "acknowledgement", "strict": True, "schema": schema}}


def _form(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .!?\"'“”‘’")
