"""The patient says goodbye to a model that leads: one short offer of what is most critical, then the end."""

from __future__ import annotations

import pytest
from pipecat.adapters.llm.schemas.function_schema import FunctionSchema
from pipecat.adapters.llm.schemas.tools_schema import ToolsSchema
from pipecat.frames.frames import EndWorkerFrame, LLMSetToolsFrame
from pipecat.processors.frame_processor import FrameDirection
from pipecat.services.llm_service import FunctionCallParams

from obligations.pathway import OnAnswer, Pathway
from obligations.steering import SteeringPolicy
from obligations.testing import a_group, a_pathway, a_point, a_question
from pipecat_interrupt.demo.patient import PatientCue
from pipecat_interrupt.journal.entries import MoveMade
from pipecat_interrupt.kit import InterruptKit
from pipecat_interrupt.replay.again import replay_journal
from pipecat_interrupt.testing.call import CallParts
from pipecat_interrupt.testing.llm import Reply, ToolCall

from .framed import framed_call, heard

pytestmark = pytest.mark.pipeline

PATHWAY = a_pathway(
    a_point("rest", "Rest when you are tired."),
    a_question("pain", "Do you have any pain?", "any pain", critical=True),
    a_point("ring", "Ring us if it gets worse.", critical=True),
)
FLAGGED = a_pathway(
    a_question("pain", "Do you have any pain?", "any pain", critical=True),
    a_question(
        "flashes",
        "Have you seen any flashing lights?",
        "flashing lights",
        critical=True,
        red_flag_answers=("yes",),
        confirm={"en": "Have you seen flashing lights, yes or no?"},
    ),
    a_group(
        "at-once",
        [a_point("call", "Call the eye clinic today.", critical=True)],
        trigger=OnAnswer(on="answer", question="flashes", values=("yes",)),
        due={"by": "at_once"},
    ),
)
LEAVES = PatientCue("hello from the clinic", "Thanks, I have to go now. Goodbye.", times=1)
OFFER = "Before you go, one important thing. Do you have any pain?"


def goodbye_call(*cues: PatientCue, pathway: Pathway = PATHWAY, first: PatientCue = LEAVES) -> InterruptKit:
    """Play a call in which the model answers the goodbye with its own and hangs up by its tool."""

    async def hang_up(params: FunctionCallParams) -> None:
        await params.result_callback({"ok": True})
        await params.llm.push_frame(EndWorkerFrame(), FrameDirection.UPSTREAM)

    async def offer(parts: CallParts, _: InterruptKit) -> None:
        parts.llm.register_function("hang_up", hang_up)
        schema = FunctionSchema(name="hang_up", description="End the call.", properties={}, required=[])
        await parts.worker.queue_frame(LLMSetToolsFrame(tools=ToolsSchema(standard_tools=[schema])))

    hello, leaves = "Hello from the clinic.", Reply("Take care then.", calls=(ToolCall("hang_up"),))
    kit, result = framed_call(
        first,
        *cues,
        pathway=pathway,
        model="deaf",
        replies=[hello, leaves, "Bye.", "And another thing?", "And another thing?"],
        at=[(0.0, offer)],
        duration_s=90.0,
    )
    assert result.ended_itself
    return kit


def moves(kit: InterruptKit) -> list[MoveMade]:
    """What the guard and its leave-taking did."""
    return [e.data for e in kit.memory.entries if isinstance(e.data, MoveMade)]


def left_open(kit: InterruptKit) -> set[str]:
    """The items the hand-off names as open, each with a reason."""
    assert kit.handoff is not None
    assert all(item.detail for item in kit.handoff.open_items)
    return {item.item_id for item in kit.handoff.open_items}


def test_one_offer_and_then_the_end() -> None:
    """The most critical item, answered; a goodbye; the rest in the hand-off. The model is asked no more."""
    kit = goodbye_call(PatientCue("any pain", "No, no pain."))

    assert ["guard", "goodbye", "release"] == [m.purpose for m in moves(kit)]
    assert OFFER == moves(kit)[0].text
    assert len(OFFER) / SteeringPolicy().speech_chars_per_s <= 15.0
    assert heard(kit).index("Take care then.") < heard(kit).index(OFFER)
    assert {"rest", "ring"} == left_open(kit)
    assert "another thing" not in heard(kit)


def test_an_answer_that_takes_its_time_is_waited_for() -> None:
    """The end does not cut off the reply to the guard's own question."""
    kit = goodbye_call(PatientCue("any pain", "No, no pain.", delay_s=4.0))

    assert kit.tracker is not None
    assert "no" == getattr(kit.tracker.ledger.items["pain"].answer, "value", None)
    assert {"rest", "ring"} == left_open(kit)


def test_silence_after_the_offer_ends_the_call() -> None:
    """Nothing is offered twice."""
    kit = goodbye_call()

    assert 1 == heard(kit).count(OFFER)
    assert {"rest", "pain", "ring"} == left_open(kit)


@pytest.mark.parametrize(
    ("words", "why"), [("No thanks, I have to go.", "offer_declined"), ("Stop. Stop it.", "refused")]
)
def test_a_refusal_over_the_offer_ends_the_call_at_once(words: str, why: str) -> None:
    """No second offer, and no further word."""
    kit = goodbye_call(PatientCue("one important thing", words, when="during", delay_s=0.0, times=1))

    assert ["guard", "release"] == [m.purpose for m in moves(kit)]
    assert why == moves(kit)[-1].reason
    assert {"rest", "pain", "ring"} == left_open(kit)


def test_a_red_flag_told_over_the_goodbye_keeps_its_route() -> None:
    """Confirmed once, its advice given once, and the flag raised, before the call ends."""
    leaves = PatientCue("hello from the clinic", "Goodbye. Oh, I have seen some flashing lights.", times=1)
    kit = goodbye_call(PatientCue("flashing lights", "Yes."), pathway=FLAGGED, first=leaves)

    assert kit.handoff is not None
    assert ["flashes"] == [flag.item_id for flag in kit.handoff.red_flags]
    assert [("flashes",), ("call",)] == [m.item_ids for m in moves(kit) if m.purpose == "guard"]
    assert {"flashes": "yes"} == {a.item_id: a.value for a in kit.handoff.answers}


def test_such_a_call_is_replayed_move_for_move() -> None:
    """The journal of a call that a model led says why the guard held and let go."""
    kit = goodbye_call(PatientCue("any pain", "No, no pain."))

    again = replay_journal(list(kit.memory.entries), PATHWAY)

    assert [] == again.differences
