"""Whole calls through the kit with the gate: who may stop the agent, and what reaches the model."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

import numpy as np
import pytest
from pipecat.processors.aggregators.llm_response_universal import LLMUserAggregatorParams

from pipecat_interrupt.gate import GatePipelineSettings, SpeakerGateProcessor
from pipecat_interrupt.kit import InterruptKit
from pipecat_interrupt.kit.settings import KitSettings
from pipecat_interrupt.overlap.config import OverlapConfig
from pipecat_interrupt.testing.call import CallParts, CallResult, ScriptedCall, play_call
from pipecat_interrupt.testing.virtual_time import run_virtual
from pipecat_interrupt.testing.voice import Speech, SpokenWord
from speaker_gate import CallGate, GateSettings
from speaker_gate.testing import fake_ears, say

pytestmark = pytest.mark.pipeline

SENTENCE = "Please keep the eye shield on every night for the whole of the first week after your operation."


class Inline(Executor):
    """Runs at once, so that virtual time and the model stay in step."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


def tone(voice: str, text: str, seconds: float) -> Callable[[int], Speech]:
    def make(rate: int) -> Speech:
        samples = (say(voice, seconds) * 32_767).astype(np.int16)
        words = text.split()
        step = seconds / len(words)
        return Speech(text, samples, rate, tuple(SpokenWord(w, i * step, (i + 1) * step) for i, w in enumerate(words)))

    return make


def enrolled() -> CallGate:
    gate = CallGate(fake_ears(), settings=GateSettings(check_rate=False))
    for at_s in (-20.0, -10.0):
        gate.begin_turn(at_s, 16_000)
        gate.hear(say("patient", 3.0))
        gate.end_turn(at_s + 3.0)
    return gate


def played(voice: str, text: str, seconds: float = 2.0) -> CallResult:
    async def main() -> CallResult:
        settings = GatePipelineSettings(only_while_agent_active=False)
        gate = SpeakerGateProcessor(enrolled(), settings=settings, executor=Inline())
        overlap = OverlapConfig(speech_s_to_yield=1.6)
        kit = InterruptKit(gate=gate, settings=KitSettings(overlap=overlap))

        def params(_: CallParts) -> LLMUserAggregatorParams:
            return LLMUserAggregatorParams(user_turn_strategies=kit.turn_strategies())

        call = ScriptedCall(16.0).sound(make=tone(voice, text, seconds), user_id=voice, at_s=2.5)
        return await play_call(
            call,
            replies=[SENTENCE, "Understood."],
            tts="words",
            vad="energy",
            user_params=params,
            instrument=kit.instrument,
        )

    return run_virtual(main)


def told(result: CallResult) -> str:
    return " ".join(str(message.get("content")) for message in result.messages)


def test_the_television_neither_stops_the_agent_nor_reaches_the_model() -> None:
    """Ignorable speech over the agent: the sentence is heard to its end and the model never sees the words."""
    result = played("television", "and now the weather for tomorrow in the north")

    assert "your operation." in " ".join(context.text for context in result.heard)
    assert "weather" not in told(result)


def test_the_patient_stops_the_agent_and_is_heard() -> None:
    """The same moment, the patient's voice: the agent yields and the words are the patient's."""
    result = played("patient", "wait please stop I have a question about that")

    assert "I have a question" in told(result)
    assert "Understood." in " ".join(context.text for context in result.heard)


def test_a_carers_correction_reaches_the_model_only_as_somebody_elses() -> None:
    """Actionable words over the agent: attributed, the sentence goes on to its end."""
    result = played("daughter", "no it is the left eye not the right eye", 2.5)

    assert "Someone with the patient said" in told(result)
    users = [m for m in result.messages if m.get("role") == "user"]
    assert not any("left eye" in str(message.get("content")) for message in users)
