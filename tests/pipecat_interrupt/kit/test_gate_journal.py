"""What the speaker gate decided stands in the call's journal; field cases D15 and D18 from sound to journal."""

from __future__ import annotations

import numpy as np
import pytest
from pipecat.processors.aggregators.llm_response_universal import LLMUserAggregatorParams

from pipecat_interrupt.facts import UtteranceRecord
from pipecat_interrupt.gate import SpeakerGateProcessor
from pipecat_interrupt.journal import verify_chain
from pipecat_interrupt.journal.entries import GateVoice, GateWords
from pipecat_interrupt.kit import InterruptKit
from pipecat_interrupt.kit.gate_items import GateItems
from pipecat_interrupt.testing import ScriptedCall, VirtualDelay, run_virtual
from pipecat_interrupt.testing.call import play_call
from pipecat_interrupt.testing.voice import Speech, SpokenWord
from speaker_gate import CallGate, GateSettings
from speaker_gate.testing import fake_ears, say

pytestmark = pytest.mark.pipeline


def line(voice: str, text: str, seconds: float) -> Speech:
    samples = (say(voice, seconds) * 32_767).astype(np.int16)
    words = text.split()
    step = seconds / len(words)
    return Speech(text, samples, 16_000, tuple(SpokenWord(w, i * step, (i + 1) * step) for i, w in enumerate(words)))


def played(*lines: tuple[float, str, str, float]) -> InterruptKit:
    """A call in which (at_s, voice, words, seconds) are said after the patient was enrolled; gives its kit."""
    gate = CallGate(fake_ears(), settings=GateSettings(check_rate=False))
    for at_s in (-20.0, -10.0):
        gate.begin_turn(at_s, 16_000)
        gate.hear(say("patient", 3.0))
        gate.end_turn(at_s + 3.0)

    async def main() -> InterruptKit:
        kit = InterruptKit(gate=SpeakerGateProcessor(gate, executor=VirtualDelay(0.06)))
        call = ScriptedCall(lines[-1][0] + lines[-1][3] + 3.0)
        for at_s, voice, text, seconds in lines:
            call.sound(make=lambda _, v=voice, t=text, s=seconds: line(v, t, s), user_id="caller", at_s=at_s)
        await play_call(
            call,
            replies=["Do you take blood thinners?", "I see.", "Very well.", "Thank you."],
            tts="words",
            vad="energy",
            user_params=lambda _: LLMUserAggregatorParams(user_turn_strategies=kit.turn_strategies()),
            instrument=kit.instrument,
        )
        return kit

    return run_virtual(main)


def of(kit: InterruptKit, kind: type) -> list:
    return [entry.data for entry in kit.memory.entries if isinstance(entry.data, kind)]


def test_d15_what_the_television_said_stands_in_the_journal_and_nowhere_else() -> None:
    """Whose voice, why, and the ignored words; the chain of the journal still holds."""
    kit = played((4.0, "television", "and now the weather for tomorrow in the north", 2.5))

    ruled, judged = of(kit, GateWords), of(kit, GateVoice)
    assert [("third_party", "ignore", "ignorable")] == [(r.standing, r.action, r.relevance) for r in ruled]
    assert "weather" in ruled[0].words
    assert [("third_party",)] == [verdict.voices for verdict in judged]
    assert judged[0].ended_s > judged[0].onset_s > 3.0
    assert verify_chain(kit.memory.entries)


def test_every_question_may_be_asked_about_once() -> None:
    """The gate asks once whose reply it was; the same question again is no new leave, the next one is."""
    gate = SpeakerGateProcessor(CallGate(fake_ears(), settings=GateSettings(check_rate=False)))
    kit = InterruptKit("cataract-followup", gate=gate)
    assert kit.tracker is not None
    items = GateItems(gate, kit.tracker)
    call = kit.tracker.ledger.call
    record = UtteranceRecord(id="u1", intended="Hello.", delivered="Hello.", undelivered="")
    leave: list[bool] = []

    for pending in ("redness", None, "redness", "pain"):
        call.pending_question = pending
        items.on_record(record)
        leave.append(gate.may_ask_who)
        gate.asked_who()

    assert [True, False, False, True] == leave


def test_d18_who_may_speak_is_journalled_as_offered_granted_and_taken_back() -> None:
    """A daughter offers, the patient grants, the patient takes the call back: each step with its time."""
    kit = played(
        (4.0, "daughter", "I am her daughter she cannot hear well I will answer for her", 3.0),
        (10.0, "patient", "yes please talk to my daughter she knows", 2.5),
        (16.0, "daughter", "no she takes no blood thinners at all", 2.5),
        (22.0, "patient", "now let me answer myself please", 2.5),
    )

    ruled = of(kit, GateWords)
    steps = [(r.standing, r.handover) for r in ruled if r.handover is not None]
    assert [("third_party", "offered"), ("primary", "granted"), ("primary", "taken_back")] == steps
    assert "attribute" == next(r.action for r in ruled if "blood thinners" in r.words)
