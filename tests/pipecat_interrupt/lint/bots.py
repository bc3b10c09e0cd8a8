"""Small bots on doubles for the lint's tests: one call each, and what the lint says of the worker that ran it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pipecat.frames.frames import LLMRunFrame
from pipecat.processors.aggregators.llm_response_universal import LLMUserAggregatorParams

from pipecat_interrupt.kit import InterruptKit
from pipecat_interrupt.lint import Finding, lint
from pipecat_interrupt.testing import ScriptedCall, play_call, run_virtual
from pipecat_interrupt.testing.call import CallParts, CallResult

LINE = "Take one tablet every morning with a full glass of water and do not lie down for half an hour after it."


@dataclass(frozen=True)
class Run:
    """A call that was played and what was found in its worker."""

    result: CallResult
    findings: list[Finding]
    kit: InterruptKit | None

    @property
    def codes(self) -> set[str]:
        """The codes found."""
        return {finding.code for finding in self.findings}

    @property
    def heard(self) -> str:
        """What the listener heard of the agent."""
        return " ".join(context.text for context in self.result.heard)

    @property
    def was_cut(self) -> bool:
        """Whether the agent's line was not heard to its end."""
        return "after it." not in self.heard


def run(
    call: ScriptedCall | None = None,
    *,
    kit: Callable[[], InterruptKit] | None = None,
    user: dict[str, Any] | None = None,
    around: Callable[[CallParts, list[Any]], list[Any]] | None = None,
    strategies: Callable[[InterruptKit], Any] = lambda made: made.turn_strategies(),
    **play: Any,
) -> Run:
    """Play a call (agent speaks `LINE` at once) and lint the worker that ran it.

    Args:
        call: The timeline.
        kit: Makes the kit; None is plain Pipecat.
        user: Arguments of `LLMUserAggregatorParams`.
        around: Changes the list of processors before the kit sees it.
        strategies: Turn strategies, with a kit.
        play: Options of `play_call`.
    """

    async def main() -> Run:
        made = kit() if kit is not None else None
        seen: list[CallParts] = []

        def params(parts: CallParts) -> LLMUserAggregatorParams:
            given = dict(user or {})
            if made is not None:
                given.setdefault("user_turn_strategies", strategies(made))
                given.setdefault("empty_user_turn", None)
            return LLMUserAggregatorParams(**given)

        def build(parts: CallParts) -> list[Any]:
            seen.append(parts)
            return around(parts, parts.chain) if around is not None else parts.chain

        play.setdefault("replies", [LINE])
        play.setdefault("opening", LLMRunFrame)
        play.setdefault("vad", "energy")
        result = await play_call(
            call or ScriptedCall(4.0),
            user_params=params,
            build=build,
            instrument=made.instrument if made is not None else None,
            **play,
        )
        return Run(result, lint(seen[0].worker, kit=made), made)

    return run_virtual(main)
