"""Only the floor: overlaps judged, audio held and resumed, in a bot without kit, recorder or ledger.

Run it: ``python examples/11_floor_alone.py``. "Mm-hmm" leaves the agent speaking, "Stop, please" yields.
"""

from __future__ import annotations

import sys
from typing import Any

from loguru import logger
from pipecat.processors.aggregators.llm_response_universal import LLMUserAggregatorParams
from pipecat.turns.user_stop import SpeechTimeoutUserTurnStopStrategy
from pipecat.turns.user_turn_strategies import UserTurnStrategies

from pipecat_interrupt.hold import build_hold
from pipecat_interrupt.overlap.facts import OverlapReport
from pipecat_interrupt.overlap.processor import OverlapProcessor
from pipecat_interrupt.testing import CallParts, ListenerOutput, ScriptedCall, run_call

logger.configure(handlers=[{"sink": sys.stderr, "level": "WARNING"}])  # Pipecat's own log would bury the output

ADVICE = "Take one tablet every morning with water, and do not lie down for half an hour after it."


class Print:
    """Says what was judged."""

    def on_overlap(self, report: OverlapReport) -> None:
        """Print a verdict."""
        if report.revision:
            print(f'  "{report.fact.words}": {report.fact.verdict}, floor taken: {report.takes_floor}')


def play(words: str) -> None:
    """Let the patient say some words in the middle of the advice."""
    overlap, output = OverlapProcessor(listeners=[Print()]), ListenerOutput()
    stop = SpeechTimeoutUserTurnStopStrategy(user_speech_timeout=0.4)
    strategies = UserTurnStrategies(start=[overlap.start_strategy()], stop=[stop])

    def instrument(chain: list[Any]) -> list[Any]:
        hold = build_hold(output)
        overlap.hold = hold.controller
        return hold.place(chain, output)

    def build(parts: CallParts) -> list[Any]:
        at = parts.chain.index(parts.pair.user())
        return [*parts.chain[:at], overlap, *parts.chain[at:]]

    result = run_call(
        ScriptedCall(10.0).patient(words, at_s=2.0),
        replies=[ADVICE, "Of course."],
        vad="energy",
        output=output,
        user_params=LLMUserAggregatorParams(user_turn_strategies=strategies),
        build=build,
        instrument=instrument,
    )
    print(f"  heard: {' | '.join(context.text for context in result.heard)}")


def main() -> None:
    """Play both."""
    for words in ("Mm-hmm.", "Stop, please."):
        print(words)
        play(words)


if __name__ == "__main__":
    main()
