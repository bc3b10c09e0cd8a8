"""A language-model double and the four characters it can play.

Owns scripted replies. It is a real `LLMService` with the OpenAI adapter, so contexts, tools, function calls and
interruptions go Pipecat's own way; only the words come from the script.
"""

from __future__ import annotations

import asyncio
import inspect
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pipecat.frames.frames import (
    Frame,
    FunctionCallFromLLM,
    LLMContextFrame,
    LLMFullResponseEndFrame,
    LLMFullResponseStartFrame,
)
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.frame_processor import FrameDirection
from pipecat.services.llm_service import LLMService
from pipecat.services.settings import LLMSettings

Messages = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One function call of a reply."""

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reply:
    """One scripted answer: words, function calls, or both."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()


Script = Callable[[Messages], "str | Reply | None | Awaitable[str | Reply | None]"]
"""A function from the messages the model would see to its answer; None is no answer at all."""


class ScriptedLLM(LLMService[Any]):
    """A language-model double.

    Args:
        script: Replies in order (the last line is followed by silence), or a function from the messages to a reply.
        first_token_s: Time to the first token.
        token_s: Time between tokens; a token is a word with the space before it.
        system_instruction: As of a real service; shown to the script as the first message.
        kwargs: Further `LLMService` arguments.

    `requests` holds the messages of every inference, in order, as they stood when it began.
    """

    reads_caller_audio = False

    def __init__(
        self,
        script: Sequence[str | Reply] | Script,
        *,
        first_token_s: float = 0.0,
        token_s: float = 0.0,
        system_instruction: str | None = None,
        **kwargs: Any,
    ) -> None:
        settings = LLMSettings(
            model="scripted",
            system_instruction=system_instruction,
            temperature=None,
            max_tokens=None,
            top_p=None,
            top_k=None,
            frequency_penalty=None,
            presence_penalty=None,
            seed=None,
            filter_incomplete_user_turns=False,
            user_turn_completion_config=None,
        )
        if hasattr(settings, "use_provider_thinking_default"):
            settings.use_provider_thinking_default = False
        super().__init__(settings=settings, **kwargs)
        self.requests: list[Messages] = []
        self.replies: list[Reply] = []
        self._script: Script = script if callable(script) else _in_order(script)
        self._first_token_s = first_token_s
        self._token_s = token_s

    def can_generate_metrics(self) -> bool:
        """Report metrics like a real service."""
        return True

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Answer contexts, pass everything else on."""
        await super().process_frame(frame, direction)
        if not isinstance(frame, LLMContextFrame):
            await self.push_frame(frame, direction)
            return
        try:
            await self.push_frame(LLMFullResponseStartFrame())
            await self.start_processing_metrics()
            await self._answer(frame.context)
        finally:
            await self.stop_processing_metrics()
            await self.push_frame(LLMFullResponseEndFrame())

    async def run_inference(
        self, context: LLMContext, max_tokens: int | None = None, system_instruction: str | None = None, **_: Any
    ) -> str | None:
        """Answer outside the pipeline (judges, summaries) from the same script."""
        return (await self._reply(context)).text or None

    async def _answer(self, context: LLMContext) -> None:
        reply = await self._reply(context)
        await self.start_ttfb_metrics()
        if self._first_token_s:
            await asyncio.sleep(self._first_token_s)
        for index, token in enumerate(re.findall(r"\s*\S+", reply.text)):
            await (asyncio.sleep(self._token_s) if index else self.stop_ttfb_metrics())
            await self._push_llm_text(token)
        if reply.calls:
            stamp = len(self.replies)
            await self.run_function_calls(
                [
                    FunctionCallFromLLM(
                        function_name=call.name,
                        tool_call_id=f"call-{stamp}-{index}",
                        arguments=dict(call.arguments),
                        context=context,
                    )
                    for index, call in enumerate(reply.calls)
                ]
            )

    async def _reply(self, context: LLMContext) -> Reply:
        system = self._settings.system_instruction
        messages: Messages = [{"role": "system", "content": system}] if isinstance(system, str) and system else []
        messages += [dict(message) for message in context.get_messages() if isinstance(message, Mapping)]
        self.requests.append(messages)
        answer = self._script(messages)
        if inspect.isawaitable(answer):
            answer = await answer
        reply = answer if isinstance(answer, Reply) else Reply(answer or "")
        self.replies.append(reply)
        return reply


def _in_order(replies: Sequence[str | Reply]) -> Script:
    left = list(replies)

    def script(_: Messages) -> str | Reply | None:
        return left.pop(0) if left else None

    return script


def deaf(lines: Sequence[str]) -> Script:
    """Make an agent that says its next line whatever happened: it never comes back to what was cut."""
    return _in_order(list(lines))


def looping(line: str) -> Script:
    """Make an agent that says the same line for ever."""
    return lambda _: line


def over_resuming(lines: Sequence[str]) -> Script:
    """Make an agent that, once cut, starts its cut line again from the beginning, even when the topic has changed.

    A line counts as cut when the history does not end its last agent message with the line's own last words.
    """
    return _resuming(lines, lambda line, _heard: line)


def cooperative(lines: Sequence[str], *, acknowledgement: str = "Of course.") -> Script:
    """Make an agent that answers an interruption in a word and then says what was not heard.

    It trusts the history: what it reads there as its own words is what it believes was heard.
    """

    def rest(line: str, heard: str) -> str:
        words = line.split()
        return f"{acknowledgement} {' '.join(words[_common(words, heard.split()) :])}"

    return _resuming(lines, rest)


def _resuming(lines: Sequence[str], again: Callable[[str, str], str]) -> Script:
    left = list(lines)
    last: list[str] = []

    def script(messages: Messages) -> str | None:
        heard = next((str(m.get("content") or "") for m in reversed(messages) if m.get("role") == "assistant"), "")
        if last and not _ends_with(heard, last[-1]):
            last[-1] = again(last[-1], heard)
            return last[-1]
        if not left:
            return None
        last.append(left.pop(0))
        return last[-1]

    return script


def _plain(word: str) -> str:
    return re.sub(r"\W", "", word).lower()


def _common(words: list[str], heard: list[str]) -> int:
    """Count how many of the first words occur, in order, at the start of what was heard."""
    count = 0
    while count < min(len(words), len(heard)) and _plain(words[count]) == _plain(heard[count]):
        count += 1
    return count


def _ends_with(heard: str, line: str) -> bool:
    tail = [_plain(word) for word in line.split()][-3:]
    return [_plain(word) for word in heard.split()][-len(tail) :] == tail if tail else True
