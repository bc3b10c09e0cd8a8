"""Pipecat Flows and the guard: a flow that ends the call does not end it before the critical advice is heard.

The flow's last node has `end_conversation` among its post-actions; the model that leads it never gives the advice. The
kit holds the end, speaks the advice itself, and lets go. Run it: ``python examples/07_flows.py`` (no keys, no network,
no models; a scripted call in virtual time).
"""

from __future__ import annotations

import sys

from loguru import logger
from pipecat.flows import FlowManager, NodeConfig
from pipecat.processors.aggregators.llm_response_universal import LLMUserAggregatorParams

from obligations.testing import a_pathway, a_point
from pipecat_interrupt.kit import InterruptKit
from pipecat_interrupt.kit.settings import KitSettings
from pipecat_interrupt.steering import SteeringSettings
from pipecat_interrupt.testing import ScriptedCall, ScriptedLLM, play_call, run_virtual
from pipecat_interrupt.testing.call import CallParts
from pipecat_interrupt.testing.llm import Reply, ToolCall

logger.configure(handlers=[{"sink": sys.stderr, "level": "WARNING"}])  # Pipecat's own log would bury the output

ADVICE = "Call an ambulance if you have chest pain."
PATHWAY = a_pathway(a_point("ambulance", ADVICE, critical=True))
REPLIES = (
    "Hello from the clinic. How are you today?",
    Reply(calls=(ToolCall("finish"),)),
    "Lovely. Thank you for your time.",
)


def last_node() -> NodeConfig:
    """Say goodbye, then end."""
    message = {"role": "developer", "content": "Thank the patient."}
    return NodeConfig(name="last", task_messages=[message], post_actions=[{"type": "end_conversation"}])


async def finish(flow_manager: FlowManager) -> tuple[str, NodeConfig]:
    """The patient is well: go to the last node."""
    return "well", last_node()


def first_node() -> NodeConfig:
    """Ask how the patient is."""
    message = {"role": "developer", "content": "Ask how the patient is, then finish."}
    return NodeConfig(name="first", task_messages=[message], functions=[finish])


async def call() -> InterruptKit:
    """Play the flow with a model that never gives the advice."""
    kit = InterruptKit(PATHWAY, settings=KitSettings(steering=SteeringSettings(leads=False)))

    async def flow(parts: CallParts) -> None:
        manager = FlowManager(llm=parts.llm, context_aggregator=parts.pair, worker=parts.worker)
        await manager.initialize(first_node())

    script = ScriptedCall(60.0).do(flow, at_s=0.0).patient("I am very well, thank you.", on_heard="today", delay_s=1.0)
    await play_call(
        script,
        llm=ScriptedLLM(REPLIES),
        tts="words",
        opening=None,
        user_params=lambda _: LLMUserAggregatorParams(user_turn_strategies=kit.turn_strategies()),
        instrument=kit.instrument,
    )
    return kit


if __name__ == "__main__":
    played = run_virtual(call)
    for record in played.scribe.records:
        print(f"heard: {record.delivered}")
    assert played.handoff is not None
    print(f"ended: {played.handoff.end_reason}, open: {[item.item_id for item in played.handoff.open_items]}")
