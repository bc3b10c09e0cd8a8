"""One agent utterance under a hold, on virtual time: what the tests of this folder arrange and assert with."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from loguru import logger
from pipecat.frames.frames import Frame, LLMRunFrame, TTSSpeakFrame

from pipecat_interrupt.hold import HoldController, HoldParts, build_hold
from pipecat_interrupt.testing import (
    CallParts,
    CallResult,
    ListenerOutput,
    ScriptedCall,
    ScriptedTTS,
    TTSShape,
    run_call,
)

REPLY = "Take one tablet every morning with water. Do not drink grapefruit juice. Call us if you feel dizzy."
PROTECTED = "This call is recorded for your safety."
BACKENDS = ("filter", "gate")
CHUNK_S = 0.04
LEAD_S = {"filter": 0.04, "gate": 0.08}
"""Most that can still sound after a hold."""


@dataclass
class Held:
    """What came of a held call."""

    result: CallResult
    parts: HoldParts | None
    spoken: np.ndarray = field(repr=False)
    stream: np.ndarray = field(repr=False)

    @property
    def exact(self) -> bool:
        """Whether everything heard is the beginning of everything spoken, sample for sample."""
        n = min(len(self.spoken), len(self.stream))
        return bool((self.spoken[:n] == self.stream[:n]).all() and not self.stream[n:].any())

    @property
    def whole(self) -> bool:
        """Whether everything spoken was heard."""
        return len(self.stream) >= len(self.spoken)

    @property
    def actions(self) -> list[tuple[str, str]]:
        """The controller's log as (action, reason)."""
        return [(event.action, event.reason) for event in self.parts.controller.log] if self.parts else []

    def frames(self, kind: str) -> list[float]:
        """Call times at which a kind of frame came out of the transport, downstream."""
        entries = [e for e in self.result.parts.after.entries if e.kind == kind and e.direction == "DOWNSTREAM"]
        return [round(e.at_s - self.result.started_at_s, 3) for e in entries]

    @property
    def gaps(self) -> list[float]:
        """Lengths of the silences inside the agent's audio."""
        return [round(length, 3) for _, length in self.result.gaps()]


Step = tuple[float, Callable[[HoldController, CallParts], Any]]


def held_call(
    steps: list[Step],
    *,
    shape: TTSShape | ScriptedTTS = "inline",
    backend: str | None = "filter",
    duration_s: float = 14.0,
    opening: Callable[[], Frame] | None = LLMRunFrame,
    replies: Any = (REPLY,),
    output: ListenerOutput | None = None,
    script: ScriptedCall | None = None,
    hold: dict[str, Any] | None = None,
    **options: Any,
) -> Held:
    """Let the agent say `REPLY` and do the steps at their call times; backend None is stock Pipecat."""
    out = output or ListenerOutput()
    made: list[HoldParts] = []

    def instrument(chain: list[Any]) -> list[Any]:
        if backend is None:
            return chain
        made.append(build_hold(out, backend=backend, **(hold or {})))  # type: ignore[arg-type]  # test parameter
        return made[0].place(chain, out)

    call = script or ScriptedCall(duration_s)
    for at_s, act in steps:

        async def do(parts: CallParts, act: Any = act) -> None:
            done = act(made[0].controller if made else None, parts)
            if asyncio.iscoroutine(done):
                await done

        call.do(do, at_s=at_s)
    options.setdefault("vad", "text")
    logger.disable("pipecat")
    try:
        result = run_call(
            call, replies=list(replies), tts=shape, output=out, instrument=instrument, opening=opening, **options
        )
    finally:
        logger.enable("pipecat")
    samples = [context.samples for context in result.parts.tts.contexts]
    spoken = np.concatenate(samples) if samples else np.zeros(0, np.int16)
    return Held(result, made[0] if made else None, spoken, out.stream())


def protected(text: str = PROTECTED) -> TTSSpeakFrame:
    """Make speech that no interruption may cut."""
    frame = TTSSpeakFrame(text)
    frame.interruptible = False
    return frame
