"""The kit with a speaker gate: it stands in its place, and what others report moves nothing by itself."""

from __future__ import annotations

import pytest

from pipecat_interrupt.demo.patient import PatientCue
from pipecat_interrupt.gate import SpeakerGateProcessor, ThirdPartySpeechFrame
from pipecat_interrupt.gate.facts import EnrolmentFact
from pipecat_interrupt.journal import JournalWriter, MemorySink
from pipecat_interrupt.journal.entries import GateEnrolment, GateVoice, GateWords, HandoffMade, PatientTurn
from pipecat_interrupt.kit import InterruptKit
from pipecat_interrupt.kit.scribe import Scribe
from pipecat_interrupt.steering import CallClock
from pipecat_interrupt.testing.call import CallParts
from speaker_gate import CallGate, GateSettings
from speaker_gate.testing import fake_ears

from .calls import scripted_demo

pytestmark = pytest.mark.pipeline

ANSWERS = (
    PatientCue("redness in your eye", "no_short"),
    PatientCue("blurry or got worse", "blurry_no"),
    PatientCue("dots or threads", "floaters_no"),
    PatientCue("flashing lights", "flashes_no"),
)


def _gate() -> SpeakerGateProcessor:
    return SpeakerGateProcessor(CallGate(fake_ears(), settings=GateSettings(check_rate=False)))


def test_the_patient_is_never_locked_out_while_nobody_is_enrolled() -> None:
    """With the gate in place and no enrolment yet, a whole call runs and every critical item closes."""
    kit, result = scripted_demo("ours", cues=(*ANSWERS, PatientCue("pain in your eye", "pain_no")), gate=_gate())

    assert [o.id for o in kit.summary().obligations if o.critical and not o.closed] == []
    assert result.ended_itself
    assert "no speaker gate" not in " ".join(kit.notices())
    facts = [e.data for e in kit.memory.entries]
    voices = [f for f in facts if isinstance(f, GateVoice)]
    assert len(voices) >= len(ANSWERS)
    assert all(0.0 < f.onset_s < f.ended_s < result.duration_s for f in voices)
    assert {f.action for f in facts if isinstance(f, GateWords)} <= {"pass", "pass_marked"}
    assert any(isinstance(f, GateWords) and "No" in f.words for f in facts)
    said = next(f for f in facts if isinstance(f, HandoffMade))
    assert kit.handoff is not None
    assert said.complete == kit.handoff.complete
    assert set(said.answered) == {a.item_id for a in kit.handoff.answers}


def test_what_a_third_party_says_is_a_report_until_the_patient_confirms_it() -> None:
    """Somebody answers for the patient: the question stays open, is put to the patient once, and then closes."""

    async def somebody(parts: CallParts, kit: InterruptKit) -> None:
        frame = ThirdPartySpeechFrame("She has no pain in her eye.", "attribute")
        await kit.words.queue_frame(frame)

    cues = (*ANSWERS, PatientCue("i would like to hear this from you", "pain_no"))
    kit, _ = scripted_demo("ours", cues=cues, gate=_gate(), at=[(32.0, somebody)])

    turns = [e.data for e in kit.memory.entries if isinstance(e.data, PatientTurn)]
    pain = next(o for o in kit.summary().obligations if o.id == "pain")
    assert ("She has no pain in her eye.", "third_party") in [(t.text, t.speaker) for t in turns]
    assert pain.state == "answered"
    assert kit.handoff is not None
    answer = next(a for a in kit.handoff.answers if a.item_id == "pain")
    assert answer.speaker != "third_party"


def test_how_far_the_enrolment_is_stands_in_the_journal() -> None:
    """Without sound and without an embedding: a status, seconds, and why a stretch was refused."""
    memory = MemorySink()
    scribe = Scribe(JournalWriter("c1", (memory,)), CallClock())

    scribe.on_gate(EnrolmentFact(at_s=3.0, status="collecting", seconds=1.5, refusal="too_loud"))

    assert [e.data for e in memory.entries] == [GateEnrolment(status="collecting", seconds=1.5, refusal="too_loud")]
