"""RTVI: what a real client at the end of the transport gets, through Pipecat's own observer and processor."""

from __future__ import annotations

import asyncio

import pytest
from jsonschema import Draft202012Validator
from pipecat.frames.frames import CancelFrame
from pipecat.processors.aggregators.llm_response_universal import LLMUserAggregatorParams

from pipecat_interrupt.journal import JournalWriter, MemorySink
from pipecat_interrupt.journal.entries import MoveMade
from pipecat_interrupt.kit import InterruptKit
from pipecat_interrupt.live import RtviFacts, live_message_schema
from pipecat_interrupt.testing import ScriptedCall, play_call, run_virtual
from pipecat_interrupt.testing.call import CallParts, CallResult
from tests.pipecat_interrupt.kit.calls import scripted_demo

from .live_calls import (
    QUESTION,
    WORDS,
    interrupted_and_told,
    interrupted_call,
    pathway_and_told,
    server_messages,
)

pytestmark = pytest.mark.pipeline


def test_a_client_is_told_of_the_cut_while_the_call_runs() -> None:
    """One interrupted answer: started, overlap, verdict, hold, and the record with where it was cut; and no words."""
    _, result, _ = interrupted_and_told("off")

    told = server_messages(result)
    published = Draft202012Validator(live_message_schema())
    assert [e.message for message in told for e in published.iter_errors(message)] == []
    kinds = [m["data"]["kind"] for m in told]
    cut = next(m["data"] for m in told if m["data"]["kind"] == "utterance")
    assert kinds[0] == "call_started"
    assert kinds.index("utterance_started") < kinds.index("overlap") < kinds.index("utterance")
    assert "hold" in kinds
    verdicts = [m["data"]["verdict"] for m in told if m["data"].get("onset_s") == cut["overlap_onset_s"]]
    assert (cut["end_reason"], cut["cut_words"]) == ("interruption", 7)
    assert verdicts[-1] == "question"
    assert cut["delivered_chars"] < cut["intended_chars"]
    assert [m["n"] for m in told] == list(range(len(told)))
    assert not any(word in str(told).lower() for word in WORDS)


def test_words_are_sent_only_when_asked_for() -> None:
    """With the journal's policy for the patient's words the agent's go out and the patient's are masked."""
    _, result, _ = interrupted_and_told("patient_words")

    told = str(server_messages(result))
    assert "Take one tablet every morning" in told
    assert QUESTION not in told
    assert "xxxxx" in told


def test_a_planned_end_tells_the_client_what_stays_open_before_the_line_closes() -> None:
    """The obligations move message by message, then hand-off and end come, and only then the transport closes."""
    kit, result, _ = pathway_and_told()

    told = [m["data"] for m in server_messages(result)]
    assert result.ended_itself
    assert [d["kind"] for d in told[-2:]] == ["handoff", "call_ended"]
    assert kit.handoff is not None
    assert told[-2]["answered"] == [a.item_id for a in kit.handoff.answers]
    states = {d["item_id"]: d["state"] for d in told if d["kind"] == "obligation"}
    assert states == {o.id: o.state for o in kit.summary().obligations}
    heard = [e.data.kind for e in kit.memory.entries].count("utterance")
    assert [d["kind"] for d in told].count("utterance") == heard == len(kit.scribe.records)


def test_a_hang_up_is_not_held_for_messages() -> None:
    """Nobody is there to be told: the call ends at once and the journal is whole."""

    async def hang_up(parts: CallParts, kit: InterruptKit) -> None:
        await parts.worker.queue_frame(CancelFrame())

    kit, result = scripted_demo("ours", rtvi=RtviFacts(), at=[(6.0, hang_up)], worker_options={"enable_rtvi": True})

    assert result.duration_s < 7.0
    assert kit.memory.entries[-1].data.kind == "call_ended"


def test_a_worker_without_rtvi_runs_the_same_call_and_keeps_nothing() -> None:
    """Asked for and not there: a warning, no queue that grows, and the same words heard."""
    facts = RtviFacts()

    kit, result = interrupted_call(lambda: InterruptKit(rtvi=facts), enable_rtvi=False)

    assert server_messages(result) == []
    assert not facts.sending
    assert kit.scribe.records[0].delivered == "Take one tablet every morning with water."


async def test_a_full_queue_drops_the_newest_and_the_count_shows_it() -> None:
    """Bounded at the limit and one past it; the client sees a number missing."""
    facts = RtviFacts(waiting_max=2)
    writer = JournalWriter("c1", (MemorySink(),))
    writer.add_listener(facts.on_entry)

    for _ in range(3):
        writer.write(MoveMade(purpose="ask"), 1.0)
    first, second = await facts.next_message(), await facts.next_message()
    writer.write(MoveMade(purpose="ask"), 2.0)
    third = await asyncio.wait_for(facts.next_message(), 5)

    assert [first.n, second.n, third.n] == [0, 1, 3]
    assert facts.lost_messages == 1


def test_an_application_without_a_kit_uses_the_outlet_alone() -> None:
    """A journal of one's own, the outlet somewhere in the pipeline: what is written is told."""

    async def main() -> CallResult:
        facts, writer = RtviFacts(), JournalWriter("mine", (MemorySink(),))
        writer.add_listener(facts.on_entry)

        async def write(_: CallParts) -> None:
            writer.write(MoveMade(purpose="my_step", item_ids=("x",)), 1.0)

        return await play_call(
            ScriptedCall(2.0).do(write, at_s=1.0),
            vad="text",
            opening=None,
            user_params=LLMUserAggregatorParams(),
            instrument=lambda chain: [*chain, facts.outlet()],
            worker_options={"enable_rtvi": True},
        )

    (message,) = server_messages(run_virtual(main))
    assert (message["call_id"], message["data"]["purpose"]) == ("mine", "my_step")
