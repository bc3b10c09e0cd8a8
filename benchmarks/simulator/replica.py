"""The study's own setting: a transcript in which an interruption truncates the agent's turn, and no pipeline at all.

Owns the ground truth by construction: what the patient heard is the literal prefix, and the agent reads the same.
"""

from __future__ import annotations

import re

from benchmarks.simulator.chat import Message, Usage
from benchmarks.simulator.seeds import derive_seed
from benchmarks.simulator.system import Call, CallRecord, EndReason
from benchmarks.simulator.transcript import AgentTurn, Speaker, Turn, heard_transcript

_GOODBYE = re.compile(r"\bgood ?bye\b[^?]*$", flags=re.IGNORECASE)


def closes_call(text: str) -> bool:
    """Say whether an utterance ends the call: it closes with a goodbye and asks nothing after it."""
    return bool(_GOODBYE.search(text))


def agent_messages(prompt: str, turns: list[Turn]) -> list[Message]:
    """Give the chat as the agent sees it: its own turns as they were heard."""
    spoken = [Message("assistant" if t.speaker is Speaker.AGENT else "user", t.heard) for t in turns if t.heard]
    return [Message("system", prompt), *spoken]


class ReplicaSystem:
    """Truncates transcripts as the study did; the agent alone decides how to go on."""

    name = "replica"
    level = "transcript"

    async def converse(self, call: Call) -> CallRecord:
        """Alternate agent and patient until one of them says goodbye or the bound is reached."""
        turns: list[Turn] = []
        usage = Usage()
        hung_up = False
        for number in range(call.bounds.agent_turns_max):
            done = await call.agent.complete(
                agent_messages(call.agent_prompt, turns), seed=derive_seed(call.seed, "agent", number)
            )
            usage = usage + done.usage
            turn = await cut_turn(call, done.text)
            turns.append(turn)
            if turn.closes_call:
                return CallRecord(tuple(turns), EndReason.AGENT_CLOSED, usage=usage)
            if hung_up:
                return CallRecord(tuple(turns), EndReason.PATIENT_HUNG_UP, usage=usage)
            reply = await call.patient.reply(heard_transcript(turns))
            turns.append(reply)
            hung_up = reply.hangs_up
        return CallRecord(tuple(turns), EndReason.TURN_LIMIT, usage=usage)


async def cut_turn(call: Call, intended: str) -> AgentTurn:
    """Let the patient cut one intended utterance; delivered is the literal prefix."""
    cut = await call.patient.plan_cut(intended)
    if cut is None:
        return AgentTurn(intended=intended, delivered=intended, closes_call=closes_call(intended))
    delivered = intended[: cut.chars]
    return AgentTurn(
        intended=intended,
        delivered=delivered,
        cut_chars=cut.chars,
        cut_words=len(delivered.split()),
        planned_cut_chars=cut.chars,
        placement_source=cut.source,
    )
