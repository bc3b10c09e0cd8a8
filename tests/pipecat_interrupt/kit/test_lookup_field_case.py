"""Field case D10 in the pipeline: the caller speaks while a look-up runs."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from pipecat.frames.frames import LLMRunFrame
from pipecat.processors.aggregators.llm_response_universal import LLMUserAggregatorParams
from pipecat.services.llm_service import FunctionCallParams

from obligations.testing import a_pathway, a_question
from pipecat_interrupt.kit import InterruptKit
from pipecat_interrupt.kit.settings import KitSettings
from pipecat_interrupt.steering import SteeringSettings
from pipecat_interrupt.testing import Reply, ScriptedCall, ScriptedLLM, ToolCall, run_call
from pipecat_interrupt.testing.call import CallResult

pytestmark = pytest.mark.pipeline

HOLDING = "One moment, I am looking you up."
FACT = "It is under my maiden name"
LOOK_UP_S = 6.0


def tool(message: dict[str, Any]) -> str:
    return str(message["content"]).strip('"')


def _play() -> tuple[InterruptKit, CallResult, ScriptedLLM, list[str]]:
    """The model looks a patient up with a holding phrase; the patient adds a fact while the look-up runs."""
    looked_up: list[str] = []

    def script(messages: list[dict[str, Any]]) -> Reply | str | None:
        told = any(FACT.lower() in str(m.get("content", "")).lower() for m in messages if m["role"] == "user")
        found = any(m["role"] == "tool" and "Silva" in str(m.get("content")) for m in messages)
        if found:
            return "I have found you."
        return Reply(text=HOLDING, calls=(ToolCall("find_patient", {"name": "maiden" if told else "married"}),))

    async def find_patient(params: FunctionCallParams) -> None:
        await asyncio.sleep(LOOK_UP_S)
        looked_up.append(str(params.arguments["name"]))
        await params.result_callback({"patient": "Silva"})

    llm = ScriptedLLM(script)
    llm.register_function("find_patient", find_patient)
    pathway = a_pathway(a_question("pain", "Have you had any pain?", "pain"))
    kit = InterruptKit(pathway, settings=KitSettings(steering=SteeringSettings(leads=False)))
    call = ScriptedCall(duration_s=25.0).patient(FACT, on_heard="looking")

    result = run_call(
        call,
        llm=llm,
        opening=LLMRunFrame,
        vad="text",
        tts="words",
        user_params=lambda parts: LLMUserAggregatorParams(user_turn_strategies=kit.turn_strategies()),
        instrument=kit.instrument,
    )
    return kit, result, llm, looked_up


def test_d10_the_look_up_is_retried_with_the_new_fact_and_nothing_is_claimed_before_its_result() -> None:
    """The cut look-up leaves no entry in progress; the second one has the new fact; only then is a result told."""
    kit, result, llm, looked_up = _play()

    told = [r.intended for r in kit.scribe.records]
    assert "maiden" in looked_up
    assert [HOLDING, HOLDING, "I have found you."] == told
    assert ["CANCELLED"] == [tool(m) for m in llm.requests[1] if m["role"] == "tool"]
    assert ["CANCELLED", '{"patient": "Silva"}'] == [tool(m) for m in result.messages if m["role"] == "tool"]


def test_d10_the_holding_phrase_is_logged_as_cut_and_is_no_obligation() -> None:
    """It stands in the records with what was heard of it; no item of the ledger is about it."""
    kit, _, _, _ = _play()

    cut = next(r for r in kit.scribe.records if r.intended == HOLDING)
    assert cut.cut is not None and HOLDING.startswith(cut.delivered.strip())
    assert kit.tracker is not None
    spans = [u.spans for u in kit.tracker.ledger.call.utterances.values() if u.text == HOLDING]
    assert spans and not any(spans)
