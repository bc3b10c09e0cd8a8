"""Scripted calls for the kit's tests: the demo's patient on doubles, in virtual time."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from pipecat.frames.frames import Frame
from pipecat.processors.aggregators.llm_response_universal import LLMUserAggregatorParams

from obligations.steering import STOCK, SteeringPolicy
from pipecat_interrupt.demo.patient import DEMO_CUES, PatientCue, ReactivePatient
from pipecat_interrupt.gate import SpeakerGateProcessor
from pipecat_interrupt.kit import InterruptKit
from pipecat_interrupt.kit.settings import KitSettings
from pipecat_interrupt.live import RtviFacts, SpanExport
from pipecat_interrupt.testing import ScriptedCall, run_virtual, speech
from pipecat_interrupt.testing.call import CallParts, CallResult, play_call

CLIPS = Path(__file__).resolve().parents[3] / "pipecat_interrupt" / "demo" / "clips" / "clips.json"
TEXTS: dict[str, str] = {c["id"]: c["text"] for c in json.loads(CLIPS.read_text(encoding="utf-8"))}


def scripted_demo(
    system: str = "ours",
    *,
    cues: Sequence[PatientCue] = DEMO_CUES,
    duration_s: float = 150.0,
    at: Sequence[tuple[float, Callable[[CallParts, InterruptKit], Awaitable[None]]]] = (),
    settings: KitSettings | None = None,
    policy: SteeringPolicy | None = None,
    gate: SpeakerGateProcessor | None = None,
    rtvi: RtviFacts | None = None,
    spans: SpanExport | None = None,
    opening: Callable[[], Frame] | None = None,
    open_kit: Callable[[], Awaitable[InterruptKit]] | None = None,
    after: Callable[[], Awaitable[None]] | None = None,
    **play: Any,
) -> tuple[InterruptKit, CallResult]:
    """Play the demo's call on doubles.

    `at` does things at call times, `open_kit` makes another kit for it, `after` is awaited when all is over.
    """

    async def make() -> InterruptKit:
        return InterruptKit(
            "cataract-followup",
            call_id="c1",
            settings=settings or KitSettings(system=system),
            policy=policy or (STOCK if system == "stock" else None),
            gate=gate,
            rtvi=rtvi,
            spans=spans,
        )

    async def main() -> tuple[InterruptKit, CallResult]:
        kit = await (open_kit or make)()

        call = ScriptedCall(duration_s).do(lambda parts: _patient(parts, kit, cues), at_s=0.0)
        for at_s, action in at:
            call.do(lambda parts, action=action: action(parts, kit), at_s=at_s)

        def params(_: CallParts) -> LLMUserAggregatorParams:
            return LLMUserAggregatorParams(user_turn_strategies=kit.turn_strategies(), empty_user_turn=None)

        # Loudness finds made-up voices at every phase; a trained detector finds some of them only at some phases.
        play.setdefault("vad", "energy")
        result = await play_call(
            call, tts=play.pop("tts", "words"), user_params=params, instrument=kit.instrument, opening=opening, **play
        )
        await asyncio.sleep(0)
        if after is not None:
            await after()
        return kit, result

    return run_virtual(main)


async def _patient(parts: CallParts, kit: InterruptKit, cues: Sequence[PatientCue]) -> None:
    def say(clip: str) -> float:
        sound = speech(TEXTS[clip])
        start_s = parts.input.say(sound)
        parts.stt.hear(sound, at_s=start_s, user_id="patient")
        return sound.duration_s

    listener = ReactivePatient(cues, say, lambda: kit.recorder.heard_and_rest()[0])
    kit.recorder.add_listener(listener)
    if kit.settings.steering.leads:
        kit.begin()
    await listener.listen()
